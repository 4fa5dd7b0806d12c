"""How a result looks on a terminal."""

from typing import Any

from hushvote.cli import show
from hushvote.messages.phrases import chance, percent, places
from hushvote.result.explaining import Explanation


def tell(explanation: Explanation) -> None:
    """A table of the candidates, and what it means."""
    _print(explanation.data)
    for sentence in explanation.words[:-1]:
        show.say(sentence)
    show.say(explanation.words[-1], style="dim")


def _print(data: dict[str, Any]) -> None:
    table = show.table(
        data["title"],
        place="right",
        candidate="left",
        score="right",
        error="right",
        **{f"{percent(data['level'])} interval": "right"},
        true_place="right",
        truly_first="right",
    )
    for row in data["candidates"]:
        table.add_row(
            str(row["place"]),
            show.plain(row["candidate"]),
            f"{row['score']:.4f}",
            f"{row['standard_error']:.4f}",
            f"{row['low']:.4f} to {row['high']:.4f}",
            places(*row["places"]) if data["closed"] else "–",
            chance(row["first"]),
            style="bold green" if row["candidate"] == data["certified"] else "",
        )
    show.print_table(table)
