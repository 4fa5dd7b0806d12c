"""`hushvote tally --without`: reports that are taken back out of a tally."""

from pathlib import Path

from hushvote import batch
from hushvote.errors import TallyError
from hushvote.mechanisms import Mechanism, mechanism_from
from hushvote.tally import Tally


def without_withdrawn(
    counted: Tally, withdrawn: list[Path] | None, given: Mechanism | None, poll: str | None
) -> Tally:
    """The tally without these files of reports, or tallies; refused if they were not counted."""
    if not withdrawn:
        return counted
    left = counted - batch.tally_files(withdrawn, parameters=given, poll=poll)
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
