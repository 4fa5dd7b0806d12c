"""Runs the console blocks of a page in one shell, and compares what they print with what is shown.

A block shows commands behind "$ ", each with lines of its output below; a command goes on in lines
that begin with "> ". All commands of a page run in one shell, one after the other, so variables
stay. A comment `<!-- meanwhile: words -->` between blocks stands for something that others do then;
the test says by which command.

What differs from run to run does not count: addresses on loopback, hex digits, codes and times. In
a line that is shown, "..." stands for anything. Commands end well, unless "error:" is shown below
them, which means exit code 2, or a line with "✗", which means 1.
"""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[1]
PATIENCE = 300  # seconds for a page
PIECES = re.compile(
    r"^```console\n(?P<block>.*?)^```|^<!-- meanwhile: (?P<meanwhile>.*?) -->", re.S | re.M
)
VARYING = (
    (r"https?://(127\.0\.0\.1|localhost)(:\d+)?", "ADDRESS"),
    (r"\b[0-9A-Z]{7}-[0-9A-Z]{7}-[0-9A-Z]{7}\b", "CODE"),
    (r"\b\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?\b", "TIME"),
    (r"\b\d{4}-\d\d-\d\d\b", "DAY"),
    (r"\b[0-9a-f]{8,}\b", "HEX"),
)


@dataclass
class Command:
    """A command of a page, and the lines that are shown below it."""

    text: str
    shown: list[str] = field(default_factory=list)
    code: int = -1
    output: str = ""

    @property
    def expected(self) -> int:
        """The exit code that the shown lines stand for."""
        if any(line.startswith("error:") for line in self.shown):
            return 2
        return 1 if any("✗" in line for line in self.shown) else 0

    def check(self) -> None:
        assert self.code == self.expected, f"$ {self.text}\nexit code {self.code}\n{self.output}"
        real = plain(self.output)
        for line in self.shown:
            parts = [re.escape(part.strip()) for part in plain(line).split("...")]
            assert re.search(".*?".join(parts), real), f"$ {self.text}\n{line}\n{self.output}"


def plain(text: str) -> str:
    """Text without what differs from run to run, on one line."""
    for pattern, name in VARYING:
        text = re.sub(pattern, name, text)
    return " ".join(text.split())


def commands(page: str, meanwhile: Mapping[str, str] = {}) -> list[Command]:
    """All commands of a page, and what others do meanwhile, in order."""
    found: list[Command] = []
    for piece in PIECES.finditer((ROOT / page).read_text(encoding="utf-8")):
        if piece["meanwhile"] is not None:
            found.append(Command(meanwhile[" ".join(piece["meanwhile"].split())]))
            continue
        for line in piece["block"].splitlines():
            if line.startswith("$ "):
                found.append(Command(line.removeprefix("$ ")))
            elif line.startswith("> "):
                found[-1].text += "\n" + line.removeprefix("> ")
            else:
                found[-1].shown.append(line)
    return found


def run_page(
    page: str, folder: Path, meanwhile: Mapping[str, str] = {}, **environment: str
) -> list[Command]:
    """Run the commands of a page in a folder, and check each of them; PATH has `hushvote` and
    `python`.
    """
    found, outputs = commands(page, meanwhile), folder / ".outputs"
    outputs.mkdir()
    script = "".join(
        f"{{ {one.text}\n}} > {outputs / str(number)} 2>&1 < /dev/null\n"
        f"echo $? > {outputs / str(number)}.code\n"
        for number, one in enumerate(found)
    )
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    common = {"PATH": path, "COLUMNS": "100", "NO_COLOR": "1", "PYTHONPATH": python_path()}
    subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env={**os.environ, **common, **environment},
        check=True,
        timeout=PATIENCE,
    )
    for number, one in enumerate(found):
        one.output = (outputs / str(number)).read_text(encoding="utf-8")
        one.code = int((outputs / f"{number}.code").read_text())
        one.check()
    return found


def python_path() -> str:
    """Where commands of a page find hushvote and the tests."""
    import hushvote

    source = Path(hushvote.__file__).parents[1]
    return os.pathsep.join(filter(None, (str(source), str(ROOT), os.environ.get("PYTHONPATH"))))
