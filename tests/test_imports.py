"""Heavy libraries are loaded where they are used, and nobody notices but by the time it takes."""

import pkgutil
import subprocess
import sys

import pytest

import hushvote as hv

HEAVY = ("scipy", "pyarrow", "rich", "typer", "matplotlib", "duckdb")
LOADED = "import sys; print(*[name for name in {names!r} if name in sys.modules])"


def loaded_by(code: str, names: tuple[str, ...]) -> list[str]:
    """Which of the modules a fresh process has loaded in the end."""
    code += "\n" + LOADED.format(names=names)
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return done.stdout.splitlines()[-1].split()


def test_importing_hushvote_loads_no_heavy_library():
    assert loaded_by("import hushvote", ("numpy", *HEAVY)) == []


def test_the_version_is_told_without_any_library():
    code = (
        "import runpy, sys; sys.argv = ['hushvote', '--version']; "
        "runpy.run_module('hushvote', run_name='__main__')"
    )
    assert loaded_by(code, ("numpy", *HEAVY)) == []
    done = subprocess.run(
        [sys.executable, "-m", "hushvote", "--version"], check=True, capture_output=True, text=True
    )
    assert done.stdout == f"hushvote {hv.__version__}\n"


def test_a_vote_is_randomised_with_numpy_alone():
    code = "import hushvote as hv; hv.mechanism('additive', hv.borda(4), 1).draw([0, 1, 2, 3])"
    assert loaded_by(code, HEAVY) == []


def test_every_public_name_is_there_and_listed():
    assert len(set(hv.__all__)) == len(hv.__all__)
    for name in hv.__all__:
        assert getattr(hv, name) is not None
    assert set(hv.__all__) <= set(dir(hv))
    assert set(hv._MODULES) == set(hv.__all__)
    with pytest.raises(AttributeError, match="module 'hushvote' has no attribute 'winner'"):
        _ = hv.winner


def test_no_public_name_is_that_of_a_module():
    """Else the module would stand in its place as soon as somebody loads it."""
    assert not set(hv.__all__) & {module.name for module in pkgutil.iter_modules(hv.__path__)}


def test_names_can_be_imported_one_by_one_and_all_together():
    code = "from hushvote import borda, Duel\nfrom hushvote import *\nassert Result and optimum"
    assert loaded_by(code, ("hushvote.bounds",)) == ["hushvote.bounds"]


def test_the_package_alone_loads_no_other_module():
    code = "import sys; before = {*sys.modules}; import hushvote; print({*sys.modules} - before)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert done.stdout == "{'hushvote'}\n"
