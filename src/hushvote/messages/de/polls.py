"""What is said of a poll on a server: to its organiser, and on the page of its archive."""

POLLS = {
    "poll.local": (
        "Wer eine Meldung eingehen sieht, auch wer den Server betreibt, kann die eigenen Chancen, "
        "die Stimme dahinter zu erraten, auf höchstens das {odds}-Fache erhöhen (lokales Epsilon "
        "{epsilon:g})."
    ),
    "poll.crowd": (
        "Wer nur die Gesamtheit der Meldungen sieht, erfährt weniger: Epsilon in der Menge "
        "{epsilon:g}, wenn mindestens {turnout:,} davon ehrlich sind, bis auf eine "
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
    "poll.changes.little": (
        "Wer so oft ändert, wie diese Abstimmung erlaubt, sendet {reports:,} Meldungen: zusammen "
        "lokales Epsilon {epsilon:g}, und das schützt wenig."
    ),
    "poll.access.codes": "Wer abstimmen konnte: alle, die einen der Einladungscodes hatten.",
    "poll.access.link": "Wer abstimmen konnte: alle, die den Link hatten.",
    "event.opened": "Eröffnet, Ende am {closes}.",
    "event.extended": "Ende verschoben auf {closes}.",
    "event.issued": "Ausgegebene Codes: {codes:,}.",
    "event.revoked": "Codes, um deren Widerruf gebeten wurde: {asked:,}.",
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
        "Der Punkt ist die geschätzte mittlere Punktzahl, der Balken dahinter das Intervall "
        "({sure}), auf dem ganzen Bereich der Punktzahlen."
    ),
    "page.chart.cut": (
        "Der Punkt ist die geschätzte mittlere Punktzahl, der Balken dahinter das Intervall "
        "({sure}), auf dem ganzen Bereich der Punktzahlen. Was darüber hinausgeht, ist "
        "abgeschnitten: Schätzungen können es, wahre Punktzahlen nicht."
    ),
    "page.chart.row": "{name}: {score:.2f}, {low:.2f} bis {high:.2f}",
    "page.figures": "In Zahlen",
    "page.place": "Platz",
    "page.candidate": "Name",
    "page.score": "Punktzahl",
    "page.interval": "Intervall ({sure})",
    "page.true_place": "Wahrer Platz",
    "page.first": "Wirklich vorn",
    "page.first.says": (
        "„Wahrer Platz“ gilt mit {sure} Sicherheit für alle zusammen; sicher gewonnen hat nur, wer "
        "keinen anderen Platz als den ersten haben kann. „Wirklich vorn“ fragt etwas anderes, für "
        "jeden Namen allein: wie wahrscheinlich es nach diesen Meldungen ist. Das kann hoch sein, "
        "auch wenn niemand sicher gewonnen hat."
    ),
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
        "Diese Seite wurde aus dem Aushang gemacht, der daneben liegt. Bis er nachgezählt ist, "
        "steht dafür nur das Wort des Servers und derer, die sie archiviert haben, vor allem für "
        "Intervalle und wahre Plätze. Mit diesem Ordner und hushvote können alle nachzählen, ohne "
        "einen Server."
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
    "page.candidates.open": "Wer zur Wahl steht",
    "page.end": "{score:g}: {meaning}",
    "page.turnout": "Von weniger als {turnout:,} Meldungen wird nie etwas gezeigt.",
    "page.elected.mark": "gewählt",
    "page.certified.mark": "hat gewonnen",
    "page.live": "Noch offen: Bisher führt {names}.",
    "page.live.tied": "Noch offen: Bisher führen {names}.",
    "page.live.why": (
        "Vor dem Ende der Abstimmung steht kein Sieg fest, denn wer immer wieder nachsieht, "
        "findet irgendwann durch Zufall einen."
    ),
    "page.honest": "Waren die Meldungen ehrlich?",
    "page.uninspected": (
        "Diese Meldungen wurden nicht geprüft: Bei so vielen Namen oder Meldungen würde das "
        "zu lange dauern."
    ),
    "page.short": "{value:.2f}",
    "page.number": "{value:,}",
    "page.state.open": "Eine Abstimmung, die bis {when} (UTC) offen ist",
    "page.state.closing": "Eine Abstimmung, die gerade geschlossen wird",
    "page.hidden": "Das Ergebnis wird gezeigt, wenn die Abstimmung endet.",
    "page.hidden.why": (
        "Sie ist bis {when} (UTC) offen. Zum Abstimmen öffnen Sie den Link, den Sie bekommen haben."
    ),
    "page.waiting": "Es gibt noch kein Ergebnis.",
    "page.waiting.why": (
        "Solange die Abstimmung offen ist, wird ein erstes gezeigt, wenn {needed:,} Meldungen "
        "gültig sind. Sie ist bis {when} (UTC) offen."
    ),
    "page.closing": "Die Abstimmung wird gerade geschlossen.",
    "page.closing.why": "Gleich steht hier ihr Ergebnis: Laden Sie diese Seite noch einmal.",
    "page.so_far": "Bisher",
    "page.so_far.says": (
        "Gültig um {when} (UTC): {standing}. Die Zahlen ändern sich nur zur vollen Stunde, "
        "damit niemand sieht, wann jemand abstimmt."
    ),
    "page.so_far.live": (
        "Dieses Ergebnis zählt {counted}. Es wird neu gebildet, wenn {step:,} mehr gültig sind, "
        "und bis dahin wird keine andere Zahl gezeigt, damit niemand sieht, wann jemand abstimmt."
    ),
    "page.deleted": "Diese Abstimmung wurde gelöscht.",
    "page.deleted.why": "Sie wurde am {day} gelöscht, und nichts von ihr ist übrig.",
    "page.unknown": "Diese Abstimmung gibt es nicht.",
    "page.unknown.why": "Öffnen Sie die Adresse so, wie Sie sie bekommen haben.",
    "page.nowhere": "Unter dieser Adresse gibt es nichts.",
    "page.nowhere.why": (
        "Wenn Ihnen jemand einen Link geschickt hat, öffnen Sie ihn so, wie er kam, bis zu seinem "
        "Ende."
    ),
    "page.nothing": "Es gibt kein Ergebnis zum Speichern.",
    "page.nothing.why": (
        "Die Seite der Abstimmung sagt, warum, und wann es vielleicht eines geben wird."
    ),
    "page.refused": "Der Server hat das abgelehnt.",
    "page.refused.why": "Unter dieser Adresse geht das nicht ({code}). Nichts wurde geändert.",
    "page.broken": "Der Server ist daran gescheitert.",
    "page.broken.why": (
        "Wer ihn betreibt, findet im Protokoll, woran. Vielleicht geht es gleich wieder."
    ),
    "page.to.home": "Zur ersten Seite",
    "page.to.poll": "Zur Seite der Abstimmung",
    "page.failed": "Diese Seite lässt sich gerade nicht zeigen.",
    "page.failed.why": (
        "Der Server ist beschäftigt oder startet. Laden Sie sie gleich noch einmal."
    ),
    "page.verify.board": (
        "Alle mit Zufall veränderten Meldungen stehen auf dem Aushang. Finden Sie dort Ihre "
        "Quittung, oder zählen Sie die ganze Abstimmung mit einem Klick in Ihrem Browser "
        "nach."
    ),
    "page.verify.yourself": (
        "Oder vertrauen Sie diesem Server gar nicht: Speichern Sie den Aushang, und prüfen "
        "Sie ihn mit Ihrer eigenen Kopie von hushvote."
    ),
    "page.verify.open": (
        "Wenn die Abstimmung geendet hat, stehen alle mit Zufall veränderten Meldungen auf "
        "dem Aushang, und alle können nachzählen."
    ),
    "page.to.board": "Zum Aushang",
    "page.save.board": "Aushang speichern",
    "page.save.csv": "Ergebnis als CSV",
    "page.save.json": "Ergebnis als JSON",
    "page.language": "Deutsch",
}
