"""Write docs/errors.md anew: `python docs/errors.py`.

The codes of the conformance vectors and what they mean stand in conformance/README.md, all
others here; a test compares both with the source.
"""

import re
from pathlib import Path

PAGE = Path(__file__).with_name("errors.md")
CONFORMANCE = PAGE.parent.parent / "conformance" / "README.md"

INTRODUCTION = """\
<!-- Written by docs/errors.py. -->
# Errors

Whatever a user can cause and mend is a `hushvote.HushvoteError`. Its message is one sentence that
says what was wrong, where, and what would be right. Programs look at two other things: `code`,
which stays the same when sentences change, and `values`, a dictionary of what the sentence is made
of. Values are plain data, and no text in them has more than 80 characters.

```python
import hushvote as hv

try:
    hv.mechanism("duel", hv.borda(3), 1).privatize([[0, 1, 2], [2, 2, 1]])
except hv.HushvoteError as error:
    print(error)
    print(error.code, error.values)
```

```text
row 1 names candidate 2 twice and leaves out 0; a ranking names every candidate once
ranking.duplicate {'row': 1, 'candidate': 2, 'missing': 0}
```

An error in a file or a setting keeps the code of what is wrong there. An error that you raise
yourself may have a code of your own, as in `hv.RankingError("too late", code="mine.late", day=3)`;
without one, it has that of its class, such as `ranking`.

"""

