"""What the pages of organisers say, in German."""

HOME = {
    "title": "Alle fragen. Die Antwort erfahren. Nicht, wer was gesagt hat.",
    "what.one": "Mit hushvote bringt eine Gruppe Kandidaten in eine Reihenfolge und findet "
    "heraus, wen sie will.",
    "what.two": "Jede Stimme wird auf dem eigenen Gerät mit Zufall versehen: Was es verlässt, ist "
    "ein Satz mit Zufall darin.",
    "what.three": "So erfährt niemand, auch nicht, wer diesen Server betreibt, über eine Stimme "
    "mehr, als eine vorher genannte Grenze erlaubt.",
    "what.four": "Über viele Stimmen gleicht sich der Zufall aus, und alle können das Ergebnis "
    "nachzählen.",
    "make": "Eine Abstimmung anlegen",
    "enter": "Sie haben einen Link oder einen Code bekommen?",
    "link": "Ihr Link",
    "link.how": "Der Link eines Stimmzettels, mit allem hinter seinem #. Er bleibt in Ihrem "
    "Browser.",
    "open": "Öffnen",
    "wrong.code": "Ein Code allein sagt nicht, zu welcher Abstimmung er gehört. Öffnen Sie den "
    "Link, mit dem er kam; dort wird nach dem Code gefragt.",
    "wrong.link": "Das ist kein Link einer Abstimmung. Er sieht aus wie {example}.",
    "wrong.server": "Dieser Link gehört zu einem anderen Server, {server}. Öffnen Sie ihn in der "
    "Adresszeile.",
}

