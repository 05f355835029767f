"""Which photos a deck is taught with, and which it is judged by."""

from collections.abc import Sequence

from vision.evaluate.labels import LabelledPhoto

_EVERY = 5
_LEAST = 5
"""Fewer photos are all needed for teaching: then nothing is held out, and nothing can be judged."""


def split(photos: Sequence[LabelledPhoto]) -> tuple[list[LabelledPhoto], list[LabelledPhoto]]:
    """(photos to teach with, photos held out): every fifth that shows a card's face is held out, from the
    third on; those without a face teach."""
    teach: list[LabelledPhoto] = []
    held_out: list[LabelledPhoto] = []
    faces = [photo for photo in photos if any(label.card != "back" for label in photo.objects)]
    for number, photo in enumerate(faces):
        (held_out if len(faces) >= _LEAST and number % _EVERY == 2 else teach).append(photo)
    return teach + [photo for photo in photos if photo not in faces], held_out
