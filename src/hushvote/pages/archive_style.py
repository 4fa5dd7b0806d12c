"""How the page of an archive looks: paper, one column, nothing that moves."""

STYLE = """
:root {
  color-scheme: light dark;
  --paper: #fbfaf7; --card: #fff; --ink: #1d2430; --soft: #566072; --line: #d9d6ce;
  --wash: #e8f0f8; --accent: #0b5fa5; --good: #1b6e45; --warn: #8a4b00; --bad: #a3262a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #12161c; --card: #1a2029; --ink: #e9edf3; --soft: #a4aebd; --line: #333d4a;
    --wash: #1b2a3a; --accent: #7db8f0; --good: #6fcf97; --warn: #f0b45b; --bad: #f28b82;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 17px/1.5 system-ui, sans-serif; overflow-wrap: break-word;
}
main { max-width: 46rem; margin: 0 auto; padding: 40px 24px 64px; }
h1 { font-size: 34px; line-height: 1.2; font-weight: 600; margin: 8px 0 12px; text-wrap: balance; }
h2 { font-size: 21px; line-height: 1.3; font-weight: 600; margin: 40px 0 12px; }
p { margin: 0 0 12px; max-width: 62ch; }
.soft { color: var(--soft); }
.small { font-size: 14px; }
.verdict {
  margin: 24px 0 0; padding: 20px 24px; background: var(--card); border: 1px solid var(--line);
  border-left: 6px solid var(--warn); border-radius: 10px;
}
.verdict.sure { border-left-color: var(--good); }
.verdict.bad { border-left-color: var(--bad); }
.verdict h2 { margin: 0; font-size: 27px; line-height: 1.25; font-weight: 600; }
.verdict p { margin: 8px 0 0; }
.warning {
  margin-top: 16px; padding: 16px 24px; border: 1px solid var(--bad); border-radius: 10px;
  background: var(--card);
}
.warning h2 { margin: 0 0 8px; color: var(--bad); }
.warning p:last-child { margin: 0; }
.rows { list-style: none; margin: 0; padding: 0; }
.rows li { padding: 12px 0 4px; }
.row { display: flex; align-items: baseline; gap: 12px; }
.row .name { flex: 1; min-width: 0; font-weight: 600; }
.row .score, td, th, dd { font-variant-numeric: tabular-nums; }
.mark {
  display: inline-block; margin-left: 8px; padding: 0 8px; border: 1px solid currentColor;
  border-radius: 999px; font-size: 14px; font-weight: 400; color: var(--accent);
}
svg { display: block; width: 100%; height: 24px; overflow: visible; }
svg .range { stroke: var(--line); stroke-width: 2; }
svg .span { fill: var(--soft); opacity: .35; }
svg .point { fill: var(--ink); stroke: var(--paper); stroke-width: 2; }
.first svg .span { fill: var(--accent); }
.first svg .point { fill: var(--accent); }
.ends { display: flex; justify-content: space-between; gap: 24px; }
.ends span:last-child { text-align: right; }
.figures { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th { font-size: 14px; font-weight: 600; color: var(--soft); text-align: right; }
th, td { padding: 8px 0 8px 16px; border-bottom: 1px solid var(--line); text-align: right; }
th:first-child, td:first-child { padding-left: 0; }
td.place { width: 1%; }
.figures th, .figures td { white-space: nowrap; }
.figures tbody .text { font-size: inherit; color: inherit; font-weight: 400; }
.figures .text { text-align: left; white-space: normal; overflow-wrap: anywhere; min-width: 5em; }
.legend { margin-top: 12px; }
.log td { text-align: left; vertical-align: top; overflow-wrap: anywhere; }
.log td:first-child { white-space: nowrap; }
dl {
  display: grid; grid-template-columns: repeat(auto-fill, minmax(7em, 1fr)); gap: 16px; margin: 0;
}
dl + p, table + p { margin-top: 12px; }
dt { font-size: 14px; color: var(--soft); }
dd { margin: 0; font-size: 27px; line-height: 1.25; }
pre, code { font: 14px/1.5 ui-monospace, monospace; }
pre {
  margin: 0 0 16px; padding: 12px 16px; background: var(--card); border: 1px solid var(--line);
  border-radius: 10px; white-space: pre-wrap; overflow-wrap: anywhere;
}
code { overflow-wrap: anywhere; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
@media (max-width: 480px) {
  main { padding: 24px 16px 40px; }
  h1 { font-size: 27px; }
  .verdict { padding: 16px; }
  .verdict h2 { font-size: 21px; }
  .warning { padding: 16px; }
  .figures thead {
    position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  }
  .figures table, .figures tbody { display: block; }
  .figures tbody tr {
    display: grid; grid-template-columns: 1.2em 1fr 1fr; gap: 8px 12px; padding: 12px 0;
    border-bottom: 1px solid var(--line);
  }
  .figures tbody th, .figures tbody td {
    padding: 0; border: 0; text-align: left; white-space: normal;
  }
  .figures .place { color: var(--soft); }
  .figures tbody .text { grid-column: 2 / -1; font-weight: 600; }
  .figures [data-column]::before {
    content: attr(data-column); display: block; font-size: 14px; color: var(--soft);
  }
  .figures [data-column]:nth-of-type(even) { grid-column: 2; }
  .log { font-size: 14px; }
  th, td { padding-left: 12px; }
}
@media print {
  :root { --paper: #fff; --card: #fff; --ink: #000; --soft: #333; }
  main { max-width: none; padding: 0; }
  li, tr, dl, .verdict { break-inside: avoid; }
}
"""
