"""The paper's evaluation: one grid, figures that can be drawn again, and an honest ledger."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import tomllib
from html.parser import HTMLParser
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pyarrow.parquet as pq
import pytest

import hushvote as hv
from hushvote import reproduction
from hushvote.reproduction import GRID, claims, points, reproduce, reproducing
from hushvote.reproduction.grid import EPSILONS, KINDS
from hushvote.reproduction.ledger import provisional
from hushvote.reproduction.page import page
from hushvote.reproduction.store import Store
from hushvote.simulation import Experiment, experiment
from hushvote.simulation.points import write
from hushvote.simulation.running import Plan
from tests.conftest import one_sentence
from tests.test_ledger import DOCS, THEORY, invented, rows_of

FEW = "fig-tve-1000-voters"


def files_in(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


# --- the grid ---------------------------------------------------------------------------------


def test_the_grid_has_every_figure_of_the_paper_once():
    assert len({figure.name for figure in GRID}) == len(GRID) == 34
    kinds = [figure.kind for figure in GRID]
    assert {kind: kinds.count(kind) for kind in KINDS} == {
        "theory": 2,
        "candidates": 8,
        "voters": 8,
        "amplification": 8,
        "disguise": 8,
    }
    shown = {(f.metric, f.kind, f.rule, f.n) for f in GRID if f.kind != "theory"}
    assert len(shown) == 32
    assert {metric for metric, *_ in shown} == {"tve", "mae", "aow", "low"}
    assert len({figure.title for figure in GRID}) == 34


def test_figures_stand_in_the_order_of_the_paper():
    names = [figure.name for figure in GRID]
    assert names[:6] == [
        "fig-mse-theory",
        "fig-em-theory",
        "fig-tve-borda-candidates",
        "fig-aow-borda-candidates",
        "fig-tve-borda-amplification",
        "fig-tve-borda-disguise",
    ]
    numbers = {figure.number: figure.name for figure in GRID}
    assert list(numbers) == list(range(2, 36))  # figure 1 has no results
    assert numbers[8] == "fig-tve-1000-voters"
    assert numbers[13] == "fig-low-1000-voters"
    assert numbers[22] == "fig-mae-borda-amplification"
    assert numbers[35] == "fig-low-nauru-disguise"
    asked = reproduction.named_figures([names[5], names[0]])
    assert [figure.name for figure in asked] == [names[0], names[5]]


def test_panels_are_the_settings_of_the_paper():
    by = {figure.name: figure for figure in GRID}
    assert [p.d for p in by["fig-tve-nauru-candidates"].panels] == [4, 8, 16, 32]
    assert {p.n for p in by["fig-tve-nauru-candidates"].panels} == {10_000}
    assert [p.rule for p in by["fig-low-100000-voters"].panels] == ["borda", "nauru"]
    assert {(p.n, p.d) for p in by["fig-low-100000-voters"].panels} == {(100_000, 8)}
    attacked = by["fig-mae-nauru-disguise"]
    assert [p.adversaries for p in attacked.panels] == [0, 10, 100, 500]
    assert {(p.n, p.d, p.attack) for p in attacked.panels} == {(10_000, 8, "disguise")}
    assert "challenge" in attacked.series
    assert EPSILONS == (0.01, 0.1, 0.2, 0.4, 0.8, 1, 1.5, 2, 3)


def test_no_figure_has_code_of_its_own():
    folder = Path(reproduction.__file__).parent
    for name in ("page.py", "points.py", "reproducing.py", "store.py"):
        assert not re.search(r"fig-\w", (folder / name).read_text(encoding="utf-8")), name


def test_panels_that_differ_in_adversaries_alone_are_one_experiment():
    asked = [figure.experiments(2, 1) for figure in GRID]
    assert [len(each) for each in asked if each].count(1) == 16
    distinct = {json.dumps(one.settings()) for each in asked for one in each}
    assert len(distinct) == 16


# --- what is written --------------------------------------------------------------------------


class Page(HTMLParser):
    """Anchors, links, pictures, and whether every tag is closed."""

    EMPTY = ("meta", "img", "br")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.pictures: list[dict[str, str | None]] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        if tag not in self.EMPTY:
            self.open.append(tag)
        if "id" in found:
            self.ids.append(found["id"])
        if tag == "a":
            self.links.append(found["href"])
        if tag == "img":
            self.pictures.append(found)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.mark.slow
def test_a_figure_of_theory_is_drawn_without_any_simulation(tmp_path):
    made = reproduce([THEORY], out=tmp_path)
    table = pq.read_table(tmp_path / "points.parquet")
    assert table.num_rows == made.points == 4 * 9 * 5
    for row in table.to_pylist()[::7]:
        mechanism = hv.mechanism(row["mechanism"], hv.rule(row["rule"], 5), row["epsilon"])
        assert row["mean"] == mechanism.mse()
    assert (tmp_path / "figures" / f"{THEORY}.png").read_bytes()[:4] == b"\x89PNG"
    judged = {j.claim.statement: j for j in made.ledger}
    assert len(judged) == 3
    half = judged["Weighted sampling has about half the mean squared error of Laplace."]
    assert half.verdict == "reproduced after correction"
    assert half.finding.value == pytest.approx(49.7, abs=0.1)


@pytest.mark.slow
def test_points_are_those_of_simulate_and_figures_add_up_on_one_page(tmp_path):
    reproduce([FEW], runs=3, out=tmp_path)
    reproduce([THEORY], runs=3, out=tmp_path, jobs=2)
    table = pq.read_table(tmp_path / "points.parquet")
    assert table.column_names[0] == "figure"
    assert table["figure"].unique().to_pylist() == [THEORY, FEW]
    alone = hv.simulate("nauru", 8, 1000, 0.8, "duel", 3, metrics="tve")
    assert table.column_names[1:] == alone.column_names
    (expected,) = alone.to_pylist()
    assert {"figure": FEW, **expected} in table.to_pylist()

    text = (tmp_path / "index.html").read_text(encoding="utf-8")
    page = Page(text)
    assert not page.open
    assert "://" not in re.sub(r"data:image/svg\+xml;base64,[^\"]*", "", text)
    assert len(page.pictures) == 2
    assert all(picture["alt"] for picture in page.pictures)
    assert len(set(page.ids)) == len(page.ids)
    for link in page.links:
        if link.startswith("#"):
            assert link[1:] in page.ids, link
        else:
            assert (tmp_path / link).is_file(), link
    assert (tmp_path / "points.csv").read_text().splitlines()[0].startswith('"figure","rule"')

    reproduce([THEORY], runs=3, seed=2, out=tmp_path)  # of another seed: begins anew
    assert pq.read_table(tmp_path / "points.parquet")["figure"].unique().to_pylist() == [THEORY]
    names = {path.stem for path in (tmp_path / "figures").iterdir()}
    assert names == {THEORY}


def test_a_picture_of_a_killed_call_with_other_settings_is_not_shown(tmp_path, monkeypatch):
    other = "fig-em-theory"
    vector = tmp_path / "figures" / f"{other}.svg"
    reproduce([THEORY, other], epsilons=[1], out=tmp_path)
    right = vector.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(reproducing, "judged", Mock(side_effect=KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            reproduce([THEORY, other], epsilons=[2], out=tmp_path)
    assert vector.read_bytes() != right
    reproduce([THEORY], epsilons=[1], out=tmp_path)
    assert not vector.exists()
    reproduce([other], epsilons=[1], out=tmp_path)
    assert vector.read_bytes() == right


@pytest.mark.slow
def test_an_interrupted_reproduction_goes_on_to_the_same_files(tmp_path):
    """SIGINT in the middle, a damaged part, another number of threads: the same bytes."""
    command = [sys.executable, "-m", "hushvote", "reproduce", FEW, "--runs", "80"]
    whole, parts = tmp_path / "whole", tmp_path / "stopped" / "parts"
    done = subprocess.run([*command, "--jobs", "1", "--out", whole], check=True)
    assert done.returncode == 0

    running = subprocess.Popen(
        [*command, "--jobs", "2", "--out", parts.parent],
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509
    )
    deadline = time.monotonic() + 60
    while not list(parts.glob("*.npy")) and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(running.pid, signal.SIGINT)
    _, said = running.communicate(timeout=60)
    assert running.returncode == 130
    assert f"interrupted; finished parts are kept in {parts.parent}" in said
    assert not (parts.parent / "index.html").exists()
    kept = sorted(parts.iterdir())
    assert 0 < len(kept) < 16
    assert all(path.suffix == ".npy" for path in kept)

    kept[0].write_bytes(kept[0].read_bytes()[:100])
    subprocess.run([*command, "--jobs", "2", "--out", parts.parent], check=True)
    assert files_in(parts.parent) == files_in(whole)


def test_a_part_belongs_to_the_parameters_of_its_mechanisms(tmp_path, monkeypatch):
    store = Store(tmp_path)
    asked = experiment(d=4, n=10, epsilons=1, mechanisms="additive", runs=2)
    before = store.path(Plan(asked), range(2))
    seen = [before]
    assert before == store.path(Plan(asked), range(2))
    assert before != store.path(Plan(asked), range(1))
    for setting in ({"seed": 2}, {"electorate": "mallows:phi=0.5"}, {"electorate": "mallows"}):
        other = experiment(d=4, n=10, epsilons=1, mechanisms="additive", runs=2, **setting)
        assert store.path(Plan(other), range(2)) not in seen
        seen.append(store.path(Plan(other), range(2)))
    monkeypatch.setattr(Experiment, "design", lambda self, _, e: hv.Additive(self.rule, e, k=3))
    assert before != store.path(Plan(asked), range(2))


def test_a_part_comes_back_whole_or_not_at_all(tmp_path):
    store, plan = Store(tmp_path), Plan(experiment(d=3, n=5, epsilons=1, mechanisms="duel"))
    values = np.arange(10.0).reshape(2, *plan.shape)
    store.write(plan, range(2), values)
    assert np.array_equal(store.read(plan, range(2)), values)
    assert store.read(plan, range(3)) is None
    for damaged in (values[:1], values.astype(np.float32), np.full_like(values, np.inf)):
        store.write(plan, range(2), damaged)
        assert store.read(plan, range(2)) is None
    (kept,) = store.folder.iterdir()
    kept.unlink()
    with pytest.raises(ValueError, match="Object arrays"):
        store.write(plan, range(2), np.array([None]))  # fails in the middle of the file
    assert not list(store.folder.iterdir())


def test_a_panel_shows_its_own_number_of_adversaries():
    (figure,), rows = reproduction.named_figures(["fig-tve-borda-disguise"]), invented({})
    for panel in figure.panels:
        found = points.of_panel(panel, [row for row in rows if row["figure"] == figure.name])
        assert {row["adversaries"] for row in found} == {panel.adversaries}
        assert len(found) == len(figure.series) * len(EPSILONS)


def test_points_are_read_only_if_they_were_made_the_same_way(tmp_path):
    (figure,), path = reproduction.named_figures([THEORY]), tmp_path / "points.parquet"
    rows = points.theory(figure, [1])
    write(points.table(rows, {"runs": 3, "seed": 1}), path)
    assert points.read(path, {"runs": 3, "seed": 1}) == rows
    assert points.read(path, {"runs": 3, "seed": 2}) == []
    assert points.read(tmp_path / "none.parquet", {}) == []


@pytest.mark.slow
def test_a_picture_is_drawn_anew_and_its_points_stand_once(tmp_path):
    for name in ("fig-em-theory", THEORY, THEORY):
        for old in tmp_path.glob(f"figures/{name}.svg"):
            old.write_text("old")
        reproduce([name], runs=2, epsilons=[1], out=tmp_path)
        assert "<svg" in (tmp_path / "figures" / f"{name}.svg").read_text()
    table = pq.read_table(tmp_path / "points.parquet")
    assert table["figure"].to_pylist() == [THEORY] * 20 + ["fig-em-theory"] * 20


def test_the_page_shows_verdicts_and_points_under_their_heads():
    sizes = {"laplace": 1.0, "weighted-sampling": 0.5, "additive": 0.25, "duel": 0.125}
    rows = invented(sizes)
    for row in rows:
        row["runs"] *= row["figure"] != THEORY
    about = {"runs": 20, "seed": 1, "epsilons": EPSILONS, "version": "1"}
    pictures, ledger = dict.fromkeys((figure.name for figure in GRID), b""), claims.judged(rows)
    text = page(GRID, pictures, rows, ledger, claims.additions(rows), about)
    assert not Page(text).open
    assert provisional(ledger, 20) in text
    for right in ("✓ reproduced<", "✓ reproduced after correction<", "✗ not reproduced<"):
        assert right in text
    assert "✗ reproduced" not in text
    for name, error in ((THEORY, False), ("fig-tve-borda-candidates", True)):
        data = text.partition(f'aria-label="Data of {name}"')[2].partition("</tr></tbody>")[0]
        head = re.findall(r'<th scope="col">([^<]*)</th>', data)[1:]
        cells = re.findall(r'<td class="number">([^<]*)</td>', data)[: len(head)]
        assert [float(cell.partition(" ")[0]) for cell in cells] == [sizes.get(x, 1) for x in head]
        assert all(("±" in cell) == error for cell in cells)


@pytest.mark.slow
def test_the_page_and_the_terminal_say_that_few_polls_are_provisional(run, tmp_path):
    code, out, _ = run("reproduce", "fig-aow-1000-voters", "--runs", "2", "--out", "few")
    assert code == 0
    assert "With only 2 polls a point the verdicts are provisional" in out
    assert "verdicts are provisional" in (tmp_path / "few" / "index.html").read_text()


@pytest.mark.parametrize("epsilons", [[1, 0], [], ["x"]])
def test_epsilons_are_checked_before_any_work(tmp_path, epsilons):
    with pytest.raises(hv.SimulationError, match="epsilon"):
        reproduce([THEORY], epsilons=epsilons, out=tmp_path / "new")
    assert not (tmp_path / "new").exists()


# --- mistakes ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["fig-tve-borda-candidate"], "did you mean fig-tve-borda-candidates"),
        (["zebra"], "there is no figure 'zebra'; --list shows all of them"),
        (["--runs", "1"], "runs must be a whole number from 2"),
        (["--seed", "-1"], "seed must be a whole number from 0"),
        ([THEORY, "--runs", "1"], "runs must be a whole number from 2"),
        ([THEORY, "--runs", "0"], "runs must be a whole number from 2"),
        ([THEORY, "--seed", "-4"], "seed must be a whole number from 0"),
        (["--jobs", "0"], "jobs must be a whole number from 1"),
    ],
)
def test_mistakes_are_one_sentence_and_leave_nothing_behind(run, tmp_path, words, message):
    assert message in one_sentence(run("reproduce", *words))
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_written_is_refused_before_any_work(run, tmp_path):
    (tmp_path / "taken").write_text("a file")
    said = one_sentence(run("reproduce", "--out", "taken/here"))
    assert "cannot write to taken/here" in said
    assert "choose another --out" in said


def test_all_figures_are_listed(run):
    code, out, _ = run("reproduce", "--list", "--json")
    assert code == 0
    listed = json.loads(out)
    assert [entry["name"] for entry in listed] == [figure.name for figure in GRID]
    assert [entry["number"] for entry in listed] == list(range(2, 36))
    assert "fig-low-nauru-disguise" in run("reproduce", "--list")[1]


@pytest.mark.slow
def test_what_was_reproduced_is_shown(run):
    code, out, err = run("reproduce", THEORY)
    assert (code, err) == (0, "")
    assert "reproduced after correction" in out
    assert "1 figure drawn. Open reproduction/index.html" in out
    code, out, _ = run("reproduce", THEORY, "--json")
    assert json.loads(out)["figures"] == [THEORY]


def test_a_quick_look_has_fewer_polls_and_epsilons(run, monkeypatch):
    asked = {}

    def watched(names, **settings):
        asked.update(settings)
        raise hv.SimulationError("enough")

    monkeypatch.setattr(reproduction, "reproduce", watched)
    one_sentence(run("reproduce", "--quick"))
    assert asked["out"] == Path("reproduction-quick")
    assert (asked["runs"], asked["epsilons"]) == (20, reproduction.FEW_EPSILONS)
    assert set(reproduction.FEW_EPSILONS) < set(EPSILONS)
    asked.clear()
    one_sentence(run("reproduce"))
    assert asked["out"] == Path("reproduction")
    one_sentence(run("reproduce", "--quick", "--out", "here"))
    assert asked.pop("out") == Path("here")
    asked.clear()
    one_sentence(run("reproduce"))
    assert "runs" not in asked  # 400 and all epsilons, by default
    assert reproduction.RUNS == 400


# --- the pages --------------------------------------------------------------------------------


def test_the_file_on_the_page_is_the_example():
    text = (DOCS / "simulation.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    example = (DOCS.parent / "examples" / "simulate.toml").read_text(encoding="utf-8")
    assert tomllib.loads(shown) == tomllib.loads(example)


@pytest.mark.slow
def test_winners_of_real_ballots_on_the_page_are_simulated_anew(ballots, tmp_path):
    """One cell of each mechanism but duel, whose design may still improve."""
    shown = {(row[0], row[2]): row for row in rows_of("simulation.md", "ballots")}
    assert len(shown) == 9
    files = {"Ballina 2015": "nsw2015-ballina-d7.soc", "Lismore 2023": "nsw2023-lismore-d8.soc"}
    for name, n in (("Ballina 2015", 1_000), ("Lismore 2023", 10_000)):
        file = str(tmp_path / "complete.soc")
        hv.write_rankings(file, hv.read_rankings(ballots / files[name]))
        found = hv.simulate(
            n=n, epsilons=1, mechanisms=["additive", "laplace"], runs=400, electorate=file,
            metrics="aow", jobs=2,
        )  # fmt: skip
        cells = [f"{100 * mean:.0f}" for mean in found["mean"].to_pylist()]
        row = shown[name, f"{n:,}"]
        assert [row[7], row[10]] == cells
