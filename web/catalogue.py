"""Write what a voter's device says from the Python catalogue: `python web/catalogue.py`.

A language has its words in one place, `src/hushvote/messages/`; a test compares what stands here.
"""

import json
from collections.abc import Mapping
from pathlib import Path

from hushvote.messages import language, languages

FOLDER = Path(__file__).parent / "src" / "messages"
LISTS = ("list.comma", "list.and")


def written(code: str) -> str:
    """One language as TypeScript."""
    spoken = language(code)
    messages = {key: spoken.MESSAGES[key] for key in LISTS} | dict(spoken.REPORTS)
    decimal = f", {_text(spoken.DECIMAL)}"
    return "\n".join(
        [
            "// Written by web/catalogue.py from the catalogue of the Python package.",
            "import { explainer, speaker } from './say.js';",
            "",
            f"export const language = '{code}';",
            "",
            "/** Says what a report means. */",
            f"export const say = speaker({_object(messages)}{decimal});",
            "",
            "/** Says why something was refused. */",
            f"export const reason = explainer({_object(spoken.REFUSALS)});",
            "",
        ]
    )


def _object(messages: Mapping[str, str]) -> str:
    lines = (f"  {_text(key)}: {_text(text)}," for key, text in messages.items())
    return "\n".join(["{", *lines, "}"])


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


if __name__ == "__main__":
    for code in languages():
        (FOLDER / f"{code}.ts").write_text(written(code), encoding="utf-8")
