"""Which pieces of a frame are worth reading: changed boxes grown to whole cards, merged, clipped."""

from collections.abc import Sequence

Region = tuple[int, int, int, int]
"""x0, y0, x1, y1 in pixels, the end not included."""

_WASTE = 1.25
"""Two regions become one when their common box is at most this much larger than both together."""


def merge_regions(boxes: Sequence[Region], size: tuple[int, int], margin: int) -> list[Region]:
    """Grow boxes by `margin` pixels, clip them to a frame of `size` (width, height), and join
    those that overlap or that cost less as one. Empty boxes fall away."""
    width, height = size
    grown = [
        (max(0, x0 - margin), max(0, y0 - margin), min(width, x1 + margin), min(height, y1 + margin))
        for x0, y0, x1, y1 in boxes
    ]
    regions = [r for r in grown if r[2] > r[0] and r[3] > r[1]]
    merged = True
    while merged:
        merged = False
        for i in range(len(regions)):
            for j in range(i):
                both = _around(regions[i], regions[j])
                cheap = _pixels(both) <= _WASTE * (_pixels(regions[i]) + _pixels(regions[j]))
                if cheap or _touch(regions[i], regions[j]):
                    regions[j] = both
                    del regions[i]
                    merged = True
                    break
            if merged:
                break
    return regions


def _around(a: Region, b: Region) -> Region:
    return min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])


def _touch(a: Region, b: Region) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _pixels(region: Region) -> int:
    return (region[2] - region[0]) * (region[3] - region[1])
