"""What is said of a poll on a server: to its organiser, and on the page of its archive."""

POLLS = {
    "poll.local": (
        "Whoever sees a report come in, the operator included, can multiply their odds about the "
        "vote behind it by at most {odds} (local epsilon {epsilon})."
    ),
    "poll.crowd": (
        "Whoever sees only the set of all reports learns less: a crowd epsilon of {epsilon}, if at "
        "least {turnout:,} of them are honest, but for a chance of 1 in {chance:,}."
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
    "poll.access.codes": "Who could vote: whoever had one of the invite codes.",
    "poll.access.link": "Who could vote: whoever had the link.",
    "event.opened": "Opened, to be closed on {closes}.",
    "event.extended": "Closing time moved to {closes}.",
    "event.issued": "Codes issued: {codes:,}.",
    "event.revoked": "Codes revoked, of {asked:,} that were named.",
    "event.closed": "Closed.",
    "event.erased": "A report erased.",
    "event.other": "Another event: {event}.",
    "page.title": "Result: {question}",
    "page.withheld": "There is no result.",
    "page.withheld.why": (
        "{standing} stand, and the poll promised its voters that nothing is shown of fewer than "
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
    "page.chart.row": "{name}: {score}, {low} to {high}",
    "page.figures": "In figures",
    "page.place": "Place",
    "page.candidate": "Candidate",
    "page.score": "Score",
    "page.interval": "{sure} interval",
    "page.true_place": "True place",
    "page.first": "Truly first",
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
        "This page was made from the board, after all checks of the board had passed. Do not take "
        "its word for it: with this folder and hushvote anybody can do the same, without a server."
    ),
    "page.verify.withheld": (
        "There is no board below the turnout. The manifest says what voters were promised."
    ),
    "page.digest": "The poll's digest, which also stands behind the # of the ballot's link",
    "page.board": "The board's digest: whoever finds the same one elsewhere has the same board",
    "page.closed": "Result of a poll that closed on {day}",
    "page.candidates": "Who stood",
    "page.lowest": "{score}: last on every ballot",
    "page.highest": "{score}: first on every ballot",
    "page.span": "{low} to {high}",
    "page.turnout": "Nothing is ever shown of fewer than {turnout:,} reports.",
    "page.elected.mark": "elected",
    "page.certified.mark": "has won",
}
