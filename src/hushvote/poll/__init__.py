"""Polls on the wire: manifests, credentials, codes, requests, acknowledgements and the board.

A poll's manifest is public text whose SHA-256, the poll's digest, binds everything else to it.
`docs/wire/` describes every form byte by byte, with a schema and an example each.
"""

from hushvote.poll.manifest import Drawn, Poll
from hushvote.poll.verifying import Finding, Verification, verify_board

__all__ = ["Drawn", "Finding", "Poll", "Verification", "verify_board"]
