"""What a voter's device shows: reports in words, and why it refuses."""

REPORTS = {  # what a voter is shown of one report
    "group": "{{{members}}}",
    "group.before": "{better} vor {worse}",
    "report.over": "{above} über {below}",
    "report.yes": "Stelle ich {above} über {below}? Ich sage Ja.",
    "report.no": "Stelle ich {above} über {below}? Ich sage Nein.",
    "report.named": "Ich nenne {names}.",
    "report.marks.for": "Ich markiere {names}; Markierungen zählen zugunsten der Markierten.",
    "report.marks.against": "Ich markiere {names}; Markierungen zählen zulasten der Markierten.",
    "report.nobody.for": "Ich markiere niemanden; Markierungen zählen zugunsten der Markierten.",
    "report.nobody.against": (
        "Ich markiere niemanden; Markierungen zählen zulasten der Markierten."
    ),
    "report.scores": "Meine Punktzahlen, unscharf gemacht: {scores}.",
    "report.score": "{name} ({score:.2f})",
}

REFUSALS = {  # why a voter's device does not vote, by the code of the refusal or by its kind
    "": "Hier stimmt etwas nicht; es wurde nichts gesendet ({code}).",
    "poll": (
        "Die Beschreibung dieser Abstimmung ist beschädigt oder gefälscht; es wurde nichts "
        "gesendet ({code})."
    ),
    "poll.digest": ("Das ist nicht die Abstimmung, die Ihr Link nennt; es wurde nichts gesendet."),
    "poll.version": "Diese Abstimmung braucht eine andere Version von hushvote.",
    "name": "Ein Name in dieser Abstimmung lässt sich nicht richtig anzeigen ({code}).",
    "rule": "Die Wahlregel dieser Abstimmung ist beschädigt oder gefälscht ({code}).",
    "parameters": (
        "Die Zahlen, mit denen diese Abstimmung auslost, sind beschädigt oder gefälscht ({code})."
    ),
    "parameters.epsilon": (
        "Diese Abstimmung nennt ein Epsilon, das nicht schützt, oder gar keines."
    ),
    "parameters.odds": "Diese Abstimmung würde mehr über Ihre Stimme verraten, als sie angibt.",
    "parameters.cost": "Diese Abstimmung verlangt mehr Rechenarbeit, als ein Gerät leisten sollte.",
    "parameters.mechanism": (
        "Diese Abstimmung lost auf eine Weise aus, die dieses Gerät nicht kennt."
    ),
    "question": "Die Fragen dieser Abstimmung sind beschädigt oder gefälscht ({code}).",
    "question.hash": (
        "Ihr Einladungscode ergibt keine Frage; nehmen Sie ihn so, wie er Ihnen gesendet wurde."
    ),
    "question.missing": "Diese Abstimmung braucht Ihren Einladungscode.",
    "question.needless": "Diese Abstimmung stellt Ihnen keine eigene Frage.",
    "ranking": "Das ist keine Reihenfolge der Kandidaten ({code}).",
    "ranking.length": "In Ihrer Reihenfolge fehlen Kandidaten, die darin stehen müssen.",
    "report": "Das ist keine Meldung dieser Abstimmung ({code}).",
    "credential": (
        "Das ist keine Zugangsdatei, oder sie ist beschädigt: Nehmen Sie die Datei so, wie sie "
        "gespeichert wurde."
    ),
    "ack": (
        "Die Antwort bestätigt nicht, was gesendet wurde ({code}): Bewahren Sie sie auf, und "
        "fragen Sie nach dem Grund."
    ),
    "code.form": (
        "Ein Code hat 21 Ziffern und Buchstaben; hier fehlen welche, oder es sind zu viele."
    ),
    "code.check": "In diesem Code ist ein Zeichen falsch, oder zwei sind vertauscht.",
    "state.poll": "Was hier aufbewahrt ist, gehört zu einer anderen Abstimmung.",
    "state.spent": (
        "Sie haben so viele Meldungen gesehen, wie diese Abstimmung erlaubt; wählen Sie eine davon."
    ),
    "state.changes": "Sie haben Ihre Stimme so oft geändert, wie diese Abstimmung erlaubt.",
    "state.unanswered": (
        "Was zuletzt gesendet wurde, ist noch nicht bestätigt: Senden Sie es zuerst noch einmal."
    ),
    "state.unasked": "Es wurde nichts gesendet, das bestätigt werden könnte.",
    "state.uncast": "Es gibt noch keine Stimme, die Sie zurückziehen könnten.",
    "state.withdrawn": "Ihre Stimme ist zurückgezogen, und das ist endgültig.",
}
