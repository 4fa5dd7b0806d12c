"""The server's own log: one line an event, for people or for programs, and nothing of voters.

What is told: start, readiness, stop, workers that ended, and how often the server or its database
was to blame. No request has a line of its own.
"""

import json
import sys
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

TEXT, JSON = "text", "json"
FORMS = (TEXT, JSON)
BAD = {"no-creators", "errors", "failed", "cut", "worker-failed"}  # told on the error output

SENTENCES: Mapping[str, Callable[..., str]] = {
    "start": lambda version, workers: f"hushvote {version} starts, workers: {workers}",
    "no-creators": lambda: "nobody can create polls: give --token-file, or --open for everybody",
    "opening": lambda: (
        "the database is being opened or brought up to date; until then nothing else is answered"
    ),
    "ready": lambda address, base_url, store: (
        f"hushvote serves polls on {address}"
        + (f" for {base_url}" if base_url else "")
        + f" and keeps them in {store}"
    ),
    "metrics": lambda address: f"figures for Prometheus stand at {address}",
    "stopping": lambda grace: f"hushvote stops; what was taken has {grace:g} s to end",
    "stopped": lambda: "hushvote has stopped",
    "cut": lambda grace: f"what had not ended {grace:g} s after the signal was cut off",
    "worker": lambda code: f"a worker has ended (code {code}) and is replaced",
    "worker-failed": lambda: "a worker could not start; it is tried again",
    "errors": lambda counts: (
        "refused because of the server or its database: "
        + ", ".join(f"{code} {number:,}" for code, number in sorted(counts.items()))
    ),
    "failed": lambda kind, place: f"a request has failed: {kind} at {place}",
}


class Journal:
    """Where events are told, and how."""

    def __init__(self, form: str = TEXT) -> None:
        self._form = form

    def tell(self, event: str, **values: Any) -> None:
        """One line about an event."""
        line = SENTENCES[event](**values)
        if self._form == JSON:
            at = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
            line = json.dumps({"at": at, "event": event, **values, "message": line})
        out = sys.stderr if event in BAD else sys.stdout
        print(line, file=out, flush=True)
