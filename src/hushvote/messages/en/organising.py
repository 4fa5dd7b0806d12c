"""What the pages of organisers say: the first page, making a poll, and keeping one."""

HOME = {
    "title": "Ask everybody. Learn the answer. Not who said what.",
    "what.one": "With hushvote a group ranks candidates, and finds out whom it wants.",
    "what.two": "Every vote is randomised on the voter's own device: what leaves it is one "
    "sentence with chance in it.",
    "what.three": "So nobody, whoever runs this server included, learns more about a vote than a "
    "bound that is stated before.",
    "what.four": "Over many voters chance evens out, and everybody can count the result again.",
    "make": "Make a poll",
    "enter": "You were sent a link or a code?",
    "link": "Your link",
    "link.how": "The link of a ballot, with everything behind its #. It stays in your browser.",
    "open": "Open it",
    "wrong.code": "A code alone does not say which poll it is for. Open the link that came with "
    "it; the code is asked for there.",
    "wrong.link": "This is no link of a poll. It looks like {example}.",
    "wrong.server": "This link belongs to another server, {server}. Open it in the address bar.",
}

CREATE = {
    "title": "Make a poll",
    "short": "Your ballot is on the right as you write, or below on a small screen. Before "
    "you press the button, only counts and settings are sent, to compute what they mean: no "
    "question, no names.",
    "what": "What is asked",
    "question": "Question",
    "question.how": "As voters will read it: “Who shall chair the works council?”",
    "description": "What voters should know beside (may stay empty)",
    "candidates": "Candidates, one a line",
    "candidates.how": "Paste as many as you like, up to 64. Every voter sees them in an order of "
    "their own.",
    "candidates.count": "Candidates: {number}.",
    "seats": "Seats to fill",
    "rule": "What a place is worth",
    "rule.borda": "Borda: every place counts one point more than the next. Good for most votes.",
    "rule.plurality": "Plurality: only the first place counts, one point.",
    "rule.antiplurality": "Antiplurality: every place but the last counts one point. Finds whom "
    "nobody minds.",
    "rule.approval": "Approval of two: the first two places count one point each.",
    "rule.nauru": "Nauru: the places count 1, 1/2, 1/3 and so on. The first ones matter most.",
    "who": "Who votes, and until when",
    "invited": "How many people are invited",
    "invited.how": "Nothing is ever shown of fewer than {turnout} votes: half of them, and at "
    "least 20.",
    "access": "How they get in",
    "access.codes": "By a code for each person: nobody votes twice",
    "access.codes.how": "You make the codes on the next page, in your browser, and print or mail "
    "them.",
    "access.link": "By one link for all: quick, but whoever has it can vote often",
    "access.link.how": "So nothing is promised about being hidden among the others.",
    "closes": "Closes",
    "closes.how": "In your time zone, {zone}. You can move it later.",
    "privacy": "How secret a vote is",
    "privacy.how": "More secret means more chance in every vote, so more people are needed to be "
    "sure of the winner.",
    "level.1": "Very secret",
    "level.3": "Secret",
    "level.5": "Less secret",
    "level.own": "Another epsilon",
    "own": "Epsilon",
    "own.how": "A number above 0 and up to 10. The smaller, the more secret.",
    "means.operator": "Whoever runs the server can multiply their odds about a vote by {odds} at "
    "most (local epsilon {epsilon}).",
    "means.board": "Whoever reads the board: by {odds} at most (crowd epsilon {epsilon}), if "
    "{turnout} people vote honestly.",
    "means.board.few": "Whoever reads the board: no better bound than that, since at this level "
    "so few people are no crowd to hide in.",
    "means.board.link": "Whoever reads the board: no better bound than that, since a link lets "
    "one person vote often.",
    "means.lead": "{voters} voters can most likely be sure of the winner if the lead is {lead} "
    "or more points, where scores go from {low} to {high}.",
    "means.lead.seats": "{voters} voters can most likely be sure who gets the {seats} seats if "
    "the last of them is {lead} or more points ahead of the next, where scores go from {low} to "
    "{high}.",
    "means.none": "{voters} voters can be sure of nothing, whatever the lead. It takes {fewest} "
    "at least.",
    "means.unknown": "What so many voters can decide takes too long to compute here.",
    "computing": "Computing.",
    "computed": "Computed.",
    "computed.not": "What this means could not be computed: the server does not answer, or has no "
    "room just now. You can make the poll all the same.",
    "computed.again": "Compute again",
    "little": "This poll protects little.",
    "little.how": "At epsilon {epsilon}, whoever sees a report can multiply their odds about the "
    "vote behind it by up to {odds}. Voters will be told so.",
    "little.changes": "Whoever changes a vote as often as you allow sends {number} sentences: "
    "epsilon {epsilon} in all, which protects little. Allow fewer changes, or choose more secrecy.",
    "small": "This poll is too small to decide anything.",
    "small.much": "Only a landslide will decide this poll.",
    "small.voters": "Invite {plenty} people or more.",
    "small.level": "Or choose “{level}”.",
    "small.fewer": "Or put fewer candidates to the vote.",
    "more": "More settings",
    "partial": "Voters may leave candidates out",
    "changes": "How often a vote may be changed",
    "changes.how": "Every change sends one more sentence, so it costs as much secrecy as the "
    "first vote.",
    "live": "Show results while the poll is open",
    "live.how": "In steps of {turnout} votes. Otherwise nothing is shown before it closes, so "
    "that nobody votes by how it stands.",
    "token": "The operator's token",
    "token.how": "Only people with this token may make polls on this server. It is sent to this "
    "server alone, and is not kept.",
    "make": "Make the poll",
    "making": "Making the poll.",
    "preview": "The ballot, as voters see it",
    "preview.how": "Try it. Nothing is sent.",
    "preview.question": "Your question",
    "preview.nobody": "Name at least two candidates to see the ballot.",
    "wrong.question": "Write the question, in at most 500 characters.",
    "wrong.text": "“{text}” has the character {code}, which nobody can see (here �). Take it out.",
    "wrong.name": "Line {line}, “{name}”, has the character {code}, which nobody can see (here �). "
    "Take it out.",
    "wrong.joined": "It joins several emoji to one; single ones are fine.",
    "wrong.description": "The text is longer than 5,000 characters.",
    "wrong.few": "Name at least two candidates, one a line.",
    "wrong.many": "There are {number} candidates; 64 is the most.",
    "wrong.twice": "“{name}” is there twice.",
    "wrong.long": "“{name}” has more than 200 characters.",
    "wrong.seats": "A whole number from 1 to {most}.",
    "wrong.invited": "A whole number of people, from {fewest} to {most}. Of fewer nothing is ever "
    "shown, to protect those who vote.",
    "wrong.closes": "A time to come, at most ten years ahead.",
    "wrong.epsilon": "A number above 0 and up to 10, as in {example}.",
    "wrong.changes": "A whole number from 0 to 16.",
    "wrong.token": "Enter the operator's token.",
    "refused.token": "The poll was not made. The server does not know this token.",
    "refused.limit": "The poll was not made. Too many have come from your network; try again "
    "later.",
    "refused.other": "The poll was not made. The server says ({code}): {detail}",
    "refused.poll": "The server has made another poll than you asked for, so its key was thrown "
    "away. Do not use this server.",
    "unreached": "The server did not answer, so it is not certain whether the poll was made. If "
    "it was, nobody has its key, and it stays empty. Try again; what you wrote is still here.",
}

