"""One question: does the voter rank these candidates far enough above those?

Disjoint groups of ranks are drawn: T+ and T-, and in a finer question also T++ and T--, which
count more. Every member of a group counts the group's mark, the rest nothing. The groups pass if
X = Σ mark · λ(group) >= threshold, for integer rank weights λ.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

Weights = tuple[int, ...]

GROUPS = ("plus", "minus", "best", "worst")  # T+, T-, T++ and T--
MARKS = ("gain", "loss", "high", "low")  # what a member counts; against it in T- and T--
FEW = 7  # candidates up to which there are finer questions


@dataclass(frozen=True)
class Shape:
    """Sizes of the groups (two, or four in a finer question), and the marks of their members."""

    sizes: tuple[int, ...]
    marks: tuple[int, ...]

    @classmethod
    def pair(cls, a: int, b: int, gain: int, loss: int) -> "Shape":
        """Groups of a and b ranks, whose members count `gain` and -`loss`."""
        return cls((a, b), (gain, -loss))

    @property
    def fine(self) -> bool:
        """Whether there are more than two groups."""
        return len(self.sizes) > 2

    def mean(self, d: int) -> Fraction:
        """What a candidate counts on average."""
        return Fraction(sum(n * m for n, m in zip(self.sizes, self.marks, strict=True)), d)

    def power(self, d: int) -> Fraction:
        """|x|² of x = marks - mean: what the groups say beyond the mean."""
        squares = sum(n * m * m for n, m in zip(self.sizes, self.marks, strict=True))
        return squares - d * self.mean(d) ** 2

    @property
    def span(self) -> int:
        """Difference of the highest and the lowest mark."""
        marks = [m for n, m in zip(self.sizes, self.marks, strict=True) if n]
        return max(marks) - min(marks)

    def relative_span(self, d: int) -> float:
        """Largest difference of two candidates' entries in x, over |x|."""
        return self.span / math.sqrt(self.power(d))

    def exchanged(self) -> "Shape":
        """The same with the roles of T+ and T-, and of T++ and T--, exchanged."""
        turned = [i ^ 1 for i in range(len(self.sizes))]
        return Shape(tuple(self.sizes[i] for i in turned), tuple(-self.marks[i] for i in turned))


@dataclass(frozen=True)
class Question:
    """A shape with rank weights and a threshold."""

    shape: Shape
    weights: Weights
    threshold: int

    @property
    def d(self) -> int:
        """Number of candidates."""
        return len(self.weights)

    @property
    def power(self) -> Fraction:
        """|x|² of the groups."""
        return self.shape.power(self.d)

    def statistic(self, groups: "tuple[tuple[int, ...], ...]") -> int:
        """X of groups of ranks."""
        return sum(
            mark * sum(self.weights[r] for r in group)
            for mark, group in zip(self.shape.marks, groups, strict=True)
        )

    def mirrored(self) -> "Question":
        """The same question with the groups' names exchanged, so that it moves views backwards."""
        top = max(self.weights)
        turned = -top * self.shape.mean(self.d) * self.d
        weights = tuple(top - w for w in self.weights)
        return Question(self.shape.exchanged(), weights, self.threshold + int(turned))


def parted(ranks: list[int], sizes: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Cut drawn ranks into groups of these sizes."""
    ends = [sum(sizes[: i + 1]) for i in range(len(sizes))]
    return tuple(tuple(ranks[end - n : end]) for end, n in zip(ends, sizes, strict=True))
