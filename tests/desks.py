"""Organisers in front of their pages, and what servers see of that."""

from playwright.sync_api import expect

from tests.ballots import Voter
from tests.serving import Remote


def opened(one: Voter, address: str, remote: Remote) -> None:
    one.open(f"{address}/o/{remote.poll.id}#{remote.key.hex()}")
    expect(one.page.get_by_role("heading", level=1)).to_have_text(remote.poll.question)


def seen_by_servers(one: Voter) -> str:
    """Everything that went over the network but the key's own header; a # is never sent."""
    parts = []
    for request in one.requests:
        headers = {k: v for k, v in request.all_headers().items() if k != "authorization"}
        parts += [request.url.partition("#")[0], str(headers), request.post_data or ""]
    return "\n".join(parts)
