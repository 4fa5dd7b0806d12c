"""Everything that can be wrong with what a user gave us, each as one sentence to act on.

Every error of the library is a `HushvoteError`; the command line prints its message and
exits with code 2. A message says what was wrong, where, and what would be right.
"""


class HushvoteError(ValueError):
    """Base of all errors that a user of hushvote can cause and mend."""


class RuleError(HushvoteError):
    """A score vector, or the name or size of a rule, is not usable."""


class RankingError(HushvoteError):
    """A ranking is not a permutation of the candidates."""


class MechanismError(HushvoteError):
    """A mechanism cannot be built from these parameters, or does not offer what was asked."""


class ReportError(HushvoteError):
    """A report is not one that the mechanism can send."""


class TallyError(HushvoteError):
    """Tallies do not belong together, or hold too few reports for what was asked."""


class SimulationError(HushvoteError):
    """An experiment cannot be run as it is set; `setting` names what to change."""

    def __init__(self, message: str, setting: str | None = None) -> None:
        super().__init__(message)
        self.setting = setting


class FileError(HushvoteError):
    """A file cannot be read or written, or is not what its name says."""


LONGEST_ECHO = 80  # characters of somebody's input that a message repeats


def echo(value: object) -> str:
    """What somebody gave us, as a message repeats it: never more than a line of it."""
    return clip(repr(value))


def clip(text: str) -> str:
    """Text as it stands, but never more than a line of it."""
    return text if len(text) <= LONGEST_ECHO else f"{text[: LONGEST_ECHO - 3]}..."
