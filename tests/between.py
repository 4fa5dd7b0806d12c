"""Somebody between a voter and a server: passes on, loses what is sent or answered, or lies."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx

PATIENCE = 60  # seconds that a request may be held back
HEADERS = ("content-type", "authorization", "accept")


@dataclass
class Between:
    """A way to a server, on a port of its own."""

    server: str
    address: str = ""
    posted: list[tuple[str, bytes]] = field(default_factory=list)  # last part of the path, body
    lost: bool = False  # what is posted never arrives
    mute: bool = False  # it arrives, but its answer does not
    lies: Callable[[bytes], bytes] | None = None  # what becomes of the answer to what is posted
    answer: tuple[int, bytes] | None = None  # what is answered in the server's place
    reached: threading.Event = field(default_factory=threading.Event)
    held: str = "POST"  # which requests wait,
    waits: threading.Event | None = None  # until this is set
    shown: dict[str, bytes] = field(default_factory=dict)  # what is shown in its place, by path


@contextmanager
def between(server: str) -> Iterator[Between]:
    """Stand between somebody and a server until the test is over."""
    made = Between(server)

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            shown = made.shown.get(self.path.rsplit("/", 1)[1])
            if shown is not None:
                self._answer(200, shown, "application/json")
                return
            self._pass_on(None)

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            made.posted.append((self.path.rsplit("/", 1)[1], body))
            if made.lost:
                self.connection.close()
                return
            if made.answer is not None:
                self._answer(*made.answer, "application/problem+json")
                return
            self._pass_on(body)

        def _pass_on(self, body: bytes | None) -> None:
            if made.waits is not None and self.command == made.held:
                made.reached.set()
                made.waits.wait(PATIENCE)
            headers = {name: self.headers[name] for name in HEADERS if name in self.headers}
            with httpx.Client(trust_env=False, timeout=30) as client:
                found = client.request(
                    self.command, made.server + self.path, content=body, headers=headers
                )
            if body is not None and made.mute:
                self.connection.close()
                return
            content = found.content
            if body is not None and made.lies is not None:
                content = made.lies(content)
            self._answer(found.status_code, content, found.headers["content-type"])

        def _answer(self, status: int, content: bytes, kind: str) -> None:
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        made.address = f"http://127.0.0.1:{listening.server_address[1]}"
        thread = threading.Thread(target=listening.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield made
        finally:
            listening.shutdown()
            thread.join()
