"""The site: it asks no other host for anything, and fits on a phone."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.browsing import chromium, needs_chromium, served, visit

ROOT = Path(__file__).parents[1]
pytestmark = [pytest.mark.slow, needs_chromium]
TOO_WIDE = """() => document.documentElement.scrollWidth > innerWidth
    ? [...document.querySelectorAll('.md-content *')]
        .filter(one => one.getBoundingClientRect().right > innerWidth).slice(0, 3)
        .map(one => one.outerHTML.slice(0, 120))
    : null"""
CUT = """() => [...document.querySelectorAll('.language-console :is(.gp, .go)')]
    .filter(one => !one.closest('.row') && one.getBoundingClientRect().right > innerWidth)
    .map(one => one.textContent)"""
BROKEN = """() => [...document.querySelectorAll('pre .row')]
    .filter(one => one.getClientRects().length > 1).map(one => one.textContent)"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", folder]
    subprocess.run(command, cwd=ROOT, check=True, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"})
    return folder


def test_every_page_fits_at_400_pixels_and_asks_nobody_else(site):
    pages = sorted(path.relative_to(site) for path in site.rglob("*.html"))
    assert len(pages) > 35
    with served(site) as port, chromium() as browser:
        wide = {"width": 400, "height": 800}
        with visit(browser, viewport=wide) as seen:
            for page in pages:
                seen.page.goto(f"http://127.0.0.1:{port}/{page}", wait_until="load")
                assert seen.page.evaluate(TOO_WIDE) is None, page
                assert seen.page.evaluate(CUT) == [], page
                assert seen.page.evaluate(BROKEN) == [], page
            assert seen.elsewhere == []
            assert seen.errors == []


def test_formulas_are_typeset_and_lists_are_lists(site):
    page = (site / "duel" / "index.html").read_text(encoding="utf-8")
    assert page.count("<math") > 200
    for path in site.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert "arithmatex" not in text, path
        assert "\n- <strong>" not in text, path  # an item that was taken into the one before
