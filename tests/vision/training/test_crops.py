"""Reader crops of what a locator found: named by the index they lie on, "not readable" elsewhere."""

import numpy as np
import pytest

from vision.locate import Located
from vision.synth.scene import Scene, SceneCard, SceneIndex
from vision.training.crops import SIZE, located, mistaken

CARD = np.array([[100, 100], [200, 100], [200, 240], [100, 240]], np.float32)
INDEX = np.array([[108, 108], [128, 108], [128, 148], [108, 148]], np.float32)


def scene_with(visible: float) -> Scene:
    """A white card whose index is a red mark."""
    picture = np.full((416, 416, 3), 60, np.uint8)
    picture[100:240, 100:200] = 240
    picture[108:148, 108:128] = (20, 20, 220)
    index = SceneIndex(INDEX, CARD, visible)
    return Scene(picture, (SceneCard("7h", CARD, 1.0, (100, 100, 200, 240), (index,)),))


def found_at(*boxes: tuple[float, float, float, float]) -> Located:
    n = len(boxes)
    return Located(
        np.array(boxes, np.float32).reshape(-1, 4), np.linspace(0.9, 0.5, n, dtype=np.float32),
        np.zeros(n, bool), np.tile(CARD, (n, 1, 1)),
    )  # fmt: skip


def is_red(crop: np.ndarray) -> bool:
    middle = crop[SIZE // 2, SIZE // 2].astype(int)
    return bool(middle[2] > middle[1] + 100)


@pytest.mark.parametrize("shift", [0.0, 6.0])
def test_a_located_index_is_cut_where_the_locator_saw_it(shift: float) -> None:
    found = found_at((108 + shift, 108 + shift, 128 + shift, 148 + shift))
    ((crop, name),) = located(scene_with(1.0), found, np.random.default_rng(1))
    assert name == "7h"
    assert is_red(crop)
    reds = np.argwhere((crop[..., 2].astype(int) - crop[..., 1]) > 100).mean(0)
    assert (reds < SIZE / 2 - 2).all() == (shift > 0)  # a box too low and right has its mark up and left


@pytest.mark.parametrize(("visible", "box"), [(0.5, (108, 108, 128, 148)), (1.0, (160, 180, 180, 220))])
def test_covered_indices_and_other_places_get_no_name(visible: float, box: tuple[float, ...]) -> None:
    assert list(located(scene_with(visible), found_at(box), np.random.default_rng(1))) == []  # type: ignore[arg-type]


def test_nothing_found_gives_nothing() -> None:
    assert list(located(scene_with(1.0), Located.none(), np.random.default_rng(1))) == []


def test_only_finds_away_from_visible_indices_are_mistakes() -> None:
    found = found_at((108, 108, 128, 148), (160, 180, 180, 220))
    (crop,) = mistaken(scene_with(1.0), found)
    assert not is_red(crop)
