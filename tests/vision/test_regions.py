"""Regions: what changed is covered, in few rectangles that don't overlap."""

from hypothesis import given
from hypothesis import strategies as st

from vision.regions import Region, merge_regions

SIZE = (640, 360)


@st.composite
def boxes(draw: st.DrawFn) -> Region:
    x, y = draw(st.integers(0, 639)), draw(st.integers(0, 359))
    return x, y, draw(st.integers(x, 640)), draw(st.integers(y, 360))


@given(st.lists(boxes(), max_size=8), st.integers(0, 60))
def test_regions_cover_the_boxes_with_their_margin(changed: list[Region], margin: int) -> None:
    regions = merge_regions(changed, SIZE, margin)
    for x0, y0, x1, y1 in changed:
        if x1 <= x0 or y1 <= y0:
            continue
        wanted = max(0, x0 - margin), max(0, y0 - margin), min(640, x1 + margin), min(360, y1 + margin)
        assert any(
            r[0] <= wanted[0] and r[1] <= wanted[1] and r[2] >= wanted[2] and r[3] >= wanted[3] for r in regions
        )


@given(st.lists(boxes(), max_size=8), st.integers(0, 60))
def test_regions_lie_in_the_frame_and_apart(changed: list[Region], margin: int) -> None:
    regions = merge_regions(changed, SIZE, margin)
    for i, a in enumerate(regions):
        assert 0 <= a[0] < a[2] <= 640
        assert 0 <= a[1] < a[3] <= 360
        for b in regions[:i]:
            assert a[0] >= b[2] or b[0] >= a[2] or a[1] >= b[3] or b[1] >= a[3]


def test_far_boxes_stay_apart_and_near_ones_join() -> None:
    assert len(merge_regions([(0, 0, 40, 40), (600, 300, 640, 360)], SIZE, 10)) == 2
    assert merge_regions([(100, 100, 140, 140), (145, 100, 180, 140)], SIZE, 10) == [(90, 90, 190, 150)]


def test_nothing_changed_means_no_region() -> None:
    assert merge_regions([], SIZE, 10) == []
