"""How a result looks on a terminal."""

from hushvote.cli import show
from hushvote.result.explaining import Explanation


def tell(explanation: Explanation) -> None:
    """A table of the candidates, and what it means."""
    _print(explanation)
    for sentence in explanation.words[:-1]:
        show.say(sentence)
    show.say(explanation.words[-1], style="dim")


def _print(explanation: Explanation) -> None:
    heads, rows = explanation.table()
    table = show.table(explanation.data["title"], **dict(heads))
    sure = explanation.data["certified"]
    for row, data in zip(rows, explanation.data["candidates"], strict=True):
        style = "bold green" if data["candidate"] == sure else ""
        table.add_row(*(show.plain(cell) for cell in row), style=style)
    show.print_table(table)
