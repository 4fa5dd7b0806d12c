"""What an author's members take and return wrongly is told with file and line, before anything is
written; and what is given to them wrongly is refused.
"""

import re
from pathlib import Path

import numpy as np
import pytest

import hushvote as hv
from hushvote import loading, planning
from hushvote.mechanisms import registry
from tests.conftest import one_sentence

PAGE = Path(__file__).parents[1] / "docs" / "extending.md"
CODE = next(
    code
    for code in re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    if code.startswith("# pairwise.py")
)
DRAW = "def draw(self, ranking, bits=None, question=None):"
REPORTS = "return self._reports([duel if truth else duel[::-1]])"
TAKEN = "must take (self, ranking, bits=None, question=None), not (self, ranking)"
HALF = "Fraction(self.odds.up, all_of_it)"
MISTAKES = {  # what stands in the file, what the mistake makes of it, where, and what is said
    "certificate": (
        "return hv.Certificate(self.epsilon, ratio, steps)",
        "return None",
        "must return an hv.Certificate, not None",
    ),
    "moments": (
        "return hv.Moments.of(n, mean, second)",
        "return None",
        "must return an hv.Moments, not None",
    ),
    "count": (
        'return {"duels": counts.reshape(self.d, self.d).astype(np.int64)}',
        "return 3",
        "must return a dict of names and arrays of whole numbers, as in {'wins': array}, not int",
    ),
    "count of shares": (
        ".astype(np.int64)}",
        " / 2}",
        "as in {'wins': array}, not one of an array of float64 of shape",
    ),
    "draw": (DRAW, "def draw(self, ranking):\n        bits = question = None", TAKEN),
    "draw of a tuple": (REPORTS, "return duel", "must return reports, not tuple"),
    "draw of two": (
        REPORTS,
        "return self._reports([duel, duel])",
        "must return one report, an array of length 1, not of length 2",
    ),
    "__init__": (
        "def __init__(self, rule, epsilon, *, odds=None):",
        "def __init__(self, rule):\n        epsilon = odds = None",
        "must take (self, rule, epsilon, *, odds=None), not (self, rule)",
    ),
    "__init__ that begins nothing": (
        "super().__init__(rule, epsilon, odds=odds)",
        "pass",
        "must call super().__init__(rule, epsilon, odds=odds)",
    ),
    "fields": ("def fields(self):", "def fields(self, x):", "must take (self), not (self, x)"),
    "fields without @property": (
        "    @property\n    def fields",
        "    def fields",
        "must be a property: write @property above it",
    ),
    "fields of a name": (
        'hv.Field.mask("winner", self.d, sizes=[1]),',
        '"winner",',
        "must return a tuple of hv.Field, such as (hv.Field.mask('chosen', 4),), not ('winner', ",
    ),
    "words": (
        'return f"I prefer {winner} to {loser}."',
        "return 3",
        "must return text, not int",
    ),
    "variances": (
        "return power - self.rule.vector**2",
        "return 1.5",
        "must return an array of numbers of shape (4,), not float",
    ),
    "views": (
        "        return views\n",
        "        return views.T\n",
        ", 4), not an array of float64 of shape (4, ",
    ),
    "views of NaN": (
        "        return views\n",
        "        return views * np.nan\n",
        "must return numbers, not NaN or infinity",
    ),
    "moments of NaN": (
        "hv.Moments.of(n, mean, second)",
        "hv.Moments.of(n, mean * np.nan, second)",
        "must return an hv.Moments whose sums are numbers, not NaN or infinity",
    ),
    "moments of too few": (
        "hv.Moments.of(n, mean, second)",
        "hv.Moments.of(n, mean[:2], second)",
        "must return an hv.Moments whose sums are an array of numbers of shape (1, 4), not an arr",
    ),
    "certificate of nothing": (
        "hv.Certificate(self.epsilon, ratio, steps)",
        "hv.Certificate(self.epsilon, 1, steps)",
        "the odds of a certificate are a fraction above 1, not 1",
    ),
    "fields of too many": (
        "sizes=[1]),",
        "sizes=[99]),",
        "a set of some of 4 candidates has 0 to 4 members, not 99",
    ),
    "outcomes": (HALF, f"float({HALF})", "must yield the chance of a report as a fraction, not fl"),
    "outcomes without chances": (
        f", {HALF}",
        "",
        "must yield one report with its chance each time, not an array of",
    ),
}


@pytest.fixture
def mistaken(tmp_path, monkeypatch, request):
    """The file of a mechanism with this mistake, forgotten afterwards; and what is said of it."""
    old, new, said = MISTAKES[request.param]
    assert old in CODE
    (tmp_path / "mine.py").write_text(CODE.replace(old, new))
    monkeypatch.setattr(registry, "_registry", dict(registry._registry))
    monkeypatch.chdir(tmp_path)
    return request.param.split(" ")[0], said


