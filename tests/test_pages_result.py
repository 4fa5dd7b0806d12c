"""The page of a result: in every state, in both languages, without scripts, for everybody."""

import csv
import io
import re

import pytest

from hushvote.pages.result import how_many
from hushvote.server.pages.results import written
from tests.ballots import voter
from tests.browsing import needs_chromium
from tests.result_states import NAMES, all_of_them, closed, polled
from tests.serving import refused, serving
from tests.sights import everywhere, looking, needs_axe

in_chromium = [pytest.mark.slow, needs_chromium, needs_axe]
SAID = {
    "certified": ("Ann Arbor has won.", "Ann Arbor hat gewonnen."),
    "seats": ("Elected: Ann Arbor and Bob Baker.", "Gewählt: Ann Arbor und Bob Baker."),
    "open-result": ("Nobody has surely won.", "Niemand hat sicher gewonnen."),
    "few": ("There is no result.", "Es gibt kein Ergebnis."),
    "hidden": (
        "The result is shown when the poll closes.",
        "Das Ergebnis wird gezeigt, wenn die Abstimmung endet.",
    ),
    "live": ("Still open: ", "Noch offen: "),
    "waiting": ("There is no result yet.", "Es gibt noch kein Ergebnis."),
    "suspicious": (
        "Nobody is announced: not all reports can be trusted.",
        "Es wird kein Sieg verkündet: Nicht allen Meldungen ist zu trauen.",
    ),
    "erased": ("Ann Arbor has won.", "Ann Arbor hat gewonnen."),
    "deleted": ("This poll was deleted.", "Diese Abstimmung wurde gelöscht."),
    "unknown": ("There is no such poll.", "Diese Abstimmung gibt es nicht."),
}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    store = tmp_path_factory.mktemp("store") / "polls.db"
    limits = ("--creations", "0", "--casts", "0", "--erasures", "0")
    with serving(store, "--open", *limits) as running:
        yield running


@pytest.fixture(scope="module")
def states(client):
    """The paths of polls in every state."""
    return dict(all_of_them(client))


@pytest.mark.parametrize("state", SAID)
@pytest.mark.parametrize(("language", "which"), [("en", 0), ("de", 1)])
def test_every_state_is_a_page_in_words(client, states, state, language, which):
    answer = client.get(f"{states[state]}/result?lang={language}")
    assert answer.status_code == {"deleted": 410, "unknown": 404}.get(state, 200)
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["content-language"] == language
    assert f'<html lang="{language}">' in answer.text
    assert f"<h2>{SAID[state][which]}" in answer.text or f"<h1>{SAID[state][which]}" in answer.text
    assert "<script" not in answer.text
    assert " style=" not in answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_the_language_is_that_of_the_browser_and_the_other_is_a_link(client, states):
    answer = client.get(f"{states['certified']}/result", headers={"Accept-Language": "de-AT"})
    assert "hat gewonnen" in answer.text
    assert '<a href="?lang=en" hreflang="en" lang="en" class="plain">English</a>' in answer.text


def test_an_open_poll_says_when_it_closes_and_how_many_stood_at_the_hour(client):
    remote, _ = polled(client, 3)
    text = client.get(f"/p/{remote.poll.id}/result").text
    assert re.search(r"It is open until \d{4}-\d\d-\d\d \d\d:\d\d \(UTC\)", text)
    assert re.search(r"At \d{4}-\d\d-\d\d \d\d:00 \(UTC\) [03] reports stood", text)
    assert "Votes cast" not in text
    assert "result.csv" not in text
    assert '/board"' not in text


def test_an_open_poll_with_a_result_says_one_number(client, states):
    text = client.get(f"{states['live']}/result").text
    counted = client.get(f"/api/v1{states['live'].replace('/p/', '/polls/')}/result").json()["n"]
    assert f"This result counts {counted} reports. It is made anew when 20 more stand" in text
    assert " stood." not in text


def test_what_truly_first_means_stands_below_the_table_that_has_it(client, states):
    said = "it can be high while nobody has surely won"
    assert client.get(f"{states['open-result']}/result").text.count(said) == 1
    for state in ("live", "few", "suspicious"):
        text = client.get(f"{states[state]}/result").text
        assert (said in text) == ("Truly first" in text), state


