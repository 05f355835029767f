"""Crops come out upright, whatever the card's turn and size."""

import cv2
import numpy as np
import pytest

from vision.crop import upright_angle, upright_crop


def glyph() -> np.ndarray:
    picture = np.full((64, 64, 3), 240, np.uint8)
    cv2.putText(picture, "7", (14, 50), cv2.FONT_HERSHEY_SIMPLEX, 1.6, (20, 20, 30), 5)
    return picture


@pytest.mark.parametrize("turn", [0, 27, 90, 135, 180, 300])
@pytest.mark.parametrize("size", [0.6, 1.0, 3.0])
def test_a_turned_and_scaled_index_is_read_upright(turn: float, size: float) -> None:
    table = np.full((600, 600, 3), 60, np.uint8)
    matrix = cv2.getRotationMatrix2D((32, 32), -turn, size)
    matrix[:, 2] += (300 - 32, 280 - 32)
    cv2.warpAffine(glyph(), matrix, (600, 600), table, borderMode=cv2.BORDER_TRANSPARENT, flags=cv2.INTER_AREA)
    upright = np.array([[0, 0], [63, 0], [63, 88], [0, 88]], np.float32)
    quad = cv2.transform(upright[None], matrix)[0]
    assert (upright_angle(quad) - turn + 180) % 360 - 180 == pytest.approx(0, abs=0.1)
    crop = upright_crop(table, (300, 280), 64 * size, upright_angle(quad), 64)
    inner = np.s_[8:-8, 8:-8]
    alike = np.corrcoef(crop[inner].ravel(), glyph()[inner].ravel())[0, 1]
    assert alike > 0.9


def test_a_crop_over_the_border_repeats_it() -> None:
    crop = upright_crop(np.full((50, 50, 3), 99, np.uint8), (0, 0), 40, 0, 32)
    assert (crop == 99).all()


def test_large_crops_do_not_alias() -> None:
    stripes = np.zeros((800, 800, 3), np.uint8)
    stripes[:, ::2] = 255
    crop = upright_crop(stripes, (400, 400), 640, 0, 64)
    assert crop[8:-8, 8:-8].std() < 6
