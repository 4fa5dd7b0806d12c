"""What is said of polls, on pages and of boards fits one as well as many: no "1 votes"."""

import re

import pytest

import hushvote as hv
from hushvote.client.device import Device
from hushvote.messages import language
from hushvote.messages.de import boards as de_boards
from hushvote.messages.de import polls as de_polls
from hushvote.messages.de import voting as de_voting
from hushvote.messages.en import boards as en_boards
from hushvote.messages.en import polls as en_polls
from hushvote.messages.en import voting as en_voting
from tests.polls import poll_of

SAID = {
    "en": (en_boards.BOARD, en_polls.POLLS, en_voting.VOTING),
    "de": (de_boards.BOARD, de_polls.POLLS, de_voting.VOTING),
}
SEVERAL = {
    "en": "votes|reports|changes|seats|codes|names|candidates|people|voters|draws|points|sentences|"
    "ballots|rankings|digits|hours|spaces|lines|stand|are|were|have|vote",
    "de": "Stimmen|Meldungen|Änderungen|Sitze|Codes|Namen|Kandidaten|Personen|Punkte|Sätze|Zettel|"
    "Reihenfolgen|Stellen|Stunden|Zeilen|stehen|sind|wurden|haben|zählen|gelten|abstimmen",
}
LARGE = {  # what is never one: turnouts are 20 or more, and steps and sums of reports 2 or more
    *("turnout", "voters", "plenty", "seats", "all", "step", "reports", "needed", "fewest", "d"),
}
PLURAL = {  # said of two or more only
    *("seats.many", "check.left.many", "change.left.many", "find.digit.many", "wrong.many"),
    *("leaves.all", "leaves.strip.how", "leaves.strip.some", "little.together", "little.changes"),
}
HUNDREDS = {"board.withheld", "holds"}  # as many as the turnout


@pytest.mark.parametrize("code", ["en", "de"])
def test_a_number_that_may_be_one_has_no_plural_behind_it(code):
    pages = language(code).PAGES.values()
    wrong = re.compile(rf"\b1 (?:\w+ )?(?:{SEVERAL[code]})\b")
    seen = 0
    for key, template in (pair for part in (*SAID[code], *pages) for pair in part.items()):
        if key in PLURAL | HUNDREDS or key == "find.prefix":  # which is said with find.digit
            continue
        one = re.sub(r"\{(\w+)[^{}]*\}", lambda f: "20" if f[1] in LARGE else "1", template)
        seen += one != template
        assert not wrong.search(one), f"{key}: {one}"
    assert seen > 100


def test_one_draw_is_not_one_draws():
    poll = poll_of("duel", 3, access="link", changes=0)
    device, _ = Device.begin(poll).vote(poll, [0, 1, 2])
    with pytest.raises(hv.PollError, match="as this poll allows, 1: choose a ranking"):
        device.vote(poll, [1, 0, 2])


def test_the_largest_lead_may_be_one_point():
    with pytest.raises(hv.MechanismError) as error:
        hv.plan(hv.plurality(3), epsilon=1, n=30)
    assert "not even the largest, 1 point; take" in str(error.value)
