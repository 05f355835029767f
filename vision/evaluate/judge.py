"""One photo's readings against its labels: what was found, and each failure with its kind and place."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import cv2
import numpy as np

from vision.evaluate import places
from vision.evaluate.labels import LabelledCard, LabelledPhoto, matches
from vision.types import Detection, Image

Kind = Literal[
    "wrong_name", "false_card", "twice", "not_found", "unsure", "unreadable", "unlisted", "back_missed", "back_false"
]
KINDS: tuple[Kind, ...] = (
    "wrong_name", "false_card", "twice", "not_found", "unsure", "unreadable", "unlisted", "back_missed", "back_false",
)  # fmt: skip
"""Kinds of failures, the worst first. A missed card is `unsure` when its name was read but scored too
low, `unreadable` when something was seen in its place, else `not_found`. `unlisted` is a reading on a
photo whose labels aren't complete: not necessarily a failure."""
_SAME_QUAD = 0.4


@dataclass(frozen=True, slots=True)
class Failure:
    """`truth` and `read` are card names ("" where there is none); `region` x0, y0, x1, y1 in pixels."""

    kind: Kind
    photo: LabelledPhoto
    truth: str
    read: str
    score: float
    region: tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Look:
    """One card that should be read: whether it was, and its index height in pixels and edge width in
    index heights by the labels' boxes, each None where the labels don't tell."""

    found: bool
    index_px: float | None
    blur: float | None


@dataclass(slots=True)
class Judgement:
    """One photo judged. `counts` has photos, cards, found, judged, wrong, unlisted, twice, backs,
    backs_found, backs_false; `sizes` the read index heights of found cards in labelled heights;
    `scores` (score, right) of every named reading that the labels judge, reported or not; `outlines`
    the overlap of found cards with their labelled quads; `visible` how far their visible parts are off."""

    photo: LabelledPhoto
    counts: Counter[str] = field(default_factory=Counter)
    looks: list[Look] = field(default_factory=list)
    sizes: list[float] = field(default_factory=list)
    scores: list[tuple[float, bool]] = field(default_factory=list)
    outlines: list[float] = field(default_factory=list)
    visible: list[float] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)


def judge(photo: LabelledPhoto, image: Image, seen: Sequence[Detection], least: float) -> Judgement:
    """Judge what a detector saw on a photo; what scores below `least` was seen but not reported.

    A labelled card is found when its name is reported anywhere on its photo. A reported name that is
    on no label is wrong on photos with complete labels and unlisted on others.
    """
    result = Judgement(photo, Counter(photos=1))
    _faces(result, image, seen, least)
    _twice(result, image, [d for d in seen if d.face == "up" and d.is_reported(least)])
    _backs(result, image, [d for d in seen if d.face == "down"])
    result.scores += _scores(photo, [d for d in seen if d.face == "up" and d.card != "?"])
    return result


def _faces(result: Judgement, image: Image, seen: Sequence[Detection], least: float) -> None:
    photo, counts = result.photo, result.counts
    by_name: dict[str, list[LabelledCard]] = {}
    for label in photo.objects:
        if label.card not in ("back", "?") and not label.optional:
            by_name.setdefault(label.card, []).append(label)
    reported = [d for d in seen if d.face == "up" and d.is_reported(least)]
    left = {d.card for d in reported}
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    missed: list[tuple[str, list[LabelledCard]]] = []
    # a label that leaves something open takes what the others left
    for name, labels in sorted(by_name.items(), key=lambda item: ("?" in item[0], item[0])):
        hit = next((read for read in sorted(left) if matches(name, read)), None)
        counts["cards"] += 1
        height = places.index_height(labels)
        result.looks.append(Look(hit is not None, height, places.blur(grey, labels)))
        if hit is None:
            missed.append((name, labels))
            continue
        counts["found"] += 1
        left.discard(hit)
        named = [d for d in reported if d.card == hit]
        if height is not None:
            result.sizes += [max(box[2:]) / height for d in named for box in d.boxes]
        pairs = [(places.overlap(d, o), d.visible, o.visible_fraction) for d in named for o in labels if o.quad]
        if pairs:
            outline, seen_part, part = max(pairs, key=lambda pair: pair[0])
            result.outlines.append(outline)
            result.visible += [abs(seen_part - part)] if part is not None else []
    left -= {o.card for o in photo.objects if o.optional}
    counts["judged" if photo.complete else "unjudged"] += len(reported)
    counts["wrong" if photo.complete else "unlisted"] += len(left)
    told: set[str] = set()
    for name, labels in missed:
        failure = _missed(photo, image, name, labels, seen, least)
        result.failures.append(failure)
        told |= {failure.read} if failure.kind == "wrong_name" else set()
    for card in reported:
        if card.card in left - told:
            result.failures.append(_invented(photo, image, card))


