"""Write docs/scripts-table.md, the hashes of what pages load: `python docs/scripts.py`."""

from pathlib import Path

from hushvote.server.pages.assets import assets

TABLE = Path(__file__).parent / "scripts-table.md"


def table() -> str:
    """The SHA-256 of every script and style, by page: languages share a style."""
    found = assets()
    rows = []
    for page in sorted(found.pages):
        loaded = {code: found.of(page, code) for code in found.languages}
        rows += [(page, f"script, {code}", script.sha256) for code, (script, _) in loaded.items()]
        rows += [(page, "style", sha) for sha in sorted({one.sha256 for _, one in loaded.values()})]
    written = "".join(f"| `{page}` | {file} | `{sha}` |\n" for page, file, sha in rows)
    return f"| page | file | SHA-256 |\n|---|---|---|\n{written}"


if __name__ == "__main__":
    TABLE.write_text(table(), encoding="utf-8")
