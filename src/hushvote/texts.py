"""Which texts may be names: a rule by code points, the same in every language and version.

Refused is what cannot be seen and could make one name look like another or break a line: control
characters, line and paragraph separators, marks that turn the direction of writing, characters of
no width, selectors of variants, fillers, tags, halves of surrogate pairs and noncharacters; blanks
at either end. All else is allowed, assigned or not: what Unicode assigns changes from year to year,
this list does not.
"""

import re

CANDIDATE = 200  # code points that a candidate's name may have
RULE = 80  # and a rule's

REFUSED = (
    (0x0000, 0x001F),  # control
    (0x007F, 0x009F),  # control
    (0x00AD, 0x00AD),  # no width
    (0x034F, 0x034F),  # no width
    (0x061C, 0x061C),  # direction of writing
    (0x115F, 0x1160),  # fillers
    (0x17B4, 0x17B5),  # no width
    (0x180B, 0x180F),  # selectors of variants
    (0x200B, 0x200D),  # no width
    (0x200E, 0x200F),  # direction of writing
    (0x2028, 0x2029),  # line and paragraph separators
    (0x202A, 0x202E),  # direction of writing
    (0x2060, 0x2065),  # no width
    (0x2066, 0x206F),  # direction of writing and shapes
    (0x3164, 0x3164),  # filler
    (0xD800, 0xDFFF),  # surrogates
    (0xFDD0, 0xFDEF),  # noncharacters, with the last two of every plane
    (0xFE00, 0xFE0F),  # selectors of variants
    (0xFEFF, 0xFEFF),  # no width
    (0xFFA0, 0xFFA0),  # filler
    (0xFFF9, 0xFFFB),  # annotations
    (0xE0000, 0xE0FFF),  # tags and selectors of variants
)
BLANK = (
    (0x0020, 0x0020),
    (0x00A0, 0x00A0),
    (0x1680, 0x1680),
    (0x2000, 0x200A),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x2800, 0x2800),
    (0x3000, 0x3000),
)
PERCENT = re.compile(r"(?<=\d) (?=%)|(?<=[<>]) (?=[\d.,]+ %)")  # blanks that break no line


def refused(point: int) -> bool:
    """Whether no name may have this code point."""
    return point & 0xFFFE == 0xFFFE or any(low <= point <= high for low, high in REFUSED)


def blank(character: str) -> bool:
    """Whether this is a blank, which no name begins or ends with."""
    return any(low <= ord(character) <= high for low, high in BLANK)


def shown(text: str) -> str:
    """Text as it stands, but for what cannot be seen and is no blank: it could steer a terminal."""
    return "".join(c if c.isprintable() or blank(c) else "\ufffd" for c in text)


def fits(name: object, longest: int) -> bool:
    """Whether this is text of 1 to `longest` code points."""
    return isinstance(name, str) and 1 <= len(name) <= longest


def flaw(name: object, longest: int) -> str | None:
    """Why this cannot be a name of 1 to `longest` code points; None if it can."""
    if not isinstance(name, str):
        return "is not text"
    if not fits(name, longest):
        return f"has {len(name)} characters, but must have 1 to {longest}"
    for character in name:
        if refused(ord(character)):
            return f"has the character U+{ord(character):04X}, which cannot be shown"
    if blank(name[0]) or blank(name[-1]):
        return "begins or ends with a blank"
    return None
