"""Homographies, card rectangles and what is visible of a card."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tracker.geometry import (
    CARD_MM,
    Floats,
    angle_apart,
    area,
    card_angle,
    fit_card,
    homography,
    inside,
    inverse,
    transform,
)
from vision.polygons import overlap, visible_fraction

SQUARE = np.array([[0, 0], [100, 0], [100, 100], [0, 100]], np.float32)
places = st.floats(-400, 1300)
turns = st.floats(0, 360)


def card(x: float, y: float, turn: float, scale: float = 1.0) -> Floats:
    """A card's corners in mm, the upright card's top left first."""
    half = np.array(CARD_MM) * scale / 2
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    return np.asarray(corners @ np.array([[c, s], [-s, c]]) + (x, y), np.float32)


def off(a: Floats, b: Floats) -> float:
    """Greatest corner distance."""
    return float(np.linalg.norm(a - b, axis=1).max())


corner = st.tuples(st.floats(-40, 40), st.floats(-40, 40))


@given(st.lists(corner, min_size=4, max_size=4))
def test_a_homography_maps_its_four_points_and_back(shifts: list[tuple[float, float]]) -> None:
    seen = np.array([[0, 0], [400, 0], [400, 300], [0, 300]], np.float32) + np.array(shifts, np.float32)
    there = homography(seen, SQUARE * 9)
    assert off(transform(there, seen), SQUARE * 9) < 0.1
    inner = seen.mean(0, keepdims=True)
    assert off(transform(inverse(there), transform(there, inner)), inner) < 0.1


@given(places, places, turns, st.integers(0, 3), st.sampled_from([1, -1]))
def test_a_true_card_fits_itself_whatever_corner_starts(x: float, y: float, turn: float, first: int, way: int) -> None:
    quad = np.roll(card(x, y, turn)[::way], first, 0)
    fitted = fit_card(quad)
    if way == 1:
        assert off(fitted, quad) < 0.05
    else:  # no card is mirrored: only its place can be right
        assert np.linalg.norm(fitted.mean(0) - quad.mean(0)) < 0.05


noises = st.lists(st.tuples(st.floats(-5, 5), st.floats(-5, 5)), min_size=4, max_size=4)


@given(places, places, turns, st.integers(0, 3), noises)
def test_rough_corners_become_a_card_of_the_right_size_nearby(
    x: float, y: float, turn: float, first: int, noise: list[tuple[float, float]]
) -> None:
    quad = np.roll(card(x, y, turn), first, 0)
    fitted = fit_card(quad + np.array(noise, np.float32))
    assert area(fitted) == pytest.approx(63 * 88, rel=1e-3)
    assert sorted(np.linalg.norm(fitted - np.roll(fitted, 1, 0), axis=1)) == pytest.approx([63, 63, 88, 88], rel=1e-3)
    assert off(fitted, quad) < 12  # 5 mm of noise on every corner, turned to one side at worst


def test_a_card_of_another_size_keeps_the_size_asked_for() -> None:
    assert area(fit_card(card(0, 0, 10), scale=0.5)) == pytest.approx(63 * 88 / 4, rel=1e-3)


def test_the_trusted_corner_pulls_the_rectangle_towards_it() -> None:
    true = card(100, 100, 20)
    rough = true.copy()
    rough[2] += (9, 9)
    free, anchored = fit_card(rough), fit_card(rough, trusted=0)
    assert np.linalg.norm(anchored[0] - true[0]) < np.linalg.norm(free[0] - true[0])


@given(turns)
def test_the_long_axis_is_found_from_either_starting_corner(turn: float) -> None:
    quad = card(0, 0, turn)
    assert angle_apart(card_angle(quad), turn + 90) < 0.1
    assert angle_apart(card_angle(np.roll(quad, 1, 0)), card_angle(quad)) < 0.1


@pytest.mark.parametrize(("a", "b", "apart"), [(0, 0, 0), (10, 170, 20), (0, 90, 90), (179, 1, 2), (350, 10, 20)])
def test_axes_have_no_direction(a: float, b: float, apart: float) -> None:
    assert angle_apart(a, b) == pytest.approx(apart)


def test_a_point_may_lie_outside_by_its_margin() -> None:
    assert inside(np.array([50, 50], np.float32), SQUARE)
    assert not inside(np.array([104, 50], np.float32), SQUARE)
    assert inside(np.array([104, 50], np.float32), SQUARE, margin=5)
    assert not inside(np.array([106, 50], np.float32), SQUARE, margin=5)


def test_overlap_is_the_area_in_common() -> None:
    assert overlap(SQUARE, SQUARE + np.float32(50)) == pytest.approx(2500)
    assert overlap(SQUARE, SQUARE + np.float32(200)) == 0


@given(st.floats(0, 1), turns)
def test_a_card_slid_over_another_leaves_the_rest_visible(share: float, turn: float) -> None:
    below = card(0, 0, turn)
    across = (below[1] - below[0]) * np.float32(share)
    assert visible_fraction(below, [below + across]) == pytest.approx(share, abs=0.07)


def test_cards_above_add_up_and_those_beside_hide_nothing() -> None:
    below = card(0, 0, 0)
    left, right = below - np.float32([31.5, 0]), below + np.float32([31.5, 0])
    assert visible_fraction(below, []) == 1
    assert visible_fraction(below, [card(200, 0, 0)]) == 1
    assert visible_fraction(below, [left]) == pytest.approx(0.5, abs=0.01)
    assert visible_fraction(below, [left, right]) == 0
    assert visible_fraction(below, [left, left]) == pytest.approx(0.5, abs=0.01)
    assert visible_fraction(below, [left[::-1]]) == pytest.approx(0.5, abs=0.01)  # either way round


@given(st.floats(0, 1), st.floats(-1, 1), turns)
def test_cards_laid_in_line_overlap_by_what_they_share(right: float, down: float, turn: float) -> None:
    """Their edges lie on one line, and that must not matter."""
    quad = card(300, 200, turn)
    moved = quad + (quad[1] - quad[0]) * np.float32(right) + (quad[3] - quad[0]) * np.float32(down)
    shared = 63 * 88 * (1 - right) * (1 - abs(down))
    assert overlap(quad, moved) == pytest.approx(shared, abs=3)
    assert overlap(moved, quad[::-1]) == pytest.approx(shared, abs=3)


@given(turns, places, places, turns)
def test_overlap_has_no_order_and_no_more_than_the_smaller(turn: float, x: float, y: float, other: float) -> None:
    a, b = card(400, 400, turn), card(x, y, other, scale=0.7)
    assert overlap(a, b) == pytest.approx(overlap(b, a), abs=0.5)
    assert overlap(a, b) <= area(b) + 0.5
    assert (overlap(a, b) > 1) <= (np.linalg.norm(a.mean(0) - b.mean(0)) < 100)
