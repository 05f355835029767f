"""Procedural decks and scenes: training pictures whose labels come for free."""
