"""What the organiser of a poll may hope for, in words."""

from hushvote.errors import MechanismError
from hushvote.planning import Plan
from hushvote.poll import Poll


def prospect(poll: Poll, voters: int) -> str:
    """The lead that so many voters can most likely certify, or that they can certify none."""
    try:
        return Plan(poll.mechanism, voters, 0.0, seats=poll.seats).with_voters(voters).words
    except MechanismError as error:
        if error.code != "plan.hopeless":
            raise
        return f"{str(error)[:1].upper()}{str(error)[1:]}."
