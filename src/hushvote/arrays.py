"""Arrow's columns as NumPy's arrays and back, by the memory that they share; and memory that
is used again.

Arrow's own ways, `to_numpy` and `pa.array`, load pandas wherever it is installed, to ask whether
they were given anything of it: that takes longer than counting ten million reports.
"""

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
