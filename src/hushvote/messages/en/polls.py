"""What is said of a poll on a server: to its organiser, and on the page of its archive."""

POLLS = {
    "poll.local": (
        "Whoever sees a report come in, the operator included, can multiply their odds about the "
        "vote behind it by at most {odds} (local epsilon {epsilon:g})."
    ),
    "poll.crowd": (
        "Whoever sees only the set of all reports learns less: a crowd epsilon of {epsilon:g}, if "
        "at least {turnout:,} of them are honest, but for a chance of 1 in {chance:,}."
    ),
    "poll.crowd.few": (
        "{turnout:,} reports are no crowd to speak of at such an epsilon: towards whoever sees "
        "only the set of all of them, count on the local one."
    ),
    "poll.crowd.link": (
        "No crowd epsilon is promised, since whoever has the link can vote more than once."
    ),
    "poll.crowd.traceable": (
        "Nothing is gained among all reports, since those of {mechanism} show whose they are: the "
        "local epsilon holds."
    ),
    "poll.changes.little": (
        "Whoever changes a vote as often as this poll allows sends {reports:,} reports: local "
        "epsilon {epsilon:g} in all, which protects little."
    ),
    "poll.access.codes": "Who could vote: whoever had one of the invite codes.",
    "poll.access.link": "Who could vote: whoever had the link.",
    "event.opened": "Opened, to be closed on {closes}.",
    "event.extended": "Closing time moved to {closes}.",
    "event.issued": "Codes issued: {codes:,}.",
    "event.revoked": "Codes asked to be revoked: {asked:,}.",
    "event.closed": "Closed.",
    "event.erased": "A report erased.",
    "event.other": "Another event: {event}.",
    "page.title": "Result: {question}",
    "page.withheld": "There is no result.",
    "page.withheld.why": (
        "The poll has {standing}, and promised its voters that nothing is shown of fewer than "
        "{turnout:,}."
    ),
    "page.certified": "{name} has won.",
    "page.certified.why": "With {sure} confidence nobody else has as high a true score.",
    "page.open": "Nobody has surely won.",
    "page.open.why": "{leader} leads, but {rivals} may truly be ahead ({sure} confidence).",
    "page.suspicious": "Nobody is announced: not all reports can be trusted.",
    "page.doubted": "{name} has won, though not all reports can be trusted.",
    "page.elected": "Elected: {names}.",
    "page.elected.part": "Surely elected: {names}. Other seats are open.",
    "page.elected.none": "No seat is settled.",
    "page.warnings": "Read this first",
    "page.chart": "Scores and how sure they are",
    "page.chart.says": (
        "The mark is the estimated mean score, the bar behind it the {sure} interval, on the whole "
        "range of scores."
    ),
    "page.chart.cut": (
        "The mark is the estimated mean score, the bar behind it the {sure} interval, on the whole "
        "range of scores. What lies beyond it is cut off: estimates may, true scores cannot."
    ),
    "page.chart.row": "{name}: {score:.2f}, {low:.2f} to {high:.2f}",
    "page.figures": "In figures",
    "page.place": "Place",
    "page.candidate": "Candidate",
    "page.score": "Score",
    "page.interval": "{sure} interval",
    "page.true_place": "True place",
    "page.first": "Truly first",
    "page.first.says": (
        "“True place” holds for all candidates together with {sure} confidence; only who can have "
        "no place but the first has surely won. “Truly first” asks something else, for one "
        "candidate alone: how likely these reports make it. So it can be high while nobody has "
        "surely won."
    ),
    "page.words": "What this means",
    "page.privacy": "What was promised to voters",
    "page.numbers": "Who took part",
    "page.casts": "Votes cast",
    "page.changes": "Changed",
    "page.withdrawals": "Withdrawn",
    "page.erasures": "Erased",
    "page.standing": "Counted",
    "page.issued": "Codes issued",
    "page.revoked": "Codes revoked",
    "page.erased.says": (
        "Of an erased report only a hash is left. Whoever kept an earlier board still has what it "
        "showed."
    ),
    "page.log": "What was done to the poll",
    "page.log.says": "Times are in UTC, and as the server tells them.",
    "page.verify": "Count it yourself",
    "page.verify.says": (
        "This page was made from the board that lies beside it. Until that is counted again, take "
        "it as the word of the poll's server and of whoever archived it, the intervals and true "
        "places above all. With this folder and hushvote anybody can count, without a server."
    ),
    "page.verify.withheld": (
        "There is no board below the turnout. The manifest says what voters were promised."
    ),
    "page.digest": "The poll's digest, which also stands behind the # of the ballot's link",
    "page.board": "The board's digest: whoever finds the same one elsewhere has the same board",
    "page.closed": "Result of a poll that closed on {day}",
    "page.candidates": "Who stood",
    "page.candidates.open": "Who stands",
    "page.end": "{score:g}: {meaning}",
    "page.turnout": "Nothing is ever shown of fewer than {turnout:,} reports.",
    "page.elected.mark": "elected",
    "page.certified.mark": "has won",
    "page.live": "Still open: {names} leads so far.",
    "page.live.tied": "Still open: {names} lead so far.",
    "page.live.why": (
        "Nobody is certified before the poll closes, because whoever looks again and again "
        "finds a winner by chance."
    ),
    "page.honest": "Were the reports honest?",
    "page.uninspected": (
        "These reports were not inspected: with so many candidates or reports that would take "
        "too long."
    ),
    "page.short": "{value:.2f}",
    "page.number": "{value:,}",
    "page.state.open": "A poll that is open until {when} (UTC)",
    "page.state.closing": "A poll that is being closed",
    "page.hidden": "The result is shown when the poll closes.",
    "page.hidden.why": "It is open until {when} (UTC). To vote, open the link that you were sent.",
    "page.waiting": "There is no result yet.",
    "page.waiting.why": (
        "While the poll is open, a first one is shown when {needed:,} reports stand. It is "
        "open until {when} (UTC)."
    ),
    "page.closing": "The poll is being closed.",
    "page.closing.why": "Its result is here in a moment: load this page again.",
    "page.so_far": "So far",
    "page.so_far.says": (
        "At {when} (UTC) {standing} stood. Numbers move at full hours only, so that nobody "
        "sees when somebody votes."
    ),
    "page.so_far.live": (
        "This result counts {counted}. It is made anew when {step:,} more stand, and until then "
        "no other number is shown, so that nobody sees when somebody votes."
    ),
    "page.deleted": "This poll was deleted.",
    "page.deleted.why": "It was deleted on {day}, and nothing of it is left.",
    "page.unknown": "There is no such poll.",
    "page.unknown.why": "Open the address as it was sent to you.",
    "page.nowhere": "There is nothing at this address.",
    "page.nowhere.why": "If somebody sent you a link, open it as it was sent, up to its end.",
    "page.nothing": "There is no result to save.",
    "page.nothing.why": "The poll's own page says why, and when there may be one.",
    "page.refused": "The server has refused this.",
    "page.refused.why": "It cannot be done at this address ({code}). Nothing was changed.",
    "page.broken": "The server has failed at this.",
    "page.broken.why": "Whoever runs it finds where in its log. Perhaps it works in a moment.",
    "page.to.home": "To the first page",
    "page.to.poll": "Open the poll's page",
    "page.failed": "This page cannot be shown just now.",
    "page.failed.why": "The server is busy or starting. Load it again in a moment.",
    "page.verify.board": (
        "All randomised reports stand on the board. Find your receipt there, or count the "
        "whole poll again in your browser, with one click."
    ),
    "page.verify.yourself": (
        "Or do not trust this server at all: save the board, and check it with your own copy "
        "of hushvote."
    ),
    "page.verify.open": (
        "When the poll has closed, all randomised reports stand on the board, for everybody "
        "to count again."
    ),
    "page.to.board": "Open the board",
    "page.save.board": "Save the board",
    "page.save.csv": "Result as CSV",
    "page.save.json": "Result as JSON",
    "page.language": "English",
}
