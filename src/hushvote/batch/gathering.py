"""What all files of one count must agree on, and the tallies that come of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from hushvote.batch.inputs import Input
from hushvote.batch.opening import Opened
from hushvote.batch.reading import read_tally, reports_in
from hushvote.batch.rows import Left
from hushvote.batch.sums import Sums
from hushvote.canonical import is_hex
from hushvote.errors import FileError, HushvoteError
from hushvote.files import AnyPath
from hushvote.formats.reports import POLL, ReportFile
from hushvote.mechanisms import Mechanism
from hushvote.messages import ENGLISH, counted
from hushvote.tally import Tally

Opening = Callable[[AnyPath, Mechanism | None, str | None], ReportFile]


@dataclass(frozen=True, repr=False)
class Counted:
    """What files add up to: the tally of every group, and the rows that are in none."""

    groups: Mapping[str, Tally]
    """By the text of the column that was asked for; one tally, named "", if none was."""
    nothing: Tally
    """Of no report, with what all groups say of their poll."""
    left: Left
    """Rows that were left out, by reason."""

    def __repr__(self) -> str:
        found = counted(self.n, "report", ENGLISH)
        if "" not in self.groups:
            found += f" in {counted(len(self.groups), 'group', ENGLISH)}"
        left = ", ".join(f"{n:,} {reason}" for reason, n in self.left.to_dict().items() if n)
        return f"<Counted: {found}; left out: {left or 'nothing'}>"

    @property
    def n(self) -> int:
        """How many reports were counted, in all groups."""
        return sum(tally.n for tally in self.groups.values())

    @property
    def tally(self) -> Tally:
        """The tally of all, if they are of one poll."""
        return sum(self.groups.values(), start=self.nothing)


class Gathered:
    """Takes files and tallies one by one, and refuses what does not belong to the others."""

    def __init__(
        self, given: Mechanism | None, poll: str | None, by: str | None, *, skip: bool
    ) -> None:
        self.given = given
        self.poll = poll
        self.by = by
        self.skip = skip
        self.mechanism: Mechanism | None = None
        self.left = Left()  # rows of files that are of another poll as a whole
        self._nothing: Tally | None = None
        self._before: Tally | None = None

    def add_tally(self, path: AnyPath) -> None:
        """Add what was counted before."""
        tally = read_tally(path, self.given, self.poll, self.by)
        self._belongs(path, tally - tally)
        self._before = tally if self._before is None else self._before + tally

    def opened(self, one: Input, reports_in: Opening = reports_in) -> Opened | None:
        """A file of reports, ready to be counted; None if all of it is of another poll, and such
        rows are left out. `reports_in` opens it, wherever it lies.
        """
        try:
            file = reports_in(one.path, self.given, self.poll)
        except FileError as error:
            if not self.skip or error.code != "file.poll":
                raise
            self.left += Left(foreign=reports_in(one.path, self.given, None).n)
            return None
        said = dict(one.fixed)
        if self.by == POLL and file.poll is not None:
            said.setdefault(POLL, file.poll)
        known = self.mechanism or self.given
        opened = Opened.of(file, self.by, self.poll, said, skip=self.skip, known=known)
        self.begin(opened.mechanism, file)
        return opened

    def begin(self, mechanism: Mechanism, file: ReportFile) -> None:
        """Take what the head of a file says."""
        nothing = mechanism.tally(mechanism.domain.empty(0))
        nothing = replace(nothing, seeded=file.seeded)
        nothing = nothing.for_poll(None if self.by == POLL else file.poll)
        self._belongs(file.path, nothing.named(file.candidates) if file.candidates else nothing)
        self.mechanism = self.mechanism or mechanism

    def _belongs(self, path: AnyPath, nothing: Tally) -> None:
        try:
            self._nothing = nothing if self._nothing is None else self._nothing + nothing
        except HushvoteError as error:
            raise error.within(path, path=path) from None

    def counted(self, sums: Sums | None) -> Counted:
        """All tallies."""
        if self._nothing is None:
            if self.left.foreign:
                raise FileError("all files are of another poll", code="file.poll", poll=self.poll)
            raise FileError(
                "there is nothing to count: name at least one file of reports", code="file.none"
            )
        groups: dict[str, Tally] = {}
        left, nothing = self.left, self._nothing
        if sums is not None:
            nothing = self._of_one_poll(sums, nothing)
            left += sums.left
            for name, tally in sums.tallies().items():
                poll = name if self.by == POLL and is_hex(name) else nothing.poll
                groups[name] = tally.for_poll(poll) + nothing.for_poll(poll)
        if self._before is not None:
            groups[""] = groups.get("", nothing) + self._before + nothing
        return Counted(groups, nothing, left)

    def _of_one_poll(self, sums: Sums, nothing: Tally) -> Tally:
        """Rows of several polls are never counted together."""
        polls = sorted(sums.polls)
        if len(polls) > 1:
            named = " and ".join(f"{poll[:16]}..." if poll else "no poll" for poll in polls[:2])
            raise FileError(
                f"there are rows of several polls, such as {named}; say which one to count with "
                "--poll, or count each with --by poll",
                code="file.poll",
                one=polls[0],
                other=polls[1],
            )
        if polls and nothing.poll is None and is_hex(polls[0]):
            return nothing.for_poll(polls[0])
        return nothing
