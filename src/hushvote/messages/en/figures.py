"""Figures, titles and the words of pictures."""

FIGURES = {
    "percent": "{value:.6g} %",
    "percent.nearly_all": "more than 99.9999 %",
    "chance": "{value:.0f} %",
    "chance.fine": "{value:.1f} %",
    "chance.lowest": "< {value:g} %",
    "chance.highest": "> {value:g} %",
    "chance.unknown": "?",
    "places.one": "{place}",
    "places.two": "{best} or {worst}",
    "places.many": "{best} to {worst}",
    "points.one": "{value:.3g} point",
    "points.many": "{value:.3g} points",
    "end": "{value:,.0f}",
    "end.fine": "{value:,.1f}",
    "span": "{low} to {high}",
    "highest.one": "first on every ballot",
    "highest.some": "among the first {ranks} on every ballot",
    "highest.all_but_one": "last on no ballot",
    "lowest.one": "last on every ballot",
    "lowest.some": "among the last {ranks} on every ballot",
    "lowest.others": "among the first {ranks} on no ballot",
    "lowest.all_but_one": "first on no ballot",
    "list.comma": ", ",
    "list.and": "{most} and {last}",
    "list.or": "{most} or {last}",
    "list.or_others": "{most} or {others} others",
    "protection.little": (
        "At epsilon {epsilon:g} whoever sees a report can multiply their odds about the vote by "
        "up to {odds}: that protects little."
    ),
    "odds": "{value:,f}",
}

TITLES = {
    "rule": "{name} over {d} candidates",
    "title": "{label}, {rule}, epsilon {epsilon:g}",
    "title.open": "{title}, still open",
    "title.distrusted": "{title}, not to be trusted",
    "title.doubted": "{title}, some reports not to be trusted",
    "label.size": "{name} (k = {k})",
}

PICTURES = {
    "picture.trade_off": "{rule}, epsilon {epsilon:g}",
    "picture.trade_off.cap": "{name} under a cap",
    "picture.trade_off.x": "shift of two candidates by one fake report (points)",
    "picture.trade_off.y": "error of one report (MSE)",
    "picture.result": "{title}, {reports}",
    "picture.result.place": "place {places}",
    "picture.result.certified": "place {places}, certified",
    "picture.result.elected": "place {places}, elected",
    "picture.result.cut": (
        "What lies beyond the possible scores is cut off: estimates may lie there, true scores "
        "cannot."
    ),
    "picture.result.x": "mean score of these voters, with intervals that hold together at {sure}",
    "picture.result.x.survey": (
        "mean score of the population, with intervals that hold together at {sure}"
    ),
    "picture.plan": "The lead that can be certified: {title}",
    "picture.plan.epsilon": "epsilon {epsilon:g}",
    "picture.plan.most": "the largest lead that there can be",
    "picture.plan.crowded": "Where lines are so close that a number does not fit, it is left out.",
    "picture.plan.x": "voters",
    "picture.plan.y": "lead (points of the mean score)",
    "picture.boxes": (
        "No font on this computer has {letters}, so the picture shows boxes there; install one "
        "that does, such as Noto Sans for that script."
    ),
    "picture.simulation": "{rule}, {voters}",
    "picture.epsilon": "epsilon (more privacy on the left)",
    "metric.mse": "mean squared error",
    "metric.tve": "total variation error",
    "metric.mae": "largest error of a score",
    "metric.aow": "right winner (share of polls)",
    "metric.low": "mean loss in points (root scale)",
    "metric.em": "mean size of a report",
}
