"""`hushvote tally --without`: reports that are taken back out of a tally."""

from hushvote import batch
from hushvote.errors import TallyError
from hushvote.files import AnyPath
from hushvote.mechanisms import Mechanism, mechanism_from
from hushvote.tally import Tally


def without_withdrawn(
    counted: Tally,
    withdrawn: list[AnyPath],
    given: Mechanism | None,
    poll: str | None,
    on_bad: str,
) -> Tally:
    """The tally without these files of reports, or tallies; refused if they were not counted."""
    if not withdrawn:
        return counted
    for path in batch.with_receipts(withdrawn, given):
        raise TallyError(
            f"cannot withdraw {path} as a whole: it has receipts, and a tally does not say which "
            "of them were counted; count all files together, with rows of these receipts whose "
            "'withdrawn' is true",
            code="tally.receipts",
            path=path,
        )
    left = counted - batch.tally_files(withdrawn, parameters=given, poll=poll, on_bad=on_bad)
    try:
        mechanism_from(left.parameters).check_tally(left)
    except TallyError:
        raise TallyError(
            "cannot withdraw what --without names: not all of it is among the reports that were "
            "counted",
            code="tally.withdrawal",
            given=counted.n - left.n,
            n=counted.n,
        ) from None
    return left
