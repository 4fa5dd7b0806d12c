"""The page of an archive: true for every kind of result, harmless, and readable everywhere."""

import os
import re
from dataclasses import dataclass
from functools import cache
from html import escape
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

import hushvote as hv
from hushvote.client.answers import Told
from hushvote.client.archiving import happened_by
from hushvote.pages.archive import page
from hushvote.pages.result import Happened
from hushvote.poll.board import open_board, write_board
from hushvote.poll.entries import Entry, Erased
from hushvote.poll.header import Happened as Past
from hushvote.poll.published import difference, recounted
from hushvote.server.results import answer
from tests.browsing import needs_chromium, quiet_visit, served
from tests.polls import KEY, SERVER

NAMES = ("Ann Müller", "Bob", "Cem", "Dörte")
EVIL = (
    "<script>document.title='owned'</script>",
    '"><img src=x onerror=alert(1)>',
    "&lt;b&gt; {leader} %s",
    "Donaudampfschifffahrtsgesellschaftskapitänswitwenrentenauszahlungsstellenleiterin",
)
LOG = (
    {"at": 1_790_000_000, "event": "opened", "closes": 1_790_600_000},
    {"at": 1_790_000_900, "event": "issued", "codes": 1200},
    {"at": 1_790_600_000, "event": "closed"},
    {"at": 1_790_800_000, "event": "<b>erased</b>"},
)
UP, DOWN = [0, 1, 2, 3], [3, 2, 1, 0]


@dataclass(frozen=True)
class Case:
    """A closed poll of a kind: so many honest voters, of whom a share ranks upwards."""

    honest: int
    upwards: float
    epsilon: str = "3"
    copies: int = 0  # of one report, by cheats
    erased: int = 0
    seats: int = 1
    access: str = "codes"
    names: tuple[str, ...] = NAMES


CASES = {
    "certified": Case(2000, 1.0, erased=2),
    "open": Case(200, 0.5, "1", access="link"),
    "suspicious": Case(300, 0.5, "1", copies=300),
    "doubted": Case(4000, 1.0, copies=300),
    "seats": Case(3000, 1.0, seats=2),
    "evil": Case(200, 0.5, "1", names=EVIL),
}


@cache
def drawn(case: Case) -> tuple[hv.Poll, list[dict]]:
    """The poll, and its reports, the same in every run: what is tested are pages, not chances."""
    made = hv.mechanism("duel", hv.borda(4), case.epsilon)
    poll = hv.Poll.create(
        "Who shall speak for <us>?",
        case.names,
        made,
        server=SERVER,
        seats=case.seats,
        access=case.access,
        description="One line.\nAnother & last.",
    )
    upwards = round(case.honest * case.upwards)
    orders = np.array([UP] * upwards + [DOWN] * (case.honest - upwards), dtype=np.uint8)
    reports = made.privatize(orders, rng=np.random.default_rng(11))
    reports = np.concatenate([reports, np.repeat(reports[:1], case.copies)])
    return poll, [made.domain.to_wire(reports[k : k + 1]) for k in range(len(reports))]


def archived(case: Case, folder: Path) -> tuple[hv.Poll, Happened, dict]:
    """What an archive is made of."""
    poll, wires = drawn(case)
    entries = [Entry(os.urandom(32).hex(), os.urandom(16).hex(), one) for one in wires]
    entries.sort(key=lambda entry: entry.receipt)
    lines = [Erased(one.leaf) if k < case.erased else one for k, one in enumerate(entries)]
    codes = case.access == "codes"
    past = Past(
        casts=len(lines),
        log=LOG,
        issued=[os.urandom(32).hex() for _ in range(len(lines) + 5)] if codes else (),
    )
    write_board(folder / "board.jsonl", poll, lines, past, KEY)
    board = open_board(folder / "board.jsonl")
    happened = Happened.on_board(board.header, len(lines) - case.erased)
    return poll, happened, recounted(board)


@pytest.fixture(params=CASES)
def closed(request, tmp_path):
    """The name of a case, and its page."""
    poll, happened, result = archived(CASES[request.param], tmp_path)
    return request.param, page(poll, happened, result), result


class _Outline(HTMLParser):
    """The elements of a page, its text, and whether all are closed."""

    VOID = ("meta", "br", "line", "rect", "circle", "!doctype")

    def __init__(self, text):
        super().__init__()
        self.tags, self.open, self.texts, self.attributes = [], [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [name for name, _ in attrs]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in self.VOID:
            assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" not in self.open:
            self.texts.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.texts).split())


SAID = {
    "certified": ("Ann Müller has won.", "sure"),
    "open": ("Nobody has surely won.", ""),
    "suspicious": ("Nobody is announced: not all reports can be trusted.", "bad"),
    "doubted": ("Ann Müller has won, though not all reports can be trusted.", "bad"),
    "seats": ("Elected: Ann Müller and Bob.", "sure"),
    "evil": ("Nobody has surely won.", ""),
}


