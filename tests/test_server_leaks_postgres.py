"""What a server leaves on the disk of PostgreSQL: tables, indexes, the write-ahead log, its log.

The same voters as in `test_server_leaks`, on a cluster of its own whose whole folder is searched.
"""

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from hushvote.poll.codes import read_code
from hushvote.poll.credentials import secret_of
from hushvote.server.service import token_hash
from tests import test_server_leaks as leaks
from tests.databases import Cluster, running_cluster
from tests.fences import fences
from tests.keeping import POLL, a_poll, event, hashed, opened, receipt_of
from tests.serving import Remote, serving
from tests.test_server_leaks import FAR, Held, Loaded, close, forms, found, misbehave, vote
from tests.test_store_traces import voted

pytestmark = pytest.mark.slow

PAGE = 8192  # bytes
TOKEN, AGENT, VOTERS = leaks.TOKEN, leaks.AGENT, leaks.VOTERS
NEW_YEAR = 946_684_800  # 2000, from which PostgreSQL counts microseconds


@dataclass
class Searched(Loaded):
    """What the server, and its PostgreSQL, may have written."""

    cluster: Cluster | None = None
    url: str = ""
    shipped: set[bytes] = field(default_factory=set)  # files that every new database has
    rows: dict[str, list[tuple[str, str, bytes]]] = field(default_factory=dict)

    def files(self) -> dict[str, bytes]:
        """All files but those that an empty cluster has, too; blanks are cut short, since most of
        a segment of the log is nothing.
        """
        assert self.cluster is not None
        there = [one for one in self.cluster.folder.rglob("*") if one.is_file()]
        read = {str(one): content(one) for one in there}
        kept = {name: one for name, one in read.items() if one not in self.shipped}
        return {**super().files(), **kept}


def content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:  # PostgreSQL removes some by itself
        return b""


@pytest.fixture(scope="module")
def loaded(tmp_path_factory) -> Iterator[Searched]:
    import psycopg

    folder = tmp_path_factory.mktemp("server")
    for name in ("temporary", "cache"):
        (folder / name).mkdir()
    places = {"TMPDIR": str(folder / "temporary"), "XDG_CACHE_HOME": str(folder / "cache")}
    options = ("--trusted-proxy", "127.0.0.1", "--workers", "2")
    with running_cluster(autovacuum_naptime="1s") as cluster:
        url = cluster.database()
        shipped = {content(one) for one in cluster.data.rglob("*") if one.is_file()}
        with serving(url, *options, HUSHVOTE_TOKEN=TOKEN, **places) as server:
            load = Searched(server, folder, cluster=cluster, url=url, shipped=shipped)
            with server.client(headers={"User-Agent": AGENT}) as client:
                settings = {
                    "link": {"access": "link"},
                    "codes": {"access": "codes"},
                    "challenge": {"access": "codes", "mechanism": "challenge"},
                }
                for name, chosen in settings.items():
                    load.polls[name] = Held(Remote.create(client, TOKEN, **chosen), [], [], [])
                    if name != "link":
                        load.polls[name].remote.issue(VOTERS)
                time.sleep(1.1)
                load.began = time.time()
                for name in load.polls:
                    vote(load, name)
                    misbehave(load, name)
                load.ended = time.time()
                with psycopg.connect(url, autocommit=True) as db:
                    db.execute("CHECKPOINT")
                load.before = load.files()
                time.sleep(1.1)
                for held in load.polls.values():
                    close_everywhere(held.remote)
                with psycopg.connect(url, autocommit=True) as db:
                    db.execute("CHECKPOINT")  # so that the tables, too, are in their files
                    load.rows = rows(db, load.polls["codes"].remote.poll.id)
                load.running = load.files()
            server.kill()
            cluster.stop()
            load.killed = load.files()
            yield load


def close_everywhere(remote: Remote) -> None:
    """Close, when all workers know of it."""
    assert remote.own("POST", "/close").status_code == 200
    time.sleep(1.1)
    close(remote)


def rows(db, id: str) -> dict[str, list[tuple[str, str, bytes]]]:
    """Transaction, place and key of all rows of a poll."""
    number = db.execute("SELECT number FROM hushvote.polls WHERE id = %s", (id,)).fetchone()[0]
    keys = {"used": "question", "entries": "receipt", "codes": "code"}
    return {
        table: db.execute(
            f"SELECT xmin::text, ctid::text, {key} FROM hushvote.{table}_{number} AS t"
            " ORDER BY t.ctid"
        ).fetchall()
        for table, key in keys.items()
    }


def after(load: Searched) -> dict[str, bytes]:
    return leaks.both(load)


def the_log(files: dict[str, bytes]) -> dict[str, bytes]:
    return {name: one for name, one in files.items() if "/pg_wal/" in name}


def test_the_search_finds_what_is_there(loaded):
    receipt = loaded.polls["codes"].voters[1].credential.receipt
    assert found({"receipt": forms(receipt)}, the_log(loaded.before))
    assert any("/base/" in one for one in found({"receipt": forms(receipt)}, loaded.running))
    assert any("/base/" in one for one in found({"receipt": forms(receipt)}, loaded.killed))
    assert any("ready to accept connections" in str(one) for one in loaded.running.values())


