"""What is said of boards and acknowledgements."""

BOARD = {  # what `hushvote verify` has checked: as it should be, and as it should not
    "verify.digest": "Das Manifest hat die angegebene Prüfsumme.",
    "verify.signature": "Der Server, den das Manifest nennt, hat den Kopf unterschrieben.",
    "verify.order": (
        "Die Zeilen sind nach Quittungen sortiert, und keine Quittung steht zweimal da."
    ),
    "verify.leaves": "Kein Blatt steht zweimal da, auch kein gelöschtes.",
    "verify.reports": (
        "Jede Zeile enthält eine Meldung, die das Verfahren der Abstimmung senden kann."
    ),
    "verify.tree": "Die Zeilen ergeben den Baum, dessen Wurzel unterschrieben ist.",
    "verify.erased": "Die gelöschten Zeilen sind die, die der Kopf nennt.",
    "verify.numbers": (
        "Es stehen so viele Meldungen da, wie abgegeben und weder zurückgezogen noch gelöscht "
        "wurden."
    ),
    "verify.turnout": "Es stehen mindestens so viele Meldungen da, wie das Manifest verlangt.",
    "verify.spent": (
        "Jede Änderung und jede Rücknahme hat eine Quittung mit deren Geheimnis eingelöst, und "
        "keine davon steht noch da."
    ),
    "verify.chains": (
        "Jede Änderung führt zu einer eigenen Quittung, die dasteht, ihrerseits eingelöst oder "
        "gelöscht wurde."
    ),
    "verify.changes": "Keine Stimme wurde öfter geändert, als das Manifest erlaubt.",
    "verify.codes": (
        "Jede Abgabe hat eine eigene Frage benutzt, aus einem Code, der ausgegeben und nicht "
        "widerrufen wurde."
    ),
    "verify.link": (
        "Es sind keine Codes genannt, denn die Abstimmung steht allen offen, die den Link haben."
    ),
    "verify.questions": (
        "Jede Meldung beantwortet ihre eigene Frage, und keine Frage ist zweimal beantwortet."
    ),
    "verify.tally": "Die Auszählung ist die der Zeilen.",
    "verify.result": "Das Ergebnis ist das der Auszählung.",
    "board.damaged": (
        "Dieser Aushang ist beschädigt, und sonst wurde nichts an ihm geprüft: {reason}."
    ),
    "board.withheld": (
        "Der Server zeigt keinen Aushang, obwohl nach seinen eigenen Angaben {standing:,} "
        "Meldungen dastehen und das Manifest {turnout:,} verlangt."
    ),
    "broken.digest": "Das Manifest hat nicht die angegebene Prüfsumme.",
    "broken.signature": "Die Unterschrift ist nicht die des Servers der Abstimmung.",
    "broken.order": (
        "Die Zeilen sind nicht nach Quittungen sortiert, oder eine Quittung steht zweimal da."
    ),
    "broken.leaves": "Ein Blatt steht zweimal da.",
    "broken.reports": "Eine Zeile enthält, was das Verfahren der Abstimmung nie sendet.",
    "broken.tree": "Die Zeilen ergeben nicht den Baum, dessen Wurzel unterschrieben ist.",
    "broken.erased": "Die gelöschten Zeilen sind nicht die, die der Kopf nennt.",
    "broken.numbers": (
        "Es stehen nicht so viele Meldungen da, wie abgegeben und weder zurückgezogen noch "
        "gelöscht wurden."
    ),
    "broken.turnout": "Es stehen weniger Meldungen da, als das Manifest verlangt.",
    "broken.spent": (
        "Eine Änderung oder Rücknahme hat keine Quittung eingelöst, oder nicht mit deren "
        "Geheimnis, oder das Eingelöste steht noch da."
    ),
    "broken.chains": (
        "Zwei Änderungen führen zu einer Quittung, oder eine Änderung führt ins Leere oder zurück."
    ),
    "broken.changes": "Eine Stimme wurde öfter geändert, als das Manifest erlaubt.",
    "broken.codes": (
        "Eine Abgabe hat keine eigene Frage benutzt, oder eine aus einem Code, der widerrufen oder "
        "nie ausgegeben wurde."
    ),
    "broken.link": (
        "Es sind Codes genannt, obwohl die Abstimmung allen offensteht, die den Link haben."
    ),
    "broken.questions": (
        "Eine Meldung beantwortet nicht ihre eigene Frage, oder eine Frage ist zweimal beantwortet."
    ),
    "broken.tally": "Die Auszählung ist nicht die der Zeilen.",
    "broken.result": "Das Ergebnis ist nicht das der Auszählung.",
    "verify.archive.manifest": "manifest.json ist das Manifest des Aushangs.",
    "verify.archive.result": "result.json sagt, was der Aushang ergibt.",
    "broken.archive.manifest": "manifest.json ist nicht das Manifest des Aushangs.",
    "broken.archive.result": "result.json sagt nicht, was der Aushang ergibt.",
    "unchecked.archive": "{name}: Die Datei ist nicht da.",
    "unchecked.result": "{name}: Es gibt keinen einwandfreien Aushang, um sie zu vergleichen.",
    "unchecked.open": (
        "Ob sie gezählt ist: Solange die Abstimmung läuft, gibt es keinen Aushang. Prüfen Sie nach "
        "dem Ende noch einmal."
    ),
    "unchecked.few": (
        "Ob sie gezählt worden wäre: Die Abstimmung ist geschlossen, und es stehen weniger als "
        "{turnout:,} Meldungen da. Darum gibt es keinen Aushang und kein Ergebnis, und es wird nie "
        "eines geben."
    ),
    "unchecked.digest": (
        "Ob es die Abstimmung ist, die Sie meinen: Ihre Prüfsumme ist {digest}. Vergleichen Sie "
        "diese mit dem Link, oder geben Sie sie als --digest an."
    ),
    "unchecked.copies": (
        "Ob alle denselben Aushang zu sehen bekommen: Seine Prüfsumme ist {digest}. Vergleichen "
        "Sie diese mit anderen."
    ),
    "unchecked.voters": "Ob die Codes von denen benutzt wurden, für die sie bestimmt waren.",
    "unchecked.link": "Ob jemand mehr als eine Meldung abgegeben hat: Mit einem Link geht das.",
    "unchecked.omissions": (
        "Ob eine Meldung fehlt, die der Server bestätigt hat: Das zeigt sich nur, wenn Wählende "
        "ihre Bestätigungen angeben (--ack)."
    ),
    "unchecked.erasures": (
        "Ob diejenigen, deren Meldungen gelöscht wurden, darum gebeten haben: Ihre Bestätigungen "
        "(--ack) zeigen ihnen, dass es geschehen ist."
    ),
    "unchecked.log": "Ob die Zeiten und Ereignisse im Protokoll stimmen.",
    "ack.standing": "{name}: Die bestätigte Meldung steht auf dem Aushang.",
    "ack.spent": (
        "{name}: Die bestätigte Meldung wurde mit ihrem Geheimnis geändert oder zurückgezogen."
    ),
    "ack.erased": (
        "{name}: Die bestätigte Meldung wurde gelöscht. Wenn Sie nicht darum gebeten haben, zeigen "
        "Sie die Bestätigung anderen: Der Server hat für eine Meldung unterschrieben, die er nicht "
        "mehr zählt."
    ),
    "ack.asked": "{name}: Die bestätigte Meldung wurde gelöscht, wie gewünscht.",
    "ack.withdrawn": "{name}: Die zurückgezogene Meldung ist fort.",
    "ack.gone": (
        "{name}: Die Meldung wurde nach dem Ende gelöscht, und unter der Quittung steht nichts."
    ),
    "ack.later": (
        "{name}: Die Meldung wurde nach dem Ende gelöscht, steht aber hier: Dieser Aushang ist von "
        "vorher, oder sie wurde nicht gelöscht. Nehmen Sie den neuesten."
    ),
    "ack.altered": (
        "{name} beweist eine Veränderung: Unter der Quittung steht eine andere Meldung."
    ),
    "ack.turned": (
        "{name} beweist eine Veränderung: Die Meldung wurde zurückgezogen, doch der Aushang nennt "
        "eine Änderung zu einer anderen."
    ),
    "ack.kept": (
        "{name} beweist eine Unterlassung: Die Meldung wurde zurückgezogen, steht aber auf dem "
        "Aushang."
    ),
    "ack.missing": (
        "{name} beweist eine Unterlassung: Der Server hat diese Anfrage angenommen, aber sie fehlt "
        "hier."
    ),
    "ack.signed": "{name}: Der Server hat unterschrieben, dass er diese Meldung angenommen hat.",
    "ack.signed.gone": (
        "{name}: Der Server hat unterschrieben, dass er diese Rücknahme oder Löschung angenommen "
        "hat."
    ),
    "mine.name": "Ihre Bestätigung {receipt}...",
    "mine.none": "Dieser Rechner bewahrt keine Bestätigung dieser Abstimmung auf.",
    "mine.taken": (
        "Ihre letzte Anfrage blieb ohne Antwort, wurde aber angenommen: Der Aushang hat ihre "
        "Quittung."
    ),
    "mine.lost": (
        "Ihre letzte Anfrage blieb ohne Antwort und wurde nicht angenommen: Auf dem Aushang fehlt "
        "ihre Quittung. Ohne eine Bestätigung beweist das nichts gegen den Server."
    ),
    "proof": (
        "Das ist ein Beweis für alle, denn der Server hat die Bestätigung und den Aushang "
        "unterschrieben. Geben Sie anderen beide Dateien; sie müssen Ihnen nicht glauben und "
        "erfahren, welche Meldung Ihre ist, nicht Ihre Reihenfolge. Der Befehl dazu:"
    ),
    "proof.ack": "Die Datei der Bestätigung:",
    "proof.board": "Die Datei des Aushangs:",
    "verified.numbers": (
        "Abgegeben: {casts:,}. Änderungen: {changes:,}. Zurückgezogen: {withdrawals:,}. Gelöscht: "
        "{erasures:,}. Gültig: {standing:,}."
    ),
    "verified.all": "All das trifft zu.",
    "verified.marked": "All das trifft zu, aber beachten Sie, was mit ! markiert ist.",
    "verified.signed": "All das trifft zu, soweit es sich jetzt prüfen lässt.",
    "verified.not": "Nicht all das trifft zu: Diesem Aushang ist nicht zu trauen.",
    "verified.line": "{sentence} Siehe Zeile {line}.",
}
