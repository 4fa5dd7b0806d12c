"""Servers that answer as they like, for tests of what talks to servers."""

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

Answer = bytes | Callable[[bytes], bytes]


@dataclass
class Hostile:
    """A server on loopback that sends the same bytes to everybody, and what it was asked."""

    address: str
    requests: list[bytes] = field(default_factory=list)


@contextmanager
def answering(answer: Answer) -> Iterator[Hostile]:
    """Answer every request with these bytes, or with what is made of the request; then hang up."""
    listener = socket.create_server(("127.0.0.1", 0))
    found = Hostile(f"http://127.0.0.1:{listener.getsockname()[1]}")

    def serve() -> None:
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            with client:
                client.settimeout(10)
                try:
                    request = _request(client)
                    found.requests.append(request)
                    client.sendall(answer(request) if callable(answer) else answer)
                except OSError:
                    pass

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield found
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join(10)


def _request(client: socket.socket) -> bytes:
    """A whole request: its head, and as much of a body as it says."""
    found = b""
    while b"\r\n\r\n" not in found:
        block = client.recv(65_536)
        if not block:
            return found
        found += block
    head, _, body = found.partition(b"\r\n\r\n")
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            while len(body) < int(line.split(b":")[1]):
                body += client.recv(65_536)
    return head + b"\r\n\r\n" + body


def answer(body: bytes, status: str = "200 OK", **headers: str) -> bytes:
    """An answer of HTTP with the length that it has, unless another one is given."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    lines = [f"HTTP/1.1 {status}"]
    for name, value in {"content-length": str(len(body)), **named}.items():
        lines.append(f"{name}: {value}")
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def told(document: Any, status: str = "200 OK") -> bytes:
    """An answer in JSON."""
    return answer(json.dumps(document).encode(), status)
