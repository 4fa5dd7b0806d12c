"""Write docs/scripts-table.md, the hashes of what pages load: `python docs/scripts.py`."""

from pathlib import Path

from hushvote.server.pages.assets import assets

TABLE = Path(__file__).parent / "scripts-table.md"


def table() -> str:
    """The SHA-256 of every script and style, by page and language."""
    found = assets()
    rows = [
        f"| `{page}` | {code} | `{script.sha256}` | `{style.sha256}` |\n"
        for page in sorted(found.pages)
        for code in found.languages
        for script, style in [found.of(page, code)]
    ]
    head = "| page | language | SHA-256 of its script | SHA-256 of its style |\n|---|---|---|---|\n"
    return head + "".join(rows)


if __name__ == "__main__":
    TABLE.write_text(table(), encoding="utf-8")