@pytest.mark.parametrize("mistaken", MISTAKES, indirect=True)
def test_a_member_that_takes_or_returns_what_it_must_not_is_told_with_its_line(
    run, ballot_file, mistaken
):
    name, said = mistaken
    where = re.compile(rf"mine\.py, line \d+, in {name}: ")
    code, out, _ = run("--load", "mine.py", "design", "-d", "4")
    words = " ".join(out.split())
    assert code == 0
    assert re.search(f"pairwise is left out: {where.pattern}.*{re.escape(said)}", words)
    assert " duel " in words
    for command in (["privatize", str(ballot_file), "-o", "r.parquet"], ["certify", "-d", "4"]):
        found = run("--load", "mine.py", *command, "-m", "pairwise")
        if command[0] == "privatize" or found[0] == 2:  # a proof needs no views and no words
            told = one_sentence(found)
            assert where.search(told)
            assert said in told
            assert "mine.py" not in told.replace("mine.py", "", 1)
    assert not Path("r.parquet").exists()


TURNED = """

@hv.register
class Turned(Pairwise):
    name = "turned"

    def __init__(self, rule, epsilon, *, turned=0, odds=None):
        self.turned = turned
        super().__init__(rule, epsilon, odds=odds)

    def _reports(self, duels):
        return super()._reports([duel[::-1] for duel in duels] if self.turned else duels)

    def _candidates(self, reports):
        found = tuple(super()._candidates(reports))
        return found[::-1] if self.turned else found
"""


def test_an_option_that_no_parameters_carry_is_refused_when_its_mechanism_is_registered(
    run, tmp_path
):
    """Else reports drawn with `turned=1` would be counted with `turned=0`."""
    (tmp_path / "mine.py").write_text(CODE + TURNED)
    line = (CODE + TURNED).splitlines().index(TURNED.splitlines()[6]) + 1
    said = one_sentence(run("--load", "mine.py", "plan", "-d", "4", "-n", "300"))
    assert f"mine.py, line {line}, in __init__: must take 'turned' only if options() retu" in said
    assert "turned" not in hv.mechanism_names()


class Named(hv.Additive):
    """Its options are those of another, which lack one of its own."""

    name = "named"
    designing = ("wanted",)

    def __init__(self, rule, epsilon, *, k=None, turned=0, wanted=None, odds=None):
        super().__init__(rule, epsilon, k=k, odds=odds)


def test_an_option_that_no_parameters_carry_is_refused_when_it_is_given():
    with pytest.raises(hv.MechanismError, match="must take 'turned' only if options") as refused:
        Named(hv.borda(4), 1, turned=1)
    assert refused.value.values["defined"].startswith(f"{__file__}, line ")
    assert Named(hv.borda(4), 1, k=2, turned=0, wanted="much").options() == {"k": 2}


def test_a_certificate_that_listing_contradicts_is_refused_before_anything_is_written(
    run, ballot_file, tmp_path, monkeypatch
):
    old = "return hv.Certificate(self.epsilon, ratio, steps)"
    assert old in CODE
    (tmp_path / "mine.py").write_text(CODE.replace(old, old.replace("ratio", "2")))
    monkeypatch.setattr(registry, "_registry", dict(registry._registry))
    monkeypatch.chdir(tmp_path)
    words = ["--load", "mine.py", "privatize", str(ballot_file), "-o", "r.parquet"]
    said = one_sentence(run(*words, "-m", "pairwise"))
    assert "listing two opposite rankings gives the ratio 2.718" in said
    assert "but its certificate says 2.0" in said
    assert not Path("r.parquet").exists()


@pytest.mark.parametrize(
    "mistaken",
    ["certificate", "moments", "count", "draw of a tuple", "words", "variances", "outcomes"],
    indirect=True,
)
def test_a_check_finds_what_members_return_wrongly(mistaken):
    name, said = mistaken
    loading.load("mine.py")
    findings = hv.check(hv.mechanism("pairwise", hv.borda(4), 1)).findings
    assert any(f", in {name}: " in one and said in one for one in findings), findings


@pytest.mark.parametrize("mistaken", ["moments", "count"], indirect=True)
def test_a_tally_says_so_too(run, tmp_path, ballot_file, mistaken):
    name, said = mistaken
    sound = (CODE, "sound.py")
    (tmp_path / sound[1]).write_text(sound[0])
    words = ("privatize", str(ballot_file), "-m", "pairwise", "-o", "r.parquet")
    assert run("--load", "sound.py", *words)[0] == 0
    del registry._registry["pairwise"]
    told = one_sentence(run("--load", "mine.py", "tally", "r.parquet", "-o", "t.json"))
    assert f", in {name}: {said}" in told
    assert not Path("t.json").exists()


