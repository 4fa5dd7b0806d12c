"""Rows in random order: exactly uniform, by every way through memory and the scratch file."""

import itertools
import os
import signal
import subprocess
import sys

import numpy as np
import pytest
from scipy import stats

import hushvote as hv
from hushvote.errors import FileError
from hushvote.formats import shuffling, spill
from hushvote.formats.reports import writing_reports
from hushvote.formats.shuffling import Shuffle, packing
from hushvote.formats.spill import Spill
from hushvote.lottery import secure_bits
from tests.conftest import names_in, random_orders

KINDS = {
    "narrow": [np.dtype(np.uint8), np.dtype(np.int8)],
    "wide": [np.dtype(np.int64), np.dtype(np.uint16), np.dtype(np.int8)],
}


def shuffled(kind, columns, folder, bits=None):
    shuffle = Shuffle(kind, bits or secure_bits(), folder)
    shuffle.add(kind.pack(columns))
    rows = np.concatenate(list(shuffle.blocks()))
    return kind.unpack(rows)


@pytest.mark.slow
@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize(("run", "most"), [(None, None), (3, 4), (1, 2), (2, 1)])
def test_every_order_is_equally_likely(tmp_path, monkeypatch, name, run, most):
    """Chi-square over the 24 orders of four rows; false alarms below 1e-7 for each of 8 cases."""
    kind = packing(KINDS[name])
    columns = [np.arange(4).astype(dtype) for dtype in KINDS[name]]
    if run is not None:
        monkeypatch.setattr(shuffling, "RUN", run * kind.dtype.itemsize)
        monkeypatch.setattr(shuffling, "MOST", most)
    found = dict.fromkeys(itertools.permutations(range(4)), 0)
    times = 24 * (400 if run is None else 100)
    for _ in range(times):
        made = shuffled(kind, columns, tmp_path)
        assert all(np.array_equal(made[0], other) for other in made[1:])
        found[tuple(int(i) for i in made[0])] += 1
    assert stats.chisquare(list(found.values())).pvalue > 1e-7


class Repeating:
    """Random bytes that are all the same: every key is equal."""

    def __init__(self, rounds):
        self.rounds = rounds

    def bytes(self, length, /):
        self.rounds -= 1
        return bytes(length) if self.rounds >= 0 else secure_bits().bytes(length)


def test_equal_keys_are_ordered_by_content_or_drawn_anew(tmp_path):
    narrow, wide = packing(KINDS["narrow"]), packing(KINDS["wide"])
    for start in ([2, 0, 1], [1, 2, 0]):
        columns = [np.array(start).astype(dtype) for dtype in KINDS["narrow"]]
        assert shuffled(narrow, columns, tmp_path, Repeating(9))[0].tolist() == [0, 1, 2]
        bits = Repeating(5)
        columns = [np.array(start).astype(dtype) for dtype in KINDS["wide"]]
        assert sorted(shuffled(wide, columns, tmp_path, bits)[0].tolist()) == [0, 1, 2]
        assert bits.rounds < 0


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("rows", [1, 7, 100, 5000])
def test_all_values_come_back_at_any_buffer_size(tmp_path, monkeypatch, name, rows):
    kind = packing(KINDS[name])
    rng = np.random.default_rng(1)
    n = 3000
    columns = [
        rng.integers(np.iinfo(t).min, np.iinfo(t).max, n, dtype=t, endpoint=True)
        for t in KINDS[name]
    ]
    if rows == 1:
        columns, n = [column[:300] for column in columns], 300
    monkeypatch.setattr(shuffling, "RUN", rows * kind.dtype.itemsize)
    made = shuffled(kind, columns, tmp_path)
    assert [column.dtype for column in made] == KINDS[name]
    assert sorted(zip(*made, strict=True)) == sorted(zip(*columns, strict=True))


def test_the_scratch_file_holds_no_plain_text(tmp_path, monkeypatch):
    """The same record over and over: no 16 bytes of the file are like any others, nor the record's.

    Two of some thousand random cells agree with probability below 1e-30.
    """
    held = (tmp_path / "held").open("w+b")
    monkeypatch.setattr(spill, "nameless", lambda _: held)
    monkeypatch.setattr(shuffling, "RUN", 200 * 32)
    kind = packing([np.dtype(np.int64)] * 4)
    shuffle = Shuffle(kind, secure_bits(), tmp_path)
    shuffle.add(kind.pack([np.full(4000, 77)] * 4))
    shuffle.add(kind.pack([np.full(50, 77)] * 4))
    text = (tmp_path / "held").read_bytes()
    assert len(text) == 4000 * 32
    cells = {text[i : i + 16] for i in range(0, len(text), 16)}
    assert len(cells) == len(text) // 16
    assert np.full(2, 77).tobytes() not in text
    assert sum(len(rows) for rows in shuffle.blocks()) == 4050
    assert held.closed


def test_bytes_come_back_from_any_place(tmp_path):
    text = np.random.default_rng(2).bytes(100_000)
    scratch = Spill(tmp_path)
    cuts = [0, 1, 17, 40_000, 99_999, 100_000]
    for start, end in itertools.pairwise(cuts):
        assert scratch.append(memoryview(text)[start:end]) == start
    for start, length in [(0, 100_000), (16, 16), (15, 18), (33, 1), (5, 0), (99_990, 10)]:
        assert scratch.read(start, length) == text[start : start + length]
    with pytest.raises(OSError, match="cut short"):
        scratch.read(99_990, 11)
    scratch.close()


def small_runs(monkeypatch):
    monkeypatch.setattr(shuffling, "RUN", 64)
    made = hv.Laplace(hv.borda(3), 1)
    return made, made.privatize(random_orders(200, 3))


def test_nothing_is_seen_in_the_folder_before_all_is_written(tmp_path, monkeypatch):
    made, batch = small_runs(monkeypatch)
    with writing_reports(tmp_path / "r.parquet", made.domain, made.parameters()) as file:
        file.write(batch)
        assert names_in(tmp_path) == []
    assert names_in(tmp_path) == ["r.parquet"]


@pytest.mark.parametrize("failure", [RuntimeError, KeyboardInterrupt, OSError])
def test_a_failure_leaves_no_file_and_no_open_scratch_file(tmp_path, monkeypatch, failure):
    made, batch = small_runs(monkeypatch)
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208

    def fail():
        with writing_reports(tmp_path / "r.parquet", made.domain, made.parameters()) as file:
            file.write(batch)
            raise failure("stop")

    with pytest.raises(FileError if failure is OSError else failure, match="stop"):
        fail()
    assert names_in(tmp_path) == []
    assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208


def test_a_killed_process_leaves_no_file(tmp_path):
    code = f"""
import os, signal
import hushvote as hv
from hushvote.formats import shuffling
from hushvote.formats.reports import writing_reports
shuffling.RUN = 64
made = hv.Laplace(hv.borda(3), 1)
path = {str(tmp_path / "r.parquet")!r}
with writing_reports(path, made.domain, made.parameters()) as file:
    file.write(made.privatize([[0, 1, 2]] * 500))
    os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert names_in(tmp_path) == []
