"""What pages say, by page; `shared` is on several, `shell` stands there before scripts run.

A sentence about a vote says first what has become of it.
"""

from hushvote.messages.de.organising import ORGANISERS

SHELL = {
    "loading": "Einen Moment.",
    "noscript": "Diese Seite braucht Skripte.",
    "ballot.title": "Ihr Stimmzettel",
    "ballot.noscript": "Ihre Stimme wird auf Ihrem eigenen Gerät mit Zufall verändert, bevor etwas "
    "gesendet wird; das macht ein Skript. Erlauben Sie hier Skripte, oder stimmen Sie im Terminal "
    "ab: hushvote vote, und Ihr Link.",
    "board.title": "Der Aushang",
    "board.noscript": "Mit Skripten finden Sie hier Ihre Quittung und zählen die Abstimmung "
    "nach. Ohne sie speichern Sie den Aushang unter dem Ergebnis, und prüfen Sie ihn mit "
    "hushvote verify.",
    "home.title": "hushvote: Reihenfolgen, die Ihre bleiben",
    "home.noscript": "Um einen Link ohne Skripte zu öffnen, geben Sie ihn in die Adresszeile ein.",
    "create.title": "Eine Abstimmung anlegen",
    "create.noscript": "Der Schlüssel Ihrer Abstimmung wird in Ihrem Browser erzeugt, und das tut "
    "ein Skript. Erlauben Sie hier Skripte, oder legen Sie die Abstimmung im Terminal an: hushvote "
    "poll create.",
    "organiser.title": "Ihre Abstimmung",
    "organiser.noscript": "Ihr Schlüssel bleibt in Ihrem Browser, und ein Skript verwendet ihn "
    "dort. Erlauben Sie hier Skripte, oder nehmen Sie das Terminal: hushvote poll show, und Ihren "
    "Link.",
}

SHARED = {
    "close": "Schließen",
    "copied": "Kopiert.",
    "copy.failed": "Dieser Browser lässt Seiten nicht kopieren. Markieren Sie den Text, und "
    "kopieren Sie ihn selbst.",
    "saved": "Gespeichert als {name}.",
    "try.again": "Noch einmal versuchen",
    "qr.label": "QR-Code: {what}",
    "report.group": "{members}",
    "report.over": "Ich stelle {above} über {below}.",
}

