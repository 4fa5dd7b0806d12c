"""What a result means, and the words of its table."""

TABLE = {
    "table.place": "place",
    "table.candidate": "candidate",
    "table.score": "score",
    "table.error": "error",
    "table.interval": "{sure} interval",
    "table.true_place": "true place",
    "table.first": "truly first",
    "table.figure": "{value:.4f}",
    "table.ends": "{low:.4f} to {high:.4f}",
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
