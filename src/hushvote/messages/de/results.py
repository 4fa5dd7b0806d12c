"""What a result means, and the words of its table."""

TABLE = {
    "table.place": "Platz",
    "table.candidate": "Name",
    "table.score": "Punktzahl",
    "table.error": "Fehler",
    "table.interval": "Intervall ({sure})",
    "table.true_place": "wahrer Platz",
    "table.first": "wirklich vorn",
    "table.figure": "{value:.4f}",
    "table.ends": "{low:.4f} bis {high:.4f}",
}

SEATS = {  # who is elected
    "seats.sure": "Sitze, die mit {sure} Sicherheit vergeben sind: alle {seats}, an {names}.",
    "seats.open": (
        "Sitze, die mit {sure} Sicherheit vergeben sind: {settled} von {seats}, an {names}. Der "
        "Rest kann an {rivals} gehen."
    ),
    "seats.none": (
        "Sitze, die mit {sure} Sicherheit vergeben sind: keiner von {seats}. Sie können an "
        "{rivals} gehen."
    ),
}

RESULTS = {
    "win.sure": (
        "{leader} hat gewonnen: Mit {sure} Sicherheit hat sonst niemand eine so hohe wahre "
        "Punktzahl."
    ),
    "win.open": (
        "Niemand hat sicher gewonnen: {leader} führt, doch in Wahrheit kann der erste Platz auch "
        "an {rivals} gehen ({sure} Sicherheit)."
    ),
    "win.open.tied": (
        "Niemand hat sicher gewonnen: {leader} liegt gleichauf an der Spitze, doch in Wahrheit "
        "kann der erste Platz auch an {rivals} gehen ({sure} Sicherheit)."
    ),
    "win.open.chance": (
        "Niemand hat sicher gewonnen: {leader} führt, doch in Wahrheit kann der erste Platz auch "
        "an {rivals} gehen ({sure} Sicherheit). Die Wahrscheinlichkeit, dass {leader} wirklich "
        "vorn liegt, beträgt {first}."
    ),
    "win.open.tied.chance": (
        "Niemand hat sicher gewonnen: {leader} liegt gleichauf an der Spitze, doch in Wahrheit "
        "kann der erste Platz auch an {rivals} gehen ({sure} Sicherheit). Die Wahrscheinlichkeit, "
        "dass {leader} wirklich vorn liegt, beträgt {first}."
    ),
    "distrusted.sure": (
        "Diesen Meldungen ist nicht zu trauen, darum wird kein Sieg verkündet; wären sie ehrlich, "
        "hätte {leader} mit {sure} Sicherheit gewonnen."
    ),
    "distrusted.open": (
        "Diesen Meldungen ist nicht zu trauen, darum wird kein Sieg verkündet; selbst wenn sie "
        "ehrlich wären, hätte niemand sicher gewonnen."
    ),
    "distrusted.withstood": (
        "Nicht allen diesen Meldungen ist zu trauen: Der erfundene Teil umfasst nach dem, was sie "
        "zeigen, mindestens etwa {fakes}. {leader} hat trotzdem gewonnen: Das gilt bei bis zu "
        "{most:,} Meldungen, die erfunden wurden, um größtmöglichen Schaden anzurichten ({sure} "
        "Sicherheit). Über die anderen Plätze wird nichts gesagt."
    ),
    "needed": (
        "{leader} und {rival} liegen {gap} auseinander; ist das der wahre Abstand, würden "
        "insgesamt etwa {reports:,} Meldungen höchstwahrscheinlich entscheiden."
    ),
    "needed.beyond": (
        "{leader} und {rival} liegen {gap} auseinander, doch der wahre Abstand beträgt höchstens "
        "{most}; selbst dann wären insgesamt etwa {reports:,} Meldungen nötig, um zu entscheiden."
    ),
    "needed.unknown": (
        "{leader} und {rival} liegen zu nah beieinander, um zu sagen, wie viele Meldungen "
        "entscheiden würden."
    ),
    "still_open": (
        "Die Abstimmung läuft noch: Bisher führt {leader}. Vor dem Ende steht niemand sicher fest, "
        "denn wer immer wieder nachsieht, stößt irgendwann durch Zufall auf einen Sieg."
    ),
    "too_few": (
        "Weniger als {least} Meldungen sind zu wenige, um zwei Kandidaten zu unterscheiden oder zu "
        "sagen, wie wahrscheinlich jemand vorn liegt."
    ),
    "tied": "Genau gleichauf: {names}.",
    "basis": (
        "{reports}. Die Punktzahlen sind geschätzte Mittelwerte dieser Stimmen; die Intervalle und "
        "ebenso die wahren Plätze gelten mit {sure} Sicherheit für alle Kandidaten zugleich."
    ),
    "basis.distrusted": (
        "{reports}. Die Punktzahlen sind geschätzte Mittelwerte dieser Stimmen; die Intervalle und "
        "ebenso die wahren Plätze gelten mit {sure} Sicherheit für alle Kandidaten zugleich, wenn "
        "die Meldungen ehrlich sind."
    ),
    "basis.open": (
        "Bisher {reports}. Die Punktzahlen sind geschätzte Mittelwerte dieser Stimmen; die "
        "Intervalle gelten mit {sure} Sicherheit für alle Kandidaten zugleich, aber nur für einen "
        "einzigen Blick."
    ),
    "basis.survey.open": (
        "Bisher {reports}. Die Punktzahlen sind geschätzte Mittelwerte der Grundgesamtheit, aus "
        "der diese Stimmen zufällig gezogen wurden; die Intervalle gelten mit {sure} Sicherheit "
        "für alle Kandidaten zugleich, aber nur für einen einzigen Blick."
    ),
    "basis.survey": (
        "{reports}. Die Punktzahlen sind geschätzte Mittelwerte der Grundgesamtheit, aus der diese "
        "Stimmen zufällig gezogen wurden; die Intervalle und ebenso die wahren Plätze gelten mit "
        "{sure} Sicherheit für alle Kandidaten zugleich."
    ),
    "basis.survey.distrusted": (
        "{reports}. Die Punktzahlen sind geschätzte Mittelwerte der Grundgesamtheit, aus der diese "
        "Stimmen zufällig gezogen wurden; die Intervalle und ebenso die wahren Plätze gelten mit "
        "{sure} Sicherheit für alle Kandidaten zugleich, wenn die Meldungen ehrlich sind."
    ),
    "caveat.no_key": (
        "Kein Schlüssel bindet die Fragen an Berechtigungen, daher kann, wer betrügt, auch die "
        "Frage aussuchen: Jede unehrliche Meldung zählt mit dem größten Abstand."
    ),
    "caveat.link": (
        "Abstimmen konnten alle, die den Link hatten, und zwar mit mehreren Geräten oder Browsern "
        "auch mehrmals: Ein Link verhindert das nicht, und die Meldungen zeigen es nicht."
    ),
    "caveat.not_issued": (
        "Jede unehrliche Meldung zählt mit der Frage, die ihr am meisten nützt, denn die Zahl der "
        "ausgegebenen Berechtigungen ist nicht angegeben."
    ),
}
