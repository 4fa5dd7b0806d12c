"""One question: does the voter rank these candidates far enough above those?

A pair of disjoint groups of ranks, T+ of size a and T- of size b, is drawn; each member of T+
counts `gain`, each of T- counts -`loss`, and the rest nothing. The groups pass if
X = gain λ(T+) - loss λ(T-) >= threshold, for integer rank weights λ.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

Weights = tuple[int, ...]


@dataclass(frozen=True)
class Shape:
    """Sizes of the two groups, and what their members count."""

    a: int
    b: int
    gain: int
    loss: int

    def mean(self, d: int) -> Fraction:
        """What a candidate counts on average."""
        return Fraction(self.gain * self.a - self.loss * self.b, d)

    def power(self, d: int) -> Fraction:
        """|x|² of x = gain 1_{T+} - loss 1_{T-} - mean: what the groups say beyond the mean."""
        return self.gain**2 * self.a + self.loss**2 * self.b - d * self.mean(d) ** 2

    def reach(self, d: int) -> float:
        """Difference of two candidates' entries in x, over |x|."""
        return (self.gain + self.loss) / math.sqrt(self.power(d))

    def exchanged(self) -> "Shape":
        """The same with the groups' roles exchanged."""
        return Shape(self.b, self.a, self.loss, self.gain)


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
        """|x|² of a pair of groups."""
        return self.shape.power(self.d)

    def statistic(self, plus: int, minus: int) -> int:
        """X, from the sums of the weights in the two groups."""
        return self.shape.gain * plus - self.shape.loss * minus

    def mirrored(self) -> "Question":
        """The same question with the groups' names exchanged, so that it moves views backwards."""
        top, shape = max(self.weights), self.shape
        turned = top * (shape.loss * shape.b - shape.gain * shape.a)
        weights = tuple(top - w for w in self.weights)
        return Question(shape.exchanged(), weights, self.threshold + turned)