CREATE = {
    "title": "Eine Abstimmung anlegen",
    "short": "Ihr Stimmzettel entsteht rechts, während Sie schreiben, auf kleinen Bildschirmen "
    "unten. Bevor Sie den Knopf drücken, werden nur Anzahlen und Einstellungen gesendet, um zu "
    "berechnen, was sie bedeuten: keine Frage, keine Namen.",
    "what": "Was gefragt wird",
    "question": "Frage",
    "question.how": "So, wie sie gelesen wird: „Wer soll den Betriebsrat leiten?“",
    "description": "Was man dazu wissen sollte (darf leer bleiben)",
    "candidates": "Kandidaten, einer je Zeile",
    "candidates.how": "Fügen Sie so viele ein, wie Sie wollen, bis zu 64. Alle sehen sie in einer "
    "eigenen Anordnung.",
    "candidates.count": "Kandidaten: {number}.",
    "seats": "Sitze",
    "rule": "Was ein Platz wert ist",
    "rule.borda": "Borda: Jeder Platz zählt einen Punkt mehr als der nächste. Gut für die meisten "
    "Abstimmungen.",
    "rule.plurality": "Mehrheit: Nur der erste Platz zählt, einen Punkt.",
    "rule.antiplurality": "Gegenmehrheit: Jeder Platz außer dem letzten zählt einen Punkt. "
    "Findet, gegen wen niemand etwas hat.",
    "rule.approval": "Zustimmung für zwei: Die ersten beiden Plätze zählen je einen Punkt.",
    "rule.nauru": "Nauru: Die Plätze zählen 1, 1/2, 1/3 und so weiter. Die ersten sind am "
    "wichtigsten.",
    "who": "Wer abstimmt, und bis wann",
    "invited": "Wie viele eingeladen sind",
    "invited.how": "Unter {turnout} Stimmen wird nie etwas gezeigt: der Hälfte davon, und "
    "mindestens 20.",
    "access": "Wie sie teilnehmen",
    "access.codes": "Mit einem Code für jede Person: Niemand stimmt zweimal ab",
    "access.codes.how": "Sie erzeugen die Codes auf der nächsten Seite, in Ihrem Browser, und "
    "drucken oder senden sie.",
    "access.link": "Mit einem Link für alle: schnell, aber wer ihn hat, kann mehrfach abstimmen",
    "access.link.how": "Darum wird nichts darüber versprochen, in der Menge verborgen zu sein.",
    "closes": "Endet",
    "closes.how": "In Ihrer Zeitzone, {zone}. Sie können es später verschieben.",
    "privacy": "Wie geheim eine Stimme ist",
    "privacy.how": "Geheimer heißt mehr Zufall in jeder Stimme; dann braucht es mehr Leute, um "
    "sicher zu sein, wer gewonnen hat.",
    "level.1": "Sehr geheim",
    "level.3": "Geheim",
    "level.5": "Weniger geheim",
    "level.own": "Ein anderes Epsilon",
    "own": "Epsilon",
    "own.how": "Eine Zahl über 0 und bis 10. Je kleiner, desto geheimer.",
    "means.operator": "Wer den Server betreibt, kann die Chancen, eine Stimme zu erraten, auf "
    "höchstens das {odds}-Fache erhöhen (lokales Epsilon {epsilon}).",
    "means.board": "Wer den Aushang liest: höchstens auf das {odds}-Fache (Epsilon in der Menge "
    "{epsilon}), wenn {turnout} Personen ehrlich abstimmen.",
    "means.board.few": "Wer den Aushang liest: keine bessere Grenze als diese, denn auf dieser "
    "Stufe verbirgt eine so kleine Menge niemanden.",
    "means.board.link": "Wer den Aushang liest: keine bessere Grenze als diese, denn mit einem "
    "Link kann jemand mehrfach abstimmen.",
    "means.lead": "{voters} Stimmen zeigen höchstwahrscheinlich sicher, wer gewonnen hat, wenn "
    "der Vorsprung {lead} oder mehr Punkte beträgt, wo die Punkte von {low} bis {high} gehen.",
    "means.lead.seats": "{voters} Stimmen zeigen höchstwahrscheinlich sicher, wer die {seats} "
    "Sitze bekommt, wenn der letzte davon {lead} oder mehr Punkte vor dem nächsten liegt, wo die "
    "Punkte von {low} bis {high} gehen.",
    "means.none": "{voters} Stimmen zeigen nichts sicher, wie groß der Vorsprung auch ist. Es "
    "braucht mindestens {fewest}.",
    "means.unknown": "Was so viele Stimmen entscheiden können, lässt sich hier nicht schnell "
    "genug berechnen.",
    "computing": "Wird berechnet.",
    "computed": "Berechnet.",
    "computed.not": "Was das bedeutet, ließ sich nicht berechnen: Der Server antwortet nicht oder "
    "hat gerade keinen Platz. Sie können die Abstimmung trotzdem anlegen.",
    "computed.again": "Noch einmal berechnen",
    "little": "Diese Abstimmung schützt wenig.",
    "little.how": "Bei Epsilon {epsilon} kann, wer eine Meldung sieht, die eigenen Chancen, die "
    "Stimme dahinter zu erraten, auf bis zu das {odds}-Fache erhöhen. Das wird allen gesagt, die "
    "abstimmen.",
    "little.changes": "Wer so oft ändert, wie Sie erlauben, sendet {number} Sätze: zusammen "
    "Epsilon {epsilon}, und das schützt wenig. Erlauben Sie weniger Änderungen, oder wählen Sie "
    "mehr Geheimnis.",
    "small": "Diese Abstimmung ist zu klein, um etwas zu entscheiden.",
    "small.much": "Nur ein Erdrutsch entscheidet diese Abstimmung.",
    "small.voters": "Laden Sie {plenty} oder mehr Personen ein.",
    "small.level": "Oder wählen Sie „{level}“.",
    "small.fewer": "Oder stellen Sie weniger Kandidaten zur Wahl.",
    "more": "Weitere Einstellungen",
    "partial": "Kandidaten dürfen ausgelassen werden",
    "changes": "Wie oft eine Stimme geändert werden darf",
    "changes.how": "Jede Änderung sendet einen weiteren Satz, kostet also so viel Geheimnis wie "
    "die erste Stimme.",
    "live": "Ergebnisse zeigen, während die Abstimmung läuft",
    "live.how": "In Schritten von {turnout} Stimmen. Sonst wird vor dem Ende nichts gezeigt, "
    "damit niemand nach dem Stand der Dinge abstimmt.",
    "token": "Das Kennwort des Betreibers",
    "token.how": "Nur wer dieses Kennwort hat, darf auf diesem Server Abstimmungen anlegen. Es "
    "wird nur an diesen Server gesendet und nicht aufbewahrt.",
    "make": "Die Abstimmung anlegen",
    "making": "Die Abstimmung wird angelegt.",
    "preview": "Der Stimmzettel, wie man ihn sieht",
    "preview.how": "Probieren Sie ihn aus. Nichts wird gesendet.",
    "preview.question": "Ihre Frage",
    "preview.nobody": "Nennen Sie mindestens zwei Kandidaten, um den Stimmzettel zu sehen.",
    "wrong.question": "Schreiben Sie die Frage, mit höchstens 500 Zeichen.",
    "wrong.text": "„{text}“ enthält das Zeichen {code}, das niemand sieht (hier �). Nehmen Sie es "
    "heraus.",
    "wrong.name": "Zeile {line}, „{name}“, enthält das Zeichen {code}, das niemand sieht (hier �). "
    "Nehmen Sie es heraus.",
    "wrong.joined": "Es verbindet mehrere Emojis zu einem; einzelne gehen.",
    "wrong.description": "Der Text hat mehr als 5.000 Zeichen.",
    "wrong.few": "Nennen Sie mindestens zwei Kandidaten, einen je Zeile.",
    "wrong.many": "Es sind {number} Kandidaten; höchstens 64 sind möglich.",
    "wrong.twice": "„{name}“ steht zweimal da.",
    "wrong.long": "„{name}“ hat mehr als 200 Zeichen.",
    "wrong.seats": "Eine ganze Zahl von 1 bis {most}.",
    "wrong.invited": "Eine ganze Zahl von Personen, von {fewest} bis {most}. Von weniger wird nie "
    "etwas gezeigt, zum Schutz derer, die abstimmen.",
    "wrong.closes": "Ein künftiger Zeitpunkt, höchstens zehn Jahre voraus.",
    "wrong.epsilon": "Eine Zahl über 0 und bis 10, wie {example}.",
    "wrong.changes": "Eine ganze Zahl von 0 bis 16.",
    "wrong.token": "Geben Sie das Kennwort des Betreibers ein.",
    "refused.token": "Die Abstimmung wurde nicht angelegt. Der Server kennt dieses Kennwort nicht.",
    "refused.limit": "Die Abstimmung wurde nicht angelegt. Aus Ihrem Netz kamen zu viele; "
    "versuchen Sie es später noch einmal.",
    "refused.other": "Die Abstimmung wurde nicht angelegt. Der Server sagt ({code}): {detail}",
    "refused.poll": "Der Server hat eine andere Abstimmung angelegt als die gewünschte; ihr "
    "Schlüssel wurde weggeworfen. Verwenden Sie diesen Server nicht.",
    "unreached": "Der Server hat nicht geantwortet, also ist nicht sicher, ob die Abstimmung "
    "angelegt wurde. Wenn ja, hat niemand ihren Schlüssel, und sie bleibt leer. Versuchen Sie es "
    "noch einmal; was Sie geschrieben haben, ist noch da.",
}