BALLOT = {
    # what stands on every step
    "steps": "Schritte",
    "step.rank": "Ordnen",
    "step.check": "Prüfen",
    "step.leaves": "Was hinausgeht",
    "step.cast": "Abgeben",
    "closes": "Offen bis {when}.",
    "closed.at": "Geschlossen seit {when}.",
    "seats.one": "Ein Platz wird vergeben.",
    "seats.many": "{seats} Plätze werden vergeben.",
    "not.cast": "Noch nicht abgegeben.",
    "secret": "Ist meine Stimme geheim?",
    "no.storage": "Dieser Browser bewahrt hier nichts auf (vielleicht ein privates Fenster). "
    "Lassen Sie diese Seite offen, bis Sie abgestimmt haben, und speichern Sie dann Ihre "
    "Zugangsdatei: Ohne sie können Sie Ihre Stimme nicht ändern.",
    # rank
    "rank.title": "Bringen Sie die Kandidaten in Ihre Reihenfolge.",
    "rank.how": "Tippen Sie sie der Reihe nach an, das Beste zuerst. Ziehen Sie am Griff, oder "
    "nehmen Sie die Pfeile.",
    "rank.all": "Alle müssen eingereiht werden.",
    "rank.some": "Sie können welche auslassen: Diese folgen nach den anderen, in zufälliger "
    "Reihenfolge.",
    "rank.stays": "Ihre Reihenfolge bleibt auf diesem Gerät.",
    "rank.ranked": "Ihre Reihenfolge, das Beste zuerst",
    "rank.unranked": "Noch nicht eingereiht",
    "rank.none": "Noch leer. Tippen Sie an, was Sie am liebsten wollen.",
    "rank.rest": "Alle sind eingereiht.",
    "rank.count": "{ranked} von {all} eingereiht",
    "rank.add": ", als Nummer {place} einreihen",
    "rank.take": ", herausnehmen",
    "rank.handle": "{name} verschieben",
    "rank.handle.how": "Ziehen Sie, oder drücken Sie die Pfeiltasten.",
    "rank.up": "{name} nach oben",
    "rank.down": "{name} nach unten",
    "rank.said": "{name} ist Nummer {place} von {ranked}.",
    "rank.said.out": "{name} ist nicht eingereiht.",
    "rank.clear": "Von vorn beginnen",
    "rank.next": "Meine Reihenfolge prüfen",
    # codes
    "code.label": "Ihr Einladungscode",
    "code.how": "21 Buchstaben und Ziffern, wie sie Ihnen gesendet wurden. Großschreibung und "
    "Bindestriche sind egal.",
    "code.given": "Ihr Link enthält einen Einladungscode.",
    "code.other": "Einen anderen Code verwenden",
    # check
    "check.title": "Ist das Ihre Reihenfolge?",
    "check.rest.one": "Danach folgt {names}, von Ihnen ausgelassen.",
    "check.rest.many": "Danach folgen {names}, in ausgeloster Reihenfolge.",
    "check.once": "Als Nächstes lost dieses Gerät aus Ihrer Reihenfolge einen Satz aus, mit Zufall "
    "darin. Das geschieht einmal: Dieselbe Reihenfolge ergibt wieder denselben Satz, so oft Sie "
    "auch nachsehen.",
    "check.left.one": "Sie können den Satz zu einer Reihenfolge ansehen.",
    "check.left.many": "Sie können die Sätze zu {number} verschiedenen Reihenfolgen ansehen.",
    "check.spent": "Sie haben so viele Sätze gesehen, wie diese Abstimmung erlaubt. Wählen Sie "
    "eine dieser Reihenfolgen:",
    "check.again": "Sie haben den Satz zu dieser Reihenfolge schon gesehen. Es ist wieder "
    "derselbe.",
    "check.nothing": "Sie haben keine Sätze mehr übrig: Was Sie abgegeben haben, bleibt, wie es "
    "ist.",
    "check.change": "Reihenfolge ändern",
    "check.next": "Ansehen, was dieses Gerät verlässt",
    "check.choose": "{names} nehmen",
    # what leaves the device
    "leaves.title": "Was Ihr Gerät verlässt",
    "leaves.vote": "Ihre Stimme",
    "leaves.stays": "bleibt hier",
    "leaves.report": "Nur dieser Satz wird gesendet:",
    "leaves.odds": "Wer ihn sieht, kann die eigenen Chancen, Ihre Stimme zu erraten, auf höchstens "
    "das {factor}-Fache erhöhen.",
    "leaves.epsilon": "Das ist Epsilon {epsilon}: Das Chancenverhältnis zweier beliebiger "
    "Reihenfolgen ändert sich höchstens um den Faktor exp({epsilon}), hier aufgerundet.",
    "leaves.true": "Der Zufall kann ihn das Gegenteil von dem sagen lassen, was Sie denken. Das "
    "schützt Sie; über viele Stimmen gleicht es sich aus.",
    "leaves.little": "Bei Epsilon {epsilon} schützt das wenig. Behandeln Sie diesen Satz so, als "
    "sagte er, was Sie wirklich denken.",
    "leaves.all": "Sie haben hier {number} Sätze gesehen. Wer sie alle sähe, könnte die eigenen "
    "Chancen auf das {factor}-Fache erhöhen.",
    "little.together": "{number} Sätze zusammen sind Epsilon {epsilon}: Das schützt wenig.",
    "leaves.strip": "Wer könnte ihn noch gesendet haben?",
    "leaves.strip.how": "{number} Stimmzettel: zuerst einer der wahrscheinlichsten, dann zufällig "
    "ausgeloste. Jeder davon könnte genau diesen Satz gesendet haben. Je länger der Balken, desto "
    "wahrscheinlicher.",
    "leaves.strip.every": "Das sind alle Stimmzettel, die es geben kann. Jeder davon könnte genau "
    "diesen Satz gesendet haben. Je länger der Balken, desto wahrscheinlicher.",
    "leaves.strip.marks": "Ihr Satz stellt die gefüllten Namen über die umrandeten.",
    "leaves.strip.none": "Jede Reihenfolge der Kandidaten könnte genau diesen Satz gesendet haben.",
    "leaves.strip.same": "Alle diese könnten ihn gleich wahrscheinlich gesendet haben.",
    "leaves.strip.one": "Einer dieser {all} würde ihn am wahrscheinlichsten senden, die anderen "
    "weniger. Keine Reihenfolge überhaupt ist mehr als {factor}-mal so wahrscheinlich wie eine "
    "andere.",
    "leaves.strip.some": "{number} dieser {all} würden ihn am wahrscheinlichsten senden, die "
    "anderen weniger. Keine Reihenfolge überhaupt ist mehr als {factor}-mal so wahrscheinlich wie "
    "eine andere.",
    "leaves.strip.sure": "Also kann niemand sicher sein.",
    "leaves.ballot.most": "{names}: keiner ist wahrscheinlicher",
    "leaves.ballot.less": "{names}: {times}-mal weniger wahrscheinlich",
    "leaves.json": "Dasselbe, wie es unterwegs aussieht",
    "leaves.json.how": "Das ist die ganze Nachricht, Byte für Byte, mit Leerzeichen aufgefüllt auf "
    "{size} Bytes, damit ihre Länge nichts verrät.",
    "leaves.cast": "Meine Stimme abgeben",
    "leaves.change": "Diese Änderung abgeben",
    "leaves.back": "Reihenfolge ändern",
    # casting
    "sending": "Noch nicht abgegeben. Wird gesendet.",
    "unsure.title": "Noch nicht abgegeben.",
    "unsure.network": "Der Server hat nicht geantwortet. Ihre Stimme ist auf diesem Gerät "
    "aufbewahrt, und nichts ist verloren. Noch einmal senden sendet genau dieselben Bytes, also "
    "kann sie nicht doppelt zählen.",
    "unsure.memory": "Der Server hat nicht geantwortet. Lassen Sie diese Seite offen: Ihre Stimme "
    "ist nur hier. Noch einmal senden sendet genau dieselben Bytes, also kann sie nicht doppelt "
    "zählen.",
    "unsure.busy": "Der Server ist gerade zu sehr ausgelastet. Ihre Stimme ist aufbewahrt, und "
    "nichts ist verloren. Senden Sie sie gleich noch einmal; sie kann nicht doppelt zählen.",
    "unsure.answer": "Die Antwort des Servers bestätigt nicht, was gesendet wurde ({code}). Ihre "
    "Stimme ist auf diesem Gerät aufbewahrt. Senden Sie sie noch einmal; geschieht das wieder, "
    "sagen Sie es denen, die Sie eingeladen haben.",
    "unsure.change": "Ihre frühere Stimme gilt, bis diese Änderung bestätigt ist.",
    "unsure.withdraw": "Ihre Stimme gilt, bis diese Rücknahme bestätigt ist.",
    "unsure.again": "Noch einmal senden",
    "refused.title": "Ihre Stimme ist nicht abgegeben.",
    "refused.change": "Ihre frühere Stimme gilt.",
    "refused.change.elsewhere": "Diese Änderung ist nicht erfolgt.",
    "refused.withdraw.elsewhere": "Diese Rücknahme ist nicht erfolgt.",
    "refused.withdraw": "Ihre Stimme gilt.",
    "refused.unknown": "Es ist nicht sicher, ob Ihre Stimme gezählt wurde.",
    "refused.closed": "Die Abstimmung war geschlossen, bevor sie ankam.",
    "refused.closed.unsure": "Die Abstimmung schloss, bevor der Server geantwortet hat. Steht Ihre "
    "Stimme unter Ihrer Quittung auf dem Aushang, wurde sie gezählt: {receipt}",
    "refused.question": "Dieser Einladungscode wurde für eine andere Stimme verwendet. Waren Sie "
    "das auf einem anderen Gerät, machen Sie dort weiter, oder mit der Zugangsdatei, die Sie "
    "gespeichert haben.",
    "refused.code": "Dieser Einladungscode wurde nicht für diese Abstimmung ausgegeben, oder er "
    "wurde widerrufen. Bitten Sie die, die Sie eingeladen haben, um einen anderen.",
    "refused.elsewhere": "Was Sie abgegeben hatten, wurde auf einem anderen Gerät oder mit der "
    "Zugangsdatei geändert oder zurückgezogen, und das gilt.",
    "refused.changes": "Sie wurde so oft geändert, wie diese Abstimmung erlaubt.",
    "refused.deleted": "Diese Abstimmung wurde gelöscht.",
    "refused.other": "Der Server hat sie abgelehnt ({code}): {detail}",
    "refused.back": "Zurück zu meiner Reihenfolge",
    "refused.code.other": "Einen anderen Code eingeben",
    "refused.receipt": "Zurück zu meiner Stimme",
    # receipt and what stands
    "cast.title": "Abgegeben. Bewahren Sie die Quittung auf.",
    "cast.changed": "Geändert. Bewahren Sie die neue Quittung auf.",
    "cast.stands": "Ihre Stimme ist abgegeben.",
    "cast.checked": "Der Server hat sie bestätigt, und die Unterschrift stimmt.",
    "cast.unchecked": "Der Server hat sie bestätigt. Dieser Browser kann die Unterschrift nicht "
    "prüfen; hushvote verify kann es.",
    "cast.restored": "Sie machen mit einer gespeicherten Zugangsdatei weiter. Was Sie abgegeben "
    "haben, gilt, wie es ist.",
    "cast.receipt": "Ihre Quittung",
    "cast.for": "Suchen Sie diese Quittung nach dem Ende der Abstimmung auf dem Aushang: Daneben "
    "muss Ihr Satz stehen, wie Sie ihn gesehen haben. Die Quittung verrät nichts über Ihre "
    "Reihenfolge.",
    "cast.sent": "Sie haben gesendet: {words}",
    "cast.copy": "Quittung kopieren",
    "cast.ack": "Bestätigung speichern",
    "cast.ack.how": "Die Unterschrift des Servers: beweist eine Unterlassung, falls es eine gibt.",
    "cast.credential": "Zugangsdatei speichern",
    "cast.credential.how": "Zum Ändern oder Zurückziehen auf einem anderen Gerät. Behalten Sie sie "
    "für sich; eine Reihenfolge steht nicht darin.",
    "cast.print": "Quittung drucken",
    "cast.qr": "der Aushang dieser Abstimmung, bei Ihrer Quittung",
    "cast.more": "Anders überlegt?",
    "change.button": "Meine Stimme ändern",
    "change.title": "Ihre Stimme ändern?",
    "change.cost": "Eine geänderte Reihenfolge bedeutet einen weiteren Satz, und jeder weitere "
    "verrät ein wenig mehr: Mit {number} davon zusammen lassen sich die Chancen, Ihre Stimme zu "
    "erraten, auf höchstens das {factor}-Fache erhöhen. Das ist {number} mal Epsilon.",
    "change.left.one": "Diese Abstimmung erlaubt noch eine Änderung.",
    "change.left.many": "Diese Abstimmung erlaubt noch {number} Änderungen.",
    "change.yes": "Neu einreihen",
    "change.no": "So lassen",
    "change.none": "Sie haben Ihre Stimme so oft geändert, wie diese Abstimmung erlaubt.",
    "change.never": "In dieser Abstimmung lassen sich Stimmen nicht ändern.",
    "change.now": "Ihre Stimme gilt, bis Sie die neue abgeben.",
    "change.from": "Das ist die Reihenfolge, die Sie abgegeben haben. Ändern Sie sie, oder lassen "
    "Sie Ihre Stimme, wie sie ist.",
    "change.empty": "Sie beginnen ohne Reihenfolge: Dieses Gerät hat nur Ihre Zugangsdatei "
    "bekommen, und darin steht keine.",
    "withdraw.button": "Meine Stimme zurückziehen",
    "withdraw.title": "Ihre Stimme endgültig zurückziehen?",
    "withdraw.cost": "Ihr Satz wird nicht gezählt, und Sie können in dieser Abstimmung nicht noch "
    "einmal abstimmen. Was der Server davon gesehen hat, bleibt gesehen.",
    "withdraw.yes": "Endgültig zurückziehen",
    "withdraw.no": "Meine Stimme behalten",
    "withdrawn.title": "Ihre Stimme ist zurückgezogen.",
    "withdrawn.text": "Sie wird nicht gezählt, und das ist endgültig. Der Server hat es bestätigt.",
    "withdrawn.for": "Der Aushang wird diese Quittung als zurückgezogen nennen.",
    "forget.button": "Auf diesem Gerät vergessen",
    "forget.title": "Löschen, was dieses Gerät von dieser Abstimmung aufbewahrt?",
    "forget.uncast": "Ihre Stimme ist nicht abgegeben. Ihre Reihenfolge und Ihr Code werden hier "
    "gelöscht; um abzustimmen, öffnen Sie Ihren Link noch einmal.",
    "forget.cast": "Ihre Stimme bleibt abgegeben. Ohne gespeicherte Zugangsdatei können Sie sie "
    "nicht mehr ändern oder zurückziehen und hier nicht mehr sehen, was Sie gesendet haben.",
    "forget.yes": "Löschen",
    "forget.no": "Behalten",
    "forgotten.title": "Dieses Gerät hat Ihre Stimme vergessen.",
    "forgotten.text": "Von dieser Abstimmung ist hier nichts mehr aufbewahrt. Um abzustimmen oder "
    "weiterzumachen, öffnen Sie Ihren Link.",
    # a saved credential
    "restore.summary": "Schon auf einem anderen Gerät abgestimmt?",
    "restore.how": "Öffnen Sie die Zugangsdatei, die Sie dort gespeichert haben, und ändern Sie "
    "Ihre Stimme hier, oder ziehen Sie sie zurück.",
    "restore.label": "Ihre Zugangsdatei (.json)",
    # what may be wrong
    "wrong.digest.title": "Ihre Stimme wurde nicht gesendet. Das ist nicht die Abstimmung Ihres "
    "Links.",
    "wrong.digest": "Der Server zeigt eine andere Abstimmung als die, die Ihr Link nennt. Bitten "
    "Sie die, die Sie eingeladen haben, um den richtigen Link.",
    "no.digest.title": "Mit diesem Link lässt sich nichts abgeben.",
    "no.digest.label": "Ihr Link",
    "no.digest.open": "Öffnen",
    "no.digest": "Der Teil hinter dem # fehlt, also ist nicht zu erkennen, ob das die richtige "
    "Abstimmung ist. Öffnen Sie den ganzen Link, wie er Ihnen gesendet wurde.",
    "no.poll.title": "Diese Abstimmung gibt es nicht.",
    "no.poll": "Es wurde nichts gesendet. Öffnen Sie den Link, wie er Ihnen gesendet wurde.",
    "deleted.title": "Diese Abstimmung wurde gelöscht.",
    "deleted": "Sie wurde am {day} gelöscht, und nichts davon ist übrig. Es lässt sich nichts "
    "abgeben.",
    "unreached.title": "Die Abstimmung lässt sich nicht laden.",
    "unreached": "Der Server antwortet nicht. Es wurde nichts gesendet; Ihr Link bleibt gültig.",
    "refuses.title": "Ihre Stimme wurde nicht gesendet. Dieses Gerät lehnt die Abstimmung ab.",
    "closed.title": "Diese Abstimmung ist geschlossen.",
    "closed.uncast": "Sie haben auf diesem Gerät keine Stimme abgegeben.",
    "closed.cast": "Ihre Stimme ist abgegeben. Sie finden sie auf dem Aushang, unter Ihrer "
    "Quittung.",
    "closed.cast.few": "Ihre Stimme ist abgegeben.",
    "closed.withdrawn": "Ihre Stimme wurde zurückgezogen.",
    "closed.result": "Ergebnis ansehen",
    "closed.page": "Seite der Abstimmung ansehen",
    "closed.few": "Gültige Meldungen: {standing}; nötig sind {turnout}. Darum gibt es kein "
    "Ergebnis, zum Schutz derer, die abgestimmt haben.",
    # is my vote secret?
    "secret.title": "Ist meine Stimme geheim?",
    "secret.short": "Ihre Reihenfolge verlässt dieses Gerät nie. Was es verlässt, ist ein Satz mit "
    "Zufall darin, und er verrät wenig über Sie: Wer ihn sieht, kann die eigenen Chancen, Ihre "
    "Stimme zu erraten, auf höchstens das {factor}-Fache erhöhen.",
    "secret.short.some": "Ihre Reihenfolge verlässt dieses Gerät nie. Was es verlässt, ist ein "
    "Satz mit Zufall darin: Wer ihn sieht, kann die eigenen Chancen, Ihre Stimme zu erraten, auf "
    "höchstens das {factor}-Fache erhöhen.",
    "secret.short.little": "Ihre Reihenfolge selbst verlässt dieses Gerät nie. Was es verlässt, "
    "ist ein Satz mit Zufall darin, aber bei Epsilon {epsilon} schützt das wenig: Wer ihn sieht, "
    "kann die eigenen Chancen, Ihre Stimme zu erraten, auf bis zu das {factor}-Fache erhöhen.",
    "secret.who": "Wer was sieht",
    "secret.you": "Dieses Gerät",
    "secret.you.text": "Ihre Reihenfolge, Ihren Satz, Ihre Quittung. Wer dieses Gerät benutzt, "
    "kann sie sehen; „Auf diesem Gerät vergessen“ löscht sie.",
    "secret.operator": "Wer den Server betreibt",
    "secret.operator.text": "Ihren Satz, ungefähr wann er kam, und von welcher Netzadresse. "
    "Chancen, Ihre Stimme zu erraten: höchstens das {factor}-Fache (lokales Epsilon {epsilon}).",
    "secret.public": "Alle, nach dem Ende der Abstimmung",
    "secret.public.crowd": "Alle Sätze, gemischt. Von wem welcher ist, steht nicht dabei. Wenn "
    "mindestens {turnout} Personen ehrlich abstimmen, Chancen, Ihre Stimme zu erraten: höchstens "
    "das {factor}-Fache (Epsilon in der Menge {epsilon}, bis auf eine Wahrscheinlichkeit von eins "
    "zu einer Million).",
    "secret.public.none": "Alle Sätze, gemischt. Von wem welcher ist, steht nicht dabei. Eine "
    "bessere Grenze als die obige wird nicht versprochen, denn mit einem Link kann jemand mehrfach "
    "abstimmen.",
    "secret.public.unknown": "Alle Sätze, gemischt. Von wem welcher ist, steht nicht dabei. Die "
    "obige Grenze gilt; eine bessere für die Menge ist noch nicht berechnet.",
    "secret.organiser": "Wer die Abstimmung leitet",
    "secret.organiser.link": "Wie viele abgestimmt haben, und später, was alle sehen.",
    "secret.organiser.codes": "Wie viele abgestimmt haben, und später, was alle sehen. Wer die "
    "Abstimmung leitet, weiß vielleicht, wem welcher Code gehört, und sieht dann zusammen mit dem "
    "Server, wer abgestimmt hat, und den Satz dieser Person.",
    "secret.organiser.asks": "Wer welchen Code hat, und damit nach dem Ende der Abstimmung den "
    "Satz dieser Person: Ihre Frage steht auf dem Aushang. Nie Ihre Stimme über die obige Grenze "
    "hinaus.",
    "secret.not": "Was nicht geschützt ist",
    "secret.not.voted": "Dass Sie teilgenommen haben, und Ihre Netzadresse beim Server.",
    "secret.not.device": "Was andere auf diesem Gerät sehen oder lesen können.",
    "secret.not.more": "Mehr als ein Satz. Mit {number} davon, so vielen, wie diese Abstimmung "
    "erlaubt, lassen sich die Chancen auf höchstens das {factor}-Fache erhöhen.",
    "secret.not.sold": "Sie können beweisen, welchen Satz Sie gesendet haben, und ein verändertes "
    "Programm könnte ihn wählen: Sätze lassen sich also verkaufen.",
    "secret.script": "Dieses Skript",
    "secret.script.text": "Es kommt von diesem Server, und ein unehrlicher könnte ein anderes "
    "senden. Seine SHA-256-Prüfsumme steht unten: Vergleichen Sie sie mit der veröffentlichten. "
    "Oder vertrauen Sie Ihrer eigenen Kopie: hushvote vote gibt Stimmen im Terminal ab, mit "
    "demselben Link.",
}

