"""English."""

DECIMAL, THOUSANDS = ".", ","


def form(number: int) -> int:
    """Which form of a noun goes with a number."""
    return 0 if number == 1 else 1


NOUNS = {
    "adversary": ("{number:,} adversary", "{number:,} adversaries"),
    "check": ("{number:,} check", "{number:,} checks"),
    "figure": ("{number:,} figure", "{number:,} figures"),
    "issued credential": ("{number:,} issued credential", "{number:,} issued credentials"),
    "report": ("{number:,} report", "{number:,} reports"),
    "seat": ("{number:,} seat", "{number:,} seats"),
    "vote": ("{number:,} vote", "{number:,} votes"),
    "voter": ("{number:,} voter", "{number:,} voters"),
}

FIGURES = {
    "percent": "{value:.6g} %",
    "percent.nearly_all": "more than 99.9999 %",
    "chance": "{value:.0f} %",
    "chance.fine": "{value:.1f} %",
    "chance.lowest": "< {value:g} %",
    "chance.highest": "> {value:g} %",
    "chance.unknown": "?",
    "places.one": "{place}",
    "places.two": "{best} or {worst}",
    "places.many": "{best} to {worst}",
    "points.one": "{value:.3g} point",
    "points.many": "{value:.3g} points",
    "end": "{value:,.0f}",
    "end.fine": "{value:,.1f}",
    "span": "{low} to {high}",
    "list.comma": ", ",
    "list.and": "{most} and {last}",
    "list.or": "{most} or {last}",
    "list.or_others": "{most} or {others} others",
    "protection.little": (
        "At epsilon {epsilon:g} whoever sees a report can multiply their odds about the vote by "
        "up to {odds:,}: that protects little."
    ),
}

TITLES = {
    "rule": "{name} over {d} candidates",
    "title": "{label}, {rule}, epsilon {epsilon:g}",
    "title.open": "{title}, still open",
    "title.distrusted": "{title}, not to be trusted",
    "title.doubted": "{title}, some reports not to be trusted",
    "label.size": "{name} (k = {k})",
}

REPORTS = {  # what a voter is shown of one report
    "group": "{{{members}}}",
    "group.before": "{better} before {worse}",
    "report.over": "{above} over {below}",
    "report.yes": "Do I put {above} over {below}? I say yes.",
    "report.no": "Do I put {above} over {below}? I say no.",
    "report.named": "I name {names}.",
    "report.marks.for": "I mark {names}; marks count for a candidate.",
    "report.marks.against": "I mark {names}; marks count against a candidate.",
    "report.nobody.for": "I mark nobody; marks count for a candidate.",
    "report.nobody.against": "I mark nobody; marks count against a candidate.",
    "report.scores": "My scores, blurred: {scores}.",
    "report.score": "{name} {score:.2f}",
}

PLAN = {  # before a poll
    "plan": (
        "With {voters} and a local epsilon of {epsilon} you can most likely ({power}) certify a "
        "lead of {lead}, where scores go from {low} to {high}."
    ),
    "plan.survey": (
        "With {voters} drawn at random and a local epsilon of {epsilon} you can most likely "
        "({power}) certify a lead of {lead} in the whole population, where scores go from {low} "
        "to {high}."
    ),
    "plan.seats": (
        "With {voters} and a local epsilon of {epsilon} you can most likely ({power}) certify who "
        "gets the {seats} seats, if whoever gets the last one is {lead} ahead of the next, where "
        "scores go from {low} to {high}."
    ),
    "plan.seats.survey": (
        "With {voters} drawn at random and a local epsilon of {epsilon} you can most likely "
        "({power}) certify to whom the whole population would give the {seats} seats, if whoever "
        "gets the last one is {lead} ahead of the next, where scores go from {low} to {high}."
    ),
    "plan.example": "Read it like this: {words}",
    "plan.title.lead": "a lead of {lead}",
    "plan.title.sample": "a random sample",
    "plan.dash.lead": (
        "–: with so few voters this epsilon certifies no lead, not even the largest that there can "
        "be; take a larger epsilon, or more voters (never below {least})."
    ),
    "plan.dash.epsilon": (
        "–: so few voters cannot certify that lead at any epsilon up to {most:g}; plan with a "
        "larger lead or more voters (never below {least})."
    ),
    "plan.lead": (
        "lead: how far the winner must be ahead of everybody else, in points of the mean score; "
        "the largest that there can be is {most}."
    ),
    "plan.lead.seats": (
        "lead: how far whoever gets the last seat must be ahead of the next, in points of the mean "
        "score; the largest that there can be is {most}."
    ),
    "plan.share": "share: the lead as a part of that largest one.",
    "plan.local": (
        "local epsilon: holds towards whoever sees a report come in, the operator included; the "
        "report multiplies their odds about the vote behind it by at most what “odds” says."
    ),
    "plan.crowd": (
        "crowd epsilon: holds towards whoever sees only the set of all reports, if at least "
        "{turnout:,} of them are honest, but for a chance of 1 in {chance:,}."
    ),
    "plan.crowd.each": (
        "crowd epsilon: holds towards whoever sees only the set of all reports, if as many honest "
        "ones come in as there are voters, but for a chance of 1 in {chance:,}."
    ),
    "plan.crowd.few": (
        "crowd epsilon: so few reports, at such an epsilon, are no crowd to speak of; towards "
        "whoever sees only the set of all of them, count on the local epsilon."
    ),
    "plan.crowd.traceable": (
        "crowd epsilon: nothing is gained among all reports, since those of {mechanism} show whose "
        "they are; the local epsilon holds."
    ),
}

