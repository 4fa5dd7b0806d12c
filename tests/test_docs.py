"""What the pages show is true: commands and code run, and outputs and figures are right."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import hushvote as hv

ROOT = Path(__file__).parents[1]
PAGES = [
    "README.md",
    "docs/guide.md",
    "docs/notebooks.md",
    "docs/detection.md",
    "docs/duel.md",
    "docs/mechanisms.md",
    "docs/polls.md",
    "docs/exactness.md",
    "docs/reproduction.md",
    "docs/scale.md",
    "docs/simulation.md",
]


def read(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def blocks(page: str) -> list[tuple[str, str]]:
    """The console and Python blocks of a page, in order."""
    return re.findall(r"^```(console|python)\n(.*?)^```", read(page), re.DOTALL | re.MULTILINE)


def commands(block: str) -> list[tuple[str, list[str]]]:
    """Each command of a console block with the lines shown below it."""
    found: list[tuple[str, list[str]]] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append((line.removeprefix("$ "), []))
        else:
            found[-1][1].append(line)
    return found


def run(words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "COLUMNS": "100", "NO_COLOR": "1"}
    return subprocess.run(
        words, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def squeezed(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.slow
@pytest.mark.parametrize(
    "page", ["docs/notebooks.md", "docs/detection.md", "docs/results-in-depth.md", "docs/errors.md"]
)
def test_outputs_of_seeded_code_are_shown_as_they_are(page, tmp_path):
    one_block = r"((?:(?!^```).)*)"
    shown_below = rf"^```python\n{one_block}^```\n\n```text\n{one_block}^```"
    pairs = re.findall(shown_below, read(page), re.S | re.M)
    assert pairs
    for code, shown in pairs:
        if "default_rng(" in code or "draw" not in code:
            assert run([sys.executable, "-c", code], tmp_path).stdout == shown


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_commands_and_code_of_a_page_run_in_their_order(page, tmp_path):
    assert blocks(page)
    for kind, block in blocks(page):
        if kind == "python":
            done = run([sys.executable, "-W", "error", "-c", block], tmp_path)
            assert done.returncode == 0, block + done.stderr
            continue
        for command, shown in commands(block):
            done = run(["bash", "-c", command], tmp_path)
            refused = bool(shown) and shown[0].startswith("error:")
            assert done.returncode == (2 if refused else 0), command + done.stderr
            if "hushvote tally" not in command:  # only a tally depends on chance
                real = squeezed(done.stdout + done.stderr)
                for line in shown:
                    assert squeezed(line) in real or not re.search(r"\w", line), (command, line)


def test_the_tour_shows_all_four_commands():
    shown = [c for kind, block in blocks("README.md") if kind == "console" for c in commands(block)]
    tour = [command.split()[1] for command, _ in shown if command.startswith("hushvote")]
    assert tour == ["design", "privatize", "tally", "certify"]


def rows(page: str) -> list[list[str]]:
    """The table rows that begin with the name of a mechanism."""
    lines = [line for line in read(page).splitlines() if re.match(r"\| \[?`[a-z-]+`", line)]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    found = [[re.sub(r"[\[`]|\]\(.*", "", row[0]), *row[1:]] for row in cells]
    return [row for row in found if row[0] in hv.mechanism_names()]


def figure(x: float) -> str:
    """Whole numbers from 100 on, else one digit behind the point."""
    return f"{x:,.0f}" if x >= 100 else f"{x:.1f}"


def test_errors_in_the_tables_are_those_of_the_mechanisms():
    assert len(rows("README.md")) == len(rows("docs/mechanisms.md")) >= 6
    for name, *_, error in rows("README.md"):
        assert figure(hv.mechanism(name, hv.borda(8), 1).mse()) == error
    for name, _, *errors, gap in rows("docs/mechanisms.md"):
        made = [hv.mechanism(name, rule(8), 1) for rule in (hv.borda, hv.nauru, hv.plurality)]
        assert [figure(mechanism.mse()) for mechanism in made] == errors
        assert figure(made[0].risks().gap).replace("inf", "∞") == gap


def test_ratios_in_the_tables_of_the_duel_page_are_those_of_the_mechanisms():
    of = {"Borda": hv.borda(8), "Nauru": hv.nauru(8), "plurality": hv.plurality(8)}
    epsilons = ("0.1", "0.5", "1", "2", "3")
    lines = re.findall(r"^\| (?:`([a-z]+)`, )?(\w+) \| ([0-9. |]+) \|$", read("docs/duel.md"), re.M)
    assert len(lines) == 7
    for other, name, cells in lines:
        pair = ("duel", other) if other else ("challenge", "duel")
        ratios = [hv.mechanism(pair[0], of[name], e).mse() for e in epsilons]
        ratios = [
            x / hv.mechanism(pair[1], of[name], e).mse()
            for x, e in zip(ratios, epsilons, strict=True)
        ]
        assert [f"{x:.{2 if other else 3}f}" for x in ratios] == cells.split(" | ")


def test_shifts_on_the_duel_page_are_those_of_the_mechanisms():
    found = re.findall(r"^\| `([a-z]+)`[^|]* \| ([0-9.]+) \|$", read("docs/duel.md"), re.M)
    assert [name for name, _ in found] == ["challenge", "duel", "additive"]
    for name, shift in found:
        assert f"{hv.mechanism(name, hv.borda(8), 1).shift():.1f}" == shift


@pytest.mark.parametrize("page", ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"])
def test_links_to_files_lead_somewhere(page):
    for target in re.findall(r"(?:\]\(|src=\")(?!https?:|#)([^)#\"]+)", read(page)):
        assert (ROOT / target).is_file(), target


def test_citation_and_changelog_know_the_version():
    assert f"version: {hv.__version__}\n" in read("CITATION.cff")
    assert f"## [{hv.__version__}]" in read("CHANGELOG.md")
