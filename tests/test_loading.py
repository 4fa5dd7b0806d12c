"""What is wrong with a user's own rule or mechanism is said in one sentence, with file and line."""

import sys
from pathlib import Path

import pytest

import hushvote as hv
from hushvote import loading, rules
from hushvote.mechanisms import registry
from tests.conftest import one_sentence

HALF = """import hushvote as hv


@hv.register
class Half(hv.Mechanism):
    name = "half"

    def views(self, reports):
        return 1
"""
WRONG = {
    "syntax.py": ("import hushvote\n\ndef rule(:\n", "syntax.py, line 3: invalid syntax"),
    "half.py": (HALF, "half.py, line 4: the mechanism Half is unfinished: it lacks certificate, "),
    "nameless.py": (
        HALF.replace('name = "half"', "pass"),
        "the mechanism Half is unfinished: it lacks name, certificate, count, draw, fields, "
        "moments, outcomes, variances, words; a mechanism needs a name and 9 members",
    ),
    "module.py": (
        "\nimport nothing_like_it\n",
        "module.py, line 2: ModuleNotFoundError: No module",
    ),
    "ends.py": ("raise SystemExit\n", "ends.py, line 1: SystemExit"),
    "deep.py": (
        "def inner():\n    return 1 / 0\n\n\ninner()\n",
        "deep.py, line 2, in inner: ZeroDivisionError: division by zero",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_file_that_cannot_be_loaded_is_named_with_its_line(run, tmp_path, name):
    text, said = WRONG[name]
    (tmp_path / name).write_text(text)
    assert said in one_sentence(run("--load", name, "design", "-d", "3"))


def test_a_rule_that_fails_later_is_named_with_its_line_and_function(run, tmp_path):
    text = "import hushvote as hv\n\n\n@hv.register_rule\ndef late_failure(d):\n    return d.x\n"
    (tmp_path / "late.py").write_text(text)
    said = one_sentence(run("--load", "late.py", "design", "-d", "3", "--rule", "late_failure"))
    assert "late.py, line 6, in late_failure: AttributeError: 'int' object has no" in said


@pytest.mark.parametrize(
    ("function", "said"),
    [
        ("def mine(): ...", "mine.py, line 4: a rule is registered as a function of the number of"),
        (
            "def mine(d):\n    return [3, 2, 1]",
            "mine.py, line 4, in mine: the rule 'mine' must return an hv.Rule with a score for "
            "each of 3 places, not [3, 2, 1]",
        ),
        (
            "def mine(d):\n    return hv.borda(4)",
            "mine.py, line 4, in mine: the rule 'mine' must return an hv.Rule with a score for "
            "each of 3 places, not Rule('borda', [3, 2, 1, 0])",
        ),
    ],
)
def test_a_function_that_makes_no_rule_is_named_with_its_line(run, tmp_path, function, said):
    (tmp_path / "mine.py").write_text(f"import hushvote as hv\n\n\n@hv.register_rule\n{function}\n")
    assert said in one_sentence(run("--load", "mine.py", "design", "-d", "3", "--rule", "mine"))


def test_an_error_of_our_own_in_a_loaded_file_keeps_its_sentence(run, tmp_path):
    (tmp_path / "wrong.py").write_text('import hushvote as hv\n\nhv.Rule("mine", [1, 2])\n')
    said = one_sentence(run("--load", "wrong.py", "design", "-d", "3"))
    assert "wrong.py, line 3: the scores of rule 'mine' must not increase" in said


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: hv.borda("3"), "needs 2 to 64 candidates, not '3'"),
        (lambda: hv.approval(4, "2"), "needs k from 1 to 3, not '2'"),
        (
            lambda: hv.Additive(hv.borda(3), 1).draw([[2, 0, 1]]),
            r"as in \[0, 1, 2\], not \[\[2, 0, 1\]\]; privatize takes many of them",
        ),
        (lambda: hv.Additive(hv.borda(3), 1).draw(["a", "b", "c"]), "row 0 has 'a' at rank 0"),
        (lambda: hv.Additive(hv.borda(3), 1).draw(7), "best first, as in .* not 7"),
        (lambda: hv.certify("duel"), r"give a mechanism such as hv\.mechanism.* not 'duel'"),
        (lambda: hv.check("duel"), r"give a mechanism such as hv\.mechanism.* not 'duel'"),
        (lambda: hv.check(hv.Duel), r"give a mechanism such as hv\.mechanism.* not <class"),
        (
            lambda: hv.Additive(hv.borda(3), 1).privatize("ballots.csv"),
            r"not 'ballots\.csv'; a file of them is read by hv\.read_rankings, and randomised by "
            r"hv\.privatize_file",
        ),
        (lambda: hv.Rankings("abc"), r"not 'abc'; a file of them is read by hv\.read_rankings"),
        (
            lambda: hv.Rankings(Path("a"), ("X", "Y", "Z")),
            "not PosixPath.*; a file of them is read by",
        ),
        (lambda: hv.score([[0, 1]], 3), r"a count needs a rule such as borda\(8\), not 3"),
        (
            lambda: hv.privatize_file("votes.csv", 3, "reports.parquet"),
            "give a mechanism such as .* not 3",
        ),
        (
            lambda: hv.privatize_file("votes.csv", hv.Additive(hv.borda(3), 1), 3),
            r"a file is named by a text or a pathlib\.Path, not by 3",
        ),
        (
            lambda: hv.read_rankings(hv.Rankings([[0, 1]])),
            "not from <Rankings.*; these are read already: mechanism.privatize takes them",
        ),
        (lambda: hv.verify_board(3), r"a file is named by a text or a pathlib\.Path, not by 3"),
        (lambda: hv.tally_files(b"r.parquet"), r"files are named by a path.* not by b'r\.parquet'"),
        (lambda: hv.tally_files("r.parquet", poll=3), "a poll's digest is 64 hexadecimal .* not 3"),
        (lambda: hv.tally_files([], partial=3), "a file is named by a text or .* not by 3"),
        (
            lambda: hv.Additive(hv.borda(3), 1).tally("r.parquet"),
            r"these reports hold str, .*; files of reports are counted by hv\.tally_files",
        ),
        (lambda: hv.mechanism("duell", hv.borda(3), 1), r"make your own known by @hv\.register"),
    ],
)
def test_errors_name_what_was_given(call, said):
    with pytest.raises(hv.HushvoteError, match=said):
        call()


