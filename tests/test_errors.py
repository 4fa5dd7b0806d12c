"""Every error has a stable code and its values beside the sentence."""

import ast
import builtins
import copy
import json
import pickle
import re
import runpy
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import hushvote as hv
from hushvote import errors

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src/hushvote"
FORM = re.compile(r"[a-z]+(-[a-z]+)*\.[a-z]+(-[a-z]+)*")
SCRIPT = runpy.run_path(str(ROOT / "docs/errors.py"))


def names_of_errors():
    found, waiting = set(), [hv.HushvoteError]
    while waiting:
        kind = waiting.pop()
        found.add(kind.__name__)
        waiting += [one for one in kind.__subclasses__() if one.__module__.startswith("hushvote")]
    return found


def literals(node):
    """The texts of a literal, or of a choice between literals; None for anything else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.IfExp):
        either, other = literals(node.body), literals(node.orelse)
        return None if either is None or other is None else either + other
    return None


def made_errors():
    """Every place that makes an error of ours: by a class's name, or by a class handed over."""
    import hushvote.client.server
    import hushvote.exploring
    import hushvote.server.service  # noqa: F401 - all have classes of their own

    known = names_of_errors()
    for path in sorted(SOURCE.rglob("*.py")):
        if path == SOURCE / "errors.py":
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        handed_over = {
            node.exc
            for node in ast.walk(tree)
            if isinstance(node, ast.Raise)
            and isinstance(node.exc, ast.Call)
            and not hasattr(builtins, getattr(node.exc.func, "id", ""))
            and isinstance(node.exc.func, ast.Name | ast.Call)
        }
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call):
                continue
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if name in known or (
                node in handed_over and name not in {"no_rank", "_shared", "NotCanonical", "_Stop"}
            ):
                yield f"{path.relative_to(SOURCE)}:{node.lineno}", node


def test_what_a_message_repeats_stays_on_a_line():
    assert errors.echo(np.eye(2)) == "array([[1., 0.], [0., 1.]])"
    assert len(errors.echo(np.eye(9))) == errors.LONGEST_ECHO


def test_every_error_is_made_with_a_literal_code():
    places = list(made_errors())
    assert len(places) > 280
    for place, node in places:
        given = [one.value for one in node.keywords if one.arg == "code"]
        codes = literals(given[0]) if given else None
        assert codes is not None, place
        assert all(FORM.fullmatch(code) for code in codes), (place, codes)


def test_the_page_has_the_codes_of_the_source():
    used = {
        code
        for _, node in made_errors()
        for one in node.keywords
        if one.arg == "code"
        for code in literals(one.value)
    }
    assert used == set(SCRIPT["codes"]())
    assert (ROOT / "docs/errors.md").read_text(encoding="utf-8") == SCRIPT["page"]()


def test_errors_without_a_code_have_their_area():
    assert errors.RankingError("so").code == "ranking"
    assert errors.HushvoteError("so").code == "hushvote"
    assert errors.SimulationError("so", "n").setting == "n"
    assert errors.RankingError("so").values == {}
    areas = {getattr(hv, name).area for name in dir(hv) if name.endswith("Error")}
    assert len(areas) == 10


def test_code_and_values_of_an_error():
    with pytest.raises(hv.RankingError, match="row 1 names candidate 2 twice") as caught:
        hv.mechanism("additive", hv.borda(3), 1).privatize([[0, 1, 2], [2, 2, 1]])
    assert caught.value.code == "ranking.duplicate"
    assert caught.value.values == {"row": 1, "candidate": 2, "missing": 0}


class Unseen:
    def __str__(self):
        raise RuntimeError("not to be seen")


def test_values_are_short_plain_data():
    given = {
        "text": "x" * 1000,
        "whole": np.int64(7),
        "huge": 10**5000,
        "half": Fraction(1, 2),
        "float": np.float64(0.5),
        "nan": float("nan"),
        "list": list(range(1000)),
        "huge_list": [10**5000],
        "path": Path("a/b"),
        "flag": True,
        "none": None,
        "unseen": Unseen(),
    }
    values = errors.HushvoteError("so", code="a.b", **given).values
    assert values["whole"] == 7
    assert values["half"] == "1/2"
    assert values["path"] == "a/b"
    assert values["nan"] == "nan"
    assert values["flag"] is True
    assert values["unseen"] == "Unseen"
    assert json.loads(json.dumps(values, allow_nan=False)) == values
    assert all(len(str(value)) <= 80 for value in values.values())


@pytest.mark.parametrize(
    "error",
    [
        errors.RankingError("so", code="ranking.tied", one="Ann", other="Bob"),
        errors.SimulationError("so", "n", code="simulation.number", low=1),
        errors.StreamError("so", code="stream.end", length=3),
    ],
)
def test_errors_keep_all_when_they_are_led_by_a_place_or_travel(error):
    led = error.within("poll.csv:3", path="poll.csv")
    assert type(led) is type(error)
    assert str(led) == "poll.csv:3: so"
    assert (led.code, led.values) == (error.code, error.values | {"path": "poll.csv"})
    assert getattr(led, "setting", None) == getattr(error, "setting", None)
    assert "path" not in error.values
    for other in (copy.copy(led), pickle.loads(pickle.dumps(led))):
        assert (str(other), other.__dict__) == (str(led), led.__dict__)


def test_an_error_in_a_file_keeps_its_code(tmp_path):
    good = hv.mechanism("additive", hv.borda(3), 1)
    tally = good.tally(good.privatize([[0, 1, 2]])).to_json()
    old = json.loads(tally)
    path = tmp_path / "old.json"
    path.write_text(tally.replace('"checksum": "', '"checksum": "0'), encoding="utf-8")
    with pytest.raises(hv.TallyError) as caught:
        hv.tally_files([path])
    assert caught.value.code == "tally.form"
    assert caught.value.values["path"].endswith("old.json") or len(str(path)) > 80
    path.write_text(json.dumps(old["mechanism"] | {"epsilon": "11"}), encoding="utf-8")
    with pytest.raises(hv.MechanismError, match=r"old\.json: ") as caught:
        hv.batch.mechanism_of(path)
    assert caught.value.code == "parameters.canonical"
    votes = tmp_path / "votes.csv"
    votes.write_text("Ann,Bob\nBob,Ann\u200b\n", encoding="utf-8")
    with pytest.raises(hv.RankingError) as caught:
        hv.read_rankings(votes)
    assert caught.value.code == "name.character"


def test_an_error_of_a_setting_keeps_its_code(tmp_path):
    with pytest.raises(hv.SimulationError) as caught:
        hv.simulate(epsilons=[11])
    assert (caught.value.code, caught.value.setting) == ("parameters.epsilon", "epsilons")
    assert caught.value.values == {"given": 11}
    with pytest.raises(hv.SimulationError) as caught:
        hv.simulate(rule="shouting")
    assert (caught.value.code, caught.value.setting) == ("rule.unknown", "rule")


def test_a_stream_that_runs_out_is_both_kinds_of_error():
    with pytest.raises(EOFError):
        hv.lottery.FixedBits(b"").bytes(1)
    assert issubclass(hv.StreamError, hv.HushvoteError)
