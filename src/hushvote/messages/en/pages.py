"""What pages say, by page; `shared` is on several, `shell` stands there before scripts run.

A sentence about a vote says first what has become of it.
"""

from hushvote.messages.en.organising import ORGANISERS

SHELL = {
    "loading": "One moment.",
    "noscript": "This page needs scripts.",
    "ballot.title": "Your ballot",
    "ballot.noscript": "Your vote is randomised on your own device before anything is sent, and a "
    "script does that. Allow scripts here, or vote from a terminal: hushvote vote, and your link.",
    "board.title": "The board",
    "board.noscript": "With scripts you can find your receipt here, and count the poll again. "
    "Without them, save the board below the result, and check it with hushvote verify.",
    "home.title": "hushvote: ranked votes that stay yours",
    "home.noscript": "To open a link without scripts, put it into the address bar.",
    "create.title": "Make a poll",
    "create.noscript": "The key of your poll is made in your browser, and a script does that. "
    "Allow scripts here, or make the poll from a terminal: hushvote poll create.",
    "organiser.title": "Your poll",
    "organiser.noscript": "Your key stays in your browser, and a script uses it there. Allow "
    "scripts here, or use a terminal: hushvote poll show, and your link.",
}

SHARED = {
    "close": "Close",
    "copied": "Copied.",
    "copy.failed": "This browser does not let pages copy. Mark the text and copy it yourself.",
    "saved": "Saved as {name}.",
    "try.again": "Try again",
    "qr.label": "QR code: {what}",
    "report.group": "{members}",
    "report.over": "I put {above} over {below}.",
}

