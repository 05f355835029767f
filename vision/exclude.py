"""One deck holds each card once: what the other cards of a picture are tells what this one can't be.

A blurred club is read as "six of spades, perhaps of clubs". When the six of spades lies beside it,
it is the club. The chance of each name is weighed with the chance that no other card has it.
"""

import numpy as np
from numpy.typing import NDArray

from vision.cards import NOT_READABLE, READ_CLASSES

Floats = NDArray[np.float32]

_TRUST = 0.95
"""How far another reading is believed to be another card: it may be the same one's second corner,
laid wrongly, or a print."""
_CARDS = [i for i, name in enumerate(READ_CLASSES) if name != NOT_READABLE]


def exclude(chances: Floats, decks: int = 1) -> Floats:
    """Chances (n, classes) of n different cards, weighed with one another; rows sum to 1.

    Exact for two cards that compete for a name, a good approximation for more.
    """
    taken = _TRUST * chances[:, _CARDS].astype(np.float64)
    odds = taken / (1 - taken)
    none = np.exp(np.log1p(-taken).sum(0) - np.log1p(-taken))
    # elementary symmetric sums of the odds: over all cards, then without the card itself
    sums = [np.ones(odds.shape[1])] + [np.zeros(odds.shape[1])] * (decks - 1)
    for row in odds:
        sums = [sums[0]] + [sums[k] + row * sums[k - 1] for k in range(1, decks)]
    others = np.ones_like(odds)
    free = others.copy()
    for k in range(1, decks):
        others = sums[k] - odds * others
        free += others
    out = chances.astype(np.float64)
    out[:, _CARDS] *= none * free
    return np.asarray(out / (out.sum(1, keepdims=True) + 1e-12), np.float32)
