"""Quads laid on the edges of cards that are drawn at known places."""

import cv2
import drawn_cards
import numpy as np
import pytest

from vision.backs import face_down
from vision.edges import lay_on_edges
from vision.locate import Located
from vision.outlines import refine
from vision.types import Detection, Image, Quad

RNG = np.random.default_rng(7)


def card(x: float, y: float, turn: float, width: float = 90.0) -> Quad:
    half = np.array([[-0.5, -0.7], [0.5, -0.7], [0.5, 0.7], [-0.5, 0.7]]) * width
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    return (half @ np.array([[c, s], [-s, c]]) + (x, y)).astype(np.float32)


def table(*quads: Quad) -> Image:
    return drawn_cards.table(list(quads), RNG)


def seen(name: str, quad: Quad, rough: Quad, *corners: int) -> Detection:
    """A detection with the rough quad and an index box at the given corners of the true one."""
    boxes = []
    for corner in corners:
        x, y = quad[corner] + 0.13 * (quad[(corner + 2) % 4] - quad[corner])
        boxes.append((float(x) - 6, float(y) - 8, 12.0, 16.0))
    return Detection(name, 0.9, "up", rough, tuple(boxes))


def rough(quad: Quad, noise: float = 9.0) -> Quad:
    return (quad + RNG.uniform(-noise, noise, (4, 2))).astype(np.float32)


def apart(a: Quad, b: Quad) -> float:
    return float(np.linalg.norm(a - b, axis=1).max())


@pytest.mark.parametrize("turn", [0, 17, 45, 100, 203])
def test_a_rough_quad_snaps_to_the_card(turn: float) -> None:
    quad = card(300, 240, turn)
    image = table(quad)
    for corners in ((0, 2), (0,)):
        (found,) = refine(image, [seen("7h", quad, rough(quad), *corners)])
        assert apart(found.quad, quad) < 2.5
        assert found.card == "7h"


def test_without_edges_a_quad_stays() -> None:
    quad = rough(card(300, 240, 20))
    plain = np.full((480, 640), 90, np.float32)
    laid, clear = lay_on_edges(plain, quad, np.zeros(4, bool))
    assert np.allclose(laid, quad, atol=0.01)
    assert (clear == 0).all()


def test_a_covered_card_takes_its_size_from_cards_that_are_seen_whole() -> None:
    whole, under = card(200, 240, 5), card(400, 240, 5)
    over = under + np.float32([26, 4])
    image = table(whole, under, over)
    small = (under[0] + 0.72 * (under - under[0])).astype(np.float32)
    alone = refine(image, [seen("8s", under, small, 0)])[0].quad
    beside = refine(image, [seen("7h", whole, rough(whole), 0, 2), seen("8s", under, small, 0)])[1].quad
    assert apart(beside, under) < 12
    assert apart(beside, under) < apart(alone, under)


def test_a_quad_outside_the_picture_is_left_in_peace() -> None:
    image = table(card(300, 240, 0))
    far = card(-200, -200, 30)
    (found,) = refine(image, [seen("2c", far, far, 0)])
    assert np.allclose(found.quad, far, atol=0.01)


def test_nothing_to_refine() -> None:
    assert refine(table(), []) == []


@pytest.mark.parametrize("turn", [0, 20, 61, 90, 140])
@pytest.mark.parametrize("tilt", [1.0, 0.65])
def test_a_back_is_found_in_its_box(turn: float, tilt: float) -> None:
    quad = card(300, 240, turn) * np.float32([1, tilt])
    (back,) = face_down(table(quad), box_of(quad), [])
    assert (back.card, back.face, back.boxes) == ("?", "down", ())
    corners = np.linalg.norm(back.quad[:, None] - quad[None], axis=2).min(1)
    assert corners.max() < 3


def test_round_things_are_no_backs() -> None:
    image = table()
    cv2.circle(image, (300, 240), 45, (200, 60, 50), -1, cv2.LINE_AA)
    assert face_down(image, box_of(np.float32([[255, 195], [345, 285]])), []) == []


def test_a_back_with_faint_edges_is_believed_when_the_locator_is_sure() -> None:
    quad = card(300, 240, 20)
    image = table(quad)
    faint = np.uint8([60, 110, 40]) + (image.astype(np.float32) - (60, 110, 40)) / 3
    faint = np.clip(faint, 0, 255).astype(np.uint8)
    assert len(face_down(faint, box_of(quad, 0.9), [])) == 1
    assert face_down(faint, box_of(quad, 0.55), []) == []
    assert len(face_down(image, box_of(quad, 0.55), [])) == 1


def test_no_back_where_a_card_was_named() -> None:
    quad = card(300, 240, 10)
    assert face_down(table(quad), box_of(quad), [seen("7h", quad, quad, 0)]) == []
    assert len(face_down(table(quad), box_of(quad), [seen("?", quad, quad, 0)])) == 1


def box_of(quad: Quad, score: float = 0.8) -> Located:
    box = np.concatenate([quad.min(0), quad.max(0)])[None].astype(np.float32)
    return Located(box, np.float32([score]), np.array([True]), np.zeros((1, 4, 2), np.float32))
