"""The result of a poll as HTML, for its server's page and for its archive: without scripts.

What is said comes from the published result (`poll.published`), in the language of the moment.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from hushvote.messages import counted, say, spoken
from hushvote.messages.phrases import any_of, percent
from hushvote.pages.events import event_words
from hushvote.pages.figures import chart, table
from hushvote.pages.html import Children, Element, element
from hushvote.pages.promises import promises
from hushvote.poll import Poll
from hushvote.poll.checks import CODES
from hushvote.poll.header import Header
from hushvote.result.explaining import how_many
from hushvote.result.sentence import in_a_sentence


@dataclass(frozen=True)
class Happened:
    """What has happened in a poll: as its board tells it, or its server."""

    numbers: Mapping[str, int]  # casts, changes, withdrawals, erasures, and what stands
    codes: tuple[int, int] | None  # issued and revoked
    log: Sequence[Mapping[str, Any]]
    board: str | None = None  # the board's digest

    @classmethod
    def on_board(cls, header: Header, standing: int) -> "Happened":
        """What a verified board tells."""
        names = ("casts", "changes", "withdrawals", "erasures")
        numbers = {name: getattr(header, name) for name in names}
        codes = (len(header.issued), len(header.revoked))
        of_codes = header.poll.access == CODES
        return cls(
            {**numbers, "standing": standing},
            codes if of_codes else None,
            header.log,
            header.digest,
        )

    @property
    def closed(self) -> int | None:
        """When the poll was closed."""
        return next((one["at"] for one in reversed(self.log) if one["event"] == "closed"), None)


def head(poll: Poll, state: str) -> list[Element]:
    """Whose result it is: one line above the question, and what the organiser wrote below."""
    lines = [element("p", line) for line in poll.description.splitlines() if line.strip()]
    return [element("p", state, class_="soft small"), element("h1", poll.question), *lines]


def verdict(kind: str, sentence: str, *why: Children) -> Element:
    """The sentence on top."""
    return element(
        "section",
        element("h2", sentence),
        [element("p", one) for one in why],
        class_=f"verdict {kind}".strip(),
    )


def withheld(poll: Poll, standing: int) -> list[Element]:
    """Instead of a result, where too few reports stand in a closed poll."""
    why = say("page.withheld.why", standing=counted(standing, "report"), turnout=poll.turnout)
    return [verdict("", say("page.withheld"), why), *candidates(poll, say("page.candidates"))]


def candidates(poll: Poll, title: str) -> list[Element]:
    """Their names, where there is nothing to say of them."""
    names = element("ul", [element("li", element("bdi", one)) for one in poll.candidates])
    return [element("h2", title), names]


def shown(poll: Poll, published: Mapping[str, Any]) -> list[Element]:
    """A published result: the sentence, warnings, figures, and what they mean."""
    result = _translated(published)
    kind, sentence = in_a_sentence(result)
    return [
        verdict(kind, sentence, *_why(result)),
        *_warnings(result["warnings"]),
        *chart(poll, result),
        *table(result),
        element("h2", say("page.words")),
        *_paragraphs(_meaning(result)),
        *_honest(result),
    ]


def _translated(published: Mapping[str, Any]) -> dict[str, Any]:
    """A result whose sentences are in the language of the moment, if it has them."""
    result, others = dict(published), published.get("languages", {}).get(spoken())
    if others is None:
        return result
    told = {name: others[name] for name in ("title", "words", "warnings", "caveats")}
    inspected = result["inspection"]
    words = None if inspected is None else {**inspected, "words": others["inspection"]}
    return result | told | {"inspection": words}


def _why(result: Mapping[str, Any]) -> list[str]:
    """What stands below that sentence; where nobody has won, how many reports would tell."""
    sure, more = percent(result["level"]), []
    if result["needed"] is not None:
        more = [how_many(result["leader"], result["needed"])]
    if not result["closed"]:
        return [say("page.live.why")]
    if result["suspicious"] or result["elected"] is not None or len(result["leaders"]) > 1:
        return [str(result["words"][0]), *more]
    if result["certified"] is not None:
        return [say("page.certified.why", sure=sure)]
    rivals = any_of(result["rivals"])
    return [say("page.open.why", leader=result["leader"], rivals=rivals, sure=sure), *more]


def _meaning(result: Mapping[str, Any]) -> list[str]:
    """What the figures mean: the sentences that were not said on top, in these words or others."""
    words, above = result["words"], set(_why(result))
    if not result["closed"] or (result["elected"] is None and not result["suspicious"]):
        words = words[1:]
    return [one for one in words if one not in above]


def _honest(result: Mapping[str, Any]) -> list[Element]:
    """What an inspection has found, unless that is a warning already, and what none can find."""
    inspected, said = result["inspection"], []
    if inspected is None:
        said = [say("page.uninspected")]
    elif not result["warnings"]:
        said = inspected["words"]
    said = [*said, *result["caveats"]]
    return [element("h2", say("page.honest")), *_paragraphs(said)] if said else []


def _warnings(warnings: Sequence[str]) -> list[Element]:
    if not warnings:
        return []
    top = element("h2", say("page.warnings"))
    return [element("section", top, _paragraphs(warnings), class_="warning")]


# --- around it --------------------------------------------------------------------------------


def promised(poll: Poll, crowd: float | None) -> list[Element]:
    """What voters were told when they voted."""
    access = say("poll.access.codes") if poll.access == CODES else say("poll.access.link")
    turnout = say("page.turnout", turnout=poll.turnout)
    return [
        element("h2", say("page.privacy")),
        *_paragraphs([*promises(poll, crowd), turnout, access]),
        element("p", poll.mechanism.title, class_="soft small"),
    ]


def took_part(happened: Happened) -> list[Element]:
    """How many did what."""
    numbers = happened.numbers
    rows = [
        (say("page.casts"), numbers["casts"]),
        (say("page.changes"), numbers["changes"]),
        (say("page.withdrawals"), numbers["withdrawals"]),
        (say("page.erasures"), numbers["erasures"]),
        (say("page.standing"), numbers["standing"]),
    ]
    if happened.codes is not None:
        issued, revoked = happened.codes
        rows += [(say("page.issued"), issued), (say("page.revoked"), revoked)]
    entries = [
        element("div", element("dt", name), element("dd", say("page.number", value=value)))
        for name, value in rows
    ]
    erased = element("p", say("page.erased.says"), class_="soft small")
    return [
        element("h2", say("page.numbers")),
        element("dl", entries),
        *([erased] if numbers["erasures"] else []),
    ]


def events(log: Sequence[Mapping[str, Any]]) -> list[Element]:
    """The public log."""
    rows = [
        element("tr", element("td", when(one["at"])), element("td", event_words(one, when)))
        for one in log
    ]
    return [
        element("h2", say("page.log")),
        element("table", element("tbody", rows), class_="log"),
        element("p", say("page.log.says"), class_="soft small"),
    ]


def digest_of(name: str, digest: str) -> Element:
    """A digest, and what it is of."""
    label = element("span", f"{name}:", class_="soft")
    return element("p", label, element("br"), element("code", digest), class_="small")


def when(seconds: int) -> str:
    """A time in UTC."""
    try:
        return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M}"
    except (ValueError, OverflowError, OSError):
        return f"{seconds}"


def _paragraphs(sentences: Sequence[str]) -> list[Element]:
    return [element("p", sentence) for sentence in sentences]
