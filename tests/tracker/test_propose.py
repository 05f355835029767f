"""A first guess of the table: on the demo clip, on drawn tables, and where nothing is to be seen."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from tracker.geometry import area, inside
from tracker.propose import play_area, propose, seat_edges
from vision.deck import load_deck
from vision.detector import OnnxDetector
from vision.types import Detection, Image

DEMO = Path(__file__).parents[2] / "webui/demo"
TRUTH = np.array(json.loads((DEMO / "demo.table.json").read_text("utf-8"))["table_px"], np.float32)
SQUARE = np.array([[100, 100], [500, 100], [500, 500], [100, 500]], np.float32)


def frame(second: float) -> Image:
    capture = cv2.VideoCapture(str(DEMO / "demo.mp4"))
    capture.set(cv2.CAP_PROP_POS_MSEC, second * 1000)
    there, image = capture.read()
    assert there
    return np.asarray(image, np.uint8)


def off(point: np.ndarray, start: np.ndarray, end: np.ndarray) -> float:
    """Distance of a point from a line."""
    along = end - start
    return abs(float(along[0] * (point - start)[1] - along[1] * (point - start)[0])) / float(np.linalg.norm(along))


def drawn(corners: list[list[int]], cloth: tuple[int, int, int] = (60, 110, 40)) -> Image:
    """A table of one colour with a noisy floor round it."""
    noise = np.random.default_rng(1).integers(-12, 13, (720, 1280, 3))
    picture = np.full((720, 1280, 3), (70, 80, 95), np.int64)
    shape = np.zeros((720, 1280), np.uint8)
    cv2.fillPoly(shape, [np.array(corners, np.int32)], (1,))
    picture[shape > 0] = cloth
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("second", [0.0, 12.0, 30.0])
def test_the_edges_in_the_picture_are_found_on_the_demo_clip(second: float) -> None:
    image = frame(second)
    guess = propose(image, 4, OnnxDetector(load_deck()).detect(image))
    assert guess.sides_seen == (False, True, False, True)
    assert guess.sure
    for side in (1, 3):  # right and left; the far and near edge lie outside the picture
        middle = (guess.table[side] + guess.table[(side + 1) % 4]) / 2
        assert off(middle, TRUTH[side], TRUTH[(side + 1) % 4]) < 0.02 * 1280
    assert all(inside(point, TRUTH, 5) for point in guess.play_area)


def test_a_whole_table_in_the_picture_is_found_to_the_corner() -> None:
    corners = [[330, 120], [930, 140], [1130, 640], [180, 610]]
    guess = propose(drawn(corners), 4)
    assert all(guess.sides_seen)
    assert np.abs(guess.table - np.array(corners)).max() < 8


def test_a_turned_table_keeps_its_corners_in_order() -> None:
    corners = [[640, 60], [1050, 330], [660, 650], [220, 340]]
    guess = propose(drawn(corners), 4)
    assert all(guess.sides_seen)
    apart = np.linalg.norm(guess.table[:, None] - np.array(corners)[None], axis=2)
    assert (apart.min(1) < 10).all()
    assert cv2.contourArea(guess.table, oriented=True) > 0  # clockwise as seen


@pytest.mark.parametrize("image", [
    np.full((720, 1280, 3), 90, np.uint8),
    np.zeros((480, 640, 3), np.uint8),
    np.random.default_rng(2).integers(0, 256, (360, 640, 3)).astype(np.uint8),
    np.full((8, 8, 3), 255, np.uint8),
])  # fmt: skip
def test_where_nothing_is_to_be_seen_the_guess_says_so_and_stays_in_the_picture(image: Image) -> None:
    guess = propose(image, 3)
    assert not guess.sure
    assert (guess.table >= 0).all()
    assert (guess.table <= np.array(image.shape[1::-1])).all()
    assert area(guess.play_area) > 0


def test_seats_go_round_clockwise_from_the_near_side() -> None:
    middles = np.stack([edge.mean(0) for edge in seat_edges(SQUARE, 4)])
    assert np.allclose(middles, [[300, 500], [100, 300], [300, 100], [500, 300]], atol=0.5)


@pytest.mark.parametrize("seats", [2, 3, 5, 6, 7, 8])
def test_every_seat_has_an_edge_of_its_own_on_the_table(seats: int) -> None:
    edges = seat_edges(SQUARE, seats)
    assert len(edges) == seats
    bearings = [np.degrees(np.arctan2(*(edge.mean(0) - 300)[::-1])) % 360 for edge in edges]
    turns = np.diff([*bearings, bearings[0]]) % 360
    assert (turns > 20).all()
    assert turns.sum() == pytest.approx(360, abs=0.1)
    for edge in edges:
        on_border = np.isclose(edge, 100, atol=0.1) | np.isclose(edge, 500, atol=0.1)
        assert on_border.any(1).all()
        assert np.linalg.norm(edge[1] - edge[0]) > 20


def test_the_play_area_leaves_the_hands_their_room() -> None:
    place = play_area(SQUARE, (True, True, True, True))
    assert 0.4 < area(place) / area(SQUARE) < 0.6
    assert np.allclose(place.mean(0), 300, atol=0.5)
    # where the table goes on beyond the picture no hand rests
    longer = play_area(SQUARE, (False, True, True, True))
    assert area(longer) > area(place)
    assert longer[:2, 1].max() < place[:2, 1].min()


def test_a_face_down_pile_is_taken_for_the_stock() -> None:
    pile = np.array([[300, 200], [363, 200], [363, 288], [300, 288]], np.float32)
    up = Detection("7h", 0.9, "up", pile + 300, ((600.0, 500.0, 10.0, 20.0),))
    down = Detection("?", 0.8, "down", pile, ())
    image = drawn([[100, 50], [1200, 50], [1200, 700], [100, 700]])
    assert propose(image, 4, [up]).stock is None
    stock = propose(image, 4, [up, down]).stock
    assert stock is not None
    assert all(inside(point, stock) for point in pile)
