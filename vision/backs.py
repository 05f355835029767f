"""Face-down cards: a back has no index to start from, so its corners come from its box and edges."""

from collections.abc import Sequence

import numpy as np

from vision.edges import Floats, lay_on_edges, smoothed
from vision.locate import Located
from vision.types import Detection, Image, Quad

_TURNS = np.radians(np.arange(-75, 91, 15))
_UNIT = np.array([[-31.5, -44], [31.5, -44], [31.5, 44], [-31.5, 44]], np.float32)
_LEAST_SURE = 1.15
"""What the locator's score and the mean clearness of the four edges must come to: chips, cups and hands
are round, and a back on a table of its own colour has faint edges. (Found on drawn pictures.)"""
_SAME_PLACE = 0.5
_NOWHERE_KNOWN = np.zeros(4, bool)


def face_down(image: Image, found: Located, face_up: Sequence[Detection]) -> list[Detection]:
    """The backs among what was located, laid on their edges; `found` holds backs only.

    Where a face-up card was named there is no back.
    """
    if not len(found):
        return []
    grey = smoothed(image)
    out: list[Detection] = []
    for score, box in zip(found.scores, found.boxes, strict=True):
        quad, clear = _lay(grey, box)
        taken = any(_centre_inside(quad, d.quad) for d in face_up if d.card != "?")
        if score + clear >= _LEAST_SURE and not taken:
            out.append(Detection("?", round(float(score), 4), "down", quad, ()))
    return out


def _lay(grey: Floats, box: Floats) -> tuple[Quad, float]:
    """The turned, foreshortened card that fills the box and lies on the clearest edges."""
    tries = [lay_on_edges(grey, _filling(box, float(turn)), _NOWHERE_KNOWN) for turn in _TURNS]
    quad, clear = max(tries, key=lambda t: float(t[1].sum()))
    return quad, float(clear.mean())


def _filling(box: Floats, turn: float) -> Quad:
    c, s = np.cos(turn), np.sin(turn)
    turned = _UNIT @ np.array([[c, s], [-s, c]], np.float32)
    scale = (box[2:] - box[:2]) / (turned.max(0) - turned.min(0))
    return np.asarray(turned * scale + (box[:2] + box[2:]) / 2, np.float32)


def _centre_inside(quad: Quad, other: Quad) -> bool:
    """Whether the middle of a quad lies in the middle part of another, clockwise one."""
    centre = quad.mean(0)
    inner = other.mean(0) + _SAME_PLACE * (other - other.mean(0))
    along = np.roll(inner, -1, 0) - inner
    to = centre - inner
    return bool((along[:, 0] * to[:, 1] - along[:, 1] * to[:, 0] > 0).all())
