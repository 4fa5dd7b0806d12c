"""Everything that makes a manifest one, in the one order in which all readers check it."""

import hashlib
from collections.abc import Mapping
from typing import Any, NoReturn

from hushvote import texts
from hushvote.canonical import NotCanonical, canonical, is_hex, parsed
from hushvote.errors import MechanismError, PollError, RankingError, clip, echo
from hushvote.mechanisms import mechanism_from
from hushvote.poll.signing import is_weak
from hushvote.rankings import check_candidates
from hushvote.rules import MAX_CANDIDATES

KIND, VERSION = "poll", 1
MEMBERS = (
    *("hushvote", "version", "id", "question", "description", "candidates", "mechanism", "seats"),
    *("access", "changes", "partial", "turnout", "live", "server"),
)
LONGEST = 1 << 18  # bytes of a manifest
QUESTION, DESCRIPTION = 500, 5000  # code points at most
MOST_CHANGES = 16
FEWEST, MOST = 20, 10**9  # reports that `turnout` and `live` may name
LINK, CODES = "link", "codes"
KEY = "key"  # the parameter by which a mechanism's questions hang on the poll


def read(text: str | bytes, digest: str | None = None) -> Any:
    """What stands in a manifest's text, if that is the text of this digest, and canonical JSON."""
    raw, characters = _bytes_and_text(text)
    if len(raw) > LONGEST:
        raise PollError(
            f"a manifest has {LONGEST:,} bytes at most, and this has more",
            code="poll.size",
            size=len(raw),
            most=LONGEST,
        )
    if digest is not None and not (is_hex(digest) and hashlib.sha256(raw).hexdigest() == digest):
        raise PollError(
            f"this is not the manifest of the poll with the digest {echo(digest)}",
            code="poll.digest",
            given=digest,
        )
    value = _parsed(characters)
    if not _is_canonical(value, raw):
        raise PollError(
            "this manifest is not in its canonical form (RFC 8785): members in order, no blanks, "
            "no member twice, nothing escaped that need not be, whole numbers below 2^53",
            code="poll.canonical",
        )
    return value


def checked(document: Any) -> dict[str, Any]:
    """What a poll is made of, from a manifest's document; refused if a value is out of bounds."""
    if not isinstance(document, Mapping):
        _refuse_members(f"a manifest is a JSON object, not {echo(document)}", None)
    for member in MEMBERS:
        if document.get(member) is None:
            _refuse_members(f"this manifest lacks the member {member!r}", member)
    for member in document:
        if member not in MEMBERS:
            _refuse_members(
                f"this manifest has a member {echo(member)} that it must not have", member
            )
    found = dict(document)
    if found.pop("hushvote") != KIND or not _whole(found["version"], VERSION, VERSION):
        raise PollError(
            f"this is no manifest of version {VERSION}, the one that this hushvote reads",
            code="poll.version",
            given=found["version"],
        )
    del found["version"]
    if not is_hex(found["id"], 32):
        raise PollError(
            f"the id must be 32 hexadecimal digits in lower case, not {echo(found['id'])}",
            code="poll.id",
            given=found["id"],
        )
    _check_text("question", found["question"], 1, QUESTION)
    _check_text("description", found["description"], 0, DESCRIPTION, allowed="\n")
    found["candidates"] = _names(found["candidates"])
    found["mechanism"] = _mechanism(found)
    _check_settings(found)
    return found


# --- the text -------------------------------------------------------------------------------------


def _bytes_and_text(text: object) -> tuple[bytes, str | None]:
    """The bytes that are hashed, and the characters (None where bytes are no UTF-8).

    Halves of surrogate pairs count as pairs where they stand together, and elsewhere are hashed
    as U+FFFD, as browsers do; no canonical text has them.
    """
    if isinstance(text, str):
        units = text.encode("utf-16-le", "surrogatepass")
        joined = units.decode("utf-16-le", "surrogatepass")
        return units.decode("utf-16-le", "replace").encode(), joined
    if not isinstance(text, bytes | bytearray):
        raise PollError(f"a manifest is text, not {echo(text)}", code="poll.json", given=text)
    try:
        return bytes(text), bytes(text).decode()
    except UnicodeDecodeError:
        return bytes(text), None


def _parsed(text: str | None) -> Any:
    """The JSON of a text; None if it is JSON that has no canonical form."""
    try:
        if text is None:
            raise ValueError("it is not UTF-8")
        return parsed(text)
    except NotCanonical:
        return None
    except ValueError as error:
        raise PollError(
            f"this manifest is {clip(str(error))}", code="poll.json", reason=error
        ) from None


