"""The page of errata and its tests name each other."""

import re
from pathlib import Path

from tests.errata.shared import (
    PAGE,
    sections,
)


def test_page_and_tests_name_each_other() -> None:
    tests = {
        name
        for file in Path(__file__).parent.glob("test_*.py")
        if file.name != Path(__file__).name
        for name in re.findall(r"^def (test_\w+)", file.read_text(encoding="utf-8"), re.MULTILINE)
    }
    named_by_heading = {
        heading: set(re.findall(r"`(test_\w+)`", text)) for heading, text in sections().items()
    }
    assert len(named_by_heading) == 21
    for heading, names in named_by_heading.items():
        said = sections()[heading].rpartition("\n- **Test:** ")[2]
        assert names == set(re.findall(r"`(test_\w+)`", said)), f"{heading!r} has no line of tests"
        assert names, f"the erratum {heading!r} names no test"
        assert names <= tests, f"the erratum {heading!r} names tests that are not here"
    page = PAGE.read_text(encoding="utf-8")
    assert set(re.findall(r"\btest_\w+", page)) == tests
    assert set().union(*named_by_heading.values()) == tests


def test_links_of_the_page_lead_to_its_headings() -> None:
    page = PAGE.read_text(encoding="utf-8")
    linked = re.findall(r"\]\(#([^)]+)\)", page)
    slugs = [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in sections()]
    assert len(slugs) == len(set(slugs))
    assert set(linked) == set(slugs)
