"""The voter's side in Chromium and Node: a draw of each mechanism, and a recount in the browser.

Each figure stands beside what the same surrounding needs for the least that the task contains: as
many secure random bytes as the draw took, or reading the same reports as JSON. Needs what `make
test` needs: `make bench-web`, or `python -m benchmarks.web` in the environment.
"""

import argparse
import json
import os
import shutil
import subprocess
import sysconfig
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table
from tests.browsing import chromium, quiet_visit, served

import hushvote as hv

ROOT = Path(__file__).parents[1]
DIST = ROOT / "web" / "dist"
NODE = Path(sysconfig.get_path("scripts")) / "node"
CANDIDATES = 64
COUNTED = 8  # candidates of the recount
EPSILON = 1

# A browser's clock has steps of 0.1 ms: draws are timed many at a time, and the first one alone,
# before anything is compiled.
DRAW = """
async ({ bundle, text, digest, question, draws }) => {
  const { openPoll, secureBits } = await import(bundle);
  const opened = performance.now();
  const poll = openPoll(text, digest);
  const open = performance.now() - opened;
  const more = question ? { question: Uint8Array.from(question) } : {};
  const ranking = poll.candidates.map((_, j) => (j * 37 + 5) % poll.candidates.length);
  const timed = (times, act) => {
    const begin = performance.now();
    for (let i = 0; i < times; i++) act();
    return performance.now() - begin;
  };

  const first = timed(1, () => poll.draw(ranking, more));
  let taken = 0;
  const own = secureBits();
  const bits = { bytes: (length) => ((taken += length), own.bytes(length)) };
  timed(draws, () => poll.draw(ranking, { ...more, bits })); // compiles, too
  const bytes = Math.ceil(taken / draws);

  const mean = timed(draws, () => poll.draw(ranking, more)) / draws;
  const fresh = new Uint8Array(bytes);
  const fill = () => {
    for (let at = 0; at < bytes; at += 65536) {
      crypto.getRandomValues(fresh.subarray(at, at + 65536));
    }
  };
  const least = timed(20 * draws, fill) / (20 * draws);
  return { open, first, mean, bytes, least };
}
"""

COUNT = """
async ({ bundle, counting, text, digest, reports, repeats }) => {
  const { openPoll } = await import(bundle);
  const { count } = await import(counting);
  const poll = openPoll(text, digest);
  const lines = await (await fetch(reports)).text();
  const [least, both] = [[], []];
  let n;
  for (let turn = 0; turn < repeats; turn++) {
    const begin = performance.now();
    const parsed = JSON.parse(lines);
    least.push(performance.now() - begin);
    n = count(poll, parsed).n;
    both.push(performance.now() - begin);
  }
  return { n, least: Math.min(...least), best: Math.min(...both), first: both[0] };
}
"""


def shown(milliseconds: float) -> str:
    """A time with three digits."""
    return f"{milliseconds:,.0f} ms" if milliseconds >= 100 else f"{milliseconds:.3g} ms"


@dataclass(frozen=True)
class Row:
    """One line of the table; times in milliseconds, the best of several runs."""

    where: str
    what: str
    mean: float
    first: float
    least: float
    of: str
    target: float

    @property
    def ratio(self) -> float:
        """How many times as long as the least takes."""
        return self.mean / self.least

    @property
    def met(self) -> bool:
        """Whether even the first time, with nothing compiled yet, is within the target."""
        return max(self.mean, self.first) < self.target

    def cells(self) -> list[str]:
        """As the table shows it."""
        return [
            self.where,
            self.what,
            shown(self.mean),
            shown(self.first),
            f"{shown(self.least)} {self.of}",
            f"{self.ratio:.3g}x",
            f"< {shown(self.target)}",
            "yes" if self.met else "NO",
        ]


def poll_of(name: str, d: int) -> hv.Poll:
    """A poll of d candidates."""
    return hv.Poll.create(
        "Who shall speak for us?",
        [f"Candidate {j}" for j in range(d)],
        hv.mechanism(name, hv.borda(d), EPSILON),
        server=bytes(range(32)),
    )


def given(poll: hv.Poll, bundle: str, draws: int) -> dict[str, object]:
    """What a surrounding needs for its draws."""
    return {
        "bundle": bundle,
        "text": poll.text,
        "digest": poll.digest,
        "question": list(range(32)) if poll.mechanism.needs_question else None,
        "draws": draws,
    }


