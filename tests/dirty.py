"""Sets of reports as they are: with repetitions, changes, withdrawals, damage and foreign rows."""

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import hushvote as hv
from hushvote.batch import Left

POLL, OTHER = "ab" * 32, "cd" * 32


@dataclass(frozen=True)
class Dirty:
    """Files of rows in random order, and what is right."""

    paths: list[Path]
    mechanism: hv.Mechanism
    clean: np.ndarray  # the reports that count
    regions: np.ndarray  # and the region of each
    left: Left

    @property
    def options(self):
        return {"parameters": self.mechanism, "poll": POLL, "on_bad": "skip"}


def dirty(folder: Path, mechanism: hv.Mechanism, reports: np.ndarray, files: int = 4) -> Dirty:
    """One receipt a report, and beside them 1 % repetitions (half of them later changes), 0.1 %
    withdrawals, 0.1 % corrupted and 0.1 % foreign rows, some with a receipt that counts otherwise.
    """
    rng = np.random.default_rng(5)
    n = len(reports)
    receipts = np.frombuffer(os.urandom(16 * n).hex().encode(), dtype="S32").astype("U32")
    few, many = max(1, n // 1000), max(2, n // 100)
    chosen = rng.permutation(n)
    again, changed = chosen[: many // 2], chosen[many // 2 : many]
    withdrawn = chosen[many : many + few]
    broken, strange = chosen[-few:], chosen[-2 * few : -few]
    spare = reports[rng.permutation(n)]

    def rows(places, reports, change, withdrawn=False, poll=POLL):
        return {
            "receipt": receipts[places],
            "change": np.full(len(places), change),
            "withdrawn": np.full(len(places), withdrawn),
            "poll": np.full(len(places), poll),
            "region": np.array(["north", "south"])[places % 2],
            "reports": reports,
            "bad": np.zeros(len(places), dtype=bool),
        }

    corrupted = rows(broken, reports[broken], 7)
    corrupted["bad"] = np.ones(few, dtype=bool)
    parts = [
        rows(np.arange(n), reports, 0),
        rows(again, reports[again], 0),
        rows(changed, spare[changed], 1),
        rows(withdrawn, reports[withdrawn], 1, withdrawn=True),
        corrupted,
        rows(strange, spare[strange], 9, poll=OTHER),
    ]
    table = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    order = rng.permutation(len(table["receipt"]))
    table = {name: column[order] for name, column in table.items()}
    paths = []
    for k, places in enumerate(np.array_split(np.arange(len(order)), files)):
        part = {name: column[places] for name, column in table.items()}
        columns = mechanism.domain.to_arrow(part["reports"])
        empty = part["withdrawn"] | (part["bad"] & (np.arange(len(places)) % 2 == 0))
        held = {}
        for j, name in enumerate(mechanism.domain.schema.names):
            values = columns.column(name).to_numpy().astype(np.int64)
            if j == 0:
                values[part["bad"]] = 120  # no type, and no report, has this number
            held[name] = pa.array(values, mask=empty)
        beside = {name: pa.array(part[name]) for name in ("receipt", "change", "withdrawn")}
        beside |= {name: pa.array(part[name]) for name in ("poll", "region")}
        paths.append(folder / f"part-{k}.parquet")
        pq.write_table(pa.table(beside | held), paths[-1], compression="zstd")
    stands = np.ones(n, dtype=bool)
    stands[withdrawn] = False
    clean = reports.copy()
    clean[changed] = spare[changed]
    left = Left(foreign=few, outside=few, superseded=many + few, withdrawn=few)
    return Dirty(paths, mechanism, clean[stands], np.arange(n)[stands] % 2, left)
