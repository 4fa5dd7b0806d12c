"""What people are shown, in one catalogue a language: a whole sentence for each case.

A key such as "win.sure" names a case; its template takes named values, and numbers as they are.
How numbers are written, and how many forms a counted noun has, is up to the language as well.

English is spoken unless `speaking` says otherwise, for a thread or a task of its own. A language is
a folder here, named by its two letters; whoever adds one changes nothing else.
"""

import pkgutil
import re
import string
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib import import_module
from typing import Any, Protocol, Self, cast

from hushvote.errors import HushvoteError

ENGLISH = "en"

_spoken: ContextVar[str] = ContextVar("hushvote_language", default=ENGLISH)


class Language(Protocol):
    """What the folder of a language holds."""

    DECIMAL: str
    THOUSANDS: str
    MESSAGES: Mapping[str, str]
    REPORTS: Mapping[str, str]
    REFUSALS: Mapping[str, str]
    NOUNS: Mapping[str, tuple[str, ...]]
    PAGES: Mapping[str, Mapping[str, str]]

    def form(self, number: int) -> int:
        """Which form of a noun goes with a number."""


@cache
def languages() -> tuple[str, ...]:
    """Those that there are, by their two letters."""
    names = (found.name for found in pkgutil.iter_modules(__path__))
    return tuple(sorted(name for name in names if re.fullmatch("[a-z]{2}", name)))


@cache
def language(code: str) -> Language:
    """The catalogue of a language."""
    if code not in languages():
        raise HushvoteError(
            f"there is no language {code!r}; there are {', '.join(languages())}",
            code="language.unknown",
            given=code,
        )
    return cast(Language, import_module(f"{__name__}.{code}"))


def spoken() -> str:
    """The language of the moment."""
    return _spoken.get()


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """Speak a language for a while; other threads and tasks go on in theirs."""
    language(code)
    before = _spoken.set(code)
    try:
        yield
    finally:
        _spoken.reset(before)


def _language() -> Language:
    return language(spoken())


class _Formatter(string.Formatter):
    """Writes numbers with the signs of the language."""

    def format_field(self, value: Any, format_spec: str) -> str:
        text = format(value, format_spec)
        if isinstance(value, str):
            return text
        signs = {ord(","): _language().THOUSANDS, ord("."): _language().DECIMAL}
        return text.translate(signs)


_formatter = _Formatter()


def _filled(template: str, values: Mapping[str, object]) -> str:
    return _formatter.vformat(template, (), values)


def written(number: float, how: str) -> str:
    """A number with the signs of the language of the moment, as in written(1234.5, ",.1f")."""
    return _formatter.format_field(number, how)


class Said(str):
    """A message that can be said again, in another language."""

    __slots__ = ("again",)

    again: Callable[[], str]

    @classmethod
    def so(cls, text: str, again: Callable[[], str]) -> Self:
        """This text, and how to say it again."""
        said = cls(text)
        said.again = again
        return said

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        return str, (str(self),)  # copies, and what other processes get, are text


def say(key: str, /, **values: object) -> str:
    """The message of that key, with these values in it."""
    said = _filled(_language().MESSAGES[key], values)
    return Said.so(said, lambda: say(key, **again(values)))


def counted(number: int, noun: str, /, code: str | None = None) -> str:
    """So many of something: "1 report", "2,000 reports"; in the language of the moment, or in
    another.
    """
    with speaking(code or spoken()):
        forms = _language().NOUNS[noun]
        said = _filled(forms[_language().form(number)], {"number": number})
    return Said.so(said, lambda: counted(number, noun, code))


def reason(code: str) -> str:
    """Why a voter's device refuses, in a sentence for the voter: that of the code, or of its
    kind.
    """
    refusals, kind = _language().REFUSALS, code.partition(".")[0]
    key = next(key for key in (code, kind, "") if key in refusals)
    return Said.so(_filled(refusals[key], {"code": code}), lambda: reason(code))


def again(told: Any) -> Any:
    """The same in the language of the moment: messages, and dicts and lists of them; all else
    stays as it is.
    """
    if isinstance(told, Said):
        return told.again()
    if isinstance(told, Mapping):
        return {key: again(one) for key, one in told.items()}
    if isinstance(told, list | tuple):
        return [again(one) for one in told]
    return told
