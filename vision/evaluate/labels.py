"""Labelled photos: a folder with `labels.json`, or photos named by their card.

`labels.json` is a list of photos, each `{"image", "complete", "source" or "group", "objects"}`; an
object is `{"card", "kind": "index"|"card", "box": [x, y, w, h]|null, "quad"?, "index_visible"?,
"visible_fraction"?, "optional"?}`. `image` is a path below the folder. `complete` false: the photo may show cards that
have no label.
"""

import re
from pathlib import Path

import msgspec

from vision.errors import KibitzError
from vision.photo import SUFFIXES
from vision.types import Box

_NAMED = re.compile(r"(?P<card>(?:10|[2-9TJQKA])[cdhs]|[XY]|back|empty)(?:[ ._(-].*)?", re.IGNORECASE)


class LabelledCard(msgspec.Struct, frozen=True):
    """One label. `card` is a name, "back" (face down), or leaves something open: "K?" is any king,
    "?J" any joker, "?" anything. Kind "index" labels one corner of a card, "card" a whole card. `quad`
    starts at an index's corner; `index_visible` tells how much of the indices at its corners 0 and 2
    is in view, `visible_fraction` how much of the card. An `optional` card may be read or not."""

    card: str
    kind: str = "card"
    box: Box | None = None
    quad: tuple[tuple[float, float], ...] | None = None
    index_visible: tuple[float, float] = (1.0, 1.0)
    visible_fraction: float | None = None
    optional: bool = False


class LabelledPhoto(msgspec.Struct, frozen=True):
    """One photo and what lies on it."""

    image: Path
    complete: bool = False
    source: str | None = None
    group: str | None = None
    objects: tuple[LabelledCard, ...] = ()


def load_labels(folder: Path) -> list[LabelledPhoto]:
    """The labelled photos of a folder, each with its full path and a source.

    Raises KibitzError: labels_missing, labels_corrupt, labels_outside, photo_not_named.
    """
    path = folder / "labels.json"
    if not path.is_file():
        photos, unnamed = named_photos(folder)
        if unnamed:
            raise unnamed[0]
        return photos
    try:
        photos = msgspec.json.decode(path.read_bytes(), type=list[LabelledPhoto], dec_hook=lambda _, text: Path(text))
    except (OSError, ValueError, TypeError, msgspec.MsgspecError) as error:
        raise KibitzError("labels_corrupt", path=str(path), why=str(error).splitlines()[0]) from error
    root = folder.resolve()
    if outside := next((p for p in photos if not (root / p.image).resolve().is_relative_to(root)), None):
        raise KibitzError("labels_outside", path=str(path), image=str(outside.image))
    return [
        msgspec.structs.replace(p, image=folder / p.image, source=p.source or p.group or folder.name) for p in photos
    ]


def matches(label: str, name: str) -> bool:
    """Whether a reading is what the label says; labels may leave suit or joker's colour open."""
    if label == "?J":
        return name in ("X", "Y")
    return label == name or (label.endswith("?") and len(name) == 2 and label[0] == name[0])


def named_photos(folder: Path) -> tuple[list[LabelledPhoto], list[KibitzError]]:
    """Photos of one card each: `7h.jpg`, `10c.png`, `X.jpg`, `Ks_2.jpg`, `back.jpg`, `empty.jpg`; and a
    photo_not_named for each that is named otherwise.

    Raises KibitzError `labels_missing`.
    """
    files = sorted(p for p in folder.iterdir() if p.suffix.lower() in SUFFIXES) if folder.is_dir() else []
    if not files:
        raise KibitzError("labels_missing", path=str(folder))
    photos, unnamed = [], []
    for path in files:
        try:
            photos.append(LabelledPhoto(path, True, folder.resolve().name, None, _by_name(path)))
        except KibitzError as error:
            unnamed.append(error)
    return photos, unnamed


def _by_name(photo: Path) -> tuple[LabelledCard, ...]:
    found = _NAMED.fullmatch(photo.stem)
    if found is None:
        raise KibitzError("photo_not_named", path=str(photo))
    name = found["card"].replace("10", "T")
    if name.lower() == "empty":
        return ()
    return (LabelledCard("back" if name.lower() == "back" else name[0].upper() + name[1:].lower()),)
