"""A folder on loopback, and Debian's Chromium, which may ask nobody else for anything."""

import os
import shutil
import sysconfig
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, sync_playwright

NODE = Path(sysconfig.get_path("scripts")) / "node"
CHROMIUM = os.environ.get("HUSHVOTE_CHROMIUM") or shutil.which("chromium") or "/usr/bin/chromium"
PLAIN = "poll.test"  # a name that is no secure context over plain HTTP, as a local network's is not
HOSTS = {"127.0.0.1", PLAIN}
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    f"--host-resolver-rules=MAP {PLAIN} 127.0.0.1,MAP * ~NOTFOUND,EXCLUDE 127.0.0.1",
]
needs_chromium = pytest.mark.skipif(
    not Path(CHROMIUM).exists(),
    reason="Chromium is missing: sudo apt-get install --no-install-recommends chromium",
)


class _Handler(SimpleHTTPRequestHandler):
    """Plain files, without a line for each on the terminal."""

    extensions_map = {  # noqa: RUF012
        ".html": "text/html",
        ".css": "text/css",
        ".js": "text/javascript",
        ".mjs": "text/javascript",
        ".json": "application/json",
        ".svg": "image/svg+xml",
        "": "application/octet-stream",
    }

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def served(folder: Path) -> Iterator[int]:
    """Serve a folder on a free port of loopback."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def chromium() -> Iterator[Browser]:
    """Chromium without a window, driven by the locked Node: the one that Playwright brings needs a
    library that a small Debian lacks.
    """
    os.environ.setdefault("PLAYWRIGHT_NODEJS_PATH", str(NODE))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()


@dataclass
class Visit:
    """One fresh profile: its page, what it asked of whom, and what went wrong on it."""

    context: BrowserContext
    page: Page
    asked: list[str] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


@contextmanager
def visit(browser: Browser, **options: Any) -> Iterator[Visit]:
    """A page of a fresh profile. What it asks of another host is blocked and written down."""
    context = browser.new_context(service_workers="block", **options)
    context.set_default_timeout(20_000)
    visited = Visit(context, context.new_page())

    def judge(route: Route) -> None:
        url = route.request.url
        visited.asked.append(url)
        if urlsplit(url).hostname in HOSTS:
            route.continue_()
        else:
            visited.elsewhere.append(url)
            route.abort()

    context.route("**/*", judge)
    visited.page.on("websocket", lambda socket: visited.elsewhere.append(socket.url))
    visited.page.on("pageerror", lambda error: visited.errors.append(str(error)))
    visited.page.on(
        "console",
        lambda line: (
            visited.errors.append(line.text) if line.type in ("error", "warning") else None
        ),
    )
    try:
        yield visited
    finally:
        context.close()


@contextmanager
def quiet_visit(browser: Browser, **options: Any) -> Iterator[Visit]:
    """A visit that fails if the page asked anybody else, or complained of anything."""
    with visit(browser, **options) as visited:
        yield visited
        assert visited.elsewhere == []
        assert visited.errors == []
