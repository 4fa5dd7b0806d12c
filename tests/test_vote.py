"""`hushvote vote` without a terminal, against a real server."""

import io
import json
import sys
from pathlib import Path

import pytest

from hushvote.client import keeping
from hushvote.client.links import BallotLink
from hushvote.poll.acknowledgements import Acknowledgement
from hushvote.poll.codes import read_code
from tests.between import between
from tests.conftest import one_sentence
from tests.serving import Remote, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving(
        tmp_path_factory.mktemp("store") / "polls.db", "--open", "--creations", "0"
    ) as one:
        yield one


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A machine of a voter's own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path


@pytest.fixture
def remote(client, home):
    """A poll in which no two draws are the same: a change to the same report is none."""
    return Remote.create(client, mechanism="laplace")


def link_of(remote, address, code=None):
    given = None if code is None else read_code(code)
    return str(BallotLink(address, remote.poll.id, remote.poll.digest, given))


@pytest.fixture
def link(remote, server):
    return link_of(remote, server.address)


RANKED = ("--ranking", "Ann > Bob > Cem", "--yes")
OTHER = ("--ranking", "Cem > Bob > Ann", "--yes")


def voted(run, *words):
    code, out, err = run("vote", *words, "--json")
    assert code == 0, err
    return json.loads(out)


def device(remote):
    return keeping.find(remote.poll.digest).device


def test_a_vote_is_cast_and_its_acknowledgement_kept(run, remote, link):
    code, out, _ = run("vote", link, *RANKED, "--save-ack", "ack.json")
    assert code == 0
    assert "Cast. Keep your receipt." in out
    assert remote.told()["standing"] == 1
    ack = Acknowledgement.from_json(Path("ack.json").read_bytes().strip())
    ack.check(remote.poll)
    assert f"Receipt: {ack.receipt}" in out
    assert keeping.find(remote.poll.digest).acknowledgements == (ack,)
    assert device(remote).spent == 1


def test_what_is_shown_is_what_is_sent(run, remote, server):
    with between(server.address) as way:
        _, out, _ = run("vote", link_of(remote, way.address), *RANKED)
    ((kind, body),) = way.posted
    assert kind == "reports"
    text = body.decode().rstrip(" ")
    assert text in out.splitlines()
    assert f"(filled up with spaces, {len(body) - len(text):,} of them" in out
    report = json.loads(text)["report"]
    assert remote.poll.words(remote.poll.mechanism.domain.from_wire(report)) in out
    assert "by at most 2.72" in out
    assert out.index("Not yet cast.") < out.index("Cast. Keep your receipt.")


def test_the_same_command_again_changes_nothing(run, remote, link):
    first = voted(run, link, *RANKED)
    assert voted(run, link, *RANKED) == first
    assert voted(run, link, "--yes") == first
    assert remote.told()["casts"] == 1
    assert "--change changes to this one" in one_sentence_with_note(run("vote", link, *OTHER))
    assert device(remote).spent == 1


def one_sentence_with_note(result):
    code, out, err = result
    return one_sentence((code, out, err.splitlines()[-1]))


def test_a_change_says_what_it_costs_and_a_withdrawal_is_final(run, remote, link):
    run("vote", link, *RANKED)
    _, out, _ = run("vote", link, "--change", *OTHER)
    assert "1 so far, 2 with it" in out
    assert "by at most 7.39" in " ".join(out.split())
    assert "Changed. Keep your receipt." in out
    assert remote.told()["changes"] == 1
    _, out, _ = run("vote", link, "--change", *OTHER)
    assert "your report stands" in out
    assert remote.told()["changes"] == 1
    _, out, _ = run("vote", link, "--change", *RANKED)
    assert "costs nothing new" in out
    assert device(remote).spent == 2
    third = ("--ranking", "Bob > Ann > Cem", "--yes")
    assert "as often as the poll allows" in one_sentence_with_note(
        run("vote", link, "--change", *third)
    )
    code, out, _ = run("vote", link, "--withdraw", "--yes")
    assert code == 0
    assert "Withdrawn." in out
    assert remote.told()["standing"] == 0
    for words in (("--change", *OTHER), RANKED, ("--withdraw", "--yes")):
        assert "that is final" in one_sentence_with_note(run("vote", link, *words))
    _, out, _ = run("vote", link, "--show", "--save-ack", "gone.json")
    assert "Your vote is withdrawn: it is not counted, and that is final." in out
    assert out.count("; it does not stand:") == 2
    assert "Spent: epsilon 2" in out
    assert "It proves that your vote was taken back." in out
    assert "Left:" not in out
    assert "and stands" not in out
    told = json.loads(run("vote", link, "--show", "--json")[1])
    assert (told["standing"], told["changes_left"]) == ("withdrawn", 0)
    assert not any(one["stands"] for one in told["draws"])
    assert len(keeping.find(remote.poll.digest).acknowledgements) == 4


