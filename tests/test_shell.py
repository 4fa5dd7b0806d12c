"""The command line in a shell: completion, narrow terminals, pipes that close, Ctrl-C."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console

import hushvote as hv
from hushvote.cli import show
from tests.conftest import random_orders
from tests.terminal import terminal

SCRIPT = "import sys; from hushvote.__main__ import main; sys.exit(main())"  # as pip writes it
LONG = ("Ng, Ann Maria of the Very Long Department", "Donaudampfschifffahrtskapitänin Müller", "Bo")


def environment(**more: str) -> dict[str, str]:
    source = str(Path(hv.__file__).parents[1])
    return {**os.environ, "PYTHONPATH": source, **more}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with ballots, and a command called hushvote on the path."""
    folder = tmp_path_factory.mktemp("shell")
    command = folder / "bin" / "hushvote"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m hushvote "$@"\n')
    command.chmod(0o755)
    hv.write_rankings(folder / "ballots.csv", hv.Rankings(random_orders(200, 3), LONG))
    return folder


def in_path(folder: Path) -> dict[str, str]:
    return environment(PATH=f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}", HOME=str(folder))


def shell_of(name: str) -> str:
    if (found := shutil.which(name)) is None:
        pytest.skip(f"{name} is not installed")
    return found


def script(folder: Path, shell: str) -> Path:
    """What a shell is to read, so that it completes."""
    made = subprocess.run(
        ["hushvote"],
        env=in_path(folder) | {"_HUSHVOTE_COMPLETE": f"source_{shell}"},
        capture_output=True,
        check=True,
    )
    (folder / f"complete.{shell}").write_bytes(made.stdout)
    return folder / f"complete.{shell}"


WORDS = [
    ("hushvote des", "design"),
    ("hushvote design --rule nau", "nauru"),
    ("hushvote tally --engine du", "duckdb"),
    ("hushvote simulate --attack dis", "disguise"),
    ("hushvote reproduce fig-aow-borda-dis", "fig-aow-borda-disguise"),
    ("hushvote score ball", "ballots.csv"),
    ("hushvote score --incomplete sh", "shared"),
]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bash", "zsh"])
def test_a_tab_completes_commands_rules_and_files(folder, name):
    start = {"bash": ["--norc", "--noprofile", "-i"], "zsh": ["-f", "-i"]}[name]
    begin = f"cd {folder}; source {script(folder, name)}; echo re''ady"
    if name == "zsh":
        begin = "autoload -U compinit; compinit -u -D; " + begin
    given = in_path(folder) | {"TERM": "dumb"}
    with terminal(*start, command=[shell_of(name)], columns=200, **given) as shell:
        shell.type(begin)
        shell.until("ready")
        for typed, whole in WORDS:
            os.write(shell.line, f"{typed}\t".encode())
            shell.until(typed)
            shell.until(whole.removeprefix(typed.split()[-1]))
            os.write(shell.line, b"\x15")  # the line is not to be run


@pytest.mark.slow
def test_fish_completes_commands_rules_and_files(folder):
    shell, read = shell_of("fish"), script(folder, "fish")
    for typed, whole in WORDS:
        done = subprocess.run(
            [shell, "--no-config", "-c", f"source {read}; complete -C '{typed}'"],
            cwd=folder,
            env=in_path(folder),
            capture_output=True,
            text=True,
            check=True,
        )
        assert whole in [line.split("\t")[0] for line in done.stdout.splitlines()]


@pytest.mark.parametrize("columns", [100, 80, 60, 40])
def test_tables_are_no_wider_than_the_terminal(folder, columns):
    with terminal("score", str(folder / "ballots.csv"), columns=columns) as shown:
        lines = shown.rest().splitlines()
    at = next(i for i, line in enumerate(lines) if "over 3 candidates" in line)
    lines = [line.rstrip() for line in lines[at:]]
    assert max(map(len, lines)) <= columns
    for name in ("Department", "Müller", "points", "mean", "first"):
        assert any(name in line for line in lines)


@pytest.mark.parametrize("columns", [30, 16])
def test_where_a_figure_does_not_fit_beside_its_name_it_stands_below(columns):
    with terminal("certify", "-d", "4", columns=columns) as shown:
        lines = [line.rstrip() for line in shown.rest().splitlines()]
    at = next(i for i, line in enumerate(lines) if line.strip() == "step")
    assert max(map(len, lines[at:])) <= columns
    assert lines[at + 1].strip() == "value"
    told = "".join("".join(lines[at:]).split())
    for step, value in (
        ("odds A/B, rounded down from exp(epsilon)", "11674931554/4294967296"),
        ("sum of all weights of a type", "the same for every ranking"),
        ("all 24 rankings and 24 reports listed: largest ratio", "2.718281828332692"),
    ):
        assert "".join((step + value).split()) in told


