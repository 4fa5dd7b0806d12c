"""Rankings as people type them: numbers of a list, names, or beginnings of names."""

import re
from collections.abc import Sequence

from hushvote.errors import RankingError, echo
from hushvote.messages.phrases import any_of

SIGN, QUOTE = ">", '"'
NUMBER = re.compile("#?[0-9]+")


def read_names(texts: Sequence[str], candidates: Sequence[str]) -> list[int]:
    """A ranking from arguments: each names one candidate, or several with `>` between, best first.

    A name may hold commas, blanks, or the sign itself.
    """
    found: list[int] = []
    for text in texts:
        parts = text.split(SIGN)
        while parts:
            taken, candidate = _longest(parts, candidates)
            _add(found, candidate, candidates)
            parts = parts[taken:]
    return found


def _longest(parts: Sequence[str], candidates: Sequence[str]) -> tuple[int, int]:
    """The candidate that the first parts name, as many of them as make a whole name."""
    for taken in range(len(parts), 0, -1):
        name = SIGN.join(parts[:taken]).strip()
        if name in candidates:
            return taken, candidates.index(name)
    return 1, candidate_of(parts[0].strip(), candidates)


def read_line(line: str, shown: Sequence[int], candidates: Sequence[str]) -> list[int]:
    """The candidates that a typed line names: by numbers of the list as it is shown, with blanks or
    commas between, or by names with `>` or commas between.
    """
    text = line.strip()
    if len(text) > 2 and text[0] == text[-1] == QUOTE:
        return [candidate_of(text[1:-1], candidates)]
    words = [word for word in re.split(r"[\s,>]+", text) if word]
    if words and all(NUMBER.fullmatch(word) for word in words):
        return [_numbered(word, shown, candidates) for word in words]
    if SIGN in text:
        return read_names([text], candidates)
    return _named(text, words, shown, candidates)


def _named(
    text: str, words: Sequence[str], shown: Sequence[int], candidates: Sequence[str]
) -> list[int]:
    """One name with all its blanks and commas; else names with commas between; else words."""
    try:
        return [candidate_of(text, candidates)]
    except RankingError:
        parts = [part.strip() for part in text.split(",") if part.strip()]
        parts = parts if len(parts) > 1 else list(words)
        if len(parts) == 1:
            raise
        return [_word(part, shown, candidates) for part in parts]


def _word(word: str, shown: Sequence[int], candidates: Sequence[str]) -> int:
    if NUMBER.fullmatch(word):
        return _numbered(word, shown, candidates)
    return candidate_of(word, candidates)


def _numbered(word: str, shown: Sequence[int], candidates: Sequence[str]) -> int:
    """A number of the list; where a candidate has it for a name, `#` says that it is none."""
    digits = word.removeprefix("#")
    inside = len(digits) <= 3 and 1 <= int(digits) <= len(shown)
    if word in candidates and inside and shown[int(digits) - 1] != candidates.index(word):
        raise RankingError(
            f"{word} is the name of one candidate and the number of another: write #{word} for the "
            f"number, or {QUOTE}{word}{QUOTE} for the name",
            code="ranking.unknown",
            given=word,
        )
    if word in candidates and not inside:
        return candidates.index(word)
    if not inside:
        raise RankingError(
            f"there is no number {echo(digits)}; the list goes from 1 to {len(shown)}",
            code="ranking.unknown",
            given=digits,
        )
    return shown[int(digits) - 1]


def candidate_of(text: str, candidates: Sequence[str]) -> int:
    """The candidate of a name, or of the beginning of one name alone, in small letters or large."""
    if text in candidates:
        return candidates.index(text)
    folded = text.casefold()
    for matches in (str.__eq__, str.startswith):
        found = [j for j, name in enumerate(candidates) if matches(name.casefold(), folded)]
        if len(found) == 1 and text:
            return found[0]
        if found and text:
            raise RankingError(
                f"{echo(text)} may be {any_of([candidates[j] for j in found])}; write more of it",
                code="ranking.ambiguous",
                given=text,
            )
    raise RankingError(
        f"there is no candidate {echo(text)}; there are {any_of(candidates)}",
        code="ranking.unknown",
        given=text,
    )


def _add(found: list[int], candidate: int, candidates: Sequence[str]) -> None:
    if candidate in found:
        raise RankingError(
            f"{candidates[candidate]} is named twice", code="ranking.duplicate", candidate=candidate
        )
    found.append(candidate)


def joined(found: Sequence[int], more: Sequence[int], candidates: Sequence[str]) -> list[int]:
    """A ranking with further candidates behind it."""
    ranking = list(found)
    for candidate in more:
        _add(ranking, candidate, candidates)
    return ranking
