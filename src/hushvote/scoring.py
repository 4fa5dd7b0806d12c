"""The plain count: exact totals of true ballots, without any privacy.

It is what a private result estimates, for simulations, for public votes and for comparison. How
often each candidate has each rank is counted in whole numbers, and a total is the sum of those
counts times the scores; nothing is rounded. Candidates that share places of a ballot, because they
are tied or not listed, have an equal share of each.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hushvote import exact, notebooks
from hushvote.errors import RankingError, clip
from hushvote.formats import RankingFile
from hushvote.formats.ballots import Places
from hushvote.frames import Frame
from hushvote.messages import ENGLISH, counted
from hushvote.notebooks import FIGURE, TEXT
from hushvote.numerals import decimals
from hushvote.rankings import Names, Rankings, named, position_counts, scored
from hushvote.rules import Rule, check_rule

HEADS = {"place": FIGURE, "candidate": TEXT, "points": FIGURE, "mean": FIGURE, "first": FIGURE}
NOT_PRIVATE = (
    "This count is not private: it needs the true ballots, which hushvote is made to do without; "
    "it is for simulations, for public votes, and to compare with a private result."
)
MOST_VOTERS = 2**63 - 1  # no count of a candidate is larger than their number


@dataclass(frozen=True, repr=False)
class Score:
    """What true ballots add up to: `positions[j][r]` is how often candidate j has rank r."""

    rule: Rule
    n: int
    positions: tuple[tuple[Fraction, ...], ...]
    candidates: tuple[str, ...] | None = None
    shared: int = 0  # voters on whose ballots candidates share places

    @cached_property
    def totals(self) -> tuple[Fraction, ...]:
        """All points of each candidate."""
        return tuple(scored(self.positions, self.rule))

    @cached_property
    def means(self) -> NDArray[np.float64]:
        """Points per voter: what the scores of a private result estimate."""
        means = np.array([float(total / self.n) for total in self.totals])
        means.setflags(write=False)
        return means

    @property
    def firsts(self) -> tuple[Fraction, ...]:
        """How often each candidate is first; those who share the first place share this too."""
        return tuple(row[0] for row in self.positions)

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Candidates, best first; equal ones by their number."""
        return tuple(sorted(range(self.rule.d), key=lambda j: -self.totals[j]))

    @cached_property
    def places(self) -> tuple[int, ...]:
        """Each candidate's place, from 1: one more than there are candidates with more points."""
        return tuple(1 + sum(other > total for other in self.totals) for total in self.totals)

    @property
    def winners(self) -> tuple[int, ...]:
        """Who has the most points; more than one if they are tied."""
        return tuple(j for j in self.order if self.places[j] == 1)

    @property
    def tied(self) -> list[tuple[int, ...]]:
        """Groups of candidates with exactly the same total, best first."""
        groups = [tuple(group) for _, group in groupby(self.order, lambda j: self.totals[j])]
        return [group for group in groups if len(group) > 1]

    @property
    def names(self) -> tuple[str, ...]:
        """The candidates' names, or their numbers."""
        return self.candidates or tuple(str(j) for j in range(self.rule.d))

    def __repr__(self) -> str:
        first = " and ".join(self.names[j] for j in self.winners)
        means = f"{clip(first)} first with {self.means.max():.4g}"
        return f"<Score of {self.title}: {means}>"

    def rows(self) -> list[list[str]]:
        """The table as it is shown to people: a row a candidate, its columns those of `HEADS`."""
        points, firsts = decimals(self.totals), decimals(self.firsts)
        return [
            [str(self.places[j]), self.names[j], points[j], f"{self.means[j]:.4f}", firsts[j]]
            for j in self.order
        ]

    def _repr_html_(self) -> str:
        return notebooks.table(self.title, list(HEADS.items()), self.rows(), [NOT_PRIVATE])

    @property
    def title(self) -> str:
        """What is counted, in words."""
        return f"{self.rule}, {counted(self.n, 'voter', ENGLISH)}"

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON, candidates best first; what is not whole is a text such as "7/3"."""
        return {
            "private": False,
            "rule": self.rule.name,
            "scores": [_plain(score) for score in self.rule.scores],
            "n": exact.to_json(self.n),
            "shared": exact.to_json(self.shared),
            "winners": [self.names[j] for j in self.winners],
            "tied": [[self.names[j] for j in group] for group in self.tied],
            "candidates": [
                {
                    "place": self.places[j],
                    "candidate": self.names[j],
                    "total": _plain(self.totals[j]),
                    "mean": float(self.means[j]),
                    "first": _plain(self.firsts[j]),
                }
                for j in self.order
            ],
        }


def _plain(number: Fraction) -> int | str:
    return exact.to_json(int(number)) if number.denominator == 1 else str(number)


def score(
    votes: RankingFile | Rankings | ArrayLike | Frame | Names,
    rule: Rule,
    *,
    progress: Callable[[int], None] = lambda _: None,
) -> Score:
    """Count true ballots exactly. This is not private: it needs the votes themselves.

    `votes` are `Rankings` or what these are made of, or a file from `open_rankings`, which is read
    in pieces however large it is; `progress` is called with the number of voters that were just
    counted.

    A file that was opened with `incomplete="shared"` may leave candidates out or tie them. Those
    that share places then share the points of these places equally, and unlisted candidates share
    all places below the listed ones. That is what completing such ballots at random, as is done for
    private reports, gives on average.
    """
    check_rule(rule)
    if isinstance(votes, RankingFile):
        return _score_file(votes, rule, progress)
    known = named(votes)
    orders = cast(ArrayLike, votes) if known is None else known.orders
    counts = position_counts(orders, rule.d).tolist()
    n = sum(counts[0])
    if not n:
        raise RankingError(
            "there are no rankings to count; a count needs at least one", code="ballots.empty"
        )
    progress(n)
    positions = tuple(tuple(map(Fraction, row)) for row in counts)
    return Score(rule, n, positions, None if known is None else known.candidates)


def _score_file(votes: RankingFile, rule: Rule, progress: Callable[[int], None]) -> Score:
    if votes.d != rule.d:
        raise RankingError(
            f"{votes.path} ranks {votes.d} candidates, but the rule scores {rule.d}",
            code="ranking.length",
            path=votes.path,
            given=votes.d,
            d=rule.d,
        )
    d, n, shared = rule.d, 0, 0
    counts = np.zeros((d, d, d), dtype=np.int64)  # candidate, first place, size less 1
    for places in votes.places():
        voters = int(places.voters.sum())
        n += voters
        if n > MOST_VOTERS:
            raise RankingError(
                f"{votes.path} has more than {MOST_VOTERS:,} voters, which cannot be counted",
                code="tally.overflow",
                path=votes.path,
                most=MOST_VOTERS,
            )
        _add(counts, places)
        shared += int(places.voters[(places.size > 1).any(axis=1)].sum())
        progress(voters)
    return Score(rule, n, _positions(counts), votes.candidates, shared)


def _add(counts: NDArray[np.int64], places: Places) -> None:
    d = len(counts)
    for j in range(d):
        cells = places.first[:, j].astype(np.intp) * d + places.size[:, j] - 1
        np.add.at(counts[j].reshape(-1), cells, places.voters)


def _positions(counts: NDArray[np.int64]) -> tuple[tuple[Fraction, ...], ...]:
    """Divide what candidates share: each has an equal part of every place."""
    d = len(counts)
    found = [[Fraction(0)] * d for _ in range(d)]
    for j, first, less in np.argwhere(counts).tolist():
        share = Fraction(int(counts[j, first, less]), less + 1)
        for rank in range(first, first + less + 1):
            found[j][rank] += share
    return tuple(map(tuple, found))
