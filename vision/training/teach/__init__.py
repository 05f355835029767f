"""Teaching a deck pack a new deck from its owner's photos."""
