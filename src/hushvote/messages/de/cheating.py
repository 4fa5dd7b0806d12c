"""What cheats may have done, what it would mean, and what was found of it."""

VARIANTS = {  # which reports are counted: "Meldungen ..."
    "variant": "der Art {variant}",
    "variant.class": "der Klasse {variant}",
    "variant.type": "vom Typ {type} ({above} über {below})",
    "variant.yes": "vom Typ {type} ({above} über {below}), mit Ja beantwortet",
    "variant.no": "vom Typ {type} ({above} über {below}), mit Nein beantwortet",
}

COUNTED = {  # what is counted of candidates: "Ann ...", "Ann und Bob ..."
    "counted": "gezählt",
    "counted.named": "genannt",
    "counted.both": "beide genannt",
    "counted.plus": "oberhalb anderer",
    "counted.best": "oberhalb anderer, unter den Besten",
    "counted.minus": "unterhalb anderer",
    "counted.worst": "unterhalb anderer, unter den Schlechtesten",
    "counted.sides": "auf derselben Seite (über 0) oder auf verschiedenen Seiten (unter 0)",
    "counted.one_side": "auf derselben Seite",
    "counted.opposite_sides": "auf verschiedenen Seiten",
}

ATTACKS = {  # what cheats may have done
    "attack.disguise": "erfunden, um größtmöglichen Schaden anzurichten",
    "attack.disguise-unbounded": (
        "erfunden, um größtmöglichen Schaden anzurichten und doch wie die meisten ehrlichen "
        "auszusehen"
    ),
    "attack.stuffing": (
        "aus zusätzlichen Stimmen, die den führenden Namen an die erste und den konkurrierenden an"
        " die letzte Stelle setzen"
    ),
    "attack.amplification": "aus zusätzlichen zufälligen Stimmen",
    "attack.corruption": "von Wählenden, die gezielt ausgesucht und korrumpiert wurden",
    "attack.theft": (
        "in betrügerischen Händen, die sie nicht aussuchen konnten und alle benutzt haben"
    ),
}

