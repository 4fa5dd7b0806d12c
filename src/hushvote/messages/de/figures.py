"""Figures, titles and the words of pictures."""

FIGURES = {
    "percent": "{value:.6g} %",
    "percent.nearly_all": "mehr als 99,9999 %",
    "chance": "{value:.0f} %",
    "chance.fine": "{value:.1f} %",
    "chance.lowest": "< {value:g} %",
    "chance.highest": "> {value:g} %",
    "chance.unknown": "?",
    "places.one": "{place}",
    "places.two": "{best} oder {worst}",
    "places.many": "{best} bis {worst}",
    "points.one": "{value:.3g} Punkt",
    "points.many": "{value:.3g} Punkte",
    "end": "{value:,.0f}",
    "end.fine": "{value:,.1f}",
    "span": "{low} bis {high}",
    "highest.one": "auf jedem Stimmzettel zuerst",
    "highest.some": "auf jedem Stimmzettel unter den ersten {ranks}",
    "highest.all_but_one": "auf keinem Stimmzettel zuletzt",
    "lowest.one": "auf jedem Stimmzettel zuletzt",
    "lowest.some": "auf jedem Stimmzettel unter den letzten {ranks}",
    "lowest.others": "auf keinem Stimmzettel unter den ersten {ranks}",
    "lowest.all_but_one": "auf keinem Stimmzettel zuerst",
    "list.comma": ", ",
    "list.and": "{most} und {last}",
    "list.or": "{most} oder {last}",
    "list.or_others": "{most} oder {others} weitere",
    "protection.little": (
        "Bei Epsilon {epsilon:g} kann, wer eine Meldung sieht, die eigenen Chancen, die Stimme "
        "dahinter zu erraten, auf bis zu das {odds}-Fache erhöhen: Das schützt wenig."
    ),
    "odds": "{value:,f}",
}

TITLES = {
    "rule": "{name} mit {d} Kandidaten",
    "title": "{label}, {rule}, Epsilon {epsilon:g}",
    "title.open": "{title}, noch offen",
    "title.distrusted": "{title}, nicht vertrauenswürdig",
    "title.doubted": "{title}, einige Meldungen nicht vertrauenswürdig",
    "label.size": "{name} (k = {k})",
}

PICTURES = {
    "picture.trade_off": "{rule}, Epsilon {epsilon:g}",
    "picture.trade_off.cap": "{name} mit Obergrenze",
    "picture.trade_off.x": (
        "Verschiebung zweier Kandidaten durch eine gefälschte Meldung (Punkte)"
    ),
    "picture.trade_off.y": "Fehler einer Meldung (mittlerer quadratischer, MSE)",
    "picture.result": "{title}, {reports}",
    "picture.result.place": "Platz {places}",
    "picture.result.certified": "Platz {places}, gesichert",
    "picture.result.elected": "Platz {places}, gewählt",
    "picture.result.cut": (
        "Was über die möglichen Punktzahlen hinausgeht, ist abgeschnitten: Schätzungen können "
        "dort liegen, wahre Punktzahlen nicht."
    ),
    "picture.result.x": (
        "mittlere Punktzahl dieser Stimmen, mit Intervallen, die mit {sure} Sicherheit zugleich "
        "gelten"
    ),
    "picture.result.x.survey": (
        "mittlere Punktzahl der Grundgesamtheit, mit Intervallen, die mit {sure} Sicherheit "
        "zugleich gelten"
    ),
    "picture.plan": "Vorsprung, der sich nachweisen lässt: {title}",
    "picture.plan.epsilon": "Epsilon {epsilon:g}",
    "picture.plan.most": "der größte mögliche Vorsprung",
    "picture.plan.crowded": (
        "Wo Linien so nahe beieinander liegen, dass eine Zahl nicht dazwischen passt, fehlt sie."
    ),
    "picture.plan.x": "Stimmen",
    "picture.plan.y": "Vorsprung (Punkte der mittleren Punktzahl)",
    "picture.boxes": (
        "Keine Schrift auf diesem Rechner hat {letters}, das Bild zeigt dort Kästchen; "
        "eine passende hilft, etwa Noto Sans für diese Schriftzeichen."
    ),
    "picture.simulation": "{rule}, {voters}",
    "picture.epsilon": "Epsilon (links mehr Schutz)",
    "metric.mse": "mittlerer quadratischer Fehler",
    "metric.tve": "Fehler in Totalvariation",
    "metric.mae": "größter Fehler einer Punktzahl",
    "metric.aow": "richtiger erster Platz (Anteil der Abstimmungen)",
    "metric.low": "mittlerer Verlust, Punkte (Wurzelskala)",
    "metric.em": "mittlere Größe einer Meldung",
}
