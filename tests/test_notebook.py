"""The notebook in `examples/` runs, and shows what it showed when it was written."""

import json
import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def told(notebook):
    """All outputs as text, but for digits behind the point and for pictures."""
    for cell in notebook["cells"]:
        for output in cell.get("outputs", ()):
            data = output.get("data", {"text/plain": output.get("text")})
            for kind, lines in sorted(data.items()):
                text = "" if kind == "image/png" else "".join(lines)
                yield cell["id"], kind, re.sub(r"(\.\d\d)\d*", r"\1", text)


@pytest.mark.slow
def test_the_notebook_runs_and_shows_what_it_showed():
    script = runpy.run_path(str(ROOT / "docs" / "notebook.py"))
    written = json.loads(script["NOTEBOOK"].read_text(encoding="utf-8"))
    again = script["executed"](written)
    assert list(told(again)) == list(told(written))
    kinds = {kind for _, kind, _ in told(again)}
    assert kinds == {"image/png", "text/html", "text/plain"}


def test_a_cell_that_fails_is_a_failure():
    script = runpy.run_path(str(ROOT / "docs" / "notebook.py"))
    cell = {"cell_type": "code", "id": "x", "metadata": {}, "source": ["1 / 0"]}
    with pytest.raises(ZeroDivisionError):
        script["executed"]({"cells": [cell]})
