"""Arrow's columns as NumPy's arrays and back, by the memory that they share; and memory that
is used again.

Arrow's own ways, `to_numpy` and `pa.array`, load pandas wherever it is installed, to ask whether
they were given anything of it: that takes longer than counting ten million reports.
"""

from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pyarrow as pa


def numbers(column: Any) -> NDArray[Any]:
    """The cells of a column of numbers, or of yes and no, none of them empty; not to be changed."""
    import pyarrow as pa  # heavy, and only files need it

    if pa.types.is_boolean(column.type):
        return np.from_dlpack(column.cast(pa.uint8())).view(np.bool_)
    return np.from_dlpack(column)


def is_whole(kind: Any) -> bool:
    """Whether cells of this type are whole numbers: integers, or decimals without a fraction, in
    which Spark keeps unsigned integers of 64 bits.
    """
    import pyarrow as pa

    return bool(pa.types.is_integer(kind) or (pa.types.is_decimal(kind) and kind.scale == 0))


def whole_numbers(column: Any) -> NDArray[Any]:
    """The cells of such a column, none of them empty; Python's own integers (dtype object) where no
    type of NumPy's holds them all.
    """
    import pyarrow as pa

    if pa.types.is_integer(column.type):
        return numbers(column)
    for kind in (pa.int64(), pa.uint64()):
        with suppress(pa.ArrowInvalid):
            return numbers(column.cast(kind))
    return np.array([int(cell) for cell in column.to_pylist()], dtype=object)


def as_column(values: NDArray[Any]) -> "pa.Array":
    """Numbers, or yes and no, as a column."""
    import pyarrow as pa

    if values.dtype == np.bool_:
        return as_column(values.view(np.uint8)).cast(pa.bool_())
    held = pa.py_buffer(np.ascontiguousarray(values))
    return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), [None, held])


KEPT = 1 << 24  # bytes


@cache
def keep_memory() -> None:
    """Have the memory of arrays below 16 MB used again, and not given back and asked for anew.

    glibc gives memory back once more than twice the largest array that was freed is free. Many
    arrays of half a megabyte, as of votes in blocks, are then fetched from the system page by page
    for every block, which takes up to a third of the time. One large array, never written to,
    lets it keep 32 MB.
    """
    np.empty(KEPT, dtype=np.uint8)
