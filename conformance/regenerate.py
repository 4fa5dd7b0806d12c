"""Write all vectors anew: `python conformance/regenerate.py`.

Nothing here depends on the machine, a float or a solver: the same code writes the same bytes.
"""

import json
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
if __name__ == "__main__":
    sys.path.insert(0, str(HERE.parent))

from conformance import bad, good, laws, polls  # noqa: E402 - found by the line above

VERSION = 4  # of the draws and forms that these vectors describe

FILES = {
    "draws.json": good.draws,
    "polls.json": polls.poll_vectors,
    "refusals.json": bad.refusals,
    "laws.json": laws.laws,
}


def text_of(name: str) -> str:
    """What stands in a file: one entry a line, so that a change shows as a small difference."""
    parts = [f'"version": {VERSION}']
    for kind, entries in FILES[name]().items():
        if isinstance(entries, dict):
            each = (f"{json.dumps(key)}: {json.dumps(one)}" for key, one in entries.items())
            parts.append(f'"{kind}": {{\n' + ",\n".join(each) + "\n}")
        else:
            parts.append(f'"{kind}": [\n' + ",\n".join(map(json.dumps, entries)) + "\n]")
    return "{" + ",\n".join(parts) + "}\n"


def kept(name: str) -> dict[str, Any]:
    """A file as it stands in the folder."""
    found: dict[str, Any] = json.loads((HERE / name).read_text(encoding="utf-8"))
    return found


if __name__ == "__main__":
    for name in FILES:
        (HERE / name).write_text(text_of(name), encoding="utf-8")
