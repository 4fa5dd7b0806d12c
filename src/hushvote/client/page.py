"""The page of an archive: the result of a closed poll, readable without a server or scripts.

Everything that comes from people or from a server is escaped, and the page forbids itself to load
or to run anything.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from typing import Any

from hushvote.client.answers import Told
from hushvote.client.meaning import promises
from hushvote.client.page_style import STYLE
from hushvote.client.telling import event_words
from hushvote.messages import counted, say
from hushvote.messages.phrases import all_of, any_of, chance, percent, places
from hushvote.poll import Poll
from hushvote.poll.checks import CODES
from hushvote.poll.header import Header

POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


@dataclass(frozen=True)
class Happened:
    """What has happened in a closed poll: as its board tells it, or without one its server."""

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

    @classmethod
    def told(cls, told: Told) -> "Happened":
        """What a server tells of a poll without a board."""
        codes = told.codes
        return cls(
            told.numbers, None if codes is None else (codes["issued"], codes["revoked"]), told.log
        )


def page(poll: Poll, happened: Happened, result: Mapping[str, Any] | None) -> str:
    """The page of a closed poll; below the turnout there is no result."""
    parts = [
        *_head(poll, happened.log),
        *(_withheld(poll, happened) if result is None else _result(poll, result)),
        *_promised(poll),
        *_numbers(happened),
        *_log(happened.log),
        *_verify(poll, happened.board),
        "</main>",
        "</body>",
        "</html>",
    ]
    return "\n".join(parts) + "\n"


def _head(poll: Poll, log: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    yield "<!DOCTYPE html>"
    yield '<html lang="en">'
    yield "<head>"
    yield '<meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield '<meta name="referrer" content="no-referrer">'
    yield f"<title>{escape(say('page.title', question=poll.question))}</title>"
    yield f"<style>{STYLE}</style>"
    yield "</head>"
    yield "<body>"
    yield "<main>"
    closed = [event["at"] for event in log if event["event"] == "closed"]
    when = "" if not closed else say("page.closed", day=_when(closed[-1])[:10])
    yield f'<p class="soft small">{escape(when)}</p>'
    yield f"<h1>{escape(poll.question)}</h1>"
    for line in poll.description.splitlines():
        if line.strip():
            yield f"<p>{escape(line)}</p>"


# --- the result -------------------------------------------------------------------------------


def _withheld(poll: Poll, happened: Happened) -> Iterator[str]:
    standing = counted(happened.numbers["standing"], "report")
    why = say("page.withheld.why", standing=standing, turnout=poll.turnout)
    yield from _verdict("", say("page.withheld"), why)
    yield f"<h2>{escape(say('page.candidates'))}</h2>"
    yield f"<p>{escape(', '.join(poll.candidates))}</p>"


def _result(poll: Poll, result: Mapping[str, Any]) -> Iterator[str]:
    kind, sentence = _said(result)
    yield from _verdict(kind, sentence, _why(result))
    if result["warnings"]:
        yield '<section class="warning">'
        yield f"<h2>{escape(say('page.warnings'))}</h2>"
        yield from _paragraphs(result["warnings"])
        yield "</section>"
    yield from _chart(poll, result)
    yield from _table(result)
    yield f"<h2>{escape(say('page.words'))}</h2>"
    yield from _paragraphs([*result["words"], *result["caveats"]])


def _verdict(kind: str, sentence: str, why: str) -> Iterator[str]:
    yield f'<section class="verdict {kind}">'
    yield f"<strong>{escape(sentence)}</strong>"
    yield f"<p>{escape(why)}</p>"
    yield "</section>"


def _said(result: Mapping[str, Any]) -> tuple[str, str]:
    """The result in one sentence, and what kind it is."""
    name, elected = result["certified"], result["elected"]
    if result["suspicious"]:
        return "bad", say("page.suspicious") if name is None else say("page.doubted", name=name)
    if elected is not None and elected["certified"]:
        return "sure", say("page.elected", names=all_of(elected["sure"]))
    if elected is not None and elected["sure"]:
        return "", say("page.elected.part", names=all_of(elected["sure"]))
    if elected is not None:
        return "", say("page.elected.none")
    return ("", say("page.open")) if name is None else ("sure", say("page.certified", name=name))


def _why(result: Mapping[str, Any]) -> str:
    """What stands below that sentence."""
    sure = percent(result["level"])
    if result["suspicious"] or result["elected"] is not None or len(result["leaders"]) > 1:
        return str(result["words"][0])
    if result["certified"] is not None:
        return say("page.certified.why", sure=sure)
    rivals = any_of(result["rivals"])
    return say("page.open.why", leader=result["leader"], rivals=rivals, sure=sure)


def _chosen(result: Mapping[str, Any]) -> dict[str, str]:
    """Who has surely won or has surely a seat, with the word for it."""
    if result["elected"] is not None:
        return dict.fromkeys(result["elected"]["sure"], say("page.elected.mark"))
    name = result["certified"]
    return {} if name is None else {name: say("page.certified.mark")}


def _chart(poll: Poll, result: Mapping[str, Any]) -> Iterator[str]:
    """One interval a candidate, on the range that scores can have."""
    first, *_, last = (float(score) for score in poll.mechanism.rule.scores)
    sure, chosen = percent(result["level"]), _chosen(result)
    yield f"<h2>{escape(say('page.chart'))}</h2>"
    said = say("page.chart.says", sure=sure)
    if any(row["low"] < last or row["high"] > first for row in result["candidates"]):
        said = say("page.chart.cut", sure=sure)
    yield f'<p class="soft">{escape(said)}</p>'
    yield '<ol class="rows">'
    for row in result["candidates"]:
        name = row["candidate"]
        marked = f'<span class="mark">{escape(chosen[name])}</span>' if name in chosen else ""
        yield '<li class="first">' if name in chosen else "<li>"
        yield '<div class="row">'
        yield f'<span class="soft">{row["place"]}</span>'
        yield f'<span class="name"><bdi>{escape(name)}</bdi>{marked}</span>'
        yield f'<span class="score">{row["score"]:.2f}</span>'
        yield "</div>"
        yield _interval(row, last, first)
        yield "</li>"
    yield "</ol>"
    yield '<div class="ends soft small">'
    yield f"<span>{escape(say('page.lowest', score=f'{last:g}'))}</span>"
    yield f"<span>{escape(say('page.highest', score=f'{first:g}'))}</span>"
    yield "</div>"


def _interval(row: Mapping[str, Any], low: float, high: float) -> str:
    """An interval as a picture, cut off at the ends of the range."""

    def at(score: float) -> float:
        return 100 * min(1.0, max(0.0, (score - low) / (high - low)))

    start, end, point = at(row["low"]), at(row["high"]), at(row["score"])
    label = say(
        "page.chart.row",
        name=row["candidate"],
        score=f"{row['score']:.2f}",
        low=f"{row['low']:.2f}",
        high=f"{row['high']:.2f}",
    )
    return (
        f'<svg role="img" aria-label="{escape(label)}">'
        '<line class="range" x1="0" x2="100%" y1="12" y2="12"/>'
        f'<rect class="span" x="{start:.2f}%" y="6" width="{end - start:.2f}%" height="12" rx="3"/>'
        f'<circle class="point" cx="{point:.2f}%" cy="12" r="7"/>'
        "</svg>"
    )


def _table(result: Mapping[str, Any]) -> Iterator[str]:
    heads = [
        say("page.interval", sure=percent(result["level"])),
        say("page.true_place"),
        say("page.first"),
    ]
    yield f'<h2 id="figures">{escape(say("page.figures"))}</h2>'
    yield '<div class="wide" role="region" aria-labelledby="figures" tabindex="0">'
    yield "<table>"
    yield "<thead><tr>"
    yield f'<th scope="col" class="shown">{escape(say("page.place"))}</th>'
    yield f'<th scope="col" class="text">{escape(say("page.candidate"))}</th>'
    yield f'<th scope="col" class="shown">{escape(say("page.score"))}</th>'
    yield from (f'<th scope="col">{escape(head)}</th>' for head in heads)
    yield "</tr></thead>"
    yield "<tbody>"
    for row in result["candidates"]:
        cells = (
            say("page.span", low=f"{row['low']:.4f}", high=f"{row['high']:.4f}"),
            places(*row["places"]),
            chance(row["first"]),
        )
        yield "<tr>"
        yield f'<td class="shown">{row["place"]}</td>'
        yield f'<td class="text"><bdi>{escape(row["candidate"])}</bdi></td>'
        yield f'<td class="shown">{row["score"]:.4f}</td>'
        yield from (f"<td>{escape(cell)}</td>" for cell in cells)
        yield "</tr>"
    yield "</tbody>"
    yield "</table>"
    yield "</div>"


# --- around it --------------------------------------------------------------------------------


def _promised(poll: Poll) -> Iterator[str]:
    yield f"<h2>{escape(say('page.privacy'))}</h2>"
    access = say("poll.access.codes") if poll.access == CODES else say("poll.access.link")
    turnout = say("page.turnout", turnout=poll.turnout)
    yield from _paragraphs([*promises(poll), turnout, access])
    yield f'<p class="soft small">{escape(poll.mechanism.title)}</p>'


def _numbers(happened: Happened) -> Iterator[str]:
    numbers = happened.numbers
    yield f"<h2>{escape(say('page.numbers'))}</h2>"
    yield "<dl>"
    yield _number(say("page.casts"), numbers["casts"])
    yield _number(say("page.changes"), numbers["changes"])
    yield _number(say("page.withdrawals"), numbers["withdrawals"])
    yield _number(say("page.erasures"), numbers["erasures"])
    yield _number(say("page.standing"), numbers["standing"])
    if happened.codes is not None:
        issued, revoked = happened.codes
        yield _number(say("page.issued"), issued)
        yield _number(say("page.revoked"), revoked)
    yield "</dl>"
    if numbers["erasures"]:
        yield f'<p class="soft small">{escape(say("page.erased.says"))}</p>'


def _number(name: str, value: int) -> str:
    return f"<div><dt>{escape(name)}</dt><dd>{value:,}</dd></div>"


def _log(log: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    yield f"<h2>{escape(say('page.log'))}</h2>"
    yield '<table class="log"><tbody>'
    for event in log:
        said = event_words(event, _when)
        yield f"<tr><td>{escape(_when(event['at']))}</td><td>{escape(said)}</td></tr>"
    yield "</tbody></table>"
    yield f'<p class="soft small">{escape(say("page.log.says"))}</p>'


def _verify(poll: Poll, board: str | None) -> Iterator[str]:
    yield f"<h2>{escape(say('page.verify'))}</h2>"
    if board is None:
        yield f"<p>{escape(say('page.verify.withheld'))}</p>"
    else:
        yield f"<p>{escape(say('page.verify.says'))}</p>"
        yield f"<pre>hushvote verify board.jsonl --digest {poll.digest}</pre>"
    yield f'<p class="small"><span class="soft">{escape(say("page.digest"))}:</span><br>'
    yield f"<code>{poll.digest}</code></p>"
    if board is not None:
        yield f'<p class="small"><span class="soft">{escape(say("page.board"))}:</span><br>'
        yield f"<code>{board}</code></p>"


def _paragraphs(sentences: Sequence[str]) -> Iterator[str]:
    yield from (f"<p>{escape(sentence)}</p>" for sentence in sentences)


def _when(seconds: int) -> str:
    """A time in UTC."""
    try:
        return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M}"
    except (ValueError, OverflowError, OSError):
        return f"{seconds}"
