"""The counter's integers: tallies of reports that add, subtract and travel as JSON.

A tally holds no estimate and no float, so merging is exact and its order never matters. It
carries the mechanism's parameters, and refuses to mix with reports of any other mechanism.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hushvote import exact, notebooks
from hushvote.canonical import canonical, digest_of, is_hex, sealed, unsealed
from hushvote.errors import HushvoteError, TallyError, clip, echo
from hushvote.messages import ENGLISH, counted
from hushvote.rankings import check_candidates

if TYPE_CHECKING:
    from hushvote.result import Result

Parameters = Mapping[str, Any]
Counts = Mapping[str, NDArray[np.int64]]
VERSION = 2  # of the JSON that tallies travel as
MOST_VOTERS = 10**15  # more than anybody will ever count


@dataclass(frozen=True, eq=False, repr=False)
class Tally:
    """Named integer arrays counted from n reports of one mechanism."""

    parameters: Parameters
    n: int
    counts: Counts
    candidates: tuple[str, ...] | None = None
    poll: str | None = None  # the digest of the poll that the reports were sent to
    seeded: bool = False  # some reports were drawn with a seed, so they are not private

    @cached_property
    def digest(self) -> str:
        """The mechanism's digest; tallies merge only when it is the same."""
        return digest_of(self.parameters)

    def named(self, candidates: tuple[str, ...]) -> "Tally":
        """The same tally with the candidates' names."""
        texts = isinstance(candidates, list | tuple) and all(
            isinstance(name, str) for name in candidates
        )
        if not texts:
            raise TallyError(
                f"name the candidates by texts such as ('Ann', 'Bob'), not {echo(candidates)}",
                code="tally.names",
                given=candidates,
            )
        check_candidates(candidates)
        scored = len(self.parameters["rule"]["scores"])
        if len(candidates) != scored:
            raise TallyError(
                f"there are {len(candidates)} names, but the rule of this tally scores "
                f"{scored} candidates",
                code="name.number",
                number=len(candidates),
                d=scored,
            )
        if self.candidates and set(self.candidates) == set(candidates):
            self._check_order(candidates)
        return replace(self, candidates=tuple(candidates))

    def _check_order(self, candidates: Sequence[str]) -> None:
        """Refuse the names that it has already, in another order: scores would change hands."""
        held = self.candidates or ()
        if tuple(candidates) != held:
            raise TallyError(
                f"this tally names its candidates {clip(', '.join(held))}, in this order; "
                f"{clip(', '.join(candidates))} is another one",
                code="tally.candidates",
                one=", ".join(held),
                other=", ".join(candidates),
            )

    def for_poll(self, poll: str | None) -> "Tally":
        """The same tally, as one of the poll with this digest."""
        if poll is not None and not is_hex(poll):
            raise TallyError(
                f"a poll's digest is 64 hexadecimal digits in lower case, not {echo(poll)}",
                code="poll.digest",
                given=poll,
            )
        return replace(self, poll=poll)

    def __add__(self, other: "Tally") -> "Tally":
        return self._merged(other, 1)

    def __radd__(self, other: object) -> "Tally":
        """So that `sum(tallies)` works, which begins with 0."""
        return self if isinstance(other, int) and other == 0 else NotImplemented

    def __sub__(self, other: "Tally") -> "Tally":
        """Take reports back out, as when voters withdraw them."""
        if isinstance(other, Tally) and other.n > self.n:
            raise TallyError(
                f"cannot withdraw {counted(other.n, 'report', ENGLISH)} from a tally of {self.n:,}",
                code="tally.withdrawal",
                given=other.n,
                n=self.n,
            )
        return self._merged(other, -1)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tally):
            return NotImplemented
        return (
            (self.n, self.digest, self.candidates) == (other.n, other.digest, other.candidates)
            and (self.poll, self.seeded) == (other.poll, other.seeded)
            and self.counts.keys() == other.counts.keys()
            and all(np.array_equal(self.counts[name], other.counts[name]) for name in self.counts)
        )

    __hash__ = None  # type: ignore[assignment]

    def _merged(self, other: "Tally", sign: int) -> "Tally":
        if not isinstance(other, Tally):
            return NotImplemented
        if self.digest != other.digest:
            raise TallyError(
                f"these tallies have different parameters: {_summary(self.parameters)} "
                f"and {_summary(other.parameters)}; only reports of one mechanism can be counted "
                "together",
                code="tally.parameters",
                one=_summary(self.parameters),
                other=_summary(other.parameters),
            )
        if self.poll != other.poll:
            raise TallyError(
                f"these tallies are of different polls: {_poll(self)} and {_poll(other)}; "
                "only reports of one poll can be counted together",
                code="tally.poll",
                one=_poll(self),
                other=_poll(other),
            )
        if self.candidates and other.candidates and self.candidates != other.candidates:
            raise TallyError(
                f"these tallies name different candidates: {clip(', '.join(self.candidates))} "
                f"and {clip(', '.join(other.candidates))}",
                code="tally.candidates",
                one=", ".join(self.candidates),
                other=", ".join(other.candidates),
            )
        counts = {
            name: exact_sum(self.counts[name], sign * other.counts[name]) for name in self.counts
        }
        return replace(
            self,
            n=self.n + sign * other.n,
            counts=counts,
            candidates=self.candidates or other.candidates,
            seeded=self.seeded or other.seeded,
        )

    def __repr__(self) -> str:
        return f"<Tally of {counted(self.n, 'report', ENGLISH)}: {_summary(self.parameters)}>"

    def _repr_html_(self) -> str:
        told = {
            "reports": f"{self.n:,}",
            "mechanism": _summary(self.parameters),
            "candidates": ", ".join(self.candidates or ()) or "-",
            "poll": self.poll or "-",
            "counts": ", ".join(
                f"{name} {' × '.join(map(str, array.shape))}" for name, array in self.counts.items()
            ),
            "digest": self.digest,
        }
        words = ["Drawn with a seed: for simulation only, not private."] if self.seeded else []
        heads = [("tally", notebooks.TEXT), ("", notebooks.TEXT)]
        return notebooks.table(repr(self)[1:-1], heads, told.items(), words)

    def result(self, *, population: bool = False) -> "Result":
        """Estimate the scores from these counts: those of these voters or, with `population`, of
        a population from which they were drawn at random, as in a survey.
        """
        from hushvote.mechanisms import mechanism_from
        from hushvote.result import Result

        mechanism = mechanism_from(self.parameters)
        return Result.of(mechanism, self, population=population)

    def to_json(self) -> str:
        """Write the tally as JSON text."""
        return sealed(self._document())

    def _document(self) -> dict[str, Any]:
        document: dict[str, Any] = {"hushvote": "tally", "version": VERSION, "n": self.n}
        if self.candidates:
            document["candidates"] = list(self.candidates)
        if self.poll is not None:
            document["poll"] = self.poll
        if self.seeded:
            document["seeded"] = True
        document["mechanism"] = self.parameters
        document["counts"] = {
            name: {"shape": list(array.shape), "values": [exact.to_json(v) for v in array.flat]}
            for name, array in ((n, a.astype(object)) for n, a in self.counts.items())
        }
        return document

    @classmethod
    def from_json(cls, text: str | bytes) -> "Tally":
        """Read what `to_json` wrote, strictly; a TallyError says what is wrong with it."""
        from hushvote.mechanisms import mechanism_from

        if not isinstance(text, str | bytes):
            raise TallyError(
                f"a tally is read from the text that to_json wrote, not from {echo(text)}",
                code="tally.form",
                given=text,
            )
        try:
            document = unsealed(text)
        except ValueError as error:
            raise TallyError(
                f"this is not a tally, or a damaged one: {clip(str(error))}",
                code="tally.form",
                reason=error,
            ) from None
        if document.get("hushvote") != "tally":
            raise TallyError('this is not a tally: it lacks "hushvote": "tally"', code="tally.form")
        if document.get("version") != VERSION:
            raise TallyError(
                f"this tally has format version {echo(document.get('version'))}; "
                f"this hushvote reads version {VERSION}",
                code="tally.version",
                given=document.get("version"),
                version=VERSION,
            )
        mechanism = mechanism_from(document.get("mechanism"))
        try:
            n = exact.from_json(document["n"])
            counts = {name: _array(entry) for name, entry in document["counts"].items()}
            names = document.get("candidates")
            candidates = None if names is None else tuple(names)
            if candidates is not None:
                check_candidates(candidates)
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            reason = str(error) if isinstance(error, HushvoteError) else echo(error)
            raise TallyError(
                f"this tally is damaged: {reason}", code="tally.form", reason=error
            ) from None
        poll, seeded = document.get("poll"), "seeded" in document
        tally = cls(mechanism.parameters(), n, counts, candidates, seeded=seeded).for_poll(poll)
        mechanism.check_tally(tally)
        if canonical(document) != canonical(tally._document()):
            raise TallyError(
                "this tally is damaged: it has members or forms of numbers that no tally has",
                code="tally.form",
            )
        return tally


def _poll(tally: Tally) -> str:
    return "no poll" if tally.poll is None else f"poll {tally.poll[:16]}"


def _summary(parameters: Parameters) -> str:
    rule = parameters.get("rule", {})
    return (
        f"{parameters.get('mechanism')} for {rule.get('name')} over "
        f"{len(rule.get('scores', []))} candidates with epsilon {parameters.get('epsilon')}"
    )


def _array(entry: Mapping[str, Any]) -> NDArray[np.int64]:
    values = [exact.from_json(value) for value in entry["values"]]
    return np.array(values, dtype=np.int64).reshape([exact.from_json(k) for k in entry["shape"]])


def exact_sum(a: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[np.int64]:
    """Add counts, refusing to overflow."""
    total = a + b
    if (((a ^ total) & (b ^ total)) < 0).any():
        raise TallyError(
            "the counts have grown beyond 64-bit integers; tally fewer reports",
            code="tally.overflow",
        )
    return total
