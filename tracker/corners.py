"""A card's other corner, misread, is no further card.

Cards with four indices show up to four corners, and the locator may take one of them for the corner
of another card that lies beside. Two readings are one card when the index of the one lies just where
the other has a corner, and two cards of one play don't lie so: nothing but bare table lies where the
second would have to show, or they lie crosswise or on one place, or each shows an index where the
other would lie on it.
"""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from tracker.evidence import Evidence, filled
from tracker.geometry import Floats, angle_apart, card_angle
from tracker.table import Reading
from tracker.votes import together
from vision.types import Box

_SLOT_MM = 6.0
"""An index lies within this of where a corner has it: the corners of a reading are rough."""
_INDEX_MM = (24.0, 34.0)
"""Farther from the corner (across, along) than this lies no index."""
_INSIDE_MM = 3.0
_ONE_PLACE_MM, _CROSSWISE_DEG = 15.0, 25.0
_SHOWS = 0.5
"""A card shows on at least this share of the place that the other one leaves it."""
_SLIVER = 0.06
"""A smaller part of a card's place than this shows nothing."""
_TOUCHED = 0.06
"""A smaller changed share of an index is noise or a shadow."""
_SURE = 0.9
"""Two different names that are both read as surely as this are a question, not a slip."""


def distinct(readings: Sequence[Reading], evidence: Evidence, decks: int) -> list[Reading]:
    """One reading for each card, the better read one; where another name was read as surely, or a
    second card is not ruled out, both names have its votes. With one deck two readings of a name at
    one card's corners are one card."""
    kept: list[Reading] = []
    for reading in sorted(readings, key=_weight, reverse=True):
        twins = [i for i, card in enumerate(kept) if one_card(reading, card, evidence, decks)]
        if twins:
            twin = next((i for i in twins if kept[i].name == reading.name), twins[0])
            kept[twin] = _joined(kept[twin], reading, evidence)
        else:
            kept.append(reading)
    return kept


def one_card(a: Reading, b: Reading, evidence: Evidence, decks: int) -> bool:
    """Whether two readings of one view are corners of one card."""
    if not coincide(a, b, evidence) or (a.name != b.name and _agreed(a) and _agreed(b)):
        return False
    if (a.name == b.name != "?" and decks == 1) or not _room(a, b, evidence):
        return True
    near = float(np.linalg.norm(a.quad_mm.mean(0) - b.quad_mm.mean(0)))
    crosswise = angle_apart(card_angle(a.quad_mm), card_angle(b.quad_mm)) > _CROSSWISE_DEG
    return near < _ONE_PLACE_MM or crosswise or (_lies_on(a, b) and _lies_on(b, a))


def _agreed(reading: Reading) -> bool:
    """Whether two corners said the name, surely: no slip, wherever the card seems to lie."""
    return len(reading.detection.boxes) > 1 and reading.name != "?" and reading.votes[reading.name].best >= _SURE


def coincide(a: Reading, b: Reading, evidence: Evidence) -> bool:
    """Whether an index lies just where the other card of the same visit has a corner. Where cards
    have four indices it may be that corner."""
    if a.detection.face != b.detection.face or not (_at_corners(a, b) or _at_corners(b, a)):
        return False
    return _on_changed(a, evidence) == _on_changed(b, evidence)  # else one of them lay there before


def well_placed(reading: Reading) -> int:
    """How far a reading's place is to be trusted: 2 when its corners agree on it, 1 with one corner
    only, 0 when they contradict each other."""
    offsets = _offsets(reading, reading)
    if len(offsets) < 2:
        return 1
    return 2 if float(np.ptp(np.array(offsets), axis=0).max()) < _SLOT_MM else 0


def shared_box(a: Reading, b: Reading) -> bool:
    """Whether two readings have an index in common (in two views of the same table)."""
    return any(_same_box(x, y) for x in a.indices for y in b.indices)


def joined_indices(a: Reading, b: Reading) -> tuple[Box, ...]:
    """The indices of both, each once."""
    return (*a.indices, *(y for y in b.indices if not any(_same_box(x, y) for x in a.indices)))


