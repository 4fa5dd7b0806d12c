"""Which texts may be names: a rule by code points, the same in every language and version.

Refused is what cannot be seen and could make one name look like another or break a line: control
characters, line and paragraph separators, marks that turn the direction of writing, characters of
no width, halves of surrogate pairs and noncharacters. All else is allowed, assigned or not: what
Unicode assigns changes from year to year, this list does not.
"""

CANDIDATE = 200  # code points that a candidate's name may have
RULE = 80  # and a rule's

REFUSED = (
    (0x0000, 0x001F),  # control
    (0x007F, 0x009F),  # control
    (0x061C, 0x061C),  # direction of writing
    (0x200B, 0x200D),  # no width
    (0x200E, 0x200F),  # direction of writing
    (0x2028, 0x2029),  # line and paragraph separators
    (0x202A, 0x202E),  # direction of writing
    (0x2060, 0x2060),  # no width
    (0x2066, 0x2069),  # direction of writing
    (0xD800, 0xDFFF),  # surrogates
    (0xFDD0, 0xFDEF),  # noncharacters, with the last two of every plane
    (0xFEFF, 0xFEFF),  # no width
)


def refused(point: int) -> bool:
    """Whether no name may have this code point."""
    return point & 0xFFFE == 0xFFFE or any(low <= point <= high for low, high in REFUSED)


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
    return None
