"""What a server publishes of a poll: when, how much of it, and nothing but a recount."""

import json
import threading

import numpy as np
import pytest

import hushvote as hv
from hushvote.messages import speaking
from hushvote.poll.published import answer, inspected
from hushvote.server import publishing
from hushvote.server.exporting import export
from hushvote.server.results import Results, counted
from tests.held_polls import Keeping, stirred, voted
from tests.polls import poll_of

POLLS = [(name, "codes") for name in hv.mechanism_names()]
POLLS += [(name, "link") for name in hv.mechanism_names() if name != "challenge"]
OWN = {"poll", "access", "warnings", "caveats", "inspection", "suspicious", "languages"}
FILES = {"without_checksums", "seeded", "left_out", "suspicious"}


def read(keeping: Keeping, results: Results | None = None) -> dict:
    """The result that a server would answer."""
    return json.loads((results or Results(keeping.store)).read(keeping.kept))


def refused(keeping: Keeping, results: Results | None = None) -> hv.HushvoteError:
    with pytest.raises(hv.HushvoteError) as caught:
        (results or Results(keeping.store)).read(keeping.kept)
    return caught.value


# --- what is published ----------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "access"), POLLS)
def test_a_result_is_that_of_hushvote_tally_over_the_export(name, access, begin, run, tmp_path):
    keeping = begin(poll_of(name, 3, access=access, seats=2))
    stirred(keeping)
    keeping.close()
    shown = read(keeping)
    assert shown["n"] == 38
    assert shown["poll"] == keeping.poll.digest
    (tmp_path / "manifest.json").write_text(keeping.poll.text, encoding="utf-8")
    with (tmp_path / "reports.parquet").open("wb") as file:
        file.writelines(export(keeping.store, keeping.kept, "parquet").blocks())
    issued = ["--issued", "40"] if access == "codes" else []
    files = ["--poll", "manifest.json", "reports.parquet", "--json"]
    code, out, err = run("tally", *files, *issued)
    assert code == 0, err
    told = json.loads(out)
    assert {key: shown[key] for key in shown.keys() - OWN} == {
        key: told[key] for key in told.keys() - FILES
    }
    assert told["without_checksums"] == []


@pytest.mark.parametrize("name", hv.mechanism_names())
def test_a_recount_is_the_tally_of_what_stands(name, begin):
    keeping = begin(poll_of(name, 4, access="codes"))
    stirred(keeping, 30)
    found, reports = counted(keeping.store, keeping.kept)
    assert reports is None  # nothing but sums is looked at before close
    keeping.close()
    again, reports = counted(keeping.store, keeping.kept)
    assert found == again
    assert keeping.poll.mechanism.tally(reports).counts.keys() == again.counts.keys()
    assert found.n == len(reports) == 28
    assert found.poll == keeping.poll.digest
    assert found.candidates == keeping.poll.candidates


def test_all_that_an_open_poll_shows_follows_from_its_tally(begin):
    keeping = begin(poll_of("duel", 4, access="link", live=20))
    keeping.pour(voted(keeping.poll, 60))
    tally, _ = counted(keeping.store, keeping.kept)
    from_tally = answer(keeping.poll, tally, None, None, closed=False)
    assert read(keeping) == json.loads(json.dumps(from_tally))


def test_estimates_are_within_five_standard_errors_of_the_truth(begin):
    """Four candidates, each of them off by 5 standard errors with a chance of 6e-7."""
    for name in hv.mechanism_names():
        if name == "challenge":  # whose voters are asked one by one
            continue
        keeping = begin(poll_of(name, 4, access="link"))
        keeping.pour(voted(keeping.poll, 2_000))
        keeping.close()
        truth = dict(zip(keeping.poll.candidates, [2.1, 1.7, 1.3, 0.9], strict=True))
        for row in read(keeping)["candidates"]:
            off = abs(row["score"] - truth[row["candidate"]])
            assert off < 5 * row["standard_error"], (name, row)


def test_credentials_are_those_that_were_issued_and_not_revoked(begin):
    keeping = begin(poll_of("duel", 3, access="codes"))
    keeping.pour(voted(keeping.poll, 30))
    spare = [bytes([i]) * 32 for i in range(12)]
    event = {"at": 1, "event": "issued", "codes": 12}
    assert keeping.store.issue(keeping.poll.id, spare, event)
    gone = keeping.store.revoke(keeping.poll.id, spare[:5], {"at": 2, "event": "revoked"})
    assert len(gone) == 5
    keeping.close()
    assert read(keeping)["margin"]["issued"] == 30 + 12 - 5


