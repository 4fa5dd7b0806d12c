"""`python -m hushvote` is the same as `hushvote`."""

import signal
import sys

from hushvote import __version__


def main() -> None:
    """Run the command line; the version alone needs none of what the commands do."""
    if sys.argv[1:] == ["--version"]:
        print(f"hushvote {__version__}")
        return
    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:  # nothing is begun yet: Ctrl-C just ends this
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from hushvote import cli

    signal.signal(signal.SIGINT, before)
    cli.main()


if __name__ == "__main__":
    main()
