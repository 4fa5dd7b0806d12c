"""The page that shows it all: figures in the paper's order, their data, and the ledger.

One file that asks no other host for anything; pictures are part of it.
"""

import base64
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from hushvote.messages import counted
from hushvote.plots.lines import ERRORS
from hushvote.reproduction.grid import Figure, named_figures
from hushvote.reproduction.ledger import CLEAR, Finding, Judged, provisional
from hushvote.reproduction.points import of_panel
from hushvote.simulation.points import Row

STYLE = """
:root { color-scheme: light dark; --line: #c9ced6; --soft: #f3f5f8; --good: #0b6e4f;
  --bad: #a4262c; --mend: #6b4e00; --link: #0b5cad }
@media (prefers-color-scheme: dark) { :root { --line: #4a515c; --soft: #23272e; --good: #5fd3a8;
  --bad: #ff9a9a; --mend: #f0c36d; --link: #8ec5ff } }
* { box-sizing: border-box }
body { font: 1rem/1.55 system-ui, sans-serif; max-width: 62rem; margin: 0 auto; padding: 1rem }
a { color: var(--link) }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px }
.skip { position: absolute; left: -99rem }
.skip:focus { position: static }
h1 { line-height: 1.2; margin-top: .5rem }
h2 { margin-top: 3rem; border-bottom: 1px solid var(--line); padding-bottom: .3rem }
h3 { margin: 2.5rem 0 .5rem; line-height: 1.3 }
figure { margin: .75rem 0 }
figure img { width: 100%; min-width: 36rem; height: auto; background: #fff; display: block }
.picture { border: 1px solid var(--line); border-radius: 6px }
.wide { overflow-x: auto }
table { border-collapse: collapse; font-size: .92rem; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem;
  border-bottom: 1px solid var(--line) }
td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
thead th { background: var(--soft) }
summary { cursor: pointer; padding: .3rem 0 }
nav ol { columns: 19rem; padding-left: 2.2rem }
.verdict { font-weight: 600 }
.good { color: var(--good) } .bad { color: var(--bad) } .mend { color: var(--mend) }
.note { font-size: .92rem; opacity: .85 }
@media (max-width: 40rem) { .ledger thead { position: absolute; left: -99rem }
  .ledger tr { display: block; border-bottom: 2px solid var(--line); padding: .5rem 0 }
  .ledger td, .ledger th { display: block; border: 0; padding: .15rem 0; text-align: left }
  .ledger td::before { content: attr(data-label) ": "; opacity: .75 } }
"""

MARKS = {
    "reproduced": ("good", "✓"),
    "reproduced after correction": ("mend", "✓"),
    "not reproduced": ("bad", "✗"),
    "undecided": ("", "?"),
}