SEATS = {  # who is elected
    "seats.sure": "Seats settled with {sure} confidence: all {seats}, for {names}.",
    "seats.open": (
        "Seats settled with {sure} confidence: {settled} of {seats}, for {names}. The rest may go "
        "to {rivals}."
    ),
    "seats.none": (
        "Seats settled with {sure} confidence: none of {seats}. They may go to {rivals}."
    ),
}

VARIANTS = {  # which reports are counted: "reports ..."
    "variant": "of kind {variant}",
    "variant.class": "of class {variant}",
    "variant.type": "of type {type} ({above} over {below})",
    "variant.yes": "of type {type} ({above} over {below}), answered yes",
    "variant.no": "of type {type} ({above} over {below}), answered no",
}

COUNTED = {  # what is counted of candidates: "Ann ...", "Ann and Bob ..."
    "counted": "counted",
    "counted.named": "named",
    "counted.both": "both named",
    "counted.plus": "over others",
    "counted.best": "over others, as one of the best",
    "counted.minus": "under others",
    "counted.worst": "under others, as one of the worst",
    "counted.sides": "on one side (above 0) or on opposite sides (below 0)",
    "counted.one_side": "on one side",
    "counted.opposite_sides": "on opposite sides",
}

RESULTS = {
    "win.sure": "{leader} has won: with {sure} confidence nobody else has as high a true score.",
    "win.open": (
        "Nobody has surely won: {leader} leads, but {rivals} may truly be ahead ({sure} "
        "confidence)."
    ),
    "win.open.tied": (
        "Nobody has surely won: {leader} ties for the lead, but {rivals} may truly be ahead "
        "({sure} confidence)."
    ),
    "win.open.chance": (
        "Nobody has surely won: {leader} leads, but {rivals} may truly be ahead ({sure} "
        "confidence). {leader} is truly first with probability {first}."
    ),
    "win.open.tied.chance": (
        "Nobody has surely won: {leader} ties for the lead, but {rivals} may truly be ahead "
        "({sure} confidence). {leader} is truly first with probability {first}."
    ),
    "distrusted.sure": (
        "These reports cannot be trusted, so no winner is announced; if they were honest, "
        "{leader} would have won with {sure} confidence."
    ),
    "distrusted.open": (
        "These reports cannot be trusted, so no winner is announced; even if they were honest, "
        "nobody would surely have won."
    ),
    "distrusted.withstood": (
        "Not all of these reports can be trusted: by what they show, at least about {fakes} were "
        "made up. {leader} has won all the same: that holds with up to {most:,} made up to do the "
        "most harm ({sure} confidence). Nothing is said of the other places."
    ),
    "needed": (
        "{leader} and {rival} are {gap} apart; if that is the true gap, about {reports:,} reports "
        "altogether would most likely tell."
    ),
    "needed.beyond": (
        "{leader} and {rival} are {gap} apart, but the true gap is at most {most}; even then it "
        "would take about {reports:,} reports altogether to tell."
    ),
    "needed.unknown": ("{leader} and {rival} are too close to say how many reports would tell."),
    "still_open": (
        "The poll is still open: {leader} leads so far. Nobody is certified before it closes, "
        "because whoever looks again and again finds a winner by chance."
    ),
    "too_few": (
        "Fewer than {least} reports are too few to tell any two candidates apart, or how likely "
        "anybody is to be first."
    ),
    "tied": "Exactly tied: {names}.",
    "basis": (
        "{reports}. Scores are estimated means of these voters; the intervals, and likewise the "
        "true places, hold for all candidates together with {sure} confidence."
    ),
    "basis.distrusted": (
        "{reports}. Scores are estimated means of these voters; the intervals, and likewise the "
        "true places, hold for all candidates together with {sure} confidence, if the reports are "
        "honest."
    ),
    "basis.open": (
        "{reports} so far. Scores are estimated means of these voters; the intervals hold for all "
        "candidates together with {sure} confidence, but for a single look only."
    ),
    "basis.survey.open": (
        "{reports} so far. Scores are estimated means of the population that these voters were "
        "drawn from at random; the intervals hold for all candidates together with {sure} "
        "confidence, but for a single look only."
    ),
    "basis.survey": (
        "{reports}. Scores are estimated means of the population that these voters were drawn from "
        "at random; the intervals, and likewise the true places, hold for all candidates together "
        "with {sure} confidence."
    ),
    "basis.survey.distrusted": (
        "{reports}. Scores are estimated means of the population that these voters were drawn from "
        "at random; the intervals, and likewise the true places, hold for all candidates together "
        "with {sure} confidence, if the reports are honest."
    ),
    "caveat.no_key": (
        "No key binds the questions to credentials, so a cheat can choose the question too: every "
        "dishonest report counts with the largest gap."
    ),
    "caveat.link": (
        "Whoever had the link could vote, and more than once with several devices or browsers: a "
        "link does not stop that, and the reports do not show it."
    ),
    "caveat.not_issued": (
        "Every dishonest report counts with the question that helps it most, since the number of "
        "issued credentials is not given."
    ),
}

