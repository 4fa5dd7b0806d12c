"""What requests and answers consist of; the description of the API is made from these types."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", description="32 bytes in lower-case hex.")]
Id = Annotated[str, Meta(pattern="^[0-9a-f]{32}$", description="128 random bits in hex.")]
Salt = Annotated[str, Meta(pattern="^[0-9a-f]{32}$", description="16 random bytes in hex.")]
Signature = Annotated[str, Meta(pattern="^[0-9a-f]{128}$", description="An Ed25519 signature.")]
Seconds = Annotated[int, Meta(ge=0, le=1 << 40, description="Seconds since 1970.")]
Number = Annotated[int, Meta(ge=0)]
Text = Annotated[str, Meta(max_length=200)]

MOST_HASHES = 50_000  # codes in one request


class Create(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A poll to be made: by rule, epsilon and mechanism, or by a mechanism's parameters."""

    question: Annotated[str, Meta(max_length=1000)]
    candidates: Annotated[list[Annotated[str, Meta(max_length=400)]], Meta(max_length=64)]
    closes: Seconds
    organiser: Hash  # H("hushvote organiser", the organiser's key)
    description: Annotated[str, Meta(max_length=10_000)] | None = None
    rule: Annotated[str, Meta(max_length=5000)] | None = None
    epsilon: Text | None = None
    mechanism: Annotated[str, Meta(max_length=1000)] | None = None
    parameters: dict[str, Any] | None = None
    seats: int | None = None
    access: Text | None = None
    changes: int | None = None
    partial: bool | None = None
    turnout: int | None = None
    live: int | None = None


class Created(Struct):
    """A new poll; whoever made it computes the digest of the manifest again."""

    id: Id
    digest: Hash
    manifest: str
    closes: Seconds


class Planning(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A poll that somebody thinks of, with some epsilons to compare."""

    candidates: Annotated[int, Meta(ge=2, le=64)]
    voters: Annotated[int, Meta(ge=1, le=10**9)]
    epsilons: Annotated[list[Text], Meta(min_length=1, max_length=4)]
    rule: Annotated[str, Meta(max_length=5000)] | None = None
    seats: int | None = None
    access: Text | None = None
    turnout: int | None = None  # reports below which nothing is shown, or steps of live results


class Plan(Struct):
    """What a poll promises and decides with one epsilon."""

    epsilon: float
    odds: float  # by which whoever sees a report can multiply theirs at most
    crowd_epsilon: float | None  # at the least turnout; a poll by link promises none
    lead: float | None  # that is most likely certified; None: not even the largest
    most: float  # the largest lead that there can be
    low: float  # score of the last place
    high: float  # score of the first place
    plenty: Number  # voters who most likely certify half of the largest


class Plans(Struct):
    """A plan for each epsilon, in order; null where computing it takes too long."""

    plans: list[Plan | None]


class Listed(Struct):
    """A poll in the operator's list."""

    id: Id
    digest: Hash
    question: str
    access: Literal["link", "codes"]
    state: Literal["open", "closed"]
    closes: Seconds


class Polls(Struct):
    """All polls of a server."""

    polls: list[Listed]


class Codes(Struct):
    """How many codes there are."""

    issued: Number
    used: Number
    revoked: Number


class Hour(Struct):
    """Votes that were cast within an hour."""

    at: Seconds  # when it began
    casts: Number


class Poll(Struct):
    """What everybody may know of a poll beside its manifest."""

    id: Id
    digest: Hash
    state: Literal["open", "closed"]
    closes: Seconds
    standing: Number  # reports
    casts: Number
    changes: Number
    withdrawals: Number
    erasures: Number
    as_of: Seconds | None  # the hour that these numbers are of; None: they are exact
    log: list[dict[str, Any]]
    codes: Codes | None  # in polls of codes
    crowd_epsilon: float | None  # at the promised turnout; a poll by link promises none
    kept_until: Seconds | None  # when all of it is deleted, if it closes as planned; None: never
    hours: list[Hour] | None  # those with votes; for the organiser alone


class Extend(Struct, forbid_unknown_fields=True):
    """Another closing time."""

    closes: Seconds


class Closing(Struct):
    """Whether and when a poll closes."""

    state: Literal["open", "closed"]
    closes: Seconds


class Hashes(Struct, forbid_unknown_fields=True):
    """Hashes of codes: H("hushvote code", q)."""

    codes: Annotated[list[Hash], Meta(min_length=1, max_length=MOST_HASHES)]


class Issued(Struct):
    """How many codes are issued in all."""

    issued: Number


class Revoked(Struct):
    """The codes that were taken back by this request; used ones cannot be."""

    revoked: list[Hash]


class Deleted(Struct):
    """What remains of a poll."""

    id: Id
    digest: Hash
    day: str


class Cast(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The first report of a voter: JSON without blanks, then spaces up to the poll's length."""

    poll: Hash
    receipt: Hash
    report: dict[str, Any]
    question: Hash | None = None


class Change(Struct, forbid_unknown_fields=True):
    """Another report in place of the one whose secret is revealed; written like a cast."""

    poll: Hash
    reveals: Hash
    receipt: Hash
    report: dict[str, Any]


class Withdrawal(Struct, forbid_unknown_fields=True):
    """The end of the report whose secret is revealed; written like a cast."""

    poll: Hash
    reveals: Hash


class Erasure(Struct, forbid_unknown_fields=True):
    """The end, also after close, of the report whose secret is revealed; written like a cast."""

    poll: Hash
    reveals: Hash


class Acknowledgement(Struct, omit_defaults=True):
    """What the server has signed; that of a withdrawal or an erasure has no salt."""

    poll: Hash
    receipt: Hash
    leaf: Hash
    signature: Signature
    salt: Salt | None = None


class Problem(Struct):
    """Why a request was refused (RFC 9457); beside these members, the values of the sentence."""

    type: str
    title: str
    status: Annotated[int, Meta(ge=400, le=599)]
    detail: str
    code: Annotated[str, Meta(pattern="^[a-z]+([.-][a-z]+)*$")]
