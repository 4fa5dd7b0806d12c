"""A mechanism has the same colour and mark in every picture.

The colours are those of Okabe and Ito, which the colour-blind can tell apart.
"""

from hushvote.errors import FileError
from hushvote.mechanisms import mechanism_names

STYLES = (  # colour and mark, in the order in which mechanisms are registered
    ("#D55E00", "s"),
    ("#0072B2", "o"),
    ("#56B4E9", "P"),
    ("#000000", "X"),
    ("#009E73", "^"),
    ("#CC79A7", "D"),
    ("#E69F00", "*"),
)
OTHER = ("#999999", "v")
SURE = "#0072B2"  # what is certified


def colour_and_mark(name: str) -> tuple[str, str]:
    """Colour and mark of a mechanism, whatever its options."""
    known = dict(zip(mechanism_names(), STYLES, strict=False))
    return known.get(name.partition(":")[0], OTHER)


def can_draw() -> None:
    """Refuse to begin where no picture could be drawn in the end."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise FileError(
            "pictures need matplotlib: pip install 'hushvote[plot]'", code="plot.matplotlib"
        ) from None
