"""The examples of a vote: a page without a build step, and a script for Node."""

import hashlib
import json
import re
import subprocess
import sysconfig
from pathlib import Path

import pytest
from playwright.sync_api import expect

import hushvote as hv
from hushvote.poll.codes import new_code, question_of
from tests.browsing import PLAIN, needs_chromium, quiet_visit, served
from tests.fences import fences
from tests.polls import poll_of

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"
NODE = Path(sysconfig.get_path("scripts")) / "node"
TEXT = (EXAMPLES / "poll.json").read_text(encoding="utf-8")
POLL = json.loads(TEXT)
MECHANISM = hv.mechanism_from(POLL["mechanism"])


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


needs_node = pytest.mark.skipif(not NODE.exists(), reason="`make .venv/.dev` installs Node")


def vote(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """Run the script for Node."""
    return subprocess.run(
        [NODE, EXAMPLES / "vote.mjs", *words], capture_output=True, text=True, check=False
    )


def test_both_examples_have_the_digest_of_their_poll():
    for name in ("vote.mjs", "vote.html"):
        text = (EXAMPLES / name).read_text(encoding="utf-8")
        assert re.findall("[0-9a-f]{64}", text) == [digest(TEXT)]


def test_the_poll_of_the_examples_is_what_hushvote_would_make_today():
    today = hv.mechanism("duel", hv.borda(len(POLL["candidates"])), epsilon=1)
    assert MECHANISM.parameters() == today.parameters()


@needs_node
class TestNode:
    def test_the_lines_in_the_readme_draw_a_report(self):
        readme = (ROOT / "README.md").read_text(encoding="utf-8")
        (script,) = re.findall(r"^```js\n(.*?)^```", readme, re.DOTALL | re.MULTILINE)
        words = [NODE, "--input-type=module", "--eval", script]
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        wire, said = done.stdout.rstrip("\n").split(" says ")
        report = MECHANISM.domain.from_wire(json.loads(wire))
        assert said == MECHANISM.words(report, POLL["candidates"])

    def test_a_vote_gives_a_report_that_can_be_counted(self):
        (shown,) = (one for one in fences("docs/on-your-device.md") if one.kind == "console")
        node, script, *names = shown.text.removeprefix("$ ").split()
        assert (node, script) == ("node", "examples/vote.mjs")
        done = vote(*names)
        assert done.returncode == 0, done.stderr
        report = MECHANISM.domain.from_wire(json.loads(done.stdout))
        assert MECHANISM.words(report, POLL["candidates"]) in done.stderr
        assert POLL["question"] in done.stderr

    def test_a_poll_of_ones_own_needs_the_digest(self, tmp_path):
        manifest = tmp_path / "manifest.json"
        manifest.write_text(TEXT, encoding="utf-8")
        done = vote("--poll", manifest, "--digest", digest(TEXT), "Ada")
        assert done.returncode == 0, done.stderr
        MECHANISM.domain.from_wire(json.loads(done.stdout))
        done = vote("--poll", manifest, "Ada")
        assert (done.returncode, done.stdout) == (2, "")
        assert "--digest" in done.stderr

    def test_an_invite_code_decides_what_a_challenge_asks(self, tmp_path):
        poll, code = poll_of("challenge"), new_code()
        manifest = tmp_path / "manifest.json"
        manifest.write_text(poll.text + "\n", encoding="utf-8")
        given = ("--poll", manifest, "--digest", poll.digest)
        done = vote(*given, "--code", code, *poll.candidates)
        assert done.returncode == 0, done.stderr
        report = poll.mechanism.domain.from_wire(json.loads(done.stdout))
        assert poll.mechanism.answers(report, question_of(poll.digest, code))
        done = vote(*given, *poll.candidates)
        assert (done.returncode, done.stderr) == (2, "This poll needs your invite code.\n")

    def test_another_poll_than_the_invitations_is_refused(self, tmp_path):
        manifest = tmp_path / "manifest.json"
        manifest.write_text(TEXT.replace('"seats":1', '"seats":2'), encoding="utf-8")
        done = vote("--poll", manifest, "--digest", digest(TEXT), "Ada")
        assert (done.returncode, done.stdout) == (2, "")
        assert "not the poll that your link names" in done.stderr

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (["Zoe"], "there is no candidate"),
            (["Ada", "Ada"], "ranking.duplicate"),
            ([], "Not all candidates are ranked"),
        ],
    )
    def test_a_vote_that_is_none_is_refused_in_one_line(self, words, said):
        done = vote(*words)
        assert (done.returncode, done.stdout) == (2, "")
        assert said in done.stderr
        assert len(done.stderr.splitlines()) == 1


