"""What is said of boards and acknowledgements."""

BOARD = {  # what `hushvote verify` has checked: as it should be, and as it should not
    "verify.digest": "The manifest is that of the given digest.",
    "verify.signature": "The server that the manifest names has signed the header.",
    "verify.order": "The lines are sorted by receipt, and no receipt stands twice.",
    "verify.leaves": "No leaf stands twice, erased ones included.",
    "verify.reports": "Every line holds a report that the poll's mechanism can send.",
    "verify.tree": "The lines make the tree whose root is signed.",
    "verify.erased": "The erased lines are those that the header names.",
    "verify.numbers": "As many reports stand as were cast and neither withdrawn nor erased.",
    "verify.turnout": "At least as many reports stand as the manifest asks for.",
    "verify.spent": (
        "Every change and every withdrawal has spent a receipt by its secret, and none of these "
        "stands."
    ),
    "verify.chains": (
        "Every change leads to a receipt of its own, which stands, was spent in turn, or was "
        "erased."
    ),
    "verify.changes": "No vote was changed more often than the manifest allows.",
    "verify.codes": (
        "Every cast has used a question of its own, from a code that was issued and not revoked."
    ),
    "verify.link": "No codes are named, since the poll is open to whoever has the link.",
    "verify.questions": "Every report answers its own question, and no question is answered twice.",
    "verify.tally": "The tally is that of the lines.",
    "verify.result": "The result is that of the tally.",
    "board.damaged": "This board is damaged, and nothing else of it was checked: {reason}.",
    "board.withheld": (
        "The server shows no board, though {standing:,} reports stand by its own account, and the "
        "manifest asks for {turnout:,}."
    ),
    "broken.digest": "The manifest is not that of the given digest.",
    "broken.signature": "The signature is not that of the poll's server.",
    "broken.order": "The lines are not sorted by receipt, or a receipt stands twice.",
    "broken.leaves": "A leaf stands twice.",
    "broken.reports": "A line holds what the poll's mechanism never sends.",
    "broken.tree": "The lines do not make the tree whose root is signed.",
    "broken.erased": "The erased lines are not those that the header names.",
    "broken.numbers": (
        "Another number of reports stands than were cast and neither withdrawn nor erased."
    ),
    "broken.turnout": "Fewer reports stand than the manifest asks for.",
    "broken.spent": (
        "A change or a withdrawal has spent no receipt, or not by its secret, or what it spent "
        "still stands."
    ),
    "broken.chains": "Two changes lead to one receipt, or a change leads nowhere or back.",
    "broken.changes": "A vote was changed more often than the manifest allows.",
    "broken.codes": (
        "A cast has used no question of its own, or one from a code that was revoked or never "
        "issued."
    ),
    "broken.link": "Codes are named, though the poll is open to whoever has the link.",
    "broken.questions": (
        "A report does not answer its own question, or a question is answered twice."
    ),
    "broken.tally": "The tally is not that of the lines.",
    "broken.result": "The result is not that of the tally.",
    "verify.archive.manifest": "manifest.json is the manifest of the board.",
    "verify.archive.result": "result.json says what the board comes to.",
    "broken.archive.manifest": "manifest.json is not the manifest of the board.",
    "broken.archive.result": "result.json does not say what the board comes to.",
    "unchecked.archive": "{name}: it is not there.",
    "unchecked.result": "{name}: there is no sound board to compare it with.",
    "unchecked.open": (
        "Whether it is counted: there is no board while the poll is open. Check again after close."
    ),
    "unchecked.few": (
        "Whether it would have been counted: the poll is closed, and fewer than {turnout:,} "
        "reports stand. So there is no board and no result, and there never will be."
    ),
    "unchecked.digest": (
        "Whether this is the poll that you mean: its digest is {digest}. Compare it with the link, "
        "or give it as --digest."
    ),
    "unchecked.copies": (
        "Whether everybody is shown the same board: its digest is {digest}. Compare it with others."
    ),
    "unchecked.voters": "Whether those who used the codes are those to whom they were meant.",
    "unchecked.link": "Whether somebody has cast more than one report: by a link anybody can.",
    "unchecked.omissions": (
        "Whether a report was left out that the server has acknowledged: only voters who give "
        "their acknowledgements (--ack) can tell."
    ),
    "unchecked.erasures": (
        "Whether those whose reports were erased have asked for it: their acknowledgements (--ack) "
        "tell them that it was done."
    ),
    "unchecked.log": "Whether the times and events of the log are true.",
    "ack.standing": "{name}: the acknowledged report stands on the board.",
    "ack.spent": "{name}: the acknowledged report was changed or withdrawn by its secret.",
    "ack.erased": (
        "{name}: the acknowledged report was erased. If you did not ask for this, show the "
        "acknowledgement to others: the server signed for a report that it no longer counts."
    ),
    "ack.asked": "{name}: the acknowledged report was erased, as was asked for.",
    "ack.withdrawn": "{name}: the withdrawn report is gone.",
    "ack.gone": (
        "{name}: the report was erased after close, and nothing stands under its receipt."
    ),
    "ack.later": (
        "{name}: the report was erased after close, but stands here: this board is of before, or "
        "the erasure was not done. Take the newest one."
    ),
    "ack.altered": "{name} proves an alteration: another report stands under its receipt.",
    "ack.turned": (
        "{name} proves an alteration: the report was withdrawn, but the board tells of a change to "
        "another one."
    ),
    "ack.kept": "{name} proves an omission: the report was withdrawn, but stands on the board.",
    "ack.missing": "{name} proves an omission: the server took this request, but it is not here.",
    "ack.signed": "{name}: the server has signed that it took this report.",
    "ack.signed.gone": "{name}: the server has signed that it took this withdrawal or erasure.",
    "mine.name": "Your acknowledgement {receipt}...",
    "mine.none": "This machine keeps no acknowledgement of this poll.",
    "mine.taken": "Your last request had no answer, but was taken: the board has its receipt.",
    "mine.lost": (
        "Your last request had no answer, and was not taken: the board lacks its receipt. Without "
        "an acknowledgement this proves nothing against the server."
    ),
    "proof": (
        "This is a proof for everybody, since the server has signed the acknowledgement and the "
        "board. Give others both files; they need not believe you, and learn which report is "
        "yours, not your ranking. They run:"
    ),
    "proof.ack": "The file of the acknowledgement:",
    "proof.board": "The file of the board:",
    "verified.numbers": (
        "Cast: {casts:,}. Changes: {changes:,}. Withdrawn: {withdrawals:,}. Erased: {erasures:,}. "
        "Standing: {standing:,}."
    ),
    "verified.all": "All of this holds.",
    "verified.marked": "All of this holds, but look at what is marked with !",
    "verified.signed": "All of this holds, as far as it can be checked now.",
    "verified.not": "Not all of this holds: this board is not to be trusted.",
    "verified.line": "{sentence} See line {line}.",
}
