"""How a result looks on a terminal."""

from typing import Any

from hushvote.cli import show
from hushvote.messages import say
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
        **{
            say("table.place"): "right",
            say("table.candidate"): "left",
            say("table.score"): "right",
            say("table.error"): "right",
            say("table.interval", sure=percent(data["level"])): "right",
            say("table.true_place"): "right",
            say("table.first"): "right",
        },
    )
    for row in data["candidates"]:
        table.add_row(
            str(row["place"]),
            show.plain(row["candidate"]),
            say("table.figure", value=row["score"]),
            say("table.figure", value=row["standard_error"]),
            say("table.ends", low=row["low"], high=row["high"]),
            places(*row["places"]) if data["closed"] else "–",
            chance(row["first"]),
            style="bold green" if row["candidate"] == data["certified"] else "",
        )
    show.print_table(table)
