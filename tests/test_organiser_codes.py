"""`hushvote poll codes` and `revoke`: no code is lost, and none leaves this machine."""

import csv
import io
import json
import stat
import sys

import pytest

from hushvote.client import organising
from hushvote.client.links import read_link
from hushvote.poll.codes import new_code
from tests.conftest import one_sentence
from tests.organising import good, made
from tests.serving import serving
from tests.voters import vote


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("server")
    with serving(folder / "polls.db", "--open", "--creations", "0") as running:
        yield running


def test_one_code_is_not_one_codes(hush):
    out = good(hush("poll", "codes", made(hush)["id"], "--number", "1", "--out", "one.csv"))
    assert "1 code issued, into one.csv, with a link each." in out


def test_codes_let_people_vote_and_revoked_ones_do_not(hush, tmp_path, server):
    found = made(hush)
    (tmp_path / "members.csv").write_text("name;mail\nÄnn;a@x\nBob;b@x\n=1+1;c@x\n", "utf-8")
    words = ("poll", "codes", found["id"], "--for", "members.csv", "--out", "codes.csv")
    code, out, err = hush(*words)
    assert code == 0
    assert "3 codes issued, into codes.csv" in out
    assert "formulas: 1" in " ".join(err.split())
    text = (tmp_path / "codes.csv").read_text()
    assert stat.S_IMODE((tmp_path / "codes.csv").stat().st_mode) == 0o600
    rows = [*csv.DictReader(text.splitlines(), delimiter=";")]
    assert not any(row["code"] in out + err for row in rows)
    assert rows[0]["link"] == f"{found['ballot']}.{rows[0]['code']}"
    assert "there is such a file already" in one_sentence(hush(*words))
    assert (tmp_path / "codes.csv").read_text() == text
    vote([read_link(rows[0]["link"])])
    taking = ("poll", "revoke", found["id"], "--from", "codes.csv", "--json", "--yes")
    assert json.loads(good(hush(*taking, "--name", "b@x"))) == {
        "id": found["id"],
        "revoked": 1,
        "left": 0,
    }
    code, out, _ = hush(*taking)
    assert (code, json.loads(out)["revoked"], json.loads(out)["left"]) == (1, 1, 2)
    with pytest.raises(AssertionError, match="code"):
        vote([read_link(rows[1]["link"])])
    shown = json.loads(good(hush("poll", "show", found["id"], "--json")))
    assert shown["codes"] == {"issued": 3, "used": 1, "revoked": 2}
    with server.client() as client:
        everything = client.get(f"/api/v1/polls/{found['id']}").text + server.output
    assert not any(row["code"] in everything for row in rows)


def test_codes_to_be_revoked_may_be_typed(hush, tmp_path, monkeypatch):
    found = made(hush)
    good(hush("poll", "codes", found["id"], "--number", "3", "-o", "codes.csv"))
    with (tmp_path / "codes.csv").open() as file:
        codes = [row["code"] for row in csv.DictReader(file)]
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{codes[0].lower()}\n{codes[1]}\n"))
    out = good(hush("poll", "revoke", found["id"], "--from", "-", "--yes"))
    assert "Revoked: 2 of 2." in out
    assert "--yes" in one_sentence(hush("poll", "revoke", found["id"], "--from", "codes.csv"))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--number", "5"), "--out codes.csv"),
        (("--out", "c.csv"), "say for whom"),
        (("--number", "5", "--for", "m.csv", "--out", "c.csv"), "say for whom"),
        (("--number", "0", "--out", "c.csv"), "from 1 to"),
        (("--number", "5", "--out", "c.xls"), "can be written as .csv"),
        (("--number", "5", "--out", "no/c.csv"), "there is no folder"),
        (("--for", "m.csv", "--out", "c.csv"), "there is no such file"),
        (("--again", "m.csv", "--number", "5"), "leave --number out"),
    ],
)
def test_codes_that_cannot_be_made_are_one_sentence(hush, tmp_path, words, said):
    found = made(hush)
    assert said in one_sentence(hush("poll", "codes", found["id"], *words))
    assert not [*tmp_path.glob("*.csv")]


def test_a_poll_by_link_has_no_codes(hush, tmp_path):
    found = made(hush, "--access", "link")
    for words in (("codes", "--number", "5", "--out", "c.csv"), ("revoke", "--from", "c.txt")):
        (tmp_path / "c.txt").write_text(new_code())
        said = one_sentence(hush("poll", words[0], found["id"], *words[1:]))
        assert "open to whoever has its link" in said
    assert not (tmp_path / "c.csv").exists()


def test_codes_are_written_before_they_are_sent_and_sent_again(hush, tmp_path, monkeypatch):
    """The second of three parts breaks: all codes are in the file, and go on from there."""
    found = made(hush)
    monkeypatch.setattr(organising, "MOST_HASHES", 4)
    real, parts = organising.Organised._own, []

    def breaking(self, method, rest, given=None):
        if rest == "/codes":
            assert (tmp_path / "codes.csv").exists()
            parts.append(len(given["codes"]))
            if len(parts) == 2:
                raise organising.RemoteError("the server is away", code="remote.unreached")
        return real(self, method, rest, given)

    monkeypatch.setattr(organising.Organised, "_own", breaking)
    words = ("poll", "codes", found["id"])
    said = one_sentence(hush(*words, "--number", "10", "--out", "codes.csv"))
    assert "only 4 of 10 are surely issued" in said
    assert "--again codes.csv" in said
    assert parts == [4, 4]
    assert json.loads(good(hush(*words, "--again", "codes.csv", "--json")))["codes"] == 10
    assert parts == [4, 4, 4, 4, 2]
    other = made(hush)
    said = one_sentence(hush("poll", "codes", other["id"], "--again", "codes.csv"))
    assert "written for another poll" in said
    shown = json.loads(good(hush("poll", "show", found["id"], "--json")))
    assert shown["codes"]["issued"] == 10


@pytest.mark.slow
def test_a_hundred_thousand_codes_go_in_parts(hush):
    found = made(hush)
    good(hush("poll", "codes", found["id"], "--number", "100001", "--out", "codes.csv"))
    shown = json.loads(good(hush("poll", "show", found["id"], "--json")))
    assert shown["codes"]["issued"] == 100_001
    assert [event.get("codes") for event in shown["log"]] == [None, 50_000, 50_000, 1]
