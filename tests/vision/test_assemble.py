"""From indices to cards: both corners are one card, no card twice, no guess where two claims meet."""

import numpy as np
import pytest

from referee.verdicts import CARD_BAR
from vision.assemble import assemble
from vision.cards import READ_CLASSES
from vision.deck import Calibration
from vision.locate import Located
from vision.quads import all_apart, best_shift, card_width, clockwise
from vision.read import Readings
from vision.types import Quad

CALIBRATION = Calibration(bias=0.0, read=1.0, locate=0.2, corners=1.0, joker=-2.0)


def card(x: float, y: float, turn: float = 0.0, width: float = 63.0) -> Quad:
    """A card's quad around (x, y), turned by `turn` degrees."""
    half = np.array([[-31.5, -44], [31.5, -44], [31.5, 44], [-31.5, 44]]) * width / 63
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    return (half @ np.array([[c, s], [-s, c]]) + (x, y)).astype(np.float32)


def opposite(quad: Quad) -> Quad:
    """The same card as its other corner's index tells it."""
    return np.roll(quad, 2, axis=0)


def scene(*indices: tuple[str, float, Quad]) -> tuple[Located, Readings]:
    """(name, reader's chance, card quad) of each index; the index sits in the quad's first corner."""
    quads = np.stack([q for _, _, q in indices])
    inner = quads[:, 0] + 0.14 * (quads[:, 2] - quads[:, 0])
    boxes = np.concatenate([inner - 6, inner + 6], 1).astype(np.float32)
    chances = np.full((len(indices), len(READ_CLASSES)), 0.0, np.float32)
    for row, (name, chance, _) in zip(chances, indices, strict=True):
        row[:] = (1 - chance) / (len(row) - 1)
        row[READ_CLASSES.index(name)] = chance
    scores = np.full(len(indices), 0.8, np.float32)
    found = Located(boxes, scores, np.zeros(len(indices), bool), quads)
    return found, Readings([name for name, _, _ in indices], chances)


def names(*indices: tuple[str, float, Quad], decks: int = 1) -> list[str]:
    return [d.card for d in assemble(*scene(*indices), CALIBRATION, decks)]


@pytest.mark.parametrize("turn", [0, 33, 90, 180, 250])
def test_both_corners_are_one_card_with_both_boxes(turn: float) -> None:
    quad = card(200, 150, turn)
    noisy = opposite(quad) + np.float32([[3, -2], [1, 4], [-4, 2], [2, 2]])
    (found,) = assemble(*scene(("7h", 0.9, quad), ("7h", 0.8, noisy)), CALIBRATION)
    assert found.card == "7h"
    assert len(found.boxes) == 2
    assert np.abs(found.quad - quad).max() < 3
    assert np.abs(found.quad[2] - noisy[0]).max() < 2, "each index knows its own corner best"


def test_two_agreeing_corners_raise_the_score() -> None:
    quad = card(200, 150)
    (one,) = assemble(*scene(("7h", 0.9, quad)), CALIBRATION)
    (two,) = assemble(*scene(("7h", 0.9, quad), ("7h", 0.9, opposite(quad))), CALIBRATION)
    assert two.score > one.score


def test_one_corner_that_was_found_twice_counts_once() -> None:
    """A box that took a pip along lies beside that of the index alone, and its outline is worse."""
    quad = card(200, 150)
    found, readings = scene(("7h", 0.95, quad), ("7h", 0.9, quad + np.float32([0, 14])))
    (named,) = assemble(found, readings, CALIBRATION)
    assert len(named.boxes) == 1
    assert np.abs(named.quad - quad).max() < 0.5


def test_four_indices_of_a_four_index_deck_are_one_card() -> None:
    quad = card(200, 150, 10)
    assert names(*[("Kd", 0.9 - k / 50, np.roll(quad, k, axis=0)) for k in range(4)]) == ["Kd"]


@pytest.mark.parametrize(("apart", "club"), [(40, False), (300, True)])
def test_a_doubtful_ace_is_another_ace_only_where_it_cannot_be_a_corner_of_the_first(apart: float, club: bool) -> None:
    """The third corner of a four-index card, its outline guessed half a card away, is no card of its own."""
    found, readings = scene(("As", 0.9999, card(200, 150)), ("As", 0.9, np.roll(card(200 + apart, 150), 1, axis=0)))
    readings.chances[1] = 0
    readings.chances[1, [READ_CLASSES.index("As"), READ_CLASSES.index("Ac")]] = 0.92, 0.08
    named = [d.card for d in assemble(found, readings, CALIBRATION) if d.score >= 0.5]
    assert named == (["As", "Ac"] if club else ["As"])


@pytest.mark.parametrize("first", [0.99, 0.9])
def test_a_pair_of_one_colour_half_on_each_other_is_two_cards(first: float) -> None:
    upper, lower = card(200, 150), card(200, 172)
    pair = [("Qh", first, upper), ("Qh", 0.95, opposite(upper)), ("Qd", 0.97, opposite(lower))]
    assert sorted(names(*pair)) == ["Qd", "Qh"]


