"""hushvote: ranked voting with randomised votes, an unbiased tally and honest error bars.

import hushvote as hv

votes = hv.read_rankings("ballots.soc")
mech = hv.mechanism("additive", hv.borda(votes.d), epsilon=1.0)
result = mech.tally(mech.privatize(votes.orders)).result()
"""

from hushvote.accounting import Ledger, shuffled_epsilon
from hushvote.attacks import attack_names, register_attack
from hushvote.batch import privatize_file, tally_files
from hushvote.checking import Check, check
from hushvote.choosing import Choice, Design, design
from hushvote.detection import Inspection, inspect
from hushvote.errors import (
    FileError,
    HushvoteError,
    MechanismError,
    RankingError,
    ReportError,
    RuleError,
    SimulationError,
    TallyError,
)
from hushvote.formats import RankingFile, open_rankings, read_rankings, write_rankings
from hushvote.mechanisms import (
    Additive,
    Certificate,
    Challenge,
    Counted,
    Domain,
    Duel,
    Field,
    Laplace,
    Mechanism,
    NaiveSampling,
    Reach,
    Risks,
    Signals,
    WeightedSampling,
    mechanism,
    mechanism_from,
    mechanism_names,
    register,
)
from hushvote.optimum import Optimum, optimum
from hushvote.planning import plan
from hushvote.rankings import Rankings, position_counts, totals
from hushvote.result import Result
from hushvote.rules import (
    Rule,
    antiplurality,
    approval,
    borda,
    nauru,
    plurality,
    register_rule,
    rule,
    rule_names,
)
from hushvote.simulation import Experiment, electorate_names, register_electorate, simulate
from hushvote.tally import Tally

__version__ = "0.1.0"

__all__ = [
    "Additive",
    "Certificate",
    "Challenge",
    "Check",
    "Choice",
    "Counted",
    "Design",
    "Domain",
    "Duel",
    "Experiment",
    "Field",
    "FileError",
    "HushvoteError",
    "Inspection",
    "Laplace",
    "Ledger",
    "Mechanism",
    "MechanismError",
    "NaiveSampling",
    "Optimum",
    "RankingError",
    "RankingFile",
    "Rankings",
    "Reach",
    "ReportError",
    "Result",
    "Risks",
    "Rule",
    "RuleError",
    "Signals",
    "SimulationError",
    "Tally",
    "TallyError",
    "WeightedSampling",
    "antiplurality",
    "approval",
    "attack_names",
    "borda",
    "check",
    "design",
    "electorate_names",
    "inspect",
    "mechanism",
    "mechanism_from",
    "mechanism_names",
    "nauru",
    "open_rankings",
    "optimum",
    "plan",
    "plurality",
    "position_counts",
    "privatize_file",
    "read_rankings",
    "register",
    "register_attack",
    "register_electorate",
    "register_rule",
    "rule",
    "rule_names",
    "shuffled_epsilon",
    "simulate",
    "tally_files",
    "totals",
    "write_rankings",
]