def test_results_of_link_polls_say_what_a_link_does_not_stop(begin):
    said = {}
    for access in ("link", "codes"):
        keeping = begin(poll_of("duel", 3, access=access))
        keeping.pour(voted(keeping.poll, 25))
        keeping.close()
        shown = read(keeping)
        assert shown["access"] == access
        said[access] = shown["caveats"]
    assert said["codes"] == []
    assert len(said["link"]) == 1
    assert "more than once with several devices" in said["link"][0]


def test_sentences_are_published_in_every_language_whoever_asks_first(begin):
    keeping = begin(poll_of("duel", 3, access="link"))
    keeping.pour(voted(keeping.poll, 25))
    keeping.close()
    with speaking("de"):
        shown = read(keeping)
    german = shown["languages"]["de"]
    assert "Whoever had the link" in shown["caveats"][0]
    assert "alle, die den Link hatten" in german["caveats"][0]
    assert shown["words"][-1].startswith("25 reports.")
    assert german["words"][-1].startswith("25 Meldungen.")
    assert len(german["words"]) == len(shown["words"])
    assert "mit 3 Kandidaten, Epsilon" in german["title"]
    assert german["inspection"][0].startswith("Nichts an diesen 25 Meldungen")
    assert german["warnings"] == shown["warnings"] == []
    tally, reports = counted(keeping.store, keeping.kept)
    with speaking("de"):
        said = tally.result().explain(inspection=inspected(tally, reports)).words
    assert german["words"] == list(said)


# --- when it is published -------------------------------------------------------------------------


def test_a_hidden_poll_shows_nothing_before_it_is_closed(begin):
    keeping = begin(poll_of("duel", 3, access="link"))
    keeping.pour(voted(keeping.poll, 100))
    error = refused(keeping)
    assert error.code == "result.hidden"
    assert error.values == {}
    assert keeping.store.published(keeping.poll.id) is None
    keeping.close()
    assert read(keeping)["closed"] is True


def test_below_the_turnout_is_no_result_and_the_refusal_does_not_say_how_many_there_are(begin):
    keeping = begin(poll_of("duel", 3, access="link", turnout=30))
    keeping.pour(voted(keeping.poll, 29))
    keeping.close()
    error = refused(keeping)
    assert (error.code, error.values) == ("result.turnout", {"needed": 30})
    assert "29" not in str(error)
    keeping = begin(poll_of("duel", 3, access="link", turnout=30))
    keeping.pour(voted(keeping.poll, 30))
    keeping.close()
    assert read(keeping)["n"] == 30


def test_live_results_move_in_steps_over_restarts_and_withdrawals(begin, tmp_path):
    keeping = begin(poll_of("duel", 3, access="link", live=20, turnout=25))
    voters = [keeping.cast() for _ in range(24)]
    assert refused(keeping).values == {"needed": 25}
    keeping.cast()
    first = read(keeping)
    assert (first["n"], first["closed"], first["certified"]) == (25, False, None)
    for _ in range(19):
        voters.append(keeping.cast())
        assert read(keeping) == first
    keeping = keeping.again(tmp_path / "store-0.db")
    assert read(keeping) == first
    voters.append(keeping.cast())
    second = read(keeping)
    assert second["n"] == 45
    for voter in voters[:30]:  # back below the step, and below the turnout
        keeping.withdraw(voter)
        assert read(keeping) == second
    keeping = keeping.again(tmp_path / "store-0.db")
    for _ in range(49):
        keeping.cast()
        assert read(keeping) == second
    keeping.cast()
    assert read(keeping)["n"] == 65
    keeping.withdraw(keeping.cast())
    keeping.close()
    last = read(keeping)
    assert (last["n"], last["closed"]) == (65, True)
    assert keeping.store.published(keeping.poll.id)[0] == 4
    keeping.store.shut()


def test_the_first_live_result_waits_for_a_whole_step(begin):
    keeping = begin(poll_of("duel", 3, access="link", live=50))
    keeping.pour(voted(keeping.poll, 49))
    assert refused(keeping).values == {"needed": 50}


def test_a_result_that_another_worker_counted_at_the_same_time_is_not_shown_beside_the_first(begin):
    keeping = begin(poll_of("duel", 3, access="link", live=20))
    keeping.pour(voted(keeping.poll, 20))
    one, other = (Results(keeping.store, rest=0) for _ in range(2))
    shown = one.read(keeping.kept)
    keeping.pour(voted(keeping.poll, 30))
    late = other._publish(keeping.kept, keeping.poll, None)  # which had seen nothing published
    assert late.body == shown
    moved = other.read(keeping.kept)
    assert json.loads(moved)["n"] == 50
    assert one.read(keeping.kept) == moved