def in_node(task: dict[str, object]) -> dict[str, float]:
    """Draw in the environment's Node."""
    script = (
        "let text = ''; for await (const part of process.stdin) text += part;\n"
        f"console.log(JSON.stringify(await ({DRAW})(JSON.parse(text))));"
    )
    words = [str(NODE), "--input-type=module", "--eval", script]
    done = subprocess.run(
        words, input=json.dumps(task), check=True, stdout=subprocess.PIPE, text=True
    )
    return json.loads(done.stdout)


def drawn(where: str, name: str, runs: list[dict[str, float]]) -> Row:
    """The row of a mechanism's draws."""
    times = {key: min(run[key] for run in runs) for key in runs[0]}
    return Row(
        where,
        f"draw, {name}, d = {CANDIDATES}",
        times["mean"],
        times["first"],
        times["least"],
        f"{times['bytes']:,.0f} random bytes",
        target=5,
    )


def write_reports(poll: hv.Poll, n: int, path: Path) -> None:
    """Reports of random rankings, as they travel."""
    orders = np.argsort(np.random.default_rng(1).random((n, poll.d)), axis=1).astype(np.uint8)
    reports = poll.mechanism.privatize(orders)
    values, rows = np.unique(reports, return_inverse=True)
    texts = [
        json.dumps(poll.mechanism.domain.to_wire(values[i : i + 1]), separators=(",", ":"))
        for i in range(len(values))
    ]
    path.write_text("[" + ",\n".join([texts[row] for row in rows]) + "]", encoding="utf-8")


def measured(draws: int, n: int, repeats: int) -> Iterator[Row]:
    """All rows, one after the other."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file in DIST.glob("*.js"):
            shutil.copy(file, folder)
        (folder / "index.html").write_text('<!doctype html><link rel="icon" href="data:,">')
        counted = poll_of("duel", COUNTED)
        write_reports(counted, n, folder / "reports.json")
        with served(folder) as port, chromium() as browser:
            for mechanism in hv.mechanism_names():
                poll = poll_of(mechanism, CANDIDATES)
                runs = []
                for _ in range(repeats):
                    with quiet_visit(browser) as here:
                        here.page.goto(f"http://127.0.0.1:{port}/")
                        runs.append(here.page.evaluate(DRAW, given(poll, "/hushvote.js", draws)))
                yield drawn("Chromium", mechanism, runs)
                task = given(poll, (DIST / "hushvote.js").as_uri(), draws)
                yield drawn("Node 24", mechanism, [in_node(task) for _ in range(repeats)])
            with quiet_visit(browser) as here:
                here.page.goto(f"http://127.0.0.1:{port}/")
                task = {
                    **given(counted, "/hushvote.js", 0),
                    "counting": "/count.js",
                    "reports": "/reports.json",
                    "repeats": repeats,
                }
                times = here.page.evaluate(COUNT, task)
            assert times["n"] == n, f"{times['n']} reports were counted, not {n}"
            what = f"read and count {n:,} duel reports, d = {COUNTED}"
            best, first, least = (times[key] for key in ("best", "first", "least"))
            yield Row("Chromium", what, best, first, least, "JSON.parse alone", target=2000)


HEAD = ("where", "what", "mean", "first", "least possible", "ratio", "target", "met")


def main() -> None:
    """Measure and show."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--draws", type=int, default=200, help="of each mechanism")
    parser.add_argument("--reports", type=int, default=1_000_000, help="to count")
    parser.add_argument("--repeats", type=int, default=5, help="of which the best counts")
    parser.add_argument("--json", type=Path, help="write the figures to this file, too")
    parser.add_argument("--markdown", action="store_true", help="print the table for a README")
    options = parser.parse_args()

    load, cores = os.getloadavg()[0], os.cpu_count()
    rows = list(measured(options.draws, options.reports, options.repeats))
    note = f"Load when it began: {load:.1f} on {cores} cores; a busy machine makes times longer."
    if options.json:
        figures = [{**asdict(row), "ratio": row.ratio, "met": row.met} for row in rows]
        options.json.write_text(json.dumps(figures, indent=1))
    if options.markdown:
        print("| " + " | ".join(HEAD) + " |\n| --- | --- |" + " --: |" * (len(HEAD) - 2))
        for row in rows:
            print("| " + " | ".join(row.cells()) + " |")
        print(f"\n{note}")
        return
    table = Table(*HEAD)
    for row in rows:
        table.add_row(*row.cells())
    Console().print(table)
    Console().print(note)


if __name__ == "__main__":
    main()