def test_an_open_result_says_how_many_reports_would_tell(client, states):
    found = client.get(f"/api/v1{states['open-result'].replace('/p/', '/polls/')}/result").json()
    assert found["needed"] is not None
    text = client.get(f"{states['open-result']}/result").text
    assert text.count(how_many(found["leader"], found["needed"])) == 1


def test_warnings_stand_above_the_figures(client, states):
    text = client.get(f"{states['suspicious']}/result").text
    assert text.index("Read this first") < text.index("Scores and how sure they are")
    assert 'class="mark"' not in text


def test_a_poll_by_link_says_that_one_person_may_vote_often(client, states):
    caveat = "Whoever had the link could vote, and more than once"
    assert caveat in client.get(f"{states['certified']}/result").text
    assert caveat not in client.get(f"{states['seats']}/result").text


def test_erased_reports_are_numbered_and_explained(client, states):
    text = client.get(f"{states['erased']}/result").text
    assert "<dt>Erased</dt><dd>2</dd>" in text
    assert "<dt>Counted</dt><dd>38</dd>" in text
    assert "Of an erased report only a hash is left" in text


def test_the_figures_come_as_csv_too(client, states):
    path = states["certified"]
    answer = client.get(f"{path}/result.csv")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert "attachment" in answer.headers["content-disposition"]
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    found = client.get(f"/api/v1{path.replace('/p/', '/polls/')}/result").json()["candidates"]
    assert [row["candidate"] for row in rows] == [row["candidate"] for row in found]
    for row, other in zip(rows, found, strict=True):
        assert float(row["score"]) == other["score"]
        assert [int(row["best_place"]), int(row["worst_place"])] == other["places"]


def test_there_is_no_csv_without_a_result(client, states):
    assert refused(client.get(f"{states['hidden']}/result.csv")) == (409, "result.hidden")
    assert refused(client.get(f"{states['few']}/result.csv")) == (409, "result.turnout")
    assert refused(client.get(f"{states['unknown']}/result.csv")) == (404, "api.poll")


def test_no_cell_of_the_csv_is_run_by_a_spreadsheet():
    row = dict.fromkeys(("place", "score", "standard_error", "low", "high"), 1)
    rows = [{**row, "candidate": "=1+1", "places": [1, 2], "first": None}]
    assert "'=1+1" in written({"candidates": rows})


def test_names_are_text_and_never_markup(client):
    names = ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "Cem", "Dörte"]
    remote, _ = closed(client, 40, candidates=names, question="Who <b>shall</b>?")
    text = client.get(f"/p/{remote.poll.id}/result").text
    assert "<script" not in text
    assert "<img" not in text
    assert "<b>" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text


class TestInABrowser:
    """Looks, without scripts."""

    pytestmark = in_chromium

    @everywhere
    def test_every_state_can_be_read_by_everybody(self, browser, server, states, sight):
        with looking(sight) as look, voter(browser, **sight.options) as one:
            for state, path in states.items():
                one.visit.asked.clear()
                one.open(f"{server.address}{path}/result")
                look(f"result-{state}", one)
                static = [url for url in one.visit.asked if "/static/" in url]
                assert len(one.visit.asked) == 1 + len(static)

    @pytest.mark.parametrize("width", [320, 375, 1280])
    def test_every_figure_can_be_read_with_the_name_of_its_column(
        self, browser, server, states, width
    ):
        with voter(browser, viewport={"width": width, "height": 640}) as one:
            one.open(f"{server.address}{states['open-result']}/result")
            row = one.page.locator(".figures tbody tr").first
            for cell in row.locator("td, th").all():
                box = cell.bounding_box()
                assert box is not None
                assert box["x"] >= 0
                assert box["x"] + box["width"] <= width
            place, name = row.inner_text().split()[:2]
            assert (place, name) in {("1", one.split()[0]) for one in NAMES}
            label = "e => getComputedStyle(e, '::before').content"
            labels = [cell.evaluate(label) for cell in row.locator("[data-column]").all()]
            small = ['"Score"', '"95\u00a0% interval"', '"True place"', '"Truly first"']
            assert labels == (small if width < 480 else ["none"] * 4)

    def test_it_needs_no_scripts(self, browser, server, states):
        with voter(browser, java_script_enabled=False) as one:
            one.open(f"{server.address}{states['certified']}/result")
            assert "Ann Arbor has won." in one.text()
            assert one.page.locator(".rows li").count() == len(NAMES)
            box = one.page.locator(".rows .span").first.bounding_box()
            assert box is not None
            assert box["width"] > 1
