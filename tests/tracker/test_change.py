"""What differs from the last clear view: cards, arms, lamps, a bumped camera."""

import cv2
import numpy as np
import pytest
from drawn_table import SIZE, Arm, Lying, Painter, drawn_layout
from hypothesis import given, settings
from hypothesis import strategies as st

from tracker.calibration import parse_table
from tracker.change import Area, brightness, bump, compare, relit
from tracker.geometry import transform
from tracker.motion import changed, shrink
from vision.types import Image

AREA = Area.of(drawn_layout())


def views(lying: list[Lying], arm: Arm | None = None, light: float = 1.0) -> tuple[Image, Image]:
    """Small copies of the scene and of the empty table."""
    painter = Painter()
    empty = shrink(painter.draw([]))
    painter.light = light
    return shrink(painter.draw(lying, arm)), empty


def test_places_are_in_table_millimetres_and_areas_are_marked() -> None:
    x, y = 590 * AREA.scale, 360 * AREA.scale
    assert AREA.place[int(y), int(x)] == pytest.approx([405, 450], abs=3)
    assert AREA.centre == pytest.approx([405, 450], abs=1)
    assert AREA.watch[int(y), int(x)] == 255
    assert AREA.away[int(y), int(x)] == 0
    left = AREA.away[int(y), int(240 * AREA.scale)]  # 100 pixels left of the play area: 90 mm
    assert left == pytest.approx(90, abs=4)


def test_nothing_changed_but_noise() -> None:
    change = compare(*views([]), AREA)
    assert (change.blobs, change.share, change.outside) == ((), 0, 0)


def test_a_card_is_a_blob_at_its_place_and_no_arm() -> None:
    change = compare(*views([Lying("5s", 600, 400, 30)]), AREA)
    assert len(change.blobs) == 1
    x0, y0, x1, y1 = (v / AREA.scale for v in change.blobs[0].box)
    quad = Lying("5s", 600, 400, 30).quad()
    assert (x0, y0) == pytest.approx(quad.min(0), abs=6)
    assert (x1, y1) == pytest.approx(quad.max(0), abs=6)
    assert change.arms == ()


def test_cards_apart_are_blobs_of_their_own() -> None:
    change = compare(*views([Lying("5s", 400, 400), Lying("6s", 700, 200), Lying("back", 960, 400)]), AREA)
    assert len(change.blobs) == 3
    assert change.arms == ()


def test_a_card_beside_the_playing_areas_is_nothing() -> None:
    assert compare(*views([Lying("5s", 200, 400)]), AREA).blobs == ()


@pytest.mark.parametrize("seat", [0, 1, 2, 3])
def test_an_arm_reaches_in_from_outside(seat: int) -> None:
    change = compare(*views([Lying("5s", 450, 250)], Arm(seat, 640, 380)), AREA)
    assert len(change.arms) == 1
    assert change.outside > 0.004


def test_where_the_area_fills_the_picture_an_arm_touches_its_edge() -> None:
    document = {
        "size": list(SIZE),
        "table_px": [[-100, -200], [1380, -200], [1380, 920], [-100, 920]],
        "play_area_px": [[0, 0], [1279, 0], [1279, 719], [0, 719]],
        "seats": [{"index": i, "edge_px": [[0, 0], [9, 0]]} for i in range(2)],
    }
    area = Area.of(parse_table(document))
    arm = compare(*views([], Arm(1, 300, 380)), area)
    assert [b.arm for b in arm.blobs] == [True]
    card = compare(*views([Lying("5s", 300, 380)]), area)
    assert [b.arm for b in card.blobs] == [False]


@pytest.mark.parametrize("light", [0.4, 0.55, 0.7, 0.85, 1.2, 1.5])
def test_a_lamp_changes_nothing_but_the_light(light: float) -> None:
    now, then = views([], light=light)
    assert brightness(now, then) == pytest.approx(light, abs=0.05)
    change = compare(now, then, AREA)
    assert change.blobs == ()
    assert change.share < 0.01


@pytest.mark.parametrize("light", [0.6, 0.8, 1.3])
def test_a_card_laid_under_another_light_is_still_one_blob(light: float) -> None:
    now, then = views([Lying("5s", 600, 400)], light=light)
    change = compare(now, then, AREA)
    assert len(change.blobs) == 1
    assert not change.blobs[0].arm


