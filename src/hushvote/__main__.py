"""`python -m hushvote` is the same as `hushvote`."""

import sys

from hushvote import __version__


def main() -> None:
    """Run the command line; the version alone needs none of what the commands do."""
    if sys.argv[1:] == ["--version"]:
        print(f"hushvote {__version__}")
        return
    from hushvote import cli

    cli.main()


if __name__ == "__main__":
    main()
