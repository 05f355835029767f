"""Index letters of other countries' decks: a queen is also D (Dame) or \u0414 (Russian), a French king R.

Only what no other country's deck contradicts, since a picture doesn't tell where a deck is from: the
Dutch V (vrouw) is a queen where the French V (valet) is a jack.
"""

from pathlib import Path

import numpy as np

Letters = dict[str, str]
"""What a deck prints for a rank, where that isn't the rank itself."""

_GERMAN: Letters = {"Q": "D", "J": "B"}
_FRENCH: Letters = {"K": "R", "Q": "D", "J": "V"}
_FRENCH_ONE: Letters = {**_FRENCH, "A": "1"}
_RUSSIAN: Letters = {"Q": "\u0414", "J": "B", "A": "T"}  # K, B and T look like the Latin letters


def draw_letters(font: Path, rng: np.random.Generator) -> Letters:
    """The letters of a random deck: mostly English ones."""
    kind = rng.choice(["english", "german", "french", "one", "russian"], p=[0.82, 0.07, 0.045, 0.02, 0.045])
    if kind == "russian" and not cyrillic(font).is_file():
        kind = "english"
    return {"english": {}, "german": _GERMAN, "french": _FRENCH, "one": _FRENCH_ONE, "russian": _RUSSIAN}[kind]


def cyrillic(font: Path) -> Path:
    """The file with the Cyrillic letters of a Latin font file's family; not every family has one."""
    return font.with_name(font.name.replace("-latin-", "-cyrillic-"))