@pytest.mark.parametrize(
    ("epsilon", "said"),
    [
        ("5", ("Chance may have made it say the opposite", "Der Zufall kann ihn das Gegenteil")),
        ("6", ("At epsilon 6 that protects little", "Bei Epsilon 6 schützt das wenig")),
    ],
)
def test_voters_are_told_that_chance_may_contradict_them(
    run, client, server, home, monkeypatch, epsilon, said
):
    link = link_of(Remote.create(client, epsilon=epsilon), server.address)
    for language, words in zip(("en", "de"), said, strict=True):
        monkeypatch.setenv("XDG_STATE_HOME", str(home / language))
        code, out, _ = run("--lang", language, "vote", link, *RANKED)
        assert code == 0
        assert words in " ".join(out.split())
        done = "Cast. Keep your receipt." if language == "en" else "Abgegeben."
        assert out.index(words[:20]) < out.index(done)


def test_there_is_nothing_to_change_or_withdraw_before_a_cast(run, link):
    assert "cast one first" in one_sentence_with_note(run("vote", link, "--change", *RANKED))
    assert "no vote to withdraw here: one that was cast elsewhere needs" in one_sentence(
        run("vote", link, "--withdraw", "--yes")
    )
    assert one_sentence(run("vote", link, "--save-credential", "c", "--change", "--yes"))


def test_a_ranking_from_standard_input_is_no_argument(run, remote, link, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("Cem\nAnn\nBob\n"))
    code, _, err = run("vote", link, "--ranking", "-", "--yes")
    assert (code, err) == (0, "")
    assert device(remote).draws[0].ranking == (2, 0, 1)


def test_arguments_are_warned_of_and_may_have_commas(run, client, server, home):
    remote = Remote.create(client, candidates=["Ann, sr.", "Bob > x", "Cem"])
    link = link_of(remote, server.address)
    code, _, err = run("vote", link, "Cem", "Ann, sr.", "Bob > x", "--yes")
    assert code == 0
    assert "stay in the shell's history" in err
    assert device(remote).draws[0].ranking == (2, 0, 1)


def test_a_poll_of_partial_rankings_takes_some(run, client, server, home):
    remote = Remote.create(client, partial=True)
    voted(run, link_of(remote, server.address), "Cem", "--yes")
    assert device(remote).draws[0].ranking == (2,)


def test_a_full_poll_does_not(run, remote, link):
    said = one_sentence_with_note(run("vote", link, "Cem", "--yes"))
    assert "wants all of its 3 candidates ranked: rank Ann and Bob, too" in said
    assert keeping.find(remote.poll.digest) is None


def test_a_ranking_that_names_nobody_is_refused_in_the_voters_words(run, remote, link, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("\n"))
    said = one_sentence(run("vote", link, "--ranking", "-", "--yes"))
    assert "no candidate is named: give them best first, as in 'Ann > Bob'" in said
    assert keeping.find(remote.poll.digest) is None


def test_several_reports_that_protect_little_together_say_so(run, client, server, home):
    remote = Remote.create(client, epsilon="3")
    link = link_of(remote, server.address)
    assert "protects little" not in run("vote", link, *RANKED)[1]
    out = " ".join(run("vote", link, "--change", *OTHER)[1].split())
    assert "2 reports together are epsilon 6: that protects little." in out


def test_a_dry_run_draws_and_sends_nothing(run, remote, server):
    with between(server.address) as way:
        link = link_of(remote, way.address)
        code, out, _ = run("vote", link, "--ranking", "Ann > Bob > Cem", "--dry-run")
        assert code == 0
        assert "made up at random" in out
        assert "A dry run" in out
        assert keeping.find(remote.poll.digest) is None
        run("vote", link, "--dry-run")
        assert way.posted == []
        run("vote", link, *RANKED)
        _, out, _ = run("vote", link, "--ranking", "Ann > Bob > Cem", "--dry-run")
        assert "For this ranking a report is kept" in out
        assert len(way.posted) == 1
    assert device(remote).spent == 1


