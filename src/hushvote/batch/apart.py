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


def are_apart(files: Sequence[Opened]) -> bool:
    """Whether the receipts of each file lie between two bounds that no other file's overlap."""
    if len(files) < 2:
        return True
    ranges = [_bounds(one.path) for one in files]
    known = sorted(bounds for bounds in ranges if bounds is not None)
    return len(known) == len(ranges) and all(
        before[1] < after[0] for before, after in pairwise(known)
    )


def _bounds(path: AnyPath) -> tuple[bytes, bytes] | None:
    """The least and the greatest receipt by the statistics of all row groups, if all have them."""
    low: list[bytes] = []
    high: list[bytes] = []
    with table_file(path) as table:
        about = table.metadata
        place = about.schema.to_arrow_schema().get_field_index(RECEIPT)
        for group in range(about.num_row_groups):
            found = about.row_group(group).column(place).statistics
            if found is None or not found.has_min_max:
                return None
            low.append(_bytes(found.min))
            high.append(_bytes(found.max))
    return (min(low), max(high)) if low else None


def _bytes(value: str | bytes) -> bytes:
    return value.encode() if isinstance(value, str) else value
