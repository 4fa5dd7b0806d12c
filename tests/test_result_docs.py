"""The page on results: commands run on what comes with hushvote, and figures are right."""

import re

import hushvote as hv
from tests.test_docs import blocks, blurred, commands, read, run, squeezed

PAGE = "docs/results.md"


def test_console_blocks_show_what_the_commands_print(tmp_path):
    shown = [c for kind, block in blocks(PAGE) if kind == "console" for c in commands(block)]
    assert sum("hushvote tally" in command for command, _ in shown) == 3
    for command, lines in shown:
        done = run(["bash", "-c", command], tmp_path)
        assert done.returncode == 0, command + done.stderr
        real = blurred(done.stdout + done.stderr)
        for line in lines:
            assert blurred(line) in real or not re.search(r"\w", line), (command, line)
    assert (tmp_path / "result.png").stat().st_size > 10_000


def test_an_organiser_reads_the_page_in_five_minutes():
    prose = re.sub(r"^```.*?^```", "", read(PAGE), flags=re.DOTALL | re.MULTILINE)
    assert len(prose.split()) < 900


def test_the_plain_count_is_the_one_on_the_page():
    votes = hv.example("council")
    means = sorted((float(t) / votes.n for t in votes.totals(hv.borda(5))), reverse=True)
    *most, last = (f"{mean:.3f}" for mean in means)
    assert f"{', '.join(most)} and {last}" in squeezed(read(PAGE))


def test_a_second_round_needs_as_few_voters_as_the_page_says():
    assert "1,000 voters are enough for a majority of 53 %" in squeezed(read(PAGE))
    assert hv.plan(hv.borda(2), 3, n=1000).lead <= 0.53 - 0.47
