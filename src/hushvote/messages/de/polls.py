"""What is said of a poll on a server: to its organiser, and on the page of its archive."""

POLLS = {
    "poll.local": (
        "Wer eine Meldung eingehen sieht, auch wer den Server betreibt, kann die eigenen Chancen, "
        "die Stimme dahinter zu erraten, auf höchstens das {odds}-Fache erhöhen (lokales Epsilon "
        "{epsilon})."
    ),
    "poll.crowd": (
        "Wer nur die Gesamtheit der Meldungen sieht, erfährt weniger: Epsilon in der Menge "
        "{epsilon}, wenn mindestens {turnout:,} davon ehrlich sind, bis auf eine "
        "Wahrscheinlichkeit von 1 zu {chance:,}."
    ),
    "poll.crowd.few": (
        "Eine Zahl von {turnout:,} Meldungen ist bei einem solchen Epsilon noch keine Menge: "
        "Rechnen Sie auch gegenüber allen, die nur ihre Gesamtheit sehen, mit dem lokalen."
    ),
    "poll.crowd.link": (
        "Ein Epsilon in der Menge wird nicht versprochen, denn wer den Link hat, kann mehrfach "
        "abstimmen."
    ),
    "poll.crowd.traceable": (
        "In der Gesamtheit der Meldungen ist nichts gewonnen, denn bei {mechanism} zeigen sie, von "
        "wem sie sind: Es gilt das lokale Epsilon."
    ),
    "poll.access.codes": "Wer abstimmen konnte: alle, die einen der Einladungscodes hatten.",
    "poll.access.link": "Wer abstimmen konnte: alle, die den Link hatten.",
    "event.opened": "Eröffnet, Ende am {closes}.",
    "event.extended": "Ende verschoben auf {closes}.",
    "event.issued": "Ausgegebene Codes: {codes:,}.",
    "event.revoked": "Codes widerrufen, von {asked:,} genannten.",
    "event.closed": "Geschlossen.",
    "event.erased": "Eine Meldung gelöscht.",
    "event.other": "Ein anderes Ereignis: {event}.",
    "page.title": "Ergebnis: {question}",
    "page.withheld": "Es gibt kein Ergebnis.",
    "page.withheld.why": (
        "Gültig: {standing}. Versprochen war allen, die abstimmen, dass unter {turnout:,} nichts "
        "gezeigt wird."
    ),
    "page.certified": "{name} hat gewonnen.",
    "page.certified.why": "Mit {sure} Sicherheit hat sonst niemand eine so hohe wahre Punktzahl.",
    "page.open": "Niemand hat sicher gewonnen.",
    "page.open.why": (
        "{leader} führt, doch in Wahrheit kann der erste Platz auch an {rivals} gehen ({sure} "
        "Sicherheit)."
    ),
    "page.suspicious": "Es wird kein Sieg verkündet: Nicht allen Meldungen ist zu trauen.",
    "page.doubted": "{name} hat gewonnen, obwohl nicht allen Meldungen zu trauen ist.",
    "page.elected": "Gewählt: {names}.",
    "page.elected.part": "Sicher gewählt: {names}. Andere Sitze sind offen.",
    "page.elected.none": "Kein Sitz steht fest.",
    "page.warnings": "Bitte zuerst lesen",
    "page.chart": "Punktzahlen, und wie sicher sie sind",
    "page.chart.says": (
        "Der Strich ist die geschätzte mittlere Punktzahl, der Balken dahinter das Intervall "
        "({sure}), auf dem ganzen Bereich der Punktzahlen."
    ),
    "page.chart.cut": (
        "Der Strich ist die geschätzte mittlere Punktzahl, der Balken dahinter das Intervall "
        "({sure}), auf dem ganzen Bereich der Punktzahlen. Was darüber hinausgeht, ist "
        "abgeschnitten: Schätzungen können es, wahre Punktzahlen nicht."
    ),
    "page.chart.row": "{name}: {score}, {low} bis {high}",
    "page.figures": "In Zahlen",
    "page.place": "Platz",
    "page.candidate": "Name",
    "page.score": "Punktzahl",
    "page.interval": "Intervall ({sure})",
    "page.true_place": "Wahrer Platz",
    "page.first": "Wirklich vorn",
    "page.words": "Was das bedeutet",
    "page.privacy": "Was beim Abstimmen versprochen war",
    "page.numbers": "Wer teilgenommen hat",
    "page.casts": "Abgegebene Stimmen",
    "page.changes": "Geändert",
    "page.withdrawals": "Zurückgezogen",
    "page.erasures": "Gelöscht",
    "page.standing": "Gezählt",
    "page.issued": "Ausgegebene Codes",
    "page.revoked": "Widerrufene Codes",
    "page.erased.says": (
        "Von einer gelöschten Meldung bleibt nur eine Prüfsumme. Wer einen früheren Aushang "
        "aufbewahrt hat, hat noch, was er zeigte."
    ),
    "page.log": "Was mit der Abstimmung geschah",
    "page.log.says": "Zeiten sind in UTC, und so, wie der Server sie angibt.",
    "page.verify": "Selbst nachzählen",
    "page.verify.says": (
        "Diese Seite wurde aus dem Aushang gemacht, nachdem er alle Prüfungen bestanden hatte. "
        "Glauben Sie ihr nicht einfach: Mit diesem Ordner und hushvote können alle dasselbe tun, "
        "ohne einen Server."
    ),
    "page.verify.withheld": (
        "Unter der Mindestzahl gibt es keinen Aushang. Das Manifest sagt, was beim Abstimmen "
        "versprochen war."
    ),
    "page.digest": (
        "Die Prüfsumme der Abstimmung, die auch hinter dem # im Link zum Stimmzettel steht"
    ),
    "page.board": "Die Prüfsumme des Aushangs: Wer anderswo dieselbe findet, hat denselben Aushang",
    "page.closed": "Ergebnis einer Abstimmung, geschlossen am {day}",
    "page.candidates": "Wer zur Wahl stand",
    "page.lowest": "{score}: auf jedem Stimmzettel zuletzt",
    "page.highest": "{score}: auf jedem Stimmzettel zuerst",
    "page.span": "{low} bis {high}",
    "page.turnout": "Von weniger als {turnout:,} Meldungen wird nie etwas gezeigt.",
    "page.elected.mark": "gewählt",
    "page.certified.mark": "hat gewonnen",
}
