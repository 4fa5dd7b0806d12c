"""`python -m hushvote` is the same as `hushvote`."""

import signal
import sys

from hushvote import __version__


def main() -> None:
    """Run the command line; the version alone needs none of what the commands do."""
    if sys.argv[1:] == ["--version"]:
        print(f"hushvote {__version__}")
        return
    is_python_s = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if is_python_s:  # nothing is begun yet: Ctrl-C just ends this
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from hushvote import cli

    if is_python_s:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    cli.main()


if __name__ == "__main__":
    main()
