"""Keeps short names such as `--json` on one line of the site: browsers break lines at hyphens."""

import re
from typing import Any

SHORT = 24  # letters, which fit on every phone
NAME = re.compile(rf"<code>(?=[^<]*-)(?P<name>[^<]{{1,{SHORT}}})</code>")


def on_page_content(html: str, /, **about: Any) -> str:
    """The page with its short names marked for style.css, as MkDocs asks for."""
    return NAME.sub(r'<code class="short">\g<name></code>', html)
