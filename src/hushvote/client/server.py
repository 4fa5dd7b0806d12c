"""Talking to a server of polls: JSON there and back, refusals as errors with the server's code."""

import http.client
import ipaddress
import json
import ssl
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn, Self
from urllib.parse import urlsplit

from hushvote.client.links import read_server
from hushvote.errors import HushvoteError
from hushvote.files import writing

ROOT = "/api/v1"
TIMEOUT = 60.0  # seconds without a byte
BLOCK = 1 << 18  # bytes that are saved at a time
LARGEST = 1 << 26  # bytes of an answer that is held in memory
PROBLEM = 1 << 16  # bytes of a refusal
LONGEST = 500  # characters of it that are shown


class RemoteError(HushvoteError):
    """A server has refused a request, or does not answer."""

    area = "remote"

    def __init__(
        self, message: str, /, *, code: str | None = None, status: int = 0, **values: object
    ) -> None:
        super().__init__(message, code=code, status=status, **values)
        self.status = status

    @classmethod
    def told(cls, sentence: str, code: str, status: int) -> Self:
        """What a server has said, with its own code."""
        found = cls(sentence, status=status)
        found.code = code
        return found


class Server:
    """A server by its address; every call is one request."""

    def __init__(self, address: str, *, insecure: bool = False, timeout: float = TIMEOUT) -> None:
        self.address = read_server(address)
        self._timeout = timeout
        host = urlsplit(self.address).hostname or ""
        here = is_loopback(host)
        if self.address.startswith("http://") and not here and not insecure:
            raise RemoteError(
                f"{self.address} is reached by plain http, where everybody on the way can read and "
                "alter what is sent: use https, or say --insecure",
                code="remote.insecure",
            )
        handlers: list[Any] = [_NoRedirect(), urllib.request.HTTPSHandler(context=_tls())]
        if here:
            handlers.append(urllib.request.ProxyHandler({}))
        self._opener = urllib.request.build_opener(*handlers)

    def get(self, path: str, bearer: str | None = None) -> Any:
        """The JSON that stands at a path below `/api/v1`."""
        return _json(self.read("GET", path, bearer=bearer))

    def send(self, method: str, path: str, given: Any = None, bearer: str | None = None) -> Any:
        """The JSON that answers this one."""
        body = None if given is None else json.dumps(given).encode()
        return _json(self.read(method, path, body, bearer))

    def read(
        self, method: str, path: str, body: bytes | None = None, bearer: str | None = None
    ) -> bytes:
        """The bytes that answer a request."""
        with self._open(method, path, body, bearer) as answer:
            try:
                found: bytes = answer.read(LARGEST + 1)
            except (OSError, http.client.HTTPException) as error:
                self._unreached(error)
            if len(found) <= LARGEST:
                self._check_whole(answer, len(found))
        if len(found) > LARGEST:
            raise RemoteError(
                f"{self.address} answers with more than {LARGEST:,} bytes", code="remote.answer"
            )
        return found

    def save(
        self,
        path: str,
        target: Path,
        bearer: str | None = None,
        progress: Callable[[int, int | None], None] | None = None,
    ) -> None:
        """Write what stands at a path into a new file, whole or not at all; `progress` is told how
        many bytes came, and how many there are, if the server says so.
        """
        with self._open("GET", path, None, bearer) as answer, writing(target, fresh=True) as part:
            size = 0
            with part.open("wb") as file:
                while block := self._block(answer):
                    file.write(block)
                    size += len(block)
                    if progress is not None:
                        progress(size, None if answer.length is None else answer.length + size)
            self._check_whole(answer, size)

    def _block(self, answer: Any) -> bytes:
        """The next bytes of an answer; a disk that is full is told by whoever writes them."""
        try:
            found: bytes = answer.read(BLOCK)
        except (OSError, http.client.HTTPException) as error:
            self._unreached(error)
        return found

    def _check_whole(self, answer: Any, size: int) -> None:
        """Refuse an answer that is shorter than the server has said."""
        told = answer.headers.get("content-length", "")
        if told.isdecimal() and len(told) < 20 and int(told) > size:
            self._unreached(ConnectionError("the answer broke off"))

    def _open(self, method: str, path: str, body: bytes | None, bearer: str | None) -> Any:
        headers = {"Accept": "application/json", "User-Agent": "hushvote"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if bearer is not None:
            headers["Authorization"] = f"Bearer {bearer}"
        request = urllib.request.Request(
            self.address + ROOT + path, data=body, headers=headers, method=method
        )
        try:
            return self._opener.open(request, timeout=self._timeout)
        except urllib.error.HTTPError as error:
            with error:
                self._refused(error)
        except (OSError, http.client.HTTPException, UnicodeError) as error:
            self._unreached(error)  # a URLError is an OSError; no name of a host is too long

    def _refused(self, error: urllib.error.HTTPError) -> NoReturn:
        """Raise what the server says, if it is a hushvote server; else what it is not."""
        try:
            told = json.loads(error.read(PROBLEM))
            code, detail = told["code"], told["detail"]
            if not (isinstance(code, str) and isinstance(detail, str)):
                raise TypeError
        except (
            ValueError,
            TypeError,
            KeyError,
            RecursionError,
            OSError,
            http.client.HTTPException,
        ):
            raise RemoteError(
                f"{self.address} answers with status {error.code} and no reason; is it a hushvote "
                "server?",
                code="remote.answer",
                status=error.code,
            ) from None
        raise RemoteError.told(_readable(detail), _readable(code), error.code) from None

    def _unreached(self, error: Exception) -> NoReturn:
        reason = getattr(error, "reason", error)
        said = getattr(reason, "strerror", None) or str(reason) or type(reason).__name__
        why = _readable(said[:1].lower() + said[1:])
        raise RemoteError(
            f"{self.address} cannot be reached: {why}; is it the right address, and does the "
            "server run?",
            code="remote.unreached",
        ) from None


def _readable(text: str) -> str:
    """What a server says, as far as a terminal may show it: no line of it can move the cursor."""
    return "".join(c if c.isprintable() else " " for c in text[:LONGEST])


def is_loopback(host: str) -> bool:
    """Whether a host is this machine."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _json(answer: bytes) -> Any:
    try:
        return json.loads(answer, parse_constant=_refused_constant)
    except (ValueError, RecursionError):
        raise RemoteError(
            "the server's answer is no JSON; is it a hushvote server?", code="remote.answer"
        ) from None


def _refused_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A key is for the server that it was given for: nobody is followed elsewhere."""

    def redirect_request(self, *_: Any) -> None:
        return None