def test_no_address_no_agent_no_secret_no_code_and_no_token_is_left(loaded):
    needles = {"agent": (AGENT.encode(), b"Canarybird", b"httpx"), "token": (TOKEN.encode(),)}
    needles["hash of token"] = forms(token_hash(TOKEN))
    for address in loaded.addresses[::3]:
        needles[address] = (address.encode(), address.rpartition(".")[0].encode() + b".")
        if ":" in address:
            needles[address] = (address.encode(),)
    for name, held in loaded.polls.items():
        needles[f"key {name}"] = forms(held.remote.key)
        for number, (voter, stands) in enumerate(zip(held.voters, held.stands, strict=True)):
            if number % 5 == 0:
                seed, position = voter.credential.seed, voter.credential.position
                needles[f"seed {name} {number}"] = forms(seed)
                secret = secret_of(seed, position + (not stands))
                needles[f"secret {name} {number}"] = forms(secret)
        for code in held.remote.codes[::5]:
            needles[code] = (code.encode(), read_code(code).encode())
    for one in loaded.wrong:
        needles[one] = (one.encode(),)
    assert len(needles) > 300
    assert not found(needles, {**after(loaded), **loaded.before})


def moments(raw: bytes, began: float, ended: float) -> int:
    """How many eight bytes are a moment in this time, as PostgreSQL writes one."""
    least, most = (int((moment - NEW_YEAR) * 1e6) for moment in (began, ended))
    number = 0
    for shift in range(8):
        usable = raw[shift : shift + (len(raw) - shift) // 8 * 8]
        values = np.frombuffer(usable, dtype="<i8")
        number += int(np.count_nonzero((values >= least) & (values <= most)))
    return number


def test_no_moment_of_a_vote_is_left(loaded):
    """The log names the moment of each commit, until it is overwritten at close."""
    began, ended = loaded.began, loaded.ended
    assert sum(moments(one, began, ended) for one in the_log(loaded.before).values()) > VOTERS
    for name, one in after(loaded).items():
        if "pg_stat" not in name:
            assert moments(one, began, ended) == 0, name
    for name, one in after(loaded).items():
        for match in re.finditer(rb"(?<![0-9])1[0-9]{9}(?![0-9])", one):
            assert not int(began) <= int(match[0]) <= int(ended), f"{match[0]!r} in {name}"
    said = (loaded.cluster.folder / "log").read_text(encoding="utf-8")
    assert not re.search("ERROR|STATEMENT|DETAIL|hushvote\\.", said)


def test_after_close_nothing_pairs_a_code_and_a_report(loaded):
    held = loaded.polls["codes"]
    questions = [voter.question or b"" for voter in held.voters]
    log = b"".join(the_log(loaded.before).values())
    assert sum(one in log for one in (*held.first, *questions)) == 2 * VOTERS
    assert leaks.order_kept(log, held.first) > 0.9
    for files in (loaded.running, loaded.killed):
        log = b"".join(the_log(files).values())
        assert len(log) > 1_000_000
        assert not any(one in log for one in (*held.first, *questions))
        for name, one in files.items():
            has = [sum(value in one for value in values) for values in (held.first, questions)]
            assert min(has) == 0, name  # never both in one file
            assert leaks.order_kept(one, held.first) < FAR, name
            assert leaks.order_kept(one, questions) < FAR, name


def test_after_close_places_and_transactions_of_rows_say_nothing(loaded):
    for table, found_rows in loaded.rows.items():
        assert len(found_rows) >= VOTERS
        assert len({xmin for xmin, _, _ in found_rows}) == 1, table
        keys = [bytes(key) for _, _, key in found_rows]
        assert keys == sorted(keys), table


def test_without_the_rights_a_poll_closes_all_the_same_and_its_log_stays_for_a_while():
    """As the documentation says."""
    import psycopg

    with running_cluster(fsync="off") as cluster:
        url = cluster.database()
        name = psycopg.conninfo.conninfo_to_dict(url)["dbname"]
        with psycopg.connect(url, autocommit=True) as db:
            db.execute("CREATE ROLE plain LOGIN")
            db.execute(f"GRANT CREATE ON DATABASE {name} TO plain")

        def left() -> int:
            log = b"".join(content(one) for one in (cluster.data / "pg_wal").glob("0*"))
            return sum(receipt_of(n) in log and hashed(f"q {n}") in log for n in range(0, 1000, 10))

        plain = url.replace("hushvote@", "plain@")
        with opened(plain) as store:
            voted(store, 1)
            assert store.close(POLL, event("closed"))
            assert store.poll(POLL).closed
            assert left() == 100
        with psycopg.connect(url, autocommit=True) as db:
            (shown,) = (one for one in fences("docs/server.md") if one.kind == "sql")
            for statement in shown.text.strip().splitlines():
                db.execute(statement.replace("TO hushvote;", "TO plain"))
        with opened(plain) as store:
            store.create(a_poll("cd" * 16), event("created"))
            assert store.close("cd" * 16, event("closed"))
            assert left() == 0
