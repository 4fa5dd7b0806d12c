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
    ("line", "made"),
    [
        ("  1  Ann   3.01", '<span class="row">  1  Ann   3.01</span>'),
        (" ───", '<span class="row"> ───</span>'),
        ("Ann has won.", "Ann has won."),
        ('<span class="go">  "n": 2,</span>', '<span class="go">  "n": 2,</span>'),
        (
            '<span class="gp">$ </span>design  --json',
            '<span class="gp">$ </span>design  <span class="short">--json</span>',
        ),
    ],
)
@pytest.mark.parametrize("language", ["console", "text"])
def test_rows_and_options_of_what_is_printed_are_marked(language, line, made):
    block = (
        f'<div class="language-{language} highlight"><pre><span></span><code>{{0}}\n{{0}}</code>'
    )
    assert HOOKS["on_page_content"](block.format(line)) == block.format(made)


def test_other_code_is_left_as_it_is():
    block = '<div class="language-python highlight"><pre><span></span><code>a  # b</code>'
    assert HOOKS["on_page_content"](block) == block


@pytest.mark.parametrize("page", ["security.md", "conformance.md"])
def test_links_of_included_files_lead_to_pages(page):
    made = HOOKS["on_page_markdown"]((DOCS / page).read_text(encoding="utf-8"))
    assert "](wire/README.md)" in made
    assert "docs/" not in made