def page(
    figures: Sequence[Figure],
    pictures: Mapping[str, bytes],
    rows: Sequence[Row],
    ledger: Sequence[Judged],
    ours: Sequence[tuple[str, Finding]],
    about: Mapping[str, Any],
) -> str:
    """The whole page; `pictures` holds each figure as SVG."""
    data: dict[str, list[Row]] = {figure.name: [] for figure in figures}
    for row in rows:
        data[row["figure"]].append(row)
    shown = "\n".join(
        _figure(figure, pictures[figure.name], data[figure.name], about) for figure in figures
    )
    listed = "\n".join(
        f'<li value="{figure.number}"><a href="#{figure.name}">{escape(figure.title)}</a></li>'
        for figure in figures
    )
    epsilons = ", ".join(f"{epsilon:g}" for epsilon in about["epsilons"])
    runs = f"{counted(about['runs'], 'poll')} a point, simulated, seed {about['seed']}"
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Votes with local privacy: the evaluation, reproduced</title>
<style>{STYLE}</style>
</head>
<body>
<a class="skip" href="#claims">Skip to the claims</a>
<header>
<h1>Votes with local privacy: the evaluation, reproduced</h1>
<p>Every figure of the evaluation in Wang et al., <i>Aggregating Votes with Local Differential
Privacy</i> (arXiv 1908.04920, 2019), computed anew by hushvote {escape(str(about["version"]))}:
{runs}. Duel, and under attack also challenge, are hushvote's own mechanisms beside the
paper's.</p>
</header>
<nav aria-label="Contents">
<ul><li><a href="#claims">The paper's claims</a></li>
<li><a href="#ours">What duel and challenge add</a></li>
<li><a href="#figures">Figures</a></li>
<li>All points: <a href="points.csv">CSV</a>, <a href="points.parquet">Parquet</a>;
the ledger: <a href="claims.json">JSON</a></li></ul>
</nav>
<main>
<h2 id="claims">The paper's claims</h2>
{_ledger(ledger, provisional(ledger, about["runs"]))}
<h2 id="ours">What duel and challenge add</h2>
{_ours(ours)}
<h2 id="figures">Figures</h2>
<p>With the paper's numbers. Bars reach {ERRORS} standard errors up and down, but never to where
no value can be. Marks of different mechanisms are set a little apart to the left and right.
Epsilon: {epsilons}.</p>
<ol>
{listed}
</ol>
{shown}
</main>
</body>
</html>
"""


def _ledger(ledger: Sequence[Judged], caveat: str) -> str:
    if not ledger:
        return "<p>None of the claims rests on these figures alone; reproduce all figures.</p>"
    rows = []
    for judged in ledger:
        claim, finding = judged.claim, judged.finding
        kind, mark = MARKS[judged.verdict]
        links = ", ".join(
            f'<a href="#{figure.name}">figure {figure.number}</a>'
            for figure in named_figures(claim.figures)
        )
        notes = [note for note in (finding.detail, claim.correction) if note]
        rows.append(
            f'<tr><th scope="row">{escape(claim.statement)}</th>'
            f'<td data-label="Verdict" class="verdict {kind}">{mark} {judged.verdict}</td>'
            f'<td data-label="Measured" class="number">{escape(str(finding))}</td>'
            f'<td data-label="Counts as reproduced">{escape(claim.criterion)}'
            + "".join(f'<br><span class="note">{escape(note)}</span>' for note in notes)
            + f'<br><span class="note">{links}</span></td></tr>'
        )
    return (
        f"<p>Verdicts follow from the measured figures alone. What lies less than {CLEAR} standard "
        "errors from the limit is undecided; ± is one standard error, and figures without one are "
        "closed forms or plain counts."
        + (f" <strong>{escape(caveat)}</strong>" if caveat else "")
        + "</p>\n"
        '<table class="ledger"><thead><tr><th scope="col">Claim, in our words</th>'
        '<th scope="col">Verdict</th><th scope="col">Measured</th>'
        '<th scope="col">Counts as reproduced, and what else was seen</th></tr></thead>\n<tbody>'
        + "\n".join(rows)
        + "</tbody></table>"
    )


def _ours(ours: Sequence[tuple[str, Finding]]) -> str:
    if not ours:
        return "<p>Reproduce all figures to see this.</p>"
    rows = "\n".join(
        f'<tr><th scope="row">{escape(said)}</th>'
        f'<td class="number">{escape(str(finding))}</td></tr>'
        for said, finding in ours
    )
    return (
        '<table><thead><tr><th scope="col">On average over the points of a figure</th>'
        f'<th scope="col">Measured</th></tr></thead>\n<tbody>{rows}</tbody></table>'
    )


def _figure(figure: Figure, picture: bytes, rows: Sequence[Row], about: Mapping[str, Any]) -> str:
    source = base64.b64encode(picture).decode()
    alt = f"{figure.title}: lines for {', '.join(figure.series)} against epsilon. {figure.caption}"
    runs = "" if figure.kind == "theory" else f" {counted(about['runs'], 'poll')} a point."
    files = ", ".join(
        f'<a href="figures/{figure.name}.{suffix}">{suffix.upper()}</a>'
        for suffix in ("png", "svg", "csv")
    )
    return f"""<article aria-labelledby="{figure.name}">
<h3 id="{figure.name}">Figure {figure.number}: {escape(figure.title)}</h3>
<figure><div class="wide picture" role="region" tabindex="0" aria-label="{figure.name}">
<img alt="{escape(alt)}" loading="lazy" src="data:image/svg+xml;base64,{source}"></div>
<figcaption>{escape(figure.caption)}{runs} {files}. <code>{figure.name}</code></figcaption></figure>
<details><summary>The data behind {escape(figure.name)}</summary>
{_data(figure, rows, about["epsilons"])}</details>
</article>"""


def _data(figure: Figure, rows: Sequence[Row], epsilons: Sequence[float]) -> str:
    """One row a panel and epsilon, one column a mechanism."""
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in figure.series)
    body = []
    for panel in figure.panels:
        found = {(row["epsilon"], row["mechanism"]): row for row in of_panel(panel, rows)}
        for epsilon in epsilons:
            cells = (found[float(epsilon), name] for name in figure.series)
            body.append(
                f'<tr><th scope="row">{escape(panel.title)}, {epsilon:g}</th>'
                + "".join(f'<td class="number">{_point(cell)}</td>' for cell in cells)
                + "</tr>"
            )
    return (
        f'<div class="wide" role="region" tabindex="0" aria-label="Data of {figure.name}">'
        f'<table><thead><tr><th scope="col">Panel, epsilon</th>{head}</tr></thead>'
        f"<tbody>{''.join(body)}</tbody></table></div>"
    )


def _point(row: Row) -> str:
    mean, se = f"{row['mean']:.4g}", f"{row['se']:.2g}"
    return mean if not row["runs"] else f"{mean} ± {se}"
