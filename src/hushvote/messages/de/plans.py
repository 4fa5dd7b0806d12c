"""What is said before a poll."""

PLAN = {  # before a poll
    "plan": (
        "Mit {voters} und einem lokalen Epsilon von {epsilon:g} lässt sich ein Vorsprung sehr "
        "wahrscheinlich ({power}) nachweisen, wenn er {lead} beträgt; die Punktzahlen gehen von "
        "{low:g} bis {high:g}."
    ),
    "plan.survey": (
        "Mit {voters} aus einer Zufallsstichprobe und einem lokalen Epsilon von {epsilon:g} lässt "
        "sich ein Vorsprung in der ganzen Grundgesamtheit sehr wahrscheinlich ({power}) "
        "nachweisen, wenn er {lead} beträgt; die Punktzahlen gehen von {low:g} bis {high:g}."
    ),
    "plan.seats": (
        "Mit {voters} und einem lokalen Epsilon von {epsilon:g} lässt sich sehr wahrscheinlich "
        "({power}) nachweisen, wer die {seats} Sitze bekommt, wenn der Abstand vom letzten Sitz "
        "zum nächsten Platz {lead} beträgt; die Punktzahlen gehen von {low:g} bis {high:g}."
    ),
    "plan.seats.survey": (
        "Mit {voters} aus einer Zufallsstichprobe und einem lokalen Epsilon von {epsilon:g} lässt "
        "sich sehr wahrscheinlich ({power}) nachweisen, wem die ganze Grundgesamtheit die {seats} "
        "Sitze gäbe, wenn der Abstand vom letzten Sitz zum nächsten Platz {lead} beträgt; die "
        "Punktzahlen gehen von {low:g} bis {high:g}."
    ),
    "plan.example": "So ist es zu lesen: {words}",
    "plan.title.lead": "Vorsprung {lead}",
    "plan.title.sample": "Zufallsstichprobe",
    "plan.dash.lead": (
        "–: Mit so wenigen Stimmen lässt sich bei diesem Epsilon kein Vorsprung nachweisen, nicht "
        "einmal der größte mögliche; nehmen Sie ein größeres Epsilon oder mehr Stimmen (nie "
        "weniger als {least})."
    ),
    "plan.dash.epsilon": (
        "–: Mit so wenigen Stimmen lässt sich dieser Vorsprung bei keinem Epsilon bis {most:g} "
        "nachweisen; planen Sie mit einem größeren Vorsprung oder mehr Stimmen (nie weniger als "
        "{least})."
    ),
    "plan.lead": (
        "Vorsprung: wie weit der erste Platz vor allen anderen liegen muss, in Punkten der "
        "mittleren Punktzahl; der größte mögliche beträgt {most}."
    ),
    "plan.lead.seats": (
        "Vorsprung: wie weit der letzte Sitz vor dem nächsten Platz liegen muss, in Punkten der "
        "mittleren Punktzahl; der größte mögliche beträgt {most}."
    ),
    "plan.share": "Anteil: der Vorsprung als Teil dieses größten.",
    "plan.local": (
        "lokales Epsilon: gilt gegenüber allen, die eine Meldung eingehen sehen, auch gegenüber "
        "denen, die den Server betreiben; die Meldung vervielfacht ihre Chancen, die Stimme "
        "dahinter zu erraten, höchstens mit der Zahl unter „Chancen“."
    ),
    "plan.crowd": (
        "Epsilon in der Menge: gilt gegenüber allen, die nur die Gesamtheit der Meldungen sehen, "
        "wenn mindestens {turnout:,} davon ehrlich sind, bis auf eine Wahrscheinlichkeit von 1 zu "
        "{chance:,}."
    ),
    "plan.crowd.each": (
        "Epsilon in der Menge: gilt gegenüber allen, die nur die Gesamtheit der Meldungen sehen, "
        "wenn so viele ehrliche eingehen, wie Stimmen angegeben sind, bis auf eine "
        "Wahrscheinlichkeit von 1 zu {chance:,}."
    ),
    "plan.crowd.few": (
        "Epsilon in der Menge: So wenige Meldungen sind bei einem solchen Epsilon noch keine "
        "Menge; rechnen Sie auch gegenüber allen, die nur ihre Gesamtheit sehen, mit dem lokalen "
        "Epsilon."
    ),
    "plan.crowd.traceable": (
        "Epsilon in der Menge: In der Gesamtheit der Meldungen ist nichts gewonnen, denn bei "
        "{mechanism} zeigen sie, von wem sie sind; es gilt das lokale Epsilon."
    ),
}
