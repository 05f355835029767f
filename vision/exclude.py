"""One deck holds each card once: what the other cards of a picture are tells what this one can't be.

A blurred club is read as "six of spades, perhaps of clubs". When the six of spades lies beside it,
it is the club. The chance of each name is weighed with the chance that no other card has it.
"""

import numpy as np
from numpy.typing import NDArray

from vision.cards import NOT_READABLE, READ_CLASSES

Floats = NDArray[np.float32]

_CARDS = [i for i, name in enumerate(READ_CLASSES) if name != NOT_READABLE]


def exclude(chances: Floats, trust: Floats, decks: int = 1) -> Floats:
    """Chances (n, classes) of n different cards, weighed with one another; rows sum to 1.

    `trust` (n, n): how far row i believes that row j is another card than itself; it may be the same
    one's second corner, laid wrongly, or a print. Exact for two cards that compete for a name, a good
    approximation for more.
    """
    names = chances[:, _CARDS].astype(np.float64)
    free = np.zeros((decks, *names.shape))  # the chance that k of the others have a name
    free[0] = 1
    for j, row in enumerate(names):
        taken = trust[:, j, None] * row
        taken[j] = 0
        for k in reversed(range(decks)):
            free[k] = free[k] * (1 - taken) + (free[k - 1] * taken if k else 0)
    out = chances.astype(np.float64)
    out[:, _CARDS] *= free.sum(0)
    return np.asarray(out / (out.sum(1, keepdims=True) + 1e-12), np.float32)
