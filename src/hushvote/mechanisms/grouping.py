"""Equal reports once, with how often each occurs: where few reports are possible, a tally then has
few to check and count, however many voters there are.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hushvote.mechanisms.fields import Domain, Reports
from hushvote.rankings import blocks

MOST_BITS = 20  # of a report; a number for each value of so many bits is eight megabytes
KEYED = 1 << 14  # reports whose keys are made together,
COUNTED = 1 << 17  # and counted together; more where there are many different ones


def pays(domain: Domain, n: int) -> bool:
    """Whether n reports are quicker grouped first."""
    return _widths(domain) is not None and 1 << sum(_widths(domain) or ()) <= 8 * n


def grouped(domain: Domain, reports: Reports) -> tuple[Reports, NDArray[np.int64]] | None:
    """The reports that occur, and how often; None if a value has more bits than its field."""
    widths = _widths(domain) or ()
    often = np.zeros(1 << sum(widths), dtype=np.int64)
    for some in blocks(len(reports), max(COUNTED, len(often) // 2)):
        keys = np.empty(some.stop - some.start, dtype=np.int64)
        for block in blocks(len(keys), KEYED):
            part = _keys(domain, widths, reports[some][block])
            if part is None:
                return None
            keys[block] = part
        often += np.bincount(keys, minlength=len(often))
    keys = np.flatnonzero(often)
    found, rest = domain.empty(len(keys)), keys.copy()
    for field, width in zip(domain.fields[::-1], widths[::-1], strict=True):
        found[field.name] = rest & ((1 << width) - 1)
        rest >>= width
    return found, often[keys]


def _keys(domain: Domain, widths: Sequence[int], reports: Reports) -> NDArray[np.uint32] | None:
    """The fields of each report in one number."""
    keys = np.zeros(len(reports), dtype=np.uint32)
    for field, width in zip(domain.fields, widths, strict=True):
        values = reports[field.name]
        if width < 8 * values.dtype.itemsize and values.max() >> width:
            return None
        keys <<= np.uint32(width)
        keys |= values
    return keys


def _widths(domain: Domain) -> list[int] | None:
    """The bits of each field, if there are few and no number is below 0."""
    widths = [field.high.bit_length() for field in domain.fields]
    fit = all(field.low == 0 for field in domain.fields) and sum(widths) <= MOST_BITS
    return widths if fit else None
