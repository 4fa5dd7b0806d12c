"""Typesets the formulas of the site while it is built, as MathML: no page needs a script for it.

Formulas are LaTeX between dollar signs. One that cannot be read stops the build. Browsers place
the parts of a formula by what its font says, so the site has one: STIX Two Math, cut down to the
signs that formulas use.
"""

import html
import io
import re
from importlib import resources
from itertools import chain
from typing import Any

from fontTools import subset
from math_core import LatexError, LatexToMathML
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

FORMULA = re.compile(
    r'(?P<before>\(?)<span class="arithmatex">\\\((?P<inline>.*?)\\\)</span>'
    r"(?P<after>(?:['’]s\b)?[.,;:?!)]*)"
    r'|<div class="arithmatex">\\\[(?P<display>.*?)\\\]</div>',
    re.S,
)
CONVERTER = LatexToMathML()
FONT = "fonts/stix-two-math.woff"  # style.css names it
SIGNS = tuple(
    chain(
        range(0x20, 0x100),
        range(0x391, 0x3F6),  # Greek
        range(0x2010, 0x2060),  # dashes, dots, primes, blanks
        range(0x2061, 0x2065),  # signs that are not seen
        range(0x2100, 0x2150),  # letters of sets
        range(0x2190, 0x2200),  # arrows
        range(0x2200, 0x2300),  # operators
        range(0x2308, 0x230C),  # floors and ceilings
        (0x27E8, 0x27E9, 0x2A7D, 0x2A7E),
        range(0x1D434, 0x1D468),  # italics
        range(0x1D538, 0x1D56C),  # double letters
        range(0x1D6E2, 0x1D71C),  # Greek italics
    )
)


def on_files(files: Files, /, config: Any) -> Files:
    """All files of the site and the font, as MkDocs asks for."""
    files.append(File.generated(config, FONT, content=_font()))
    return files


def _font() -> bytes:
    options = subset.Options(
        layout_features=["ssty", "dtls", "flac"], name_IDs=["*"], flavor="woff"
    )
    whole = resources.files("ziamath") / "fonts" / "STIXTwoMath-Regular.ttf"
    with resources.as_file(whole) as path:
        font = subset.load_font(str(path), options)
    cut = subset.Subsetter(options)
    cut.populate(unicodes=SIGNS)
    cut.subset(font)
    made = io.BytesIO()
    font.save(made)
    return made.getvalue()


def on_page_content(content: str, /, page: Any, **_: Any) -> str:
    """A page with its formulas typeset, as MkDocs asks for."""

    def typeset(found: re.Match[str]) -> str:
        display = found["display"] is not None
        latex = html.unescape(found["display"] if display else found["inline"])
        try:
            formula = CONVERTER.convert_with_local_state(latex, displaystyle=display)
        except LatexError as error:
            raise PluginError(f"{page.file.src_uri}: {latex}: {error}") from error
        before, after = found["before"] or "", found["after"] or ""
        if before or after:  # a comma stays on the line of its formula
            return f'<span class="formula">{before}{formula}{after}</span>'
        return formula

    return FORMULA.sub(typeset, content)
