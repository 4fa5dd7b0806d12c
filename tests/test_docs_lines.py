"""Where lines of the site may break, and where links of included files lead: docs/options.py."""

import runpy
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"
HOOKS = runpy.run_path(str(DOCS / "options.py"))
SENTENCE = "a sentence of several words, which must not be squeezed"


@pytest.mark.parametrize(
    ("given", "made"),
    [
        ("<code>--json</code>", '<code class="short">--json</code>'),
        ("<code>score</code>", "<code>score</code>"),
        (
            "<code>hushvote serve --min-turnout 6 --crowd 1</code>",
            '<code>hushvote serve <span class="short">--min-turnout</span> 6 '
            '<span class="short">--crowd</span> 1</code>',
        ),
        (
            "<code>file:path=votes.soi,seed=123</code>",
            "<code>file:path=votes.soi,<wbr>seed=123</code>",
        ),
        (
            "<code>test_additive_bits.py::test_sets_of_two</code>",
            "<code>test_<wbr>additive_<wbr>bits.py::test_<wbr>sets_<wbr>of_<wbr>two</code>",
        ),
        (f"<code>{'0a' * 32}</code>", f'<code class="hash">{"0a" * 32}</code>'),
        ("0.27 GB, 29.2 ± 1.2 %", "0.27\xa0GB, 29.2\xa0±\xa01.2\xa0%"),
        ("5 s, 3 seats", "5\xa0s, 3 seats"),
        ("<pre><code>5 % --json</code></pre>", "<pre><code>5 % --json</code></pre>"),
        ("<code>95 %</code>", "<code>95 %</code>"),
        ("<td>short</td>", "<td>short</td>"),
        (f"<td>{SENTENCE}</td>", f'<td class="words">{SENTENCE}</td>'),
        (
            f'<td style="text-align: right;">{SENTENCE}</td>',
            f'<td class="words" style="text-align: right;">{SENTENCE}</td>',
        ),
        (f"<td>{'x' * 50}</td>", f"<td>{'x' * 50}</td>"),
    ],
)
def test_names_numbers_and_cells_are_marked(given, made):
    assert HOOKS["on_page_content"](given) == made


@pytest.mark.parametrize(
    ("lines", "made"),
    [
        ("  1  Ann   3.01\n", '<span class="row">  1  Ann   3.01</span>\n'),
        (" ───\n", '<span class="row"> ───</span>\n'),
        ("Ann has won.\n\nBy far.\n", "Ann has won.\n\nBy far.\n"),
        (
            "error: read with --incomplete random\n",
            'error: read with <span class="short">--incomplete</span> random\n',
        ),
        (
            '<span class="gp">$ </span>design  --json \\\n  -d 4\n{}\n',
            '<span class="line"><span class="gp">$ </span>design  '
            '<span class="short">--json</span> \\\n</span>'
            '<span class="line">  -d 4\n</span>{}\n',
        ),
        (f"{SENTENCE}{SENTENCE}\nso\n", f'{SENTENCE}{SENTENCE}<span class="amid">\n</span>so\n'),
        (f"{SENTENCE}{SENTENCE}.\nSo\n", f"{SENTENCE}{SENTENCE}.\nSo\n"),
        (f"{SENTENCE}{SENTENCE}\n  so\n", f"{SENTENCE}{SENTENCE}\n  so\n"),
    ],
)
def test_lines_of_what_is_printed_are_marked(lines, made):
    block = '<div class="language-console highlight"><pre><span></span><code>{}</code></pre>'
    assert HOOKS["on_page_content"](block.format(lines)) == block.format(made)


@pytest.mark.parametrize("language", ["text", "sh"])
def test_settings_and_commands_without_a_prompt_are_lines_too(language):
    block = f'<div class="language-{language} highlight"><pre><span></span><code>{{}}</code></pre>'
    made = '<span class="line">WORKERS=2\n</span>\n<span class="line">go\n</span>'
    assert HOOKS["on_page_content"](block.format("WORKERS=2\n\ngo\n")) == block.format(made)


def test_names_of_the_reference_may_break_after_a_dot():
    name = '<span class="doc doc-object-name doc-class-name">{}</span>'
    made = HOOKS["on_page_content"](name.format("hushvote.mechanisms.Duel"))
    assert made == name.format("hushvote.<wbr>mechanisms.<wbr>Duel")


def test_cells_of_tables_with_much_text_know_their_heading():
    head = "<thead>\n<tr>\n<th>who</th>\n<th>sees</th>\n<th>knows</th>\n</tr>\n</thead>\n"
    table = f"<table>\n{head}{{}}</table>"
    row = "<tr>\n<td>{0}</td>\n<td>{1}</td>\n<td>{1}</td>\n</tr>\n"
    made = HOOKS["on_page_content"](table.format(2 * row.format("a", SENTENCE)))
    assert made.startswith("<table data-rows>")
    assert made.count('<td data-name="who">a</td>') == 2
    assert made.count('<td class="words" data-name="sees">') == 2
    few = table.format(row.format("a", "b"))
    assert HOOKS["on_page_content"](few) == few


def test_other_code_is_left_as_it_is():
    block = '<div class="language-python highlight"><pre><span></span><code>a  # b</code>'
    assert HOOKS["on_page_content"](block) == block


@pytest.mark.parametrize("page", ["security.md", "conformance.md"])
def test_links_of_included_files_lead_to_pages(page):
    made = HOOKS["on_page_markdown"]((DOCS / page).read_text(encoding="utf-8"))
    assert "](wire/README.md)" in made
    assert "docs/" not in made
