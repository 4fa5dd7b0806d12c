"""Data frames of pandas and Polars, in and out; hushvote itself needs neither of them."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, runtime_checkable

from hushvote.errors import FileError, HushvoteError, RankingError, clip, echo

if TYPE_CHECKING:
    import pyarrow as pa

LIBRARIES = ("pandas", "polars")
LAZY = "LazyFrame"  # of Polars: what is still to be computed
COLUMNS = ("Series", "Index", "ChunkedArray")  # kinds that are one column alone


@runtime_checkable
class Frame(Protocol):
    """A data frame of pandas, Polars or Arrow: whatever hands its columns over as Arrow's."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...


Columns: TypeAlias = Mapping[str, Sequence[Any]]


def is_frame(value: object) -> bool:
    """Whether this is a data frame, or meant as one."""
    if isinstance(value, type):
        return False
    if type(value).__name__ == LAZY and _library(value) == "polars":
        return True
    return isinstance(value, Frame) or _library(value) == "pandas"  # an old one lacks the method


def _library(value: object) -> str:
    return type(value).__module__.partition(".")[0]


def to_arrow(
    frame: Any,
    wanted: str = 'choose several columns, as in frame[["first", "second"]], or give lists, as by '
    "to_list()",
    error_of: type[HushvoteError] = RankingError,
) -> "pa.Table":
    """A data frame as an Arrow table, without the index that a pandas one has beside it; what is
    none is refused by this kind of error, which says what is `wanted`.
    """
    import pyarrow as pa

    kind = type(frame).__name__
    from_pandas = _library(frame) == "pandas"
    if kind in COLUMNS:
        raise error_of(
            f"a {kind} is one column, not a data frame; {wanted}", code="frame.form", given=kind
        )
    if kind == LAZY:
        raise error_of(
            "a LazyFrame has no rows yet; call .collect() on it first",
            code="frame.form",
            given=kind,
        )
    if from_pandas and not hasattr(frame, "columns"):
        raise error_of(
            f"a {kind} of pandas is no data frame; give the data frame itself",
            code="frame.form",
            given=kind,
        )
    if from_pandas:
        _check_heads([str(name) for name in frame.columns], error_of)
    try:
        if from_pandas:
            table = pa.Table.from_pandas(frame, preserve_index=False)
        else:
            table = pa.table(frame)
    except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
        said = str(error.args[0] if error.args else error) or "it is in a form of its own"
        reason = (_mixed(frame) if from_pandas else "") or clip(said.splitlines()[0])
        raise error_of(
            f"this data frame cannot be read: {reason}; a column holds either texts or whole "
            "numbers",
            code="frame.form",
            reason=error,
        ) from None
    return pa.table([_plain(column) for column in table.columns], names=table.column_names)


def _mixed(frame: Any) -> str:
    """Which column of pandas cannot be read since it holds values of several kinds, if one does."""
    import pyarrow as pa

    for name in frame.columns:
        try:
            pa.array(frame[name], from_pandas=True)
        except (pa.ArrowException, TypeError, ValueError, OverflowError):
            kinds = sorted({type(value).__name__ for value in frame[name].dropna()})
            if len(kinds) > 1:
                return f'column "{clip(str(name))}" holds {clip(" beside ".join(kinds))}'
    return ""


def _check_heads(names: Sequence[str], error_of: type[HushvoteError]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise error_of(
                f"two columns of this data frame are called {echo(name)}; rename one of them",
                code="frame.form",
                column=name,
            )


def _plain(column: "pa.ChunkedArray") -> "pa.ChunkedArray":
    """Texts in the type that everybody knows, in place of Polars' views of them."""
    import pyarrow as pa

    if str(column.type) == "string_view":
        return column.cast(pa.large_string())
    if pa.types.is_dictionary(column.type) and str(column.type.value_type) == "string_view":
        words = pa.large_string()
        return pa.chunked_array(
            [
                pa.DictionaryArray.from_arrays(part.indices, part.dictionary.cast(words))
                for part in column.chunks
            ],
            pa.dictionary(column.type.index_type, words),
        )
    return column


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
            found = import_module(name)
        except ImportError:
            continue
        return found.DataFrame(dict(columns))
    raise FileError(
        f"a data frame needs {' or '.join(wanted)}: pip install {wanted[0]}",
        code="frame.library",
        given=library,
    )
