"""The figures of a result as HTML: intervals on the range that scores can have, and a table."""

from collections.abc import Mapping
from typing import Any

from hushvote.messages import say
from hushvote.messages.phrases import chance, highest, lowest, percent, places
from hushvote.pages.html import Element, element
from hushvote.poll import Poll


def chart(poll: Poll, result: Mapping[str, Any]) -> list[Element]:
    """One interval a candidate, on the whole range."""
    scores = poll.mechanism.rule.scores
    first, last = float(scores[0]), float(scores[-1])
    cut = any(row["low"] < last or row["high"] > first for row in result["candidates"])
    said = say("page.chart.cut" if cut else "page.chart.says", sure=percent(result["level"]))
    chosen = _chosen(result)
    rows = [
        element(
            "li",
            element(
                "div",
                element("span", f"{row['place']}", class_="soft place"),
                element(
                    "span",
                    element("bdi", row["candidate"]),
                    _mark(chosen.get(row["candidate"])),
                    class_="name",
                ),
                element("span", say("page.short", value=row["score"]), class_="score"),
                class_="row",
            ),
            _interval(row, last, first),
            class_="first" if row["candidate"] in chosen else None,
        )
        for row in result["candidates"]
    ]
    return [
        element("h2", say("page.chart")),
        element("p", said, class_="soft"),
        element("ol", rows, class_="rows"),
        element(
            "div",
            element("span", say("page.end", score=last, meaning=lowest(scores))),
            element("span", say("page.end", score=first, meaning=highest(scores))),
            class_="ends soft small",
        ),
    ]


def table(result: Mapping[str, Any]) -> list[Element]:
    """The same in figures, with places, where anything is known of them.

    On a small screen a row is a block, and each figure has the name of its column above it.
    """
    d = len(result["candidates"])
    known = any(row["first"] is not None or row["places"] != [1, d] for row in result["candidates"])
    score, interval = say("page.score"), say("page.interval", sure=percent(result["level"]))
    true_place, first = say("page.true_place"), say("page.first")
    heads = [
        element("th", say("page.place"), scope="col"),
        element("th", say("page.candidate"), scope="col", class_="text"),
        *(
            element("th", name, scope="col")
            for name in (score, interval, *((true_place, first) if known else ()))
        ),
    ]

    def figure(name: str, value: str) -> Element:
        return element("td", value, data_column=name)

    rows = [
        element(
            "tr",
            element("td", f"{row['place']}", class_="place"),
            element("th", element("bdi", row["candidate"]), scope="row", class_="text"),
            figure(score, say("table.figure", value=row["score"])),
            figure(interval, say("table.ends", low=row["low"], high=row["high"])),
            figure(true_place, places(*row["places"])) if known else None,
            figure(first, chance(row["first"])) if known else None,
        )
        for row in result["candidates"]
    ]
    return [
        element("h2", say("page.figures"), id="figures"),
        element(
            "div",
            element("table", element("thead", element("tr", heads)), element("tbody", rows)),
            class_="figures",
            role="region",
            aria_labelledby="figures",
            tabindex="0",
        ),
        *(_legend(result) if known else []),
    ]


def _legend(result: Mapping[str, Any]) -> list[Element]:
    """Why somebody may be most likely first, and nobody have surely won."""
    if all(row["first"] is None for row in result["candidates"]):
        return []
    said = say("page.first.says", sure=percent(result["level"]))
    return [element("p", said, class_="soft small legend")]


def _chosen(result: Mapping[str, Any]) -> dict[str, str]:
    """Who has surely won or has surely a seat, with the word for it."""
    if result["elected"] is not None:
        return dict.fromkeys(result["elected"]["sure"], say("page.elected.mark"))
    name = result["certified"]
    return {} if name is None else {name: say("page.certified.mark")}


def _mark(word: str | None) -> Element | None:
    return None if word is None else element("span", word, class_="mark")


def _interval(row: Mapping[str, Any], low: float, high: float) -> Element:
    """An interval as a picture, cut off at the ends of the range."""

    def at(score: float) -> float:
        return 100 * min(1.0, max(0.0, (score - low) / (high - low)))

    start, end, point = at(row["low"]), at(row["high"]), at(row["score"])
    label = say(
        "page.chart.row",
        name=row["candidate"],
        score=row["score"],
        low=row["low"],
        high=row["high"],
    )
    return element(
        "svg",
        element("line", class_="range", x1="0", x2="100%", y1="12", y2="12"),
        element(
            "rect",
            class_="span",
            x=f"{start:.2f}%",
            y="6",
            width=f"{end - start:.2f}%",
            height="12",
            rx="3",
        ),
        element("circle", class_="point", cx=f"{point:.2f}%", cy="12", r="7"),
        role="img",
        aria_label=label,
    )
