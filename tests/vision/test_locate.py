"""Decoding the pose head and suppressing what was found twice."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.locate import Located, decode, suppress


def found(boxes: list[list[float]], scores: list[float], backs: list[bool] | None = None) -> Located:
    n = len(boxes)
    return Located(
        np.array(boxes, np.float32).reshape(n, 4), np.array(scores, np.float32),
        np.array(backs or [False] * n), np.zeros((n, 4, 2), np.float32),
    )  # fmt: skip


def test_decode_reads_box_class_and_corners() -> None:
    output = np.zeros((18, 3), np.float32)
    corners = [[10, 20], [50, 22], [48, 80], [8, 78]]
    output[:, 1] = [20, 30, 8, 12, 0.9, 0.1, *[v for x, y in corners for v in (x, y, 0.8)]]
    output[:, 2] = [60, 60, 40, 40, 0.05, 0.6, *[v for x, y in corners for v in (y, x, 0.8)]]
    got = decode(output, 0.25)
    assert got.boxes.tolist() == [[16, 24, 24, 36], [40, 40, 80, 80]]
    assert got.backs.tolist() == [False, True]
    assert got.quads[0].tolist() == corners


def test_nothing_over_the_bar_is_nothing() -> None:
    assert len(decode(np.zeros((18, 40), np.float32), 0.25)) == 0


def test_the_better_of_two_overlapping_boxes_stays() -> None:
    got = suppress(found([[0, 0, 10, 10], [1, 1, 11, 11], [30, 0, 40, 10]], [0.5, 0.9, 0.7]))
    assert got.boxes[:, 0].tolist() == [1, 30]


def test_a_smaller_box_inside_a_larger_one_is_the_same_index() -> None:
    assert len(suppress(found([[0, 0, 20, 20], [4, 4, 18, 18]], [0.9, 0.5]))) == 1


def test_an_index_inside_a_box_that_took_a_pip_along_is_left_for_the_reader() -> None:
    kept = suppress(found([[0, 0, 64, 42], [30, 5, 58, 33]], [0.71, 0.42]))
    assert kept.scores.tolist() == pytest.approx([0.71, 0.42])


def test_an_index_on_a_back_is_kept() -> None:
    assert len(suppress(found([[0, 0, 10, 10], [0, 0, 10, 10]], [0.9, 0.8], [False, True]))) == 2


@given(st.lists(st.tuples(st.floats(0, 90), st.floats(0, 90), st.floats(2, 30), st.floats(0.1, 1)), max_size=12))
def test_suppression_settles_at_once_and_keeps_the_best(rows: list[tuple[float, float, float, float]]) -> None:
    all_ = found([[x, y, x + s, y + s] for x, y, s, _ in rows], [c for *_, c in rows])
    kept = suppress(all_)
    assert len(suppress(kept)) == len(kept)
    assert list(kept.scores) == sorted(kept.scores, reverse=True)
    if rows:
        assert kept.scores[0] == all_.scores.max()


def test_placing_a_piece_is_undone_by_cutting_it() -> None:
    piece = found([[4, 6, 12, 18]], [0.9])
    assert piece.placed(100, 50, 0.5).boxes.tolist() == [[108, 62, 124, 86]]