CODES = {
    "ack.form": "an acknowledgement that is damaged",
    "ack.leaf": "an acknowledgement of another report than was sent",
    "ack.poll": "an acknowledgement of another poll",
    "ack.signature": "an acknowledgement that the poll's server did not sign",
    "accounting.bound": "a bound on shuffled reports that is not known",
    "accounting.delta": "a delta out of its range",
    "accounting.reports": "a number of shuffled reports that is not whole or out of range",
    "api.body": "a body that is larger than this address takes",
    "api.closed": "something that only an open poll allows",
    "api.closes": "a closing time that is past, or too far away",
    "api.codes": "codes for a poll that has none",
    "api.crowded": "more polls to be designed at once than the server does",
    "api.deleted": "a poll that was deleted",
    "api.design": "a mechanism that takes too long or too much memory to design",
    "api.form": "a request to the server that is not in its form",
    "api.id": "an id of a new poll that is taken",
    "api.key": "a missing or wrong organiser's key",
    "api.limit": "more from one network than is allowed in an hour",
    "api.method": "a method that an address does not take",
    "api.path": "an address at which there is nothing",
    "api.poll": "a poll that is not there",
    "api.token": "a missing or wrong operator's token",
    "api.type": "a body that is not sent as JSON",
    "attack.number": "an attack that returns another number of reports than asked for",
    "attack.reports": "an attack that returns what are no reports of the mechanism",
    "attack.unknown": "an attack that is not known",
    "ballots.ambiguous": "a table of numbers that may be candidates or ranks",
    "ballots.block": "blocks of less than one voter",
    "ballots.braces": "braces around tied candidates that do not match",
    "ballots.cells": "a line with more cells than there are candidates",
    "ballots.columns": "columns that are not there, named twice, too few, or not to be chosen",
    "ballots.control": "a line with a control character",
    "ballots.count": "a number of voters before a ballot that is missing or not whole",
    "ballots.empty": "no ballots",
    "ballots.exposed": "candidates that are named in the ballots alone",
    "ballots.header": "a header that is missing, damaged, or does not name the candidates",
    "ballots.incomplete": "a way to treat incomplete ballots that is not known",
    "ballots.kind": "a PrefLib data type without rankings",
    "ballots.layout": "a layout that is not known, or not that of the file",
    "ballots.quote": "a quote that is not closed on its line",
    "ballots.separator": "candidates that are not separated by commas, or not as in the first line",
    "ballots.stray": "a column that seems to hold no part of the ranking",
    "ballots.type": "a column of a type that holds no candidates",
    "ballots.voters": "another number of voters than the header says",
    "board.header": "a file that is no board, or has a damaged header",
    "board.line": "a line of a board that is not in its form",
    "board.open": "a board of a poll that is not closed",
    "board.order": "entries for a board that are not sorted by receipt",
    "board.prefix": "a prefix of receipts that is too long, or no hexadecimal digits",
    "board.turnout": "fewer standing reports than a board needs",
    "candidate.pair": "not two different candidates",
    "certificate.draw": "a draw that has not the law that its mechanism states",
    "certificate.epsilon": "a certificate of another epsilon than the mechanism's",
    "certificate.law": "probabilities that do not add up to 1",
    "certificate.leak": "a report, or a number of random bytes, that rules rankings out",
    "certificate.ratio": "a ratio of probabilities above the certificate's",
    "command.options": "options of a command that exclude each other",
    "credential.form": "a credential that is damaged",
    "design.crowd": "an epsilon of the crowd that is no number or too small",
    "design.empty": "no mechanism that fits",
    "design.error": "a wanted error that is no number or out of range",
    "design.gap": "a largest gap that no duel can keep",
    "design.goal": "both a lead and a wanted error",
    "design.lead": "a lead that is no number or out of range",
    "design.max-gap": "a largest gap that is no number above 0",
    "design.objective": "an objective that is not known",
    "design.privacy": "both an epsilon of a report and one of the crowd",
    "design.questions": "a rule for which no questions were found",
    "design.turnout": "a turnout that is not whole or out of range",
    "design.voters": "a number of voters that is not whole or out of range",
    "draw.bytes": "a draw that takes its bytes in a way that cannot be followed",
    "draw.early": "a draw that uses a number inside its loop that it took before",
    "draw.failed": "a draw that fails when it is followed",
    "draw.loops": "a draw with more than one loop",
    "draw.numbers": "a draw that takes too many numbers to be followed",
    "draw.values": "a draw that uses a number of too many values as it is",
    "draw.ways": "a draw with too many ways to follow all",
    "electorate.form": "an electorate that is no text",
    "electorate.option": "an option of an electorate that is missing, unknown or out of range",
    "electorate.rankings": "an electorate that does not return rankings of all voters",
    "electorate.unknown": "an electorate that is not known",
    "export.kind": "an export in a form that is not known",
    "export.open": "an export of a poll that is not closed",
    "figure.unknown": "a figure that is not known",
    "file.damaged": "a file that is no Parquet file, or only part of one",
    "file.device": "a pipe or device instead of a file",
    "file.empty": "a file without content",
    "file.encoding": "text that is not UTF-8",
    "file.folder": "a folder instead of a file",
    "file.groups": "a column to count by that is missing, or has no usable groups",
    "file.kind": "ballots instead of reports, or reports instead of ballots",
    "file.line": "a line that is too long",
    "file.line-end": "a carriage return within a line",
    "file.memory": "a file that does not fit into memory",
    "file.missing": "a file that does not exist",
    "file.name": "a name that no file can have",
    "file.none": "no file to count",
    "file.poll": "a file of another poll than the given one, or of none",
    "file.parent": "a folder that does not exist",
    "file.same": "an output that would replace its input",
    "file.suffix": "a name that ends in no known format",
    "file.twice": "a file that is named twice",
    "file.unreadable": "a file that the system does not let us read",
    "file.unwritable": "a file or folder that the system does not let us write",
    "inspection.chance": "a chance of a false alarm that is not between 0 and 1",
    "inspection.other": "an inspection of another tally",
    "inspection.reports": "reports that are not those of the tally",
    "inspection.type": "something that is no inspection",
    "language.unknown": "a language that there is not",
    "ledger.damaged": "a ledger that is damaged",
    "ledger.poll": "a poll that is not named by a text",
    "load.failed": "a module that `--load` cannot load",
    "margin.issued": "a number of issued credentials that is out of range or too low",
    "margin.share": "a share of dishonest reports that is not from 0 to 1",
    "mechanism.option": "an option that the mechanism does not have",
    "mechanism.refused": "a mechanism that is biased, or states less error than is possible",
    "mechanism.rule": "something that is no rule",
    "mechanism.type": "something that is no mechanism",
    "mechanism.unlisted": "a mechanism with too many reports to list them",
    "name.unwritable": "a name that a text file cannot keep",
    "optimum.size": "too many candidates for the optimum",
    "option.form": "an option that is not written as key=value",
    "plan.goal": "other than two of epsilon, lead and voters to plan with",
    "plan.hopeless": "voters who can certify no such lead",
    "plan.turnout": "a turnout below 1 or above the number of voters",
    "plot.matplotlib": "pictures without matplotlib",
    "question.key": "a question by hash, but no key",
    "random.generator": "something that is no random generator",
    "random.seed": "a seed below 0",
    "ranking.form": "rankings that are no matrix with one row per voter",
    "ranking.gap": "an empty rank before one that is not",
    "ranking.incomplete": "a ballot that does not rank all candidates",
    "ranking.rank": "a cell that is no rank",
    "ranking.tied": "tied candidates",
    "ranking.unknown": "a candidate's name that is not known",
    "request.answer": "a report that does not answer the question of its code",
    "request.changes": "a change beyond those that the poll allows",
    "request.json": "a request that is no JSON with spaces behind it",
    "request.member": "a request with a member missing or too many",
    "request.poll": "a request to another poll, or under a credential of another",
    "request.question": "a question in a request that is no hash, or missing, or one too many",
    "request.receipt": "a receipt in a request that is no hash",
    "request.secret": "a secret in a request that is no hash",
    "request.size": "a request of another length than all to this poll have",
    "result.hidden": "a result of a poll that shows none before it is closed",
    "result.level": "a level that is no number or out of range",
    "result.mechanism": "a result that does not know its mechanism",
    "result.power": "a power that is no number or out of range",
    "result.seats": "seats that are no whole number, or leave nothing to decide",
    "result.turnout": "a result, board or export of fewer reports than the poll promises",
    "rule.candidates": "a rule that scores another number of candidates, or does not know how many",
    "rule.form": "a rule that is no text",
    "rule.option": "an option of a rule that is unknown or out of range",
    "rule.unknown": "a rule that is not known",
    "server.address": "an address that cannot be listened on, or that is none",
    "server.busy": "more votes at once than can be written",
    "server.failed": "a fault of the server itself",
    "server.insecure": "a server for others without https",
    "server.missing": "serving without the packages that it needs",
    "server.proxy": "a trusted proxy that is no address or network",
    "server.token": "an operator's token that is too short, or not one word",
    "server.worker": "a worker that could not start",
    "server.workers": "no workers, or several on SQLite",
    "simulation.adversaries": "an attack or adversaries without the other, or no number of them",
    "simulation.duplicate": "a setting that names something twice",
    "simulation.empty": "a setting that names nothing",
    "simulation.key": "a key in a file of settings that is not known",
    "simulation.memory": "more voters or adversaries than fit into memory",
    "simulation.metric": "a metric that is not known",
    "simulation.number": "a setting that is no whole number or out of range",
    "simulation.toml": "a file of settings that is not TOML",
    "store.busy": "votes that others wrote at the same moment, again and again",
    "store.driver": "a PostgreSQL database without the package that talks to it",
    "store.failed": "a store that has failed in a way that it should not",
    "store.poll": "a result of a poll that was deleted meanwhile",
    "store.unreachable": "a database that cannot be opened, or does not answer",
    "store.unwritable": "a database that cannot be written; nothing was changed",
    "store.url": "a text that names no database",
    "store.version": "a database that a later hushvote has written",
    "tally.candidates": "tallies that name different candidates, added up",
    "tally.empty": "a tally without reports",
    "tally.names": "candidates that are not named by texts",
    "tally.overflow": "counts beyond 64 bits",
    "tally.turnout": "fewer reports than the poll's turnout",
    "tally.type": "something that is no tally",
    "tally.weights": "weights that are not whole, below 0, too many or too large",
    "tally.withdrawal": "more reports withdrawn than there are",
    "vote.changes": "a vote that was changed as often as the poll allows",
    "vote.closed": "a vote for a closed poll",
    "vote.code": "a code that was not issued, or was taken back",
    "vote.question": "a code that was used for another vote",
    "vote.receipt": "another report under a receipt that is known",
    "vote.spent": "a secret that was used before",
    "vote.unknown": "a secret that belongs to no known vote",
}


def codes() -> dict[str, str]:
    """What each code means, in the order of the page."""
    rows = re.findall(
        r"^\| `([a-z.-]+)` \| (?:client|counter) \| (.+) \|$",
        CONFORMANCE.read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    return dict(sorted({**dict(rows), **CODES}.items()))


def page() -> str:
    """The whole page, in Markdown."""
    rows = [f"| `{code}` | {meaning} |\n" for code, meaning in codes().items()]
    return INTRODUCTION + "| code | what is wrong |\n|---|---|\n" + "".join(rows)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
