"""Python and TypeScript refuse the same manifests for the same reasons."""

import json
import subprocess

import pytest
from conformance import hostile

from tests.test_web import NODE, ROOT, pytestmark

__all__ = ["pytestmark"]

SCRIPT = ROOT / "tests" / "web" / "verdicts.mjs"


@pytest.mark.slow
def test_both_languages_give_the_same_verdict_on_ten_thousand_hostile_manifests():
    """Codes that are the counter's alone may be another in a browser, or none."""
    found = list(hostile.hostile(10_000, 1))
    lines = "".join(json.dumps({"text": one["text"]}) + "\n" for one in found)
    done = subprocess.run([NODE, SCRIPT], input=lines, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    verdicts = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(verdicts) == len(found) == 10_000
    differing = [
        (one["code"], verdict, one["text"][:200])
        for one, verdict in zip(found, verdicts, strict=True)
        if one["who"] != "counter" and one["code"] != verdict
    ]
    assert not differing
    codes = {one["code"] for one in found}
    assert len(codes) > 35
    assert None in codes
