"""A result in one sentence that can be read aloud: the top of pages and pictures."""

from collections.abc import Mapping
from typing import Any

from hushvote.messages import say
from hushvote.messages.phrases import all_of


def in_a_sentence(result: Mapping[str, Any]) -> tuple[str, str]:
    """The kind of a result ("sure", "bad" or ""), and the sentence."""
    name, elected = result["certified"], result["elected"]
    if result["suspicious"]:
        return "bad", say("page.suspicious") if name is None else say("page.doubted", name=name)
    if not result["closed"]:
        leaders = result["leaders"]
        tied = len(leaders) > 1
        return "", say("page.live.tied" if tied else "page.live", names=all_of(leaders))
    if elected is not None and elected["certified"]:
        return "sure", say("page.elected", names=all_of(elected["sure"]))
    if elected is not None and elected["sure"]:
        return "", say("page.elected.part", names=all_of(elected["sure"]))
    if elected is not None:
        return "", say("page.elected.none")
    return ("", say("page.open")) if name is None else ("sure", say("page.certified", name=name))
