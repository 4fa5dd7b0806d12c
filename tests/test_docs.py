"""What the pages show is true: commands and code run, and outputs and figures are right."""

import json
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import hushvote as hv
from tests.fences import Fence, fences

ROOT = Path(__file__).parents[1]
PAGES = [
    "README.md",
    "docs/index.md",
    "docs/when-not.md",
    "docs/guide.md",
    "docs/notebooks.md",
    "docs/detection.md",
    "docs/duel.md",
    "docs/errors.md",
    "docs/mechanisms.md",
    "docs/polls.md",
    "docs/exactness.md",
    "docs/reproduction.md",
    "docs/results-in-depth.md",
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


def blurred(text: str) -> str:
    """Text without its figures, on one line."""
    return squeezed(re.sub(r"-?[\d.,]*\d", "#", text))


def run_commands(fence: Fence, folder: Path) -> None:
    """Run a console block, and compare what is printed with what is shown."""
    for command, shown in commands(fence.text):
        done = run(["bash", "-c", command], folder)
        refused = bool(shown) and shown[0].startswith("error:")
        assert done.returncode == (2 if refused else 0), command + done.stderr
        # Only a tally depends on chance; with few voters even who leads does.
        like = blurred if "hushvote tally" in command and "| grep" not in command else squeezed
        real = like(done.stdout + done.stderr)
        for line in shown[:1] if fence.by_chance else shown:
            assert like(line) in real or not re.search(r"\w", line), (command, line)


def run_code(fence: Fence, folder: Path) -> str | None:
    """Run a Python block, and return what it prints; or keep it, if it is (part of) a file."""
    if name := re.match(r"# (\w+\.py)\n", fence.text):
        (folder / name[1]).write_text(fence.text, encoding="utf-8")
        return None
    if fence.text.startswith("def "):  # a further member of the class before
        last = max(folder.glob("*.py"), key=lambda path: path.stat().st_mtime_ns)
        with last.open("a", encoding="utf-8") as file:
            file.write("\n" + textwrap.indent(fence.text, "    "))
        return None
    done = run([sys.executable, "-W", "error", "-c", fence.text], folder)
    assert done.returncode == 0, fence.text + done.stderr
    return done.stdout


def run_blocks(page: str, folder: Path) -> None:
    """Run the commands and the code of a page in a folder, and compare what they print."""
    printed = None
    for fence in fences(page):
        if fence.not_run:
            continue
        if name := fence.noted("file"):
            (folder / name).write_text(fence.text, encoding="utf-8")
        elif fence.kind == "console":
            run_commands(fence, folder)
        elif fence.kind == "python":
            printed = run_code(fence, folder)
        elif fence.kind == "text":  # what the code above prints
            assert printed is not None, fence
            if fence.by_chance:
                assert printed.count("\n") == fence.text.count("\n")
            else:
                assert printed == fence.text, f"{page}, line {fence.line}"


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_commands_and_code_of_a_page_run_in_their_order(page, tmp_path):
    run_blocks(page, tmp_path)


def test_the_tour_shows_all_four_commands():
    shown = [c for kind, block in blocks("README.md") if kind == "console" for c in commands(block)]
    tour = [command.split()[1] for command, _ in shown if command.startswith("hushvote")]
    assert tour == ["design", "privatize", "tally", "certify"]


def test_the_tour_has_a_winner_who_is_certified_but_for_one_run_in_ten_thousand():
    ballots = re.findall(r"yes (\S+) \| head -n (\d+)", read("README.md"))
    points: dict[str, int] = {}
    for ranking, often in ballots:
        for score, name in enumerate(reversed(ranking.split(","))):
            points[name] = points.get(name, 0) + score * int(often)
    n = sum(int(often) for _, often in ballots)
    means = [points[name] / n for name in sorted(points)]
    assert "are {:.1f}, {:.1f}, {:.1f} and {:.1f}: `hushvote score".format(*means) in read(
        "README.md"
    )
    assert means[0] - max(means[1:]) > hv.plan(hv.borda(4), 1, None, n, power=0.9999).lead


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


def test_ratios_of_the_readme_are_those_of_the_last_benchmark():
    measured = {
        (row["what"], str(row["d"]), row["peer_name"]): row["ratio"]
        for row in json.loads(read("benchmarks/results/bench.json"))["rows"]
    }
    section = read("README.md").split("## How fast it is")[1].split("\n## ")[0]
    stated = re.findall(r"^\| ([^|]+) \| (\d+) \| ([^|]+) \| ([0-9.]+) \|$", section, re.M)
    assert len(stated) == 8
    for *row, ratio in stated:
        assert f"{measured[tuple(row)]:.2g}" == ratio, row


def test_costs_on_the_page_about_scale_are_those_of_the_last_benchmark():
    found = {row["what"]: row for row in json.loads(read("benchmarks/results/scale.json"))["rows"]}
    lines = re.findall(
        r"^\| (.+) \| ([0-9.]+ GB|-) \| ([0-9.]+) s[^|]*\| .+ \|$", read("docs/scale.md"), re.M
    )
    names = (
        "tally, duel, d = 16, grouped",
        "Spark, duel, d = 16, local[2]",
        "tally, duel, d = 64, streamed",
        "Spark, duel, d = 64, local[2]",
        "cleaning, duel, d = 8, receipts",
    )
    assert len(lines) == len(names)
    for (_, _, seconds), name in zip(lines, names, strict=True):
        assert f"{found[name]['seconds']:.2g}" == seconds, name
