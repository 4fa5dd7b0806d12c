"""The public log of a poll in words."""

from collections.abc import Callable, Mapping
from typing import Any

from hushvote.errors import clip
from hushvote.messages import say


def event_words(event: Mapping[str, Any], when: Callable[[int], str]) -> str:
    """One line of the log as a sentence, its times written by `when`."""
    match dict(event):
        case {"event": "opened", "closes": int(closes)}:
            said = say("event.opened", closes=when(closes))
        case {"event": "extended", "closes": int(closes)}:
            said = say("event.extended", closes=when(closes))
        case {"event": "issued", "codes": int(codes)}:
            said = say("event.issued", codes=codes)
        case {"event": "revoked", "asked": int(asked)}:
            said = say("event.revoked", asked=asked)
        case {"event": "closed"}:
            said = say("event.closed")
        case {"event": "erased"}:
            said = say("event.erased")
        case _:
            said = say("event.other", event=clip(str(event["event"])))
    return said