def _missed(
    photo: LabelledPhoto,
    image: Image,
    name: str,
    labels: Sequence[LabelledCard],
    seen: Sequence[Detection],
    least: float,
) -> Failure:
    """What became of a card whose name was not reported."""
    strange = [d for d in seen if d.face == "up" and not _in_its_place(d, photo)]
    here = [d for d in strange if any(places.lies_at(d, o) for o in labels)]
    named = next((d for d in seen if matches(name, d.card)), None)
    other = next((d for d in here if d.is_reported(least)), None)
    kind: Kind
    if other is not None:
        kind, card = "wrong_name", other
    elif named is not None:
        kind, card = "unsure", named
    elif here:
        kind, card = "unreadable", here[0]
    else:
        return Failure("not_found", photo, name, "", 0.0, places.region(labels, image))
    return Failure(kind, photo, name, card.card, card.score, places.region([*labels[:1], card], image))


def _in_its_place(card: Detection, photo: LabelledPhoto) -> bool:
    return any(matches(o.card, card.card) and places.lies_at(card, o) for o in photo.objects)


def _invented(photo: LabelledPhoto, image: Image, card: Detection) -> Failure:
    """A reported name that no label bears."""
    at = next((o for o in photo.objects if o.card != "back" and places.lies_at(card, o)), None)
    kind: Kind = "wrong_name" if at is not None else "false_card" if photo.complete else "unlisted"
    return Failure(kind, photo, at.card if at else "", card.card, card.score, places.region([card], image))


def _twice(result: Judgement, image: Image, reported: Sequence[Detection]) -> None:
    lying = Counter(o.card for o in result.photo.objects if o.kind == "card")
    for name, count in Counter(d.card for d in reported).items():
        extra = count - max(1, lying[name])
        if extra > 0:
            result.counts["twice"] += extra
            result.counts["wrong"] += extra if result.photo.complete else 0
            cards = [d for d in reported if d.card == name]
            where = places.region(cards, image)
            result.failures.append(Failure("twice", result.photo, name, name, cards[-1].score, where))


def _backs(result: Judgement, image: Image, down: Sequence[Detection]) -> None:
    photo, left = result.photo, list(down)
    for label in sorted((o for o in photo.objects if o.card == "back"), key=lambda o: o.optional):
        placed = label.quad is not None or label.box is not None
        hit = max(left, key=lambda d: places.overlap(d, label), default=None)
        found = hit is not None and (not placed or places.overlap(hit, label) >= _SAME_QUAD)
        if found and hit is not None:
            left.remove(hit)
        if label.optional:
            continue
        result.counts["backs"] += 1
        result.counts["backs_found"] += found
        if not found:
            result.failures.append(Failure("back_missed", photo, "back", "", 0.0, places.region([label], image)))
    if photo.complete:
        result.counts["backs_false"] += len(left)
        result.failures += [Failure("back_false", photo, "", "back", d.score, places.region([d], image)) for d in left]


def _scores(photo: LabelledPhoto, named: Sequence[Detection]) -> list[tuple[float, bool]]:
    """(score, right) of the readings whose name the labels can judge."""
    judged = []
    for card in named:
        if any(matches(o.card, card.card) for o in photo.objects):
            judged.append((card.score, True))
        elif photo.complete or any(places.lies_at(card, o) for o in photo.objects):
            judged.append((card.score, False))
    return judged
