"""Where a label lies on the photo: its corner indices, their size and sharpness, and what was read there."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from vision.evaluate.labels import LabelledCard
from vision.health import edge_width
from vision.polygons import overlap as shared_area
from vision.types import Box, Detection, Image, Quad

INDEX_HEIGHT = 0.19
"""An upright index with its suit, in heights of its card: how index size follows from a whole card's label."""
_INDEX_WIDTH = 0.15
_MARGIN = 0.025, 0.045
_IN_VIEW = 0.5


def index_boxes(label: LabelledCard) -> list[Box]:
    """The boxes of a label's corner indices that are in view, as far as the label tells."""
    if label.quad is None:
        return [label.box] if label.kind == "index" and label.box is not None else []
    quad = np.array(label.quad, np.float32)
    corners = ((quad, label.index_visible[0]), (np.roll(quad, 2, 0), label.index_visible[1]))
    return [_corner_box(q) for q, visible in corners if visible >= _IN_VIEW]


def index_height(labels: Iterable[LabelledCard]) -> float | None:
    """Height in pixels of the largest index of a card with these labels; None if no label tells."""
    heights = [max(box[2:]) for label in labels for box in index_boxes(label)]
    heights += [INDEX_HEIGHT * max(o.box[2:]) for o in labels if o.kind == "card" and o.box and o.quad is None]
    return max(heights, default=None)


def blur(grey: NDArray[np.uint8], labels: Iterable[LabelledCard]) -> float | None:
    """Edge width of a card's sharpest labelled index in index heights (as `vision.health` measures it)."""
    widths = [edge_width(grey, box) for label in labels for box in index_boxes(label)]
    return min((w for w in widths if w is not None), default=None)


def covers(box: Box, x: float, y: float) -> bool:
    """Whether a point lies in a box."""
    return box[0] <= x <= box[0] + box[2] and box[1] <= y <= box[1] + box[3]


def lies_at(card: Detection, label: LabelledCard) -> bool:
    """Whether one of a card's read indices lies in a label's place; a face-down card: itself."""
    if not card.boxes:
        return overlap(card, label) > 0.4
    places = index_boxes(label) or ([label.box] if label.box is not None else [])
    return any(_inside(read, place) for read in card.boxes for place in places)


def overlap(card: Detection, label: LabelledCard) -> float:
    """Intersection over union of the two cards' outlines; 0 if the label has none."""
    if label.quad is not None:
        return quad_iou(card.quad, np.array(label.quad, np.float32))
    if label.box is None or label.kind != "card":
        return 0.0
    x, y, w, h = label.box
    upright = np.array([[x, y], [x + w, y], [x + w, y + h], [x, y + h]], np.float32)
    low, high = card.quad.min(0), card.quad.max(0)
    around = np.array([low, [high[0], low[1]], high, [low[0], high[1]]], np.float32)
    return quad_iou(around, upright)


def quad_iou(a: Quad, b: Quad) -> float:
    """Intersection over union of two convex quadrilaterals."""
    both = shared_area(a, b)
    union = shared_area(a, a) + shared_area(b, b) - both
    return both / union if union > 0 else 0.0


def region(things: Sequence[LabelledCard | Detection], image: Image) -> tuple[int, int, int, int]:
    """x0, y0, x1, y1 of a piece of the photo around these labels and readings, with surroundings; the
    whole photo when none has a place."""
    points: list[NDArray[np.float32]] = []
    for thing in things:
        boxes = thing.boxes if isinstance(thing, Detection) else (thing.box,) if thing.box else ()
        points += [np.array([[x, y], [x + w, y + h]], np.float32) for x, y, w, h in boxes]
        if thing.quad is not None:
            points.append(np.array(thing.quad, np.float32))
    height, width = image.shape[:2]
    if not points:
        return 0, 0, width, height
    every = np.concatenate(points)
    low, high = every.min(0), every.max(0)
    margin = max(24.0, 0.6 * float((high - low).max()))
    x0, y0 = np.clip(low - margin, 0, (width - 1, height - 1)).astype(int)
    x1, y1 = np.clip(high + margin, (x0 + 1, y0 + 1), (width, height)).astype(int)
    return int(x0), int(y0), int(x1), int(y1)


def _corner_box(quad: Quad) -> Box:
    """The box around the index at a quad's first corner."""
    along = (quad[1] - quad[0], quad[3] - quad[0])
    x0, y0 = _MARGIN
    spans = ((x0, y0), (_INDEX_WIDTH + x0, y0), (_INDEX_WIDTH + x0, INDEX_HEIGHT + y0), (x0, INDEX_HEIGHT + y0))
    points = np.array([quad[0] + u * along[0] + v * along[1] for u, v in spans])
    low, size = points.min(0), np.ptp(points, 0)
    return float(low[0]), float(low[1]), float(size[0]), float(size[1])


def _inside(read: Box, place: Box) -> bool:
    """Whether a read index's middle lies in a place grown by a quarter on each side."""
    x, y, w, h = place
    grown = (x - w / 4, y - h / 4, 1.5 * w, 1.5 * h)
    return covers(grown, read[0] + read[2] / 2, read[1] + read[3] / 2)
