"""Data frames of pandas and Polars, in and out; hushvote itself needs neither of them."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, runtime_checkable

from hushvote.errors import FileError, RankingError, clip, echo

if TYPE_CHECKING:
    import pyarrow as pa

LIBRARIES = ("pandas", "polars")


@runtime_checkable
class Frame(Protocol):
    """A data frame of pandas, Polars or Arrow: whatever hands its columns over as Arrow's."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...


Columns: TypeAlias = Mapping[str, Sequence[Any]]


def is_frame(value: object) -> bool:
    """Whether this is a data frame."""
    return isinstance(value, Frame) or _library(value) == "pandas"  # an old one lacks the method


def _library(value: object) -> str:
    return type(value).__module__.partition(".")[0]


def to_arrow(frame: Any) -> "pa.Table":
    """A data frame as an Arrow table, without the index that a pandas one has beside it."""
    import pyarrow as pa

    try:
        if _library(frame) == "pandas":
            table = pa.Table.from_pandas(frame, preserve_index=False)
        else:
            table = pa.table(frame)
    except (pa.ArrowException, TypeError, ValueError) as error:
        raise RankingError(
            f"this data frame cannot be read: {clip(str(error).splitlines()[0])}; a column holds "
            "either texts or whole numbers",
            code="frame.form",
            reason=error,
        ) from None
    plain = {"string_view": pa.large_string(), "binary_view": pa.large_binary()}
    fields = [pa.field(f.name, plain.get(str(f.type), f.type)) for f in table.schema]
    return table.cast(pa.schema(fields))


def frame_of(columns: Columns, library: str | None = None) -> Any:
    """A data frame of these columns: of the library that is named, or of the first one that is
    installed.
    """
    if library not in (None, *LIBRARIES):
        raise FileError(
            f"there are data frames of {' and '.join(LIBRARIES)}, not of {echo(library)}",
            code="frame.library",
            given=library,
        )
    wanted = LIBRARIES if library is None else (library,)
    for name in wanted:
        try:
            there = find_spec(name) is not None
        except ValueError:  # somebody has put something else in its place
            there = False
        if there:
            return import_module(name).DataFrame(dict(columns))
    raise FileError(
        f"a data frame needs {' or '.join(wanted)}: pip install {wanted[0]}",
        code="frame.library",
        given=library,
    )
