"""hushvote: ranked voting with randomised votes, an unbiased tally and honest error bars.

import hushvote as hv

votes = hv.read_rankings("ballots.soc")
mech = hv.mechanism("additive", hv.borda(votes.d), epsilon=1.0)
result = mech.tally(mech.privatize(votes.orders)).result()

Whatever is named here is loaded when it is first used: `import hushvote` alone costs little. It
loads no other module, so that the command line soon hears of Ctrl-C.
"""

TYPE_CHECKING = False  # as type checkers know it; `typing` is large

if TYPE_CHECKING:
    from hushvote.accounting import Ledger, shuffled_epsilon
    from hushvote.attacks import attack_names, register_attack
    from hushvote.batch import count_files, privatize_file, tally_files
    from hushvote.bounds import Optimum, optimum
    from hushvote.certifying import Proof, certify
    from hushvote.checking import Check, check
    from hushvote.choosing import design, mechanism
    from hushvote.comparison import Choice, Design
    from hushvote.detection import Inspection, inspect
    from hushvote.errors import (
        FileError,
        HushvoteError,
        MechanismError,
        PollError,
        RankingError,
        ReportError,
        RuleError,
        SimulationError,
        StreamError,
        TallyError,
    )
    from hushvote.formats import RankingFile, open_rankings, read_rankings, write_rankings
    from hushvote.formats.example import example, example_names
    from hushvote.mechanisms import (
        Additive,
        Certificate,
        Challenge,
        Counted,
        Domain,
        Duel,
        Field,
        FixedNoise,
        Laplace,
        Mechanism,
        Moments,
        NaiveSampling,
        PairLaw,
        PairRange,
        Risks,
        Signals,
        WeightedSampling,
        mechanism_from,
        mechanism_names,
        register,
    )
    from hushvote.planning import Plan, plan
    from hushvote.poll import Drawn, Poll, Verification, verify_board
    from hushvote.rankings import Rankings, position_counts, totals
    from hushvote.result import Elected, Result, Uncertainty
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
    from hushvote.scoring import Score, score
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
    "Drawn",
    "Duel",
    "Elected",
    "Experiment",
    "Field",
    "FileError",
    "FixedNoise",
    "HushvoteError",
    "Inspection",
    "Laplace",
    "Ledger",
    "Mechanism",
    "MechanismError",
    "Moments",
    "NaiveSampling",
    "Optimum",
    "PairLaw",
    "PairRange",
    "Plan",
    "Poll",
    "PollError",
    "Proof",
    "RankingError",
    "RankingFile",
    "Rankings",
    "ReportError",
    "Result",
    "Risks",
    "Rule",
    "RuleError",
    "Score",
    "Signals",
    "SimulationError",
    "StreamError",
    "Tally",
    "TallyError",
    "Uncertainty",
    "Verification",
    "WeightedSampling",
    "antiplurality",
    "approval",
    "attack_names",
    "borda",
    "certify",
    "check",
    "count_files",
    "design",
    "electorate_names",
    "example",
    "example_names",
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
    "score",
    "shuffled_epsilon",
    "simulate",
    "tally_files",
    "totals",
    "verify_board",
    "write_rankings",
]

_PLACES = {  # module -> what stands there
    "accounting": ("Ledger", "shuffled_epsilon"),
    "attacks": ("attack_names", "register_attack"),
    "batch": ("count_files", "privatize_file", "tally_files"),
    "bounds": ("Optimum", "optimum"),
    "certifying": ("Proof", "certify"),
    "checking": ("Check", "check"),
    "choosing": ("design", "mechanism"),
    "comparison": ("Choice", "Design"),
    "detection": ("Inspection", "inspect"),
    "errors": (
        "FileError",
        "HushvoteError",
        "MechanismError",
        "PollError",
        "RankingError",
        "ReportError",
        "RuleError",
        "SimulationError",
        "StreamError",
        "TallyError",
    ),
    "formats": ("RankingFile", "open_rankings", "read_rankings", "write_rankings"),
    "formats.example": ("example", "example_names"),
    "mechanisms": (
        "Additive",
        "Certificate",
        "Challenge",
        "Counted",
        "Domain",
        "Duel",
        "Field",
        "Laplace",
        "Mechanism",
        "NaiveSampling",
        "FixedNoise",
        "Moments",
        "PairLaw",
        "PairRange",
        "Risks",
        "Signals",
        "WeightedSampling",
        "mechanism_from",
        "mechanism_names",
        "register",
    ),
    "planning": ("Plan", "plan"),
    "poll": ("Drawn", "Poll", "Verification", "verify_board"),
    "rankings": ("Rankings", "position_counts", "totals"),
    "result": ("Elected", "Result", "Uncertainty"),
    "rules": (
        "Rule",
        "antiplurality",
        "approval",
        "borda",
        "nauru",
        "plurality",
        "register_rule",
        "rule",
        "rule_names",
    ),
    "scoring": ("Score", "score"),
    "simulation": ("Experiment", "electorate_names", "register_electorate", "simulate"),
    "tally": ("Tally",),
}
_MODULES = {name: module for module, names in _PLACES.items() for name in names}

if not TYPE_CHECKING:  # so that a misspelt name is found by type checkers

    def __getattr__(name):
        """Load what is asked for, and keep it."""
        from importlib import import_module

        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        found = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
        globals()[name] = found
        return found

    def __dir__():
        return sorted({*globals(), *__all__})