def test_a_bar_says_how_much_there_is_to_do(tmp_path):
    mech = hv.Duel(hv.borda(4), 1)
    hv.write_rankings(tmp_path / "b.csv", hv.Rankings(random_orders(5000, 4)))
    hv.privatize_file(tmp_path / "b.csv", mech, tmp_path / "r.parquet")
    with terminal("tally", str(tmp_path / "r.parquet")) as shown:
        assert "0/5,000" in shown.rest()


def piped(folder: Path, *words: str, columns: str | None = None) -> list[str]:
    """The lines of a command whose output is no terminal."""
    given = {name: value for name, value in environment().items() if name != "COLUMNS"}
    if columns is not None:
        given["COLUMNS"] = columns
    command = [sys.executable, "-m", "hushvote", *words]
    return subprocess.check_output(command, cwd=folder, env=given, text=True).splitlines()


def test_a_file_has_a_line_for_each_row_and_paragraphs_that_can_be_read(folder):
    lines = piped(folder, "score", "ballots.csv")
    for name in LONG:
        assert [line.split()[0] for line in lines if f"  {name}  " in line] in (["1"], ["2"], ["3"])
    assert [line for line in lines if line != line.rstrip()] == []
    words = lines[lines.index("", 2) + 1 :]
    assert 70 < max(map(len, words)) <= 80


def test_a_file_is_as_narrow_as_columns_say_but_for_figures(folder):
    lines = piped(folder, "score", "ballots.csv", columns="60")
    assert max(map(len, lines)) <= 60
    assert not any(LONG[0] in line for line in lines)
    assert max(map(len, piped(folder, "design", "-d", "3", columns="40"))) > 80


def test_names_that_are_longer_than_any_line_are_wrapped_in_files_too(tmp_path):
    names = ("A" * 150 + " " + "B" * 40, "界" * 200, "Bo")
    hv.write_rankings(tmp_path / "long.csv", hv.Rankings(random_orders(20, 3), names))
    lines = piped(tmp_path, "score", "long.csv")
    assert 240 < max(map(cell_len, lines)) <= 250


def test_no_line_ends_between_a_number_and_its_percent_sign(monkeypatch):
    said = "With 95 % confidence, in 5 % or in < 0.1 % of 10\u202f000 polls."
    for columns in range(12, 70):
        monkeypatch.setattr(show, "out", Console(width=columns, force_terminal=True))
        monkeypatch.setenv("COLUMNS", str(columns))
        with show.out.capture() as shown:
            show.say(said)
        lines = shown.get().splitlines()
        assert " ".join(line.strip() for line in lines) == said
        assert max(len(line.rstrip()) for line in lines) <= columns
        assert not [line for line in lines if line.startswith(("%", "000"))]
        assert not [line for line in lines if line.rstrip().endswith("<")]


def test_lines_end_without_blanks_unless_on_a_terminal(run, ballot_file):
    for words in (["--help"], ["score", ballot_file], ["design", "-d", "3"], ["tally", "--help"]):
        code, out, _ = run(*words)
        assert code == 0
        assert [line for line in out.splitlines() if line != line.rstrip()] == []


@pytest.mark.parametrize(
    "words",
    [
        "--help",
        "--version",
        "score ballots.csv",
        "example",
        "design -d 3 --json",
        "privatize ballots.csv -m additive -o -",
    ],
)
def test_a_reader_that_is_gone_ends_a_command_as_usual(folder, words):
    readers, writers = os.pipe()
    os.close(readers)
    done = subprocess.run(
        [sys.executable, "-m", "hushvote", *words.split()],
        stdout=writers,
        stderr=subprocess.PIPE,
        env=environment(),
        cwd=folder,
        text=True,
        check=False,
    )
    os.close(writers)
    assert done.returncode == 141
    assert "rror" not in done.stderr
    assert "Traceback" not in done.stderr


def test_a_reader_of_complaints_that_is_gone_ends_a_command_as_usual(folder):
    readers, writers = os.pipe()
    os.close(readers)
    command = [sys.executable, "-m", "hushvote", "score", "nothing.csv"]
    done = subprocess.run(
        command, stderr=writers, stdout=subprocess.PIPE, env=environment(), check=False
    )
    os.close(writers)
    assert (done.returncode, done.stdout) == (141, b"")