ATTACKS = {  # what cheats may have done
    "attack.disguise": "made up to do the most harm",
    "attack.disguise-unbounded": "made up to do the most harm while looking like most honest ones",
    "attack.stuffing": "extra votes with the leader first and the rival last",
    "attack.amplification": "extra votes at random",
    "attack.corruption": "those of voters whom cheats chose to corrupt",
    "attack.theft": "held by cheats who could not choose them and used them all",
}

EFFECTS = {  # what that would have meant for a result, open or sure
    "effect.disguise.reports.open": (
        "If {asked:,} of the {whole:,} reports ({share:.2g} %) were made up to do the most harm, "
        "they could have moved the gap between two candidates by {moved}."
    ),
    "effect.disguise.reports.stands": (
        "If {asked:,} of the {whole:,} reports ({share:.2g} %) were made up to do the most harm, "
        "they could have moved the lead by {moved}, and the win would still hold; it holds with "
        "up to {most:,} such reports ({most_share})."
    ),
    "effect.disguise.reports.falls": (
        "If {asked:,} of the {whole:,} reports ({share:.2g} %) were made up to do the most harm, "
        "they could have moved the lead by {moved}, and the win would no longer be sure; it holds"
        " with up to {most:,} such reports ({most_share})."
    ),
    "effect.disguise-unbounded.reports.open": (
        "If {asked:,} of the {whole:,} reports ({share:.2g} %) were made up to do the most harm "
        "while looking like most honest ones, they could have moved the gap between two "
        "candidates by {moved}."
    ),
    "effect.disguise-unbounded.reports.stands": (
        "If {asked:,} of the {whole:,} reports ({share:.2g} %) were made up to do the most harm "
        "while looking like most honest ones, they could have moved the lead by {moved}, and the "
        "win would still hold; it holds with up to {most:,} such reports ({most_share})."
    ),
    "effect.disguise-unbounded.reports.falls": (
        "If {asked:,} of the {whole:,} reports ({share:.2g} %) were made up to do the most harm "
        "while looking like most honest ones, they could have moved the lead by {moved}, and the "
        "win would no longer be sure; it holds with up to {most:,} such reports ({most_share})."
    ),
    "effect.stuffing.reports.open": (
        "If {asked:,} of the {whole:,} reports ({share:.2g} %) were extra votes with the leader "
        "first and the rival last, they could have moved the gap between two candidates by "
        "{moved}."
    ),
    "effect.stuffing.reports.stands": (
        "If {asked:,} of the {whole:,} reports ({share:.2g} %) were extra votes with the leader "
        "first and the rival last, they could have moved the lead by {moved}, and the win would "
        "still hold; it holds with up to {most:,} such reports ({most_share})."
    ),
    "effect.stuffing.reports.falls": (
        "If {asked:,} of the {whole:,} reports ({share:.2g} %) were extra votes with the leader "
        "first and the rival last, they could have moved the lead by {moved}, and the win would "
        "no longer be sure; it holds with up to {most:,} such reports ({most_share})."
    ),
    "effect.amplification.reports.open": (
        "If {asked:,} of the {whole:,} reports ({share:.2g} %) were extra votes at random, they "
        "could have moved the gap between two candidates by {moved}."
    ),
    "effect.amplification.reports.stands": (
        "If {asked:,} of the {whole:,} reports ({share:.2g} %) were extra votes at random, they "
        "could have moved the lead by {moved}, and the win would still hold; it holds with up to "
        "{most:,} such reports ({most_share})."
    ),
    "effect.amplification.reports.falls": (
        "If {asked:,} of the {whole:,} reports ({share:.2g} %) were extra votes at random, they "
        "could have moved the lead by {moved}, and the win would no longer be sure; it holds with"
        " up to {most:,} such reports ({most_share})."
    ),
    "effect.corruption.reports.open": (
        "If {asked:,} of the {whole:,} reports ({share:.2g} %) were those of voters whom cheats "
        "chose to corrupt, they could have moved the gap between two candidates by {moved}."
    ),
    "effect.corruption.reports.stands": (
        "If {asked:,} of the {whole:,} reports ({share:.2g} %) were those of voters whom cheats "
        "chose to corrupt, they could have moved the lead by {moved}, and the win would still "
        "hold; it holds with up to {most:,} such reports ({most_share})."
    ),
    "effect.corruption.reports.falls": (
        "If {asked:,} of the {whole:,} reports ({share:.2g} %) were those of voters whom cheats "
        "chose to corrupt, they could have moved the lead by {moved}, and the win would no longer"
        " be sure; it holds with up to {most:,} such reports ({most_share})."
    ),
    "effect.corruption.credentials.open": (
        "If {asked:,} of the {whole:,} issued credentials ({share:.2g} %) were those of voters "
        "whom cheats chose to corrupt, they could have moved the gap between two candidates by "
        "{moved}."
    ),
    "effect.corruption.credentials.stands": (
        "If {asked:,} of the {whole:,} issued credentials ({share:.2g} %) were those of voters "
        "whom cheats chose to corrupt, they could have moved the lead by {moved}, and the win "
        "would still hold; it holds with up to {most:,} such credentials ({most_share})."
    ),
    "effect.corruption.credentials.falls": (
        "If {asked:,} of the {whole:,} issued credentials ({share:.2g} %) were those of voters "
        "whom cheats chose to corrupt, they could have moved the lead by {moved}, and the win "
        "would no longer be sure; it holds with up to {most:,} such credentials ({most_share})."
    ),
    "effect.theft.credentials.open": (
        "If {asked:,} of the {whole:,} issued credentials ({share:.2g} %) were held by cheats who"
        " could not choose them and used them all, they could have moved the gap between two "
        "candidates by {moved}."
    ),
    "effect.theft.credentials.stands": (
        "If {asked:,} of the {whole:,} issued credentials ({share:.2g} %) were held by cheats who"
        " could not choose them and used them all, they could have moved the lead by {moved}, and"
        " the win would still hold; it holds with up to {most:,} such credentials ({most_share})."
    ),
    "effect.theft.credentials.falls": (
        "If {asked:,} of the {whole:,} issued credentials ({share:.2g} %) were held by cheats who"
        " could not choose them and used them all, they could have moved the lead by {moved}, and"
        " the win would no longer be sure; it holds with up to {most:,} such credentials "
        "({most_share})."
    ),
}