def test_a_corner_that_is_misread_by_its_suit_only_is_no_second_card() -> None:
    quad = card(200, 150)
    askew = opposite(quad) + np.float32([8, 20])
    assert names(("Qh", 0.99, quad), ("Qd", 0.95, askew)) == ["Qh"]


def test_one_deck_holds_each_card_once() -> None:
    out = assemble(*scene(("7h", 0.95, card(100, 100)), ("7h", 0.7, card(300, 100))), CALIBRATION)
    assert [d.card for d in out] == ["7h", "?"]
    assert out[0].quad.mean(0)[0] == pytest.approx(100)
    assert out[1].score < 0.5, "the weaker claim is no reading any more"
    assert out[1].face == "up"


def test_two_decks_hold_each_card_twice_but_not_three_times() -> None:
    places = [("7h", 0.9, card(100 * k, 100)) for k in (1, 3, 5)]
    assert names(*places, decks=2) == ["7h", "7h", "?"]


def test_a_worse_reading_of_the_other_corner_is_no_second_card() -> None:
    quad = card(200, 150)
    assert names(("8s", 0.95, quad), ("3s", 0.5, opposite(quad))) == ["8s"]


def test_cards_of_a_fan_stay_apart() -> None:
    fan = [(name, 0.9, card(100 + 14 * k, 100, 6 * k)) for k, name in enumerate(["2c", "3c", "4c", "5c"])]
    assert sorted(names(*fan)) == ["2c", "3c", "4c", "5c"]


def test_a_joker_must_be_surer_than_a_card() -> None:
    (joker,) = assemble(*scene(("X", 0.85, card(100, 100))), CALIBRATION)
    (ace,) = assemble(*scene(("As", 0.85, card(100, 100))), CALIBRATION)
    assert joker.score < 0.6 < ace.score


def test_unreadable_indices_are_no_cards() -> None:
    assert names(("-", 0.99, card(100, 100))) == []


def test_what_is_next_to_never_a_card_is_left_out() -> None:
    assert names(("7h", 0.2, card(100, 100)), ("8h", 0.6, card(300, 100))) == ["8h"]


def test_face_art_is_no_card_on_a_card() -> None:
    king = card(200, 150, 12, width=120)
    both = [("Kd", 0.99, king), ("Kd", 0.99, opposite(king))]
    small, full = card(205, 140, 40, width=50), card(205, 140, 40, width=110)
    assert names(*both, ("Y", 0.97, small)) == ["Kd"]
    assert sorted(names(*both, ("Y", 0.97, full))) == ["Kd", "Y"]
    assert sorted(names(both[0], ("Y", 0.97, small))) == ["Kd", "Y"], "one corner doesn't tell a card's size"


def test_no_index_no_card() -> None:
    empty = Readings([], np.zeros((0, len(READ_CLASSES)), np.float32))
    assert assemble(Located.none(), empty, CALIBRATION) == []


def test_geometry_of_quads() -> None:
    quad = card(50, 50, 20)
    assert card_width(quad) == pytest.approx(63, abs=0.01)
    assert best_shift(quad, opposite(quad)) == (2, pytest.approx(0, abs=1e-4))
    assert np.array_equal(clockwise(quad), quad)
    mirrored = quad[[0, 3, 2, 1]]
    assert np.array_equal(clockwise(mirrored), quad)


def test_a_card_whose_two_corners_differ_in_the_black_suit_is_one_card() -> None:
    quad = card(200, 150)
    shifted = opposite(quad) + np.float32(14)
    out = assemble(*scene(("8c", 0.9, quad), ("8s", 0.85, shifted)), CALIBRATION)
    assert [d.card for d in out] == ["8c"]
    assert len(out[0].boxes) == 2


def test_a_pair_of_black_eights_laid_over_each_other_stays_a_pair() -> None:
    under, above = card(200, 150), card(222, 150)
    out = names(("8s", 0.95, above), ("8c", 0.9, under), ("8s", 0.9, opposite(above)))
    assert sorted(out) == ["8c", "8s"]


def test_a_name_that_only_follows_from_another_card_is_never_sure_enough_to_accuse() -> None:
    found, readings = scene(("6s", 0.99, card(100, 100)), ("6s", 0.55, card(300, 100)))
    readings.chances[1] = 0
    readings.chances[1, [READ_CLASSES.index("6s"), READ_CLASSES.index("6c")]] = 0.55, 0.45
    clear, deduced = assemble(found, readings, CALIBRATION)
    assert (clear.card, deduced.card) == ("6s", "6c")
    assert clear.score > CARD_BAR > deduced.score


def test_all_distances_at_once_are_those_of_each_pair() -> None:
    quads = np.stack([card(200, 150), opposite(card(240, 160, 20)), np.roll(card(500, 90, 70, 90.0), 1, axis=0)])
    expected = [[best_shift(one, other)[1] for other in quads] for one in quads]
    assert all_apart(quads) == pytest.approx(np.array(expected), abs=1e-4)