def _same_box(a: Box, b: Box) -> bool:
    apart = abs(a[0] + a[2] / 2 - b[0] - b[2] / 2), abs(a[1] + a[3] / 2 - b[1] - b[3] / 2)
    return apart[0] < 0.4 * max(a[2], b[2]) and apart[1] < 0.4 * max(a[3], b[3])


def _weight(reading: Reading) -> tuple[float, int]:
    return max((vote.total for vote in reading.votes.values()), default=0.0), len(reading.detection.boxes)


def _joined(card: Reading, other: Reading, evidence: Evidence) -> Reading:
    """The card with what its other corner said."""
    doubtful = _room(card, other, evidence)
    said = {n: vote for n, vote in other.votes.items() if n == card.name or vote.best >= _SURE or doubtful}
    votes = together(card.votes, said)
    fits = other.name == card.name and _lies(other, evidence) > _lies(card, evidence)
    return replace(other if fits else card, votes=votes)


def _lies(reading: Reading, evidence: Evidence) -> float:
    return 1 - evidence.share(evidence.bare, reading.quad_px)


def _on_changed(reading: Reading, evidence: Evidence) -> bool:
    """Whether some index of it lies where the picture has changed."""
    return any(evidence.share(evidence.changed, _outline(box)) > _TOUCHED for box in reading.detection.boxes)


def _outline(box: Box) -> Floats:
    x, y, w, h = box
    return np.array([[x, y], [x + w, y], [x + w, y + h], [x, y + h]], np.float32)


def _at_corners(a: Reading, b: Reading) -> bool:
    """Whether every index of `a` lies where `b` has one of its corner indices."""
    own = [o for o in _offsets(b, b) if o[0] < _INDEX_MM[0] and o[1] < _INDEX_MM[1]]
    there = _offsets(a, b)
    return (
        bool(own)
        and bool(there)
        and all(any(abs(x - u) < _SLOT_MM and abs(y - v) < _SLOT_MM for u, v in own) for x, y in there)
    )


def _lies_on(a: Reading, b: Reading) -> bool:
    """Whether an index of `a` shows within `b`'s place, so that `a` lies on top there."""
    return any(min(at) > _INSIDE_MM for at in _offsets(a, b))


def _offsets(a: Reading, b: Reading) -> list[tuple[float, float]]:
    """Of every index of `a` the distances (mm) to the nearest sides of `b`'s card: across, along;
    negative outside."""
    sides = [float(np.linalg.norm(b.quad_mm[(i + 1) % 4] - b.quad_mm[i])) for i in (0, 1)]
    width, height = sides
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    to_card = cv2.getPerspectiveTransform(b.quad_px.astype(np.float32), corners)
    middles = np.array([[x + w / 2, y + h / 2] for x, y, w, h in a.detection.boxes], np.float32)
    if not len(middles):
        return []
    inside = cv2.perspectiveTransform(middles[None], to_card)[0]
    near = [(min(x, width - x), min(y, height - y)) for x, y in inside.tolist()]
    return near if width <= height else [(y, x) for x, y in near]


def _room(a: Reading, b: Reading, evidence: Evidence) -> bool:
    """Whether there may be two cards: something lies wherever either would show beside the other."""
    return _shows(a, b, evidence) and _shows(b, a, evidence)


def _shows(card: Reading, other: Reading, evidence: Evidence) -> bool:
    """Whether something lies where `card` would show beside `other`."""
    own = filled(evidence.bare.shape, [card.quad_px * evidence.scale])
    rest = own & ~filled(own.shape, [_grown(other.quad_px) * evidence.scale])
    pixels = int(np.count_nonzero(rest))
    if pixels < _SLIVER * np.count_nonzero(own):
        return False
    return int(np.count_nonzero(rest & ~evidence.bare)) >= _SHOWS * pixels


def _grown(quad: Floats) -> Floats:
    """A little larger: its corners are rough."""
    middle = quad.mean(0)
    return np.asarray((quad - middle) * 1.06 + middle, np.float32)
