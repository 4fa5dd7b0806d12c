"""Bad manifests of polls: one change away from good ones, or two, to show which comes first."""

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from conformance.bad_draws import bad_rankings
from conformance.bad_parameters import Bad, base
from conformance.polls import document, text_of

import hushvote as hv

FIRST = "of two faults the first: "
NAMES = ["Ann", "Bob", "Çem", "Dörte"]


def good(name: str = "additive", **settings: Any) -> dict[str, Any]:
    """A good manifest's document, but for these settings."""
    return document(hv.mechanism_from(base(name)), NAMES) | settings


def bad_manifests() -> Iterator[Bad]:
    """All of them, in the order in which readers check; each value is a text, or members with it:
    the digest that it is opened with, or long texts in parts.
    """
    yield from _texts()
    yield from _numbers()
    for code, reason, value in (*_members(), *_names(), *_mechanisms(), *_settings(), *_orders()):
        yield code, reason, text_of(value)


def _texts() -> Iterator[Bad]:
    """Text that is too long, another's, no JSON or not canonical."""
    text = text_of(good())
    before, behind = text.split('"description":""')
    parts = [[before + '"description":"', 1], ["x", 2**18], ['"' + behind, 1]]
    yield "poll.size", "a description of 2^18 characters", {"parts": parts}
    yield "poll.size", "blanks behind it", {"parts": [[text, 1], [" ", 2**18]]}
    yield "poll.size", "too many bytes in few characters", {"parts": [["🦊", 2**16 + 1]]}
    yield "poll.size", "halves of surrogate pairs, 3 bytes each", {"parts": [["\ud83e", 87_382]]}
    digest = hashlib.sha256(text.encode()).hexdigest()
    other = hashlib.sha256(text.encode() + b"\n").hexdigest()
    for reason, wrong in {
        "the digest of another text": other,
        "a digest in capitals": digest.upper(),
        "a digest cut short": digest[:-1],
        "a digest and a line end": digest + "\n",
        "no digest": "",
    }.items():
        yield "poll.digest", reason, {"text": text, "digest": wrong}
    broken = {"text": text + " ", "digest": digest}
    yield "poll.digest", FIRST + "digest, then canonical", broken
    code = "poll.json"
    yield code, "nothing", ""
    yield code, "half of the text", text[: len(text) // 2]
    yield code, "two texts in one", text + text
    yield code, "a comma too many", text[:-1] + ",}"
    yield code, "a comment", text + "//"
    yield code, "a byte order mark", "\ufeff" + text
    yield code, "a blank that JSON does not know", text + "\u00a0"
    yield code, "not a number", text.replace('"live":0', '"live":NaN')
    yield code, "a leading zero", text.replace('"live":0', '"live":00')
    yield code, "a plus", text.replace('"live":0', '"live":+0')
    yield code, "a line end in a text", text.replace("Ann", "An\nn")
    yield code, "an escape that JSON does not know", text.replace("Ann", "\\x41nn")
    yield code, "deep lists that are not closed", {"parts": [["[", 40_000]]}
    code = "poll.canonical"
    yield code, "a blank", text.replace(":", ": ", 1)
    yield code, "a line end", text + "\n"
    yield code, "a member twice", text.replace('"live":0', '"live":0,"live":0')
    yield code, "a member twice, with another value", text.replace('"live":0', '"live":20,"live":0')
    yield code, "a member twice, once escaped", text.replace('"live"', '"\\u006cive":0,"live"')
    yield code, "members in another order", json.dumps(good(), separators=(",", ":"))
    swapped = text.replace('"name":"borda","scores":["3","2","1","0"]', "", 1)
    inner = swapped.replace('"rule":{}', '"rule":{"scores":["3","2","1","0"],"name":"borda"}')
    yield code, "members of the rule in another order", inner
    yield code, "a letter escaped", text.replace("Ann", "\\u0041nn")
    yield code, "an accent escaped", text.replace("Ç", "\\u00c7")
    yield code, "an emoji escaped", text.replace("Ann", "\\ud83e\\udd8a")
    yield code, "a slash escaped", text.replace("Ann", "\\/")
    yield code, "a line end escaped the long way", text.replace('n":"","h', 'n":"\\u000a","h')
    yield code, "half of a surrogate pair", text.replace("Ann", "\\ud83e")
    yield code, "half of a surrogate pair, not escaped", text.replace("Ann", "\ud83e")
    yield code, "halves in the wrong order", text.replace("Ann", "\\udd8a\\ud83e")
    yield code, "lists 34 deep", "[" * 34 + "]" * 34
    yield code, "lists 30,000 deep", {"parts": [["[", 30_000], ["]", 30_000]]}
    for reason, inside in (("lists", "[]"), ("numbers", "0")):
        deep = "[" * 32 + inside + "]" * 32
        yield code, f"{reason} within 33 others", text.replace('"live":0', f'"live":{deep}')


def _numbers() -> Iterator[Bad]:
    """Numbers that are not written as RFC 8785 writes them, or that not everybody can hold."""
    text, code = text_of(good()), "poll.canonical"
    for member, number in (
        *(("version", form) for form in ("1.0", "1e0", "1E0", "10e-1", "0.1e1", "1.5")),
        *(("live", form) for form in ("-0", "0.0", "0e0", "1e-400", "20.0", "2e1")),
        *(("turnout", form) for form in ("9007199254740992", "1e400", "-9007199254740992")),
        *(("changes", form) for form in ("9007199254740991.0", "1" + "0" * 400)),
    ):
        old = {"version": 1, "live": 0, "turnout": 20, "changes": 2}[member]
        changed = text.replace(f'"{member}":{old}', f'"{member}":{number}')
        yield code, f"{member} as {number[:20]}", changed
    yield code, "k as 2.0", text.replace('"k":2', '"k":2.0')
    yield code, "odds as a float", text.replace('"odds":[', '"odds":[1e1,')


Documents = Iterator[Bad]


def _members() -> Documents:
    code = "poll.member"
    for value in (None, [], "poll", 7, True, [good()]):
        yield code, f"{json.dumps(value)[:8]} instead of an object", value
    yield code, "lists 33 deep", _deep(33)
    yield code, "no members", {}
    for member in good():
        yield code, f"{member} missing", {k: v for k, v in good().items() if k != member}
        yield code, f"{member} null", good() | {member: None}
    yield code, "a member too many", good(closes="tomorrow")
    yield code, "a member too many that is null", good(closes=None)
    yield code, "a member that objects have", good() | {"__proto__": {}}
    for value in ("Poll", "poll ", 1, ["poll"]):
        yield "poll.version", f"hushvote is {value!r}", good(hushvote=value)
    for value in (0, 2, "1", True, [1]):
        yield "poll.version", f"version is {value!r}", good(version=value)
    id = good()["id"]
    for value in (id.upper(), id[:-1], id + "0", id[:-1] + "g", id + "\n", "", 7, [id]):
        yield "poll.id", f"id is {value!r}", good(id=value)
    code = "poll.text"
    for value in ("", "n" * 501, "🦊" * 501, "one\ntwo", "a\u202eb", "\x00", 7, ["Who?"], True):
        yield code, f"question is {str(value)[:8]!a} of {len(str(value))}", good(question=value)
    for value in ("n" * 5001, "a\tb", "a\rb", "a\u200bb", "\ufffe", 7, []):
        reason = f"description is {str(value)[:8]!a} of {len(str(value))}"
        yield code, reason, good(description=value)
    for value in (" Who?", "Who? ", "\u3000Who?", "Who?\u00a0"):
        yield code, f"question is {value!a}", good(question=value)
        yield code, f"description is {value!a}", good(description=value)


def _deep(levels: int) -> list[Any]:
    found: list[Any] = []
    for _ in range(levels - 1):
        found = [found]
    return found


def _names() -> Documents:
    code = "name.number"
    for value in ([], ["Ann"], [str(j) for j in range(65)], "AnnBob", {"0": "Ann"}, 4, False):
        yield code, f"candidates are {str(value)[:8]} of {len(str(value))}", good(candidates=value)

    def named(name: object) -> dict[str, Any]:
        return good(candidates=["Ann", "Bob", "Çem", name])

    for value in ("", "n" * 201, "🦊" * 201, 7, None, ["Dörte"], True):
        yield "name.length", f"name {str(value)[:4]!a} of {len(str(value))}", named(value)
    for point in (0x0, 0x1F, 0x7F, 0x9F, 0x61C, 0x200D, 0x2028, 0x202E, 0x2060, 0x2069, 0xFDD0):
        yield "name.character", f"name with U+{point:04X}", named(f"D{chr(point)}")
    for point in (0xFEFF, 0xFFFF, 0x1FFFE, 0x10FFFF):
        yield "name.character", f"name with U+{point:04X}", named(chr(point))
    yield "name.duplicate", "a name twice", named("Ann")
    yield "name.duplicate", "all names alike", good(candidates=["Ann"] * 4)
    yield "name.duplicate", "an emoji twice", good(candidates=["🦊", "a", "b", "🦊"])
    both = good(candidates=["Ann", "Ann", "", "\x00"])
    yield "name.duplicate", FIRST + "a name twice, then one that is empty", both
    both = good(candidates=["", "Ann", "Ann", "\x00"])
    yield "name.length", FIRST + "an empty name, then one twice", both
    both = good(candidates=["\x00", "\x00", "Ann", ""])
    yield "name.character", FIRST + "a character, then the name twice", both


def _mechanisms() -> Documents:
    """A few of each: refusals of parameters are a kind of their own."""
    plain, duel, laplace = base("additive"), base("duel"), base("laplace")
    first, *others = duel["questions"]
    changes: list[tuple[str, Any]] = [
        ("parameters.member", "additive"),
        ("parameters.member", plain | {"j": 1}),
        ("parameters.member", {}),
        ("parameters.mechanism", plain | {"mechanism": "shouting"}),
        ("parameters.mechanism", plain | {"mechanism": "toString"}),
        ("parameters.canonical", plain | {"epsilon": "2/2"}),
        ("parameters.canonical", base("weighted-sampling") | {"intercept": "0.5"}),
        ("rule.size", plain | {"rule": {"name": "x", "scores": ["1"]}}),
        ("rule.size", plain | {"rule": {"name": "x", "scores": []}}),
        ("rule.scores", plain | {"rule": {"name": "x", "scores": ["0", "1", "2", "3"]}}),
        ("rule.scores", plain | {"rule": {"name": "borda", "scores": ["4", "2", "1", "0"]}}),
        ("name.character", plain | {"rule": {"name": "\u200b", "scores": ["3", "2", "1", "0"]}}),
        ("name.length", plain | {"rule": {"name": "n" * 81, "scores": ["3", "2", "1", "0"]}}),
        ("parameters.epsilon", plain | {"epsilon": "11"}),
        ("parameters.epsilon", plain | {"epsilon": "0"}),
        ("parameters.odds", plain | {"epsilon": "1/2"}),
        ("parameters.odds", plain | {"odds": [plain["odds"][0] + 1, 2**32]}),
        ("parameters.odds", laplace | {"digits": laplace["digits"][::-1]}),
        ("parameters.option", plain | {"k": 4}),
        ("parameters.option", plain | {"k": "2"}),
        ("parameters.option", laplace | {"digits": []}),
        ("question.number", duel | {"questions": []}),
        ("question.form", duel | {"questions": [first | {"gain": "1"}, *others]}),
        ("question.groups", duel | {"questions": [first | {"plus": 4}, *others]}),
        ("question.share", duel | {"questions": [first | {"share": 1}, *others]}),
        ("question.step", duel | {"questions": [first | {"step": 0}, *others]}),
        ("parameters.biased", duel | {"questions": [first | {"step": 1}, *others]}),
        ("question.empty", duel | {"questions": [first | {"threshold": 10**6}, *others]}),
    ]
    for n, (code, value) in enumerate(changes):
        yield code, f"mechanism {n}, with {code}", good(mechanism=value)
    code = "poll.candidates"
    yield code, "a name less than the rule scores", good(candidates=["Ann", "Bob", "Cem"])
    yield code, "a name more than the rule scores", good(candidates=["a", "b", "c", "d", "e"])
    challenge = base("challenge")
    for key in ("", "00", good()["id"][:-2], good()["id"] + "00"):
        changed = good("challenge", mechanism=challenge | {"key": key})
        yield "poll.key", f"key {key!r}", changed


def _settings() -> Documents:
    wrong: dict[str, list[Any]] = {
        "seats": [0, 4, -1, "1", True, [1]],
        "access": ["tokens", "Link", "", 0, ["link"], True],
        "changes": [-1, 17, "2", True, []],
        "partial": [0, 1, "true", "false", [], {}],
        "turnout": [19, 0, -20, 10**9 + 1, "20", True, 2**53 - 1],
        "live": [1, 19, -1, 10**9 + 1, "0", False, True],
        "server": ["", good()["server"].upper(), good()["server"][:-1], good()["server"] + "0", 7],
    }
    for member, values in wrong.items():
        for value in values:
            size = f"{type(value).__name__} of {len(str(value))}"
            reason = f"{member} is {str(value)[:20]!r}, {size}"
            yield f"poll.{member}", reason, good() | {member: value}
    yield "poll.access", "a challenge by a link", good("challenge", access="link")


def _orders() -> Documents:
    """Each fault together with the next one in the order, and with the last."""
    challenge, names = base("challenge"), ["Ann", "Bob", "Cem", "Dee"]
    faults: list[tuple[str, dict[str, Any]]] = [
        ("poll.member", {"more": 1}),
        ("poll.version", {"version": 2}),
        ("poll.id", {"id": "x"}),
        ("poll.text", {"question": ""}),
        ("name.number", {"candidates": ["Ann"]}),
        ("parameters.member", {"mechanism": {}}),
        ("poll.seats", {"seats": 0}),
        ("poll.access", {"access": "tokens"}),
        ("poll.changes", {"changes": 17}),
        ("poll.partial", {"partial": 0}),
        ("poll.turnout", {"turnout": 19}),
        ("poll.live", {"live": 1}),
        ("poll.server", {"server": ""}),
    ]
    for n, (code, change) in enumerate(faults[:-1]):
        for other, more in dict([faults[n + 1], faults[-1]]).items():
            yield code, f"{FIRST}{code}, then {other}", good() | more | change
    for order, key in (("1", "01" + "00" * 31), ("4", "00" * 32), ("4", "ed" + "ff" * 30 + "7f")):
        yield "poll.weak", f"a key of order {order}: {key[:2]}...{key[-2:]}", good(server=key)
    both = good(question="", description="\x00")
    yield "poll.text", FIRST + "question, then description", both
    both = good("challenge", candidates=names[:3], mechanism=challenge | {"key": "00"})
    yield "poll.candidates", FIRST + "the number of names, then the key", both
    both = good("challenge", mechanism=challenge | {"key": "00"}, seats=0)
    yield "poll.key", FIRST + "key, then seats", both
    both = good(mechanism=base("additive") | {"k": 9}, candidates=names[:3])
    yield "parameters.option", FIRST + "parameters, then the number of names", both


def bad_votes() -> Iterator[Bad]:
    """Votes that a poll refuses: by their question, then by their ranking."""
    whole, some = text_of(good()), text_of(good(partial=True))
    asking = text_of(good("challenge", partial=True))
    ranking, hashed = [3, 1, 0, 2], "00" * 32

    def vote(text: str, ranking: list[Any], question: str | None = None) -> dict[str, Any]:
        asked = {} if question is None else {"question": question}
        return {"text": text, "ranking": ranking, **asked}

    yield "question.missing", "no question", vote(asking, ranking)
    yield "question.missing", FIRST + "question, then ranking", vote(asking, [])
    yield "question.needless", "a question", vote(whole, ranking, hashed)
    yield "question.needless", "a question of no bytes", vote(some, ranking, "")
    for size in (0, 31, 33):
        yield "question.hash", f"a question of {size} bytes", vote(asking, ranking, "00" * size)
    both = vote(asking, [0, 0], "00")
    yield "question.hash", FIRST + "the hash of the question, then ranking", both
    for code, reason, name, wrong in bad_rankings():
        if name == "additive":
            yield code, f"{reason}, where all must be ranked", vote(whole, wrong)
    code = "ranking.length"
    yield code, "nobody ranked", vote(some, [])
    yield code, "more ranked than there are", vote(some, [0, 1, 2, 3, 0])
    code = "ranking.candidate"
    for candidate in (4, -1, 0.5, "1", None, True):
        yield code, f"{candidate!r} in a partial ranking", vote(some, [0, candidate])
    yield code, "one twice, and then another out of range", vote(some, [0, 0, 4])
    code = "ranking.duplicate"
    yield code, "one twice in a partial ranking", vote(some, [2, 2])
    yield code, "one twice in a whole ranking where some may be left out", vote(some, [0, 1, 2, 0])
