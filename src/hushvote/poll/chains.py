"""Chains of receipts: a change spends one receipt and names the next, a withdrawal names none."""

from collections.abc import Sequence, Set

from hushvote.poll.header import Spent


class Chains:
    """How changes lead from one report to another, as a board's header tells it."""

    def __init__(self, spent: Sequence[Spent]) -> None:
        self._following = {one.receipt: one.next for one in spent}
        nexts = [one.next for one in spent if one.next is not None]
        self.named = frozenset(nexts)
        self.changes = len(nexts)
        self.withdrawals = len(spent) - len(nexts)
        self.longest = self._longest() if len(self.named) == len(nexts) else None

    def _longest(self) -> int | None:
        """The most changes in one chain; None if a chain runs in a circle, where no walk begins."""
        most = walked = 0
        for start in self._following.keys() - self.named:
            changes, at = 0, self._following[start]
            walked += 1
            while at is not None:
                changes += 1
                if at not in self._following:
                    break
                walked, at = walked + 1, self._following[at]
            most = max(most, changes)
        return most if walked == len(self._following) else None

    def lost(self, standing: Set[str]) -> int:
        """How many of the named receipts neither stand nor were spent: those of erased entries."""
        return len(self.named - standing - self._following.keys())

    def begun(self, standing: int, lost: int) -> int:
        """How many of so many standing receipts, and of the spent ones, no change has named."""
        return standing + len(self._following) - (len(self.named) - lost)

    def fit(self, lost: int, erased: int) -> bool:
        """Whether no two changes name one receipt, none leads back, and none leads nowhere."""
        return self.longest is not None and lost <= erased
