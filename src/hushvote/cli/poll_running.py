"""`hushvote poll list | show | link | extend | close | delete`: a poll while it goes on."""

from collections.abc import Iterator
from typing import Annotated, Any

import typer

from hushvote.cli import show, times
from hushvote.cli.asking import confirm
from hushvote.cli.options import JsonOption
from hushvote.cli.remote import (
    InsecureOption,
    LinkFileOption,
    PollArgument,
    ServerOption,
    TokenOption,
    YesOption,
    note_digest,
    opened,
    owned,
    server_of,
    token_of,
)
from hushvote.client import keys, organising
from hushvote.client.answers import Told
from hushvote.client.organising import Organised
from hushvote.client.server import RemoteError, Server
from hushvote.errors import HushvoteError
from hushvote.messages import counted, say
from hushvote.pages.events import event_words
from hushvote.pages.promises import crowd_epsilon, promises
from hushvote.poll import Poll

LIST = "Example: [bold]hushvote poll list[/bold]"
SHOW = "Example: [bold]hushvote poll show 3f2a[/bold]"
LINK = "Example: [bold]hushvote poll link 3f2a[/bold]"
EXTEND = "Example: [bold]hushvote poll extend 3f2a --for 2d[/bold]"
CLOSE = "Example: [bold]hushvote poll close 3f2a[/bold]"
DELETE = "Example: [bold]hushvote poll delete 3f2a[/bold]"
SHORT = 8  # digits of an id that is shown

ClosesOption = Annotated[
    str | None,
    typer.Option("--closes", help=times.CLOSES),
]
ForOption = Annotated[str | None, typer.Option("--for", help=times.FOR)]


# --- looking ---------------------------------------------------------------------------------


def list(
    everybody: Annotated[
        bool, typer.Option("--all", help="All polls of the server: for its operator.")
    ] = False,
    server: ServerOption = None,
    token_file: TokenOption = None,
    insecure: InsecureOption = False,
    json: JsonOption = False,
) -> None:
    """List the polls whose keys are kept on this machine, or all polls of a server."""
    token = token_of(token_file)
    _look_for_waiting(token, insecure)
    if everybody:
        asked = server_of(server, insecure)
        rows = [{"server": asked.address, **one} for one in organising.listed(asked, token)]
    else:
        only = None if server is None else server_of(server, insecure).address
        rows = [*_own_polls(only, insecure)]
    if json:
        show.print_json({"polls": rows})
        return
    if not rows:
        show.say("There are no polls here yet: make one with 'hushvote poll create'.")
        return
    table = show.table("", id="fixed", question="left", state="left", closes="left", server="fixed")
    table.title = None
    for row in rows:
        closes = "" if row["closes"] is None else times.briefly(row["closes"])
        texts = (row["question"] or "", row["state"], closes, row["server"])
        table.add_row(row["id"][:SHORT], *(show.plain(text) for text in texts))
    show.print_table(table)


def _own_polls(only: str | None, insecure: bool) -> Iterator[dict[str, Any]]:
    """The polls that are kept here; of one whose server does not tell, why."""
    for named in keys.all_kept():
        if only is not None and named.server != only:
            continue
        row: dict[str, Any] = {"id": named.id, "digest": named.digest, "server": named.server}
        try:
            found = Organised(named, Server(named.server, insecure=insecure))
            told = found.told()
        except HushvoteError as error:
            yield {**row, "question": None, "access": None, "state": str(error), "closes": None}
        else:
            state = "closed" if told.closed else "open"
            about = {"question": found.poll.question, "access": found.poll.access}
            yield {**row, **about, "state": state, "closes": told.closes}


def _look_for_waiting(token: str | None, insecure: bool) -> None:
    """A command that broke off may have left a key without its poll: look whether there is one."""
    for one in keys.all_waiting():
        try:
            asked = Server(one.server, insecure=insecure)
            found = organising.found_again(asked, one, organising.listed(asked, token))
        except HushvoteError as error:
            show.note(f"a poll may have been made whose key waits in {one.path}: {error}")
            continue
        if found:
            show.note(f"found again, with its key: {one.question}")
        else:
            show.note(
                f"no poll of {one.server} has the key in {one.path}, which waits for one; if it "
                "was not made, remove that file"
            )


def show_poll(
    poll: PollArgument = None,
    link_file: LinkFileOption = None,
    insecure: InsecureOption = False,
    json: JsonOption = False,
) -> None:
    """Show a poll: its question, how many have voted, when it closes, and what was done to it."""
    found = opened(poll, link_file, insecure)
    told = found.told()
    if json:
        show.print_json(_document(found, told))
        return
    _tell(found.poll, told)
    note_digest(found)


def _document(found: Organised, told: Told) -> dict[str, Any]:
    poll = found.poll
    return {
        "id": poll.id,
        "digest": poll.digest,
        "server": found.named.server,
        "question": poll.question,
        "candidates": [*poll.candidates],
        "title": poll.mechanism.title,
        "access": poll.access,
        "seats": poll.seats,
        "changes_allowed": poll.changes,
        "partial": poll.partial,
        "turnout": poll.turnout,
        "live": poll.live,
        "epsilon": float(poll.mechanism.epsilon),
        "crowd_epsilon": crowd_epsilon(poll),
        "state": "closed" if told.closed else "open",
        "closes": told.closes,
        **told.numbers,
        "as_of": told.as_of,
        "codes": told.codes,
        "kept_until": told.kept_until,
        "log": [dict(one) for one in told.log],
    }


