"""Everything that can be wrong with what a user gave us, each as one sentence to act on.

Every error of the library is a `HushvoteError`; the command line prints its message and
exits with code 2. A message says what was wrong, where, and what would be right. Programs look
at `code`, which stays when sentences change, and at `values`, which the sentence is made of.
"""

import copy
from collections.abc import Mapping
from numbers import Integral
from typing import Any, ClassVar, Self


class HushvoteError(ValueError):
    """Base of all errors that a user of hushvote can cause and mend.

    `code` is stable, such as "ranking.duplicate"; `values` has as plain data what the sentence
    is made of, each cut to 80 characters.
    """

    area: ClassVar[str] = "hushvote"  # the code of an error that was raised without one

    def __init__(self, message: str, /, *, code: str | None = None, **values: object) -> None:
        super().__init__(message)
        self.code = self.area if code is None else code
        self.values: dict[str, Any] = {name: _plain(value) for name, value in values.items()}

    def within(self, place: object, **values: object) -> Self:
        """The same error, its sentence led by where it happened; code and values stay."""
        found = copy.copy(self)
        found.args = (f"{place}: {self}",)
        found.values = self.values | {name: _plain(value) for name, value in values.items()}
        return found


class RuleError(HushvoteError):
    """A score vector, or the name or size of a rule, is not usable."""

    area = "rule"


class RankingError(HushvoteError):
    """A ranking is not a permutation of the candidates."""

    area = "ranking"


class MechanismError(HushvoteError):
    """A mechanism cannot be built from these parameters, or does not offer what was asked."""

    area = "mechanism"


class ReportError(HushvoteError):
    """A report is not one that the mechanism can send."""

    area = "report"


class TallyError(HushvoteError):
    """Tallies do not belong together, or hold too few reports for what was asked."""

    area = "tally"


class PollError(HushvoteError):
    """A manifest, code, request, acknowledgement or board is not what its poll allows."""

    area = "poll"


class SimulationError(HushvoteError):
    """An experiment cannot be run as it is set; `setting` names what to change."""

    area = "simulation"

    def __init__(
        self,
        message: str,
        /,
        setting: str | None = None,
        *,
        code: str | None = None,
        **values: object,
    ) -> None:
        super().__init__(message, code=code, **values)
        self.setting = setting

    @classmethod
    def of(cls, error: HushvoteError, setting: str, message: str | None = None) -> Self:
        """Another error as that of a setting; code and values stay."""
        found = cls(str(error) if message is None else message, setting)
        found.code, found.values = error.code, dict(error.values)
        return found


class FileError(HushvoteError):
    """A file cannot be read or written, or is not what its name says."""

    area = "file"


class StreamError(HushvoteError, EOFError):
    """A given stream of bytes runs out before a draw ends."""

    area = "stream"


class PictureWarning(UserWarning):
    """A picture lacks something, as its sentence says; all else of it is right."""


LONGEST_ECHO = 80  # characters of somebody's input that a message repeats
LARGEST_VALUE = 1 << 256  # below it a whole number is shorter than that


def echo(value: object) -> str:
    """What somebody gave us, as a message repeats it: never more than a line of it."""
    return clip(" ".join(repr(value).split()))


def clip(text: str) -> str:
    """Text as it stands, but never more than a line of it."""
    return text if len(text) <= LONGEST_ECHO else f"{text[: LONGEST_ECHO - 3]}..."


def _plain(value: object) -> Any:
    """A value as plain data that JSON has: numbers, short texts, truth values and None."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return clip(str(value))
    if isinstance(value, Integral):
        number = int(value)
        return number if abs(number) < LARGEST_VALUE else clip(hex(number))
    if isinstance(value, float):
        return float(value) if abs(value) < float("inf") else str(float(value))
    try:
        return echo(value) if isinstance(value, Mapping | list | tuple) else clip(str(value))
    except Exception:  # an object of somebody's that cannot be shown
        return type(value).__name__
