"""Take over the pictures and the ledger of docs/reproduction.md from a reproduction.

    hushvote reproduce --out reproduction
    python docs/evaluation.py reproduction

The first command takes a few minutes; the second copies three pictures into docs/img/ and writes
the table of claims between the two marks of the page.
"""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PICTURES = ("fig-tve-borda-candidates", "fig-aow-borda-candidates", "fig-aow-borda-disguise")
BEGIN, END = "<!-- claims -->", "<!-- end of claims -->"


def measured(claim: dict[str, object]) -> str:
    """A figure with its error."""
    error = f" ± {claim['error']:.1f}" if claim["error"] else ""
    return f"{claim['value']:.1f}{error} {claim['unit']}"


def ledger(claims: list[dict[str, Any]]) -> str:
    """The claims as a table."""
    rows = [
        f"| {claim['claim']} | {claim['verdict']} | {measured(claim)} | {claim['criterion']} | "
        f"{', '.join(map(str, claim['numbers']))} |"
        for claim in claims
    ]
    names = ("claim, in our words", "verdict", "measured", "counts as reproduced", "figure")
    head = [f"| {' | '.join(names)} |", "|---|---|--:|---|--:|"]
    return "\n".join([*head, *rows])


def main() -> None:
    """Copy the pictures and write the table."""
    folder = Path(sys.argv[1])
    for name in PICTURES:
        shutil.copy(folder / "figures" / f"{name}.png", HERE / "img" / f"{name}.png")
    claims = json.loads((folder / "claims.json").read_text(encoding="utf-8"))["claims"]
    page = HERE / "reproduction.md"
    before, _, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    text = f"{before}{BEGIN}\n\n{ledger(claims)}\n\n{END}{after}"
    page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
