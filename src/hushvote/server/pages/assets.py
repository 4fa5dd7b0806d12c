"""Scripts and styles of the pages, as `web/pages.mjs` has built them.

`static/static.json` lists them all with their SHA-256, which is what the project publishes; a
file's name has part of it, so a browser may keep it for ever.
"""

import base64
import gzip
import hashlib
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "static"
LIST = "static.json"
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


@dataclass(frozen=True)
class Asset:
    """One file that pages load."""

    name: str
    media: str
    plain: bytes
    packed: bytes
    sha256: str

    @property
    def integrity(self) -> str:
        """The hash as a page states it, for the browser to compare."""
        return "sha256-" + base64.b64encode(bytes.fromhex(self.sha256)).decode()


@dataclass(frozen=True)
class Assets:
    """All of them, by name, and which of them a page loads in a language."""

    files: dict[str, Asset]
    pages: dict[str, dict[str, dict[str, str]]]

    def of(self, page: str, language: str) -> tuple[Asset, Asset]:
        """The script and the style of a page."""
        named = self.pages[page][language]
        return self.files[named["script"]], self.files[named["style"]]

    @property
    def icon(self) -> Asset:
        """The icon of all pages."""
        return next(one for one in self.files.values() if one.name.endswith(".svg"))

    @property
    def languages(self) -> list[str]:
        """Languages that every page has."""
        found = [set(named) for named in self.pages.values()]
        return sorted(set.intersection(*found))


@cache
def assets() -> Assets:
    """What was built, read once."""
    listed = json.loads((FOLDER / LIST).read_text(encoding="utf-8"))
    return Assets({name: _read(name) for name in listed["files"]}, listed["pages"])


def _read(name: str) -> Asset:
    path = FOLDER / name
    plain = path.read_bytes()
    packed = gzip.compress(plain, 9, mtime=0)
    return Asset(name, TYPES[path.suffix], plain, packed, hashlib.sha256(plain).hexdigest())