@pytest.mark.parametrize("name", hv.mechanism_names())
def test_words_tell_of_one_report_alone(name):
    mechanism = hv.mechanism(name, hv.borda(3), 1)
    reports = mechanism.privatize([[0, 1, 2]] * 3)
    assert mechanism.words(reports[:1], "ABC")
    with pytest.raises(hv.ReportError, match="an array of length 1, not of length 3"):
        mechanism.words(reports, "ABC")
    with pytest.raises(hv.ReportError, match="these reports hold int"):
        mechanism.words(3, "ABC")
    with pytest.raises(hv.ReportError, match="an array of length 1, not of length 3"):
        mechanism.domain.to_wire(reports)
    with pytest.raises(hv.ReportError, match="these reports hold int"):
        mechanism.domain.to_wire(3)


NAMED = """import hushvote as hv


@hv.register
class Named(hv.Additive):
    name = "named"
    fields = ("chosen",)
"""


@pytest.mark.parametrize("words", [("certify", "-d", "3"), ("simulate", "-d", "3", "-n", "9")])
def test_fields_that_are_none_are_told_what_they_should_be(run, tmp_path, words):
    (tmp_path / "named.py").write_text(NAMED)
    said = one_sentence(run("--load", "named.py", *words, "-m", "named"))
    assert "the fields of named must be a tuple of hv.Field" in said
    assert "not ('chosen',)" in said


TRUTHFUL = """import hushvote as hv


@hv.register
class Truthful(hv.Additive):
    name = "truthful"

    def draw(self, ranking, bits=None, question=None):
        return self._report(1 << int(ranking[0]))
"""
OTHERS = """

@hv.register
class Leaking(hv.Additive):
    name = "leaking"

    def randomize(self, orders, bits):
        reports = self.domain.empty(len(orders))
        reports["chosen"] = 1 << orders[:, 0]
        return reports


@hv.register
class Sound(hv.Additive):
    name = "sound"
"""


def test_the_promise_of_a_loaded_mechanism_is_not_given_for_sure(run, tmp_path, ballot_file):
    """A few draws show what is gross; for the rest there are `certify` and `hv.check`."""
    (tmp_path / "own.py").write_text(TRUTHFUL + OTHERS)
    words = ("--load", "own.py", "privatize", ballot_file, "-e", "1", "-o", "reports.parquet", "-m")
    code, out, _ = run(*words, "sound")
    assert code == 0
    said = " ".join(out.split())
    assert "sound states that no report is more than 2.718282 times likelier" in said
    assert "not proved here: 'hushvote certify' does it for single votes; many at once" in said
    assert "No report is more" not in said
    code, out, _ = run(*words, "additive")
    assert code == 0
    assert "No report is more than 2.718282 times likelier" in " ".join(out.split())


