"""Work shared out among processes: the same results, and nothing left behind."""

import multiprocessing
import os
import platform
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from threadpoolctl import threadpool_info

import hushvote as hv
from hushvote import cores
from hushvote.errors import HushvoteError
from hushvote.mechanisms import bulk
from tests.conftest import random_orders


@pytest.fixture
def _soon(monkeypatch):
    """Few votes are shared out already."""
    monkeypatch.setattr(bulk, "SHARED", 100)
    monkeypatch.setattr(bulk, "LARGE_BLOCK", 64)
    monkeypatch.setattr(bulk, "PART", 8 * 150)


@pytest.mark.parametrize("jobs", [1, 2, 3, 7, None])
@pytest.mark.usefixtures("_soon")
def test_copies_randomise_every_vote_as_its_own(jobs):
    """Under plurality and epsilon 10 a report names the first candidate but once in 3,000 times:
    more than 40 others in 1,000 have a probability far below 1e-6.
    """
    orders = random_orders(1000, 8)
    reports = hv.Additive(hv.plurality(8), 10, k=1).privatize(orders, jobs=jobs)
    named = np.bitwise_count(reports["chosen"] - np.uint8(1))
    assert (named != orders[:, 0]).sum() <= 40


@pytest.mark.usefixtures("_soon")
def test_no_two_copies_draw_from_one_stream():
    """Of the same votes, two halves with one key would be the same reports."""
    reports = hv.Duel(hv.borda(8), 1).privatize(np.tile(np.arange(8), (1000, 1)), jobs=2)
    assert (reports[:500] != reports[500:]).any()


@pytest.mark.parametrize("name", ["additive", "duel", "challenge", "laplace", "weighted-sampling"])
@pytest.mark.usefixtures("_soon")
def test_copies_count_the_same(name):
    made = hv.mechanism(name, hv.borda(9), 1)
    reports = made.privatize(random_orders(2000, 9))
    weights = np.arange(2000) % 5
    for given in (None, weights):
        one = made.tally(reports, weights=given, jobs=1)
        for jobs in (2, 3, None):
            assert made.tally(reports, weights=given, jobs=jobs) == one


@pytest.mark.usefixtures("_soon")
def test_the_first_bad_vote_is_named_however_many_copies_look():
    made, orders = hv.Duel(hv.borda(8), 1), random_orders(1000, 8)
    orders[[333, 444, 999], 0] = orders[[333, 444, 999], 1]
    reports = made.privatize(random_orders(1000, 8))
    reports["minus"][[250, 800]] = reports["plus"][[250, 800]]
    for jobs in (1, 2, 5):
        with pytest.raises(hv.RankingError, match="row 333 names candidate"):
            made.privatize(orders, jobs=jobs)
        with pytest.raises(hv.ReportError, match="report 1250: 'minus'"):
            made.tally(reports, first=1000, jobs=jobs)


@pytest.mark.parametrize("jobs", [0, 257, True, 1.5, "2"])
def test_a_number_of_jobs_that_makes_no_sense_is_refused(jobs):
    made = hv.Additive(hv.borda(3), 1)
    reports = made.privatize(random_orders(2, 3))
    for ask in (
        lambda: made.privatize([[0, 1, 2]] * 2, jobs=jobs),
        lambda: made.tally(reports, jobs=jobs),
    ):
        with pytest.raises(HushvoteError, match="jobs must be a whole number from 1 to 256") as got:
            ask()
        assert got.value.code == "jobs.number"


@pytest.mark.usefixtures("_soon")
def test_many_votes_are_drawn_by_copies_where_this_process_may_be_copied(monkeypatch):
    """Not in a thread beside others, and not in a copy; the reports come all the same."""
    made, orders, ran = hv.Additive(hv.borda(8), 1), random_orders(1000, 8), []
    draw = hv.Additive.randomize

    def told(self, votes, bits):
        pids[ran_in(votes)] = os.getpid()
        return draw(self, votes, bits)

    pids = cores.shared_array(1000, np.dtype(np.int64))
    ran_in = lambda votes: int(np.flatnonzero((orders == votes[0]).all(axis=1))[0])  # noqa: E731
    monkeypatch.setattr(hv.Additive, "randomize", told)
    assert len(made.privatize(orders, jobs=2)) == 1000
    assert set(pids[pids > 0]) - {os.getpid()}
    pids[:] = 0
    thread = threading.Thread(target=lambda: ran.append(made.privatize(orders, jobs=2)))
    thread.start()
    thread.join()
    (reports,) = ran
    made.domain.check(reports)
    assert set(pids[pids > 0]) == {os.getpid()}
    inner = lambda _, __: made.privatize(orders, jobs=2)  # noqa: E731
    for _, reports in cores.in_processes(inner, range(2), 2):
        made.domain.check(reports)


