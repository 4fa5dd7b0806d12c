"""Several seats for the candidates with the highest scores: who has one, and who may."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushvote import exact
from hushvote.errors import TallyError


@dataclass(frozen=True)
class Elected:
    """Candidates by what is sure about their seat, each group from the highest score on."""

    seats: int
    sure: tuple[int, ...]
    """Who has a seat."""
    open: tuple[int, ...]
    """Who may have one."""
    out: tuple[int, ...]
    """Who has none."""

    @property
    def certified(self) -> bool:
        """Whether all seats are settled."""
        return not self.open

    def to_dict(self, names: tuple[str, ...]) -> dict[str, Any]:
        """Plain data, with the candidates' names."""
        groups = {"sure": self.sure, "open": self.open, "out": self.out}
        named = {key: [names[j] for j in group] for key, group in groups.items()}
        return {"seats": self.seats, "certified": self.certified, **named}


def elected(seats: int, surely_above: NDArray[np.bool_], order: tuple[int, ...]) -> Elected:
    """Sure of a seat is who is surely above so many that the seats suffice for all others; out is
    who is surely below as many as there are seats. `surely_above[i, j]`: i is above j.
    """
    d = len(order)
    seats = check_seats(seats, d)
    below, above = surely_above.sum(axis=1), surely_above.sum(axis=0)
    sure = tuple(j for j in order if below[j] >= d - seats)
    out = tuple(j for j in order if above[j] >= seats)
    return Elected(seats, sure, tuple(j for j in order if j not in sure + out), out)


def check_seats(seats: object, d: int) -> int:
    """The number of seats; one that leaves nothing to decide is refused."""
    if (number := exact.whole(seats, 1, d - 1)) is None:
        raise TallyError(
            f"the seats must be a whole number from 1 to {d - 1} for {d} candidates, not {seats!r}",
            code="result.seats",
            given=seats,
            d=d,
        )
    return number