ORGANISER = {
    "for.you": "Nur für Sie",
    "closes": "Offen bis {when}.",
    "closed.at": "Geschlossen seit {when}.",
    "deletes": "Der Server löscht alles davon am {when}; archivieren Sie es vorher.",
    "deletes.planned": "Der Server löscht alles davon am {when}, wenn sie wie geplant endet; "
    "archivieren Sie es vorher.",
    "key.title": "Bewahren Sie Ihren Link auf.",
    "key.text": "Nur mit ihm kommen Sie auf diese Seite zurück, und wer ihn hat, kann die "
    "Abstimmung schließen oder löschen. Niemand kann ihn wiederherstellen. In der Adresszeile "
    "steht er nicht mehr.",
    "key.copy": "Den Link der Leitung kopieren",
    "key.save": "Als Datei speichern",
    "key.keep": "Auf diesem Gerät aufbewahren",
    "key.kept": "Er ist auf diesem Gerät aufbewahrt: Wer diesen Browser benutzt, kann diese Seite "
    "unter {address} öffnen.",
    "key.forgotten": "Dieses Gerät hat den Link vergessen.",
    "no.key.title": "Diese Seite öffnet sich mit Ihrem eigenen Link.",
    "no.key": "Öffnen Sie den Link der Leitung, mit allem hinter seinem #, oder fügen Sie ihn "
    "hier ein. Er bleibt in Ihrem Browser.",
    "no.key.label": "Der Link der Leitung",
    "no.key.open": "Öffnen",
    "wrong.key.title": "Das ist nicht der Schlüssel dieser Abstimmung.",
    "wrong.key": "Es wurde nichts geändert. Öffnen Sie den Link, der Ihnen beim Anlegen gezeigt "
    "wurde.",
    "wrong.digest.title": "Der Server zeigt eine andere Abstimmung als die, die Sie angelegt "
    "haben.",
    "wrong.digest": "Senden Sie ihren Link niemandem. Fragen Sie, wer den Server betreibt.",
    "no.poll.title": "Diese Abstimmung gibt es nicht.",
    "no.poll": "Öffnen Sie den Link der Leitung, wie Sie ihn aufbewahrt haben.",
    "deleted.title": "Diese Abstimmung wurde gelöscht.",
    "deleted": "Sie wurde am {day} gelöscht, und nichts davon ist übrig.",
    "unreached.title": "Die Abstimmung lässt sich nicht laden.",
    "unreached": "Der Server antwortet nicht. Es wurde nichts geändert; Ihr Link bleibt gültig.",
    "turnout": "Beteiligung",
    "turnout.cast": "Abgegebene Stimmen",
    "turnout.standing": "Stimmen, die jetzt zählen",
    "turnout.changes": "Geändert",
    "turnout.withdrawals": "Zurückgezogen",
    "turnout.erasures": "Gelöscht",
    "turnout.issued": "Ausgegebene Codes",
    "turnout.revoked": "Widerrufene Codes",
    "turnout.now": "Stand von jetzt, {when}. Alle anderen sehen die Zahlen der letzten vollen "
    "Stunde.",
    "turnout.enough": "Für ein Ergebnis haben genug abgestimmt.",
    "turnout.needed": "Ein Ergebnis braucht {turnout} Stimmen: {missing} mehr, als jetzt zählen.",
    "turnout.missed": "Ein Ergebnis hätte {turnout} Stimmen gebraucht: {missing} mehr, als zu "
    "zählen waren.",
    "turnout.bar": "{standing} von {turnout} Stimmen, die ein Ergebnis braucht",
    "hours": "Stimmen je Stunde",
    "hours.step": "Stimmen je {step} Stunden",
    "hours.table": "Jede Stunde, in der jemand abgestimmt hat",
    "hours.you": "Das sehen nur Sie, jetzt und später.",
    "refresh": "Noch einmal nachsehen",
    "share": "Einladen",
    "share.link": "Der Link des Stimmzettels, für alle derselbe. Wer ihn hat, kann abstimmen.",
    "share.codes": "Der Link des Stimmzettels. Zum Abstimmen brauchen alle auch einen eigenen "
    "Code, den Sie unten erzeugen.",
    "share.copy": "Den Link des Stimmzettels kopieren",
    "share.qr": "der Stimmzettel",
    "share.open": "Den Stimmzettel öffnen",
    "codes": "Codes",
    "codes.how": "Codes werden in diesem Browser erzeugt. Der Server bekommt Prüfsummen, aus "
    "denen niemand sie finden kann. Sie werden jetzt gezeigt und nie wieder; darum wird die Liste "
    "zuerst gespeichert.",
    "codes.count": "Wie viele Codes",
    "codes.names": "Oder für wen, ein Name je Zeile",
    "codes.names.how": "Für jeden Namen ein Code; die Zahl darüber kann leer bleiben. Die Namen "
    "kommen in Ihre Liste und auf das Blatt, und nirgends sonst hin.",
    "codes.make": "Codes erzeugen und die Liste speichern",
    "codes.wrong": "Eine ganze Zahl von 1 bis {most}, oder Namen.",
    "codes.both": "Die Zahl der Codes ist {number}, die der Namen {names}. Für jeden Namen "
    "gibt es einen Code: Leeren Sie die Zahl, oder die Namen.",
    "codes.sending": "Codes werden ausgegeben: {sent} von {all}.",
    "codes.done": "Codes, die ausgegeben sind und in Ihrer Liste stehen: {all}.",
    "codes.next": "Senden Sie jeden an seine Person, und die Liste an niemanden. Wenn Sie diese "
    "Seite verlassen, sind die Codes hier weg.",
    "codes.print": "Als Blatt drucken",
    "codes.printing": "Das Blatt wird gezeichnet: {sent} von {all}.",
    "codes.save": "Die Liste noch einmal speichern",
    "codes.unsent": "Die Liste ist gespeichert, aber nicht alle Codes sind ausgegeben: Der Server "
    "hat sie nicht angenommen ({code}). Mit den übrigen kann noch niemand abstimmen.",
    "codes.again": "Den Rest ausgeben",
    "codes.file": "codes",
    "revoke": "Codes widerrufen",
    "revoke.says": "Für Codes, die an die falsche Person gingen oder verloren sind. Ein benutzter "
    "Code bleibt: Seine Stimme zählt.",
    "revoke.label": "Die Codes, einer je Zeile",
    "revoke.how": "Codes, ihre Links oder Zeilen Ihrer Liste. Sie bleiben in diesem Browser; der "
    "Server bekommt Prüfsummen.",
    "revoke.button": "Widerrufen",
    "revoke.none": "Schreiben Sie mindestens einen Code.",
    "revoke.wrong": "In Zeile {line} steht kein richtiger Code.",
    "revoke.title": "Codes, die widerrufen werden: {number}. Fortfahren?",
    "revoke.text": "Niemand kann mehr mit ihnen abstimmen, und das ist endgültig. Im öffentlichen "
    "Protokoll steht, wie viele es sein sollten.",
    "revoke.yes": "Endgültig widerrufen",
    "revoke.no": "So lassen",
    "revoke.done": "Codes, die widerrufen sind: {number}.",
    "revoke.left": "Codes, bei denen das nicht ging, weil sie benutzt sind, hier nie ausgegeben "
    "wurden oder schon widerrufen sind: {number}.",
    "sheet.how": "Scannen Sie ihn, oder öffnen Sie die Adresse und geben Sie den Code ein. Er "
    "gilt für eine Stimme.",
    "sheet.code": "Ihr Code",
    "closing": "Ende",
    "closing.label": "Neues Ende",
    "closing.move": "Verschieben",
    "closing.moved": "Die Abstimmung endet jetzt am {when}.",
    "closing.earlier": "Früher enden lassen?",
    "closing.earlier.text": "{when} ist früher als {before}; dieses Ende wurde allen genannt.",
    "closing.earlier.yes": "Früher enden lassen",
    "closing.earlier.no": "Lassen, wie es war",
    "closing.wrong": "Ein künftiger Zeitpunkt, höchstens zehn Jahre voraus.",
    "close": "Die Abstimmung jetzt schließen",
    "close.title": "Diese Abstimmung endgültig schließen?",
    "close.text": "Bisher abgegebene Stimmen: {standing}. Niemand kann mehr abstimmen, ändern "
    "oder zurückziehen, und sie öffnet sich nie wieder.",
    "close.few": "Ein Ergebnis braucht {turnout}. Schließen Sie jetzt, wird es nie eines geben.",
    "close.yes": "Endgültig schließen",
    "close.no": "Offen lassen",
    "closed": "Die Abstimmung ist geschlossen.",
    "result.see": "Ergebnis ansehen",
    "result.few": "Es gibt kein Ergebnis, zum Schutz derer, die abgestimmt haben: Es braucht "
    "{turnout} Stimmen, und {standing} zählen.",
    "take": "Mitnehmen",
    "take.how": "Das Archiv ist eine Datei mit der Abstimmung, dem Aushang, dem Ergebnis und "
    "einer Seite zum Lesen: alles, um ohne diesen Server nachzuzählen. Ihr Browser zählt den "
    "Aushang nach, bevor er ihn speichert.",
    "take.archive": "Das Archiv speichern",
    "take.counting": "Wird nachgezählt: {done} von {all}",
    "take.archived": "Das Archiv ist gespeichert. Der Aushang wurde hier nachgezählt, und die "
    "Punktzahlen sind die veröffentlichten. Für Intervalle und wahre Plätze steht nur das Wort des "
    "Servers, bis hushvote verify sie nachrechnet.",
    "take.archived.few": "Das Archiv ist gespeichert. Es hat weder Aushang noch Ergebnis, weil zu "
    "wenige abgestimmt haben.",
    "take.unsound": "Nichts wurde gespeichert: Der Aushang stimmt nicht.",
    "take.unsound.how": "Speichern Sie den Aushang selbst als Beweis. Seine Seite, neben dem "
    "Ergebnis, zeigt, was daran nicht stimmt.",
    "take.changed": "Nichts wurde gespeichert: Eben wurde eine Meldung gelöscht. Speichern Sie das "
    "Archiv noch einmal.",
    "take.manifest": "Die Abstimmung (manifest.json)",
    "take.board": "Der Aushang (board.jsonl)",
    "take.result": "Das Ergebnis (result.json)",
    "take.csv": "Alle Meldungen als CSV",
    "take.parquet": "Alle Meldungen als Parquet",
    "take.later": "Ist die Abstimmung geschlossen, lassen sich hier ihr Archiv und alle Meldungen "
    "speichern.",
    "log": "Öffentliches Protokoll",
    "log.how": "Alle können sehen, was mit der Abstimmung getan wurde.",
    "log.opened": "Eröffnet",
    "log.extended": "Ende verschoben auf {when}",
    "log.issued": "Ausgegebene Codes: {codes}",
    "log.revoked": "Codes, die widerrufen werden sollten: {asked}",
    "log.closed": "Geschlossen",
    "log.other": "{event}",
    "delete": "Die Abstimmung löschen",
    "delete.title": "Diese Abstimmung mit allem darin löschen?",
    "delete.text": "Alle Stimmen, der Aushang und das Ergebnis werden auf diesem Server gelöscht "
    "und lassen sich nicht wiederherstellen. Was andere gespeichert haben, bleibt bei ihnen.",
    "delete.word": "löschen",
    "delete.label": "Tippen Sie „{word}“ zur Bestätigung",
    "delete.yes": "Endgültig löschen",
    "delete.no": "Die Abstimmung behalten",
    "failed": "Das wurde nicht getan. Der Server sagt ({code}): {detail}",
    "failed.unreached": "Der Server hat nicht geantwortet, also ist nicht sicher, ob das getan "
    "wurde. Sehen Sie noch einmal nach.",
}

ORGANISERS = {"home": HOME, "create": CREATE, "organiser": ORGANISER}