def test_whoever_looks_while_votes_come_in_sees_steps_only(begin):
    keeping = begin(poll_of("duel", 3, access="link", live=20))
    keeping.pour(voted(keeping.poll, 20))
    workers = [Results(keeping.store, rest=0) for _ in range(2)]
    seen: list[list[int]] = [[] for _ in range(4)]
    over = threading.Event()

    def look(k: int) -> None:
        while not over.is_set():
            seen[k].append(json.loads(workers[k % 2].read(keeping.kept))["n"])

    threads = [threading.Thread(target=look, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for report in voted(keeping.poll, 300).reshape(-1, 1):
        keeping.pour(report)
    over.set()
    for thread in threads:
        thread.join()
    assert all(one == sorted(one) for one in seen)
    steps = sorted({n for one in seen for n in one})
    assert len(steps) > 1
    assert min(np.diff(steps)) >= 20


def test_an_open_poll_is_not_counted_all_the_time(begin):
    keeping = begin(poll_of("duel", 3, access="link", live=20))
    keeping.pour(voted(keeping.poll, 20))
    results = Results(keeping.store, rest=1e9)
    assert read(keeping, results)["n"] == 20
    keeping.pour(voted(keeping.poll, 40))
    assert read(keeping, results)["n"] == 20  # it rests
    assert read(keeping)["n"] == 60  # another worker does not
    assert read(keeping, results)["n"] == 60
    keeping.close()
    assert read(keeping, results)["closed"] is True


def test_an_open_poll_certifies_nobody_and_the_same_reports_do_at_close(begin):
    """A lead of 2 points, of errors of 0.05: never missed."""
    keeping = begin(poll_of("duel", 3, "2", access="link", live=20))
    keeping.pour(keeping.poll.mechanism.privatize(np.tile([0, 1, 2], (3_000, 1))))
    live = read(keeping)
    assert live["certified"] is None
    assert "Nobody is certified before it closes" in live["words"][0]
    keeping.close()
    last = read(keeping)
    assert last["certified"] == "Ann"
    assert [row["score"] for row in last["candidates"]] == [
        row["score"] for row in live["candidates"]
    ]


def test_a_result_is_counted_once(begin, monkeypatch):
    keeping = begin(poll_of("duel", 3, access="link"))
    keeping.pour(voted(keeping.poll, 30))
    keeping.close()
    results, asked = Results(keeping.store), []
    reports = type(keeping.store).reports
    monkeypatch.setattr(
        type(keeping.store), "reports", lambda *given: asked.append(1) or reports(*given)
    )
    threads = [threading.Thread(target=results.read, args=(keeping.kept,)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    Results(keeping.store).read(keeping.kept)  # after a restart, or in another worker
    assert asked == [1]


# --- made-up reports ------------------------------------------------------------------------------


def suspicious(begin, fakes: int) -> dict:
    """20,000 voters of one mind, and one made-up report against the first, sent many times. Of the
    harmful reports it is one that a tenth of all honest devices are asked for: 1,000 more of them
    are twenty standard deviations. (Of 100 harmful ones none is such with a chance of 3e-18.)
    """
    keeping = begin(poll_of("duel", 4, "2", access="link"))
    made = keeping.poll.mechanism
    keeping.pour(made.privatize(np.tile([0, 1, 2, 3], (20_000, 1))))
    keeping.pour(np.repeat(np.sort(made.disguise(favour=1, against=0, n=100))[:1], fakes))
    keeping.close()
    return read(keeping)


def test_fewer_made_up_reports_than_the_margin_stand_above_a_certified_result(begin):
    shown = suspicious(begin, 1_000)
    assert shown["warnings"][0].startswith("Honest devices, each of which reports once")
    assert shown["inspection"]["suspicious"] is True
    assert shown["certified"] == "Ann"
    assert "Ann has won all the same" in shown["words"][0]
    assert 500 < shown["fakes"] < min(one["most"] for one in shown["margin"]["attacks"])


def test_more_made_up_reports_than_the_margin_leave_nobody_certified_but_all_scores_shown(begin):
    shown = suspicious(begin, 9_000)
    assert shown["warnings"]
    assert shown["certified"] is None
    assert shown["words"][0].startswith("These reports cannot be trusted, so no winner")
    assert all(row["low"] < row["score"] < row["high"] for row in shown["candidates"])


def test_honest_polls_have_no_warning(begin):
    """A false alarm has a chance of 1e-6 at most, by the inspection's own promise."""
    keeping = begin(poll_of("duel", 4, access="link"))
    keeping.pour(voted(keeping.poll, 3_000))
    keeping.close()
    shown = read(keeping)
    assert shown["warnings"] == []
    assert shown["suspicious"] is False
    assert shown["inspection"]["false_alarm"] == 1e-6


# --- erasures -------------------------------------------------------------------------------------


def test_after_an_erasure_the_result_is_counted_anew(begin):
    keeping = begin(poll_of("duel", 3, access="link"))
    voters = stirred(keeping)
    keeping.close()
    results, another = Results(keeping.store), Results(keeping.store)
    before = read(keeping, results)
    assert read(keeping, another) == before
    keeping.erase(voters[5])
    for one in (results, another):
        after = read(keeping, one)
        assert after["n"] == before["n"] - 1
        assert after["candidates"] != before["candidates"]
    tally, _ = counted(keeping.store, keeping.kept)
    scores = {row["candidate"]: row["score"] for row in after["candidates"]}
    assert list(tally.result().scores) == [scores[name] for name in keeping.poll.candidates]


def test_a_count_that_an_erasure_has_overtaken_is_not_shown(begin):
    keeping = begin(poll_of("duel", 3, access="link"))
    voters = [keeping.cast() for _ in range(30)]
    keeping.close()
    Results(keeping.store).read(keeping.kept)
    _, text = keeping.store.published(keeping.poll.id)
    keeping.erase(voters[0])
    keeping.store.publish(keeping.poll.id, 5, text)  # by a worker who had counted before
    assert read(keeping)["n"] == 29
    assert json.loads(keeping.store.published(keeping.poll.id)[1])["n"] == 29


def test_erasures_that_leave_too_few_reports_leave_nothing_to_show(begin, tmp_path):
    keeping = begin(poll_of("duel", 3, access="link"))
    voters = [keeping.cast() for _ in range(20)]
    keeping.close()
    results = Results(keeping.store)
    results.read(keeping.kept)
    publishing.board(keeping.store, keeping.kept, tmp_path / "boards")
    keeping.erase(voters[0])
    assert refused(keeping, results).code == "result.turnout"
    for show in (publishing.board, lambda *given: export(*given[:2], "csv")):
        with pytest.raises(hv.HushvoteError) as caught:
            show(keeping.store, keeping.kept, tmp_path / "boards")
        assert caught.value.code == "result.turnout"


# --- both databases ---------------------------------------------------------------------------


def test_on_both_databases_a_poll_is_counted_published_and_verified(store_url, run, tmp_path):
    keeping = Keeping.begin(store_url, poll_of("challenge", 3, access="codes", live=20))
    voters = stirred(keeping)
    live = read(keeping)
    assert (live["n"], live["certified"]) == (38, None)
    keeping.cast()
    assert read(keeping) == live
    keeping = keeping.again(store_url)
    assert read(keeping) == live
    keeping.close()
    last = read(keeping)
    assert (last["n"], last["closed"], last["margin"]["issued"]) == (39, True, 41)
    keeping.erase(voters[3])
    assert read(keeping)["n"] == 38
    path = publishing.board(keeping.store, keeping.kept, tmp_path / "boards")
    code, out, err = run("verify", path, "--digest", keeping.poll.digest)
    assert code == 0, out + err
    exported = b"".join(export(keeping.store, keeping.kept, "csv").blocks())
    assert exported.count(b"\n") == 39
    keeping.store.shut()


# --- at scale -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_very_many_reports_are_counted_published_and_exported(begin, tmp_path):
    """More than any part of the server holds at a time; `benchmarks/server.py` takes a million."""
    n = 100_000
    poll = poll_of("duel", 8, access="link")
    keeping = begin(poll)
    reports = voted(poll, n)
    keeping.pour(reports)
    keeping.close()
    shown = json.loads(Results(keeping.store).read(keeping.kept))
    path = publishing.board(keeping.store, keeping.kept, tmp_path)
    assert len(list(publishing.lines(path, "a1"))) > 1
    made = export(keeping.store, keeping.kept, "parquet", tmp_path)
    assert made.size > n
    made.file.close()
    direct = poll.mechanism.tally(reports).result()
    scores = {row["candidate"]: row["score"] for row in shown["candidates"]}
    assert [scores[name] for name in poll.candidates] == list(direct.scores)
    with path.open("rb") as file:
        assert sum(chunk.count(b"\n") for chunk in iter(lambda: file.read(1 << 20), b"")) == n + 1
