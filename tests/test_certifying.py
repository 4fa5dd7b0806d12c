"""Certificates that are checked, and mechanisms that must be refused."""

import itertools
import json
from fractions import Fraction
from html import escape

import numpy as np
import pytest

import hushvote as hv
from hushvote import lottery
from hushvote.certifying import certify
from hushvote.mechanisms import registry
from tests.conftest import listing


def test_a_mechanism_that_breaks_its_promise_is_found_out():
    class Leaky(hv.Additive):
        """Claims half of the odds that it draws with."""

        def certificate(self):
            sound = super().certificate()
            return hv.Certificate(sound.asked, 1 + (sound.odds - 1) / 2, sound.lines)

    with pytest.raises(hv.MechanismError, match="breaks its promise: listing"):
        certify(Leaky(hv.borda(3), 1))


def test_a_law_that_does_not_add_up_is_found_out():
    class Lossy(hv.Additive):
        def outcomes(self, ranking):
            return list(super().outcomes(ranking))[1:]

    with pytest.raises(hv.MechanismError, match="do not add up to 1"):
        listing(Lossy(hv.borda(3), 1))


class Truthful(hv.Additive):
    """Always names the candidate at the first rank."""

    name = "truthful"

    def draw(self, ranking, bits=None, question=None):
        return self._report(1 << int(ranking[0]))

    def outcomes(self, ranking):
        yield self._report(1 << ranking[0]), Fraction(1)


@pytest.mark.parametrize("d", [2, 3, 5, 8])
def test_a_mechanism_that_always_tells_the_truth_is_refused(d):
    with pytest.raises(hv.MechanismError, match="send a report that others cannot"):
        certify(Truthful(hv.borda(d), 1))


def test_a_mechanism_with_unequal_supports_is_refused():
    class Shy(hv.Additive):
        """Never names the candidate at the last rank."""

        def outcomes(self, ranking):
            law = list(super().outcomes(ranking))
            yield from law[:-2]
            yield law[-2][0], law[-2][1] + law[-1][1]

    with pytest.raises(hv.MechanismError, match="send a report that others cannot"):
        certify(Shy(hv.borda(4), 1))


def test_a_report_that_is_listed_twice_counts_once_with_both_probabilities():
    class Split(hv.Additive):
        """Hides that the first rank is named far too often by listing that report in parts."""

        def outcomes(self, ranking):
            top, *rest = super().outcomes(ranking)
            spare = sum((p / 2 for _, p in rest), Fraction(0))
            parts = 1 + round(20 * float(spare))
            yield top
            yield from [(top[0], spare / parts)] * parts
            yield from [(report, p / 2) for report, p in rest]

    with pytest.raises(hv.MechanismError, match="breaks its promise"):
        certify(Split(hv.borda(4), 1))


def test_a_draw_that_differs_from_the_stated_law_is_refused():
    class Eager(hv.Additive):
        """States the right law, and keeps every set that it proposes."""

        def _attempt(self, bits):
            ranks = lottery.distinct(self.d, self.k, bits)
            lottery.below(self._most - self._least, bits)
            lottery.below(self.odds.up, bits)
            return ranks

    with pytest.raises(hv.MechanismError, match="has not the law that the mechanism states"):
        certify(Eager(hv.borda(4), 1))


def test_a_draw_whose_bytes_tell_of_the_vote_is_refused():
    class Early(hv.Additive):
        """Stops at heads, and so takes fewer bytes for high ranks."""

        def _attempt(self, bits):
            ranks = lottery.distinct(self.d, self.k, bits)
            excess = sum(self.rule.integers[r] for r in ranks) - self._least
            heads = lottery.below(self._most - self._least, bits) < excess
            return ranks if heads or lottery.below(self.odds.up, bits) < self.odds.down else None

    with pytest.raises(hv.MechanismError, match="how many random bytes its draw takes"):
        certify(Early(hv.borda(4), 1))


def test_a_number_from_before_the_loop_that_is_first_used_in_it_is_not_proved():
    """Every attempt would see the same number, while attempts are taken to be independent."""

    class Lazy(hv.Additive):
        def draw(self, ranking, bits=None, question=None):
            drawn = lottery.below(16, bits)
            limit = 1 if ranking[0] == 0 else 15

            def attempt():
                second = lottery.below(16, bits)
                if drawn < limit:
                    return (0,) if second < 16 - limit else None
                return (1,) if second < limit else None

            return self._report(1 << lottery.until(attempt, bits)[0])

        def outcomes(self, ranking):
            yield self._report(1), Fraction(1, 2)
            yield self._report(2), Fraction(1, 2)

    proof = certify(Lazy(hv.borda(2), 1, k=1))
    assert proof.missing == "a number drawn before the loop is first used inside it"


