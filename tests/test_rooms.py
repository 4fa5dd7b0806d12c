"""No room outside `mechanisms/` knows a mechanism by name or class."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import hushvote as hv
from hushvote.mechanisms import registry

SOURCE = Path(hv.__file__).parent
BUILT_IN = [cls for cls in registry._registry.values() if cls.__module__.startswith("hushvote.")]
NAMES = {cls.name for cls in BUILT_IN}
CLASSES = {cls.__name__ for cls in BUILT_IN} | {"Grouped", "Sampling"}
ALLOWED = {
    "__init__.py",  # the public names
    "mechanisms",
    "reproduction",  # the grid of the paper, which is about these mechanisms
}
FILES = [
    path
    for path in sorted(SOURCE.rglob("*.py"))
    if path.relative_to(SOURCE).parts[0] not in ALLOWED
]


def known(tree: ast.AST) -> Iterator[str]:
    """Every place that names a mechanism or its class."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if node.value.partition(":")[0] in NAMES:
                yield f"line {node.lineno}: {node.value!r}"
        elif isinstance(node, ast.Name) and node.id in CLASSES:
            yield f"line {node.lineno}: {node.id}"
        elif isinstance(node, ast.Attribute) and node.attr in CLASSES:
            yield f"line {node.lineno}: {node.attr}"
        elif isinstance(node, ast.alias) and node.name in CLASSES:
            yield f"line {node.lineno}: {node.name}"


def test_there_is_something_to_look_for():
    assert len(NAMES) == 6
    assert len(FILES) > 40
    code = "from hushvote.mechanisms import Duel\nx = hv.Laplace\ny = 'additive:k=2'\nz = Challenge"
    assert len(list(known(ast.parse(code)))) == 4


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_no_room_knows_a_mechanism_by_name_or_class(path):
    assert list(known(ast.parse(path.read_text(encoding="utf-8")))) == []
