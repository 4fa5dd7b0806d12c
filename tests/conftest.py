"""Electorates, rules, mechanisms and the command line, which many tests share."""

import itertools
import json
import os
import random
import signal
import sys
import tempfile
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import hushvote as hv
from hushvote import cli, cores, loading
from hushvote import rules as rule_registry
from hushvote.canonical import sealed
from hushvote.certifying import Enumeration, enumerated, laws_of
from hushvote.mechanisms import registry
from hushvote.mechanisms.sampling import Sampling
from tests.boards import asked, small  # noqa: F401 - fixtures
from tests.databases import cluster, store_url  # noqa: F401 - fixtures

# A shell that starts these tests in the background has Ctrl-C ignored, by all that they start too.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

EPSILONS = ("0.01", "0.1", "1", "2.5", "5")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One worker more than cores: tests of servers and browsers often wait for them."""
    return cores.available() + 1


def random_rule(d: int, seed: int) -> hv.Rule:
    """A score vector without any pattern: fractions with unlike denominators, some negative."""
    rng = random.Random(f"{d}-{seed}")
    while True:
        scores = [Fraction(rng.randint(-20, 60), rng.randint(1, 12)) for _ in range(d)]
        if len(set(scores)) > 1:
            return hv.Rule(f"random-{seed}", sorted(scores, reverse=True))


def rules(d: int) -> list[hv.Rule]:
    """The five named rules, one that a duel needs finer questions for, and two without pattern."""
    named = [hv.borda(d), hv.nauru(d), hv.plurality(d), hv.antiplurality(d)]
    if d > 2:
        named.append(hv.approval(d, k=2))
    if d > 3:
        named.append(hv.Rule("best-worst", [2, *[1] * (d - 2), 0]))
    return [*named, random_rule(d, 1), random_rule(d, 2)]


class FreeSampling(Sampling):
    """Sampling with any masses."""

    name = "free-sampling"

    def options(self) -> dict[str, object]:
        return {"intercept": str(self.intercept), "masses": list(self.masses)}


def free(rule: hv.Rule, epsilon: object) -> FreeSampling:
    """Masses without any pattern."""
    return FreeSampling(rule, epsilon, intercept=Fraction(3, 7), masses=range(1, rule.d + 1))


def listable(rule: hv.Rule, epsilon: object) -> Iterator[hv.Mechanism]:
    """Every mechanism whose reports can be listed, in all its settings."""
    for k in range(1, rule.d):
        yield hv.Additive(rule, epsilon, k=k)
    yield hv.WeightedSampling(rule, epsilon)
    yield hv.WeightedSampling(rule, epsilon, intercept="lower")
    yield hv.WeightedSampling(rule, epsilon, intercept="3/7")
    if rule.scores[-1] >= 0:
        yield hv.NaiveSampling(rule, epsilon)
    yield hv.Duel(rule, epsilon)
    yield hv.Challenge(rule, epsilon)


def small_mechanisms(ds: range | tuple[int, ...] = (2, 3, 4, 5)) -> list[hv.Mechanism]:
    """All of the above for small d and a wide range of epsilon."""
    return [
        mechanism
        for d, epsilon in itertools.product(ds, EPSILONS)
        for rule in rules(d)
        for mechanism in listable(rule, epsilon)
    ]


def listing(mechanism: hv.Mechanism) -> Enumeration:
    """What listing all rankings and reports shows, without following the draw."""
    laws = laws_of(mechanism)
    assert laws is not None
    return enumerated(mechanism, laws)


def scored(rule: hv.Rule, ranking: tuple[int, ...]) -> np.ndarray:
    """The scored vote of a ranking."""
    vote = np.empty(rule.d)
    vote[list(ranking)] = rule.vector
    return vote


def random_orders(n: int, d: int, seed: int = 0) -> np.ndarray:
    """Uniformly random rankings."""
    return np.argsort(np.random.default_rng(seed).random((n, d)), axis=1).astype(np.uint8)


_designs = tempfile.TemporaryDirectory()  # away from the user's, before any mechanism is made
os.environ["XDG_CACHE_HOME"] = _designs.name


@pytest.fixture
def ballots() -> Path:
    """The folder of real ballots."""
    folder = os.environ.get("HUSHVOTE_BALLOTS")
    if not folder:
        pytest.skip("set HUSHVOTE_BALLOTS to a folder with PrefLib files of real ballots")
    return Path(folder)


@pytest.fixture(autouse=True)
def _forgotten(monkeypatch):
    """What a test loads is not known to the next, nor to the processes of its server."""
    monkeypatch.setattr(registry, "_registry", dict(registry._registry))
    monkeypatch.setattr(rule_registry, "_makers", dict(rule_registry._makers))
    monkeypatch.setattr(loading, "_loaded", list(loading._loaded))
    monkeypatch.setattr(loading, "_homes", dict(loading._homes))


@pytest.fixture
def run(monkeypatch, capsys, tmp_path):
    """Run a command line in an empty folder; give exit code, output and errors."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")

    def run(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["hushvote", *map(str, words)])
        code = 0
        try:
            cli.main()
        except SystemExit as end:
            code = int(end.code or 0)
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


@pytest.fixture
def ballot_file(tmp_path):
    """A thousand ballots of four named candidates."""
    votes = hv.Rankings(random_orders(1000, 4), ("Ann", "Bob", "Cy", "Di"))
    hv.write_rankings(tmp_path / "ballots.csv", votes)
    return "ballots.csv"


@pytest.fixture
def begin(tmp_path):
    """Begin polls in real stores, each in a file of its own, which are shut at the end."""
    from tests.held_polls import Keeping  # which few tests need

    begun: list[Keeping] = []

    def begin(poll: hv.Poll) -> Keeping:
        begun.append(Keeping.begin(tmp_path / f"store-{len(begun)}.db", poll))
        return begun[-1]

    yield begin
    for keeping in begun:
        keeping.store.shut()


def resealed(document: dict[str, object]) -> str:
    """A changed document with the checksum that fits it, where any does."""
    try:
        return sealed(document)
    except ValueError:
        return json.dumps({**document, "checksum": "0" * 64})


def names_in(folder: Path) -> list[str]:
    """What a folder holds."""
    return sorted(path.name for path in folder.iterdir())


def one_sentence(result: tuple[int, str, str]) -> str:
    """Exit code 2, nothing on the output, one line of error without a traceback."""
    code, out, err = result
    assert code == 2, err
    assert out == ""
    lines = err.strip().splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("error: ")
    return lines[0]


@pytest.fixture(scope="module")
def browser():
    """Chromium, once for a module: while it is open, no other event loop can run here."""
    from tests.browsing import chromium

    with chromium() as opened:
        yield opened


@pytest.fixture(scope="module")
def client(server):
    """A client of the server that a module has."""
    with server.client() as one:
        yield one


@pytest.fixture
def hush(run, monkeypatch, tmp_path, server):
    """The command line of an organiser with an empty state folder, and the module's server."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("HUSHVOTE_SERVER", server.address)
    monkeypatch.delenv("HUSHVOTE_TOKEN", raising=False)
    return run
