"""What pages are made of: markup, words, files and headers; the sources give what is there."""

import gzip
import hashlib
import json
import re
import runpy
import string
import subprocess
from importlib import import_module
from pathlib import Path

import pytest

from hushvote.messages import en
from hushvote.pages.html import document, element
from hushvote.pages.words import chosen, words
from hushvote.server.pages.assets import FOLDER, assets
from hushvote.server.pages.shells import shell
from tests.serving import refused, serving
from tests.test_web import NODE, WEB, files, node
from web import catalogue

ROOT = WEB.parent
SOURCES = sorted((WEB / "src" / "pages").rglob("*.ts"))
BUDGET = 60_000  # bytes of a first load, compressed
built_web = pytest.mark.skipif(
    not (WEB / "node_modules" / ".installed").exists(),
    reason="`make web/node_modules/.installed` installs what builds the pages",
)


# --- markup ---------------------------------------------------------------------------------------


def test_text_and_attributes_are_escaped():
    hostile = "<script>alert(1)</script> & \"'"
    made = str(element("p", hostile, title=hostile))
    assert "<script" not in made
    assert made == (
        '<p title="&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;&#x27;">'
        "&lt;script&gt;alert(1)&lt;/script&gt; &amp; \"'</p>"
    )


def test_no_line_ends_between_a_number_and_its_percent_sign():
    made = str(element("p", "with 95 %, < 0.1 % else", data_column="95 % interval"))
    assert made == (
        '<p data-column="95\u00a0% interval">with 95\u00a0%, &lt;\u00a00.1\u00a0% else</p>'
    )


def test_children_are_taken_apart_and_nothing_is_nothing():
    made = element("ul", [element("li", str(i)) for i in range(2)], None, [["end"]])
    assert str(made) == "<ul><li>0</li><li>1</li>end</ul>"


def test_attributes_are_left_out_or_bare():
    made = element("input", disabled=True, checked=False, value=None, maxlength=3, aria_label="x")
    assert str(made) == '<input disabled maxlength="3" aria-label="x">'


@pytest.mark.parametrize(
    ("name", "children", "attributes"),
    [
        ("p onclick=x", (), {}),
        ("script", ("alert(1)",), {}),
        ("style", ("*{}",), {}),
        ("br", ("x",), {}),
        ("p", (), {"onclick": "x"}),
        ("p", (), {"style": "x"}),
        ("p", (), {"a b": "x"}),
        ("a", (), {"href": "javascript:alert(1)"}),
        ("a", (), {"href": "//elsewhere.test/"}),
        ("img", (), {"src": "data:text/html,x"}),
    ],
)
def test_what_could_run_is_refused(name, children, attributes):
    with pytest.raises(ValueError, match=r"^"):
        element(name, *children, **attributes)


def test_a_document_has_its_language():
    text = document(element("title", "T"), element("body", "ä"), language="de").decode()
    assert text.startswith('<!doctype html>\n<html lang="de"><head><meta charset="utf-8">')


# --- words ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "accepted", "language"),
    [
        (None, None, "en"),
        ("de", None, "de"),
        ("xx", "de", "de"),
        (None, "fr, de-AT;q=0.8, en;q=0.7", "de"),
        (None, "en;q=0.2,de;q=0.9", "de"),
        (None, "de;q=0, en", "en"),
        (None, "de;q=x", "en"),
        (None, "*", "en"),
        ("en", "de", "en"),
    ],
)
def test_a_language_is_chosen_by_whoever_asks_or_by_the_browser(asked, accepted, language):
    assert chosen(asked, accepted, ["de", "en"]) == language


def test_words_are_those_of_the_catalogue():
    assert words("en", "shell")("loading") == en.PAGES["shell"]["loading"]
    with pytest.raises(KeyError):
        words("en", "shell")("nonsense")


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name is not None}


