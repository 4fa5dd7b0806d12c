"""What a voter is told at a terminal, from the first look to the receipt."""

from hushvote.messages.de.pages import BALLOT

VOTING = {
    "vote.choices.all": "Bringen Sie alle {d} in Ihre Reihenfolge, das Beste zuerst.",
    "vote.choices.some": (
        "Bringen Sie so viele der {d}, wie Sie möchten, in Ihre Reihenfolge, das Beste zuerst."
    ),
    "vote.choices.order": (
        "Die Reihenfolge oben ist für Sie gemischt; mit --order bleibt die der Abstimmung."
    ),
    "vote.learns.operator": (
        "Ihre Reihenfolge bleibt auf diesem Rechner; nur eine ausgeloste Meldung verlässt ihn. Wer "
        "den Server betreibt, sieht die Meldung, und woher und wann sie kam, und kann die eigenen "
        "Chancen, Ihre Stimme zu erraten, auf höchstens das {factor}-Fache erhöhen (Epsilon "
        "{epsilon})."
    ),
    "vote.learns.public": "Nach dem Ende sehen alle sämtliche Meldungen, ohne Namen oder Zeiten.",
    "vote.learns.question": (
        "Nach dem Ende sehen alle sämtliche Meldungen; wer die Codes gemacht hat, kann erkennen, "
        "welche Ihre ist."
    ),
    "vote.open": (
        "Meldungen zur letzten vollen Stunde: {standing:,}; ein Ergebnis braucht {turnout:,}. "
        "Die Abstimmung endet {closes}."
    ),
    "vote.how": (
        "Geben Sie Nummern oder Namen ein, das Beste zuerst, wie in {example}; „undo“ nimmt "
        "den letzten Eintrag zurück."
    ),
    "vote.how.done": "Eine leere Zeile beendet die Reihenfolge.",
    "vote.ranked": "Ihre Reihenfolge",
    "vote.unranked": "nicht eingereiht: {names}",
    "vote.ask.draw": (
        "Die Meldung zu dieser Reihenfolge auslosen? Sie haben {left}, und das verbraucht eine."
    ),
    "vote.same": (
        "Diese Reihenfolge hatte schon eine Meldung, die wieder gesendet wird: Nichts Neues wird "
        "ausgelost."
    ),
    "vote.sentence": "Noch nicht abgegeben. Nur dieser Satz wird gesendet:",
    "vote.sentence.change": "Noch nicht geändert. Nur dieser Satz wird gesendet:",
    "vote.body": "So verlässt er diesen Rechner:",
    "vote.padding": (
        "(und dahinter Leerzeichen, {blanks:,} an der Zahl, damit Längen nichts verraten)"
    ),
    "vote.factor": (
        "Wer das sieht, kann die eigenen Chancen, Ihre Stimme zu erraten, auf höchstens das "
        "{factor}-Fache erhöhen, ganz gleich, was sonst noch bekannt ist."
    ),
    "vote.true": BALLOT["leaves.true"],
    "vote.little": BALLOT["leaves.little"],
    "vote.factor.all": (
        "Wer das und die anderen sieht, die Sie ausgelost haben, insgesamt {spent}, kann sie auf "
        "höchstens das {factor}-Fache erhöhen: insgesamt Epsilon {epsilon}."
    ),
    "vote.together": ("Zusammen sind {reports:,} Meldungen Epsilon {epsilon}: Das schützt wenig."),
    "vote.ask": "[j/N]",
    "vote.yes": "j ja",
    "vote.ask.link": "Der Link (nicht zu sehen):",
    "vote.ask.code": "Ihr Einladungscode (nicht zu sehen):",
    "vote.ask.cast": "Abgeben?",
    "vote.ask.change": "Ihre Stimme so ändern?",
    "vote.kept": (
        "Nicht abgegeben. Die Meldung ist aufbewahrt, und dieselbe Reihenfolge wird sie senden."
    ),
    "vote.stopped": "Nicht abgegeben. Nichts wurde ausgelost, und nichts wurde gesendet.",
    "vote.unchanged": "Nichts wurde gesendet, und nichts hat sich geändert.",
    "vote.done.reports": "Abgegeben. Bewahren Sie die Quittung auf.",
    "vote.done.changes": "Geändert. Bewahren Sie die Quittung auf.",
    "vote.done.withdrawals": (
        "Zurückgezogen. Ihre Meldung wird nicht mehr gezählt, und das ist endgültig."
    ),
    "vote.done.erasures": (
        "Gelöscht. Ihre Meldung wird nicht mehr aufbewahrt, und das ist endgültig."
    ),
    "vote.receipt": "Quittung: {receipt}",
    "vote.signed": (
        "Der Server hat dafür unterschrieben, und die Unterschrift ist die dieser Abstimmung. Sie "
        "ist hier aufbewahrt:"
    ),
    "vote.later": "Sehen Sie nach dem Ende nach, dass sie gezählt ist:",
    "vote.later.gone": "Sehen Sie nach dem Ende nach, dass sie nicht gezählt ist:",
    "vote.again": (
        "Wozu Sie vorher Ja gesagt haben, hat noch keine Antwort. Dieselben Bytes werden noch "
        "einmal gesendet."
    ),
    "vote.unsent.reports": (
        "Noch nicht abgegeben, soweit dieser Rechner weiß. Nichts ist verloren, und derselbe "
        "Befehl sendet dieselben Bytes noch einmal"
    ),
    "vote.unsent.changes": (
        "Noch nicht geändert, soweit dieser Rechner weiß. Nichts ist verloren, und derselbe Befehl "
        "sendet dieselben Bytes noch einmal"
    ),
    "vote.unsent.withdrawals": (
        "Noch nicht zurückgezogen, soweit dieser Rechner weiß. Derselbe Befehl sendet dieselben "
        "Bytes noch einmal"
    ),
    "vote.unsent.erasures": (
        "Noch nicht gelöscht, soweit dieser Rechner weiß. Derselbe Befehl sendet dieselben Bytes "
        "noch einmal"
    ),
    "vote.unsigned": (
        "Auf diese Antwort kann sich niemand verlassen, darum ist sie nicht aufbewahrt; die "
        "Anfrage ist es, und derselbe Befehl sendet sie noch einmal. Geht das so weiter, fragen "
        "Sie bei der Leitung der Abstimmung nach"
    ),
    "vote.unsure": (
        "Hier ist nicht zu erkennen, ob Ihre letzte Anfrage angenommen wurde; der Aushang wird es "
        "zeigen (hushvote verify mit dem Link und --mine)"
    ),
    "vote.refused.reports": "Nicht abgegeben; was Sie ausgelost haben, ist aufbewahrt",
    "vote.refused.changes": "Nicht geändert; was Sie ausgelost haben, ist aufbewahrt",
    "vote.refused.withdrawals": "Nicht zurückgezogen",
    "vote.refused.erasures": "Nicht gelöscht",
    "vote.stands": (
        "Sie haben in dieser Abstimmung abgestimmt, und Ihre Meldung gilt. Ändern Sie sie mit "
        "--change, oder ziehen Sie sie mit --withdraw zurück."
    ),
    "vote.change.free": (
        "Für diese Reihenfolge wurde schon eine Meldung ausgelost: Sie zu senden kostet nichts "
        "Neues."
    ),
    "vote.change.costs": (
        "Eine Änderung ist eine weitere Meldung, und Epsilon summiert sich: {before} bisher, "
        "{after} damit. Wer alle Ihre Meldungen sieht, kann die eigenen Chancen, Ihre Stimme zu "
        "erraten, auf höchstens das {factor}-Fache erhöhen."
    ),
    "vote.ask.withdraw": (
        "Ihre Meldung zurückziehen? Sie wird nicht mehr gezählt, das ist endgültig, und was sie "
        "verraten hat, bleibt verraten."
    ),
    "vote.ask.erase": (
        "Ihre Meldung löschen lassen? Der Server löscht sie, auch aus einer geschlossenen "
        "Abstimmung, und zählt neu. Das ist endgültig. Wer einen früheren Aushang aufbewahrt hat, "
        "kann herausfinden, was gelöscht wurde."
    ),
    "vote.ask.forget": (
        "Diese Stimme vergessen? Was beim Server steht, bleibt dort, aber dieser Rechner kann es "
        "nicht mehr ändern, zurückziehen oder seine Abgabe beweisen. Noch einmal abzustimmen wäre "
        "eine zweite Stimme und würde noch einmal Epsilon kosten. Speichern Sie vorher die "
        "Zugangsdatei und die Bestätigung, falls Sie sie brauchen könnten."
    ),
    "vote.ask.forget.unanswered": (
        "Diese Stimme vergessen? Was zuletzt gesendet wurde, hat noch keine Antwort, kann also "
        "zählen, und niemand könnte es mehr erkennen. Noch einmal abzustimmen könnte eine zweite "
        "Stimme sein und noch einmal Epsilon kosten."
    ),
    "vote.forgotten": (
        "Vergessen. Was dieser Rechner von dieser Stimme aufbewahrt hat, ist gelöscht."
    ),
    "vote.unknown": "Von einer Stimme in dieser Abstimmung ist hier nichts aufbewahrt.",
    "vote.dry": (
        "Ein Probelauf: Aus Ihrer Reihenfolge wurde nichts ausgelost, und nichts wurde gesendet."
    ),
    "vote.dry.example": (
        "So sieht eine Meldung aus, hier ausgelost zu einer zufällig erfundenen Reihenfolge:"
    ),
    "vote.dry.kept": "Zu dieser Reihenfolge ist eine Meldung aufbewahrt, die gesendet würde:",
    "vote.history": (
        "Argumente bleiben im Verlauf der Shell, und andere an diesem Rechner können sie "
        "vielleicht sehen. Um Ihre Reihenfolge für sich zu behalten, geben Sie sie auf Nachfrage "
        "ein, oder nehmen Sie --ranking -."
    ),
    "vote.code.shown": (
        "Ihr Einladungscode steht in diesem Link: Er bleibt im Verlauf der Shell, und "
        "andere an diesem Rechner können ihn sehen, solange der Befehl läuft. Damit er bei "
        "Ihnen bleibt, lassen Sie den Link weg und tippen Sie ihn auf Nachfrage ein, oder nehmen "
        "Sie --link-file."
    ),
    "vote.saved.credential": (
        "Die Zugangsdatei ist gespeichert. Wer sie hat, kann Ihre Stimme ändern oder zurückziehen: "
        "Halten Sie sie geheim."
    ),
    "vote.saved.ack": (
        "Die Bestätigung ist gespeichert. Sie beweist, welche Meldung Ihre ist, mehr nicht."
    ),
    "vote.saved.ack.gone": (
        "Die Bestätigung ist gespeichert. Sie beweist, dass Ihre Stimme zurückgenommen ist."
    ),
    "vote.standing.nothing": "Es gilt keine Stimme von Ihnen.",
    "vote.standing.report": "Ihre Stimme gilt.",
    "vote.standing.withdrawn": (
        "Ihre Stimme ist zurückgezogen: Sie wird nicht gezählt, und das ist endgültig."
    ),
    "vote.standing.erased": (
        "Ihre Stimme ist gelöscht: Sie wird nicht mehr aufbewahrt, und das ist endgültig."
    ),
    "vote.show.unanswered": (
        "Was zuletzt gesendet wurde, hat noch keine Antwort; noch einmal abzustimmen sendet es "
        "noch einmal."
    ),
    "vote.draw.drawn": "Ausgelost zu {ranking}:",
    "vote.draw.stands": "Ausgelost zu {ranking}, und gültig:",
    "vote.draw.gone": "Einst ausgelost zu {ranking}; gültig ist das nicht:",
    "vote.show.left": "Übrig: {draws}, {changes}. Verbraucht: Epsilon {epsilon}.",
    "vote.show.gone": (
        "Sie können in dieser Abstimmung nicht noch einmal abstimmen. Verbraucht: Epsilon "
        "{epsilon}, denn was gesendet wurde, ist gesehen."
    ),
    "vote.show.path": "All das ist hier aufbewahrt, für Sie allein:",
}
