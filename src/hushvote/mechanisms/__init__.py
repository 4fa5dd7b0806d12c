"""The mechanisms, one file each; importing a file registers it."""

from hushvote.mechanisms.additive import Additive
from hushvote.mechanisms.challenge import Challenge
from hushvote.mechanisms.contract import Mechanism
from hushvote.mechanisms.duel import Duel
from hushvote.mechanisms.fields import Domain, Field, Reports
from hushvote.mechanisms.laplace import Laplace
from hushvote.mechanisms.moments import FixedNoise, Moments, PairLaw
from hushvote.mechanisms.promises import Certificate, Risks
from hushvote.mechanisms.registry import (
    BEST,
    check_mechanism,
    check_rule,
    default_mechanism,
    is_built_in,
    mechanism,
    mechanism_from,
    mechanism_names,
    option_names,
    register,
)
from hushvote.mechanisms.sampling import NaiveSampling, WeightedSampling
from hushvote.mechanisms.signals import Counted, PairRange, Signals

__all__ = [
    "BEST",
    "Additive",
    "Certificate",
    "Challenge",
    "Counted",
    "Domain",
    "Duel",
    "Field",
    "FixedNoise",
    "Laplace",
    "Mechanism",
    "Moments",
    "NaiveSampling",
    "PairLaw",
    "PairRange",
    "Reports",
    "Risks",
    "Signals",
    "WeightedSampling",
    "check_mechanism",
    "check_rule",
    "default_mechanism",
    "is_built_in",
    "mechanism",
    "mechanism_from",
    "mechanism_names",
    "option_names",
    "register",
]
