"""Runs the notebook in `examples/` and writes its outputs anew: `python docs/notebook.py`.

A small runner in place of Jupyter: cells run one after the other in one namespace, and of the last
expression of a cell its text, its HTML and its picture are kept, as a notebook keeps them.
"""

import ast
import base64
import contextlib
import io
import json
from pathlib import Path
from typing import Any

NOTEBOOK = Path(__file__).parents[1] / "examples" / "hushvote.ipynb"


def executed(notebook: dict[str, Any]) -> dict[str, Any]:
    """The same notebook with the outputs that its cells have now."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    number = 0
    cells = []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            number += 1
            outputs = run("".join(cell["source"]), namespace, number)
            cells.append({**cell, "execution_count": number, "outputs": outputs})
        else:
            cells.append(cell)
    return {**notebook, "cells": cells}


def run(code: str, namespace: dict[str, Any], number: int) -> list[dict[str, Any]]:
    """What one cell prints, and what its last expression shows."""
    tree = ast.parse(code)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, f"cell {number}", "exec"), namespace)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), namespace)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": lines(printed)})
    if value is not None:
        outputs.append(
            {
                "data": shown(value),
                "execution_count": number,
                "metadata": {},
                "output_type": "execute_result",
            }
        )
    return outputs


def shown(value: object) -> dict[str, Any]:
    """A value in all forms in which a notebook keeps it."""
    data: dict[str, Any] = {}
    if (picture := getattr(value, "_repr_png_", None)) is not None:
        data["image/png"] = base64.b64encode(picture()).decode() + "\n"
    if (markup := getattr(value, "_repr_html_", None)) is not None:
        data["text/html"] = lines(io.StringIO(markup()))
    data["text/plain"] = lines(io.StringIO(repr(value)))
    return data


def lines(text: io.StringIO) -> list[str]:
    """Texts stand in a notebook line by line."""
    return text.getvalue().splitlines(keepends=True)


if __name__ == "__main__":
    held = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    written = json.dumps(executed(held), indent=1, ensure_ascii=False, sort_keys=True)
    NOTEBOOK.write_text(written + "\n", encoding="utf-8")