def test_a_truthful_draw_is_found_out_however_large_its_domain_and_many_its_candidates():
    class Padded(Truthful):
        @property
        def fields(self):
            return (*super().fields, hv.Field.integer("pad", 0, 1 << 20))

        def _report(self, mask):
            return np.array([(mask, 0)], dtype=self.domain.dtype)

    class Honest(hv.Additive):
        """States the right law, and tells the truth."""

        draw = Truthful.draw

    with pytest.raises(hv.MechanismError, match="send a report that others cannot"):
        certify(Padded(hv.borda(3), 1))
    with pytest.raises(hv.MechanismError, match="has not the law"):
        certify(Honest(hv.borda(6), 1))


def test_a_certificate_for_another_epsilon_is_refused():
    class Generous(hv.Additive):
        def certificate(self):
            return hv.Certificate(Fraction(10), Fraction(22026), ())

    with pytest.raises(hv.MechanismError, match="is for epsilon 10"):
        certify(Generous(hv.borda(3), 1))


def test_a_miniature_that_draws_otherwise_proves_nothing():
    class Posing(Truthful):
        def miniature(self):
            return hv.Additive(hv.borda(2), 1)

    missing = certify(Posing(hv.borda(3), 1)).missing
    assert missing == "its miniature draws otherwise than the mechanism itself"


def test_reports_outside_the_own_domain_are_refused():
    class Outside(hv.Additive):
        def draw(self, ranking, bits=None, question=None):
            return self._report(3)

    missing = certify(Outside(hv.borda(3), 1)).missing
    assert missing is not None
    assert "must hold 1" in missing


class Raw(hv.Additive):
    def draw(self, ranking, bits=None, question=None):
        return self._report(1 << ranking[lottery.source(bits).bytes(1)[0] % self.d])


def test_a_draw_that_uses_bytes_in_its_own_way_is_not_proved():
    proof = certify(Raw(hv.borda(3), 1))
    assert proof.execution is None
    assert proof.missing is not None
    assert "takes its bytes otherwise" in proof.missing


def test_a_mechanism_without_a_list_of_its_reports_is_proved_by_its_draw():
    class Silent(hv.Additive):
        def outcomes(self, ranking):
            raise hv.MechanismError("no list")

    proof = certify(Silent(hv.borda(3), 1))
    assert proof.enumeration is None
    assert proof.execution is not None  # the law is known from the draw itself


@pytest.mark.parametrize("name", hv.mechanism_names())
def test_every_mechanism_is_proved_with_few_candidates(name):
    made = hv.mechanism(name, hv.nauru(3), 2)
    seen: list[int] = []
    proof = certify(made, seen.append)
    assert proof.missing is None
    assert proof.execution is not None
    assert sum(seen) == len(list(itertools.permutations(range(proof.listed.d))))
    assert proof.execution.largest_ratio <= proof.listed.certificate().odds


@pytest.mark.parametrize("name", hv.mechanism_names())
def test_with_many_candidates_the_certificate_stands_with_less_beside_it(name):
    proof = certify(hv.mechanism(name, hv.borda(8), 1))
    assert proof.missing is None
    if name == "laplace":
        assert proof.execution is not None  # of its miniature
    else:
        assert not proof.whole
        assert proof.enumeration is None or proof.enumeration.rankings == 3


def test_the_command_says_what_is_not_proved(run, tmp_path, monkeypatch):
    (tmp_path / "raw.py").write_text(
        "import hushvote as hv\n\n\n@hv.register\nclass Raw(hv.Additive):\n    name = 'raw'\n\n"
        "    def draw(self, ranking, bits=None, question=None):\n"
        "        return self._report(1 << ranking[bits.bytes(1)[0] % self.d])\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(registry, "_registry", dict(registry._registry))  # forget it afterwards
    code, out, _ = run("--load", "raw.py", "certify", "-m", "raw", "-d", "3")
    assert code == 1
    assert "Not proved: the draw takes its bytes otherwise" in " ".join(out.split())
    for said in certify(Raw(hv.borda(3), 1)).words:
        assert said in " ".join(out.split())
    code, out, _ = run("--load", "raw.py", "certify", "-m", "raw", "-d", "3", "--json")
    assert code == 1
    assert "takes its bytes otherwise" in json.loads(out)["not_proved"][0]
    code, out, _ = run("certify", "-m", "duel", "-d", "3")
    assert code == 0
    assert "that devices used these parameters" in " ".join(out.split())


@pytest.mark.parametrize(
    ("made", "verdict"),
    [
        (hv.Duel(hv.borda(3), 1), "Proved in whole numbers"),
        (hv.Duel(hv.borda(6), 1), "Proved by these steps"),
        (Raw(hv.borda(3), 1), "Not proved: the draw takes its bytes otherwise"),
    ],
)
def test_a_notebook_says_what_is_proved_and_what_never_is(made, verdict):
    proof = certify(made)
    markup = proof._repr_html_()
    assert proof.words[0].startswith(verdict)
    assert "Not proved, since no certificate can: that devices used these" in proof.words[1]
    below = markup.partition("</table>")[2]
    assert below == "".join(f"<p>{escape(said)}</p>" for said in proof.words)