@pytest.mark.parametrize("code", catalogue.languages())
def test_every_language_has_the_same_words_with_the_same_values(code):
    pages = import_module(f"hushvote.messages.{code}").PAGES
    assert {
        page: {key: fields(text) for key, text in said.items()} for page, said in pages.items()
    } == {
        page: {key: fields(text) for key, text in said.items()} for page, said in en.PAGES.items()
    }


def test_the_words_of_the_pages_are_those_of_the_catalogue():
    """Else run `python web/catalogue.py`."""
    for name, text in catalogue.files().items():
        assert (catalogue.FOLDER / name).read_text(encoding="utf-8") == text, name


def test_every_word_of_a_page_is_said_somewhere():
    """A key stands in a source as it is, or begins like a text that a source completes."""
    sources = "\n".join(path.read_text(encoding="utf-8") for path in SOURCES)
    told = (FOLDER.parent / "shells.py").read_text(encoding="utf-8")
    begun = tuple(re.findall(r"`([a-z]+\.[a-z.]*)\$\{", sources))
    for page, said in en.PAGES.items():
        if page != "shell":
            unsaid = [k for k in said if f"'{k}'" not in sources and f'"{k}"' not in told]
            assert [key for key in unsaid if not key.startswith(begun)] == [], page
    shells = {f"{page}.{part}" for page in assets().pages for part in ("title", "noscript")}
    assert {key for key in en.PAGES["shell"] if f'"{key}"' not in told} == shells


# --- files ----------------------------------------------------------------------------------------


def test_files_are_listed_with_their_hashes_and_carry_part_of_them():
    listed = json.loads((FOLDER / "static.json").read_text(encoding="utf-8"))["files"]
    assert {path.name for path in FOLDER.iterdir()} == {*listed, "static.json"}
    for name, told in listed.items():
        raw = (FOLDER / name).read_bytes()
        assert told == {"sha256": hashlib.sha256(raw).hexdigest(), "bytes": len(raw)}
        assert f".{told['sha256'][:16]}." in name


def test_the_published_hashes_are_those_of_the_files():
    script = runpy.run_path(str(ROOT / "docs/scripts.py"))
    assert script["TABLE"].read_text(encoding="utf-8") == script["table"](), (
        "python docs/scripts.py"
    )


@pytest.mark.parametrize("page", sorted(assets().pages))
@pytest.mark.parametrize("language", assets().languages)
def test_a_first_load_is_small(page, language):
    loaded = [one.packed for one in (*assets().of(page, language), assets().icon)]
    loaded.append(gzip.compress(shell(page, language), 9))
    assert sum(map(len, loaded)) < BUDGET


@built_web
def test_the_committed_pages_are_what_the_sources_give(tmp_path):
    node("pages.mjs", tmp_path / "static")
    assert files(tmp_path / "static") == files(FOLDER), "`make web-build` makes them anew"


@built_web
@pytest.mark.slow
def test_the_pages_do_not_depend_on_where_they_are_built(tmp_path):
    for name in ("src", "pages.mjs", "package.json", "tsconfig.json"):
        subprocess.run(["cp", "-r", WEB / name, tmp_path / name], check=True)
    (tmp_path / "node_modules").symlink_to(WEB / "node_modules")
    subprocess.run([NODE, "pages.mjs", tmp_path / "static"], cwd=tmp_path, check=True)
    assert files(tmp_path / "static") == files(FOLDER)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_no_source_of_a_page_makes_markup_of_text_or_names_another_host(path: Path):
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b", text)
    if not path.name.endswith(".spec.ts"):
        assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text)


# --- headers --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    store = tmp_path_factory.mktemp("store") / "polls.db"
    with serving(store, "--open") as running:
        yield running


PAGE = f"/p/{'0' * 32}"


