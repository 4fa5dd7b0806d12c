"""When a poll closes, as organisers write it."""

import pytest
import typer

from hushvote.cli import times
from tests.organising import zone

NOW = 1_794_960_000  # 2026-11-18 00:00 UTC


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("tomorrow 18:00", "such as '2026-11-25 18:00', in the zone of this machine"),
        ("2026-12-01 18:00 CET", "or with its own, such as '2026-11-25 18:00+01:00'"),
        ("1.12.2026 18:00", "not '1.12.2026 18:00'"),
        ("18:00", "it must be a day and a time"),
        ("", "it must be a day and a time"),
        ("in 3 days", "to say for how long, write --for 3d"),
        ("90 minutes", "to say for how long, write --for 90m"),
        ("2026-12-01", "say the time of day, too, as in '2026-12-01 18:00'"),
        ("2026-11-17 23:59", "2026-11-17 23:59 UTC is past: now it is 2026-11-18 00:00 UTC"),
    ],
)
def test_a_time_that_is_none_is_told_how_to_write_it(monkeypatch, text, said):
    with zone(monkeypatch, "UTC"), pytest.raises(typer.BadParameter) as error:
        times.closing(text, None, NOW)
    assert said in error.value.message


@pytest.mark.parametrize(
    ("closes", "span", "hours"),
    [
        ("2026-11-18 18:00", None, 18),
        ("2026-11-18T18:00", None, 18),
        (" 2026-11-18 18:00+01:00 ", None, 17),
        ("2026-11-18T18:00Z", None, 18),
        (None, "12h", 12),
        (None, "90 minutes", 1.5),
        (None, "1 Week", 168),
        (None, "3 days", 72),
    ],
)
def test_times_and_spans_are_taken_as_people_write_them(monkeypatch, closes, span, hours):
    with zone(monkeypatch, "UTC"):
        assert times.closing(closes, span, NOW) == NOW + hours * 3600
