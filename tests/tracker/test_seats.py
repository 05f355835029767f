"""Who did it: the arm, the place, the turn."""

import pytest
from drawn_table import Arm, Lying, Painter, drawn_layout
from hypothesis import given, settings
from hypothesis import strategies as st

from tracker.change import Area, Blob, compare
from tracker.motion import shrink
from tracker.seats import SeatGuess, SeatWatch

AREA = Area.of(drawn_layout())
SPOT = Lying("5s", 600, 370)


def arms(*seen: Arm) -> list[tuple[Blob, ...]]:
    """The arm blobs of one frame each."""
    painter = Painter()
    empty = shrink(painter.draw([]))
    return [compare(shrink(painter.draw([], arm)), empty, AREA).arms for arm in seen]


def guess(*seen: Arm, card: Lying = SPOT, to_act: int | None = None) -> SeatGuess:
    watch = SeatWatch(drawn_layout(), AREA)
    for blobs in arms(*seen):
        watch.see(blobs)
    return watch.guess([card.quad()], to_act)


@pytest.mark.parametrize("seat", [0, 1, 2, 3])
def test_an_arm_over_the_card_names_its_side(seat: int) -> None:
    seen = guess(Arm.towards(seat, SPOT.x, SPOT.y, 0.8), Arm(seat, SPOT.x, SPOT.y))
    assert seen.seat == seat
    assert seen.certainty > 0.9


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 3), st.floats(430, 760), st.floats(220, 500))
def test_wherever_the_card_lies(seat: int, x: float, y: float) -> None:
    seen = guess(Arm(seat, x, y), card=Lying("5s", x, y))
    assert seen.seat == seat


def test_the_arm_that_lay_over_the_card_counts_not_another() -> None:
    seen = guess(Arm(1, 420, 300), Arm(1, 420, 300), Arm(1, 420, 300), Arm(3, 740, 420), card=Lying("5s", 740, 420))
    assert seen.seat == 3


def test_turn_order_can_tip_a_doubtful_arm_but_not_a_clear_one() -> None:
    both = (Arm(0, SPOT.x, SPOT.y), Arm(1, SPOT.x, SPOT.y))
    assert guess(*both, to_act=0).seat == 0
    assert guess(*both, to_act=1).seat == 1
    assert guess(*both, to_act=1).certainty < 0.9
    clear = guess(Arm(2, SPOT.x, SPOT.y), to_act=0)
    assert clear.seat == 2
    assert clear.certainty > 0.9


def test_without_an_arm_the_turn_is_a_guess_and_nothing_is_nothing() -> None:
    assert guess(to_act=3) == SeatGuess(3, 0.5)
    assert guess() == SeatGuess(None, 0.0)
    away = guess(Arm(1, 420, 300), card=Lying("5s", 760, 500))
    assert away == SeatGuess(None, 0.0)


def test_a_new_visit_forgets_the_arms_of_the_last() -> None:
    watch = SeatWatch(drawn_layout(), AREA)
    for blobs in arms(Arm(1, SPOT.x, SPOT.y)):
        watch.see(blobs)
    watch.clear()
    assert watch.guess([SPOT.quad()], None) == SeatGuess(None, 0.0)
    for blobs in arms(Arm(2, SPOT.x, SPOT.y)):
        watch.see(blobs)
    assert watch.guess([SPOT.quad()], None).seat == 2