def test_members_of_subclasses_are_looked_at_in_programs_too():
    class Own(hv.Additive):
        name = "own"

        def words(self, report, candidates):
            return 3

        def risks(self, n=1):
            return 7

    made = Own(hv.borda(3), 1)
    found = " ".join(hv.check(made).findings)
    assert f"{__file__}, line " in found
    assert "in words: must return text, not int" in found
    assert "in risks: must return an hv.Risks, not int" in found
    with pytest.raises(hv.MechanismError, match="must return text") as refused:
        made.words(report=made.draw([0, 1, 2]), candidates="ABC")
    assert refused.value.code == "mechanism.member"
    assert refused.value.values["member"] == "words"


@pytest.mark.parametrize("name", hv.mechanism_names())
def test_what_hushvote_itself_brings_can_be_called_as_the_contract_says(name):
    assert hv.mechanism(name, hv.borda(3), 1)  # which looks at all signatures


MADE = hv.Additive(hv.borda(3), 1)
REPORT = MADE.draw([0, 1, 2])


@pytest.mark.parametrize("name", hv.mechanism_names())
def test_every_mechanism_looks_at_candidates_and_numbers_that_it_is_given(name):
    made = hv.mechanism(name, hv.borda(3), 1)
    for pair in (("a", "b"), (1.0, 0), (0, True), ([0], 1), (0, 3), (1, 1), (0, -1)):
        with pytest.raises(hv.MechanismError, match="two different candidates from 0 to 2, not"):
            made.disguise(*pair)
    with pytest.raises(hv.MechanismError, match="not 'a' and 1"):
        made.disguise(against=1, favour="a")
    for n in ("x", -1, 1.5, None):
        with pytest.raises(hv.MechanismError, match="number of reports must be a whole number"):
            made.disguise(0, 1, n)
    for n in ("x", 0, -1, 2.0, True):
        for asked in (made.mse, made.risks):
            with pytest.raises(hv.MechanismError, match="reports must be a whole number from 1 to"):
                asked(n)
            with pytest.raises(hv.MechanismError, match="reports must be a whole number from 1 to"):
                asked(n=n)
    assert len(made.disguise(np.int64(0), np.int64(2), n=np.int64(4))) == 4
    assert len(made.disguise(0, 1, n=0)) == 0
    assert made.mse(np.int64(4)) == made.mse(4)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: MADE.words(REPORT, None), r"name the candidates by texts such as .* not None"),
        (lambda: MADE.words(REPORT, [1, 2, 3]), r"name the candidates by texts .* not \[1, 2, 3\]"),
        (lambda: MADE.words(REPORT, "AAB"), "candidate 'A' is named twice"),
        (lambda: MADE.words(REPORT, ("A", "B")), "is for 3 candidates, but 2 are named"),
        (lambda: MADE.views("x"), "these reports hold str, but the mechanism sends"),
        (lambda: MADE.views(reports="x"), "these reports hold str, but the mechanism sends"),
        (lambda: MADE.count(REPORT[0]), "these reports hold|flat array"),
        (lambda: MADE.draw([True, False, 2]), "row 0 has 'True' at rank 0; candidates are whole"),
        (lambda: MADE.draw([2, 1, np.False_]), "row 0 has 'False' at rank 2; candidates are whole"),
        (lambda: MADE.privatize([[0, 1, 2], [2, 1, False]]), "row 1 has 'False' at rank 2"),
        (lambda: MADE.privatize([[0, 1, 2]], jobs=0), "jobs must be a whole number .* not 0"),
        (
            lambda: MADE.privatize([[0, 1, 2]] * 2, np.random.default_rng(1), jobs="2"),
            "jobs must be a whole number .* not '2'",
        ),
        (lambda: MADE.tally(REPORT, jobs=0), "jobs must be a whole number .* not 0"),
        (lambda: hv.plan("borda", n=30, epsilon=1), r"a plan needs a rule such as .* not 'borda'"),
        (lambda: hv.plan(hv.borda(3), n=30, epsilon=1, by=7), "there is no mechanism 7"),
        (lambda: planning.voters_needed("duel", 1), r"give a mechanism such as .* not 'duel'"),
        (lambda: hv.rule(None, 3), "there is no rule None; choose one of borda"),
        (
            lambda: hv.rule("approval:k=2", 4),
            r"on the command line; in Python it is hv\.rule\('approval', 4, k=2\)",
        ),
        (
            lambda: hv.mechanism("additive:k=2", hv.borda(3), 1),
            r"in Python it is hv\.mechanism\('additive', rule, epsilon, k=2\)",
        ),
    ],
)
def test_what_is_given_wrongly_is_refused_in_one_sentence(call, said):
    with pytest.raises(hv.HushvoteError, match=said) as refused:
        call()
    assert "\n" not in str(refused.value)
