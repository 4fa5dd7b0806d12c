"""A mechanism has the same colour and mark in every picture.

The colours are those of Okabe and Ito, which the colour-blind can tell apart.
"""

from hushvote.errors import FileError

STYLES = {  # colour and mark of each mechanism
    "duel": ("#0072B2", "o"),
    "challenge": ("#56B4E9", "P"),
    "additive": ("#D55E00", "s"),
    "weighted-sampling": ("#009E73", "^"),
    "naive-sampling": ("#CC79A7", "D"),
    "laplace": ("#000000", "X"),
}
OTHER = ("#999999", "v")


def look(name: str) -> tuple[str, str]:
    """Colour and mark of a mechanism, whatever its options."""
    return STYLES.get(name.partition(":")[0], OTHER)


def can_draw() -> None:
    """Refuse to begin where no picture could be drawn in the end."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise FileError("pictures need matplotlib: pip install 'hushvote[plot]'") from None
