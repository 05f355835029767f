"""Hands that knock on the table or wave over it, on the drawn table."""

from collections.abc import Sequence

import pytest
from drawn_table import Arm, DrawnGame, spread

from tracker.observations import Observation, PassObserved

KNOCKS = ((620.0, 690.0), (230.0, 380.0), (640.0, 40.0), (1060.0, 350.0))
"""Before each seat, far from the cards."""


def told(observations: Sequence[Observation]) -> list[tuple[str, int | None]]:
    return [(type(o).__name__, o.seat) for o in observations]


@pytest.fixture
def game() -> DrawnGame:
    game = DrawnGame.start()
    game.rest(1.5)
    return game


@pytest.mark.parametrize("seat", [0, 1, 2, 3])
def test_a_hand_that_knocks_before_its_seat_passes(game: DrawnGame, seat: int) -> None:
    game.visit(3 - seat, spread(["5s", "6s"], 500, 360), rest=2.0)
    game.may_pass = seat
    seen = game.visit(seat, to=KNOCKS[seat], stay=5)
    assert told(seen) == [("PassObserved", seat)]
    assert isinstance(seen[0], PassObserved)
    assert seen[0].certainty < 0.9
    assert game.left <= seen[0].t < game.left + 0.7


def test_a_wave_over_the_cards_passes_too(game: DrawnGame) -> None:
    game.may_pass = 2
    assert told(game.visit(2, to=(640, 300), stay=6)) == [("PassObserved", 2)]


def test_only_the_seat_whose_turn_it_is_passes(game: DrawnGame) -> None:
    game.may_pass = 0
    assert game.visit(3, to=KNOCKS[3], stay=5) == []
    game.may_pass = None
    assert game.visit(0, to=KNOCKS[0], stay=5) == []


def test_a_hand_that_lays_takes_or_pushes_cards_makes_no_gesture(game: DrawnGame) -> None:
    game.may_pass = 1
    assert told(game.visit(1, spread(["5s", "6s"], 500, 360), rest=2.0)) == [("PlayObserved", 1)]
    pushed = spread(["5s", "6s"], 540, 390)
    assert game.visit(1, pushed, take=["5s", "6s"], rest=2.0) == []
    assert told(game.visit(1, take=["5s", "6s"], rest=2.0)) == [("Swept", 1)]


def test_a_hand_at_the_stock_draws_and_does_not_pass(game: DrawnGame) -> None:
    game.may_pass = 0
    assert game.visit(0, to=(950, 625), stay=5) == []
    game.may_draw = True
    assert told(game.visit(0, to=(950, 625), stay=5)) == [("StockTouched", 0)]
    game.visit(3, spread(["5s", "6s"], 500, 360), rest=2.0)
    assert [type(seen).__name__ for seen in game.told] == ["StockTouched", "PlayObserved"]


def test_hands_at_the_edge_and_arms_that_stay_are_no_gestures(game: DrawnGame) -> None:
    game.may_pass = 1
    assert game.visit(1, to=(120, 380), stay=5) == []
    for _ in range(60):
        game.frame(Arm(1, *KNOCKS[1]))
    before = len(game.told)
    game.rest(2.0)
    assert game.told[before:] == []