@pytest.mark.parametrize(
    ("name", "line", "way"), [("truthful", 4, "draw"), ("leaking", 12, "privatize")]
)
def test_draws_that_give_the_vote_away_are_refused_before_anything_is_written(
    run, tmp_path, ballot_file, name, line, way
):
    """Of votes one by one, and of many at once, which `certify` does not follow."""
    (tmp_path / "own.py").write_text(TRUTHFUL + OTHERS)
    words = ("--load", "own.py", "privatize", ballot_file, "-o", "reports.parquet", "-m", name)
    said = one_sentence(run(*words))
    assert f"{name} is refused: own.py, line {line}: {way}() does not follow the law that" in said
    assert not (tmp_path / "reports.parquet").exists()


SAME_NAME = {
    "mechanism 'duel'": "@hv.register\nclass Mine(hv.Additive):\n    name = 'duel'\n",
    "rule 'borda'": "@hv.register_rule\ndef borda(d):\n    return hv.nauru(d)\n",
    "attack 'disguise'": "@hv.register_attack\ndef disguise(made, truth, number, bits=None): ...\n",
    "electorate 'mallows'": "@hv.register_electorate\ndef mallows(rng, n, d): ...\n",
}


@pytest.mark.parametrize("what", SAME_NAME)
def test_a_loaded_part_cannot_take_the_name_of_a_built_in_one(run, tmp_path, what):
    kind, name = what.split(" ")
    (tmp_path / "mine.py").write_text(f"import hushvote as hv\n\n\n{SAME_NAME[what]}")
    said = one_sentence(run("--load", "mine.py", "design", "-d", "3"))
    assert f"mine.py, line 4: the name {name} of this {kind} is taken: hushvote has one" in said
    assert type(hv.mechanism("duel", hv.borda(3), 1)) is hv.Duel
    assert hv.rule("borda", 3) == hv.borda(3)


def test_two_files_cannot_register_one_name_but_one_file_may_twice(run, tmp_path):
    for folder in ("one", "other"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "truthful.py").write_text(TRUTHFUL)
    loading.load("one/truthful.py")
    first = registry.mechanism_class("truthful")
    loading.load("one/truthful.py")
    assert registry.mechanism_class("truthful") is not first  # as it may have been edited
    with pytest.raises(hv.FileError) as refused:
        loading.load("other/truthful.py")
    assert "other/truthful.py, line 4: the name 'truthful' of this mechanism is taken" in str(
        refused.value
    )
    assert f"{tmp_path / 'one' / 'truthful.py'} has one" in str(refused.value)


def test_a_cell_of_a_notebook_may_run_again():
    cell = TRUTHFUL.replace('"truthful"', '"cell"')
    notebook = {"__name__": "__main__"}
    exec(compile(cell, "cell-1", "exec"), notebook)
    exec(compile(cell, "cell-2", "exec"), notebook)
    assert registry.mechanism_class("cell") is notebook["Truthful"]


def test_a_class_that_is_no_mechanism_is_told_to_derive_from_it():
    with pytest.raises(hv.MechanismError, match=r"derive from hv\.Mechanism, as in class Mine"):

        @hv.register
        class Loose:
            name = "loose"


@pytest.mark.parametrize("name", ["a:b", "a b", "", "a,b"])
def test_a_name_that_a_command_line_cannot_say_is_refused(name):
    with pytest.raises(hv.MechanismError, match="letters, digits, - and _, not"):
        hv.register(type("Mine", (hv.Additive,), {"name": name}))
    assert name not in hv.mechanism_names()


def test_no_mechanism_takes_the_name_of_the_best_one():
    with pytest.raises(hv.MechanismError, match="'best' stands for the best of all mechanisms"):
        hv.register(type("Mine", (hv.Additive,), {"name": "best"}))
    assert "best" not in hv.mechanism_names()


