"""What cheats may have done, what it would mean, and what was found of it."""

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
        "that could have moved the gap between two candidates by {moved}."
    ),
    "effect.disguise.reports.stands": (
        "If {asked:,} of the {whole:,} reports ({share:.2g} %) were made up to do the most harm, "
        "that could have moved the lead by {moved}, and the win would still hold; it holds with "
        "up to {most} ({most_share})."
    ),
    "effect.disguise.reports.falls": (
        "If {asked:,} of the {whole:,} reports ({share:.2g} %) were made up to do the most harm, "
        "that could have moved the lead by {moved}, and the win would no longer be sure; it holds"
        " with up to {most} ({most_share})."
    ),
    "effect.disguise-unbounded.reports.open": (
        "If {asked:,} of the {whole:,} reports ({share:.2g} %) were made up to do the most harm "
        "while looking like most honest ones, that could have moved the gap between two "
        "candidates by {moved}."
    ),
    "effect.disguise-unbounded.reports.stands": (
        "If {asked:,} of the {whole:,} reports ({share:.2g} %) were made up to do the most harm "
        "while looking like most honest ones, that could have moved the lead by {moved}, and the "
        "win would still hold; it holds with up to {most} ({most_share})."
    ),
    "effect.disguise-unbounded.reports.falls": (
        "If {asked:,} of the {whole:,} reports ({share:.2g} %) were made up to do the most harm "
        "while looking like most honest ones, that could have moved the lead by {moved}, and the "
        "win would no longer be sure; it holds with up to {most} ({most_share})."
    ),
    "effect.stuffing.reports.open": (
        "If {asked:,} of the {whole:,} reports ({share:.2g} %) were extra votes with the leader "
        "first and the rival last, that could have moved the gap between two candidates by "
        "{moved}."
    ),
    "effect.stuffing.reports.stands": (
        "If {asked:,} of the {whole:,} reports ({share:.2g} %) were extra votes with the leader "
        "first and the rival last, that could have moved the lead by {moved}, and the win would "
        "still hold; it holds with up to {most} ({most_share})."
    ),
    "effect.stuffing.reports.falls": (
        "If {asked:,} of the {whole:,} reports ({share:.2g} %) were extra votes with the leader "
        "first and the rival last, that could have moved the lead by {moved}, and the win would "
        "no longer be sure; it holds with up to {most} ({most_share})."
    ),
    "effect.amplification.reports.open": (
        "If {asked:,} of the {whole:,} reports ({share:.2g} %) were extra votes at random, they "
        "could have moved the gap between two candidates by {moved}."
    ),
    "effect.amplification.reports.stands": (
        "If {asked:,} of the {whole:,} reports ({share:.2g} %) were extra votes at random, they "
        "could have moved the lead by {moved}, and the win would still hold; it holds with up to "
        "{most} ({most_share})."
    ),
    "effect.amplification.reports.falls": (
        "If {asked:,} of the {whole:,} reports ({share:.2g} %) were extra votes at random, they "
        "could have moved the lead by {moved}, and the win would no longer be sure; it holds with"
        " up to {most} ({most_share})."
    ),
    "effect.corruption.reports.open": (
        "If {asked:,} of the {whole:,} reports ({share:.2g} %) were those of voters whom cheats "
        "chose to corrupt, that could have moved the gap between two candidates by {moved}."
    ),
    "effect.corruption.reports.stands": (
        "If {asked:,} of the {whole:,} reports ({share:.2g} %) were those of voters whom cheats "
        "chose to corrupt, that could have moved the lead by {moved}, and the win would still "
        "hold; it holds with up to {most} ({most_share})."
    ),
    "effect.corruption.reports.falls": (
        "If {asked:,} of the {whole:,} reports ({share:.2g} %) were those of voters whom cheats "
        "chose to corrupt, that could have moved the lead by {moved}, and the win would no longer"
        " be sure; it holds with up to {most} ({most_share})."
    ),
    "effect.corruption.credentials.open": (
        "If {asked:,} of the {whole:,} issued credentials ({share:.2g} %) were those of voters "
        "whom cheats chose to corrupt, that could have moved the gap between two candidates by "
        "{moved}."
    ),
    "effect.corruption.credentials.stands": (
        "If {asked:,} of the {whole:,} issued credentials ({share:.2g} %) were those of voters "
        "whom cheats chose to corrupt, that could have moved the lead by {moved}, and the win "
        "would still hold; it holds with up to {most} ({most_share})."
    ),
    "effect.corruption.credentials.falls": (
        "If {asked:,} of the {whole:,} issued credentials ({share:.2g} %) were those of voters "
        "whom cheats chose to corrupt, that could have moved the lead by {moved}, and the win "
        "would no longer be sure; it holds with up to {most} ({most_share})."
    ),
    "effect.theft.credentials.open": (
        "If {asked:,} of the {whole:,} issued credentials ({share:.2g} %) were held by cheats who"
        " could not choose them and used them all, that could have moved the gap between two "
        "candidates by {moved}."
    ),
    "effect.theft.credentials.stands": (
        "If {asked:,} of the {whole:,} issued credentials ({share:.2g} %) were held by cheats who"
        " could not choose them and used them all, that could have moved the lead by {moved}, and"
        " the win would still hold; it holds with up to {most} ({most_share})."
    ),
    "effect.theft.credentials.falls": (
        "If {asked:,} of the {whole:,} issued credentials ({share:.2g} %) were held by cheats who"
        " could not choose them and used them all, that could have moved the lead by {moved}, and"
        " the win would no longer be sure; it holds with up to {most} "
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
    "check.types.name": "types",
    "check.candidates.name": "candidates",
    "check.pairs.name": "pairs",
    "check.scores.name": "scores",
    "check.reports.name": "reports",
    "check.cycles.name": "cycles",
    "checks": "Could honest devices have sent this?",
    "checks.check": "check",
    "checks.p": "p",
    "checks.p.figure": "{p:.2g}",
    "checks.meaning": "what honest devices keep to",
    "checks.sums": "Only sums were inspected; --inspect looks at single reports, too.",
    "checks.sums.tally": (
        "Only sums were inspected, no single reports: a tally (.json) does not hold them."
    ),
    "checks.sums.many": (
        "Only sums were inspected, no single reports: there are more than {most:,}."
    ),
    "candidate": "candidate {number}",
    "pair.and": "{one} and {other}",
    "pair.over": "{one} over {other}",
    "found.all.times": "Reports: {found}, where honest devices average {ends}.",
    "found.all.weight": "Reports: a weight of {found:,}, where honest devices average {ends}.",
    "found.variant.times": ("Reports {variant}: {found}, where honest devices average {ends}."),
    "found.variant.weight": (
        "Reports {variant}: a weight of {found:,}, where honest devices average {ends}."
    ),
    "found.of.times": ("{who} {counted} in reports: {found}, where honest devices average {ends}."),
    "found.of.weight": (
        "{who} {counted} in reports: a weight of {found:,}, where honest devices average {ends}."
    ),
    "found.of.variant.times": (
        "{who} {counted} in reports {variant}: {found}, where honest devices average {ends}."
    ),
    "found.of.variant.weight": (
        "{who} {counted} in reports {variant}: a weight of {found:,}, where honest devices "
        "average {ends}."
    ),
    "found.scores": (
        "{names}: {points:.3f} points per voter by the estimate, where no votes can give more than "
        "{most:.3f}."
    ),
    "found.report": "“{report}” was sent {times}, where honest devices average {ends}.",
    "found.cycle": (
        "{one} over {two} over {three} over {one}: {found}, where honest devices average {ends}."
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
