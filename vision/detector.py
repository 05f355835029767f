"""The eyes: a picture, or pieces of it, in; cards out."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from vision.assemble import assemble
from vision.backs import face_down
from vision.deck import Deck
from vision.locate import Located, locate, suppress
from vision.outlines import one_a_place, refine
from vision.read import Readings, read
from vision.regions import Region
from vision.session import Network, default_threads
from vision.stacking import with_visible
from vision.types import Detection, Image

_FIRST_LONG_SIDE = 960
_SHARPEST = 1.5
"""Never enlarge a picture more than this: upsizing beyond the trained size loses."""
_LEAST_BACK = 0.5


class Detector(Protocol):
    """Finds and reads cards."""

    def detect(self, image: Image, regions: Sequence[Region] | None = None) -> list[Detection]:
        """Cards in a picture (whole, sizes unknown), or in regions of it at native resolution.

        `visible` is found for whole pictures only."""
        ...


class OnnxDetector:
    """Locate, then read, with a deck pack's two networks.

    `decks` is how many decks lie on the table: with one, every name comes out once at most.
    `runs` counts locator passes since the start.
    """

    def __init__(self, deck: Deck, threads: int | None = None, decks: int = 1) -> None:
        threads = default_threads() if threads is None else threads
        self._about = deck.about
        self._locator = Network(deck.locate_path, threads)
        self._reader = Network(deck.read_path, threads)
        self._decks = decks
        self.runs = 0

    def detect(self, image: Image, regions: Sequence[Region] | None = None) -> list[Detection]:
        """See `Detector.detect`."""
        found = self._whole(image) if regions is None else self._pieces(image, regions)
        indices, readings = self._read(image, found)
        cards = assemble(indices, readings, self._about.calibration, self._decks)
        hidden = found.take(found.backs & (found.scores >= _LEAST_BACK))
        cards = one_a_place(refine(image, cards))
        cards += face_down(image, hidden, cards)
        return cards if regions is not None else with_visible(image, cards)

    def look(self, image: Image) -> tuple[Located, Readings]:
        """The raw indices of a whole picture and their readings (for calibration, evaluation)."""
        return self._read(image, self._whole(image))

    def _read(self, image: Image, found: Located) -> tuple[Located, Readings]:
        indices = found.take(~found.backs)
        return indices, read(self._reader, self._about.read, image, indices)

    def _pieces(self, image: Image, regions: Sequence[Region]) -> Located:
        parts = [
            self._locate(image[y0:y1, x0:x1], 1.0).placed(x0, y0, 1.0) for x0, y0, x1, y1 in regions
        ]
        return suppress(Located.join(parts))

    def _whole(self, image: Image) -> Located:
        """A picture with cards of unknown size: look at full, half and quarter size (a card may fill
        the picture), then again at the size that reads best."""
        long_side = max(image.shape[:2])
        scale = min(_FIRST_LONG_SIDE / long_side, _SHARPEST)
        parts = [self._locate(image, scale / k) for k in (1, 2, 4)]
        again = self._better_scale(Located.join(parts), scale)
        if again is not None:
            parts.append(self._locate(image, again))
        return suppress(Located.join(parts))

    def _better_scale(self, found: Located, scale: float) -> float | None:
        """A size at which the smaller of the indices that were found are read better, if any."""
        low, high = self._about.locate.index_px
        sure = found.take(~found.backs & (found.scores >= 0.4))
        if not len(sure):
            return min(1.6 * scale, _SHARPEST)
        heights = (sure.boxes[:, 2:] - sure.boxes[:, :2]).max(1) * scale
        small = float(np.percentile(heights, 15))
        middle = float(np.sqrt(low * high))
        better = min(max(1.35, middle / small) * scale, _SHARPEST)
        return better if better > 1.15 * scale and small < middle * 1.3 else None

    def _locate(self, image: Image, scale: float) -> Located:
        self.runs += 1
        return locate(self._locator, image, scale, self._about.locate.least_score)