def test_results_and_refusals_come_in_the_order_of_the_parts():
    def squared(number):
        time.sleep(0.3 if number == 0 else 0)
        if number < 0:
            raise hv.RankingError(f"number {number}", code="ranking.form")
        return number**2

    assert cores.shared_out(squared, range(3), 3) == [0, 1, 4]
    with pytest.raises(hv.RankingError, match="number -2"):
        cores.shared_out(squared, [0, -2, -1], 3)


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_an_array_is_filled_by_copies_that_take_turns_at_their_memory(jobs):
    parts = [slice(0, 1), slice(1, 8), slice(8, 10), slice(10, 17), slice(17, 20)]

    def write(part, found):
        assert len(found) == part.stop - part.start
        time.sleep(0.02 * (part.start % 3))
        found[:] = [(number, os.getpid()) for number in range(part.start, part.stop)]

    array = np.full(20, -1, dtype=[("number", "i8"), ("pid", "i8")])
    cores.fill(array, write, parts, jobs)
    assert array["number"].tolist() == list(range(20))
    others = set(array["pid"]) - {os.getpid()}
    assert len(others) == jobs - 1


def test_this_process_works_too_and_does_not_only_wait_for_its_copies():
    """Copies wait until it has done a part of its own."""
    done, own = cores.shared_array(1, np.dtype(np.int64)), os.getpid()

    def pid(_):
        deadline = time.monotonic() + 30
        while os.getpid() != own and not done[0] and time.monotonic() < deadline:
            time.sleep(0.01)
        done[0] = 1
        return os.getpid()

    pids = cores.shared_out(pid, range(9), 3)
    assert len(set(pids)) == 3
    assert own in pids


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_first_part_that_is_refused_is_raised(jobs):
    def write(part, found):
        time.sleep(0.2 if part.start == 1 else 0)
        if part.start:
            raise hv.RankingError(f"part {part.start}", code="ranking.form")

    with pytest.raises(hv.RankingError, match="part 1"):
        cores.fill(np.zeros(3), write, [slice(i, i + 1) for i in range(3)], jobs)


