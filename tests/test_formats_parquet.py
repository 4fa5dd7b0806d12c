import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hushvote.errors import FileError, HushvoteError, RankingError
from hushvote.formats import open_rankings, parquet, read_rankings, write_rankings
from hushvote.rankings import Rankings


@pytest.fixture
def table(tmp_path):
    """Write columns to a Parquet file and give its path."""

    def make(*columns, names=None):
        made = pa.table({f"rank_{i + 1}": column for i, column in enumerate(columns)})
        if names is not None:
            made = made.replace_schema_metadata({"hushvote.candidates": names})
        path = tmp_path / "x.parquet"
        pq.write_table(made, path)
        return path

    return make


def refusal(path, kind=RankingError, **options):
    with pytest.raises(HushvoteError) as caught:
        read_rankings(path, **options)
    assert type(caught.value) is kind
    return str(caught.value).replace(str(path), path.name)


def test_hushvote_writes_one_byte_a_rank_and_the_names(tmp_path):
    path = tmp_path / "x.parquet"
    write_rankings(path, Rankings(np.array([[1, 0], [0, 1]]), ("a ,", "b")))
    written = pq.read_table(path)
    assert written.column_names == ["rank_1", "rank_2"]
    assert set(written.schema.types) == {pa.uint8()}
    assert json.loads(written.schema.metadata[b"hushvote.candidates"]) == ["a ,", "b"]
    votes = read_rankings(path)
    assert votes.candidates == ("a ,", "b")
    assert votes.orders.tolist() == [[1, 0], [0, 1]]


def test_rows_are_read_in_batches(table, monkeypatch):
    monkeypatch.setattr(parquet, "ROWS", 7)
    file = open_rankings(table([0, 1] * 50, [1, 0] * 50))
    assert file.n == 100
    assert [len(block) for block in file.blocks(30)] == [30, 30, 30, 10]
    assert refusal(table([0] * 100, [1] * 99 + [0])) == (
        'x.parquet: row 99: candidate "0" appears twice; a ballot names every candidate once'
    )


def test_whole_numbers_of_any_type_are_candidates_from_0(table):
    for kind in ("int8", "uint64", "int32", "float64"):
        votes = read_rankings(table(*np.array([[1, 0], [0, 1]]).astype(kind)))
        assert votes.candidates == ("0", "1")
        assert votes.orders.tolist() == [[1, 0], [0, 1]]


def test_names_come_from_text_columns_in_order(table):
    expected = [[1, 0], [0, 1]]
    plain = table(pa.array(["b", "a"]), pa.array(["a", "b"], pa.large_string()))
    assert read_rankings(plain).candidates == ("a", "b")
    assert read_rankings(plain).orders.tolist() == expected
    coded = table(*(pa.array(x).dictionary_encode() for x in (["b", "a"], ["a", "b"])))
    assert read_rankings(coded).orders.tolist() == expected
    assert read_rankings(coded, candidates=["b", "a"]).orders.tolist() == [[0, 1], [1, 0]]


def test_names_are_gathered_from_all_rows(table, monkeypatch):
    monkeypatch.setattr(parquet, "ROWS", 2)
    votes = read_rankings(table(["b", "b", "c"], ["a", "a", "b"]), incomplete="random")
    assert votes.candidates == ("a", "b", "c")


def test_given_candidates_name_or_reorder_the_numbers(table):
    assert read_rankings(table([1], [0]), candidates=["x", "y"]).candidates == ("x", "y")
    named = table([1], [0], names='["x", "y"]')
    assert read_rankings(named, candidates=["y", "x"]).orders.tolist() == [[0, 1]]
    assert 'candidate "x" is unknown' in refusal(named, candidates=["y", "z"])


def test_a_null_ends_a_truncated_ballot(table):
    for columns in (
        ([0, 1, 2], [1, None, 1], [2, None, 0]),
        ([0.0, 1.0, 2.0], [1.0, np.nan, 1.0], [2.0, np.nan, 0.0]),
        (["a", "b", "c"], ["b", None, "b"], ["c", "", "a"]),
        (["a", "b", "c"], ["b", "nan", "b"], ["c", "NaN", "a"]),
    ):
        path = table(*columns)
        message = refusal(path)
        assert message.startswith("x.parquet: row 1: the ballot ranks 1 of 3 candidates")
        votes = read_rankings(path, incomplete="random")
        assert votes.orders[[0, 2]].tolist() == [[0, 1, 2], [2, 1, 0]]
        assert votes.orders[1, 0] == 1


