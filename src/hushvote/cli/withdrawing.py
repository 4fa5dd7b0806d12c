"""`hushvote tally --without`: reports that are taken back out of a tally."""

from hushvote.batch import Counted
from hushvote.errors import TallyError
from hushvote.mechanisms import mechanism_from
from hushvote.tally import Tally


def without_withdrawn(counted: Tally, withdrawn: Counted | None) -> Tally:
    """The tally without these reports, if there are any; refused if they were not counted."""
    if withdrawn is None:
        return counted
    for path in withdrawn.with_receipts:
        raise TallyError(
            f"cannot withdraw {path} as a whole: it has receipts, and a tally does not say which "
            "of them were counted; count all files together, with rows of these receipts whose "
            "'withdrawn' is true",
            code="tally.receipts",
            path=path,
        )
    left = counted - withdrawn.tally
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