EFFECTS = {  # what that would have meant for a result, open or sure
    "effect.disguise.reports.open": (
        "Mit {asked:,} von {whole:,} Meldungen ({share:.2g} %), erfunden, um größtmöglichen "
        "Schaden anzurichten, hätte sich der Abstand zwischen zwei Kandidaten um {moved} "
        "verschieben lassen."
    ),
    "effect.disguise.reports.stands": (
        "Mit {asked:,} von {whole:,} Meldungen ({share:.2g} %), erfunden, um größtmöglichen "
        "Schaden anzurichten, hätte sich der Vorsprung um {moved} verschieben lassen, und der Sieg"
        " bliebe sicher; sicher ist er bis zu dieser Zahl solcher Meldungen: {most} "
        "({most_share})."
    ),
    "effect.disguise.reports.falls": (
        "Mit {asked:,} von {whole:,} Meldungen ({share:.2g} %), erfunden, um größtmöglichen "
        "Schaden anzurichten, hätte sich der Vorsprung um {moved} verschieben lassen, und der Sieg"
        " wäre nicht mehr sicher; sicher ist er bis zu dieser Zahl solcher Meldungen: {most} "
        "({most_share})."
    ),
    "effect.disguise-unbounded.reports.open": (
        "Mit {asked:,} von {whole:,} Meldungen ({share:.2g} %), erfunden, um größtmöglichen "
        "Schaden anzurichten und doch wie die meisten ehrlichen auszusehen, hätte sich der Abstand"
        " zwischen zwei Kandidaten um {moved} verschieben lassen."
    ),
    "effect.disguise-unbounded.reports.stands": (
        "Mit {asked:,} von {whole:,} Meldungen ({share:.2g} %), erfunden, um größtmöglichen "
        "Schaden anzurichten und doch wie die meisten ehrlichen auszusehen, hätte sich der "
        "Vorsprung um {moved} verschieben lassen, und der Sieg bliebe sicher; sicher ist er bis zu"
        " dieser Zahl solcher Meldungen: {most} ({most_share})."
    ),
    "effect.disguise-unbounded.reports.falls": (
        "Mit {asked:,} von {whole:,} Meldungen ({share:.2g} %), erfunden, um größtmöglichen "
        "Schaden anzurichten und doch wie die meisten ehrlichen auszusehen, hätte sich der "
        "Vorsprung um {moved} verschieben lassen, und der Sieg wäre nicht mehr sicher; sicher ist "
        "er bis zu dieser Zahl solcher Meldungen: {most} ({most_share})."
    ),
    "effect.stuffing.reports.open": (
        "Mit {asked:,} von {whole:,} Meldungen ({share:.2g} %) aus zusätzlichen Stimmen, die "
        "den führenden Namen an die erste und den konkurrierenden an die letzte Stelle setzen, "
        "hätte sich der Abstand zwischen zwei Kandidaten um {moved} verschieben lassen."
    ),
    "effect.stuffing.reports.stands": (
        "Mit {asked:,} von {whole:,} Meldungen ({share:.2g} %) aus zusätzlichen Stimmen, die "
        "den führenden Namen an die erste und den konkurrierenden an die letzte Stelle setzen, "
        "hätte sich der Vorsprung um {moved} verschieben lassen, und der Sieg bliebe sicher; "
        "sicher ist er bis zu dieser Zahl solcher Meldungen: {most} ({most_share})."
    ),
    "effect.stuffing.reports.falls": (
        "Mit {asked:,} von {whole:,} Meldungen ({share:.2g} %) aus zusätzlichen Stimmen, die "
        "den führenden Namen an die erste und den konkurrierenden an die letzte Stelle setzen, "
        "hätte sich der Vorsprung um {moved} verschieben lassen, und der Sieg wäre nicht mehr "
        "sicher; sicher ist er bis zu dieser Zahl solcher Meldungen: {most} ({most_share})."
    ),
    "effect.amplification.reports.open": (
        "Mit {asked:,} von {whole:,} Meldungen ({share:.2g} %) aus zusätzlichen zufälligen "
        "Stimmen hätte sich der Abstand zwischen zwei Kandidaten um {moved} verschieben lassen."
    ),
    "effect.amplification.reports.stands": (
        "Mit {asked:,} von {whole:,} Meldungen ({share:.2g} %) aus zusätzlichen zufälligen "
        "Stimmen hätte sich der Vorsprung um {moved} verschieben lassen, und der Sieg bliebe "
        "sicher; sicher ist er bis zu dieser Zahl solcher Meldungen: {most} ({most_share})."
    ),
    "effect.amplification.reports.falls": (
        "Mit {asked:,} von {whole:,} Meldungen ({share:.2g} %) aus zusätzlichen zufälligen "
        "Stimmen hätte sich der Vorsprung um {moved} verschieben lassen, und der Sieg wäre nicht "
        "mehr sicher; sicher ist er bis zu dieser Zahl solcher Meldungen: {most} ({most_share})."
    ),
    "effect.corruption.reports.open": (
        "Mit {asked:,} von {whole:,} Meldungen ({share:.2g} %) von Wählenden, die gezielt "
        "ausgesucht und korrumpiert wurden, hätte sich der Abstand zwischen zwei Kandidaten um "
        "{moved} verschieben lassen."
    ),
    "effect.corruption.reports.stands": (
        "Mit {asked:,} von {whole:,} Meldungen ({share:.2g} %) von Wählenden, die gezielt "
        "ausgesucht und korrumpiert wurden, hätte sich der Vorsprung um {moved} verschieben "
        "lassen, und der Sieg bliebe sicher; sicher ist er bis zu dieser Zahl solcher Meldungen: "
        "{most} ({most_share})."
    ),
    "effect.corruption.reports.falls": (
        "Mit {asked:,} von {whole:,} Meldungen ({share:.2g} %) von Wählenden, die gezielt "
        "ausgesucht und korrumpiert wurden, hätte sich der Vorsprung um {moved} verschieben "
        "lassen, und der Sieg wäre nicht mehr sicher; sicher ist er bis zu dieser Zahl solcher "
        "Meldungen: {most} ({most_share})."
    ),
    "effect.corruption.credentials.open": (
        "Mit {asked:,} von {whole:,} ausgegebenen Berechtigungen ({share:.2g} %) von "
        "Wählenden, die gezielt ausgesucht und korrumpiert wurden, hätte sich der Abstand zwischen"
        " zwei Kandidaten um {moved} verschieben lassen."
    ),
    "effect.corruption.credentials.stands": (
        "Mit {asked:,} von {whole:,} ausgegebenen Berechtigungen ({share:.2g} %) von "
        "Wählenden, die gezielt ausgesucht und korrumpiert wurden, hätte sich der Vorsprung um "
        "{moved} verschieben lassen, und der Sieg bliebe sicher; sicher ist er bis zu dieser Zahl "
        "solcher Berechtigungen: {most} ({most_share})."
    ),
    "effect.corruption.credentials.falls": (
        "Mit {asked:,} von {whole:,} ausgegebenen Berechtigungen ({share:.2g} %) von "
        "Wählenden, die gezielt ausgesucht und korrumpiert wurden, hätte sich der Vorsprung um "
        "{moved} verschieben lassen, und der Sieg wäre nicht mehr sicher; sicher ist er bis zu "
        "dieser Zahl solcher Berechtigungen: {most} ({most_share})."
    ),
    "effect.theft.credentials.open": (
        "Mit {asked:,} von {whole:,} ausgegebenen Berechtigungen ({share:.2g} %) in "
        "betrügerischen Händen, die sie nicht aussuchen konnten und alle benutzt haben, hätte sich"
        " der Abstand zwischen zwei Kandidaten um {moved} verschieben lassen."
    ),
    "effect.theft.credentials.stands": (
        "Mit {asked:,} von {whole:,} ausgegebenen Berechtigungen ({share:.2g} %) in "
        "betrügerischen Händen, die sie nicht aussuchen konnten und alle benutzt haben, hätte sich"
        " der Vorsprung um {moved} verschieben lassen, und der Sieg bliebe sicher; sicher ist er "
        "bis zu dieser Zahl solcher Berechtigungen: {most} ({most_share})."
    ),
    "effect.theft.credentials.falls": (
        "Mit {asked:,} von {whole:,} ausgegebenen Berechtigungen ({share:.2g} %) in "
        "betrügerischen Händen, die sie nicht aussuchen konnten und alle benutzt haben, hätte sich"
        " der Vorsprung um {moved} verschieben lassen, und der Sieg wäre nicht mehr sicher; sicher"
        " ist er bis zu dieser Zahl solcher Berechtigungen: {most} ({most_share})."
    ),
}

