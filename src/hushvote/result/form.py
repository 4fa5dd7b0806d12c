"""How far errors are from Gaussian, where a poll is small and lies are rare."""

from dataclasses import dataclass

import numpy as np

from hushvote.mechanisms.contract import Floats

LEAST_JUMPS = 1e-300  # their number, so that nothing is divided by 0
NEWTON = 12  # rounds; the rate is convex, and they begin above its root


@dataclass(frozen=True)
class Form:
    """What one report moves a sum by. With zeros, errors are Gaussian."""

    step: float = 0.0
    """The least difference of two values that it can add: with few lies, sums move by these."""
    jump: float = 0.0
    """√(fourth cumulant/variance), where that is the largest: errors have the tails of rare jumps
    of this size, up or down alike. 0 if tails are nowhere heavier than Gaussian."""

    def of_mean(self, n: float) -> "Form":
        """The same for the mean of n reports."""
        return Form(self.step / n, self.jump / n)

    def limits(self, critical: float, errors: Floats) -> Floats:
        """How far an error goes where a Gaussian one goes to `critical` standard errors.

        An error of λ rare jumps has the rate I(x) = x asinh(x/λ) - √(x² + λ²) + λ, in jumps, and
        the Gaussian one critical²/2 (as the signed root of the deviance is close to Gaussian). So
        x √(1 - x²/(12 λ²) ...) = critical √λ, the Gaussian limit where jumps are many.
        """
        if self.jump == 0:
            return critical * errors
        number = np.maximum((errors / self.jump) ** 2, LEAST_JUMPS)
        x = critical * np.sqrt(number) + critical**2
        for _ in range(NEWTON):
            away = np.arcsinh(x / number)
            rate = x * away - np.hypot(x, number) + number
            x = x - (rate - critical**2 / 2) / away
        return np.asarray(self.jump * x)

    def width(self, critical: float, errors: Floats) -> Floats:
        """Half the width of an interval: half a step more, as errors are no finer."""
        return self.limits(critical, errors) + self.step / 2


GAUSSIAN = Form()
