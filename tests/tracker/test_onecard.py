"""One card tells how large the table is, however it lies; a mirrored picture and skewed corners are noticed."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tracker.geometry import CARD_MM, Floats, homography, transform
from tracker.onecard import is_mirrored, table_size
from tracker.propose import propose
from vision.deck import load_deck
from vision.detector import OnnxDetector
from vision.types import Detection, Image

DEMO = Path(__file__).parents[2] / "webui/demo/demo.mp4"
CORNERS = np.array([[240, 80], [1010, 110], [1230, 660], [60, 690]], np.float32)


@pytest.fixture(scope="module")
def eyes() -> OnnxDetector:
    return OnnxDetector(load_deck())


@pytest.fixture(scope="module")
def laid() -> Image:
    """The demo clip when cards lie there and no hand is in the picture."""
    capture = cv2.VideoCapture(str(DEMO))
    capture.set(cv2.CAP_PROP_POS_MSEC, 9500)
    return np.asarray(capture.read()[1], np.uint8)


def card_px(size: tuple[float, float], x: float, y: float, turn: float, corners: Floats = CORNERS) -> Floats:
    """A card at a place of a table of that size (mm), turned by degrees, as the camera sees it."""
    short, long = CARD_MM
    flat = np.array([[-short, -long], [short, -long], [short, long], [-short, long]]) / 2
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    flat = flat @ np.array([[c, s], [-s, c]]) + np.array([x * size[0], y * size[1]])
    table = np.array([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]], np.float32)
    return transform(homography(table, corners), flat.astype(np.float32))


@given(
    st.floats(400, 2000), st.floats(400, 2000), st.floats(0.25, 0.75), st.floats(0.25, 0.75), st.floats(0, 360)
)  # fmt: skip
def test_the_size_follows_from_one_card(width: float, depth: float, x: float, y: float, turn: float) -> None:
    found = table_size(CORNERS, [card_px((width, depth), x, y, turn)])
    assert found is not None
    assert found.width_mm == pytest.approx(width, rel=0.02)
    assert found.depth_mm == pytest.approx(depth, rel=0.02)
    assert found.misfit_mm < 0.5
    assert found.plausible


def test_several_cards_agree_on_one_size() -> None:
    cards = [card_px((900, 700), *place) for place in ((0.3, 0.4, 10), (0.6, 0.5, 80), (0.5, 0.7, 200))]
    rough = [card + np.random.default_rng(i).normal(0, 1.5, (4, 2)).astype(np.float32) for i, card in enumerate(cards)]
    found = table_size(CORNERS, rough)
    assert found is not None
    assert (found.width_mm, found.depth_mm) == (pytest.approx(900, rel=0.06), pytest.approx(700, rel=0.06))


@pytest.mark.parametrize("turn", [0, 20, 45])
def test_corners_that_are_no_rectangle_show_in_the_card(turn: float) -> None:
    dragged = CORNERS + np.array([[300, 0], [0, 0], [0, 0], [0, 0]], np.float32)
    found = table_size(dragged, [card_px((900, 900), 0.4, 0.4, turn)])
    assert found is not None
    assert not found.plausible


def test_no_card_and_a_speck_tell_no_size() -> None:
    assert table_size(CORNERS, []) is None
    assert table_size(CORNERS, [card_px((900, 900), 0.5, 0.5, 0) * 0.02 + 300]) is None


def test_proposed_corners_and_the_cards_of_the_demo_clip_give_the_scale(eyes: OnnxDetector, laid: Image) -> None:
    cards = eyes.detect(laid)
    guess = propose(laid, 4, cards)
    whole = [card.quad for card in cards if len(card.boxes) > 1]
    found = table_size(guess.table, whole)
    assert found is not None
    assert found.plausible
    # left and right edge are 880 mm apart at the cloth's border, a little less where the rim begins
    assert found.width_mm == pytest.approx(860, rel=0.06)
    for quad in whole:
        size = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * [found.width_mm, found.depth_mm]
        flat = transform(homography(guess.table, size.astype(np.float32)), quad)
        sides = np.linalg.norm(np.diff(flat, axis=0), axis=1)
        assert sides[0] == pytest.approx(CARD_MM[0], rel=0.08)
        assert sides[1] == pytest.approx(CARD_MM[1], rel=0.08)


def test_a_mirrored_picture_is_told_by_what_is_read_in_it(eyes: OnnxDetector, laid: Image) -> None:
    straight, flipped = (eyes.detect(np.ascontiguousarray(image)) for image in (laid, laid[:, ::-1]))
    assert not is_mirrored(straight, flipped)
    assert is_mirrored(flipped, straight)


def test_without_cards_nothing_is_said_about_mirrors() -> None:
    back = Detection("?", 0.9, "down", CORNERS, ())
    assert not is_mirrored([], [])
    assert not is_mirrored([back], [back])
