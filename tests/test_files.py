import errno
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

import hushvote as hv
from hushvote import files
from hushvote.errors import FileError
from hushvote.files import reading, writing, writing_folder
from hushvote.formats import open_rankings
from hushvote.formats.reports import open_reports
from tests.conftest import names_in


def test_a_written_file_appears_whole_and_alone(tmp_path):
    path = tmp_path / "result.json"
    with writing(path) as part:
        assert part.parent == tmp_path
        part.write_text("{}")
        assert not path.exists()
    assert path.read_text() == "{}"
    assert list(tmp_path.iterdir()) == [path]


def test_a_written_file_follows_the_umask(tmp_path):
    before = os.umask(0o027)
    try:
        with writing(tmp_path / "a") as part:
            part.write_text("x")
    finally:
        os.umask(before)
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("failure", [RuntimeError, KeyboardInterrupt, FileError])
def test_a_failing_writer_leaves_the_old_file_and_nothing_else(tmp_path, failure):
    path = tmp_path / "result.json"
    path.write_text("old")

    def fail():
        with writing(path) as part:
            part.write_text("half")
            raise failure("stop")

    with pytest.raises(failure, match="stop"):
        fail()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_is_one_sentence_and_leaves_no_part(tmp_path):
    path = tmp_path / "result.json"

    def fill():
        with writing(path) as part:
            part.write_text("half")
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.raises(FileError, match=r"cannot write .*result\.json: no space left on device"):
        fill()
    assert list(tmp_path.iterdir()) == []


def write_to(path):
    with writing(path) as part:
        part.write_text("x")


def test_who_reads_while_it_is_written_sees_the_old_file(tmp_path):
    path = tmp_path / "a"
    path.write_text("old")
    with path.open() as reader:
        write_to(path)
        assert reader.read() == "old"
    assert path.read_text() == "x"


def test_a_file_is_on_the_disk_before_it_has_its_name(tmp_path, monkeypatch):
    named = []
    monkeypatch.setattr(os, "fsync", lambda _: named.append((tmp_path / "a").exists()))
    write_to(tmp_path / "a")
    assert named == [False]


def test_writing_into_a_missing_folder_names_the_folder(tmp_path):
    with pytest.raises(FileError, match=r"there is no folder .*/missing; make that folder first"):
        write_to(tmp_path / "missing" / "a.csv")


def test_writing_onto_a_folder_is_refused(tmp_path):
    with pytest.raises(FileError, match="it is a folder; give the name of a file"):
        write_to(tmp_path)


def test_a_device_is_never_replaced():
    with pytest.raises(FileError, match="it is a device"):
        write_to("/dev/null")
    assert Path("/dev/null").is_char_device()


def test_an_unwritable_folder_is_one_sentence(tmp_path, monkeypatch):
    def refuse(*_):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(os, "open", refuse)  # root may write anywhere, so permissions do not test
    with pytest.raises(FileError, match=r"a\.csv: permission denied; choose a folder"):
        write_to(tmp_path / "a.csv")


