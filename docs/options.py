"""Says where lines of the site may break, and where links of included files lead.

Browsers break at every hyphen and blank. Short names such as `--json` stay on one line, and so do
a number and its unit, and short equations such as d = 4; longer names may break after a comma or a
low line.
Cells of tables that hold sentences are marked, since a column of sentences must not be squeezed,
and so are the rows of printed tables, which must not break where the sentences beside them do.

SECURITY.md and conformance/README.md are read in the repository and on the site, so their links
to pages name the folder docs/, which the site does not have.
"""

import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
INCLUDED = re.compile(r'^--8<-- "(?P<path>SECURITY\.md|conformance/README\.md)"$', re.M)
LINK = re.compile(r"\]\((?:\.\./)?docs/")
SHORT = 24  # letters, which fit on every phone
WORDS = 40  # letters of a cell that holds a sentence
PART = re.compile(
    r"<code>(?P<code>[^<]*)</code>|<(?P<whole>pre|math|code)\b.*?</(?P=whole)>|<[^>]*>|[^<]+", re.S
)
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
PARTED = re.compile(r",(?=\w)|(?<=[a-z])_(?=[a-z])")
UNIT = re.compile(
    r"(?<=\d) (?=(?:%|[GMk]B|[mµ]?s|px)(?!\w)|±)|(?<=±) (?=\d)"
    r"|(?<=\b[a-zβεΔ]) (?==)|(?<=\b[a-zβεΔ] =) (?=-?\d)"
)
HASH = re.compile(r"[0-9a-f]{64}")
CELL = re.compile(r'<td(?P<style>(?: style="[^"]*")?)>(?P<content>.*?)</td>', re.S)
TAG = re.compile(r"<[^>]*>")
PRINTED = re.compile(r'(<div class="language-(?:console|text)[^\n]*?<code>)(.*?)(?=</code>)', re.S)
ROW = re.compile(r"\S {2,}\S|─")  # columns are two blanks apart


def on_page_markdown(markdown: str, /, **about: Any) -> str:
    """The page with the file that it includes, as MkDocs asks for."""
    return INCLUDED.sub(_file, markdown)


def _file(found: re.Match[str]) -> str:
    return LINK.sub("](", (ROOT / found["path"]).read_text(encoding="utf-8"))


def on_page_content(html: str, /, **about: Any) -> str:
    """The page with its names, numbers, cells and rows marked for style.css, as MkDocs asks for."""
    return PRINTED.sub(_printed, CELL.sub(_cell, PART.sub(_part, html)))


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
    return found[1] + "\n".join(_line(line) for line in found[2].split("\n"))


def _line(line: str) -> str:
    if 'class="gp"' in line:  # behind a prompt
        return _options(line)
    return f'<span class="row">{line}</span>' if ROW.search(TAG.sub("", line)) else line


def _cell(found: re.Match[str]) -> str:
    text = TAG.sub("", found["content"])
    if len(text) < WORDS or " " not in text:
        return found[0]
    return f'<td class="words"{found["style"]}>{found["content"]}</td>'
