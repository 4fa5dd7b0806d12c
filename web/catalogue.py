"""Write what pages and a voter's device say from the Python catalogue: `python web/catalogue.py`.

A language has its words in one place, `src/hushvote/messages/`; a test compares what stands here.
"""

import json
from importlib import import_module
from pathlib import Path
from typing import Any

from hushvote import messages

FOLDER = Path(__file__).parent / "src" / "messages"
LISTS = ("list.comma", "list.and")
HEAD = "// Written by web/catalogue.py from the catalogue of the Python package."


def languages() -> list[str]:
    """The languages that there are."""
    folders = Path(messages.__file__).parent.glob("[a-z][a-z]")
    return sorted(path.name for path in folders if (path / "__init__.py").exists())


def files() -> dict[str, str]:
    """All files of words, by their names below the folder."""
    found = {}
    for language in languages():
        found[f"{language}.ts"] = written(language)
        found[f"pages/{language}.ts"] = written_pages(language)
    return found


def written(language: str) -> str:
    """What a device says in one language, as TypeScript."""
    spoken = _catalogue(language)
    reports = {key: spoken.MESSAGES[key] for key in LISTS} | spoken.REPORTS
    return "\n".join(
        [
            HEAD,
            "import { explainer, speaker } from './say.js';",
            "",
            f"export const language = '{language}';",
            "",
            "/** Says what a report means. */",
            f"export const say = speaker({_object(reports)});",
            "",
            "/** Says why something was refused. */",
            f"export const reason = explainer({_object(spoken.REFUSALS)});",
            "",
        ]
    )


def written_pages(language: str) -> str:
    """What pages say in one language: an object a page, so that each carries its own alone."""
    spoken = _catalogue(language)
    signs = f"{{ decimal: {_text(spoken.DECIMAL)}, thousands: {_text(spoken.THOUSANDS)} }}"
    lines = [
        HEAD,
        f"export {{ language, reason, say }} from '../{language}.js';",
        "",
        "/** How numbers are written. */",
        f"export const signs = {signs};",
    ]
    for page, said in spoken.PAGES.items():
        if page != "shell":  # which Python says
            lines += ["", f"export const {page} = {_object(said)};"]
    return "\n".join([*lines, ""])


def _catalogue(language: str) -> Any:
    return import_module(f"hushvote.messages.{language}")


def _object(said: dict[str, str]) -> str:
    lines = (f"  {_text(key)}: {_text(text)}," for key, text in said.items())
    return "\n".join(["{", *lines, "}"])


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


if __name__ == "__main__":
    for name, text in files().items():
        path = FOLDER / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
