"""Which card lies on which, on drawn pictures."""

from itertools import pairwise

import cv2
import numpy as np
import pytest

from vision.stacking import stacking, with_visible
from vision.types import Detection, Image, Quad

SIZE = 400


def quad(x: float, y: float, turn: float = 0.0) -> Quad:
    half = np.array([[-50, -70], [50, -70], [50, 70], [-50, 70]])
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    return np.asarray(half @ np.array([[c, s], [-s, c]]) + (x, y), np.float32)


def table(*quads: Quad, read: bool = False) -> tuple[Image, list[Detection]]:
    """White cards with dark rims laid in this order; with `read`, every first corner was read."""
    picture = np.full((SIZE, SIZE, 3), (40, 110, 20), np.uint8)
    for one in quads:
        cv2.fillConvexPoly(picture, one.astype(np.int32), (245, 245, 245), cv2.LINE_AA)
        cv2.polylines(picture, [one.astype(np.int32)], True, (90, 90, 90), 1, cv2.LINE_AA)
    cards = []
    for name, one in zip(("7h", "8h", "9h", "Th"), quads, strict=False):
        x, y = indices_of(one)[0]
        cards.append(Detection(name, 0.99, "up", one, ((float(x) - 6, float(y) - 9, 12.0, 18.0),) if read else ()))
    return picture, cards


def indices_of(one: Quad) -> list[Quad]:
    """The middles of both indices of a card."""
    return [one[k] + 0.12 * (one[(k + 2) % 4] - one[k]) for k in (0, 2)]


@pytest.mark.parametrize("read", [False, True])
@pytest.mark.parametrize("turn", [0, 30, 90])
def test_of_two_cards_the_one_whose_edges_go_on_lies_on_top(turn: float, read: bool) -> None:
    picture, cards = table(quad(180, 200, turn), quad(215, 230, turn), read=read)
    over = stacking(picture, cards)
    assert over[1, 0]
    assert not over[0, 1]


@pytest.mark.parametrize("first", [0, 1])
def test_a_card_whose_second_index_is_not_seen_under_another_lies_below(first: int) -> None:
    lower, upper = quad(180, 200), quad(180, 260, 90)
    picture = np.full((SIZE, SIZE, 3), (40, 110, 20), np.uint8)
    for one in (lower, upper):  # white on white: no edge tells
        cv2.fillConvexPoly(picture, one.astype(np.int32), (245, 245, 245))
    boxes = [tuple((float(x) - 6, float(y) - 9, 12.0, 18.0) for x, y in indices_of(one)) for one in (lower, upper)]
    cards = [Detection("7h", 0.99, "up", lower, boxes[0][:1]), Detection("8h", 0.99, "up", upper, boxes[1])]
    over = stacking(picture, cards if first == 0 else cards[::-1])
    assert over[1 - first, first]
    assert not over[first, 1 - first]


def test_a_pile_is_put_in_order_and_the_hidden_parts_add_up() -> None:
    picture, cards = table(*(quad(140 + 30 * k, 200) for k in range(4)))
    over = stacking(picture, cards)
    assert all(over[j, i] for i, j in pairwise(range(4)))
    assert [card.visible for card in with_visible(picture, cards)] == pytest.approx([0.3, 0.3, 0.3, 1.0], abs=0.06)


def test_cards_apart_hide_nothing_and_the_picture_s_edge_hides_what_is_beyond() -> None:
    picture, cards = table(quad(60, 200), quad(300, 200), quad(400, 60))
    free, other, cut = with_visible(picture, cards)
    assert free.visible == other.visible == 1.0
    assert cut.visible == pytest.approx(0.5 * 130 / 140, abs=0.06)


def test_a_face_that_was_not_read_hides_no_other_card() -> None:
    picture, cards = table(quad(180, 200), quad(215, 230))
    doubtful = Detection("?", 0.3, "up", cards[1].quad, cards[1].boxes)
    assert with_visible(picture, [cards[0], doubtful])[0].visible == 1.0