ORGANISER = {
    "for.you": "Only for you",
    "closes": "Open until {when}.",
    "closed.at": "Closed since {when}.",
    "deletes": "The server deletes all of it on {when}; archive it before.",
    "deletes.planned": "The server deletes all of it on {when}, if it closes as planned; archive "
    "it before.",
    "key.title": "Keep your link.",
    "key.text": "It is the only way back to this page, and whoever has it can close or delete the "
    "poll. Nobody can restore it. It is not in the address bar any more.",
    "key.copy": "Copy the organiser's link",
    "key.save": "Save it as a file",
    "key.keep": "Keep it on this device",
    "key.kept": "It is kept on this device: whoever uses this browser can open this page at "
    "{address}.",
    "key.forgotten": "This device has forgotten the link.",
    "no.key.title": "This page opens with your own link.",
    "no.key": "Open the organiser's link, with everything behind its #, or paste it here. It "
    "stays in your browser.",
    "no.key.label": "The organiser's link",
    "no.key.open": "Open it",
    "wrong.key.title": "This is not the key of this poll.",
    "wrong.key": "Nothing was changed. Open the link that you were shown when you made the poll.",
    "wrong.digest.title": "The server shows another poll than the one you made.",
    "wrong.digest": "Do not send its link to anybody. Ask whoever runs the server.",
    "no.poll.title": "There is no such poll.",
    "no.poll": "Open the organiser's link as you kept it.",
    "deleted.title": "This poll was deleted.",
    "deleted": "It was deleted on {day}, and nothing of it is left.",
    "unreached.title": "The poll cannot be loaded.",
    "unreached": "The server does not answer. Nothing was changed; your link stays good.",
    "turnout": "Turnout",
    "turnout.cast": "Votes cast",
    "turnout.standing": "Votes that count now",
    "turnout.changes": "Changed",
    "turnout.withdrawals": "Withdrawn",
    "turnout.erasures": "Erased",
    "turnout.issued": "Codes issued",
    "turnout.revoked": "Codes taken back",
    "turnout.now": "As of this moment, {when}. Everybody else sees the numbers of the last full "
    "hour.",
    "turnout.enough": "Enough have voted for a result.",
    "turnout.needed": "A result needs {turnout} votes: {missing} more than count now.",
    "turnout.missed": "A result needed {turnout} votes: {missing} more than were there to count.",
    "turnout.bar": "{standing} of {turnout} votes that a result needs",
    "hours": "Votes by the hour",
    "hours.step": "Votes by {step} hours",
    "hours.table": "Every hour in which somebody voted",
    "hours.you": "Only you see this, now and later.",
    "refresh": "Look again",
    "share": "Invite",
    "share.link": "The link of the ballot, the same for all. Whoever has it can vote.",
    "share.codes": "The link of the ballot. To vote, everybody also needs a code of their own, "
    "which you make below.",
    "share.copy": "Copy the ballot's link",
    "share.qr": "the ballot",
    "share.open": "Open the ballot",
    "codes": "Codes",
    "codes.how": "Codes are made in this browser. The server gets hashes, from which nobody can "
    "find them. They are shown now and never again, so the list is saved first.",
    "codes.count": "How many codes",
    "codes.names": "Or for whom, one name a line",
    "codes.names.how": "Each gets one code, and the number above may stay empty. The names go into "
    "your list and onto the sheet, and nowhere else.",
    "codes.make": "Make codes and save the list",
    "codes.wrong": "A whole number from 1 to {most}, or names.",
    "codes.both": "The number of codes is {number}, that of the names {names}. Names get one code "
    "each: empty the number, or the names.",
    "codes.sending": "Issuing codes: {sent} of {all}.",
    "codes.done": "Codes that are issued and in your list: {all}.",
    "codes.next": "Send each to its person, and the list to nobody. When you leave this page, the "
    "codes are gone from here.",
    "codes.print": "Print them as a sheet",
    "codes.printing": "Drawing the sheet: {sent} of {all}.",
    "codes.save": "Save the list again",
    "codes.unsent": "The list is saved, but not all codes are issued: the server did not take "
    "them ({code}). Nobody can vote with the others yet.",
    "codes.again": "Issue the rest",
    "codes.file": "codes",
    "revoke": "Take codes back",
    "revoke.says": "For codes that went to the wrong person or were lost. A code that was used "
    "stays: its vote counts.",
    "revoke.label": "The codes, one a line",
    "revoke.how": "Codes, their links, or lines of your list. They stay in this browser; the "
    "server gets hashes.",
    "revoke.button": "Take them back",
    "revoke.none": "Write at least one code.",
    "revoke.wrong": "There is no right code in line {line}.",
    "revoke.title": "Codes to be taken back: {number}. Go on?",
    "revoke.text": "Nobody can vote with them any more, and that is final. The public log says "
    "how many were asked for.",
    "revoke.yes": "Take them back for good",
    "revoke.no": "Leave them",
    "revoke.done": "Codes that were taken back: {number}.",
    "revoke.left": "Codes that were not, since they are used, were never issued here or are taken "
    "back already: {number}.",
    "sheet.how": "Scan it, or open the address and enter the code. It is good for one vote.",
    "sheet.code": "Your code",
    "closing": "Closing time",
    "closing.label": "New closing time",
    "closing.move": "Move it",
    "closing.moved": "The poll now closes at {when}.",
    "closing.earlier": "Close earlier?",
    "closing.earlier.text": "{when} is earlier than {before}, which voters were told.",
    "closing.earlier.yes": "Close earlier",
    "closing.earlier.no": "Leave it as it was",
    "closing.wrong": "A time to come, at most ten years ahead.",
    "close": "Close the poll now",
    "close.title": "Close this poll for good?",
    "close.text": "Votes cast so far: {standing}. Nobody can vote, change or withdraw any more, "
    "and it never opens again.",
    "close.few": "A result needs {turnout}. Close it now, and there will never be one.",
    "close.yes": "Close for good",
    "close.no": "Leave it open",
    "closed": "The poll is closed.",
    "result.see": "See the result",
    "result.few": "There is no result, to protect those who voted: it needs {turnout} votes, and "
    "{standing} stand.",
    "take": "Take along",
    "take.how": "The archive is one file with the poll, the board, the result, and a page to "
    "read: everything to count again without this server. Your browser counts the board before it "
    "saves it.",
    "take.archive": "Save the archive",
    "take.counting": "Counting again: {done} of {all}",
    "take.archived": "The archive is saved. The board was counted again here, and the scores are "
    "the published ones. Intervals and true places are the server's word, until hushvote verify "
    "computes them again.",
    "take.archived.few": "The archive is saved. It has neither board nor result, since too few "
    "have voted.",
    "take.unsound": "Nothing was saved: the board does not hold.",
    "take.unsound.how": "Save the board itself as evidence. Its page, beside the result, shows "
    "what is wrong with it.",
    "take.changed": "Nothing was saved: a report was erased just now. Save the archive again.",
    "take.manifest": "The poll (manifest.json)",
    "take.board": "The board (board.jsonl)",
    "take.result": "The result (result.json)",
    "take.csv": "All reports as CSV",
    "take.parquet": "All reports as Parquet",
    "take.later": "Once the poll is closed, its archive and all reports can be saved here.",
    "log": "Public log",
    "log.how": "Everybody can see what was done to the poll.",
    "log.opened": "Opened",
    "log.extended": "Closing time moved to {when}",
    "log.issued": "Codes issued: {codes}",
    "log.revoked": "Codes asked to be taken back: {asked}",
    "log.closed": "Closed",
    "log.other": "{event}",
    "delete": "Delete the poll",
    "delete.title": "Delete this poll with everything in it?",
    "delete.text": "All votes, the board and the result are deleted on this server, and cannot be "
    "restored. What others have saved stays with them.",
    "delete.word": "delete",
    "delete.label": "Type “{word}” to confirm",
    "delete.yes": "Delete for good",
    "delete.no": "Keep the poll",
    "failed": "This was not done. The server says ({code}): {detail}",
    "failed.unreached": "The server did not answer, so it is not certain whether this was done. "
    "Look again.",
}

ORGANISERS = {"home": HOME, "create": CREATE, "organiser": ORGANISER}
