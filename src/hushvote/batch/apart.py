"""Whether no receipt stands in two files, as their own statistics show it.

Then every file can be settled on its own: a partial tally of it stays right whatever comes later.
Files between which receipts are divided by their order show it; others need somebody who says so.
"""

from collections.abc import Sequence
from itertools import pairwise

from hushvote.batch.opening import Opened
from hushvote.files import AnyPath
from hushvote.formats.parquet import table_file
from hushvote.formats.reports import RECEIPT


def not_apart(files: Sequence[Opened]) -> tuple[AnyPath, AnyPath] | None:
    """Two files of which one receipt may stand in both; None if the receipts of each lie between
    two bounds that no other file's overlap.
    """
    known = []
    for one in files:
        bounds = _bounds(one.path)
        if bounds is None and len(files) > 1:
            return one.path, next(other.path for other in files if other is not one)
        if bounds is not None:
            known.append((*bounds, one.path))
    known.sort(key=lambda found: found[:2])
    for (_, last, before), (first, _, after) in pairwise(known):
        if first <= last:
            return before, after
    return None


def _bounds(path: AnyPath) -> tuple[bytes, bytes] | None:
    """The least and the greatest receipt by the statistics of all row groups, if all have them."""
    low: list[bytes] = []
    high: list[bytes] = []
    with table_file(path) as table:
        about = table.metadata
        # nested columns are several here, so a place among the columns of Arrow is another one
        paths = [about.schema.column(place).path for place in range(about.num_columns)]
        place = paths.index(RECEIPT)
        for group in range(about.num_row_groups):
            found = about.row_group(group).column(place).statistics
            if found is None or not found.has_min_max:
                return None
            low.append(_bytes(found.min))
            high.append(_bytes(found.max))
    return (min(low), max(high)) if low else None


def _bytes(value: str | bytes) -> bytes:
    return value.encode() if isinstance(value, str) else value