# --- codes ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("mechanism", ["duel", "challenge"])
def test_a_code_comes_in_the_link_or_from_a_file(run, client, server, home, mechanism):
    remote = Remote.create(client, access="codes", mechanism=mechanism)
    first, second, third = remote.issue(3)
    link = link_of(remote, server.address)
    assert "needs your invite code" in one_sentence_with_note(run("vote", link, *RANKED))
    (home / "code").write_text(f"{first.lower()}\n")
    voted(run, link, *RANKED, "--code-file", "code")
    voted(run, link, "--change", *OTHER)  # what is kept knows the question
    assert remote.told()["codes"]["used"] == 1
    run("vote", link, "--forget", "--yes")
    code, out, _ = run("vote", link_of(remote, server.address, second), *RANKED)
    assert code == 0
    assert second not in out
    run("vote", link, "--forget", "--yes")
    code, _, err = run("vote", link_of(remote, server.address, second), *RANKED)
    assert code == 2
    said = "error: Not cast; what you drew is kept: this code was used for another vote\n"
    assert err.endswith(said)
    assert device(remote).request is None
    (home / "code").write_text(third)
    report = device(remote).draws[0].report
    done = voted(run, link, *RANKED, "--code-file", "code")
    if mechanism == "duel":  # the same ranking: the report that was drawn for it
        assert [one["report"] for one in done["draws"]] == [report]


def test_a_link_poll_takes_no_code(run, remote, server):
    link = link_of(remote, server.address, "0123456789ABCDEFGHJKJ")
    assert "takes no code" in one_sentence_with_note(run("vote", link, *RANKED))
    assert keeping.find(remote.poll.digest) is None


# --- another machine ------------------------------------------------------------------------------


def test_a_credential_changes_from_another_machine_by_a_new_draw(
    run, remote, link, home, monkeypatch
):
    run("vote", link, *RANKED)
    assert run("vote", link, "--save-credential", "credential")[0] == 0
    assert (home / "credential").stat().st_mode & 0o777 == 0o600
    said = run("vote", link, "--change", *OTHER, "--credential", "credential")
    assert "keeps a vote in this poll already" in one_sentence_with_note(said)
    assert "give another name" in one_sentence(
        run("vote", link, "--save-credential", "credential", "--yes")
    )
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "elsewhere"))
    told = voted(run, link, "--change", *RANKED, "--credential", "credential")
    assert told["spent"] == 2
    assert len(told["draws"]) == 1
    assert remote.told()["changes"] == 1
    assert "--credential goes with" in one_sentence(
        run("vote", link, "--credential", "credential", "--yes")
    )


def test_a_damaged_credential_is_refused(run, link, home, remote):
    (home / "credential").write_text("{}")
    said = run("vote", link, "--withdraw", "--credential", "credential", "--yes")
    assert "no credential, or a damaged one" in one_sentence(said)
    assert keeping.find(remote.poll.digest) is None


# --- when things go wrong -------------------------------------------------------------------------


def test_a_lost_answer_loses_nothing_and_the_same_bytes_are_sent_again(run, remote, server):
    with between(server.address) as way:
        link = link_of(remote, way.address)
        way.mute = True
        code, out, err = run("vote", link, *RANKED)
        assert code == 2
        assert "Cast." not in out
        assert "Not yet cast, as far as this machine knows" in err
        assert "cannot be reached" in err
        way.mute, way.lost = False, True
        run("vote", link, *RANKED)
        way.lost = False
        _, out, _ = run("vote", link, *RANKED)
        assert "The same bytes are sent again." in out
        assert "Cast. Keep your receipt." in out
        assert len(way.posted) == 3
        assert len(set(way.posted)) == 1
    assert remote.told()["casts"] == 1
    assert device(remote).spent == 1


def test_what_was_agreed_to_is_sent_before_anything_else(run, remote, server):
    with between(server.address) as way:
        link = link_of(remote, way.address)
        way.lost = True
        run("vote", link, *RANKED)
        way.lost = False
        assert "--change changes to this one" in run("vote", link, *OTHER)[2]
        assert device(remote).standing == "report"
        way.mute = True
        run("vote", link, "--change", *OTHER)
        way.mute = False
        code, out, _ = run("vote", link, "--withdraw", "--yes")
        assert code == 0
        assert "Withdrawn." in out
        assert [kind for kind, _ in way.posted] == [
            *("reports", "reports", "changes", "changes", "withdrawals")
        ]
    told = remote.told()
    assert (told["casts"], told["changes"], told["withdrawals"]) == (1, 1, 1)


