"""Write what a voter's device says from the Python catalogue: `python web/catalogue.py`.

A language has its words in one place, `src/hushvote/messages/`; a test compares what stands here.
"""

import json
from pathlib import Path

from hushvote.messages import en

FOLDER = Path(__file__).parent / "src" / "messages"
LISTS = ("list.comma", "list.and")


def written(language: str) -> str:
    """One language as TypeScript."""
    messages = {key: en.MESSAGES[key] for key in LISTS} | en.REPORTS
    return "\n".join(
        [
            "// Written by web/catalogue.py from the catalogue of the Python package.",
            "import { explainer, speaker } from './say.js';",
            "",
            f"export const language = '{language}';",
            "",
            "/** Says what a report means. */",
            f"export const say = speaker({_object(messages)});",
            "",
            "/** Says why something was refused. */",
            f"export const reason = explainer({_object(en.REFUSALS)});",
            "",
        ]
    )


def _object(messages: dict[str, str]) -> str:
    lines = (f"  {_text(key)}: {_text(text)}," for key, text in messages.items())
    return "\n".join(["{", *lines, "}"])


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


if __name__ == "__main__":
    (FOLDER / "en.ts").write_text(written("en"), encoding="utf-8")
