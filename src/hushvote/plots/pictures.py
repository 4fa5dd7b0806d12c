"""How every picture is made: one style, words that fit, and the same file for the same picture."""

import io
import itertools
import re
import sys
import textwrap
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from operator import itemgetter
from os import PathLike
from pathlib import Path
from typing import Any

from hushvote import texts
from hushvote.errors import FileError, PictureWarning, echo
from hushvote.files import AnyPath, writing
from hushvote.messages import say
from hushvote.messages.phrases import any_of
from hushvote.plots.style import INK, SOFT, can_draw

SUFFIXES = (".png", ".svg", ".pdf")
DPI = 160  # of PNG files: 8.4 inches are 1344 pixels
STYLE: dict[Any, Any] = {
    "font.size": 10,
    "axes.titlesize": 10.5,
    "axes.titlelocation": "left",
    "text.color": INK,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.edgecolor": SOFT,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#e3e3e3",
    "grid.linewidth": 0.7,
    "legend.frameon": False,
    "svg.hashsalt": "hushvote",  # the same picture is the same file
    "svg.fonttype": "path",
}
FAMILY = "DejaVu Sans"  # which comes with matplotlib
FURTHER = (  # fonts of many systems, for letters that it lacks: Chinese, Thai, emoji and so on
    *(f"Noto Sans {name}" for name in ("CJK SC", "CJK JP", "CJK KR", "CJK TC", "SC", "JP", "KR")),
    *(f"Noto Sans {name}" for name in ("Thai", "Devanagari", "Bengali", "Tamil", "Symbols 2")),
    *("WenQuanYi Zen Hei", "WenQuanYi Micro Hei", "Droid Sans Fallback", "Unifont"),
    *("PingFang SC", "Hiragino Sans", "Apple SD Gothic Neo", "Arial Unicode MS"),
    *("Microsoft YaHei", "SimHei", "Yu Gothic", "Malgun Gothic", "Leelawadee UI", "Nirmala UI"),
    *("Noto Emoji", "Symbola", "Segoe UI Emoji", "Segoe UI Symbol"),
)
NO_LETTER = "Glyph |Matplotlib currently does not support "  # how warnings of matplotlib begin
OURS = ("hushvote", "contextlib")  # calls that are not the user's
NAMED = 12  # letters of a name in a sentence about missing ones


@contextmanager
def styled() -> Iterator[None]:
    """Draw in our style; of letters that no font has `mention_boxes` tells, and not matplotlib."""
    can_draw()
    import matplotlib as mpl

    with mpl.rc_context(STYLE | {"font.family": _families()}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", NO_LETTER, UserWarning)
        yield


@cache
def _families() -> list[str]:
    """Fonts that are installed here, in the order in which they are asked for a letter."""
    from matplotlib.font_manager import fontManager

    there = set(fontManager.get_font_names())
    return [FAMILY, *(name for name in FURTHER if name in there)]


@cache
def _letters() -> frozenset[int]:
    """The code points that these fonts can draw."""
    from matplotlib.font_manager import FontProperties, findfont, get_font

    found = (get_font(findfont(FontProperties(family=name))) for name in _families())
    return frozenset(point for font in found for point in font.get_charmap())


def mention_boxes(made: Any) -> None:
    """Warn, in one sentence, if a figure has letters that no font here can draw."""
    from matplotlib.text import Text

    lacking = dict.fromkeys(x for text in made.findobj(Text) for x in _lacking(text.get_text()))
    if lacking:
        named = any_of([x[:NAMED] + "…" * (len(x) > NAMED) for x in lacking])
        warnings.warn(say("picture.boxes", letters=named), PictureWarning, stacklevel=_depth())


def _lacking(text: str) -> list[str]:
    """Letters that no font here has, those that stand together in one."""
    known = [x.isspace() or ord(x) in _letters() for x in text]
    runs = itertools.groupby(zip(known, text, strict=True), key=itemgetter(0))
    return ["".join(x for _, x in run) for there, run in runs if not there]


def _depth() -> int:
    """How many calls lie between the caller and whoever uses the library, whose line is shown."""
    frame, depth = sys._getframe(1), 1
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] in OURS:
        frame, depth = frame.f_back, depth + 1
    return depth