@pytest.mark.parametrize(
    ("code", "lie"),
    [
        ("signed", lambda ack: {**ack, "signature": "ab" * 64}),
        ("damaged", lambda _: []),
        ("another poll", lambda ack: {**ack, "poll": "0" * 64}),
    ],
)
def test_an_answer_that_is_not_right_is_not_believed(run, remote, server, code, lie):
    with between(server.address) as way:
        link = link_of(remote, way.address)
        way.lies = lambda answer: json.dumps(lie(json.loads(answer))).encode()
        ended, out, err = run("vote", link, *RANKED)
        assert ended == 2
        assert "Cast." not in out
        assert code in err
        assert "the request is, and the same command sends it again" in err
        assert device(remote).standing == "nothing"
        way.lies = None
        assert voted(run, link, *RANKED)["standing"] == "report"


@pytest.mark.parametrize("status", [403, 404, 429, 500, 503])
def test_a_refusal_that_is_not_the_polls_keeps_the_request(run, remote, server, status):
    with between(server.address) as way:
        link = link_of(remote, way.address)
        way.answer = (status, b"<h1>proxy</h1>")
        assert run("vote", link, *RANKED)[0] == 2
        assert device(remote).request is not None
        way.answer = None
        assert voted(run, link, *RANKED)["standing"] == "report"
        assert len(set(way.posted)) == 1


def test_a_server_cannot_steer_the_terminal(run, remote, server):
    with between(server.address) as way:
        told = {"code": "vote.\x1b[2Jcode", "detail": "bad \x1b]0;x\x07 code"}
        way.answer = (409, json.dumps(told).encode())
        _, out, err = run("vote", link_of(remote, way.address), *RANKED)
        assert "\x1b]" not in out + err
        assert "\x07" not in out + err


def test_a_closed_poll_spends_no_draw(run, remote, link):
    remote.own("POST", "/close")
    assert "is closed" in one_sentence_with_note(run("vote", link, *RANKED))
    assert keeping.find(remote.poll.digest) is None


def test_whether_an_unanswered_vote_was_taken_before_close_is_left_open(run, remote, server):
    with between(server.address) as way:
        link = link_of(remote, way.address)
        way.mute = True
        run("vote", link, *RANKED)
        remote.own("POST", "/close")
        way.mute = False
        said = run("vote", link, *RANKED)[2]
        assert "Nobody here can tell whether your last request was taken" in said
        assert device(remote).request is not None


def test_another_poll_than_the_link_names_is_refused(run, client, server, home):
    one, other = Remote.create(client), Remote.create(client, question="Another?")
    link = str(BallotLink(server.address, other.poll.id, one.poll.digest))
    assert one_sentence_with_note(run("vote", link, *RANKED))
    assert keeping.find(one.poll.digest) is None


def test_damaged_files_stop_everything_but_forgetting(run, remote, link):
    voted(run, link, *RANKED)
    path = keeping.path_of(remote.poll.digest)
    path.write_text(path.read_text()[:-20])
    before = path.read_bytes()
    for words in (RANKED, ("--change", *OTHER), ("--show",), ("--withdraw", "--yes")):
        assert "is damaged" in one_sentence_with_note(run("vote", link, *words))
    assert path.read_bytes() == before
    assert run("vote", link, "--forget", "--yes")[0] == 0
    assert not path.exists()


def test_two_commands_do_not_vote_at_once(run, remote, link):
    with keeping.locked(remote.poll.digest):
        assert "another hushvote" in one_sentence_with_note(run("vote", link, *RANKED))
        assert "another hushvote" in one_sentence(run("vote", link, "--forget", "--yes"))


# --- what is given --------------------------------------------------------------------------------


def test_show_and_forget_need_no_server(run, remote, link):
    assert "Nothing is kept here" in run("vote", link, "--show")[1]
    voted(run, link, *RANKED)
    away = link_of(remote, "http://127.0.0.1:9")
    told = json.loads(run("vote", away, "--show", "--json")[1])
    assert (told["standing"], told["draws"][0]["stands"]) == ("report", True)
    _, out, _ = run("vote", away, "--show")
    assert "Your vote stands." in out
    assert "Left: 2 draws, 2 changes. Spent: epsilon 1." in out
    assert "give --yes" in one_sentence(run("vote", away, "--forget"))
    assert "Forgotten." in run("vote", away, "--forget", "--yes")[1]
    assert keeping.find(remote.poll.digest) is None


def test_the_link_may_be_in_a_file_or_on_standard_input(run, remote, link, home, monkeypatch):
    (home / "link").write_text(link + "\n")
    voted(run, "--link-file", "link", "Ann", "Bob", "Cem", "--yes")
    monkeypatch.setattr(sys, "stdin", io.StringIO(link + "\n"))
    assert voted(run, "-", "--yes")["standing"] == "report"