def test_a_lamp_to_one_side_is_followed_too() -> None:
    now, then = views([Lying("5s", 600, 400)])
    slope = np.linspace(0.6, 1.2, now.shape[1], dtype=np.float32)[None, :, None]
    change = compare(np.asarray(np.clip(now * slope, 0, 255), np.uint8), then, AREA)
    assert len(change.blobs) == 1


def test_cards_and_an_arm_do_not_pass_for_another_light() -> None:
    now, then = views([Lying("5s", 600, 400), Lying("6s", 450, 300)], Arm(0, 640, 420))
    assert relit(then, now) is then
    assert brightness(now, then) == pytest.approx(1, abs=0.04)


def textured(seed: int) -> Image:
    """A cloth with a pattern and things lying on it, (720, 1280, 3)."""
    rng = np.random.default_rng(seed)
    picture = cv2.resize(rng.integers(60, 140, (45, 80, 3), dtype=np.uint8), SIZE, interpolation=cv2.INTER_CUBIC)
    for _ in range(60):
        x, y, r = int(rng.integers(0, SIZE[0])), int(rng.integers(0, SIZE[1])), int(rng.integers(8, 40))
        colour = [int(v) for v in rng.integers(0, 256, 3)]
        if rng.random() < 0.5:
            cv2.circle(picture, (x, y), r, colour, -1, cv2.LINE_AA)
        else:
            cv2.rectangle(picture, (x, y), (x + r, y + r + 9), colour, -1, cv2.LINE_AA)
    return np.asarray(picture, np.uint8)


def shaken(picture: Image, turn: float, x: float, y: float) -> tuple[Image, np.ndarray]:
    """The picture after a bump, with new noise, and the true map (3, 3)."""
    move = cv2.getRotationMatrix2D((SIZE[0] / 2, SIZE[1] / 2), turn, 1.0)
    move[:, 2] += (x, y)
    noise = np.random.default_rng(1).integers(-4, 5, picture.shape)
    seen = cv2.warpAffine(picture, move, SIZE, borderMode=cv2.BORDER_REFLECT) + noise
    return np.asarray(np.clip(seen, 0, 255), np.uint8), np.vstack([move, [0, 0, 1]])


CORNERS = np.array([[300, 100], [900, 100], [900, 620], [300, 620]], np.float32)


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 3), st.floats(-2, 2), st.floats(-40, 40), st.floats(-40, 40))
def test_a_bump_is_found_within_a_pixel(seed: int, turn: float, x: float, y: float) -> None:
    picture = textured(seed)
    seen, true = shaken(picture, turn, x, y)
    found = bump(seen, picture)
    assert found is not None
    assert np.abs(transform(found, CORNERS) - transform(true, CORNERS)).max() < 1


def test_an_arm_and_a_new_card_do_not_spoil_the_bump() -> None:
    picture = textured(1)
    busy = picture.copy()
    cv2.line(busy, (640, 720), (600, 400), (120, 150, 195), 64)
    cv2.fillConvexPoly(busy, np.round(Lying("?", 480, 300).quad()).astype(np.int32), (240, 240, 240))
    seen, true = shaken(busy, 0.8, 12, -7)
    found = bump(seen, picture)
    assert found is not None
    assert np.abs(transform(found, CORNERS) - transform(true, CORNERS)).max() < 1


def test_pictures_that_do_not_line_up_are_no_bump() -> None:
    assert bump(textured(2), textured(3)) is None
    assert bump(np.full((720, 1280, 3), 90, np.uint8), textured(1)) is None
    far, _ = shaken(textured(1), 0, 300, 0)  # a camera that was turned away is another view
    assert bump(far, textured(1)) is None


def test_an_unmoved_camera_has_not_moved() -> None:
    seen, _ = shaken(textured(1), 0, 0, 0)
    found = bump(seen, textured(1))
    assert found is not None
    assert np.abs(transform(found, CORNERS) - CORNERS).max() < 0.5
    assert np.count_nonzero(changed(seen, textured(1), 26)) == 0