@dataclass(frozen=True, repr=False)
class Picture:
    """A picture that a notebook shows."""

    figure: Any

    def save(self, path: AnyPath) -> None:
        """Write it to a .png, .svg or .pdf file."""
        save(self.figure, path)

    def __repr__(self) -> str:
        width, height = self.figure.get_size_inches()
        return f"<Picture of {width:.3g} × {height:.3g} inches>"

    def _repr_png_(self) -> bytes:
        return rendered(self.figure, "png")


@contextmanager
def figure(path: AnyPath | None, width: float = 7.5, height: float = 4.5) -> Iterator[Any]:
    """Yield axes, and write them to a file, if one is named, when all went well."""
    if path is not None:
        _checked(path)
    with styled():
        from matplotlib.figure import Figure

        made = Figure(figsize=(width, height), dpi=DPI, layout="constrained")
        yield made.subplots()
        mention_boxes(made)
    if path is not None:
        save(made, path)


def headline(made: Any, words: str) -> None:
    """A title over the whole width of a figure."""
    lines = wrapped(made, words, 0.98 * made.get_figwidth(), 13)
    made.suptitle(lines, x=0.01, ha="left", fontsize=13)


def caption(made: Any, *sentences: str) -> None:
    """Small print over the whole width, at the bottom, each sentence on a line of its own."""
    lines = [wrapped(made, one, 0.98 * made.get_figwidth(), 9) for one in sentences]
    made.supxlabel("\n".join(lines), x=0.01, ha="left", fontsize=9, color=SOFT)


def wrapped(made: Any, words: str, inches: float, size: float = STYLE["font.size"]) -> str:
    """Words for a figure, in as many lines as they need to be no wider than this."""
    text = made.text(0, 0, "", fontsize=size)
    for letters in range(len(words), 0, -1):
        lines = textwrap.wrap(texts.PERCENT.sub("\u00a0", words), letters, break_on_hyphens=False)
        text.set_text("\n".join(literal(line.replace("\u00a0", " ")) for line in lines))
        if text.get_window_extent().width <= inches * made.dpi:
            break
    text.remove()
    return str(text.get_text())


def balanced(made: Any, words: str, inches: float) -> str:
    """The same, in lines that are about as long as each other."""
    lines = wrapped(made, words, inches).split("\n")
    tried = (textwrap.wrap(words, letters) for letters in range(max(map(len, words.split())), 999))
    return "\n".join(next(found for found in tried if len(found) <= len(lines)))


def literal(text: str) -> str:
    """Text as it stands: a dollar sign begins no formula."""
    return texts.shown(text).replace("$", r"\$")


def save(made: Any, path: AnyPath) -> None:
    """Write a figure to a file, which appears whole or not at all."""
    path = _checked(path)
    picture = rendered(made, path.suffix[1:].lower())
    with writing(path) as part:
        part.write_bytes(picture)


def rendered(made: Any, suffix: str) -> bytes:
    """A figure as the bytes of a file, the same bytes for the same figure."""
    buffer = io.BytesIO()
    with styled():
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.backends.backend_pdf import FigureCanvasPdf
        from matplotlib.backends.backend_svg import FigureCanvasSVG

        canvas: Any
        if suffix == "svg":
            canvas = FigureCanvasSVG(made)
            canvas.print_svg(buffer, metadata={"Date": None})
            return _shortened(buffer.getvalue())
        if suffix == "pdf":
            canvas = FigureCanvasPdf(made)
            canvas.print_pdf(buffer, metadata={"CreationDate": None})
        else:
            made.set_dpi(DPI)  # the other formats change it
            canvas = FigureCanvasAgg(made)
            canvas.print_png(buffer)
    return buffer.getvalue()


def _shortened(svg: bytes) -> bytes:
    """Coordinates to a hundredth of a point: half the size, and nothing that an eye could see."""
    places = re.compile(rb'\b(?:d|x|y)="[^"]*"')
    return places.sub(lambda found: re.sub(rb"(\.\d\d)\d+", rb"\1", found[0]), svg)


def _checked(given: AnyPath) -> Path:
    if not isinstance(given, str | PathLike):
        raise FileError(
            f"a picture is written to a path such as result.png, not to {echo(given)}",
            code="file.name",
            path=given,
        )
    path = Path(given)
    if path.suffix.lower() not in SUFFIXES:
        raise FileError(
            f"a picture can be written as {' or '.join(SUFFIXES)}, not as {path.name}",
            code="file.suffix",
            path=path,
        )
    return path
