"""Files as people have them: semicolons, tabs, gzip, pipes, names with commas, and the example."""

import gzip
import io
import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import hushvote as hv
from tests.conftest import one_sentence, random_orders

ROOT = Path(__file__).parents[1]
NAMES = ("Ng, Ann", "Bob", "Cem; or Jem")


@pytest.fixture
def piped(monkeypatch):
    """Put bytes into standard input."""

    def piped(held: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(held)))

    return piped


@pytest.mark.parametrize("between", [",", ";", "\t"])
def test_the_first_line_says_what_stands_between_names(tmp_path, between):
    lines = ["Ann,Bob,Cem", "Bob,Cem,Ann", "Ann,Cem,Bob"]
    (tmp_path / "b.csv").write_text("\n".join(lines).replace(",", between))
    votes = hv.read_rankings(tmp_path / "b.csv")
    assert votes.candidates == ("Ann", "Bob", "Cem")
    assert votes.orders.tolist() == [[0, 1, 2], [1, 2, 0], [0, 2, 1]]


@pytest.mark.parametrize("between", [",", ";", "\t"])
def test_a_survey_of_ranks_is_read_with_any_separator(tmp_path, between):
    text = "When,Ann,Bob,Cem\n2026-05-01 10:02,2,1,3\n2026-05-01 10:07,1,3,2\n"
    (tmp_path / "b.csv").write_text(text.replace(",", between))
    with pytest.raises(hv.RankingError, match=r'column A \("When"\) seems to hold no part'):
        hv.read_rankings(tmp_path / "b.csv")
    votes = hv.read_rankings(tmp_path / "b.csv", columns=["B:D"])
    assert votes.orders.tolist() == [[1, 0, 2], [0, 2, 1]]


def test_commas_within_names_need_no_quotes_between_semicolons(tmp_path):
    (tmp_path / "b.csv").write_text("Ng, Ann;Ode, Bob\nOde, Bob;Ng, Ann\n")
    assert hv.read_rankings(tmp_path / "b.csv").candidates == ("Ng, Ann", "Ode, Bob")
    (tmp_path / "b.csv").write_text('"Ng; Ann",Bob\nBob,"Ng; Ann"\n')
    assert hv.read_rankings(tmp_path / "b.csv").candidates == ("Bob", "Ng; Ann")


@pytest.mark.parametrize(
    "name", ["b.csv", "b.tsv", "b.txt.gz", "b.CSV.GZ", "b.soc.gz", "b.parquet"]
)
def test_what_is_written_is_read_back(tmp_path, name):
    votes = hv.Rankings(random_orders(50, 3), NAMES)
    hv.write_rankings(tmp_path / name, votes)
    again = hv.read_rankings(tmp_path / name, candidates=NAMES)
    counts = [
        np.unique(one.orders, axis=0, return_counts=True)[1].tolist() for one in (votes, again)
    ]
    assert counts[0] == counts[1]


def test_a_packed_file_is_packed_and_tells_no_time(tmp_path):
    votes = hv.Rankings(random_orders(50, 3), NAMES)
    for name in ("one.csv.gz", "two.csv.gz"):
        hv.write_rankings(tmp_path / name, votes)
    held = [(tmp_path / name).read_bytes() for name in ("one.csv.gz", "two.csv.gz")]
    assert held[0] == held[1]
    assert gzip.decompress(held[0]).startswith(b"rank1,rank2,rank3\n")


@pytest.mark.parametrize(
    "damage", [lambda b: b[:-9], lambda b: b[:40] + b"x" + b[41:], lambda b: b[2:]]
)
def test_a_damaged_packed_file_is_refused(tmp_path, damage):
    hv.write_rankings(tmp_path / "b.csv.gz", hv.Rankings(random_orders(500, 3), NAMES))
    (tmp_path / "b.csv.gz").write_bytes(damage((tmp_path / "b.csv.gz").read_bytes()))
    with pytest.raises(hv.FileError, match="not packed by gzip, or only part of a file"):
        hv.read_rankings(tmp_path / "b.csv.gz")


@pytest.mark.parametrize("name", ["b.csv", "b.csv.gz", "b.soc", "b.soc.gz", "b.tsv", "b.parquet"])
def test_standard_input_may_hold_any_format(tmp_path, run, piped, name):
    votes = hv.Rankings(random_orders(50, 3), NAMES)
    hv.write_rankings(tmp_path / name, votes)
    _, wanted, _ = run("score", name, "--json")
    piped((tmp_path / name).read_bytes())
    assert run("score", "-", "--json") == (0, wanted, "")


def test_wrong_standard_input_is_refused_by_line(run, piped):
    piped(b"Ann,Bob\nBob,Bob\n")
    said = one_sentence(run("score", "-"))
    assert said.startswith('error: standard input:2: candidate "Bob" appears twice')
    piped(b"")
    assert "cannot read standard input: it is empty" in one_sentence(run("score", "-"))
    piped(b"\x1f\x8bnothing")
    assert "not packed by gzip" in one_sentence(run("score", "-"))


