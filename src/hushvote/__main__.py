"""`python -m hushvote` is the same as `hushvote`."""

from hushvote.cli import main

if __name__ == "__main__":
    main()