KEPT = """
import resource, sys
import numpy as np, hushvote as hv

made = hv.Additive(hv.borda(8), 1, k=1)
votes = np.tile(np.arange(8, dtype=np.uint8), (2_000_000, 1))
made.privatize(votes[:100_000], jobs=1)
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
made.privatize(votes, jobs=1)
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other allocators have other habits")
def test_memory_of_blocks_is_not_fetched_anew_for_every_block():
    """Two megabytes of reports are some 500 pages; with every block's arrays it was 7,000."""
    done = subprocess.run([sys.executable, "-c", KEPT], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 2500


# --- processes ----------------------------------------------------------------------------------


def square(number, done):
    done(number)
    return number, number**2, os.getpid()


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_processes_do_every_part_once_and_say_so(jobs):
    told = []
    found = dict(cores.in_processes(square, range(20), jobs, told.append))
    assert {part: result[:2] for part, result in found.items()} == {
        i: (i, i * i) for i in range(20)
    }
    assert sorted(told) == list(range(20))
    others = {pid for *_, pid in found.values()} - {os.getpid()}
    assert len(others) <= (jobs if jobs > 1 else 0)
    assert bool(others) == (jobs > 1)
    assert not any(alive(pid) for pid in others)


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_an_error_in_a_process_is_raised_with_its_code_and_ends_all():
    def task(number, _):
        if number == 3:
            raise hv.RankingError("number three", code="ranking.form", row=3)
        return os.getpid()

    pids = set()
    parts = cores.in_processes(task, range(9), 2)
    with pytest.raises(hv.RankingError, match="number three") as got:
        pids.update(pid for _, pid in parts)
    assert pids
    assert (got.value.code, got.value.values) == ("ranking.form", {"row": 3})
    assert not any(alive(pid) for pid in pids)


def test_processes_leave_each_other_a_core_when_they_multiply_matrices():
    def threads(*_):
        return {held["num_threads"] for held in threadpool_info() if held["user_api"] == "blas"}

    before = threads()
    assert [found for _, found in cores.in_processes(threads, range(4), 2)] == [{1}] * 4
    assert cores.shared_out(threads, range(4), 2) == [{1}] * 4
    with cores.one_thread_each():
        assert threads() == {1}
    assert threads() == before


class OddError(Exception):
    """Cannot be sent: it needs two arguments."""

    def __init__(self, a, b):
        super().__init__(f"{a} and {b}")


def test_an_error_in_a_copy_says_what_and_where_even_if_it_cannot_be_sent():
    def task(number, _):
        raise OddError(1, 2) if number else ValueError("nought")

    for part, kind, said in ((0, ValueError, "nought"), (1, RuntimeError, "OddError: 1 and 2")):
        with pytest.raises(kind, match=said) as got:
            list(cores.in_processes(task, [part] * 2, 2))
        assert "in task" in got.value.__notes__[0]


@pytest.mark.parametrize("number", [1, 2])
def test_ctrl_c_while_copies_are_made_leaves_none_behind(monkeypatch, number):
    """It waits until a copy is made, and comes right then."""
    start, made = multiprocessing.Process.start, []

    def started(process):
        start(process)
        made.append(process.pid)
        if len(made) == number:
            os.kill(os.getpid(), signal.SIGINT)

    kind = multiprocessing.get_context("fork").Process
    monkeypatch.setattr(kind, "start", started)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            cores.shared_out(lambda part: time.sleep(60), range(9), 4)
    finally:
        signal.signal(signal.SIGINT, before)
    assert len(made) == number
    assert not any(alive(pid) for pid in made)


@pytest.mark.usefixtures("_soon")
def test_nothing_is_copied_unasked_beside_other_threads():
    """One of them may be at work in a library that then cannot be copied."""
    go, found = threading.Event(), []
    thread = threading.Thread(target=go.wait)
    thread.start()
    try:
        for jobs in (None, 2):
            found.append(bulk._shared_out(1000, 8, jobs, 100)[1])
    finally:
        go.set()
        thread.join()
    assert found == [1, 2]


def test_a_process_that_is_killed_is_reported_in_one_sentence():
    def task(number, _):
        os.kill(os.getpid(), signal.SIGKILL)

    with pytest.raises(HushvoteError, match=r"was ended from outside.*--jobs") as got:
        list(cores.in_processes(task, range(4), 2))
    assert got.value.code == "jobs.ended"


def test_processes_end_when_nobody_asks_for_more():
    def task(number, _):
        time.sleep(0 if number < 2 else 60)
        return os.getpid()

    started = time.monotonic()
    parts = cores.in_processes(task, range(4), 2)
    _, pid = next(parts)
    parts.close()
    assert not alive(pid)
    assert time.monotonic() - started < 30


SCRIPT = """
import os, sys, time
from hushvote import cores

def task(number, _):
    os.write(1, f"{os.getpid()}{os.linesep}".encode())  # whole lines, from two processes
    time.sleep(0.3)

try:
    list(cores.in_processes(task, range(1000), 2))
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_no_process_outlives_the_first(how):
    """Ctrl-C reaches the whole group, as from a terminal; a kill the first process alone."""
    with subprocess.Popen(
        [sys.executable, "-c", SCRIPT],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509
    ) as running:
        try:
            pids = {int(running.stdout.readline()) for _ in range(2)}
            if how == signal.SIGINT:
                os.killpg(running.pid, how)
            else:
                os.kill(running.pid, how)
            said, errors = running.communicate(timeout=60)
        finally:
            running.kill()
    assert errors == ""
    if how == signal.SIGINT:
        assert said.endswith("interrupted\n")
    deadline = time.monotonic() + 30
    while any(alive(pid) for pid in pids) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(alive(pid) for pid in pids)


def test_the_next_item_is_made_while_one_is_used():
    made = [threading.Event() for _ in range(4)]

    def items():
        for number, event in enumerate(made):
            event.set()
            yield number

    for number in cores.ahead(items()):
        assert made[min(number + 1, 3)].wait(10)


def test_items_made_ahead_come_whole_in_their_order_until_one_cannot_be_made():
    def items():
        yield from range(3)
        raise HushvoteError("no more", code="test.end")

    assert list(cores.ahead(range(5))) == [0, 1, 2, 3, 4]
    assert list(cores.ahead([])) == []
    found = []
    with pytest.raises(HushvoteError, match="no more"):
        found.extend(cores.ahead(items()))
    assert found == [0, 1, 2]


def test_whoever_stops_using_items_made_ahead_leaves_no_thread():
    before = threading.active_count()
    ahead = cores.ahead(iter(range(10)))
    assert next(ahead) == 0
    ahead.close()
    assert threading.active_count() == before
