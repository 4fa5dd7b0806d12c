"""What a shell is offered when somebody presses Tab: names of one's own, and lists of names."""

import os
import subprocess
import sys

import pytest

OWN = """import hushvote as hv

print("loading")


@hv.register_rule
def peculiar(d):
    return hv.borda(d)


@hv.register
class Peculiar(hv.Additive):
    name = "peculiar"


@hv.register_electorate
def two_camps(rng, n, d): ...


@hv.register_attack
def bribery(mechanism, truth, number, bits=None): ...
"""


def offered(folder, typed: str, **more: str) -> list[str]:
    """What bash would show for the last of these words."""
    words = {"COMP_WORDS": typed, "COMP_CWORD": str(len(typed.split(" ")) - 1)}
    done = subprocess.run(
        [sys.executable, "-m", "hushvote"],
        cwd=folder,
        env={**os.environ, "_HUSHVOTE_COMPLETE": "complete_bash", **words, **more},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.parametrize(
    ("typed", "whole"),
    [
        ("simulate -m du", ["duel"]),
        ("simulate -m duel,ad", ["duel,additive"]),
        ("simulate -m additive:k=2,du", ["additive:k=2,duel"]),
        ("simulate --metrics mse,t", ["mse,tve"]),
        ("--load own.py simulate -m duel,pec", ["duel,peculiar"]),
        ("--load own.py simulate --electorate two", ["two-camps"]),
        ("--load own.py simulate --attack bri", ["bribery"]),
        ("--load own.py privatize -m pec", ["peculiar"]),
        ("--load own.py design --rule pec", ["peculiar"]),
        ("--load absent.py --load own.py plan -m pec", ["peculiar"]),
        ("--load broken.py design --rule nau", ["nauru"]),
    ],
)
def test_names_in_lists_and_names_of_what_is_loaded_are_completed(tmp_path, typed, whole):
    (tmp_path / "own.py").write_text(OWN)
    (tmp_path / "broken.py").write_text("import hushvote\n\n1 / 0\n")
    assert offered(tmp_path, f"hushvote {typed}") == whole


def test_names_of_what_the_variable_loads_are_completed(tmp_path):
    (tmp_path / "own.py").write_text(OWN)
    assert offered(tmp_path, "hushvote certify -m pec", HUSHVOTE_LOAD="own.py") == ["peculiar"]
