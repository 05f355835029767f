"""A deck that is being taught: the folder with its owner's photos, their labels and the training's state."""

import hashlib
import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgspec

from vision.errors import KibitzError
from vision.evaluate.labels import LabelledCard, LabelledPhoto, load_labels
from vision.packs import is_folder_name

_LABELS = "labels.json"


class Workspace:
    """`photos/` (named by their content) with `labels.json`, as `kibitz deck eval --data` reads it too;
    `lesson/`, what training keeps to go on; `pack/`, the deck pack that was trained last."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.name = folder.name
        self.photos = folder / "photos"
        self.lesson = folder / "lesson"
        self.pack = folder / "pack"

    def labelled(self) -> list[LabelledPhoto]:
        """The photos so far, in the order in which they were taken in.

        Raises KibitzError labels_corrupt, labels_outside.
        """
        return load_labels(self.photos) if (self.photos / _LABELS).is_file() else []

    def faces(self) -> Counter[str]:
        """On how many photos each card is."""
        return Counter(
            name
            for photo in self.labelled()
            for name in {label.card for label in photo.objects}
            if name != "back" and "?" not in name
        )

    def add(self, data: bytes, suffix: str, objects: Sequence[LabelledCard], complete: bool) -> bool:
        """Keep a photo with its labels; False if it was there (its labels are replaced).

        Raises KibitzError `teach_unwritable`; then nothing has changed.
        """
        name = hashlib.sha256(data).hexdigest()[:16] + suffix.lower()
        try:
            self.photos.mkdir(parents=True, exist_ok=True)
            written = _write(self.photos / name, data) if not (self.photos / name).exists() else False
            kept = [msgspec.structs.replace(p, image=Path(p.image.name)) for p in self.labelled()]
            known = any(p.image.name == name for p in kept)
            one = LabelledPhoto(Path(name), complete, self.name, None, tuple(objects))
            rest = [one if p.image.name == name else p for p in kept]
            every = rest if known else [*rest, one]
            _write(self.photos / _LABELS, msgspec.json.format(msgspec.json.encode(every, enc_hook=str), indent=1))
        except OSError as error:
            raise KibitzError("teach_unwritable", path=str(self.folder), why=error.strerror or str(error)) from error
        return written or not known


def _write(path: Path, data: bytes) -> bool:
    new = path.with_name(path.name + ".new")
    new.write_bytes(data)
    os.replace(new, path)
    return True


class Workspaces:
    """All decks that are being taught, below one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def names(self) -> tuple[str, ...]:
        """Their names."""
        inside = self._folder.iterdir() if self._folder.is_dir() else ()
        return tuple(sorted(p.name for p in inside if p.is_dir() and is_folder_name(p.name)))

    def create(self, name: str, taken: Sequence[str]) -> Workspace:
        """Begin a deck; `taken` are names that deck packs have.

        Raises KibitzError: teach_name, teach_taken, pack_taken, teach_unwritable.
        """
        if not is_folder_name(name):
            raise KibitzError("teach_name", name=name[:80])
        if name in self.names():
            raise KibitzError("teach_taken", name=name)
        if name in taken:
            raise KibitzError("pack_taken", name=name)
        workspace = Workspace(self._folder / name)
        try:
            workspace.photos.mkdir(parents=True)
        except OSError as error:
            raise KibitzError("teach_unwritable", path=str(self._folder), why=error.strerror or str(error)) from error
        return workspace

    def open(self, name: str) -> Workspace:
        """A deck that was begun. Raises KibitzError `teach_unknown`."""
        if name not in self.names():
            raise KibitzError("teach_unknown", name=name[:80], known=", ".join(self.names()) or "-")
        return Workspace(self._folder / name)