BOARD = {
    "title": "Aushang: {question}",
    "top": "Der Aushang einer geschlossenen Abstimmung. Gültige Meldungen: {standing}.",
    "what": "Hier steht jede mit Zufall veränderte Meldung, die gezählt wurde, ohne Namen und "
    "ohne zeitliche Ordnung. Das Ergebnis folgt allein aus ihnen.",
    "to.result": "Zum Ergebnis",
    "unlinked": "Sie sind ohne das Ende des Links hier, darum kann niemand sagen, ob dies die "
    "Abstimmung ist, zu der Sie eingeladen wurden. Vergleichen Sie ihre Prüfsumme mit dem Teil "
    "hinter dem # Ihres Links: {digest}",
    "find": "Ihre Quittung finden",
    "find.label": "Ihre Quittung (64 Ziffern und Buchstaben von a bis f)",
    "find.button": "Suchen",
    "find.form": "Eine Quittung hat 64 Zeichen, jedes eine Ziffer oder ein Buchstabe von a bis "
    "f. Hier sind es {number}.",
    "find.whole": "Ihre Quittung wird nicht gesendet: Der ganze Aushang wird geladen und hier "
    "durchgesehen.",
    "find.prefix": "Von Ihrer Quittung wird nur der Anfang gesendet ({digits}), den mindestens "
    "etwa 32 andere teilen.",
    "find.digit.one": "eine Stelle",
    "find.digit.many": "{number} Stellen",
    "finding": "Wird gesucht.",
    "found": "Ihre Quittung steht auf dem Aushang.",
    "found.says": "Daneben steht dies. Es muss der Satz sein, den Sie vor dem Abgeben gesehen "
    "haben:",
    "found.json": "Die Zeile des Aushangs",
    "spent": "Ihre Quittung gilt nicht mehr: Ihre Stimme wurde geändert oder zurückgezogen.",
    "spent.changed": "Der Aushang nennt die Quittung, die auf sie folgte:",
    "spent.withdrawn": "Sie wurde zurückgezogen, also wurde nichts davon gezählt.",
    "missing": "Ihre Quittung steht nicht auf dem Aushang.",
    "missing.says": "Das ist richtig, wenn Sie Ihre Stimme geändert haben (suchen Sie die "
    "neueste Quittung), sie zurückgezogen haben oder löschen ließen. Sonst speichern Sie den "
    "Aushang, und lassen Sie Ihre Bestätigung die Auslassung beweisen:",
    "missing.erased": "Gelöschte Meldungen haben keine Quittung mehr. Hier ist ihre Zahl {number}.",
    "count": "Die ganze Abstimmung nachzählen",
    "count.says": "Ihr Browser lädt alle Meldungen, prüft den Baum ihrer Prüfsummen und die "
    "Signatur des Servers, zählt sie zusammen und vergleicht das mit dem veröffentlichten "
    "Ergebnis.",
    "count.button": "Nachzählen",
    "counting": "Gezählt: {done} von {all}",
    "holds": "Alle {standing} Meldungen wurden nachgezählt, und das Ergebnis ist das "
    "veröffentlichte.",
    "breaks": "Der Aushang hält der Prüfung nicht stand.",
    "breaks.says": "Speichern Sie ihn jetzt, und sagen Sie es denen, die die Abstimmung leiten. "
    "hushvote verify sagt mehr dazu.",
    "check.poll": "Der Aushang ist der dieser Abstimmung.",
    "check.poll.not": "Der Aushang ist der einer anderen Abstimmung.",
    "check.signed": "Die Signatur des Servers für den Aushang stimmt.",
    "check.signed.not": "Die Signatur des Servers für den Aushang ist falsch.",
    "check.lines": "Jede Zeile hat die einzige Form, die sie haben kann, und jede Quittung "
    "steht einmal da.",
    "check.lines.not": "Zeile {line} ist beschädigt, steht zweimal da oder an der falschen Stelle.",
    "check.tree": "Der Baum aller Prüfsummen hat die Wurzel, die der Server signiert hat.",
    "check.tree.not": "Der Baum aller Prüfsummen hat eine andere Wurzel als die, die der Server "
    "signiert hat.",
    "check.numbers": "Abgegebene Stimmen ohne die zurückgezogenen und gelöschten sind so viele, "
    "wie gültig sind.",
    "check.numbers.not": "Abgegebene Stimmen ohne die zurückgezogenen und gelöschten sind nicht "
    "so viele, wie gültig sind.",
    "check.tally": "Alle Summen sind die des Aushangs.",
    "check.tally.not": "Die Summen sind nicht die des Aushangs.",
    "check.scores": "Alle Punktzahlen sind die veröffentlichten.",
    "check.scores.not": "Die Punktzahlen sind nicht die veröffentlichten.",
    "checked": "Was geprüft wurde",
    "unchecked": "Was nicht",
    "unchecked.signed": "Die Signatur: Dieser Browser kann sie nicht prüfen.",
    "unchecked.rest": "Alles andere: Ohne die erste Zeile weiß niemand, wovon ein Aushang ist.",
    "unchecked.intervals": "Intervalle und wahre Plätze, Änderungen von Quittung zu Quittung, "
    "und Codes: Auch das prüft hushvote verify.",
    "unchecked.copies": "Ob alle denselben Aushang sehen. Vergleichen Sie seine Prüfsumme mit "
    "anderen: {digest}",
    "unchecked.omitted": "Ob eine Stimme ausgelassen wurde: Das zeigen nur Quittungen und "
    "Bestätigungen derer, die abgestimmt haben.",
    "unchecked.script": "Dieses Skript, das vom selben Server kommt.",
    "figures": "Hier gezählt",
    "save": "Aushang speichern",
    "save.says": "Eine Textdatei mit einer Zeile für jede Meldung, für Ihre eigene Kopie von "
    "hushvote:",
    "open": "Der Aushang wird gezeigt, wenn die Abstimmung geschlossen ist.",
    "open.says": "Dann steht hier jede mit Zufall veränderte Meldung, und Sie können Ihre "
    "Quittung finden.",
    "few": "Es gibt keinen Aushang.",
    "few.says": "Gültige Meldungen: {standing}. Nötig: {turnout}. Darum wird nichts gezeigt, "
    "zum Schutz derer, die abgestimmt haben.",
    "wrong.digest": "Dies ist nicht die Abstimmung Ihres Links.",
    "wrong.digest.says": "Der Server zeigt eine andere Abstimmung als die, die Ihr Link nennt. "
    "Fragen Sie, wer Sie eingeladen hat.",
    "none": "Diese Abstimmung gibt es nicht.",
    "none.says": "Öffnen Sie die Adresse so, wie Sie sie bekommen haben.",
    "deleted": "Diese Abstimmung wurde gelöscht.",
    "deleted.says": "Sie wurde am {day} gelöscht, und nichts von ihr ist übrig.",
    "damaged": "Was der Server gesendet hat, ist nicht lesbar.",
    "damaged.says": "Es ist beschädigt oder gar kein Aushang. Speichern Sie es unten als Beweis, "
    "und sagen Sie es denen, die die Abstimmung veranstalten. hushvote verify sagt mehr dazu.",
    "unreached": "Der Aushang lässt sich nicht laden.",
    "unreached.says": "Der Server antwortet gerade nicht.",
}

PAGES = {"shell": SHELL, "shared": SHARED, "ballot": BALLOT, "board": BOARD, **ORGANISERS}
