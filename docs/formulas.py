"""Typesets the formulas of the site while it is built, as MathML: no page needs a script for it.

Formulas are LaTeX between dollar signs. One that cannot be read stops the build.
"""

import html
import re
from typing import Any

from math_core import LatexError, LatexToMathML
from mkdocs.exceptions import PluginError

FORMULA = re.compile(
    r'<span class="arithmatex">\\\((?P<inline>.*?)\\\)</span>(?P<after>[.,;:?!)]*)'
    r'|<div class="arithmatex">\\\[(?P<display>.*?)\\\]</div>',
    re.S,
)
CONVERTER = LatexToMathML()


def on_page_content(content: str, /, page: Any, **_: Any) -> str:
    """A page with its formulas typeset, as MkDocs asks for."""

    def typeset(found: re.Match[str]) -> str:
        display = found["display"] is not None
        latex = html.unescape(found["display"] if display else found["inline"])
        try:
            formula = CONVERTER.convert_with_local_state(latex, displaystyle=display)
        except LatexError as error:
            raise PluginError(f"{page.file.src_uri}: {latex}: {error}") from error
        if after := found["after"]:  # a comma stays on the line of its formula
            return f'<span class="formula">{formula}{after}</span>'
        return formula

    return FORMULA.sub(typeset, content)