CHECKS = {  # what honest devices keep to, and what was found instead
    "check.types": "types of question, classes and answers come as often as a public lottery says",
    "check.candidates": "no candidate is named more or less often than any votes could make it",
    "check.pairs": "no pair of candidates is named more or less often than any votes could make it",
    "check.scores": "no group of candidates has more points than its members could have been given",
    "check.reports": "no single report comes more or less often than any votes could make it",
    "check.cycles": "preferences do not run in circles more than any votes could make them",
    "candidate": "candidate {number}",
    "pair.and": "{one} and {other}",
    "pair.over": "{one} over {other}",
    "found.all.times": "Reports: {found:,.0f} times, where honest devices average {ends}.",
    "found.all.weight": "Reports: a weight of {found:,}, where honest devices average {ends}.",
    "found.variant.times": (
        "Reports {variant}: {found:,.0f} times, where honest devices average {ends}."
    ),
    "found.variant.weight": (
        "Reports {variant}: a weight of {found:,}, where honest devices average {ends}."
    ),
    "found.of.times": (
        "{who} {counted} in reports: {found:,.0f} times, where honest devices average {ends}."
    ),
    "found.of.weight": (
        "{who} {counted} in reports: a weight of {found:,}, where honest devices average {ends}."
    ),
    "found.of.variant.times": (
        "{who} {counted} in reports {variant}: {found:,.0f} times, where honest devices average "
        "{ends}."
    ),
    "found.of.variant.weight": (
        "{who} {counted} in reports {variant}: a weight of {found:,}, where honest devices "
        "average {ends}."
    ),
    "found.scores": (
        "{names}: {points:.3f} points per voter by the estimate, where no votes can give more than "
        "{most:.3f}."
    ),
    "found.report": "“{report}” was sent {times:,} times, where honest devices average {ends}.",
    "found.cycle": (
        "{one} over {two} over {three} over {one}: {found:,.0f} reports, where honest devices "
        "average {ends}."
    ),
    "inspection.passed.one": (
        "Nothing about this one report rules out honest devices (p = {p:.3g} over {checks}). That"
        " proves no honesty: what an honest voter could have sent cannot be told apart."
    ),
    "inspection.passed.many": (
        "Nothing about these {n:,} reports rules out honest devices (p = {p:.3g} over {checks}). "
        "That proves no honesty: what an honest voter could have sent cannot be told apart."
    ),
    "inspection.suspicious.one": (
        "Honest devices, each of which reports once, would send this one report with a chance of "
        "at most {p:.1g}: most likely some of them were made up, or sent more than once."
    ),
    "inspection.suspicious.many": (
        "Honest devices, each of which reports once, would send these {n:,} reports with a chance"
        " of at most {p:.1g}: most likely some of them were made up, or sent more than once."
    ),
}

