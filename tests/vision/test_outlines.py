"""Outlines of cards that partly cover one another, on tables seen aslant, drawn at known places."""

import cv2
import drawn_cards
import numpy as np
import pytest

from vision.outlines import one_a_place, refine
from vision.types import Detection, Image, Quad

SQUARE = np.float32([[0, 0], [640, 0], [640, 480], [0, 480]])
VIEWS = {
    "from above": SQUARE,
    "aslant": np.float32([[130, 90], [510, 90], [640, 480], [0, 480]]),
    "from the side": np.float32([[60, 60], [600, 20], [560, 470], [90, 400]]),
}


def seen_from(view: str, x: float, y: float, turn: float) -> Quad:
    half = np.array([[-31.5, -44], [31.5, -44], [31.5, 44], [-31.5, 44]])
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    flat = np.asarray(half @ np.array([[c, s], [-s, c]]) + (x, y), np.float32)
    return cv2.perspectiveTransform(flat[None], cv2.getPerspectiveTransform(SQUARE, VIEWS[view]))[0]


def table(quads: list[Quad]) -> Image:
    return drawn_cards.table(quads, np.random.default_rng(5))


def read(name: str, quad: Quad, *corners: int, wrong_by: float = 0.0) -> Detection:
    """A card of which these corners were read. The others lie wrong by so many pixels, the further from
    the first the more, as a locator guesses corners that it can't see."""
    boxes = []
    for corner in corners:
        x, y = quad[corner] + 0.13 * (quad[(corner + 2) % 4] - quad[corner])
        boxes.append((float(x) - 4, float(y) - 6, 8.0, 12.0))
    guess = quad + wrong_by * np.float32([[0, 0], [0.7, -0.7], [1, 1], [-0.7, 0.7]])
    return Detection(name, 0.95, "up", np.asarray(guess, np.float32), tuple(boxes))


def apart(a: Quad, b: Quad) -> float:
    return float(np.linalg.norm(a - b, axis=1).max())


@pytest.mark.parametrize("view", VIEWS)
def test_corners_under_other_cards_follow_from_cards_that_are_seen_whole(view: str) -> None:
    fan = [seen_from(view, 240 + 17 * k, 200 - 3 * k, 4 * k) for k in range(5)]
    others = [seen_from(view, 130, 330, 70), seen_from(view, 480, 340, -25)]
    cards = [read(name, quad, 0, wrong_by=9) for name, quad in zip(("7h", "8h", "9h", "Th"), fan, strict=False)]
    cards += [read(name, quad, 0, 2) for name, quad in zip(("Jh", "2c", "3c"), (fan[4], *others), strict=True)]
    found = refine(table([*fan, *others]), cards)
    assert [card.card for card in found] == [card.card for card in cards]
    errors = [apart(card.quad, quad) for card, quad in zip(found, [*fan, *others], strict=True)]
    assert np.median(errors[:4]) < 5  # they were 13 pixels off
    assert max(errors) < 11


def test_a_quad_that_is_no_card_on_the_table_becomes_one() -> None:
    quads = [seen_from("aslant", x, y, turn) for x, y, turn in ((150, 200, 10), (330, 240, 80), (480, 330, -40))]
    picture = table(quads)
    cards = [read(name, quad, 0, 2) for name, quad in zip(("7h", "8h", "9h"), quads, strict=True)]
    sheared = quads[2] + np.float32([[0, 0], [14, 10], [0, 0], [-14, -10]])
    cards[2] = Detection("9h", 0.95, "up", np.asarray(sheared, np.float32), cards[2].boxes)
    assert apart(refine(picture, cards)[2].quad, quads[2]) < 4


def test_cards_that_are_only_read_at_one_corner_agree_on_the_table() -> None:
    quads = [seen_from("from above", 120 + 110 * k, 150 + 40 * k, 25 * k) for k in range(4)]
    cards = [read(name, quad, 0, wrong_by=7) for name, quad in zip(("7h", "8h", "9h", "Th"), quads, strict=True)]
    found = refine(table(quads), cards)
    assert max(apart(card.quad, quad) for card, quad in zip(found, quads, strict=True)) < 3


def test_a_doubtful_card_in_the_place_of_a_surer_one_is_none() -> None:
    quad = seen_from("aslant", 300, 200, 20)
    beside = seen_from("aslant", 310, 200, 20)
    sure, doubtful, other = (
        Detection(name, score, "up", at, ())
        for name, score, at in (("7h", 0.99, quad), ("7d", 0.8, quad + np.float32(1)), ("8c", 0.8, beside))
    )
    assert one_a_place([doubtful, sure, other]) == [sure, other]
    as_sure = Detection("7d", 0.95, "up", doubtful.quad, ())
    assert one_a_place([as_sure, sure]) == [as_sure, sure]
    assert one_a_place([]) == []


def test_guesses_that_are_no_quadrilateral_do_no_harm() -> None:
    quads = [seen_from("aslant", x, y, turn) for x, y, turn in ((150, 200, 10), (330, 240, 80), (480, 330, -40))]
    cards = [read(name, quad, 0, 2) for name, quad in zip(("7h", "8h", "9h"), quads, strict=True)]
    twisted = quads[1][[0, 2, 1, 3]]
    for bad in (np.repeat(quads[1][:1], 4, 0), quads[1] * np.float32([1, 0]), twisted, quads[1] * 20 - 3000):
        odd = Detection("2c", 0.9, "up", np.asarray(bad, np.float32), cards[1].boxes[:1])
        found = refine(table(quads), [*cards, odd])
        assert max(apart(card.quad, quad) for card, quad in zip(found, quads, strict=False)) < 3
        assert np.isfinite(found[3].quad).all()
