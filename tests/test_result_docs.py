"""The pages on results: commands run on real ballots, and figures are right."""

import re
import sys

import pytest

import hushvote as hv
from tests.test_docs import blocks, commands, read, run, squeezed

PAGE, IN_DEPTH = "docs/results.md", "docs/results-in-depth.md"


def blurred(text: str) -> str:
    """Text without its figures, which depend on the design of the duel."""
    return squeezed(re.sub(r"-?[\d.,]*\d", "#", text))


def test_console_blocks_show_what_the_commands_print(ballots, tmp_path):
    shown = [c for kind, block in blocks(PAGE) if kind == "console" for c in commands(block)]
    assert sum("hushvote tally" in command for command, _ in shown) == 3
    for command, lines in shown:
        done = run(["bash", "-c", command], tmp_path)
        assert done.returncode == 0, command + done.stderr
        real = blurred(done.stdout + done.stderr)
        for line in lines:
            assert blurred(line) in real or not re.search(r"\w", line), (command, line)
    assert (tmp_path / "result.png").stat().st_size > 10_000


@pytest.mark.slow
def test_python_blocks_run_and_print_what_is_shown(tmp_path):
    page = [block for kind, block in blocks(IN_DEPTH) if kind == "python"]
    assert len(page) == 8
    for block in page:
        done = run([sys.executable, "-W", "error", "-c", block], tmp_path)
        assert done.returncode == 0, block + done.stderr
        if "issued=" in block:
            assert blurred(done.stdout) in blurred(read(IN_DEPTH))
        if "Ledger" in block:
            assert done.stdout in read(IN_DEPTH)
        if "kept" in block:
            before, after = re.findall(
                r"([\d.]+) % fakes, lead of 0 over 1: (-[\d.]+)", done.stdout
            )
            assert float(after[0]) > float(before[0]) == 5.0
            assert float(after[1]) < float(before[1])


def test_an_organiser_reads_the_page_in_five_minutes():
    prose = re.sub(r"^```.*?^```", "", read(PAGE), flags=re.DOTALL | re.MULTILINE)
    assert len(prose.split()) < 900


def test_the_plain_count_is_the_one_on_the_page(ballots):
    votes = hv.read_rankings(ballots / "nsw2023-summer-hill-d5.soc")
    means = sorted((float(t) / votes.n for t in votes.totals(hv.borda(5))), reverse=True)
    *most, last = (f"{mean:.3f}" for mean in means)
    assert f"{', '.join(most)} and {last}" in squeezed(read(PAGE))


def test_a_second_round_needs_as_few_voters_as_the_page_says():
    assert "1,000 voters are enough for a majority of 53 %" in squeezed(read(PAGE))
    assert hv.plan(hv.borda(2), 3, n=1000).lead <= 0.53 - 0.47