@pytest.fixture(scope="module")
def port(tmp_path_factory):
    """The examples and the bundle, as they stand to each other in the checkout."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "examples").symlink_to(EXAMPLES)
    (folder / "web").mkdir()
    (folder / "web" / "dist").symlink_to(ROOT / "web" / "dist")
    with served(folder) as number:
        yield number


@pytest.mark.slow
@needs_chromium
class TestPage:
    @pytest.fixture(params=["127.0.0.1", PLAIN])
    def here(self, browser, port, request):
        """The page on a phone, opened at a secure address and at a plain one."""
        with quiet_visit(browser, viewport={"width": 360, "height": 740}, has_touch=True) as here:
            here.page.goto(f"http://{request.param}:{port}/examples/vote.html")
            here.page.get_by_role("heading", name=POLL["question"]).wait_for()
            yield here

    def check_the_report(self, page) -> None:
        """What is shown can be counted, and says what the sentence says."""
        report = MECHANISM.domain.from_wire(json.loads(page.locator("#json").inner_text()))
        assert page.locator("#sentence").inner_text() == MECHANISM.words(report, POLL["candidates"])

    def test_a_vote_is_ranked_and_its_report_shown(self, here):
        page = here.page
        show = page.get_by_role("button", name="Show what would leave this device")
        assert show.is_disabled()
        for name in ("Chiara", "Ada", "Ben", "Eun-ji", "Dmitri"):
            page.get_by_role("button", name=f"Rank {name} next").tap()
        page.get_by_role("button", name="Ada up").tap()
        page.get_by_role("button", name="Take Ben out").tap()
        assert page.locator("#ranked span").all_inner_texts() == [
            "Ada",
            "Chiara",
            "Eun-ji",
            "Dmitri",
        ]
        asked = len(here.asked)
        show.tap()
        page.get_by_text("The same as it would travel").tap()
        self.check_the_report(page)
        assert len(here.asked) == asked, "something was asked for after the poll was open"
        assert page.evaluate("document.documentElement.scrollWidth") <= 360

    def test_the_keyboard_alone_is_enough(self, here):
        page = here.page
        page.get_by_role("button", name="Rank Ada next").focus()
        for _ in POLL["candidates"]:
            page.keyboard.press("Enter")
        assert page.locator("#ranked span").all_inner_texts() == list(POLL["candidates"])
        assert page.evaluate("document.activeElement.id") == "draw"
        page.get_by_role("button", name="Ben up").focus()
        page.keyboard.press("Space")
        assert page.locator("#told").inner_text() == "Ben is number 1 of your ranking."
        assert page.evaluate("document.activeElement.ariaLabel") == "Ben down"
        page.get_by_role("button", name="Show what").focus()
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "leaves"
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")  # unfolds the JSON
        self.check_the_report(page)

    def test_the_same_ranking_gives_the_same_report_and_draws_are_limited(self, here):
        page = here.page
        show = page.get_by_role("button", name="Show what would leave this device")
        first = {}
        for name in POLL["candidates"][: 1 + POLL["changes"]]:
            page.get_by_role("button", name=f"Rank {name} next").tap()
            show.tap()
            first[name] = page.locator("#json").text_content()
            page.get_by_role("button", name=f"Take {name} out").tap()
        for name, report in first.items():
            page.get_by_role("button", name=f"Rank {name} next").tap()
            show.tap()
            assert page.locator("#json").text_content() == report
            page.get_by_role("button", name=f"Take {name} out").tap()
        page.get_by_role("button", name=f"Rank {POLL['candidates'][-1]} next").tap()
        show.tap()
        assert not page.locator("#report").is_visible()
        assert "as many reports as this poll allows" in page.locator("#told").inner_text()

    def test_another_poll_opens_with_its_digest_only(self, here, tmp_path):
        page = here.page
        other = tmp_path / "other.json"
        text = TEXT.replace("Ada", "Änne")
        other.write_text(text, encoding="utf-8")
        page.get_by_text("Open another poll").tap()
        page.locator("#file").set_input_files(other)
        page.locator("#digest").fill(digest(TEXT))
        page.get_by_role("button", name="Open it").tap()
        expect(page.get_by_role("alert")).to_contain_text("not the poll that your link names")
        assert not page.locator("#poll").is_visible()
        page.locator("#digest").fill(digest(text))
        page.get_by_role("button", name="Open it").tap()
        page.get_by_role("button", name="Rank Änne next").wait_for()
        expect(page.get_by_role("alert")).to_be_empty()
