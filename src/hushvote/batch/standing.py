"""Which reports stand: of every receipt the last change, unless it was withdrawn.

A receipt may be changed in a later file, so every report with a receipt is kept until the end: some
40 bytes and the report itself. Receipts are kept as 128-bit hashes under a random key, so that
nobody can choose two that are taken for one.
"""

import os
from hashlib import blake2b
from typing import Any

import numpy as np

from hushvote.batch.opening import Block
from hushvote.errors import FileError, ReportError
from hushvote.files import AnyPath
from hushvote.mechanisms.fields import Reports

MOST_BYTES = 1 << 30  # of reports with receipts; sorting them takes about twice as much again


class Standing:
    """Reports with receipts go in in any order; those that stand come out."""

    def __init__(self, report: np.dtype[Any]) -> None:
        self._row = np.dtype(
            [
                ("high", "<u8"),
                ("low", "<u8"),
                ("change", "<i8"),
                ("file", "<i4"),
                ("place", "<i8"),
                ("withdrawn", "?"),
                ("group", "<i4"),
                ("report", report),
            ]
        )
        self._key = os.urandom(32)
        self._parts: list[np.ndarray[Any, Any]] = []
        self._n = 0
        self._files: list[AnyPath] = []
        self._groups: dict[str, int] = {}

    def add(self, path: AnyPath, block: Block) -> None:
        """Keep a block whose rows have receipts."""
        n = len(block.reports)
        self._n += n
        if self._n * self._row.itemsize > MOST_BYTES:
            raise FileError(
                f"{path}: more than {MOST_BYTES // self._row.itemsize:,} reports with receipts do "
                "not fit into memory at once; keep each receipt's last change only, and leave the "
                "column 'receipt' out",
                code="file.memory",
                path=path,
                most=MOST_BYTES // self._row.itemsize,
            )
        if not self._files or self._files[-1] != path:
            self._files.append(path)
        rows = np.zeros(n, dtype=self._row)
        hashes = b"".join(
            blake2b(receipt, digest_size=16, key=self._key).digest()
            for receipt in block.receipts or ()
        )
        pairs = np.frombuffer(hashes, dtype="<u8").reshape(n, 2)
        rows["high"], rows["low"] = pairs.T
        rows["file"] = len(self._files) - 1
        rows["place"] = np.arange(block.first, block.first + n)
        rows["report"] = block.reports
        if block.changes is not None:
            rows["change"] = block.changes
        if block.withdrawn is not None:
            rows["withdrawn"] = block.withdrawn
        if block.groups is not None:
            numbers = self._groups
            rows["group"] = [numbers.setdefault(name, len(numbers)) for name in block.groups]
        self._parts.append(rows)

    def settled(self) -> tuple[Reports, list[str]]:
        """The reports that stand, and the group of each if there are groups."""
        rows = np.concatenate(self._parts)
        self._parts = []
        rows = rows[np.lexsort((rows["change"], rows["low"], rows["high"]))]
        before, after = rows[:-1], rows[1:]
        same = (before["high"] == after["high"]) & (before["low"] == after["low"])
        twice = np.flatnonzero(same & (before["change"] == after["change"]))
        for what in ("withdrawn", "group", "report"):
            wrong = twice[before[what][twice] != after[what][twice]]
            if len(wrong):
                self._refuse(before[wrong[0]], after[wrong[0]])
        last = np.append(~same, True)[: len(rows)] & ~rows["withdrawn"]
        names = list(self._groups)
        groups = [names[number] for number in rows["group"][last].tolist()] if names else []
        return np.ascontiguousarray(rows["report"][last]), groups

    def _refuse(self, *rows: np.void) -> None:
        one, other = (f"report {row['place']} of {self._files[row['file']]}" for row in rows)
        raise ReportError(
            f"{one} and {other} have the same receipt and the same change number "
            f"({rows[0]['change']}), but different contents; a later change needs a higher number",
            code="file.receipt",
            one=one,
            other=other,
            change=rows[0]["change"],
        )
