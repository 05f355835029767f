"""The life of a card: every pair of the transition table, and what votes say."""

from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.verdicts import CARD_BAR
from tracker.lifecycle import TRANSITIONS, Phase, Sight, TableCard
from tracker.votes import Vote

QUAD = np.zeros((4, 2), np.float32)
PHASES, SIGHTS = get_args(Phase), get_args(Sight)


def card(face: str = "up", phase: Phase = "candidate") -> TableCard:
    return TableCard(1, QUAD, QUAD, "play", 1, face, phase)


def test_every_pair_is_decided() -> None:
    assert set(TRANSITIONS) == {(phase, sight) for phase in PHASES for sight in SIGHTS}


@pytest.mark.parametrize(
    ("phase", "sight", "then"),
    [
        ("candidate", "seen", "settled"),
        ("candidate", "hidden", "candidate"),
        ("candidate", "absent", "gone"),
        ("settled", "seen", "settled"),
        ("settled", "hidden", "covered"),
        ("settled", "absent", "gone"),
        ("covered", "seen", "settled"),
        ("covered", "hidden", "covered"),
        ("covered", "absent", "gone"),
        ("gone", "seen", "settled"),
        ("gone", "hidden", "gone"),
        ("gone", "absent", "gone"),
    ],
)
def test_what_a_look_makes_of_a_card(phase: Phase, sight: Sight, then: Phase) -> None:
    known = card(phase=phase)
    known.sight(sight)
    assert known.phase == then


@given(st.lists(st.sampled_from(SIGHTS)))
def test_what_is_hidden_is_never_gone(sights: list[Sight]) -> None:
    known = card(phase="settled")
    for sight in sights:
        known.sight(sight)
    assert (known.phase == "gone") == ("absent" in sights and last_told(sights) == "absent")


def last_told(sights: list[Sight]) -> Sight:
    """The last look that saw the card or its absence."""
    return next(s for s in reversed(sights) if s != "hidden")


def test_the_name_is_that_of_most_votes_and_dissent_lowers_the_certainty() -> None:
    known = card()
    assert (known.name, known.certainty) == ("?", 0.0)
    known.take({"6h": Vote(0.9, 0.9)}, 0.9)
    assert (known.name, known.certainty) == ("6h", pytest.approx(0.9))
    known.take({"9h": Vote(0.6, 0.6)}, 0.6)
    assert known.name == "6h"
    assert known.certainty == pytest.approx(0.9 * 0.9 / 1.5)
    known.take({"9h": Vote(0.8, 0.8)}, 0.8)
    assert known.name == "9h"
    assert known.certainty == pytest.approx(0.75 * 1.4 / 2.3), "between the best reading and the mean"


def test_one_good_look_among_poor_ones_is_not_sure_enough_to_accuse() -> None:
    known = card()
    for score in (0.75, 0.92, 0.57):
        known.take({"Qd": Vote(score, score)}, score)
    assert known.certainty < CARD_BAR
    again = card()
    again.take({"Qd": Vote(2.78, 0.99, 3)}, 0.99)
    assert again.certainty > CARD_BAR


def test_doubt_lowers_the_certainty() -> None:
    known = card()
    known.take({"6h": Vote(1.9, 0.95, 2)}, 0.95)
    known.doubt = 0.4
    assert known.certainty == pytest.approx(0.38)


votes = st.dictionaries(st.sampled_from(["6h", "9h", "Qs"]), st.floats(0.05, 1).map(lambda s: Vote(s, s)), min_size=1)


@given(st.lists(votes, min_size=1, max_size=6))
def test_a_certainty_never_exceeds_the_best_score(looks: list[dict[str, Vote]]) -> None:
    known = card()
    for look in looks:
        known.take(look, max(vote.best for vote in look.values()))
    assert 0 < known.certainty <= max(vote.best for look in looks for vote in look.values()) + 1e-9


def test_a_back_has_no_name_but_a_certainty() -> None:
    known = card(face="down")
    known.take({}, 0.7)
    known.take({}, 0.6)
    assert (known.name, known.certainty) == ("?", 0.7)
