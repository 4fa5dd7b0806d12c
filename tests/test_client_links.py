"""Links of polls: read as people paste them, refused without repeating a secret."""

import os

import pytest

from hushvote.client.links import BallotLink, OrganiserLink, read_link, read_server
from hushvote.errors import PollError
from hushvote.poll.codes import new_code, read_code

ID, DIGEST, KEY = "0123456789abcdef" * 2, "ab" * 32, "cd" * 32
SERVER = "https://vote.example.org"


def test_a_ballots_link_is_read_and_written_again():
    text = f"{SERVER}/p/{ID}#{DIGEST}"
    link = read_link(f"  {text}\n")
    assert link == BallotLink(SERVER, ID, DIGEST)
    assert str(link) == text


def test_a_link_with_a_code_is_read_however_the_code_is_typed():
    code = new_code()
    link = read_link(f"{SERVER}/p/{ID}#{DIGEST}.{code.lower()}")
    assert isinstance(link, BallotLink)
    assert link.code == read_code(code)
    assert str(link).endswith(f"#{DIGEST}.{code}")
    assert code not in repr(link)
    assert read_code(code) not in repr(link)


def test_the_organisers_link_hides_its_key_from_whoever_prints_it():
    link = read_link(f"{SERVER}/o/{ID}#{KEY}")
    assert link == OrganiserLink(SERVER, ID, bytes.fromhex(KEY))
    assert str(link) == f"{SERVER}/o/{ID}#{KEY}"
    assert KEY not in repr(link)


@pytest.mark.parametrize(
    "server", ["http://127.0.0.1:8000", "https://example.org/polls/here", "http://[::1]:8000"]
)
def test_servers_may_have_a_port_and_a_path(server):
    assert read_link(f"{server}/p/{ID}#{DIGEST}").server == server
    assert read_server(f" {server}/ ") == server


@pytest.mark.parametrize(
    "text",
    [
        "",
        "vote.example.org",
        f"{SERVER}/p/{ID}",
        f"{SERVER}/p/{ID}#",
        f"{SERVER}/p/{ID}#{DIGEST[:-1]}",
        f"{SERVER}/p/{ID}#{DIGEST.upper()}",
        f"{SERVER}/p/{ID[:-1]}#{DIGEST}",
        f"{SERVER}/q/{ID}#{DIGEST}",
        f"{SERVER}/p/{ID}?x=1#{DIGEST}",
        f"{SERVER}/o/{ID}#{KEY}0",
        f"ftp://example.org/p/{ID}#{DIGEST}",
        f"https://ann:secret@example.org/p/{ID}#{DIGEST}",
        f"https://[::1/p/{ID}#{DIGEST}",
        f"https://example.org:0/p/{ID}#{DIGEST}",
        f"https://example.org:99999/p/{ID}#{DIGEST}",
        f"https://exa mple.org/p/{ID}#{DIGEST}",
        f"https://example.org/\x1b[31m/p/{ID}#{DIGEST}",
        f"https:///p/{ID}#{DIGEST}",
        "http://[",
    ],
)
def test_what_is_no_link_is_refused_in_one_sentence(text):
    with pytest.raises(PollError) as caught:
        read_link(text)
    assert caught.value.code == "link.form"
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["http://[", "example.org", "https://a/?x", "https://a#b", "//a"])
def test_what_is_no_address_is_refused(text):
    with pytest.raises(PollError, match="a server's address is as in"):
        read_server(text)


def test_a_refusal_repeats_neither_key_nor_code():
    key, code = os.urandom(32).hex(), new_code()
    wrong = code[:-1] + ("0" if code[-1] != "0" else "1")
    for text in (f"{SERVER}/o/{ID}#{key}0", f"{SERVER}/p/{ID}#{DIGEST}.{wrong}"):
        with pytest.raises(PollError) as caught:
            read_link(text)
        said = f"{caught.value} {caught.value.values}"
        assert key not in said
        assert wrong not in said