BOARD = {  # what `hushvote verify` has checked, as it should be
    "verify.digest": "The manifest is that of the given digest.",
    "verify.signature": "The server that the manifest names has signed the header.",
    "verify.order": "The lines are sorted by receipt, and no receipt stands twice.",
    "verify.reports": "Every line holds a report that the poll's mechanism can send.",
    "verify.tree": "The lines make the tree whose root is signed.",
    "verify.numbers": "As many reports stand as were cast and neither withdrawn nor erased.",
    "verify.turnout": "At least as many reports stand as the manifest asks for.",
    "verify.spent": (
        "Every change and every withdrawal has spent a receipt by its secret, and none of these "
        "stands."
    ),
    "verify.changes": "There are no more changes than the manifest allows.",
    "verify.codes": (
        "Every cast has used a question of its own, from a code that was issued and not revoked."
    ),
    "verify.link": "No codes are named, since the poll is open to whoever has the link.",
    "verify.questions": "Every report answers its own question, and no question is answered twice.",
    "verify.tally": "The tally is that of the lines.",
    "verify.result": "The result is that of the tally.",
    "unchecked.digest": (
        "Whether this is the poll that you mean: its digest is {digest}. Compare it with the link, "
        "or give it as --digest."
    ),
    "unchecked.copies": (
        "Whether everybody is shown the same board: its root is {root}. Compare it with others."
    ),
    "unchecked.voters": "Whether those who used the codes are those to whom they were meant.",
    "unchecked.link": "Whether somebody has cast more than one report: by a link anybody can.",
    "unchecked.omissions": (
        "Whether a report was left out that the server has acknowledged: only voters who give "
        "their acknowledgements (--ack) can tell."
    ),
    "unchecked.log": "Whether the times and events of the log are true.",
    "ack.standing": "{name}: the acknowledged report stands on the board.",
    "ack.spent": "{name}: the acknowledged report was changed or withdrawn by its secret.",
    "ack.erased": "{name}: the acknowledged report was erased; its leaf is left.",
    "ack.withdrawn": "{name}: the withdrawn report is gone.",
    "ack.altered": "{name} proves an alteration: another report stands under its receipt.",
    "ack.kept": "{name} proves an omission: the report was withdrawn, but stands on the board.",
    "ack.missing": "{name} proves an omission: the server took this request, but it is not here.",
    "verified.all": "All of this holds.",
    "verified.not": "Not all of this holds: this board is not to be trusted.",
    "verified.line": "{sentence} Not so in line {line}.",
    "verified.otherwise": "{sentence} Not so.",
}