def test_a_column_of_nulls_only_is_an_empty_rank(table):
    path = table([1, 0], pa.nulls(2))
    assert read_rankings(path, incomplete="random").orders.tolist() == [[1, 0], [0, 1]]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (([0, 1], [1, 2]), 'x.parquet: row 1: candidate "2" is unknown; this file numbers its'),
        (([0, -1], [1, 0]), 'x.parquet: row 1: candidate "-1" is unknown; this file numbers its'),
        (([0, 0.5], [1, 0]), 'x.parquet: row 1: candidate "0.5" is unknown'),
        (([0, np.inf], [1, 0]), 'x.parquet: row 1: candidate "inf" is unknown'),
        (([0, None, 0], [1, 1, 1]), "x.parquet: row 1: rank 1 is empty, but a later rank is not"),
        ((["a"], ["a"]), "x.parquet: a vote needs 2 to 64 candidates, not 1"),
        (
            ([0], *([i] for i in range(1, 65))),
            "x.parquet: the file needs a column a rank, 1 to 64, not 65",
        ),
        (([f"c{i}" for i in range(70)],), "x.parquet: a vote needs 2 to 64 candidates, not"),
    ],
)
def test_a_wrong_ballot_is_refused_with_its_row(table, columns, message):
    assert refusal(table(*columns)).startswith(message)


def test_an_unknown_name_is_refused_with_its_row(table):
    message = refusal(table(["a", "z"], ["b", "a"]), candidates=["a", "b"])
    assert message == 'x.parquet: row 1: candidate "z" is unknown; the candidates are "a", "b"'


@pytest.mark.parametrize("odd", [pa.array([True]), pa.array([[1]]), pa.array(["a"])])
def test_a_column_of_another_type_is_refused_by_name(table, odd):
    message = refusal(table([0], odd), FileError)
    kind = str(odd.type).partition("<")[0]
    assert message.startswith(f'x.parquet: column "rank_2" is of type {kind}')
    assert "all columns must hold candidates" in message


@pytest.mark.parametrize("names", ["nonsense", "{}", "[1, 2]"])
def test_damaged_names_are_refused(table, names):
    assert "must be a JSON list of names" in refusal(table([0], [1], names=names), FileError)


def test_a_file_without_rows_is_refused(table):
    assert "there are no rows" in refusal(table(pa.array([], pa.uint8())), FileError)


def test_what_is_no_parquet_file_is_refused(tmp_path, table):
    path = tmp_path / "text.parquet"
    path.write_text("A,B\nB,A\n")
    assert "it is not a Parquet file, or only part of one" in refusal(path, FileError)
    whole = table([0, 1] * 5000, [1, 0] * 5000).read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    assert "it is not a Parquet file, or only part of one" in refusal(path, FileError)
    path.write_bytes(whole[:4] + b"\xff" * (len(whole) // 4) + whole[4 + len(whole) // 4 :])
    assert "it is not a Parquet file, or only part of one" in refusal(path, FileError)


def test_a_single_flipped_bit_is_refused_not_counted(tmp_path):
    path = tmp_path / "x.parquet"
    write_rankings(path, Rankings(np.array([[0, 1], [1, 0], [1, 0]] * 99), ("a", "b")))
    damaged = bytearray(path.read_bytes())
    column = pq.ParquetFile(path).metadata.row_group(0).column(0)
    damaged[column.dictionary_page_offset + column.total_compressed_size - 1] ^= 1
    path.write_bytes(damaged)
    assert "only part of one" in refusal(path, FileError)


def test_text_that_is_not_utf8_is_refused(table):
    bad = pa.array([b"\xe9"]).view(pa.string())
    assert "it is not a Parquet file" in refusal(table(bad, pa.array(["b"])), FileError)