def test_reports_go_to_standard_output_and_words_beside_it(tmp_path):
    hv.write_rankings(tmp_path / "b.csv", hv.Rankings(random_orders(50, 3), NAMES))
    command = [sys.executable, "-m", "hushvote", "privatize", "-", "-m", "additive", "-o", "-"]
    with (tmp_path / "b.csv").open("rb") as ballots:
        done = subprocess.run(command, stdin=ballots, capture_output=True, check=True, cwd=tmp_path)
    (tmp_path / "r.parquet").write_bytes(done.stdout)
    assert hv.tally_files([tmp_path / "r.parquet"]).n == 50
    assert b"50 votes randomised" in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b.csv", "r.parquet"]


@pytest.mark.parametrize(
    ("into", "code", "said"),
    [
        ("> /dev/full", 2, "error: cannot write the output: No space left on device\n"),
        ("| true; exit ${PIPESTATUS[0]}", 141, ""),
    ],
)
def test_reports_are_not_announced_before_they_have_left(tmp_path, into, code, said):
    hv.write_rankings(tmp_path / "b.csv", hv.Rankings(random_orders(9000, 3), NAMES))
    command = f"{sys.executable} -m hushvote privatize b.csv -m additive -o - {into}"
    done = subprocess.run(
        ["bash", "-c", command], check=False, capture_output=True, text=True, cwd=tmp_path
    )
    assert (done.returncode, done.stderr) == (code, said)


def test_json_and_reports_do_not_both_go_to_standard_output(run, ballot_file):
    said = one_sentence(run("privatize", ballot_file, "-o", "-", "--json"))
    assert "--json prints to standard output, as --out - does" in said


def test_names_may_hold_commas(run, tmp_path):
    votes = hv.Rankings(random_orders(20, 3), NAMES)
    hv.write_rankings(tmp_path / "b.csv", votes)
    code, _, said = run("score", "b.csv", "--names", '"Ng, Ann", Bob ,Cem; or Jem')
    assert code == 0, said
    for wrong in ('"Ng, Ann,Bob', '"Ng, Ann"x,Bob'):
        assert "a quote is not closed" in one_sentence(run("score", "b.csv", "--names", wrong))


@pytest.mark.parametrize("lines", [2, 4])
@pytest.mark.parametrize("kind", ["csv", "parquet", "txt"])
def test_a_name_that_was_torn_at_its_comma_is_told_to_stand_in_quotes(run, tmp_path, lines, kind):
    names = ("Ng, Ann", "Bob", "Cem")
    votes = hv.Rankings(([[0, 1, 2], [1, 0, 2]] * 2)[:lines], names)
    if kind == "parquet":
        rows = [[names[j] for j in order] for order in votes.orders.tolist()]
        columns = {f"rank{rank + 1}": list(row) for rank, row in enumerate(zip(*rows, strict=True))}
        pq.write_table(pa.table(columns), tmp_path / "b.parquet")
    else:
        between = ";" if kind == "csv" else " > "
        held = [between.join(names[j] for j in order) for order in votes.orders.tolist()]
        (tmp_path / f"b.{kind}").write_text("\n".join(held))
    said = one_sentence(run("score", f"b.{kind}", "--names", "Ng, Ann,Bob,Cem"))
    assert said.endswith(
        'candidate "Ng, Ann" is unknown; the candidates are "Ng", "Ann", "Bob", "Cem"; a name that '
        "holds a comma stands in double quotes, as in --names '\"Ng, Ann\",Bob,Cem' "
        '(in Python: candidates=["Ng, Ann", "Bob", "Cem"])'
    )
    said = one_sentence(run("score", f"b.{kind}", "--names", "Ann,Ng,Bob,Cem"))
    assert "in double quotes" not in said


@pytest.mark.parametrize("name", ["b.csv", "b.soc"])
def test_a_packed_file_is_read_whatever_its_name(tmp_path, name):
    votes = hv.Rankings(random_orders(50, 3), NAMES)
    hv.write_rankings(tmp_path / name, votes)
    (tmp_path / name).write_bytes(gzip.compress((tmp_path / name).read_bytes()))
    again = hv.read_rankings(tmp_path / name, candidates=NAMES)
    assert np.unique(again.orders, axis=0).tolist() == np.unique(votes.orders, axis=0).tolist()


def test_the_example_is_the_one_that_its_script_makes():
    made = runpy.run_path(str(ROOT / "docs" / "council.py"))
    assert made["TARGET"].read_text(encoding="utf-8") == made["text"]()


def test_the_example_is_the_same_in_python_and_on_the_command_line(run, tmp_path):
    votes = hv.example("council")
    assert (votes.n, votes.candidates) == (10_000, ("Ada", "Ben", "Chiara", "Dmitri", "Eun-ji"))
    assert run("example", "council", "--out", "c.csv")[0] == 0
    assert np.array_equal(hv.read_rankings(tmp_path / "c.csv").orders, votes.orders)
    done = subprocess.run(
        [sys.executable, "-m", "hushvote", "example"], capture_output=True, check=True
    )
    assert done.stdout == (tmp_path / "c.csv").read_bytes()
    assert done.stderr == b""


def test_an_unknown_example_is_refused_with_the_known_ones(run):
    with pytest.raises(hv.FileError, match="no example 'nothing'; there is council"):
        hv.example("nothing")
    assert "no example 'nothing'" in one_sentence(run("example", "nothing"))
