"""What runs the pages notices when a page is wrong."""

import pytest

from tests import consoles
from tests.consoles import Command, commands, run_page

PAGE = """\
# A page

```console
$ WORD=hush; echo one && \\
> echo "$WORD"
one
hush
```

<!-- meanwhile: somebody
writes -->

```console
$ cat file
written ... 2026-01-02 03:04
$ echo "http://127.0.0.1:81/p/00112233445566778899aabbccddeeff#0011223344556677" # by chance
http://127.0.0.1:8000/p/3f2a...#9c41...
$ echo "$WORD" >&2; echo "error: no"; exit_with() { return 2; }; exit_with
hush
error: no
```
"""
MEANWHILE = {"somebody writes": "echo written by somebody on 2030-05-06 07:08 > file"}


@pytest.fixture
def page(tmp_path, monkeypatch):
    monkeypatch.setattr(consoles, "ROOT", tmp_path)

    def write(text: str) -> str:
        (tmp_path / "page.md").write_text(text)
        return "page.md"

    return write


def run(page, folder, text=PAGE):
    folder.mkdir()
    return run_page(page(text), folder, MEANWHILE)


def test_commands_run_in_one_shell_in_their_order(page, tmp_path):
    found = run(page, tmp_path / "work")
    assert [one.code for one in found] == [0, 0, 0, 0, 2]
    assert found[0].output == "one\nhush\n"


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("\none\n", "\ntwo\n"),
        ("written ...", "wrote ..."),
        ("/p/3f2a", "/o/3f2a"),
        ("error: no\n```", "```"),
        ("echo one &&", "false &&"),
    ],
)
def test_what_is_shown_and_does_not_happen_is_noticed(page, tmp_path, right, wrong):
    assert right in PAGE
    with pytest.raises(AssertionError):
        run(page, tmp_path / "work", PAGE.replace(right, wrong))


def test_what_others_do_must_be_known(page):
    with pytest.raises(KeyError):
        commands(page(PAGE))


def test_marks_of_what_does_not_hold_mean_exit_code_1():
    assert Command("x", ["✗ no"]).expected == 1
    assert Command("x", ["✓ yes"]).expected == 0