BALLOT = {
    # what stands on every step
    "steps": "Steps",
    "step.rank": "Rank",
    "step.check": "Check",
    "step.leaves": "What leaves your device",
    "step.cast": "Cast",
    "closes": "Open until {when}.",
    "closed.at": "Closed since {when}.",
    "seats.one": "One candidate is elected.",
    "seats.many": "{seats} candidates are elected.",
    "not.cast": "Not yet cast.",
    "secret": "Is my vote secret?",
    "no.storage": "This browser keeps nothing here (a private window, perhaps). Keep this page "
    "open until you have cast, and save your credential then: without it you cannot change your "
    "vote.",
    # rank
    "rank.title": "Rank the candidates.",
    "rank.how": "Tap them in your order, best first. Drag by the handle, or use the arrows.",
    "rank.all": "All of them have to be ranked.",
    "rank.some": "You may leave some out: they come after the others, in random order.",
    "rank.stays": "Your ranking stays on this device.",
    "rank.ranked": "Your ranking, best first",
    "rank.unranked": "Not ranked yet",
    "rank.none": "Nobody yet. Tap the one you want most.",
    "rank.rest": "Everybody is ranked.",
    "rank.count": "{ranked} of {all} ranked",
    "rank.add": ", rank as number {place}",
    "rank.take": ", take out",
    "rank.handle": "Move {name}",
    "rank.handle.how": "Drag, or press the arrow keys.",
    "rank.up": "{name} up",
    "rank.down": "{name} down",
    "rank.said": "{name} is number {place} of {ranked}.",
    "rank.said.out": "{name} is not ranked.",
    "rank.clear": "Start over",
    "rank.next": "Check my ranking",
    # codes
    "code.label": "Your invite code",
    "code.how": "21 letters and digits, as they were sent to you. Capitals and hyphens do not "
    "matter.",
    "code.given": "Your link came with an invite code.",
    "code.other": "Use another code",
    # check
    "check.title": "Is this your order?",
    "check.rest.one": "After these comes {names}, whom you left out.",
    "check.rest.many": "After these come {names}, in an order drawn at random.",
    "check.once": "Next, this device draws one sentence from your ranking, with chance in it. It "
    "is drawn once: the same ranking gives the same sentence again, however often you look.",
    "check.left.one": "You can look at the sentence of one ranking.",
    "check.left.many": "You can look at the sentences of {number} different rankings.",
    "check.spent": "You have seen as many sentences as this poll allows. Choose one of these "
    "rankings:",
    "check.again": "You have seen the sentence of this ranking before. It is the same again.",
    "check.nothing": "You have no sentences left: what you have cast stays as it is.",
    "check.change": "Change the order",
    "check.next": "See what leaves this device",
    "check.choose": "Take {names}",
    # what leaves the device
    "leaves.title": "What leaves your device",
    "leaves.vote": "Your vote",
    "leaves.stays": "stays here",
    "leaves.report": "Only this sentence will be sent:",
    "leaves.odds": "Whoever sees it can multiply their odds about your vote by {factor} at most.",
    "leaves.epsilon": "That is epsilon {epsilon}: the odds about any two rankings change by "
    "exp({epsilon}) at most, rounded up here.",
    "leaves.true": "Chance may have made it say the opposite of what you think. That is what "
    "protects you; over many voters it evens out.",
    "leaves.little": "At epsilon {epsilon} that protects little. Treat this sentence as if it told "
    "what you truly think.",
    "leaves.all": "You have seen {number} sentences here. Whoever saw all of them could multiply "
    "their odds by {factor}.",
    "little.together": "{number} sentences together are epsilon {epsilon}: that protects little.",
    "leaves.strip": "Who else could have sent it?",
    "leaves.strip.how": "{number} ballots: first one of the likeliest, then others drawn at "
    "random. Each of them could have sent this very sentence. The longer the bar, the likelier.",
    "leaves.strip.every": "These are all the ballots that there can be. Each of them could have "
    "sent this very sentence. The longer the bar, the likelier.",
    "leaves.strip.marks": "Your sentence puts the filled names over the outlined ones.",
    "leaves.strip.none": "Every ranking of the candidates could have sent this very sentence.",
    "leaves.strip.same": "All of these are equally likely to have sent it.",
    "leaves.strip.one": "One of these {all} is the likeliest to have sent it, the others less. No "
    "ranking at all is more than {factor} times likelier than another.",
    "leaves.strip.some": "{number} of these {all} are the likeliest to have sent it, the others "
    "less. No ranking at all is more than {factor} times likelier than another.",
    "leaves.strip.sure": "So nobody can be sure.",
    "leaves.ballot.most": "{names}: as likely to send it as any",
    "leaves.ballot.less": "{names}: {times} times less likely",
    "leaves.json": "The same as it will travel",
    "leaves.json.how": "This is the whole message, byte for byte, filled up with spaces to {size} "
    "bytes so that its length tells nothing.",
    "leaves.cast": "Cast my vote",
    "leaves.change": "Cast this change",
    "leaves.back": "Change the order",
    # casting
    "sending": "Not yet cast. Sending.",
    "unsure.title": "Not yet cast.",
    "unsure.network": "The server did not answer. Your vote is kept on this device, and nothing "
    "is lost. Sending again sends the very same bytes, so it cannot count twice.",
    "unsure.memory": "The server did not answer. Keep this page open: your vote is only here. "
    "Sending again sends the very same bytes, so it cannot count twice.",
    "unsure.busy": "The server is too busy just now. Your vote is kept, and nothing is lost. Send "
    "it again in a moment; it cannot count twice.",
    "unsure.answer": "The server's answer does not acknowledge what was sent ({code}). Your vote "
    "is kept on this device. Send it again; if this happens again, tell whoever invited you.",
    "unsure.change": "Your earlier vote stands until this change is acknowledged.",
    "unsure.withdraw": "Your vote stands until this withdrawal is acknowledged.",
    "unsure.again": "Send again",
    "refused.title": "Your vote has not been cast.",
    "refused.change": "Your earlier vote stands.",
    "refused.change.elsewhere": "This change has not been made.",
    "refused.withdraw.elsewhere": "This withdrawal has not been made.",
    "refused.withdraw": "Your vote stands.",
    "refused.unknown": "It is not certain whether your vote was counted.",
    "refused.closed": "The poll was closed before it arrived.",
    "refused.closed.unsure": "The poll closed before the server answered. If it is on the board "
    "under your receipt, it was counted: {receipt}",
    "refused.question": "This invite code was used for another vote. If that was you on another "
    "device, go on there, or with the credential that you saved.",
    "refused.code": "This invite code was not issued for this poll, or was taken back. Ask "
    "whoever invited you for another.",
    "refused.elsewhere": "What you had cast was changed or withdrawn on another device or with "
    "its credential, and that stands.",
    "refused.changes": "It was changed as often as this poll allows.",
    "refused.deleted": "This poll was deleted.",
    "refused.other": "The server has refused it ({code}): {detail}",
    "refused.back": "Back to my ranking",
    "refused.code.other": "Enter another code",
    "refused.receipt": "Back to my vote",
    # receipt and what stands
    "cast.title": "Cast. Keep your receipt.",
    "cast.changed": "Changed. Keep your new receipt.",
    "cast.stands": "Your vote is cast.",
    "cast.checked": "The server has acknowledged it, and the signature is right.",
    "cast.unchecked": "The server has acknowledged it. This browser cannot check its signature; "
    "hushvote verify can.",
    "cast.restored": "You go on with a saved credential. What you have cast stands as it is.",
    "cast.receipt": "Your receipt",
    "cast.for": "After the poll closes, find this receipt on the board: your sentence must stand "
    "beside it, as you saw it. The receipt says nothing about your ranking.",
    "cast.sent": "You have sent: {words}",
    "cast.copy": "Copy the receipt",
    "cast.ack": "Save the acknowledgement",
    "cast.ack.how": "The server's signature: proves an omission, if there is one.",
    "cast.credential": "Save the credential",
    "cast.credential.how": "To change or withdraw on another device. Keep it to yourself; it "
    "holds no ranking.",
    "cast.print": "Print the receipt",
    "cast.qr": "the board of this poll, at your receipt",
    "cast.more": "Changed your mind?",
    "change.button": "Change my vote",
    "change.title": "Change your vote?",
    "change.cost": "A changed ranking means another sentence, and each further sentence tells a "
    "little more: together {number} of them let anybody multiply their odds about your vote by "
    "{factor} at most. That is {number} times epsilon.",
    "change.left.one": "This poll allows one more change.",
    "change.left.many": "This poll allows {number} more changes.",
    "change.yes": "Rank again",
    "change.no": "Leave it as it is",
    "change.none": "You have changed your vote as often as this poll allows.",
    "change.never": "Votes in this poll cannot be changed.",
    "change.now": "Your vote stands until you cast the new one.",
    "change.from": "This is the order that you cast. Change it, or leave your vote as it is.",
    "change.empty": "You begin with no order: this device was only given your credential, which "
    "holds none.",
    "withdraw.button": "Withdraw my vote",
    "withdraw.title": "Withdraw your vote for good?",
    "withdraw.cost": "Your sentence will not be counted, and you cannot vote again in this poll. "
    "What the server has seen of it stays seen.",
    "withdraw.yes": "Withdraw for good",
    "withdraw.no": "Keep my vote",
    "withdrawn.title": "Your vote is withdrawn.",
    "withdrawn.text": "It will not be counted, and that is final. The server has acknowledged it.",
    "withdrawn.for": "The board will name this receipt as withdrawn.",
    "forget.button": "Forget this device",
    "forget.title": "Erase what this device keeps of this poll?",
    "forget.uncast": "Your vote has not been cast. Your ranking and your code are erased here; to "
    "vote, open your link again.",
    "forget.cast": "Your vote stays cast. Without a saved credential you can no longer change or "
    "withdraw it, nor see here what you have sent.",
    "forget.yes": "Erase it",
    "forget.no": "Keep it",
    "forgotten.title": "This device has forgotten your vote.",
    "forgotten.text": "Nothing of this poll is kept here any more. To vote or to go on, open your "
    "link.",
    # a saved credential
    "restore.summary": "Voted before, on another device?",
    "restore.how": "Open the credential that you saved there, and change or withdraw your vote "
    "here.",
    "restore.label": "Your credential (a .json file)",
    # what may be wrong
    "wrong.digest.title": "Your vote has not been sent. This is not the poll of your link.",
    "wrong.digest": "The server shows another poll than the one that your link names. Ask whoever "
    "invited you for the right link.",
    "no.digest.title": "Nothing can be cast with this link.",
    "no.digest.label": "Your link",
    "no.digest.open": "Open it",
    "no.digest": "The part behind the # is missing, so nobody can tell whether this is the right "
    "poll. Open the whole link, as it was sent to you.",
    "no.poll.title": "There is no such poll.",
    "no.poll": "Nothing was sent. Open the link as it was sent to you.",
    "deleted.title": "This poll was deleted.",
    "deleted": "It was deleted on {day}, and nothing of it is left. Nothing can be cast.",
    "unreached.title": "The poll cannot be loaded.",
    "unreached": "The server does not answer. Nothing was sent; your link stays good.",
    "refuses.title": "Your vote has not been sent. This device refuses the poll.",
    "closed.title": "This poll is closed.",
    "closed.uncast": "You have not cast a vote on this device.",
    "closed.cast": "Your vote is cast. Find it on the board, under your receipt.",
    "closed.cast.few": "Your vote is cast.",
    "closed.withdrawn": "Your vote was withdrawn.",
    "closed.result": "See the result",
    "closed.page": "See the page of the poll",
    "closed.few": "Reports that stand: {standing}. Needed: {turnout}. So there is no result, to "
    "protect those who voted.",
    # is my vote secret?
    "secret.title": "Is my vote secret?",
    "secret.short": "Your ranking never leaves this device. What leaves is one sentence with "
    "chance in it, and it says little about you: whoever sees it can multiply their odds about "
    "your vote by {factor} at most.",
    "secret.short.some": "Your ranking never leaves this device. What leaves is one sentence with "
    "chance in it: whoever sees it can multiply their odds about your vote by {factor} at most.",
    "secret.short.little": "Your ranking itself never leaves this device. What leaves is one "
    "sentence with chance in it, but at epsilon {epsilon} that protects little: whoever sees it "
    "can multiply their odds about your vote by up to {factor}.",
    "secret.who": "Who sees what",
    "secret.you": "This device",
    "secret.you.text": "Your ranking, your sentence, your receipt. Whoever uses this device can "
    "see them; \u201cForget this device\u201d erases them.",
    "secret.operator": "Whoever runs the server",
    "secret.operator.text": "Your sentence, roughly when it came, and from which network address. "
    "Odds about your vote: times {factor} at most (local epsilon {epsilon}).",
    "secret.public": "Everybody, after the poll closes",
    "secret.public.crowd": "All sentences, mixed. Who sent which is not there. If at least "
    "{turnout} people vote honestly, odds about your vote: times {factor} at most (crowd epsilon "
    "{epsilon}, but for a chance of one in a million).",
    "secret.public.none": "All sentences, mixed. Who sent which is not there. No better bound "
    "than the one above is promised, since with a link one person may vote often.",
    "secret.public.unknown": "All sentences, mixed. Who sent which is not there. The bound above "
    "holds; a better one for the crowd is not computed yet.",
    "secret.organiser": "The organiser",
    "secret.organiser.link": "How many have voted, and later what everybody sees.",
    "secret.organiser.codes": "How many have voted, and later what everybody sees. The organiser "
    "may know whose code is whose, and together with the server then sees who voted, and that "
    "person's sentence.",
    "secret.organiser.asks": "Who holds which code, and so, after the poll closes, that person's "
    "sentence: your question stands on the board. Never your vote beyond the bound above.",
    "secret.not": "What is not protected",
    "secret.not.voted": "That you took part, and your network address at the server.",
    "secret.not.device": "What others can see or read on this device.",
    "secret.not.more": "More than one sentence. {number} of them, as many as this poll allows, "
    "let anybody multiply their odds by {factor} at most.",
    "secret.not.sold": "You can prove which sentence you sent, and a changed program could choose "
    "it: so sentences can be sold.",
    "secret.script": "This script",
    "secret.script.text": "It comes from this server, and a dishonest one could send another. Its "
    "SHA-256 is below: compare it with the published one. Or trust your own copy: hushvote vote "
    "casts from a terminal, with the same link.",
}

