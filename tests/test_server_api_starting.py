"""How a server starts and stops, and what it says if it cannot."""

import json
import os
import subprocess
import sys

import pytest

from tests.serving import Remote, serving

pytestmark = pytest.mark.slow


def started(*options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "hushvote", "serve", "--port", "0", *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--host", "0.0.0.0"), "must travel by https"),
        (("--host", "0.0.0.0", "--base-url", "https://a.example"), "must travel by https"),
        (("--base-url", "vote.example.org"), "--base-url is the address"),
        (("--base-url", "https://a.example/polls"), "as in https://a.example"),
        (("--workers", "2"), "SQLite has one writer"),
        (("--workers", "0"), "at least one worker"),
        (("--trusted-proxy", "nobody"), "a trusted proxy is an address"),
        (("--token-file", "nowhere"), "nowhere"),
        (("--port", "99999999"), "a port is a number"),
    ],
)
def test_servers_that_cannot_be_end_with_one_sentence(tmp_path, options, says):
    done = started("--store", str(tmp_path / "polls.db"), *options)
    assert done.returncode == 2
    assert says in done.stderr.replace("\n", " ")
    assert "Traceback" not in done.stderr


def test_a_short_token_is_refused(tmp_path):
    (tmp_path / "token").write_text("short")
    done = started("--store", str(tmp_path / "a.db"), "--token-file", str(tmp_path / "token"))
    assert done.returncode == 2
    assert "at least 16 characters" in done.stderr
    assert "short" not in done.stderr


def test_a_store_that_cannot_be_opened_ends_with_one_sentence(tmp_path):
    (tmp_path / "polls.db").write_text("this is no database, but some text in a file of its own")
    done = started("--store", str(tmp_path / "polls.db"))
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_a_port_that_is_taken_ends_with_one_sentence(tmp_path):
    with serving(tmp_path / "polls.db") as server:
        port = server.address.rpartition(":")[2]
        done = started("--store", str(tmp_path / "other.db"), "--port", port)
    assert done.returncode == 2
    assert "cannot listen" in done.stderr


def test_a_server_that_is_told_to_stop_ends_without_an_error(tmp_path):
    with serving(tmp_path / "polls.db", "--open") as server, server.client() as client:
        remote = Remote.create(client)
        remote.voter().cast()
        server.process.terminate()
        assert server.process.wait(15) == 0
        assert "Traceback" not in server.output


def test_serving_without_its_packages_says_what_to_install(tmp_path):
    (tmp_path / "sitecustomize.py").write_text(
        "import importlib.util as u\nfound = u.find_spec\n"
        "u.find_spec = lambda name, *a: None if name == 'starlette' else found(name, *a)\n"
    )
    paths = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, "-m", "hushvote", "serve", "--store", str(tmp_path / "a.db")],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "PYTHONPATH": paths},
    )
    assert done.returncode == 2
    assert "pip install 'hushvote[serve]'" in " ".join(done.stderr.split())


def test_the_command_line_is_there_without_the_server_s_packages():
    code = (
        "import sys, hushvote.cli; "
        "print([m for m in ('starlette', 'uvicorn', 'msgspec', 'psycopg') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout.replace("'", '"')) == []
