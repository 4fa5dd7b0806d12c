"""A mechanism has the same look in every picture: colour, mark and line.

The colours are those of Okabe and Ito, which the colour-blind can tell apart; marks and lines tell
them apart without any colour.
"""

from dataclasses import dataclass
from typing import Any

from hushvote.errors import FileError
from hushvote.mechanisms import mechanism_names

INK, SOFT, HAIRLINE = "#1D2430", "#566072", "#D9D6CE"
SURE = "#0B5FA5"  # what is certified

SOLID: Any = "-"
DASHED: Any = (0, (3.4, 1.4))
DOTTED: Any = (0, (1, 1.4))
DASH_DOT: Any = (0, (5, 1.6, 1, 1.6))
LONG_DASHED: Any = (4, (8, 2.5))
DASH_DOT_DOT: Any = (0, (4, 1.4, 1, 1.4, 1, 1.4))
LINES = (SOLID, DASHED, DOTTED, DASH_DOT, LONG_DASHED, DASH_DOT_DOT)


@dataclass(frozen=True)
class Look:
    """How a mechanism is drawn."""

    colour: str
    mark: str
    line: Any
    size: float = 5  # of the mark, which look equally large at different sizes

    def drawn(self, variant: int = 0, scale: float = 1) -> dict[str, Any]:
        """What matplotlib is to be told; variants of one mechanism have hollow marks and other
        lines.
        """
        line = LINES[(LINES.index(self.line) + variant) % len(LINES)]
        stroke = self.mark == "x"
        return {
            "color": self.colour,
            "linestyle": line,
            "marker": self.mark,
            "markersize": scale * self.size,
            "markerfacecolor": "white" if variant else self.colour,
            "markeredgecolor": self.colour if variant or stroke else "white",
            "markeredgewidth": 1.7 * scale**0.5 if stroke else 1.2 if variant else 0.5,
        }


LOOKS = (  # in the order in which mechanisms are registered
    Look("#D55E00", "s", DASHED, 5),
    Look("#0072B2", "o", SOLID, 5.4),
    Look("#56B4E9", "*", LONG_DASHED, 9),
    Look("#000000", "x", DASH_DOT_DOT, 5),
    Look("#009E73", "^", DASH_DOT, 6),
    Look("#CC79A7", "D", DOTTED, 4.6),
    Look("#E69F00", "p", SOLID, 6),
)
OTHER = Look("#777777", "v", DASHED, 5.6)


def look(name: str) -> Look:
    """How a mechanism is drawn, whatever its options."""
    known = dict(zip(mechanism_names(), LOOKS, strict=False))
    return known.get(name.partition(":")[0], OTHER)


def can_draw() -> None:
    """Refuse to begin where no picture could be drawn in the end."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise FileError(
            "pictures need matplotlib: pip install 'hushvote[plot]'", code="plot.matplotlib"
        ) from None
