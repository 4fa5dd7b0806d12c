"""Changes to manifests that programs get wrong."""

import copy
import json
import re
from fractions import Fraction
from typing import Any

from conformance.streams import Dice

from hushvote import exact
from hushvote.canonical import canonical
from hushvote.lottery import exp_below

VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 3, 16, 17, 19, 20, 63, 64, 65, 255, 256, 2**31, 2**32),
    *(10**9, 10**9 + 1, 2**53 - 1, 1 - 2**53, 2**53, 64**2 * 255 + 1, -(64**2) * 255 - 1),
    *("", "0", "1", "-1", "1/2", "2/2", "01", "1.0", "1e0", "10", "11", "1/1000001", "null"),
    *(str(n) for n in (2**53, 2**53 - 1, 2**64 - 1, 2**64, 2**80, 2**80 + 1, 10**101)),
    *("poll", "link", "codes", "duel", "challenge", "laplace", "borda", "approval-2", "__proto__"),
    *("00112233445566778899aabbccddeeff", "0" * 64, "é", "e\u0301", "🦊", "n" * 201, "x\u202e"),
    *([], {}, [0], ["1"], [[]], {"a": 1}, [None], ["Ann", "Bob"]),
)
CHARACTERS = (
    *("0", "1", "9", "a", "A", "/", "-", ".", " ", "\n", "\t", "\x00", "\x7f", "\u00e9", "\u0301"),
    *("\u200b", "\u200e", "\u202e", "\u2028", "\ufeff", "\ufffe", "\ufdd0", "\ue000", "\u0660"),
    *("\U0001f98a", "\U0001fffe", "\U0010ffff", '"', "\\", "\ud83e", "\udd8a"),
)
NUMBERS = (
    *("1.0", "1e0", "1E0", "1e+0", "10e-1", "0.0", "-0", "-0.0", "0e1", "1.5", "01", "+1", ".5"),
    *("1.", "1e400", "1e-400", "9007199254740991", "9007199254740992", "-9007199254740993"),
    *("1" * 25, "1" * 400, "NaN", "Infinity", "-Infinity", "0x10", "1_0", "20.0", "2e1", "1n"),
)

Path = tuple[Any, ...]


def written(value: object) -> str:
    """The canonical text; where there is none, one that comes close."""
    try:
        return canonical(value).decode()
    except (ValueError, RecursionError):
        return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


# --- changes to the document ----------------------------------------------------------------------


def _places(value: Any, path: Path = ()) -> list[Path]:
    """The way to everything in a document."""
    found = [path]
    if isinstance(value, dict | list):
        inside = value.items() if isinstance(value, dict) else enumerate(value)
        for name, one in inside:
            found += _places(one, (*path, name))
    return found


def _at(value: Any, path: Path) -> Any:
    for name in path:
        value = value[name]
    return value


def _set(value: Any, path: Path, new: Any) -> Any:
    if not path:
        return new
    changed = copy.deepcopy(value)
    _at(changed, path[:-1])[path[-1]] = new
    return changed


def _somewhere(value: Any, dice: Dice, kind: type | tuple[type, ...] = object) -> Path | None:
    """A place, those high up as often as all the many below."""
    places = [path for path in _places(value) if isinstance(_at(value, path), kind)]
    if not places:
        return None
    depth = dice.one_of(sorted({len(path) for path in places}))
    return dice.one_of([path for path in places if len(path) == depth])


def other_value(value: Any, dice: Dice, _: Any) -> Any:
    """Anything in place of something."""
    path = _somewhere(value, dice)
    return value if path is None else _set(value, path, copy.deepcopy(dice.one_of(VALUES)))


