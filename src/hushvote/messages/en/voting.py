"""What a voter is told at a terminal, from the first look to the receipt."""

from hushvote.messages.en.pages import BALLOT

VOTING = {
    "vote.choices.all": "Rank all {d} of them, best first.",
    "vote.choices.some": "Rank as many of the {d} as you like, best first.",
    "vote.choices.order": "The order above is shuffled for you; --order keeps that of the poll.",
    "vote.learns.operator": (
        "Your ranking stays on this machine; only a report leaves it, drawn at random. Whoever "
        "runs the server sees the report, and from where and when it came, and can multiply their "
        "odds about your vote by at most {factor} (epsilon {epsilon})."
    ),
    "vote.learns.public": "After close everybody sees all reports, without names or times.",
    "vote.learns.question": (
        "After close everybody sees all reports; whoever made the codes can tell which is yours."
    ),
    "vote.open": (
        "Reports at the last full hour: {standing:,}; a result needs {turnout:,}. The poll closes "
        "{closes}."
    ),
    "vote.how": (
        'Type numbers or names, best first, as in {example}; "undo" takes the last one back.'
    ),
    "vote.how.done": "An empty line ends the ranking.",
    "vote.ranked": "Your ranking",
    "vote.unranked": "not ranked: {names}",
    "vote.ask.draw": "Draw the report for this ranking? You have {left}, and this takes one.",
    "vote.same": "This ranking had a report before, which is sent again: nothing new is drawn.",
    "vote.sentence": "Not yet cast. Only this sentence will be sent:",
    "vote.sentence.change": "Not yet changed. Only this sentence will be sent:",
    "vote.body": "As it leaves this machine:",
    "vote.padding": "(filled up with spaces, {blanks:,} of them, so that lengths tell nothing)",
    "vote.factor": (
        "Whoever sees this can multiply their odds about your vote by at most {factor}, whatever "
        "else they know."
    ),
    "vote.true": BALLOT["leaves.true"],
    "vote.little": BALLOT["leaves.little"],
    "vote.factor.all": (
        "Whoever sees this and the others that you drew, {spent} in all, can multiply them by at "
        "most {factor}: epsilon {epsilon} in all."
    ),
    "vote.together": "{reports:,} reports together are epsilon {epsilon}: that protects little.",
    "vote.ask": "[y/N]",
    "vote.yes": "y yes",
    "vote.ask.link": "The link (not shown):",
    "vote.ask.code": "Your invite code (not shown):",
    "vote.ask.cast": "Cast it?",
    "vote.ask.change": "Change your vote to it?",
    "vote.kept": "Not cast. The report is kept, and the same ranking will send it.",
    "vote.stopped": "Not cast. Nothing was drawn, and nothing was sent.",
    "vote.unchanged": "Nothing was sent, and nothing has changed.",
    "vote.done.reports": "Cast. Keep your receipt.",
    "vote.done.changes": "Changed. Keep your receipt.",
    "vote.done.withdrawals": "Withdrawn. Your report is no longer counted, and that is final.",
    "vote.done.erasures": "Erased. Your report is no longer kept, and that is final.",
    "vote.receipt": "Receipt: {receipt}",
    "vote.signed": (
        "The server has signed for it, and the signature is that of this poll. It is kept here:"
    ),
    "vote.later": "After close, see that it is counted:",
    "vote.later.gone": "After close, see that it is not counted:",
    "vote.again": "What you agreed to before has no answer yet. The same bytes are sent again.",
    "vote.unsent.reports": (
        "Not yet cast, as far as this machine knows. Nothing is lost, and the same command sends "
        "the same bytes again"
    ),
    "vote.unsent.changes": (
        "Not yet changed, as far as this machine knows. Nothing is lost, and the same command "
        "sends the same bytes again"
    ),
    "vote.unsent.withdrawals": (
        "Not yet withdrawn, as far as this machine knows. The same command sends the same bytes "
        "again"
    ),
    "vote.unsent.erasures": (
        "Not yet erased, as far as this machine knows. The same command sends the same bytes again"
    ),
    "vote.unsigned": (
        "Nobody can rely on this answer, so it is not kept; the request is, and the same command "
        "sends it again. If this goes on, ask the organiser"
    ),
    "vote.unsure": (
        "Nobody here can tell whether your last request was taken, and the board will show it "
        "(hushvote verify with the link and --mine)"
    ),
    "vote.refused.reports": "Not cast; what you drew is kept",
    "vote.refused.changes": "Not changed; what you drew is kept",
    "vote.refused.withdrawals": "Not withdrawn",
    "vote.refused.erasures": "Not erased",
    "vote.stands": (
        "You have cast in this poll, and your report stands. Change it with --change, or take it "
        "back with --withdraw."
    ),
    "vote.change.free": "A report was drawn for this ranking before: to send it costs nothing new.",
    "vote.change.costs": (
        "A change is a further report, and epsilon adds up: {before} so far, {after} with it. "
        "Whoever sees all your reports can multiply their odds about your vote by at most {factor}."
    ),
    "vote.ask.withdraw": (
        "Withdraw your report? It is no longer counted, this is final, and what it has told stays "
        "told."
    ),
    "vote.ask.erase": (
        "Have your report erased? The server deletes it, also from a closed poll, and counts anew. "
        "This is final. Whoever kept an earlier board can work out what was erased."
    ),
    "vote.ask.forget": (
        "Forget this vote? What stands at the server stays there, but this machine can no longer "
        "change it, withdraw it, or prove that it was cast. To vote again would be a second vote, "
        "and cost epsilon again. Save the credential and the acknowledgement first if you may "
        "need them."
    ),
    "vote.ask.forget.unanswered": (
        "Forget this vote? What was sent last has no answer yet, so it may count, and nobody could "
        "tell any more. To vote again could be a second vote, and cost epsilon again."
    ),
    "vote.forgotten": "Forgotten. What this machine kept of this vote is deleted.",
    "vote.unknown": "Nothing is kept here of a vote in this poll.",
    "vote.dry": "A dry run: nothing was drawn from your ranking, and nothing was sent.",
    "vote.dry.example": "A report looks like this one, drawn for a ranking made up at random:",
    "vote.dry.kept": "For this ranking a report is kept, which would be sent:",
    "vote.history": (
        "Arguments stay in the shell's history, and others on this machine may see them. To keep "
        "your ranking to yourself, type it when asked, or use --ranking -."
    ),
    "vote.code.shown": (
        "Your invite code is in this link, so it stays in the shell's history, and others on this "
        "machine may see it while this runs. To keep it to yourself, leave the link out and type "
        "it when asked, or use --link-file."
    ),
    "vote.saved.credential": (
        "The credential is saved. Whoever has it can change or withdraw your vote: keep it secret."
    ),
    "vote.saved.ack": "The acknowledgement is saved. It proves which report is yours, no more.",
    "vote.saved.ack.gone": "The acknowledgement is saved. It proves that your vote was taken back.",
    "vote.standing.nothing": "No vote of yours stands.",
    "vote.standing.report": "Your vote stands.",
    "vote.standing.withdrawn": "Your vote is withdrawn: it is not counted, and that is final.",
    "vote.standing.erased": "Your vote is erased: it is no longer kept, and that is final.",
    "vote.show.unanswered": "What was sent last has no answer yet; to vote again sends it again.",
    "vote.draw.drawn": "Drawn for {ranking}:",
    "vote.draw.stands": "Drawn for {ranking}, and stands:",
    "vote.draw.gone": "Once drawn for {ranking}; it does not stand:",
    "vote.show.left": "Left: {draws}, {changes}. Spent: epsilon {epsilon}.",
    "vote.show.gone": (
        "You cannot vote again in this poll. Spent: epsilon {epsilon}, since what was sent has "
        "been seen."
    ),
    "vote.show.path": "All this is kept here, for you alone:",
}