def _is_canonical(value: object, raw: bytes) -> bool:
    try:
        return canonical(value) == raw
    except ValueError:
        return False


# --- the members ----------------------------------------------------------------------------------


def _refuse_members(sentence: str, member: object) -> NoReturn:
    raise PollError(sentence, code="poll.member", member=member)


def _whole(value: object, low: int, high: int) -> bool:
    """Whether this is a whole number in these bounds; true and false are none."""
    return type(value) is int and low <= value <= high


def _check_text(member: str, text: object, least: int, most: int, allowed: str = "") -> None:
    if not isinstance(text, str) or not least <= len(text) <= most:
        raise PollError(
            f"the {member} must be text of {least} to {most} characters",
            code="poll.text",
            member=member,
        )
    for character in text:
        if character not in allowed and texts.refused(ord(character)):
            raise PollError(
                f"the {member} has the character U+{ord(character):04X}, which cannot be shown",
                code="poll.text",
                member=member,
                character=f"U+{ord(character):04X}",
            )
    if text and (texts.blank(text[0]) or texts.blank(text[-1])):
        raise PollError(
            f"the {member} begins or ends with a blank", code="poll.text", member=member
        )


def _names(candidates: object) -> tuple[str, ...]:
    if not isinstance(candidates, list):
        raise RankingError(
            f"the candidates must be a list of 2 to {MAX_CANDIDATES} names",
            code="name.number",
            given=candidates,
        )
    check_candidates(candidates)
    return tuple(candidates)


def _mechanism(found: Mapping[str, Any]) -> Any:
    parameters = found["mechanism"]
    if not isinstance(parameters, dict):
        raise MechanismError(
            f"parameters must be a JSON object, not {echo(parameters)}",
            code="parameters.member",
            given=parameters,
        )
    made = mechanism_from(parameters)
    if made.d != len(found["candidates"]):
        raise PollError(
            f"there are {len(found['candidates'])} names, but the rule scores {made.d} candidates",
            code="poll.candidates",
            number=len(found["candidates"]),
            d=made.d,
        )
    if KEY in parameters and parameters[KEY] != found["id"]:
        raise PollError(
            "the key of the mechanism must be the id of the poll",
            code="poll.key",
            given=parameters[KEY],
        )
    return made


def _check_settings(found: Mapping[str, Any]) -> None:
    """Everything beside texts, names and the mechanism."""
    d = len(found["candidates"])
    if not _whole(found["seats"], 1, d - 1):
        raise PollError(
            f"seats must be a whole number from 1 to {d - 1}, not {echo(found['seats'])}",
            code="poll.seats",
            given=found["seats"],
            d=d,
        )
    asks = found["mechanism"].needs_question
    if found["access"] != CODES and (found["access"] != LINK or asks):
        offer = "codes, since every voter is asked by a code" if asks else "link or codes"
        raise PollError(
            f"access must be {offer}, not {echo(found['access'])}",
            code="poll.access",
            given=found["access"],
        )
    if not _whole(found["changes"], 0, MOST_CHANGES):
        raise PollError(
            f"changes must be a whole number from 0 to {MOST_CHANGES}, "
            f"not {echo(found['changes'])}",
            code="poll.changes",
            given=found["changes"],
        )
    if not isinstance(found["partial"], bool):
        raise PollError(
            f"partial must be true or false, not {echo(found['partial'])}",
            code="poll.partial",
            given=found["partial"],
        )
    if not _whole(found["turnout"], FEWEST, MOST):
        raise PollError(
            f"turnout must be a whole number from {FEWEST} to {MOST:,}, "
            f"not {echo(found['turnout'])}",
            code="poll.turnout",
            given=found["turnout"],
        )
    if not _whole(found["live"], 0, 0) and not _whole(found["live"], FEWEST, MOST):
        raise PollError(
            f"live must be 0, or a whole number from {FEWEST} to {MOST:,}, "
            f"not {echo(found['live'])}",
            code="poll.live",
            given=found["live"],
        )
    if not is_hex(found["server"]):
        raise PollError(
            "server must be an Ed25519 public key, 64 hexadecimal digits in lower case, "
            f"not {echo(found['server'])}",
            code="poll.server",
            given=found["server"],
        )
    if is_weak(found["server"]):
        raise PollError(
            "server is a weak key, for which anybody can make signatures; take one that "
            "Ed25519PrivateKey.generate() has made",
            code="poll.weak",
            given=found["server"],
        )