def _tell(poll: Poll, told: Told) -> None:
    show.say(poll.question, style="bold")
    if poll.description:
        for line in poll.description.splitlines():
            show.say(line)
    show.say(f"{poll.mechanism.title}; {', '.join(poll.candidates)}.")
    show.say("")
    for sentence in _standing(poll, told):
        show.say(sentence)
    show.say("")
    for sentence in promises(poll, crowd_epsilon(poll)):
        show.say(sentence, style="dim")
    show.say("")
    for event in told.log:
        show.say(f"{times.shown(event['at'])}  {event_words(event, times.shown)}")


def _standing(poll: Poll, told: Told) -> Iterator[str]:
    numbers = told.numbers
    if told.closed:
        yield "Closed."
    else:
        yield f"Open; closes on {times.shown(told.closes)}."
    short = max(0, poll.turnout - numbers["standing"])
    yield say(
        "verified.numbers",
        casts=numbers["casts"],
        changes=numbers["changes"],
        withdrawals=numbers["withdrawals"],
        erasures=numbers["erasures"],
        standing=numbers["standing"],
    )
    if told.as_of is not None:
        yield (
            f"So it was on {times.shown(told.as_of)}: until a poll closes, only its organiser sees "
            "the numbers of this moment."
        )
    if short:
        yield f"Needed for a result: {counted(short, 'report')} more."
    if told.codes is not None:
        codes = told.codes
        yield (
            f"Codes: {codes['issued']:,} issued, {codes['used']:,} used, {codes['revoked']:,} "
            "revoked."
        )
    if told.kept_until is not None:
        yield (
            f"The server deletes all of it on {times.shown(told.kept_until)}; archive it before."
        )


def link(
    poll: PollArgument = None,
    organiser: Annotated[
        bool, typer.Option("--organiser", help="The organiser's link, which is a secret.")
    ] = False,
    link_file: LinkFileOption = None,
    insecure: InsecureOption = False,
    json: JsonOption = False,
) -> None:
    """Print the ballot's link; in polls of codes everybody needs a code, too."""
    found = opened(poll, link_file, insecure)
    made = found.poll  # which the server must still have, with this digest
    if organiser and not found.is_own():
        raise RemoteError(
            "the key that is kept for this poll is not that of its organiser", code="api.key"
        )
    text = str(found.named.organiser_link if organiser else found.named.ballot_link(made.digest))
    if json:
        show.print_json({"organiser" if organiser else "ballot": text})
        return
    show.line(text)
    note_digest(found)


# --- changing --------------------------------------------------------------------------------


def extend(
    poll: PollArgument = None,
    closes: ClosesOption = None,
    span: ForOption = None,
    yes: YesOption = False,
    link_file: LinkFileOption = None,
    insecure: InsecureOption = False,
    json: JsonOption = False,
) -> None:
    """Move the closing time of an open poll; everybody can see that in its log."""
    new = times.closing(closes, span)
    found = owned(poll, link_file, insecure)
    told = found.told()
    if new < told.closes and not told.closed:
        confirm(
            f"That is earlier than {times.shown(told.closes)}, which voters were told. "
            "Close earlier?",
            yes,
        )
    found.extend(new)
    if json:
        show.print_json({"id": found.named.id, "state": "open", "closes": new})
        return
    show.say(f"“{found.poll.question}” closes on {times.shown(new)}.")


def close(
    poll: PollArgument = None,
    yes: YesOption = False,
    link_file: LinkFileOption = None,
    insecure: InsecureOption = False,
    json: JsonOption = False,
) -> None:
    """Close a poll for good: it never opens again."""
    found = owned(poll, link_file, insecure)
    told = found.told()
    if not told.closed:
        numbers, least = told.numbers, found.poll.turnout
        few = "" if numbers["standing"] >= least else f" Below {least:,} there will be no result."
        confirm(
            f"“{found.poll.question}” has {counted(numbers['standing'], 'report')} so far.{few} "
            "Close it now, for good?",
            yes,
        )
    found.close()
    told = found.told()
    if json:
        show.print_json({"id": found.named.id, "state": "closed", **told.numbers})
        return
    standing = counted(told.numbers["standing"], "report")
    show.say(f"“{found.poll.question}” is closed, with {standing}.")
    short = found.named.id[:SHORT]
    if told.numbers["standing"] < found.poll.turnout:
        show.say(
            f"Fewer than {found.poll.turnout:,} reports stand, so there is no result, and nothing "
            "of them is ever shown. An archive can keep that:"
        )
    else:
        show.say("Next, see the result, and keep an archive that needs no server:")
        show.line(f"  hushvote poll result {short}")
    show.line(f"  hushvote poll archive {short}")


def delete(
    poll: PollArgument = None,
    yes: YesOption = False,
    link_file: LinkFileOption = None,
    insecure: InsecureOption = False,
    json: JsonOption = False,
) -> None:
    """Delete a poll with all its reports from the server, and its key from this machine."""
    found = owned(poll, link_file, insecure)
    told = found.told()
    confirm(
        f"“{found.poll.question}” has {counted(told.numbers['standing'], 'report')}"
        f"{'' if told.closed else ', and it is still open'}; archive it first if anybody is to see "
        "the result later. Delete all of it?",
        yes,
    )
    day = found.delete()
    if json:
        show.print_json({"id": found.named.id, "digest": found.poll.digest, "day": day})
        return
    show.say(f"“{found.poll.question}” is deleted; its id, its digest and the day ({day}) remain.")
