"""Examples that come with hushvote: small files of simulated votes, to follow a page with."""

from pathlib import Path

from hushvote.errors import FileError, echo
from hushvote.formats import read_rankings
from hushvote.rankings import Rankings

FOLDER = Path(__file__).with_name("examples")


def example_names() -> tuple[str, ...]:
    """Names that `example` understands."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.soc")))


def example(name: str = "council") -> Rankings:
    """The votes of an example: "council" has 10,000 simulated voters and five candidates."""
    if name not in (known := example_names()):
        raise FileError(
            f"there is no example {echo(name)}; there is {', '.join(known)}",
            code="example.unknown",
            given=name,
        )
    return read_rankings(FOLDER / f"{name}.soc")
