"""The figures of many judged photos."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import msgspec
import numpy as np

from vision.evaluate.judge import KINDS, Judgement, Look

_SIZES = (10.0, 14.0, 20.0, 28.0, 40.0, 60.0)
"""Index heights in pixels."""
_BLURS = (0.08, 0.1, 0.125, 0.15, 0.21)
"""Edge widths in index heights: `vision.health` warns at 0.15 and calls 0.21 bad."""
_BINS = 10
_WORST = 20
_CLOSE = 0.1


class Source(msgspec.Struct, frozen=True):
    """The figures of one source of photos; precision is over photos with complete labels."""

    name: str
    photos: int
    cards: int
    recall: float | None
    judged: int
    precision: float | None
    unlisted: int
    twice: int


class Part(msgspec.Struct, frozen=True):
    """Recall of the cards whose measure is in [low, high); both None: not measured."""

    low: float | None
    high: float | None
    cards: int
    recall: float | None


class Bin(msgspec.Struct, frozen=True):
    """Readings that scored within [low, high]: how many, their mean score, and the share that was right."""

    low: float
    high: float
    readings: int
    score: float
    right: float


class Pair(msgspec.Struct, frozen=True):
    """How often a card was reported under another name."""

    truth: str
    read: str
    times: int


class Backs(msgspec.Struct, frozen=True):
    """Face-down cards: labelled, found, and invented on photos with complete labels."""

    cards: int
    recall: float | None
    false: int


class Outlines(msgspec.Struct, frozen=True):
    """Overlap (intersection over union) of the found cards' outlines with labelled ones."""

    cards: int
    median: float | None
    tenth: float | None


class Visible(msgspec.Struct, frozen=True):
    """How far the found cards' visible parts are from the labelled ones: the share within 0.1."""

    cards: int
    close: float | None
    median: float | None


class Figures(msgspec.Struct, frozen=True):
    """Everything that `kibitz deck eval` reports, but for the pictures."""

    sources: tuple[Source, ...]
    all: Source
    pairs: tuple[Pair, ...]
    bins: tuple[Bin, ...]
    calibration_error: float | None
    by_size: tuple[Part, ...]
    by_blur: tuple[Part, ...]
    backs: Backs
    outlines: Outlines
    visible: Visible
    failures: dict[str, int]


def summarise(judged: Sequence[Judgement]) -> Figures:
    """Add up what happened on all photos."""
    total: Counter[str] = Counter()
    sources: dict[str, Counter[str]] = {}
    for one in judged:
        sources.setdefault(one.photo.source or "", Counter()).update(one.counts)
        total.update(one.counts)
    looks = _looks(judged)
    failures = [failure for one in judged for failure in one.failures]
    pairs = Counter((f.truth, f.read) for f in failures if f.kind == "wrong_name")
    bins, error = reliability([pair for one in judged for pair in one.scores])
    outlines = np.array([value for one in judged for value in one.outlines])
    off = np.array([value for one in judged for value in one.visible])
    kinds = Counter(f.kind for f in failures)
    return Figures(
        sources=tuple(_source(name, counts) for name, counts in sorted(sources.items())),
        all=_source("all", total),
        pairs=tuple(Pair(truth, read, n) for (truth, read), n in pairs.most_common(_WORST)),
        bins=bins,
        calibration_error=error,
        by_size=_parts(looks, lambda look: look.index_px, _SIZES),
        by_blur=_parts(looks, lambda look: look.blur, _BLURS),
        backs=Backs(total["backs"], _share(total["backs_found"], total["backs"]), total["backs_false"]),
        outlines=Outlines(len(outlines), *_quantiles(outlines)),
        visible=Visible(len(off), _share(int((off <= _CLOSE).sum()), len(off)), _quantiles(off)[0]),
        failures={kind: kinds[kind] for kind in KINDS},
    )


def reliability(scores: Iterable[tuple[float, bool]]) -> tuple[tuple[Bin, ...], float | None]:
    """Bins of equal width over (score, right), and the expected calibration error: the mean distance
    of score and share of right readings, over readings."""
    pairs = sorted(scores)
    bins, error = [], 0.0
    for i in range(_BINS):
        inside = [(s, right) for s, right in pairs if min(int(s * _BINS), _BINS - 1) == i]
        if inside:
            score = sum(s for s, _ in inside) / len(inside)
            right = sum(ok for _, ok in inside) / len(inside)
            bins.append(Bin(i / _BINS, (i + 1) / _BINS, len(inside), round(score, 4), round(right, 4)))
            error += abs(score - right) * len(inside) / len(pairs)
    return tuple(bins), round(error, 4) if pairs else None


def _looks(judged: Sequence[Judgement]) -> list[Look]:
    """All looks; how loosely each source's labels are drawn is taken out by what was read in them."""
    sizes: dict[str | None, list[float]] = {}
    for one in judged:
        sizes.setdefault(one.photo.source, []).extend(one.sizes)
    scale = {source: float(np.median(values)) if values else 1.0 for source, values in sizes.items()}
    return [
        Look(look.found, look.index_px and look.index_px * k, look.blur and look.blur / k)
        for one in judged
        for k in (scale[one.photo.source],)
        for look in one.looks
    ]


def _source(name: str, c: Counter[str]) -> Source:
    precision = _share(c["judged"] - c["wrong"], c["judged"])
    return Source(name, c["photos"], c["cards"], _share(c["found"], c["cards"]), c["judged"], precision,
                  c["unlisted"], c["twice"])  # fmt: skip


def _parts(
    looks: Sequence[Look], measure: Callable[[Look], float | None], edges: tuple[float, ...]
) -> tuple[Part, ...]:
    values = [(measure(look), look.found) for look in looks]
    unknown = [found for value, found in values if value is None]
    parts = [Part(None, None, len(unknown), _share(sum(unknown), len(unknown)))] if unknown else []
    for low, high in zip((0.0, *edges), (*edges, None), strict=True):
        inside = [found for value, found in values if value is not None and low <= value < (high or math.inf)]
        if inside:
            parts.append(Part(low, high, len(inside), _share(sum(inside), len(inside))))
    return tuple(parts)


def _quantiles(values: "np.ndarray[tuple[int], np.dtype[np.float64]]") -> tuple[float | None, float | None]:
    if not len(values):
        return None, None
    median, tenth = np.percentile(values, [50, 10])
    return round(float(median), 4), round(float(tenth), 4)


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None
