"""Sends prepared requests over some connections, one in flight on each, and stops the times.

The sender shares the machine with the server that it measures, so it does as little as can be done:
plain sockets, one `epoll`, answers that are put aside and looked at when the clock has stopped.
"""

import os
import select
import socket
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

OK = b"HTTP/1.1 200 OK\r\n"
PATIENCE = 60.0  # seconds for an answer


@dataclass(frozen=True)
class Sent:
    """What became of all requests but the first, which told how long an answer is."""

    answers: list[bytes]  # their bodies, in the order in which they came
    times: list[float]  # seconds of each
    seconds: float
    cpu: float  # seconds of the processor that the sender itself has used

    @property
    def rate(self) -> float:
        """Answers in a second."""
        return len(self.answers) / self.seconds


def request(host: str, path: str, body: bytes) -> bytes:
    """A request as it goes over the wire."""
    head = f"POST {path} HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\n"
    return f"{head}content-length: {len(body)}\r\n\r\n".encode() + body


def send(host: str, port: int, requests: Sequence[bytes], connections: int) -> Sent:
    """Send all; an error unless every answer is 200 and as long as the first one."""
    opened = [socket.create_connection((host, port), PATIENCE) for _ in range(connections)]
    waiting = iter(requests)
    opened[0].sendall(next(waiting))
    length = len(_whole(opened[0]))
    for one in opened:
        one.setblocking(False)
        one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, True)
    cpu, began = time.process_time(), time.perf_counter()
    answers, times = _exchanged(opened, waiting, length)
    seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
    for one in opened:
        one.close()
    if len(answers) != len(requests) - 1 or not all(one.startswith(OK) for one in answers):
        raise RuntimeError(next(one for one in answers if not one.startswith(OK)))
    return Sent([one.partition(b"\r\n\r\n")[2] for one in answers], times, seconds, cpu)


def _whole(one: socket.socket) -> bytes:
    """One answer, however it comes."""
    found = b""
    while True:
        head, there, body = found.partition(b"\r\n\r\n")
        named = head.lower().partition(b"content-length:")[2].split(b"\r\n")[0]
        if there and len(body) == int(named):
            return found
        if not (more := one.recv(1 << 16)):
            raise RuntimeError(f"the server hung up after {found!r}")
        found += more


def _exchanged(
    opened: Sequence[socket.socket], waiting: Iterator[bytes], length: int
) -> tuple[list[bytes], list[float]]:
    """Answers as they come, each of this length, and how long each took."""
    answers: list[bytes] = []
    times: list[float] = []
    since: dict[int, float] = {}
    parts: dict[int, bytes] = {}
    clock, read, write = time.perf_counter, os.read, os.write
    with select.epoll() as ready:
        for one in opened:
            ready.register(one, select.EPOLLIN)
            since[one.fileno()] = clock()
            write(one.fileno(), next(waiting))
        while since:
            if not (events := ready.poll(PATIENCE)):
                raise RuntimeError(f"no answer for {PATIENCE:.0f} seconds, but {parts}")
            for place, _ in events:
                answer = read(place, length + 1)
                if len(answer) != length:  # a part, or an end, or no acknowledgement
                    answer = parts[place] = parts.get(place, b"") + answer
                    if len(answer) < length and answer.startswith(OK):
                        continue
                    if len(answer) != length:
                        raise RuntimeError(f"an answer of another length: {answer!r}")
                    parts[place] = b""
                now = clock()
                answers.append(answer)
                times.append(now - since[place])
                following = next(waiting, None)
                if following is None:
                    del since[place]
                else:
                    since[place] = now
                    write(place, following)
    return answers, times
