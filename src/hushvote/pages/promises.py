"""What a poll promises its voters, in words."""

import math
from fractions import Fraction

from hushvote.accounting import shuffled_epsilon
from hushvote.messages import say
from hushvote.messages.phrases import little_together, odds, protection
from hushvote.planning import rounded_up
from hushvote.poll import Poll
from hushvote.poll.checks import CODES

GAINED = 0.9  # of the local epsilon; a crowd epsilon above it is nothing to speak of
DELTA = 1e-6  # chance with which a crowd epsilon may fail


def crowd_epsilon(poll: Poll) -> float | None:
    """Towards whoever sees only the set of all reports, at the promised turnout, rounded up; None
    in polls by link, which promise none.
    """
    if poll.access != CODES:
        return None
    local, among = float(poll.mechanism.epsilon), poll.live or poll.turnout
    return min(local, rounded_up(shuffled_epsilon(poll.mechanism, among, DELTA), 3))


def promises(poll: Poll, crowd: float | None) -> list[str]:
    """What a report may give away, and to whom; of a crowd epsilon that is not known nothing is
    said.
    """
    mechanism = poll.mechanism
    local = float(mechanism.epsilon)
    weak, reports = protection(local), 1 + poll.changes
    if little_together(mechanism.epsilon, reports):
        weak = say("poll.changes.little", reports=reports, epsilon=reports * local)
    return [
        say("poll.local", odds=odds(mechanism.epsilon), epsilon=local),
        *_about_the_crowd(poll, local, crowd),
        *([] if weak is None else [weak]),
    ]


def _about_the_crowd(poll: Poll, local: float, crowd: float | None) -> list[str]:
    among = poll.live or poll.turnout
    if poll.access != CODES:
        return [say("poll.crowd.link")]
    if poll.mechanism.traceable:
        return [say("poll.crowd.traceable", mechanism=poll.mechanism.name)]
    if crowd is None:
        return []
    if crowd > GAINED * local:
        return [say("poll.crowd.few", turnout=among)]
    chance = math.floor(1 / Fraction(repr(DELTA)))
    return [say("poll.crowd", epsilon=crowd, turnout=among, chance=chance)]
