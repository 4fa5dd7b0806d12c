"""What all files of one count must agree on, and the tallies that come of them."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from hushvote.batch.inputs import Input
from hushvote.batch.opening import Opened
from hushvote.batch.reading import read_tally, reports_in
from hushvote.batch.rows import Left
from hushvote.batch.sums import Sums
from hushvote.canonical import is_hex
from hushvote.errors import FileError, HushvoteError, clip, echo
from hushvote.files import AnyPath
from hushvote.formats.reports import POLL, RECEIPT, ReportFile
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
    files: tuple[ReportFile, ...] = ()
    """The files of reports that were counted."""
    seeded: tuple[AnyPath, ...] = ()
    """Which files and tallies say that a seed drew their reports, or some of them."""

    @property
    def without_checksums(self) -> list[AnyPath]:
        """Which files have pages without a checksum, so that damage may go unnoticed; of files at
        addresses this is not known.
        """
        return [file.path for file in self.files if file.stamp is not None and not file.checked]

    @property
    def with_receipts(self) -> list[AnyPath]:
        """Which files say whose each report is."""
        return [file.path for file in self.files if RECEIPT in file.schema.names]

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
        self,
        given: Mechanism | None,
        poll: str | None,
        by: str | None,
        *,
        skip: bool,
        apart: bool = False,
    ) -> None:
        self.given = given
        self.poll = poll
        self.by = by
        self.skip = skip
        self.apart = apart  # no receipt stands in two files or tallies
        self.mechanism: Mechanism | None = None
        self.left = Left()  # rows of files that are of another poll as a whole
        self._files: list[ReportFile] = []
        self._seeded: list[AnyPath] = []
        self._nothing: Tally | None = None
        self._before: Tally | None = None

    def add_tally(self, one: Input) -> None:
        """Add what was counted before."""
        if one.is_remote:
            raise FileError(
                f"cannot read {echo(str(one.path))}: tallies are added here, not on a cluster; "
                "get a copy of it",
                code="file.remote",
                path=one.path,
            )
        tally = read_tally(one.path, self.given, self.poll, self.by)
        self._belongs(one.path, tally - tally)
        self._before = tally if self._before is None else self._before + tally
        if tally.seeded:
            self._seeded.append(one.path)

    def opened(self, one: Input, reports_in: Opening = reports_in) -> Opened | None:
        """A file of reports, ready to be counted; None if all of it is of another poll, and such
        rows are left out. `reports_in` opens it, wherever it lies.
        """
        try:
            file = reports_in(one.path, self.given, self.poll)
        except FileError as error:
            if not self.skip or error.code != "file.poll":
                raise
            self.left += Left(foreign=reports_in(one.path, None, None).n)
            return None
        said = dict(one.fixed)
        if self.by == POLL and file.poll is not None:
            _check_folder(file, said.setdefault(POLL, file.poll))
        known = self.mechanism or self.given
        opened = Opened.of(file, self.by, self.poll, said, skip=self.skip, known=known)
        self.begin(opened.mechanism, file)
        return opened

    def check_receipts(self, opened: Iterable[Opened]) -> None:
        """Refuse to add reports with receipts to tallies that may hold the same voters."""
        if self._before is not None and not self.apart and any(one.has_receipts for one in opened):
            raise FileError(
                "a tally does not say whose reports are in it, so reports with receipts cannot be "
                "added to it: a voter might count twice; count all reports together, or say "
                "--apart (in Python: apart=True) if none of these receipts is in the tally",
                code="tally.receipts",
            )

    def begin(self, mechanism: Mechanism, file: ReportFile) -> None:
        """Take what the head of a file says."""
        self._files.append(file)
        if file.seeded:
            self._seeded.append(file.path)
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
            raise self.nothing_to_count()
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
        return Counted(groups, nothing, left, tuple(self._files), tuple(self._seeded))

    def nothing_to_count(self) -> FileError:
        """Why no file is left."""
        if self.left.foreign:
            return FileError("all files are of another poll", code="file.poll", poll=self.poll)
        return FileError(
            "there is nothing to count: name at least one file of reports", code="file.none"
        )

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


def _check_folder(file: ReportFile, poll: str) -> None:
    """Refuse a file in a folder of another poll than the one that its head names."""
    if poll != file.poll:
        raise FileError(
            f"{file.path} stands in a folder of the poll {clip(poll)[:16]}..., but says itself "
            f"that it is of {(file.poll or '')[:16]}...; put it where it belongs",
            code="file.poll",
            path=file.path,
            given=poll,
            poll=file.poll,
        )