def test_link_code_and_ranking_may_all_come_from_standard_input(
    run, client, server, home, monkeypatch
):
    remote = Remote.create(client, access="codes")
    [code] = remote.issue(1)
    link = link_of(remote, server.address, code)
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{link}\nCem\nAnn\nBob\n"))
    code, _, err = run("vote", "-", "--ranking", "-", "--yes")
    assert (code, err) == (0, "")
    assert device(remote).draws[0].ranking == (2, 0, 1)
    _, _, err = run("vote", link, "--show")
    assert "Your invite code is in this link" in err
    _, _, err = run("vote", link_of(remote, server.address), "--show")
    assert err == ""


def test_organisers_links_and_no_links_are_refused_without_repeating_them(run, remote, server):
    secret = remote.key.hex()
    said = one_sentence(run("vote", f"{server.address}/o/{remote.poll.id}#{secret}", "--yes"))
    assert "organiser's link" in said
    assert secret not in said
    assert "give the link" in one_sentence(run("vote"))
    assert "a poll's link is as in" in one_sentence(run("vote", "hello", "--yes"))
    plain = f"http://vote.example.org/p/{remote.poll.id}#{remote.poll.digest}"
    assert "--insecure" in one_sentence(run("vote", plain, "--yes"))


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--change", "--withdraw", "--yes"), "not several"),
        (("--json",), "give --yes"),
        (("--ranking", "Ann", "Bob", "--yes"), "once"),
        ((), "this is no terminal"),
        (("--yes",), "give the ranking"),
        (("--ranking", "Ann > Bob > Zoe", "--yes"), "there is no candidate 'Zoe'"),
        ((*RANKED, "--save-ack", "no/folder/ack.json"), "there is no folder"),
    ],
)
def test_what_does_not_go_together_is_said_before_anything_is_drawn(run, remote, link, words, says):
    assert says in one_sentence_with_note(run("vote", link, *words))
    assert keeping.find(remote.poll.digest) is None


def test_a_vote_that_is_kept_is_not_touched_with_the_code_of_somebody_else(
    client, home, server, run
):
    """Two people of one account: the second does not vote for the first."""
    remote = Remote.create(client, access="codes")
    first, second = (link_of(remote, server.address, one) for one in remote.issue(2))
    voted(run, first, *RANKED)
    before = device(remote)
    for words in (
        RANKED,
        OTHER,
        (*OTHER, "--change"),
        ("--withdraw", "--yes"),
        ("--erase", "--yes"),
    ):
        code, out, err = run("vote", second, *words)
        assert (code, out) == (2, "")
        assert "a vote with another code is kept here" in err
    assert device(remote) == before
    assert remote.told()["casts"] == 1
    voted(run, first, *OTHER, "--change")


def test_copies_of_a_vote_need_neither_server_nor_questions(run, remote, link, home):
    voted(run, link, *RANKED)
    away = link_of(remote, "http://127.0.0.1:9")
    code, out, err = run("vote", away, "--save-ack", str(home / "ack.json"))
    assert (code, err) == (0, "")
    assert "The acknowledgement is saved" in out
    Acknowledgement.from_json((home / "ack.json").read_text()).check(remote.poll)
    told = voted(run, away, "--show", "--save-credential", str(home / "credential.json"))
    assert told["standing"] == "report"
    assert (home / "credential.json").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--withdraw", "--yes", "--save-credential", "c.json"), "has no credential any more"),
        ((*RANKED, "--save-ack", "a.json", "--save-credential", "a.json"), "give two names"),
        ((*RANKED, "--dry-run", "--json"), "leave --json out"),
    ],
)
def test_what_could_not_be_done_in_the_end_is_refused_before_anything_is_sent(
    run, remote, link, words, said
):
    code, out, err = run("vote", link, *words)
    assert (code, out) == (2, "")
    assert said in err
    assert keeping.find(remote.poll.digest) is None
    assert remote.told()["casts"] == 0


def test_what_is_forgotten_leaves_no_name_of_the_poll(run, remote, link, home):
    run("vote", link, "--ranking", "Ann > Bob > Cem", "--dry-run")
    folder = home / "state" / "hushvote" / "votes"
    assert list(folder.iterdir()) == []
    voted(run, link, *RANKED)
    assert len(list(folder.iterdir())) == 2  # the vote, and its lock
    assert run("vote", link, "--forget", "--yes")[0] == 0
    assert list(folder.iterdir()) == []
