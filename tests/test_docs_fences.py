"""Every command and every piece of code on a page runs in some test, or says why not."""

import re
from pathlib import Path

import pytest

from tests.fences import Fence, fences, pages
from tests.test_docs import PAGES

TESTS = Path(__file__).parent
COMMON = ("console", "python", "text")
ELSEWHERE = {  # blocks that need surroundings, or are compared with something else
    ("README.md", "js"): "test_web_examples.py",
    ("docs/audit.md", "console"): "test_docs_voting.py",
    ("docs/choosing.md", "console"): "test_plan_cli.py",
    ("docs/deploy.md", "sh"): "test_deploy.py",
    ("docs/extending.md", "console"): "test_extending.py",
    ("docs/extending.md", "python"): "test_extending.py",
    ("docs/extending.md", "text"): "test_extending.py",
    ("docs/on-your-device.md", "console"): "test_web_examples.py",
    ("docs/organise.md", "console"): "test_docs_organise.py",
    ("docs/results.md", "console"): "test_result_docs.py",
    ("docs/server.md", "console"): "test_docs_voting.py",
    ("docs/server.md", "sql"): "test_server_leaks_postgres.py",
    ("docs/simulation.md", "toml"): "test_reproduction.py",
    ("docs/vote.md", "console"): "test_docs_voting.py",
    ("docs/vote.md", "text"): "test_docs_voting.py",
    ("docs/wire/README.md", "console"): "test_poll_wire.py",
    ("docs/wire/README.md", "python"): "test_poll_wire.py",
}


def accounted(fence: Fence) -> bool:
    """Whether a test runs this block, or a comment above it says why none does."""
    if fence.not_run or fence.source:
        return True
    if fence.page in PAGES and fence.kind in COMMON:
        return True
    return (fence.page, fence.kind) in ELSEWHERE


@pytest.mark.parametrize("page", pages())
def test_every_block_runs_or_says_why_not(page):
    missing = [f"{page}, line {one.line}: {one.kind}" for one in fences(page) if not accounted(one)]
    assert not missing, "run these in a test, or say <!-- not run: reason --> above them"


def test_no_block_escapes_notice():
    """As many blocks are found as there are lines that open or close one, halved."""
    for page in pages():
        content = (TESTS.parent / page).read_text(encoding="utf-8")
        marks = re.findall(r"^ *(?:```|~~~)", content, re.M)
        assert 2 * len(fences(page)) == len(marks), page


def test_reasons_are_few_and_say_something():
    given = [one for page in pages() for one in fences(page) if one.not_run]
    assert 0 < len(given) <= 16
    for one in given:
        assert len(one.not_run.split()) >= 3, one


@pytest.mark.parametrize("where", ELSEWHERE)
def test_blocks_that_run_elsewhere_are_there_and_their_test_names_the_page(where):
    page, kind = where
    assert any(one.kind == kind for one in fences(page))
    test = (TESTS / ELSEWHERE[where]).read_text(encoding="utf-8")
    assert page.rsplit("/", 1)[-1] in test
