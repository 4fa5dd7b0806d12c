"""Headers that every answer has, refusals too.

Nothing of what the API answers is a page: a browser that is led to show it as one may load
nothing, run nothing and be framed by nobody. Pages bring a policy of their own.
"""

from collections.abc import Iterable

Headers = list[tuple[bytes, bytes]]

POLICY = (
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'; sandbox"
)
STRICT: Headers = [
    (b"content-security-policy", POLICY.encode()),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
]
TLS = (b"strict-transport-security", b"max-age=63072000; includeSubDomains")
NO_STORE = (b"cache-control", b"no-store")


def strict(tls: bool) -> Headers:
    """The headers of every answer; over TLS browsers are told to stay with it."""
    return [*STRICT, TLS] if tls else list(STRICT)


def completed(given: Iterable[tuple[bytes, bytes]], always: Headers) -> Headers:
    """Headers of an answer and those that all have, unless it has its own of that name; if it does
    not say otherwise it is kept nowhere.
    """
    found = list(given)
    own = {name for name, _ in found}
    found += [one for one in always if one[0] not in own]
    if not any(name == b"cache-control" for name, _ in found):
        found.append(NO_STORE)
    return found
