"""What files say of themselves: their mechanism, and whether they are private and whole."""

from collections.abc import Iterable
from pathlib import Path

from hushvote.batch.inputs import inputs
from hushvote.canonical import parsed
from hushvote.errors import FileError, HushvoteError, clip, echo
from hushvote.files import AnyPath, reading
from hushvote.formats import suffixes
from hushvote.formats.reports import ReportFile, check_poll, open_reports
from hushvote.mechanisms import Mechanism, mechanism_from
from hushvote.streams import kind_of
from hushvote.tally import Parameters, Tally

Given = Parameters | str | Mechanism | None


def mechanism_given(parameters: Given) -> Mechanism | None:
    """The mechanism that somebody said, if anybody did."""
    if parameters is None or isinstance(parameters, Mechanism):
        return parameters
    return mechanism_from(parameters)


def read_tally(path: AnyPath, given: Mechanism | None, poll: str | None, by: str | None) -> Tally:
    """A tally that was counted before, if it may be added."""
    with reading(path) as file:
        held = file.read()
    try:
        tally = Tally.from_json(held)
    except HushvoteError as error:
        raise error.within(path, path=path) from None
    if by is not None:
        raise FileError(
            f"{path} is a tally, which cannot be divided by {echo(by)}; name reports",
            code="file.groups",
            path=path,
            by=by,
        )
    if given is not None and given.digest != tally.digest:
        raise FileError(
            f"{path} is a tally with other parameters than the given ones",
            code="tally.parameters",
            path=path,
        )
    check_poll(path, tally.poll, poll)
    return tally


def reports_in(
    path: AnyPath, given: Mechanism | None = None, poll: str | None = None
) -> ReportFile:
    """A file of reports, opened."""
    kind = kind_of(Path(path))
    if kind in suffixes() and kind != ".parquet":
        raise FileError(
            f"{path} holds ballots, not reports; first run 'hushvote privatize' on it",
            code="file.kind",
            path=path,
        )
    return open_reports(path, None if given is None else given.parameters(), poll)


def is_seeded(path: AnyPath) -> bool:
    """Whether a file of reports or a tally says that a seed drew its reports, or some of them."""
    if not _is_json(path):
        return reports_in(path).seeded
    text, is_tally = _document(path)
    return is_tally and Tally.from_json(text).seeded


def rows_in(paths: Iterable[AnyPath], parameters: Given = None) -> int | None:
    """How many rows there are to count, for a bar; None if only counting can tell what is wrong."""
    try:
        given, files = mechanism_given(parameters), inputs(paths)
        if any(one.is_remote for one in files):
            return None
        return sum(reports_in(one.path, given).n for one in files if not one.is_tally)
    except HushvoteError:
        return None


def mechanism_of(path: AnyPath) -> Mechanism:
    """The mechanism that a file of reports, a tally or plain parameters carries."""
    if not _is_json(path):
        return mechanism_from(reports_in(path).parameters)
    text, is_tally = _document(path)
    try:
        if is_tally:
            return mechanism_from(Tally.from_json(text).parameters)
        return mechanism_from(text.removesuffix("\n"))
    except HushvoteError as error:
        raise error.within(path, path=path) from None


def _is_json(path: AnyPath) -> bool:
    return Path(path).suffix.lower() == ".json"


def _document(path: AnyPath) -> tuple[str, bool]:
    """The text of a JSON file, and whether it is a tally."""
    with reading(path) as file:
        held = file.read()
    try:
        document = parsed(held)
        return held.decode(), isinstance(document, dict) and document.get("hushvote") == "tally"
    except ValueError as error:
        raise FileError(
            f"{path} is {clip(str(error))}", code="parameters.json", path=path, reason=error
        ) from None