BOARD = {
    "title": "Board: {question}",
    "top": "The board of a closed poll. Reports that stand: {standing}.",
    "what": "Every randomised report that was counted stands here, without names and in no "
    "order of time. The result follows from them alone.",
    "to.result": "See the result",
    "unlinked": "You came here without the end of the link, so nobody can tell whether this is "
    "the poll that you were invited to. Compare its digest with the part behind the # of your "
    "link: {digest}",
    "find": "Find your receipt",
    "find.label": "Your receipt (64 digits and letters from a to f)",
    "find.button": "Find it",
    "find.form": "A receipt has 64 characters, each a digit or a letter from a to f. This has "
    "{number} of them.",
    "find.whole": "Your receipt is not sent: the whole board is loaded, and looked through here.",
    "find.prefix": "Of your receipt only the first {digits} are sent, which at least some 32 "
    "others share.",
    "find.digit.one": "digit",
    "find.digit.many": "{number} digits",
    "finding": "Looking.",
    "found": "Your receipt is on the board.",
    "found.says": "This stands beside it. It must be the sentence that you saw before you cast:",
    "found.json": "The line of the board",
    "spent": "Your receipt is no longer valid: its vote was changed or withdrawn.",
    "spent.changed": "The board names the receipt that came after it:",
    "spent.withdrawn": "It was withdrawn, so nothing of it was counted.",
    "missing": "Your receipt is not on the board.",
    "missing.says": "That is right if you have changed your vote (look for your newest "
    "receipt), withdrawn it, or had it erased. Otherwise save the board, and let your "
    "acknowledgement prove the omission:",
    "missing.erased": "Reports that were erased have no receipt any more. Here their number is "
    "{number}.",
    "count": "Count the whole poll again",
    "count.says": "Your browser loads all reports, checks the tree of their hashes and the "
    "server's signature, adds them up, and compares that with the published result.",
    "count.button": "Count again",
    "counting": "Counting: {done} of {all}",
    "holds": "All {standing} reports were counted again, and the result is the published one.",
    "breaks": "The board does not hold.",
    "breaks.says": "Save the board now, and tell whoever runs the poll. hushvote verify says "
    "more about it.",
    "check.poll": "The board is that of this poll.",
    "check.poll.not": "The board is that of another poll.",
    "check.signed": "The server's signature of the board is right.",
    "check.signed.not": "The server's signature of the board is wrong.",
    "check.lines": "Each line has the one form that it can have, and each receipt stands there "
    "once.",
    "check.lines.not": "Line {line} is damaged, stands twice or is not in order.",
    "check.tree": "The tree of all hashes has the root that the server has signed.",
    "check.tree.not": "The tree of all hashes has another root than the server has signed.",
    "check.numbers": "Votes cast, less those withdrawn and erased, are as many as stand.",
    "check.numbers.not": "Votes cast, less those withdrawn and erased, are not as many as stand.",
    "check.tally": "All sums are those of the board.",
    "check.tally.not": "The sums are not those of the board.",
    "check.scores": "All scores are the published ones.",
    "check.scores.not": "The scores are not the published ones.",
    "checked": "What was checked",
    "unchecked": "What was not",
    "unchecked.signed": "The signature: this browser cannot check it.",
    "unchecked.rest": "Everything else: without its first line nobody can tell what a board is of.",
    "unchecked.intervals": "Intervals and true places, changes from receipt to receipt, and "
    "codes: hushvote verify checks those, too.",
    "unchecked.copies": "Whether everybody sees the same board. Compare its digest with others: "
    "{digest}",
    "unchecked.omitted": "Whether a vote was left out: only the receipts and acknowledgements "
    "of voters show that.",
    "unchecked.script": "This script, which comes from the same server.",
    "figures": "Counted here",
    "save": "Save the board",
    "save.says": "A text file with a line for each report, for your own copy of hushvote:",
    "open": "The board is shown when the poll is closed.",
    "open.says": "Then every randomised report stands here, and you can find your receipt.",
    "few": "There is no board.",
    "few.says": "Reports that stand: {standing}. Needed: {turnout}. So nothing is shown, to "
    "protect those who voted.",
    "wrong.digest": "This is not the poll of your link.",
    "wrong.digest.says": "The server shows another poll than the one that your link names. Ask "
    "whoever invited you.",
    "none": "There is no such poll.",
    "none.says": "Open the address as it was sent to you.",
    "deleted": "This poll was deleted.",
    "deleted.says": "It was deleted on {day}, and nothing of it is left.",
    "damaged": "What the server sent cannot be read.",
    "damaged.says": "It is damaged, or no board at all. Save it below as evidence, and tell "
    "whoever runs the poll. hushvote verify says more about it.",
    "unreached": "The board cannot be loaded.",
    "unreached.says": "The server does not answer just now.",
}

PAGES = {"shell": SHELL, "shared": SHARED, "ballot": BALLOT, "board": BOARD, **ORGANISERS}
