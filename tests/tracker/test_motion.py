"""The motion gate: what moves, and for how long nothing has."""

import numpy as np
import pytest
from drawn_table import Arm, Lying, Painter, drawn_layout

from tracker.change import Area
from tracker.motion import WIDTH, MotionGate, changed, shrink

FPS = 15


@pytest.fixture
def gate() -> MotionGate:
    return MotionGate(Area.of(drawn_layout()).watch)


def test_the_small_copy_keeps_the_shape_of_the_picture() -> None:
    small = shrink(np.zeros((720, 1280, 3), np.uint8))
    assert small.shape == (WIDTH * 720 // 1280, WIDTH, 3)


def test_noise_is_no_movement_and_stillness_grows_with_source_time(gate: MotionGate) -> None:
    painter = Painter()
    glances = [gate.step(painter.draw([]), i / FPS) for i in range(10)]
    assert [g.moving for g in glances] == [0] * 10
    assert [g.still_s for g in glances] == pytest.approx([i / FPS for i in range(10)])


def test_an_arm_over_the_table_moves_and_stillness_begins_again(gate: MotionGate) -> None:
    painter = Painter()
    gate.step(painter.draw([]), 0.0)
    assert gate.step(painter.draw([]), 0.1).still_s == pytest.approx(0.1)
    came = gate.step(painter.draw([], Arm(0, 600, 400)), 0.2)
    assert came.moving > 100
    assert came.still_s == 0
    stays = gate.step(painter.draw([], Arm(0, 600, 400)), 0.3)
    assert (stays.moving, stays.still_s) == (0, pytest.approx(0.1))
    assert gate.step(painter.draw([]), 0.4).still_s == 0  # it leaves


def test_what_moves_beside_the_playing_areas_does_not_count(gate: MotionGate) -> None:
    painter = Painter()
    gate.step(painter.draw([]), 0.0)
    beside = gate.step(painter.draw([Lying("5s", 120, 360)]), 0.1)
    assert (beside.moving, beside.still_s) == (0, pytest.approx(0.1))
    assert gate.step(painter.draw([Lying("5s", 600, 360)]), 0.2).moving > 6


def test_one_card_that_appears_is_movement_wherever_it_lies(gate: MotionGate) -> None:
    painter = Painter()
    for number, (x, y) in enumerate([(380, 150), (800, 560), (960, 360), (590, 360)]):
        gate.step(painter.draw([]), number)
        assert gate.step(painter.draw([Lying("?", x, y)]), number + 0.1).still_s == 0


def test_a_difference_counts_in_any_channel_and_only_over_the_step() -> None:
    a = np.full((4, 4, 3), 100, np.uint8)
    for channel in range(3):
        b = a.copy()
        b[1, 2, channel] += 21
        b[3, 3, channel] += 20
        mask = changed(a, b, 20)
        assert mask[1, 2] == 255
        assert np.count_nonzero(mask) == 1
