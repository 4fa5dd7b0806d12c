"""Names: refused by code point, whatever Unicode a Python knows."""

import hashlib
import shutil
import subprocess
import sys

import pytest

import hushvote as hv
from hushvote import texts

REFUSED = [
    *range(0x20),
    *range(0x7F, 0xA0),
    0x00AD,
    0x034F,
    0x061C,
    *range(0x115F, 0x1161),
    *range(0x17B4, 0x17B6),
    *range(0x180B, 0x1810),
    *range(0x200B, 0x2010),
    *range(0x2028, 0x202F),
    *range(0x2060, 0x2070),
    0x3164,
    *range(0xD800, 0xE000),
    *range(0xFDD0, 0xFDF0),
    *range(0xFE00, 0xFE10),
    0xFEFF,
    0xFFA0,
    *range(0xFFF9, 0xFFFC),
    *range(0xE0000, 0xE1000),
    *(plane << 16 | last for plane in range(17) for last in (0xFFFE, 0xFFFF)),
]

LISTING = """
import hashlib, runpy, sys
flaw = runpy.run_path(sys.argv[1])["flaw"]
right = (flaw("x" + chr(point) + "x", 3) is None for point in range(0x110000))
print(hashlib.sha256(bytes(right)).hexdigest())
"""


BLANK = [0x20, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x2800, 0x3000]


def test_exactly_the_listed_code_points_are_refused():
    found = [point for point in range(0x110000) if texts.flaw(f"x{chr(point)}x", 3)]
    assert found == sorted(REFUSED)


def test_no_name_begins_or_ends_with_a_blank():
    for name in ("{}x", "x{}", "{}"):
        found = [point for point in range(0x110000) if texts.flaw(name.format(chr(point)), 2)]
        assert found == sorted([*REFUSED, *BLANK])


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13", "3.14"])
def test_every_python_refuses_the_same(version):
    """Without NumPy, too: the room is run alone."""
    python = shutil.which(f"python{version}")
    if version == f"{sys.version_info.major}.{sys.version_info.minor}":
        python = sys.executable
    if python is None or subprocess.run([python, "-c", ""], check=False).returncode:
        pytest.skip(f"there is no python{version} on this machine")
    done = subprocess.run(
        [python, "-I", "-c", LISTING, texts.__file__], check=True, capture_output=True, text=True
    )
    refused = set(REFUSED)
    right = hashlib.sha256(bytes(point not in refused for point in range(0x110000)))
    assert done.stdout.strip() == right.hexdigest()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "'' has 0 characters, but must have 1 to"),
        ("\x1b[31mAnn", r"has the character U\+001B, which cannot be shown"),
        ("Ann\u202e", r"has the character U\+202E"),
        ("An\u200bn", r"has the character U\+200B"),
        ("Ann\U0001ffff", r"has the character U\+1FFFF"),
        ("x" * 201, "has 201 characters, but must have 1 to"),
    ],
)
def test_a_name_that_could_deceive_is_refused_for_rules_and_candidates(name, said):
    with pytest.raises(hv.RuleError, match=said) as rule:
        hv.Rule(name, [1, 0])
    with pytest.raises(hv.RankingError, match=said) as candidate:
        hv.Rankings([[0, 1]], ("Bob", name))
    for caught in (rule, candidate):
        assert "\n" not in str(caught.value)
        assert len(str(caught.value)) < 200


def test_names_of_all_scripts_are_welcome():
    names = ("Zoë", "محمد", "李小龍", "अमित", "\U0001f600", "\U000e1000", "\ue000", "x" * 200)
    assert hv.Rankings([range(8)], names).candidates == names
    for name in names[:-1]:
        assert hv.Rule(name, [1, 0]).name == name
    assert hv.Rule("x" * 80, [1, 0]).name == "x" * 80
    with pytest.raises(hv.RuleError, match="has 81 characters, but must have 1 to 80"):
        hv.Rule("x" * 81, [1, 0])


def test_a_name_that_is_no_text_is_refused():
    with pytest.raises(hv.RuleError, match="name 5 is not text"):
        hv.Rule(5, [1, 0])
