"""Bad vectors: what must be refused, each with its code and who must refuse it."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from conformance.bad_draws import BASES, bad_hashes, bad_rankings, bad_reports, bad_streams
from conformance.bad_manifests import bad_manifests, bad_votes
from conformance.bad_parameters import Bad, bad_parameters, base
from conformance.bad_questions import bad_questions
from conformance.streams import stream

from hushvote.canonical import canonical, digest_of
from hushvote.poll import codes

COUNTER = ("parameters.biased", "question.empty")  # codes that a client need not find


def refusals() -> dict[str, Any]:
    """All bad vectors by kind."""
    mechanisms = {digest_of(one): one for one in (base(name) for name in BASES)}
    return {
        "mechanisms": mechanisms,
        "parameters": _entries("parameters", [*bad_parameters(), *bad_questions()]),
        "texts": _entries("text", bad_texts()),
        "names": _entries("name", bad_names()),
        "rankings": [_with(entry, "ranking") for entry in bad_rankings()],
        "reports": [_with(entry, "report") for entry in bad_reports()],
        "streams": [_with(entry, None) for entry in bad_streams()],
        "questions": [_with(entry, None) for entry in bad_hashes()],
        "codes": _entries("typed", bad_codes()),
        "manifests": [
            _entry(code, reason) | (value if isinstance(value, dict) else {"text": value})
            for code, reason, value in bad_manifests()
        ],
        "votes": [_entry(code, reason) | vote for code, reason, vote in bad_votes()],
    }


def _entry(code: str, reason: str) -> dict[str, Any]:
    who = "counter" if code in COUNTER else "client"
    return {"reason": reason, "code": code, "who": who}


def _entries(member: str, found: Iterable[Bad]) -> list[dict[str, Any]]:
    return [_entry(code, reason) | {member: value} for code, reason, value in found]


def _with(found: tuple[str, str, str, Any], member: str | None) -> dict[str, Any]:
    """An entry about good parameters, which stand at the head of the file under their digest."""
    code, reason, name, value = found
    what = value if member is None else {member: value}
    return _entry(code, f"{name}: {reason}") | {"mechanism": digest_of(base(name))} | what


# --- texts and names ------------------------------------------------------------------------------


def bad_texts() -> Iterator[Bad]:
    """Parameters as text."""
    good = base("additive")
    text = canonical(good).decode()
    code = "parameters.json"
    yield code, "half of the text", text[: len(text) // 2]
    yield code, "nothing", ""
    yield code, "two texts in one", text + text
    yield code, "a comma too many", text[:-1] + ",}"
    yield code, "quotes of the wrong kind", text.replace('"', "'")
    yield code, "a leading zero", text.replace('"k":2', '"k":02')
    yield code, "a number that starts with a point", text.replace('"k":2', '"k":.2')
    yield code, "not a number", text.replace('"k":2', '"k":NaN')
    yield code, "infinity", text.replace('"k":2', '"k":-Infinity')
    yield code, "a control character in a text", text.replace("borda", "bor\tda")
    yield code, "a byte order mark", "\ufeff" + text
    code = "parameters.canonical"
    yield code, "a blank", text.replace(",", ", ", 1)
    yield code, "a blank before", " " + text
    yield code, "a line end", text + "\n"
    yield code, "members in another order", json.dumps(good, separators=(",", ":"))
    yield code, "a letter escaped that need not be", text.replace("borda", "bord\\u0061")
    yield code, "a slash escaped", text.replace('"epsilon":"1"', '"epsilon":"1\\/2"')
    yield code, "upper-case digits in an escape", text.replace("borda", "\\u001F")
    yield code, "a member twice", text.replace('"k":2', '"k":2,"k":2')
    yield code, "a member twice, once escaped", text.replace('"k":2', '"\\u006b":2,"k":2')
    yield code, "half of a surrogate pair, escaped", text.replace("borda", "\\ud83d")
    for number in (
        "2.0",
        "2e0",
        "2E0",
        "20e-1",
        "-0",
        "2.5",
        "9007199254740992",
        "1e400",
        "9" * 5000,
    ):
        yield code, f"{number[:20]} for k", text.replace('"k":2', f'"k":{number}')
    large = base("laplace") | {"digits": [2**60, 2**60]}
    yield code, "large numbers not as text", _plain(large)
    for member in ("mechanism", "rule", "epsilon", "odds", "k"):
        both = _plain(good | {member: [2**53]})
        yield code, f"of two faults the first: a number of 2^53, then {member}", both
    yield code, "34 lists in one another", "[" * 34 + "]" * 34
    yield code, "a blank in what is no object", "[1, 2]"
    yield code, "a float in what is no object", "[1.5]"
    code = "parameters.member"
    for value in ("null", "[]", "7", '"additive"', "true", "[" * 33 + "]" * 33):
        yield code, f"{value[:12]} instead of an object", value


def _plain(document: object) -> str:
    """As canonical as text with large numbers can be."""
    return json.dumps(document, sort_keys=True, separators=(",", ":"))


def bad_names() -> Iterator[Bad]:
    """Names of candidates, and of rules up to 80 code points."""
    for length, name in (
        (0, ""),
        (201, "n" * 201),
        (201, "🦊" * 201),
        (201, "e\u0301" * 100 + "n"),
    ):
        yield "name.length", f"{length} code points: {name[:2]!a}", name
    points = (
        *(0x0, 0x9, 0xA, 0xD, 0x1F, 0x7F, 0x85, 0x9F, 0x61C, 0x200B, 0x200C, 0x200D, 0x200E),
        0x200F,
        *(0x2028, 0x2029, 0x202A, 0x202E, 0x2060, 0x2066, 0x2069, 0xD800, 0xDBFF, 0xDC00, 0xDFFF),
        *(0xAD, 0x34F, 0x115F, 0x1160, 0x17B4, 0x180B, 0x180F, 0x2061, 0x2065, 0x206A, 0x206F),
        *(0x3164, 0xFE00, 0xFE0F, 0xFFA0, 0xFFF9, 0xFFFB, 0xE0000, 0xE0041, 0xE0FFF),
        *(0xFDD0, 0xFDEF, 0xFEFF, 0xFFFE, 0xFFFF, 0x1FFFE, 0x1FFFF, 0x10FFFE, 0x10FFFF),
    )
    for point in points:
        yield "name.character", f"U+{point:04X}", f"Ann{chr(point)}"
    for point in (0x20, 0xA0, 0x1680, 0x2000, 0x200A, 0x202F, 0x205F, 0x2800, 0x3000):
        for name in (chr(point), f"{chr(point)}Ann", f"Ann{chr(point)}"):
            yield "name.character", f"U+{point:04X} of {len(name)} at an end: {name!a}", name
    yield "name.character", "halves of a pair in the wrong order", "\udd8a\ud83e"
    yield "name.character", "a family, joined without width", "👩\u200d👧"


def bad_codes() -> Iterator[Bad]:
    """Codes as somebody typed them."""
    good = codes.code_of(int.from_bytes(stream("code", 12)))
    for typed in (
        "",
        good[:-1],
        good + "0",
        good[:-1] + "U",
        good.replace(good[3], "é"),
        "🦊" * 21,
    ):
        yield "code.form", f"{typed[:21]!a} of {len(typed)}", typed
    yield "code.form", "digits of another script", "".join(_arabic(one) for one in good)
    yield "code.form", "separators that are none", "_".join(good)
    for at in (0, 10, 20):
        other = codes.ALPHABET[(codes.ALPHABET.index(good[at]) + 1) % 32]
        yield "code.check", f"another character at {at}", good[:at] + other + good[at + 1 :]
    for at in (0, 7, 19):
        swapped = good[:at] + good[at + 1] + good[at] + good[at + 2 :]
        if swapped != good:
            yield "code.check", f"two characters swapped at {at}", swapped


def _arabic(digit: str) -> str:
    return chr(0x660 + int(digit)) if digit.isdigit() else digit