def test_the_sentence_on_top_is_that_of_the_result(closed):
    name, text, result = closed
    sentence, kind = SAID[name]
    assert f'<section class="{f"verdict {kind}".strip()}"><h2>{sentence}</h2>' in text
    outline = _Outline(text)
    on_top = name in ("certified", "open", "evil")  # says the first of them in other words
    for words in (
        *result["words"][on_top:],
        *result["warnings"],
        *result["caveats"],
        *result["inspection"]["words"],
    ):
        assert " ".join(words.split()) in outline.text
    assert ("Read this first" in text) == bool(result["suspicious"])
    marks = text.count('<span class="mark">')
    assert marks == {"certified": 1, "doubted": 1, "seats": 2}.get(name, 0)


def test_the_page_loads_nothing_and_runs_nothing(closed):
    _, text, _ = closed
    outline = _Outline(text)
    assert outline.open == []
    assert not {"script", "img", "link", "a", "iframe", "form", "object"} & set(outline.tags)
    assert not [name for name in outline.attributes if name.startswith("on") or name == "style"]
    assert not re.search(r"https?:|url\(|@import|//", text)
    assert escape("default-src 'none'") in text


def test_what_people_wrote_is_shown_and_never_taken_for_a_page(tmp_path):
    poll, happened, result = archived(CASES["evil"], tmp_path)
    text = page(poll, happened, result)
    for name in EVIL[:3]:
        assert name not in text
        assert escape(name) in text
    assert "<h1>Who shall speak for &lt;us&gt;?</h1>" in text
    assert "<p>Another &amp; last.</p>" in text
    assert "Another event: &lt;b&gt;erased&lt;/b&gt;." in text


def test_numbers_are_those_of_the_board_and_erasures_are_explained(tmp_path):
    poll, happened, result = archived(CASES["certified"], tmp_path)
    text = _Outline(page(poll, happened, result)).text
    assert "Votes cast 2,000" in text
    assert "Erased 2" in text
    assert "Counted 1,998" in text
    assert "Codes issued 2,005" in text
    assert "Of an erased report only a hash is left" in text
    assert "Opened, to be closed on 2026-09-28 12:53." in text
    assert poll.digest in text
    assert happened.board in text


def test_a_page_without_a_result_says_why(tmp_path):
    poll, _ = drawn(CASES["open"])
    numbers = {"standing": 1, "casts": 3, "changes": 0, "withdrawals": 2, "erasures": 0}
    told = Told(poll.digest, True, 1_790_600_000, numbers, LOG[:3], None)
    text = page(poll, happened_by(told), None)
    outline = _Outline(text)
    assert "There is no result. The poll has 1 report, and promised" in outline.text
    assert "nothing is shown of fewer than 20" in outline.text
    assert "svg" not in outline.tags
    assert "hushvote verify" not in text


def test_intervals_are_drawn_on_the_possible_range_and_cut_off_at_its_ends(closed):
    _, text, result = closed
    spans = re.findall(r'class="span" x="([\d.]+)%" y="6" width="([\d.]+)%"', text)
    points = re.findall(r'class="point" cx="([\d.]+)%"', text)
    assert len(spans) == len(points) == 4
    for row, (x, width), point in zip(result["candidates"], spans, points, strict=True):
        ends = [min(100, max(0, 100 * row[name] / 3)) for name in ("low", "high", "score")]
        found = (float(x), float(x) + float(width), float(point))
        assert found == pytest.approx(ends, abs=0.011)


def test_a_recount_is_what_a_server_publishes_to_the_last_digit(closed, tmp_path):
    _, _, result = closed
    board = open_board(tmp_path / "board.jsonl")
    header = board.header
    issued = len(header.issued) if board.poll.access == "codes" else None
    published = answer(board.poll, board.tally(), board.reports(), issued, closed=True)
    assert published == result
    assert difference(published, result) is None


@pytest.mark.parametrize("name", ["n", "certified", "suspicious", "leader", "closed"])
def test_another_result_than_the_boards_is_noticed(tmp_path, name):
    _, _, result = archived(CASES["open"], tmp_path)
    assert difference({**result, name: "other"}, result) == name
    rows = [dict(row) for row in result["candidates"]]
    rows[2]["high"] += 1e-3
    assert difference({**result, "candidates": rows}, result) == "candidates"
    assert difference({**result, "elected": {"sure": ["Bob"]}}, result) == "elected"


@needs_chromium
@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 400, 320])
def test_the_page_fits_every_screen(closed, tmp_path, browser, width, scheme):
    _, text, _ = closed
    (tmp_path / "index.html").write_text(text, encoding="utf-8")
    options = {"viewport": {"width": width, "height": 800}, "color_scheme": scheme}
    with served(tmp_path) as port, quiet_visit(browser, **options) as visited:
        visited.page.goto(f"http://127.0.0.1:{port}/index.html")
        assert visited.page.evaluate("document.documentElement.scrollWidth") == width
        assert visited.page.title() == "Result: Who shall speak for <us>?"
        asked = [url for url in visited.asked if not url.endswith("favicon.ico")]
        assert len(asked) == 1
