"""What people are shown, in one catalogue a language: a whole sentence for each case.

A key such as "win.sure" names a case; its template takes named values, and numbers as they are.
How numbers are written, and how many forms a counted noun has, is up to the language as well.
"""

import string
from typing import Any

from hushvote.messages import en

LANGUAGE = en


class _Formatter(string.Formatter):
    """Writes numbers with the signs of the language."""

    def format_field(self, value: Any, format_spec: str) -> str:
        text = format(value, format_spec)
        if isinstance(value, str):
            return text
        return text.translate({ord(","): LANGUAGE.THOUSANDS, ord("."): LANGUAGE.DECIMAL})


_formatter = _Formatter()


def say(key: str, /, **values: object) -> str:
    """The message of that key, with these values in it."""
    return _formatter.vformat(LANGUAGE.MESSAGES[key], (), values)


def counted(number: int, noun: str) -> str:
    """So many of something: "1 report", "2,000 reports"."""
    form = LANGUAGE.NOUNS[noun][LANGUAGE.form(number)]
    return _formatter.vformat(form, (), {"number": number})


def reason(code: str) -> str:
    """Why a voter's device refuses, in a sentence for the voter: that of the code, or of its
    kind.
    """
    kind = code.partition(".")[0]
    key = next(key for key in (code, kind, "") if key in LANGUAGE.REFUSALS)
    return _formatter.vformat(LANGUAGE.REFUSALS[key], (), {"code": code})
