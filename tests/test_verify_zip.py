"""`hushvote verify` takes an archive as one zip, from friends and from strangers."""

import io
import json
import random
import stat
import struct
import tempfile
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest

from hushvote.errors import HushvoteError
from hushvote.poll import unpacking
from hushvote.poll.board import open_board
from hushvote.poll.published import recounted, written
from hushvote.poll.unpacking import unpack
from tests.conftest import one_sentence
from tests.polls import Election, poll_of

FOLDER = "hushvote-0123abcd/"


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """What is in an archive, by name."""
    poll = poll_of("duel", 3, access="link")
    held = Election(poll)
    for _ in range(24):
        held.cast()
    board = held.write(tmp_path_factory.mktemp("board") / "board.jsonl")
    return {
        "manifest.json": poll.text.encode(),
        "board.jsonl": board.read_bytes(),
        "result.json": written(recounted(open_board(board))).encode(),
        "index.html": b"<!doctype html>",
        "README.txt": b"An archive.\n",
    }


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def packed(files, path="archive.zip", how=zipfile.ZIP_STORED, folder=FOLDER):
    with zipfile.ZipFile(path, "w", how) as made:
        for name, content in files.items():
            made.writestr(folder + name, content)
    return Path(path)


@pytest.mark.parametrize("how", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
@pytest.mark.parametrize("folder", [FOLDER, "", "./", "a\\", "../../"])
def test_a_zip_is_checked_as_its_folder_is(run, here, files, how, folder):
    packed(files, how=how, folder=folder)
    code, out, err = run("verify", "archive.zip")
    assert code == 0, err
    for said in ("manifest.json is the manifest of the board", "result.json says what the board"):
        assert f"✓ {said}" in out
    assert sorted(path.name for path in here.iterdir()) == ["archive.zip"]  # and nothing beside it
    assert not (here.parent / "board.jsonl").exists()
    asked = ("verify", "archive.zip", "--digest", "0" * 64, "--json")
    code, out, _ = run(*asked)
    assert (code, json.loads(out)["holds"]) == (1, False)


def test_what_computers_add_to_a_zip_does_no_harm(run, here, files):
    added = {"__MACOSX/._board.jsonl": b"x", "__MACOSX/board.jsonl": b"x", ".DS_Store": b"x"}
    packed({**{f"chair/{name}": one for name, one in files.items()}, **added}, folder="")
    assert run("verify", "archive.zip")[0] == 0


def test_what_was_altered_within_a_zip_does_not_hold(run, here, files):
    packed({**files, "board.jsonl": files["board.jsonl"].rpartition(b'{"re')[0]})
    code, out, _ = run("verify", "archive.zip")
    assert code == 1
    assert "Not all of this holds" in out
    for name in ("result.json", "manifest.json"):
        for other in (b"{}", b""):
            packed({**files, name: other})
            code, out, _ = run("verify", "archive.zip")
            assert (code, f"✗ {name}" in out) == (1, True), other
    packed({**files, "board.jsonl": b""})
    assert run("verify", "archive.zip")[0] == 1


def test_a_poll_without_a_board_is_named_by_its_zip(run, here, files):
    packed({name: files[name] for name in ("manifest.json", "index.html", "README.txt")})
    said = one_sentence(run("verify", "archive.zip"))
    assert said.startswith("error: archive.zip has no board: the poll was closed with fewer than")


def test_another_zip_is_refused(run, here, files):
    none = "there is no board.jsonl in this zip"
    packed({"notes.txt": b"hello"})
    assert none in one_sentence(run("verify", "archive.zip"))
    packed({})
    assert none in one_sentence(run("verify", "archive.zip"))
    packed({name: one for name, one in files.items() if name != "board.jsonl"})
    assert none in one_sentence(run("verify", "archive.zip"))
    packed({**files, "other/board.jsonl": files["board.jsonl"]})
    assert "board.jsonl is in it more than once" in one_sentence(run("verify", "archive.zip"))
    packed(files, how=zipfile.ZIP_LZMA)
    assert "not read here; unpack it" in one_sentence(run("verify", "archive.zip"))
    raw = bytearray(packed(files).read_bytes())
    for at in range(len(raw) - 4):
        if raw[at : at + 4] == b"PK\x01\x02":
            raw[at + 8] |= 1  # which says that it has a password
    Path("archive.zip").write_bytes(raw)
    assert "it has a password" in one_sentence(run("verify", "archive.zip"))
    packed({}).rename("zip.txt")
    assert none in one_sentence(run("verify", "zip.txt"))


def test_a_link_within_a_zip_leads_nowhere(run, here, files):
    """What it points to is only its text, which is no board."""
    Path("secret").write_bytes(files["board.jsonl"])
    info = zipfile.ZipInfo(FOLDER + "board.jsonl")
    info.create_system, info.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile("archive.zip", "w") as made:
        made.writestr(info, str(Path("secret").absolute()))
    assert run("verify", "archive.zip")[0] == 1


def test_a_damaged_zip_is_refused_in_one_sentence(run, here, files):
    raw = packed(files, how=zipfile.ZIP_DEFLATED).read_bytes()
    flipped = bytearray(raw)
    flipped[raw.index(b"board.jsonl") + 200] ^= 1
    for other in (raw[:-1], raw[: len(raw) // 2], raw[:10], bytes(flipped)):
        Path("archive.zip").write_bytes(other)
        said = one_sentence(run("verify", "archive.zip"))
        assert said == (
            "error: cannot read archive.zip: this zip is damaged, or its end is missing; save or "
            "copy it again"
        )


def test_a_zip_that_unpacks_to_very_much_is_refused(run, here, files, monkeypatch):
    packed({**files, "board.jsonl": b'{"casts":' + bytes(1 << 24)}, how=zipfile.ZIP_DEFLATED)
    said = one_sentence(run("verify", "archive.zip"))
    assert "archive.zip: board.jsonl in it would have 16,777,225 bytes" in said
    monkeypatch.setitem(unpacking.LARGEST, "board.jsonl", 1000)
    packed(files)
    assert "more than a poll can make" in one_sentence(run("verify", "archive.zip"))
    monkeypatch.setattr(unpacking, "LISTED", 100)  # the list of such a zip is longer
    assert "this zip is damaged" in one_sentence(run("verify", "archive.zip"))


def test_a_file_that_is_longer_than_it_says_is_not_unpacked(here, files):
    raw = packed(files, how=zipfile.ZIP_DEFLATED).read_bytes()
    size = struct.pack("<I", len(files["board.jsonl"]))
    assert raw.count(size) == 2
    for less in (0, 100):
        lie = raw.replace(size, struct.pack("<I", less))
        Path("archive.zip").write_bytes(lie)
        folder = Path(tempfile.mkdtemp(dir=here))
        with pytest.raises(HushvoteError, match="damaged"):
            unpack(Path("archive.zip"), folder)
        written = folder / "board.jsonl"
        assert not written.exists() or written.stat().st_size <= less


def test_whatever_bytes_are_changed_nothing_else_is_raised(here, files):
    """Every refusal is one of hushvote's own, and only the three files are ever written."""
    small = {**files, "board.jsonl": files["board.jsonl"][:300]}
    drawn, path = random.Random(7), Path("archive.zip")
    for how in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raw = packed(small, how=how).read_bytes()
        marks = [at for at in range(len(raw) - 1) if raw[at : at + 2] == b"PK"]
        for turn in range(250):
            made = bytearray(raw)
            for _ in range(drawn.randint(1, 4)):
                near = drawn.choice(marks) + drawn.randrange(60) if turn % 3 else None
                at = drawn.randrange(len(made)) if near is None else min(near, len(made) - 1)
                made[at] = drawn.choice([0, 1, 0x7F, 0x80, 0xFF, drawn.randrange(256)])
            path.write_bytes(made[: drawn.randrange(len(made))] if turn % 7 == 0 else made)
            with tempfile.TemporaryDirectory(dir=here) as folder:
                with suppress(HushvoteError):
                    unpack(path, Path(folder))
                names = {one.name for one in Path(folder).iterdir()}
                assert names <= {"manifest.json", "board.jsonl", "result.json"}
    assert {one.name for one in here.iterdir()} == {"archive.zip"}


def test_a_zip_may_be_read_from_anywhere_in_it():
    """The file that zips are read through is one that can be gone about in."""
    file = unpacking._Bounded(io.BytesIO(b"0123456789"))
    assert (file.seek(-3, 2), file.read(2), file.tell(), file.read()) == (7, b"78", 9, b"9")