@pytest.mark.parametrize("path", [PAGE, "/", "/new", f"/o/{'0' * 32}"])
def test_a_page_may_load_from_here_alone_and_run_nothing_within(client, path):
    answer = client.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    (policy,) = answer.headers.get_list("content-security-policy")
    told = dict(part.strip().partition(" ")[::2] for part in policy.split(";"))
    assert told["default-src"] == "'none'"
    for kind in ("script-src", "style-src", "connect-src", "img-src"):
        assert told[kind] == "'self'"
    assert told["trusted-types"] == "'none'"
    assert told["require-trusted-types-for"] == "'script'"
    assert told["frame-ancestors"] == told["base-uri"] == told["form-action"] == "'none'"
    for name, value in {
        "cross-origin-opener-policy": "same-origin",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "cache-control": "no-cache",
        "content-language": "en",
    }.items():
        assert answer.headers[name] == value


def test_the_api_keeps_its_own_stricter_policy(client):
    answer = client.get("/api/v1/polls")
    (policy,) = answer.headers.get_list("content-security-policy")
    assert "script-src" not in policy
    assert "sandbox" in policy


def test_a_page_that_is_still_the_same_is_not_sent_again(client):
    tag = client.get(PAGE).headers["etag"]
    again = client.get(PAGE, headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["content-security-policy"]


def test_what_a_page_loads_is_named_with_its_hash_and_kept_for_ever(client):
    text = client.get(PAGE).text
    loaded = re.findall(r'(?:src|href)="(/static/[^"]+)"', text)
    hashes = re.findall(r'integrity="(sha256-[^"]+)"', text)
    assert len(loaded) == 3
    assert len(hashes) == 2
    for path in loaded:
        answer = client.get(path)
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert answer.headers["content-encoding"] == "gzip"
        assert answer.headers["etag"] == f'"{hashlib.sha256(answer.content).hexdigest()}"'
        plain = client.get(path, headers={"Accept-Encoding": "identity"})
        assert "content-encoding" not in plain.headers
        assert plain.content == answer.content
        tag = {"If-None-Match": answer.headers["etag"]}
        assert client.get(path, headers=tag).status_code == 304


def test_other_languages_are_answered_in_the_nearest_that_there_is(client):
    answer = client.get(PAGE, headers={"Accept-Language": "xx, en;q=0.1"})
    assert answer.headers["content-language"] == "en"
    assert '<html lang="en">' in answer.text
    assert answer.headers["vary"] == "accept-language"


@pytest.mark.parametrize("path", ["/p/", "/q/x", "/static/nothing.js", "/static/"])
def test_what_is_not_there_is_refused(client, path):
    assert refused(client.get(path))[0] == 404


BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        ("/foo", 404, "There is nothing at this address."),
        (f"{PAGE}/result/x", 404, "There is nothing at this address."),
        (f"{PAGE}/result", 404, "There is no such poll."),
        (f"{PAGE}/result.csv", 404, "There is no such poll."),
        ("/static/nothing.js", 404, "There is nothing at this address."),
    ],
)
def test_a_browser_is_refused_in_words_and_shown_the_way_home(client, path, status, said):
    answer = client.get(path, headers=BROWSER)
    assert answer.status_code == status
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["vary"] == "accept, accept-language"
    assert f"<h1>{said}</h1>" in answer.text
    assert 'href="/"' in answer.text
    german = client.get(f"{path}?lang=de", headers=BROWSER).text
    assert '<html lang="de">' in german
    assert 'href="/?lang=de"' in german
    assert said not in german


def test_a_browser_that_sends_a_form_to_a_page_is_refused_in_words(client):
    answer = client.post(PAGE, headers=BROWSER)
    assert answer.status_code == 405
    assert answer.headers["allow"] == "GET, HEAD, OPTIONS"
    assert "(api.method)" in answer.text


@pytest.mark.parametrize("path", ["/api/v1/nothing", f"/api/v1/polls/{'0' * 32}"])
def test_the_api_answers_a_browser_as_it_answers_programs(client, path):
    assert refused(client.get(path, headers=BROWSER))[0] == 404


def test_a_page_takes_no_posts(client):
    assert refused(client.post(PAGE))[0] == 405


def test_a_link_to_no_poll_is_a_page_all_the_same(client):
    answer = client.get("/p/nonsense")
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