def test_a_link_keeps_pointing_to_the_written_file(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_to(tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "x"


def read_from(path):
    with reading(path) as file:
        return file.read()


def test_reading_gives_the_bytes(tmp_path):
    (tmp_path / "a").write_bytes(b"\x00x")
    assert read_from(tmp_path / "a") == b"\x00x"


def test_reading_what_is_not_there_is_one_sentence(tmp_path):
    with pytest.raises(FileError, match=r"none\.csv: there is no such file; check the name"):
        read_from(tmp_path / "none.csv")
    with pytest.raises(FileError, match="it is a folder"):
        read_from(tmp_path)
    (tmp_path / "empty").touch()
    with pytest.raises(FileError, match="the file is empty"):
        read_from(tmp_path / "empty")
    (tmp_path / "file").touch()
    with pytest.raises(FileError, match="not a directory"):
        read_from(tmp_path / "file" / "a")
    with pytest.raises(FileError, match="no file can have this name"):
        read_from("a\0b")
    with pytest.raises(FileError, match="pipe or device"):
        read_from("/dev/zero")


def test_a_disk_error_while_reading_names_the_file(tmp_path):
    (tmp_path / "a").write_text("x")

    def fail():
        with reading(tmp_path / "a"):
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    with pytest.raises(FileError, match=r"cannot read .*/a: input/output error"):
        fail()


def mode(path):
    return path.stat().st_mode & 0o777


@pytest.mark.parametrize("kept", [0o600, 0o644, 0o660, 0o604])
def test_an_existing_file_keeps_its_permissions(tmp_path, kept):
    path = tmp_path / "a"
    path.write_text("old")
    path.chmod(kept)
    write_to(path)
    assert path.read_text() == "x"
    assert mode(path) == kept


def test_a_part_is_never_readable_by_others(tmp_path):
    path = tmp_path / "a"
    path.write_text("old")
    path.chmod(0o644)
    with writing(path) as part:
        part.write_text("secret")
        assert mode(part) == 0o600


def test_a_private_file_is_its_owners_alone_whatever_was_there(tmp_path):
    path = tmp_path / "a"
    for old in (None, 0o644):
        if old is not None:
            path.chmod(old)
        with writing(path, private=True) as part:
            part.write_text("secret")
        assert mode(path) == 0o600


def test_a_fresh_file_replaces_none(tmp_path):
    path = tmp_path / "a"

    def write(text):
        with writing(path, private=True, fresh=True) as part:
            part.write_text(text)

    write("first")
    with pytest.raises(FileError, match="there is such a file already") as caught:
        write("second")
    assert caught.value.code == "file.exists"
    assert path.read_text() == "first"
    assert mode(path) == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_a_fresh_file_needs_no_second_names(tmp_path, monkeypatch):
    def refuse(*_):
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(os, "link", refuse)
    test_a_fresh_file_replaces_none(tmp_path)


def test_an_existing_file_keeps_its_owner_before_it_gets_its_permissions(tmp_path, monkeypatch):
    path = tmp_path / "a"
    path.write_text("old")
    path.chmod(0o640)
    old, done = path.stat(), []
    monkeypatch.setattr(os, "fchown", lambda _, *who: done.append(who))
    monkeypatch.setattr(os, "fchmod", lambda _, bits: done.append(bits))
    monkeypatch.setattr(
        os, "fstat", lambda _: os.stat_result((0o100600, 0, 0, 1, 77, 78, *[0] * 4))
    )
    write_to(path)
    assert done == [(old.st_uid, old.st_gid), 0o640]


@pytest.mark.parametrize(("kept", "given"), [(0o640, 0o600), (0o664, 0o644), (0o606, 0o666)])
def test_a_group_that_cannot_be_kept_passes_nothing_on(tmp_path, monkeypatch, kept, given):
    path = tmp_path / "a"
    path.write_text("old")
    path.chmod(kept)

    def refuse(*_):
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(os, "fchown", refuse)
    monkeypatch.setattr(
        os, "fstat", lambda _: os.stat_result((0o100600, 0, 0, 1, 77, 78, *[0] * 4))
    )
    write_to(path)
    monkeypatch.undo()
    assert mode(path) == given


def test_a_pipe_or_a_missing_table_is_one_sentence(tmp_path):
    os.mkfifo(tmp_path / "pipe.parquet")
    (tmp_path / "empty.parquet").touch()
    (tmp_path / "folder.parquet").mkdir()
    for opened in (open_rankings, open_reports):
        for name, said in [
            ("pipe", "pipe or device"),
            ("empty", "the file is empty"),
            ("folder", "it is a folder"),
            ("none", "there is no such file"),
        ]:
            with pytest.raises(FileError, match=said):
                opened(tmp_path / f"{name}.parquet")


def test_a_name_that_is_no_text_can_be_written_and_read(tmp_path):
    path = tmp_path / os.fsdecode(b"\xff.parquet")
    hv.write_rankings(path, hv.Rankings([[1, 0]], ("Ann", "Bob")))
    assert hv.read_rankings(path).n == 1
    made = hv.Additive(hv.borda(2), 1)
    reports = tmp_path / os.fsdecode(b"\xfe.parquet")
    assert hv.privatize_file(hv.open_rankings(path), made, reports) == 1
    assert hv.tally_files([reports]).n == 1


KILLED = """
import os, signal, sys
from hushvote import files
with getattr(files, sys.argv[1])(sys.argv[2]) as part:
    (part / "half" if part.is_dir() else part).write_text("half")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def killed_while(door, path):
    """A process is killed while it writes; what it has left."""
    done = subprocess.run([sys.executable, "-c", KILLED, door, path], check=False)
    assert done.returncode == -signal.SIGKILL
    assert not path.exists()
    return names_in(path.parent)


def test_what_a_killed_writer_left_goes_when_the_same_is_written_again(tmp_path):
    assert killed_while("writing", tmp_path / "a") == [".a.part"]
    write_to(tmp_path / "b")
    assert names_in(tmp_path) == [".a.part", "b"]
    with writing(tmp_path / "a") as part:
        assert part.read_text() == ""
        part.write_text("x")
    assert names_in(tmp_path) == ["a", "b"]
    assert (tmp_path / "a").read_text() == "x"


def test_what_a_living_writer_has_begun_stays_and_the_last_one_is_read(tmp_path):
    path = tmp_path / "a"
    with writing(path) as one:
        one.write_text("one")
        with writing(path) as other:
            assert other != one
            other.write_text("other")
        assert path.read_text() == "other"
        assert one.read_text() == "one"
    assert path.read_text() == "one"
    assert names_in(tmp_path) == ["a"]


RACE = """
import sys
from hushvote import files
for k in range(100):
    with files.writing(sys.argv[1]) as part:
        part.write_text(f"{k}" * 100)
"""


def test_writers_of_one_name_do_not_take_each_others_parts(tmp_path):
    path = tmp_path / "a"
    racing = [subprocess.Popen([sys.executable, "-c", RACE, path]) for _ in range(8)]
    assert [one.wait(60) for one in racing] == [0] * 8
    assert path.read_text() == "99" * 100
    assert names_in(tmp_path) == ["a"]


def test_what_somebody_else_put_in_the_way_is_no_part(tmp_path):
    """A link could lead anywhere, and whoever opened a pipe would wait for ever."""
    precious = tmp_path / "precious"
    precious.write_text("kept")
    (tmp_path / ".a.part").symlink_to(precious)
    os.mkfifo(tmp_path / ".b.part")
    write_to(tmp_path / "a")
    write_to(tmp_path / "b")
    assert (tmp_path / "a").read_text() == (tmp_path / "b").read_text() == "x"
    assert precious.read_text() == "kept"
    assert names_in(tmp_path) == [".a.part", "a", "b", "precious"]


def test_a_folder_appears_with_all_that_is_in_it_or_not_at_all(tmp_path):
    path = tmp_path / "set"
    with suppress(KeyboardInterrupt), writing_folder(path) as part:
        (part / "one").write_text("1")
        raise KeyboardInterrupt
    assert names_in(tmp_path) == []
    assert killed_while("writing_folder", path) == [".set.part"]
    with writing_folder(path) as part:
        assert names_in(part) == []
        (part / "one").write_text("1")
        assert mode(part) == 0o700
        assert not path.exists()
    assert names_in(tmp_path) == ["set"]
    assert names_in(path) == ["one"]
    assert mode(path) == 0o777 & ~files._umask()


def test_a_folder_that_holds_something_is_not_replaced(tmp_path, monkeypatch):
    path = tmp_path / "set"
    path.mkdir(mode=0o750)
    with writing_folder(path) as part:
        (part / "one").write_text("1")
    assert mode(path) == 0o750
    refused = "set: it is there already, and not an empty folder; give a new one"
    with pytest.raises(FileError, match=refused), writing_folder(path):
        pass
    assert names_in(path) == ["one"]
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.chdir(empty)
    with pytest.raises(FileError, match="you are in this folder"), writing_folder("."):
        pass
    with pytest.raises(FileError, match="make that folder first"), writing_folder("no/set"):
        pass
