"""The life of a card: every pair of the transition table, and what votes say."""

from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tracker.lifecycle import TRANSITIONS, Phase, Sight, TableCard

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
    known.take({"6h": (0.9, 0.9)}, 0.9)
    assert (known.name, known.certainty) == ("6h", pytest.approx(0.9))
    known.take({"9h": (0.6, 0.6)}, 0.6)
    assert known.name == "6h"
    assert known.certainty == pytest.approx(0.9 * 0.9 / 1.5)
    known.take({"9h": (0.8, 0.8)}, 0.8)
    assert known.name == "9h"
    assert known.certainty == pytest.approx(0.8 * 1.4 / 2.3)


def test_doubt_lowers_the_certainty() -> None:
    known = card()
    known.take({"6h": (1.9, 0.95)}, 0.95)
    known.doubt = 0.4
    assert known.certainty == pytest.approx(0.38)


votes = st.dictionaries(st.sampled_from(["6h", "9h", "Qs"]), st.floats(0.05, 1).map(lambda s: (s, s)), min_size=1)


@given(st.lists(votes, min_size=1, max_size=6))
def test_a_certainty_never_exceeds_the_best_score(looks: list[dict[str, tuple[float, float]]]) -> None:
    known = card()
    for look in looks:
        known.take(look, max(best for _, best in look.values()))
    assert 0 < known.certainty <= max(best for look in looks for _, best in look.values()) + 1e-9


def test_a_back_has_no_name_but_a_certainty() -> None:
    known = card(face="down")
    known.take({}, 0.7)
    known.take({}, 0.6)
    assert (known.name, known.certainty) == ("?", 0.7)
