"""Running the server: one process on SQLite, or several on PostgreSQL, until told to stop."""

from contextlib import ExitStack

import hushvote
from hushvote.server.journal import Journal
from hushvote.server.measures import Measures
from hushvote.server.observing import Collect, Observatory, Page
from hushvote.server.served import POSTGRES, Served, bound, check
from hushvote.server.supervising import Supervisor
from hushvote.server.worker import Worker

__all__ = ["Served", "serve"]


def serve(served: Served) -> None:
    """Serve until stopped; all that is to be said of it goes to the journal."""
    check(served)
    journal = Journal(served.log_format)
    with ExitStack() as stack:
        listening = bound(served)
        stack.callback(listening.close)
        host, port = listening.getsockname()[:2]
        address = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
        kept = "PostgreSQL" if served.store.startswith(POSTGRES) else served.store  # no password

        def ready() -> None:
            journal.tell("ready", address=address, base_url=served.base_url, store=kept)

        def stopping() -> None:
            journal.tell("stopping", grace=served.grace)

        def observed(collect: Collect) -> None:
            if served.metrics_port is not None:
                page = Page(collect, served.metrics_step)
                made = Observatory(served.metrics_host, served.metrics_port, page)
                stack.callback(made.shut)
                journal.tell("metrics", address=made.address)

        journal.tell("start", version=hushvote.__version__, workers=served.workers)
        if served.workers == 1:
            measures = Measures()
            worker = Worker(served, measures, ready, stopping)
            observed(lambda: [measures.figures()])
            worker.run([listening])
        else:
            supervisor = Supervisor(served, listening)
            observed(supervisor.figures)
            supervisor.run(ready, stopping)
    journal.tell("stopped")
