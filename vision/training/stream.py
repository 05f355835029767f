"""An endless, repeatable stream of scenes: scene number i of a seed is always the same picture.

Decks live for `_USES` scenes and several are in play at once, so that a batch mixes decks and a
deck's painted faces are used again.
"""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from vision.errors import KibitzError
from vision.synth.decks import Deck, Library, draw_deck
from vision.synth.scene import Scene, draw_scene
from vision.types import Image

_USES, _IN_PLAY = 16, 12


@dataclass
class SceneStream:
    """Scenes of `size` x `size` pixels. `photos` are pictures of tables without cards."""

    library: Library
    size: int
    seed: int
    photos: Sequence[Image] = ()
    _decks: "OrderedDict[int, Deck]" = field(default_factory=OrderedDict)

    def scene(self, index: int) -> Scene:
        """Scene number `index`, from 0; depends on seed and index only."""
        rng = np.random.default_rng([self.seed, 1, index])
        number = max(0, index // _USES - int(rng.integers(_IN_PLAY)))
        return draw_scene(self._deck(number), self.size, self.photos, rng)

    def _deck(self, number: int) -> Deck:
        if number not in self._decks:
            rng = np.random.default_rng([self.seed, 0, number])
            self._decks[number] = draw_deck(self.library, rng)
            while len(self._decks) > 2 * _IN_PLAY:
                self._decks.popitem(last=False)
        return self._decks[number]


def empty_tables(folder: Path | None) -> list[Image]:
    """Photos of tables without cards below `folder` (file names containing "negative")."""
    if folder is None:
        return []
    if not folder.is_dir():
        raise KibitzError("folder_missing", path=str(folder))
    photos = []
    for path in sorted(folder.rglob("*negative*.jpg")):
        photo = cv2.imread(str(path), cv2.IMREAD_COLOR)
        if photo is None:
            raise KibitzError("photo_unreadable", path=str(path))
        factor = 640 / max(photo.shape[:2])
        small = cv2.resize(photo, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        photos.append(small.astype(np.uint8))
    return photos
