"""`python -m hushvote` is the same as `hushvote`."""

import os
import sys

from hushvote import __version__

INTERRUPTED = 130  # as the shell says for SIGINT


def main() -> None:
    """Run the command line; Ctrl-C ends it in silence, even while it is being loaded."""
    try:
        _run()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


def _run() -> None:
    """The version alone needs none of what the commands do."""
    import signal

    if sys.argv[1:] == ["--version"]:
        _print_version()
        return
    is_python_s = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if is_python_s:  # nothing is begun yet: Ctrl-C just ends this
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from hushvote import cli

    if is_python_s:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        cli.main()
    finally:
        if is_python_s:  # nothing is left to be done
            signal.signal(signal.SIGINT, signal.SIG_DFL)


def _print_version() -> None:
    try:
        print(f"hushvote {__version__}", flush=True)
    except OSError as error:  # the reader is gone, or the disk full
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        if isinstance(error, BrokenPipeError):
            sys.exit(141)
        print(f"error: cannot write the output: {error.strerror}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