def other_number(value: Any, dice: Dice, _: Any) -> Any:
    """A number next to, or far from, what it was; or as text."""
    path = _somewhere(value, dice, int)
    if path is None:
        return value
    n = int(_at(value, path))
    near = (n + 1, n - 1, -n, 2 * n, n // 2, n + 2**32, 10 * n, str(n), [n], bool(n), 255, 0)
    return _set(value, path, dice.one_of(near))


def other_digits(value: Any, dice: Dice, _: Any) -> Any:
    """A digit of a number in a text."""
    path = _somewhere(value, dice, str)
    if path is None:
        return value
    text = str(_at(value, path))
    digits = [i for i, c in enumerate(text) if c.isdigit()]
    if not digits:
        return value
    at = dice.one_of(digits)
    return _set(value, path, text[:at] + str(dice.below(10)) + text[at + 1 :])


def other_text(value: Any, dice: Dice, _: Any) -> Any:
    """A character more, less or another; other letters; more than fit."""
    path = _somewhere(value, dice, str)
    if path is None:
        return value
    text = str(_at(value, path))
    at, new = dice.below(len(text) + 1), dice.one_of(CHARACTERS)
    before, behind = text[:at], text[at + 1 :]
    forms = (
        *(before + new + text[at:], before + new + behind, before + behind),
        *(text.upper(), text + text, text[::-1], text * 300, f" {text}", text + new, f"-{text}"),
    )
    return _set(value, path, dice.one_of(forms))


def deletion(value: Any, dice: Dice, _: Any) -> Any:
    """A member or an element less."""
    path = _somewhere(value, dice)
    if not path:
        return value
    changed = copy.deepcopy(value)
    del _at(changed, path[:-1])[path[-1]]
    return changed


def addition(value: Any, dice: Dice, donor: Any) -> Any:
    """A member or an element more: one of its own twice, another manifest's, or anything."""
    path = _somewhere(value, dice, (dict, list))
    if path is None:
        return value
    changed = copy.deepcopy(value)
    target = _at(changed, path)
    if isinstance(target, list):
        more = dice.one_of(target) if target and dice.below(2) else dice.one_of(VALUES)
        target.insert(dice.below(len(target) + 1), copy.deepcopy(more))
    else:
        names = ("k", "key", "digits", "questions", "max_gap", "best", "worst", "high", "low", "d")
        name = dice.one_of((*names, "__proto__", "é", "\ud83e", ""))
        found = [one for one in _places(donor) if one and one[-1] == name]
        target[name] = _at(donor, found[0]) if found and dice.below(2) else dice.one_of(VALUES)
    return changed


def exchange(value: Any, dice: Dice, _: Any) -> Any:
    """Two values of one list or object in each other's place."""
    path = _somewhere(value, dice, (dict, list))
    if path is None:
        return value
    changed = copy.deepcopy(value)
    target = _at(changed, path)
    names = list(target) if isinstance(target, dict) else list(range(len(target)))
    if len(names) > 1:
        one, other = dice.shuffled(names)[:2]
        target[one], target[other] = target[other], target[one]
    return changed


def renaming(value: Any, dice: Dice, _: Any) -> Any:
    """A member under another name."""
    path = _somewhere(value, dice, dict)
    if path is None or not _at(value, path):
        return value
    changed = copy.deepcopy(value)
    target = _at(changed, path)
    name = dice.one_of(list(target))
    new = dice.one_of((name.upper(), name + " ", name[:-1], "__proto__", "valueOf", f"{name}\0"))
    target[new] = target.pop(name)
    return changed


def transplant(value: Any, dice: Dice, donor: Any) -> Any:
    """What another manifest has at the same place, or of the same name."""
    path = _somewhere(donor, dice)
    if not path:
        return value
    mine = [one for one in _places(value) if one and one[-1] == path[-1]]
    return _set(value, dice.one_of(mine), copy.deepcopy(_at(donor, path))) if mine else value


def nesting(value: Any, dice: Dice, _: Any) -> Any:
    """A value within lists or objects, up to more than 32."""
    path = _somewhere(value, dice)
    if path is None:
        return value
    new = copy.deepcopy(_at(value, path))
    for _ in range(dice.one_of((1, 1, 2, 28, 29, 30, 31, 32, 40))):
        new = [new] if dice.below(2) else {"a": new}
    return _set(value, path, new)


def candidates(value: Any, dice: Dice, _: Any) -> Any:
    """Names that are alike, strange, too many or too few."""
    names = value.get("candidates") if isinstance(value, dict) else None
    if not isinstance(names, list) or not names:
        return value
    one = dice.one_of(names)
    forms: tuple[list[Any], ...] = (
        [*names[:-1], one],
        [*names, one],
        names[:-1],
        names * 40,
        [*names[:-1], dice.one_of(VALUES)],
        [*names[:-1], f"{one}{dice.one_of(CHARACTERS)}"],
        [*names[:-1], "\u00e9"],
        [*names[:-1], str(one).swapcase()],
        [*names[:-1], dice.one_of(("n", "🦊", "e\u0301")) * dice.one_of((100, 200, 201))],
    )
    return value | {"candidates": dice.one_of(forms)}


def _parameters(value: Any) -> dict[str, Any] | None:
    """The mechanism's parameters, if they still are some."""
    found = value.get("mechanism") if isinstance(value, dict) else None
    return found if isinstance(found, dict) else None


def odds(value: Any, dice: Dice, _: Any) -> Any:
    """Odds that just keep an epsilon, or just do not."""
    given = _parameters(value)
    if given is None:
        return value
    epsilon = dice.one_of(("1", "1/2", "2", "10", "1/1000000", "693/1000", "22/7", "9/10"))
    kept = given.get("epsilon")
    epsilon = kept if dice.below(2) and isinstance(kept, str) and kept in EPSILONS else epsilon
    down = dice.between(1, 2 ** dice.between(1, 63))
    up = int(exp_below(Fraction(epsilon)) * down) + dice.one_of((0, 0, 1))
    pair = [exact.to_json(up), exact.to_json(down)]
    return value | {"mechanism": given | {"epsilon": epsilon, "odds": pair}}


EPSILONS = ("1", "1/2", "2", "1/10", "10")


def digits(value: Any, dice: Dice, donor: Any) -> Any:
    """Digits of Laplace noise a little up or down."""
    given = _parameters(value)
    listed = given.get("digits") if given is not None else None
    if given is None or not isinstance(listed, list) or not listed:
        return odds(value, dice, donor)
    at, shift = dice.below(len(listed)), dice.one_of((-1, 1)) * 2 ** dice.below(60)
    try:
        new = exact.to_json(exact.from_json(listed[at]) + shift)
    except ValueError:
        return value
    return value | {"mechanism": given | {"digits": [*listed[:at], new, *listed[at + 1 :]]}}


def question(value: Any, dice: Dice, donor: Any) -> Any:
    """An entry of a question at a border, or beyond."""
    given = _parameters(value)
    listed = given.get("questions") if given is not None else None
    if given is None or not isinstance(listed, list) or not listed:
        return other_number(value, dice, donor)
    at = dice.below(len(listed))
    if not isinstance(listed[at], dict):
        return value
    whole = 2**32
    borders: dict[str, tuple[Any, ...]] = {
        **dict.fromkeys(("plus", "minus"), (0, 1, 2, 5, 20, 32, 63, 64, -1)),
        **dict.fromkeys(("best", "worst"), (0, 1, 2, 7, -1)),
        **dict.fromkeys(("gain", "loss", "high", "low"), (0, 1, 2, 62, 63, 64, -1)),
        "threshold": (64**2 * 255, 64**2 * 255 + 1, -(64**2) * 255, -(64**2) * 255 - 1, 10**6, 0),
        "share": (0, 1, -1, whole, whole - 1, whole + 1, str(2**60)),
        "step": (0, 1, -1, str(2**80), str(2**80 + 1), str(2**79), 2**52),
        "weights": ([255] * 64, [0] * 64, [256] * 64, [1, 0], [255] * 32 + [0] * 32, []),
    }
    names = [name for name in borders if name in listed[at] or dice.below(12) == 0]
    if not names:
        return value
    name = dice.one_of(names)
    new = listed[at] | {name: dice.one_of(borders[name])}
    return value | {"mechanism": given | {"questions": [*listed[:at], new, *listed[at + 1 :]]}}


OF_DOCUMENT = (
    *(other_value, other_value, other_number, other_number, other_digits, other_text, deletion),
    *(addition, exchange, renaming, transplant, nesting, candidates, odds, digits),
    *(question, question, question),
)


# --- changes to the text --------------------------------------------------------------------------


def blank(text: str, dice: Dice) -> str:
    """A blank somewhere, in a text or not."""
    at = dice.below(len(text) + 1)
    return text[:at] + dice.one_of((" ", "\n", "\t", "\r", "\u00a0", "\ufeff")) + text[at:]


def number(text: str, dice: Dice) -> str:
    """A number in another form."""
    found = list(re.finditer(r"(?<=[:,\[])-?\d+(?=[,\]}])", text))
    if not found:
        return text
    one = dice.one_of(found)
    forms = (".0", "e0", "E0", "0e-1")
    same = [*(one[0] + form for form in forms), f"0{one[0]}", f"-{one[0]}"]
    return text[: one.start()] + dice.one_of((*same, *NUMBERS)) + text[one.end() :]


def twice(text: str, dice: Dice) -> str:
    """A member twice."""
    found = list(re.finditer(r'"[a-z]+":("[^"\\]*"|\d+|true|false),', text))
    if not found:
        return text
    one = dice.one_of(found)
    first = dice.one_of((one[0], one[0].replace('"', '"\\u0061', 1), one[0].split(":")[0] + ":0,"))
    return text[: one.start()] + first + text[one.start() :]


def escape(text: str, dice: Dice) -> str:
    """A letter written as an escape, or an escape that is none."""
    found = [i for i, c in enumerate(text) if c.isalnum() and text[max(0, i - 1)] != "\\"]
    if not found:
        return text
    at = dice.one_of(found)
    code = min(ord(text[at]), 0xFFFF)
    forms = (f"\\u{code:04x}", f"\\u{code:04X}", "\\/", "\\x41", "\\ud83e")
    return text[:at] + dice.one_of((*forms, "\\ud83e\\udd8a", "\\udd8a\\ud83e")) + text[at + 1 :]


def character(text: str, dice: Dice) -> str:
    """A character more, less, another, or two in the other order."""
    if len(text) < 2:
        return text
    at, new = dice.below(len(text) - 1), dice.one_of(CHARACTERS)
    one, other = text[at], text[at + 1]
    forms = (new + one + other, new + other, other, other + one)
    return text[:at] + dice.one_of(forms) + text[at + 2 :]


def order(text: str, dice: Dice) -> str:
    """Members in another order."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    path = _somewhere(value, dice, dict)
    if path is None:
        return text
    target = _at(value, path)
    mixed = {name: target[name] for name in dice.shuffled(list(target))}
    return json.dumps(_set(value, path, mixed), separators=(",", ":"), ensure_ascii=False)


def cut(text: str, dice: Dice) -> str:
    """Part of the text, or more than the text."""
    at = dice.below(len(text) + 1)
    return dice.one_of((text[:at], text[at:], text + text[:at], text + "}", "\ufeff" + text))


OF_TEXT = (blank, number, number, number, twice, escape, character, order, cut)