FAILING = """import hushvote as hv


@hv.register
class Mine(hv.Additive):
    name = "failing"

    def {}
        {}
"""
FAILURES = {
    "__init__(self, rule, epsilon, **more):": (
        "self.asked = rule.nothing",
        "line 9, in __init__: AttributeError: 'Rule' object has no attribute 'nothing'",
    ),
    "mse(self, n=1):": ("return 1 / 0", "line 9, in mse: ZeroDivisionError: division by zero"),
    "mse(self):": ("return 500", "line 8, in mse: must take (self, n=1), not (self)"),
    "views(self, reports):": (
        "return 2 * super().views(reports)",
        "line 4: its views are biased for borda over 3 candidates: off by 2 points",
    ),
    "risks(self, n=1):": ("return 7", "line 8, in risks: must return an hv.Risks, not int"),
    "shift(self):": ("return 'much'", "line 8, in shift: must return a number, not str"),
    "certificate(self):": (
        "return hv.Certificate(self.epsilon, 5 * super().certificate().odds, ())",
        "line 9, in certificate: the odds 13.591409141663462 exceed exp(1)",
    ),
    "blanket(self):": ("raise SystemExit(3)", "line 9, in blanket: SystemExit: 3"),
}


@pytest.mark.parametrize("head", FAILURES)
def test_a_mechanism_that_fails_is_left_out_of_a_comparison(run, tmp_path, head):
    body, said = FAILURES[head]
    (tmp_path / "mine.py").write_text(FAILING.format(head, body))
    code, out, _ = run("--load", "mine.py", "design", "-d", "3")
    words = " ".join(out.split())
    assert code == 0
    assert f"failing is left out: mine.py, {said}" in words
    assert all(f" {name} " in words for name in ("duel", "laplace", "challenge"))
    made = hv.design(hv.borda(3))
    assert made.skipped.keys() == {"failing"}
    assert made.best.name == "duel"


@pytest.mark.parametrize("head", [head for head in FAILURES if head != "blanket(self):"])
def test_a_mechanism_that_fails_and_is_asked_for_is_an_error(run, tmp_path, head):
    body, said = FAILURES[head]
    (tmp_path / "mine.py").write_text(FAILING.format(head, body))
    (tmp_path / "b.csv").write_text("a,b,c\nAnn,Bob,Cem\n")
    words = ("privatize", "b.csv", "-e", "1", "-o", "r.parquet")
    assert f"mine.py, {said}" in one_sentence(run("--load", "mine.py", *words, "-m", "failing"))
    assert not (tmp_path / "r.parquet").exists()
    assert run(*words)[0] == 0  # the best of the others is taken


def test_what_fails_in_a_program_is_named_with_its_line_too():
    @hv.register
    class Own(hv.Additive):
        name = "own"

        def shift(self):
            return self.nothing

    reason = hv.design(hv.borda(3)).skipped["own"]
    assert reason.startswith(f"{__file__}, line ")
    assert reason.endswith(", in shift: AttributeError: 'Own' object has no attribute 'nothing'")


@pytest.mark.parametrize("name", ["ballots.csv", "", "./nothing", "nothing.at.all"])
def test_what_is_neither_a_file_of_python_nor_a_module_is_told_so(run, name):
    said = one_sentence(run("--load", name, "design", "-d", "3"))
    shown = name or "''"
    assert f"--load {shown}: this is neither a Python file, which ends in .py, nor the" in said


def test_a_file_may_import_what_lies_beside_it_while_it_loads(run, tmp_path, monkeypatch):
    folder = tmp_path / "apart"
    folder.mkdir()
    (folder / "lying_beside.py").write_text("POINTS = [2, 1, 0]\n")
    (folder / "uses.py").write_text(
        "import hushvote as hv\nfrom lying_beside import POINTS\n\n\n"
        "@hv.register_rule\ndef beside(d):\n    return hv.Rule('beside', POINTS)\n"
    )
    monkeypatch.setattr(rules, "_makers", dict(rules._makers))
    before = list(sys.path)
    assert run("--load", "apart/uses.py", "design", "-d", "3", "--rule", "beside")[0] == 0
    assert sys.path == before
    del sys.modules["lying_beside"]
    (folder / "lying_beside.py").unlink()
    said = one_sentence(run("--load", "apart/uses.py", "design", "-d", "3"))
    assert "uses.py, line 2: ModuleNotFoundError: No module named 'lying_beside'" in said
    assert sys.path == before


def test_what_hushvote_did_not_foresee_is_cut_to_a_line(run, monkeypatch):
    monkeypatch.setattr(loading, "load", {}.__getitem__)  # a KeyError
    code, _, err = run("--load", "x" * 100_000, "design", "-d", "3")
    assert code == 1
    assert "hushvote has failed: KeyError('xxx" in err
    assert len(err) < 300