PICTURES = {
    "picture.trade_off": "{rule}, epsilon {epsilon:g}",
    "picture.trade_off.cap": "{name} under a cap",
    "picture.trade_off.x": "shift of two candidates by one fake report (points)",
    "picture.trade_off.y": "error of one report (MSE)",
    "picture.result": "{title}, {reports}",
    "picture.result.place": "place {places}",
    "picture.result.certified": "place {places}, certified",
    "picture.result.x": "mean score of these voters, with intervals that hold together at {sure}",
    "picture.result.x.survey": (
        "mean score of the population, with intervals that hold together at {sure}"
    ),
    "picture.plan": "The lead that can be certified: {title}",
    "picture.plan.epsilon": "epsilon {epsilon:g}",
    "picture.plan.most": "the largest lead that there can be",
    "picture.plan.x": "voters",
    "picture.plan.y": "lead (points of the mean score)",
    "picture.simulation": "{rule}, {voters}",
    "picture.epsilon": "epsilon (more privacy on the left)",
    "metric.mse": "mean squared error",
    "metric.tve": "total variation error",
    "metric.mae": "largest error of a score",
    "metric.aow": "right winner (share of polls)",
    "metric.low": "points lost, mean over polls",
    "metric.em": "mean size of a report",
}

REFUSALS = {  # why a voter's device does not vote, by the code of the refusal or by its kind
    "": "Something is wrong here, and nothing was sent ({code}).",
    "poll": "This poll's description is damaged or forged, so nothing was sent ({code}).",
    "poll.digest": "This is not the poll that your link names, so nothing was sent.",
    "poll.version": "This poll needs another version of hushvote.",
    "name": "A name in this poll cannot be shown as it should be ({code}).",
    "rule": "The voting rule of this poll is damaged or forged ({code}).",
    "parameters": "The numbers that this poll draws with are damaged or forged ({code}).",
    "parameters.epsilon": "This poll states an epsilon that is no protection, or none at all.",
    "parameters.odds": "This poll would give away more about your vote than it says.",
    "parameters.cost": "This poll asks for more work than a device should do.",
    "parameters.mechanism": "This poll draws in a way that this device does not know.",
    "question": "The questions of this poll are damaged or forged ({code}).",
    "question.hash": "Your invite code gives no question; take it as it was sent to you.",
    "question.missing": "This poll needs your invite code.",
    "question.needless": "This poll asks no question of your own.",
    "ranking": "This is no ranking of the candidates ({code}).",
    "ranking.length": "Not all candidates are ranked that must be.",
    "report": "This is no report of this poll ({code}).",
    "credential": "This is no credential, or a damaged one: take the file as it was saved.",
    "ack": "The answer is no acknowledgement of what was sent ({code}): keep it, and ask why.",
    "code.form": "A code has 21 digits and letters; some are missing, or too many.",
    "code.check": "This code has a wrong character, or two that are swapped.",
    "state.poll": "What is kept here belongs to another poll.",
    "state.spent": "You have seen as many reports as this poll allows; choose one of them.",
    "state.changes": "You have changed your vote as often as this poll allows.",
    "state.unanswered": "What was sent last is not acknowledged yet: send it again first.",
    "state.unasked": "Nothing was sent that could be acknowledged.",
    "state.uncast": "There is no vote to withdraw yet.",
    "state.withdrawn": "Your vote is withdrawn, and that is final.",
}

MESSAGES: dict[str, str] = {
    **FIGURES,
    **TITLES,
    **REPORTS,
    **PLAN,
    **SEATS,
    **VARIANTS,
    **COUNTED,
    **RESULTS,
    **ATTACKS,
    **EFFECTS,
    **CHECKS,
    **PICTURES,
    **BOARD,
}
