"""What is said before a poll."""

PLAN = {  # before a poll
    "plan": (
        "With {voters} and a local epsilon of {epsilon:g} you can most likely ({power}) certify a "
        "lead of {lead}, where scores go from {low:g} to {high:g}."
    ),
    "plan.survey": (
        "With {voters} drawn at random and a local epsilon of {epsilon:g} you can most likely "
        "({power}) certify a lead of {lead} in the whole population, where scores go from {low:g} "
        "to {high:g}."
    ),
    "plan.seats": (
        "With {voters} and a local epsilon of {epsilon:g} you can most likely ({power}) certify "
        "who gets the {seats} seats, if whoever gets the last one is {lead} ahead of the next, "
        "where scores go from {low:g} to {high:g}."
    ),
    "plan.seats.survey": (
        "With {voters} drawn at random and a local epsilon of {epsilon:g} you can most likely "
        "({power}) certify to whom the whole population would give the {seats} seats, if whoever "
        "gets the last one is {lead} ahead of the next, where scores go from {low:g} to {high:g}."
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