def test_a_closed_output_is_no_failure(folder):
    command = f"{sys.executable} -m hushvote score ballots.csv >&-"
    done = subprocess.run(
        command, shell=True, cwd=folder, env=environment(), capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")


INTERRUPTING = """
import os, signal, sys

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r} and "hushvote" in sys.modules:
            os.kill(os.getpid(), signal.SIGINT)

signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Interrupting())
"""


@pytest.mark.parametrize("name", ["hushvote.cli", "hushvote.errors", "numpy", "typer"])
@pytest.mark.parametrize("start", [["-m", "hushvote"], ["-c", SCRIPT]])
def test_ctrl_c_is_silent_while_modules_are_loaded(tmp_path, name, start):
    (tmp_path / "sitecustomize.py").write_text(INTERRUPTING.format(name=name))
    path = os.pathsep.join([str(tmp_path), environment()["PYTHONPATH"]])
    command = [sys.executable, *start, "design", "-d", "4"]
    done = subprocess.run(
        command, check=False, capture_output=True, env=environment(PYTHONPATH=path)
    )
    assert (done.stdout, done.stderr) == (b"", b"")
    assert done.returncode in (130, -signal.SIGINT)


def test_ctrl_c_is_silent_before_its_handler_is_there():
    """As while `signal` is being loaded: Python then raises KeyboardInterrupt."""
    code = (
        "import builtins, sys\n"
        "from hushvote.__main__ import main\n"
        "load = builtins.__import__\n"
        "def interrupted(name, *rest):\n"
        "    if name == 'signal':\n"
        "        raise KeyboardInterrupt\n"
        "    return load(name, *rest)\n"
        "builtins.__import__ = interrupted\n"
        "main()\n"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, check=False, capture_output=True, env=environment())
    assert (done.stdout, done.stderr, done.returncode) == (b"", b"", 130)


TURNING = """
import os, signal, time


def started():
    try:
        os.kill(os.getpid(), signal.{signal})
        time.sleep(60)
    except BaseException as error:  # as modules of C++ do that are interrupted while they start
        raise ImportError("initialization failed") from error
"""
LATE = """
import signal, sys

class Turning:
    def find_spec(self, name, path=None, target=None):
        if name == "scipy.optimize" and "hushvote" in sys.modules:
            import turning
            turning.started()

signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Turning())
"""
PLAIN = "import signal\n\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
LOADED = "import turning\n\nturning.started()\n"
RULE = """
import hushvote as hv


@hv.register_rule
def late(d):
    import turning

    turning.started()
"""


@pytest.mark.parametrize("debug", [[], ["--debug"]])
@pytest.mark.parametrize(("name", "code"), [("SIGINT", 130), ("SIGTERM", 143)])
@pytest.mark.parametrize(
    ("site", "mine", "words"),
    [
        (LATE, None, ["design", "-d", "6"]),
        (PLAIN, LOADED, ["--load", "mine.py", "design", "-d", "4"]),
        (PLAIN, RULE, ["--load", "mine.py", "design", "--rule", "late", "-d", "4"]),
    ],
    ids=["ours", "loaded", "of a rule"],
)
def test_a_module_that_makes_an_import_error_of_a_signal_is_no_failure(
    tmp_path, site, mine, words, name, code, debug
):
    (tmp_path / "sitecustomize.py").write_text(site)
    (tmp_path / "turning.py").write_text(TURNING.format(signal=name))
    if mine is not None:
        (tmp_path / "mine.py").write_text(mine)
    path = os.pathsep.join([str(tmp_path), environment()["PYTHONPATH"]])
    done = subprocess.run(
        [sys.executable, "-m", "hushvote", *debug, *words],
        check=False,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=environment(PYTHONPATH=path),
    )
    assert (done.stdout, done.stderr, done.returncode) == ("", "", code)


def test_what_is_said_because_of_ctrl_c_is_told(tmp_path):
    (tmp_path / "mine.py").write_text(
        "import hushvote as hv\n\ntry:\n    raise KeyboardInterrupt\nexcept KeyboardInterrupt:\n"
        "    raise hv.HushvoteError('the rest is kept', code='x') from None\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "hushvote", "--load", "mine.py", "example"],
        check=False,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=environment(),
    )
    assert "the rest is kept" in done.stderr
    assert done.returncode == 2


@pytest.mark.slow
@pytest.mark.parametrize("moment", [0.4, 0.8, 1.2, 1.6, 2.0])
def test_ctrl_c_is_silent_at_any_moment(folder, moment):
    """From the first line of ours on; before it, Python itself is starting."""
    running = subprocess.Popen(
        [sys.executable, "-m", "hushvote", "simulate", "-d", "4", "--runs", "100000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
        env=environment(),
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    )
    end = time.monotonic() + 60
    while b"multiarray" not in Path(f"/proc/{running.pid}/maps").read_bytes():
        assert time.monotonic() < end
        time.sleep(0.02)
    time.sleep(moment)
    running.send_signal(signal.SIGINT)
    try:
        out, err = running.communicate(timeout=60)
    finally:
        running.kill()
    assert (out, err) == ("", "")
    assert running.returncode in (130, -signal.SIGINT)
