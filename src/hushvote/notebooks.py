"""How things look in a notebook: a table with a title and a few sentences, as HTML.

Every text is escaped; whatever names voters have been given stay text.
"""

from collections.abc import Iterable, Sequence
from html import escape

from hushvote import texts

TEXT, FIGURE = "left", "right"


def table(
    title: str,
    heads: Sequence[tuple[str, str]],
    rows: Iterable[Sequence[str]],
    sentences: Sequence[str] = (),
) -> str:
    """A table whose columns have a head, and stand `TEXT` or `FIGURE`."""
    aligned = [f'style="text-align: {side}"' for _, side in heads]
    first = _row("th", aligned, [head for head, _ in heads])
    body = "".join(_row("td", aligned, row) for row in rows)
    said = "".join(f"<p>{_text(sentence)}</p>" for sentence in sentences)
    return (
        f'<table><caption style="text-align: left; font-weight: bold">{_text(title)}</caption>'
        f"<thead>{first}</thead><tbody>{body}</tbody></table>{said}"
    )


def _row(cell: str, aligned: Sequence[str], values: Sequence[str]) -> str:
    pairs = zip(aligned, values, strict=True)
    return "<tr>" + "".join(f"<{cell} {how}>{_text(v)}</{cell}>" for how, v in pairs) + "</tr>"


def _text(value: str) -> str:
    return escape(texts.shown(value))
