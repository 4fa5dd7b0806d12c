"""Says where lines of the site may break, and where links of included files lead.

Browsers break at every hyphen and blank. Short names such as `--json` stay on one line, and so do
a number and its unit, and short equations such as d = 4; longer names may break after a comma or a
low line, and names in the reference after a dot.
Cells of tables that hold sentences are marked, since a column of sentences must not be squeezed.
In tables of several columns with much text each cell knows its heading, since on a phone every row
is a block of its own.
Of what is printed, rows of tables are marked, which must not break where the sentences beside them
do; commands and settings, which are indented where they break; and ends of lines amid a sentence,
which are blanks where all lines are shorter.

SECURITY.md and conformance/README.md are read in the repository and on the site, so their links
to pages name the folder docs/, which the site does not have.
"""

import re
from html import escape, unescape
from itertools import cycle, pairwise
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
INCLUDED = re.compile(r'^--8<-- "(?P<path>SECURITY\.md|conformance/README\.md)"$', re.M)
LINK = re.compile(r"\]\((?:\.\./)?docs/")
SHORT = 24  # letters, which fit on every phone
WORDS = 40  # letters of a cell that holds a sentence
WIDE = 70  # letters of a row, on average, that are too many for a phone
COLUMNS = 3  # of a table whose rows may become blocks; two fit beside each other
LONG = 60  # letters of a printed line whose sentence may go on in the next
PART = re.compile(
    r"<code>(?P<code>[^<]*)</code>|<(?P<whole>pre|math|code)\b.*?</(?P=whole)>|<[^>]*>|[^<]+", re.S
)
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
PARTED = re.compile(r",(?=[\w\"&])|(?<=[a-z])_(?=[a-z])")
NAME = re.compile(r'(?<=<span class="doc doc-object-name )[^>]*>[\w.]+')
UNIT = re.compile(
    r"(?<=\d) (?=(?:%|[GMk]B|[mµ]?s|px)(?!\w)|±)|(?<=±) (?=\d)"
    r"|(?<=\b[a-zβεΔ]) (?==)|(?<=\b[a-zβεΔ] =) (?=-?\d)"
)
HASH = re.compile(r"[0-9a-f]{64}")
TABLE = re.compile(r"<table>.*?</table>", re.S)
HEADING = re.compile(r"<th\b[^>]*>(.*?)</th>", re.S)
CELL = re.compile(r"<td(?P<about>[^>]*)>(?P<content>.*?)</td>", re.S)
TAG = re.compile(r"<[^>]*>")
PRINTED = re.compile(
    r'(?P<head><div class="language-(?P<kind>console|text|sh) [^\n]*?<code>)'
    r"(?P<lines>.*?)(?=</code>)",
    re.S,
)
ROW = re.compile(r"\S {2,}\S|─")  # columns are two blanks apart
AMID = re.compile(rf".{{{LONG},}}[^.:!?)]")
GOES_ON = re.compile(r"[\w(“\"']")


def on_page_markdown(markdown: str, /, **about: Any) -> str:
    """The page with the file that it includes, as MkDocs asks for."""
    return INCLUDED.sub(_file, markdown)


def _file(found: re.Match[str]) -> str:
    return LINK.sub("](", (ROOT / found["path"]).read_text(encoding="utf-8"))


def on_page_content(html: str, /, **about: Any) -> str:
    """The page with its names, numbers, cells and lines marked, as MkDocs asks for."""
    parted = NAME.sub(lambda name: name[0].replace(".", ".<wbr>"), PART.sub(_part, html))
    return PRINTED.sub(_printed, CELL.sub(_cell, TABLE.sub(_table, parted)))


def _part(found: re.Match[str]) -> str:
    part, name = found[0], found["code"]
    if name is None:
        return part if part.startswith("<") else UNIT.sub("\N{NO-BREAK SPACE}", part)
    if HASH.fullmatch(name):
        return f'<code class="hash">{name}</code>'
    if len(name) <= SHORT:
        return f'<code class="short">{name}</code>' if "-" in name or "[" in name else part
    parted = PARTED.sub(r"\g<0><wbr>", _options(name))
    return f"<code>{parted}</code>"


def _options(text: str) -> str:
    return OPTION.sub(r'<span class="short">\g<0></span>', text)


def _printed(found: re.Match[str]) -> str:
    lines = [(line, _text(line)) for line in found["lines"].split("\n")]
    made, command, console = found["head"], False, found["kind"] == "console"
    for (line, said), (_, after) in pairwise([*lines, ("", "")]):
        marked, command = _options(line), 'class="gp"' in line or command
        if ROW.search(said) and not command and found["kind"] != "sh":
            made += f'<span class="row">{line}</span>\n'
        elif command or (said and not console):
            made += f'<span class="line">{marked}\n</span>'
        elif AMID.fullmatch(said) and GOES_ON.match(after):
            made += f'{marked}<span class="amid">\n</span>'
        else:
            made += f"{marked}\n"
        command = command and said.endswith("\\")
    return made.removesuffix("\n")


def _table(found: re.Match[str]) -> str:
    table = found[0]
    names = [_text(name) for name in HEADING.findall(table)]
    letters = sum(len(_text(cell["content"])) for cell in CELL.finditer(table))
    if len(names) < COLUMNS or letters < WIDE * table.count("<tr>\n<td"):
        return table
    around = cycle(names)
    named = CELL.sub(lambda cell: _named(cell, next(around)), table)
    return named.replace("<table>", "<table data-rows>", 1)


def _named(cell: re.Match[str], name: str) -> str:
    return f'<td data-name="{escape(name)}"{cell["about"]}>{cell["content"]}</td>'


def _cell(found: re.Match[str]) -> str:
    text = _text(found["content"])
    if len(text) < WORDS or " " not in text:
        return found[0]
    return f'<td class="words"{found["about"]}>{found["content"]}</td>'


def _text(markup: str) -> str:
    return unescape(TAG.sub("", markup))
