"""JSON that has one form only, the digests of it, and documents that notice damage.

The form is RFC 8785 (JCS): members by the UTF-16 code units of their names, no blanks, and in texts
only what must be escaped. Numbers are whole and below 2^53, where that RFC and everybody agree;
larger ones travel as text (`exact.to_json`), fractions too, so there is no float to be rounded.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any, NoReturn

from hushvote.exact import LONGEST

LARGEST = 2**53  # every whole number below it is a number of JSON in every language
DEEPEST = 32  # lists and mappings around anything


class NotCanonical(ValueError):  # noqa: N818 - a reason, which readers make errors of
    """JSON that has no canonical form."""


def canonical(value: object) -> bytes:
    """The canonical JSON of texts, whole numbers, truth values, lists and mappings of them.

    A ValueError for anything else: floats, larger numbers, texts that are no Unicode.
    """
    if _is_plain(value):
        return _SORTING.encode(value).encode()
    return _WRITING.encode(_in_order(value)).encode()


def _is_plain(value: object, depth: int = 0) -> bool:  # noqa: PLR0911 - quick, one by one
    """Whether this needs only its members sorted, by names in which the order of characters is
    that of code units: so is almost everything, and a server writes it for every vote.
    """
    kind = type(value)
    if kind is str:
        return True
    if kind is int:
        return -LARGEST < value < LARGEST  # type: ignore[operator]
    if depth == DEEPEST:
        return False
    if kind is list:
        return all(_is_plain(item, depth + 1) for item in value)  # type: ignore[attr-defined]
    if kind is not dict:
        return False
    for name, item in value.items():  # type: ignore[attr-defined]
        if type(name) is not str or not name.isascii() or not _is_plain(item, depth + 1):
            return False
    return True


_WRITING = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False)
_SORTING = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False, sort_keys=True)


def _in_order(value: object, depth: int = 0) -> object:
    """The same value with every mapping in canonical order."""
    if depth > DEEPEST:
        raise ValueError("it is nested too deeply")
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, int):
        if abs(value) >= LARGEST:
            raise ValueError("it has a whole number of 2^53 or more that is not text")
        return int(value)
    if isinstance(value, list | tuple):
        return [_in_order(item, depth + 1) for item in value]
    if isinstance(value, Mapping):
        for name in value:
            if not isinstance(name, str):
                raise ValueError("it has a member whose name is not text")
        plain = "".join(value).isascii()  # there the order of characters is that of code units
        ordered = sorted(value) if plain else sorted(value, key=_code_units)
        return {name: _in_order(value[name], depth + 1) for name in ordered}
    raise ValueError(f"it has a {type(value).__name__}, which has no canonical form")


def _code_units(name: str) -> bytes:
    return name.encode("utf-16-be")


def digest_of(document: Mapping[str, Any]) -> str:
    """What binds reports to one mechanism or poll: SHA-256 of the canonical JSON."""
    return hashlib.sha256(canonical(document)).hexdigest()


def is_digest(value: object) -> bool:
    """Whether this is a digest as we write it: 64 hexadecimal digits in lower case."""
    return isinstance(value, str) and re.fullmatch("[0-9a-f]{64}", value) is not None


def sealed(document: Mapping[str, Any]) -> str:
    """Write JSON text with a checksum, so that damage is noticed."""
    return json.dumps({**document, "checksum": digest_of(document)}, ensure_ascii=False)


def unsealed(text: str | bytes) -> dict[str, Any]:
    """Read what `sealed` wrote; a ValueError for anything else."""
    document = parsed(text)
    if not isinstance(document, dict):
        raise ValueError("not a JSON object")
    if document.pop("checksum", None) != digest_of(document):
        raise ValueError("its checksum does not fit")
    return document


def parsed(text: str | bytes) -> Any:
    """Read JSON in which no member stands twice and every number is one; else a ValueError, of
    its own kind where it is JSON all the same.
    """
    twice: list[str] = []

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            twice.append("a member stands twice")
        return found

    try:
        document = json.loads(
            text, object_pairs_hook=members, parse_constant=_no_number, parse_int=_whole
        )
    except RecursionError:
        if _is_deep(text if isinstance(text, str) else text.decode(errors="replace")):
            raise NotCanonical("nested too deeply") from None
        raise ValueError("not valid JSON") from None
    except ValueError as error:
        raise ValueError(f"not valid JSON ({error})") from None
    if twice:
        raise NotCanonical(f"not valid JSON ({twice[0]})")
    return document


_PIECES = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]|[^"\[\]{}]+|"', re.DOTALL)


def _is_deep(text: str) -> bool:
    """Whether text is JSON that is nested too deeply for Python's reader: judged from the inside
    out, a list or object that is closed standing as one number in what is around it.
    """
    around: list[list[str]] = [[]]
    try:
        for piece in _PIECES.findall(text):
            if piece in ("[", "{"):
                around.append([piece])
            elif piece in ("]", "}"):
                json.loads("".join([*around.pop(), piece]))
                around[-1].append(" 0 ")
            else:
                around[-1].append(piece)
        json.loads("".join(around.pop()))
    except (ValueError, IndexError):
        return False
    return not around


def _whole(text: str) -> int:
    """A whole number; for one that is too long to be read another that no document may have."""
    return int(text) if len(text) <= LONGEST else LARGEST


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is not a number")