CHECKS = {  # what honest devices keep to, and what was found instead
    "check.types": (
        "Fragetypen, Klassen und Antworten kommen so oft vor, wie eine öffentliche Auslosung es "
        "vorgibt"
    ),
    "check.candidates": (
        "kein Name wird öfter oder seltener genannt, als irgendwelche Stimmen es bewirken könnten"
    ),
    "check.pairs": (
        "kein Paar von Namen wird öfter oder seltener genannt, als irgendwelche Stimmen es "
        "bewirken könnten"
    ),
    "check.scores": (
        "keine Gruppe von Kandidaten hat mehr Punkte, als ihre Mitglieder bekommen haben können"
    ),
    "check.reports": (
        "keine einzelne Meldung kommt öfter oder seltener vor, als irgendwelche Stimmen es "
        "bewirken könnten"
    ),
    "check.cycles": (
        "Vorlieben laufen nicht öfter im Kreis, als irgendwelche Stimmen es bewirken könnten"
    ),
    "check.types.name": "Typen",
    "check.candidates.name": "Namen",
    "check.pairs.name": "Paare",
    "check.scores.name": "Punkte",
    "check.reports.name": "Meldungen",
    "check.cycles.name": "Kreise",
    "checks": "Könnten ehrliche Geräte das gesendet haben?",
    "checks.check": "Prüfung",
    "checks.p": "p",
    "checks.p.figure": "{p:.2g}",
    "checks.meaning": "woran sich ehrliche Geräte halten",
    "checks.sums": "Nur Summen wurden geprüft; --inspect prüft auch einzelne Meldungen.",
    "checks.sums.tally": (
        "Nur Summen wurden geprüft, keine einzelnen Meldungen: Eine Auszählung (.json) enthält "
        "diese nicht."
    ),
    "checks.sums.many": (
        "Nur Summen wurden geprüft, keine einzelnen Meldungen: Es sind mehr als {most:,}."
    ),
    "candidate": "Nr.\u00a0{number}",
    "pair.and": "{one} und {other}",
    "pair.over": "{one} über {other}",
    "found.all.times": "Meldungen: {found}; ehrliche Geräte kommen im Mittel auf {ends}.",
    "found.all.weight": (
        "Meldungen: Gewicht {found:,}; ehrliche Geräte kommen im Mittel auf {ends}."
    ),
    "found.variant.times": (
        "Meldungen {variant}: {found}; ehrliche Geräte kommen im Mittel auf {ends}."
    ),
    "found.variant.weight": (
        "Meldungen {variant}: Gewicht {found:,}; ehrliche Geräte kommen im Mittel auf {ends}."
    ),
    "found.of.times": (
        "{who} {counted} in Meldungen: {found}; ehrliche Geräte kommen im Mittel auf {ends}."
    ),
    "found.of.weight": (
        "{who} {counted} in Meldungen: Gewicht {found:,}; ehrliche Geräte kommen im Mittel auf "
        "{ends}."
    ),
    "found.of.variant.times": (
        "{who} {counted} in Meldungen {variant}: {found}; ehrliche Geräte kommen im "
        "Mittel auf {ends}."
    ),
    "found.of.variant.weight": (
        "{who} {counted} in Meldungen {variant}: Gewicht {found:,}; ehrliche Geräte kommen im "
        "Mittel auf {ends}."
    ),
    "found.scores": (
        "{names}: nach der Schätzung {points:.3f} Punkte je Stimme, obwohl Stimmen höchstens "
        "{most:.3f} ergeben können."
    ),
    "found.report": (
        "„{report}“ wurde {times} gesendet; ehrliche Geräte kommen im Mittel auf {ends}."
    ),
    "found.cycle": (
        "{one} über {two} über {three} über {one}: {found}; ehrliche Geräte kommen im Mittel auf "
        "{ends}."
    ),
    "inspection.passed.one": (
        "Nichts an dieser einen Meldung schließt ehrliche Geräte aus (p = {p:.3g} bei {checks}). "
        "Das beweist keine Ehrlichkeit: Was auch eine ehrliche Person gesendet haben könnte, lässt"
        " sich nicht unterscheiden."
    ),
    "inspection.passed.many": (
        "Nichts an diesen {n:,} Meldungen schließt ehrliche Geräte aus (p = {p:.3g} bei {checks})."
        " Das beweist keine Ehrlichkeit: Was auch eine ehrliche Person gesendet haben könnte, "
        "lässt sich nicht unterscheiden."
    ),
    "inspection.suspicious.one": (
        "Ehrliche Geräte, von denen jedes einmal meldet, würden diese eine Meldung mit einer "
        "Wahrscheinlichkeit von höchstens {p:.1g} senden: Höchstwahrscheinlich wurde sie erfunden "
        "oder mehrfach gesendet."
    ),
    "inspection.suspicious.many": (
        "Ehrliche Geräte, von denen jedes einmal meldet, würden diese {n:,} Meldungen mit einer "
        "Wahrscheinlichkeit von höchstens {p:.1g} senden: Höchstwahrscheinlich wurden einige davon"
        " erfunden oder mehrfach gesendet."
    ),
}
