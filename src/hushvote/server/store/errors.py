"""What a database can refuse."""

from hushvote.errors import HushvoteError


class StoreError(HushvoteError):
    """The database cannot be opened, does not answer, or cannot be written."""

    area = "store"
