"""HTML that is escaped by construction: there is no way to put text in as markup.

`element("p", "1 < 2", id="x")` is a paragraph; its text, and every value of an attribute, is
escaped when it is written. What a strict content security policy would block is refused here
already, so that it is seen in tests: scripts and styles within a page, handlers, addresses that
run something. A number and its percent sign stay on one line.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from typing import TypeAlias

from hushvote.texts import PERCENT

Children: TypeAlias = "str | Element | Iterable[Children] | None"
Value = str | int | bool | None

NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
ADDRESSES = {"href", "src", "action", "formaction"}
ADDRESS = re.compile(r"(https?://|/(?!/)|#|\?|data:,)")
VOID = {"br", "hr", "img", "input", "link", "meta"}
BARE = {"script", "style"}  # their text is not escaped by browsers, so they have none


@dataclass(frozen=True)
class Element:
    """One element with its attributes and what stands in it."""

    name: str
    attributes: tuple[tuple[str, str | bool], ...]
    children: tuple["str | Element", ...]

    def __str__(self) -> str:
        return "".join(_written(self))


def element(name: str, /, *children: Children, **attributes: Value) -> Element:
    """An element. `class_` is `class`, `aria_label` is `aria-label`; None and False leave an
    attribute out, True writes its name alone; lists of children are taken apart, None is nothing.
    """
    found = tuple(_flat(children))
    if not NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no name of an element")
    if found and name in VOID | BARE:
        raise ValueError(f"<{name}> can hold nothing here")
    return Element(name, tuple(_attributes(attributes)), found)


def document(
    head: Children, body: Children, *, language: str, style: str = "", **attributes: Value
) -> bytes:
    """A whole page; one that has no server brings its style along, which the program has written
    and nobody else.
    """
    if "<" in style:
        raise ValueError("a style has no markup")
    first = element("meta", charset="utf-8")
    root = element("html", element("head", first, head), body, lang=language, **attributes)
    looks = f"<style>{style}</style></head>" if style else "</head>"
    return f"<!doctype html>\n{root}\n".replace("</head>", looks, 1).encode()


def _flat(children: Children) -> Iterable["str | Element"]:
    if children is None:
        return
    if isinstance(children, str | Element):
        yield children
    else:
        for child in children:
            yield from _flat(child)


def _attributes(given: dict[str, Value]) -> Iterable[tuple[str, str | bool]]:
    for key, value in given.items():
        name = key.rstrip("_").replace("_", "-")
        if not NAME.fullmatch(name) or name.startswith("on") or name in ("style", "srcdoc"):
            raise ValueError(f"{name!r} is no attribute of these pages")
        if name in ADDRESSES and not ADDRESS.match(str(value)):
            raise ValueError(f"{name} is no address that a page may lead to")
        if value is None or value is False:
            continue
        yield name, value if value is True else str(value)


def _written(node: "str | Element") -> Iterable[str]:
    if isinstance(node, str):
        yield escape(_bound(node), quote=False)
        return
    yield f"<{node.name}"
    for name, value in node.attributes:
        yield f" {name}" if value is True else f' {name}="{escape(_bound(str(value)))}"'
    yield ">"
    if node.name in VOID:
        return
    for child in node.children:
        yield from _written(child)
    yield f"</{node.name}>"


def _bound(text: str) -> str:
    return PERCENT.sub("\u00a0", text)
