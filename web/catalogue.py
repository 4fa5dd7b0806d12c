"""Write what pages and a voter's device say from the Python catalogue: `python web/catalogue.py`.

A language has its words in one place, `src/hushvote/messages/`; a test compares what stands here.
"""

import json
from collections.abc import Mapping
from pathlib import Path

from hushvote.messages import language, languages
from hushvote.messages.phrases import LITTLE

FOLDER = Path(__file__).parent / "src" / "messages"
LISTS = ("list.comma", "list.and")
HEAD = "// Written by web/catalogue.py from the catalogue of the Python package."


def files() -> dict[str, str]:
    """All files of words, by their names below the folder."""
    found = {"limits.ts": limits()}
    for code in languages():
        found[f"{code}.ts"] = written(code)
        found[f"pages/{code}.ts"] = written_pages(code)
    return found


def limits() -> str:
    """What pages and commands must judge alike."""
    return "\n".join(
        [
            HEAD,
            "/** The epsilon beyond which hardly anything is protected. */",
            f"export const LITTLE = {LITTLE}n;",
            "",
        ]
    )


def written(code: str) -> str:
    """What a device says in one language, as TypeScript."""
    spoken = language(code)
    reports = {key: spoken.MESSAGES[key] for key in LISTS} | dict(spoken.REPORTS)
    decimal = _text(spoken.DECIMAL)
    return "\n".join(
        [
            HEAD,
            "import { explainer, speaker } from './say.js';",
            "",
            f"export const language = '{code}';",
            "",
            "/** Says what a report means. */",
            f"export const say = speaker({_object(reports)}, {decimal});",
            "",
            "/** Says why something was refused. */",
            f"export const reason = explainer({_object(spoken.REFUSALS)});",
            "",
        ]
    )


def written_pages(code: str) -> str:
    """What pages say in one language: an object a page, so that each carries its own alone."""
    spoken = language(code)
    signs = f"{{ decimal: {_text(spoken.DECIMAL)}, thousands: {_text(spoken.THOUSANDS)} }}"
    lines = [
        HEAD,
        f"export {{ language, reason, say }} from '../{code}.js';",
        "",
        "/** How numbers are written. */",
        f"export const signs = {signs};",
    ]
    for page, said in spoken.PAGES.items():
        if page != "shell":  # which Python says
            lines += ["", f"export const {page} = {_object(said)};"]
    return "\n".join([*lines, ""])


def _object(said: Mapping[str, str]) -> str:
    lines = (f"  {_text(key)}: {_text(text)}," for key, text in said.items())
    return "\n".join(["{", *lines, "}"])


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


if __name__ == "__main__":
    for name, text in files().items():
        path = FOLDER / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
