"""Names of cards and the classes of the two networks."""

RANKS = "23456789TJQKA"
SUITS = "cdhs"
NAMES: tuple[str, ...] = tuple(r + s for r in RANKS for s in SUITS)
JOKERS: tuple[str, ...] = ("X", "Y")
NOT_READABLE = "-"
READ_CLASSES: tuple[str, ...] = (*NAMES, *JOKERS, NOT_READABLE)
"""Classes of the reader, in the order of its outputs."""
LOCATE_CLASSES: tuple[str, ...] = ("index", "back")
"""Classes of the locator, in the order of its outputs."""
