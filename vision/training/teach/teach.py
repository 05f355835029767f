"""From an owner's photos to a deck pack that is known to be better: gather, draw, train, calibrate, judge."""

import hashlib
import os
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from vision.deck import Calibration, Deck, load_deck
from vision.detector import OnnxDetector
from vision.errors import KibitzError
from vision.evaluate.labels import LabelledPhoto
from vision.offline import keep_offline
from vision.teaching.intake import opened
from vision.teaching.wanted import ORDER
from vision.teaching.workspace import Workspace
from vision.training import rehearsal
from vision.training.calibrate import evidence, fit
from vision.training.crops import SIZE
from vision.training.pack import export, write_deck_file
from vision.training.teach.exam import Result, better, examine
from vision.training.teach.gather import Material, gather, settled
from vision.training.teach.lesson import Teacher, count, write_part, write_rehearsal, write_scenes
from vision.training.teach.split import split

SEED = 1
_SCENES = 3200
_DRAWING = 0.35
"""At most this part of the time goes into looking at photos and drawing scenes."""
_LEAST_TRAINING = 10.0
_RESERVE = 12.0, 1.5
"""Seconds kept for export and judging: in all, and for each photo held out."""
_PHOTOS, _REHEARSAL = 0.3, 0.35
"""How much of what training sees comes straight from the owner's photos, if they show all faces, and from
the rehearsal, in parts of the scenes' crops. Where they show few faces it is less: else a queen would be
learned to be of spades because no other was photographed."""

Told = Callable[[str, float], None]
"""Hears the stage (look, draw, train, judge) and the share of it that is done."""


class Progress(msgspec.Struct):
    """What a stopped lesson goes on with: seconds spent before training, and those that it has."""

    key: str
    prepared_s: float = 0.0
    training_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """Both results on the photos held out; the new pack (None where the shipped one isn't worse), the
    minutes spent, and how many cards' faces were photographed."""

    before: Result
    after: Result
    pack: Path | None
    minutes: float
    faces: int


def teach(workspace: Workspace, deck: Deck, minutes: float, told: Told) -> Outcome:
    """Train a reader for the workspace's photos from that of `deck`, within `minutes`, stops not counted.

    Raises KibitzError: teach_few_photos, teach_nothing_seen; those of `read_photo`.
    """
    taught, held_out = split(workspace.labelled())
    if not held_out:
        raise KibitzError("teach_few_photos", name=workspace.name, photos=len(taught))
    os.environ.setdefault("YOLO_VERBOSE", "false")
    keep_offline(workspace.lesson / "settings")
    lesson = _Lesson(workspace, deck, taught, 60 * minutes)
    lesson.prepare(told, _RESERVE[0] + _RESERVE[1] * len(held_out))
    seen, spent = lesson.train(told)
    told("judge", 0.0)
    pack = _packed(workspace, deck, lesson.folder / "read.pt")
    images = [opened(photo) for photo in held_out]
    _calibrate(pack, deck, images)
    before = examine(deck, images, lambda share: told("judge", share / 2))
    after = examine(load_deck(pack), images, lambda share: told("judge", 0.5 + share / 2))
    outcome = Outcome(before, after, pack if better(before, after) else None, spent / 60, len(workspace.faces()))
    _record(pack, deck, workspace, taught, outcome, seen)
    return outcome


class _Lesson:
    """The crops and the training of one deck; started anew when photos or the shipped reader changed."""

    def __init__(self, workspace: Workspace, deck: Deck, photos: Sequence[LabelledPhoto], seconds: float) -> None:
        self.folder = workspace.lesson
        self._deck = deck
        self._photos = photos
        self._seconds = seconds
        self._state = self.folder / "progress.json"
        known = (workspace.photos / "labels.json").read_bytes() + deck.about.read.sha256.encode()
        key = hashlib.sha256(known).hexdigest()
        self.progress = self._load(key)
        self._begun = time.monotonic()

    def _load(self, key: str) -> Progress:
        try:
            progress = msgspec.json.decode(self._state.read_bytes(), type=Progress)
        except (OSError, msgspec.MsgspecError):
            progress = Progress("")
        if progress.key == key:
            return progress
        for part in ("photos", "scenes", "rehearsal"):
            shutil.rmtree(self.folder / part, ignore_errors=True)
        for file in ("lesson.pt", "read.pt"):
            (self.folder / file).unlink(missing_ok=True)
        return Progress(key)

    def prepare(self, told: Told, reserve: float) -> None:
        """Gather and draw, unless it was done; then the seconds for training are known."""
        if self.progress.training_s:
            # a longer time than before may be given to what is there
            left = self._seconds - self.progress.prepared_s - reserve
            self.progress.training_s = max(self.progress.training_s, left)
            self._keep()
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        before = self.progress.prepared_s
        try:
            self._draw(told)
        finally:
            self.progress.prepared_s = before + time.monotonic() - self._begun
            self._keep()
        self.progress.training_s = max(_LEAST_TRAINING, self._seconds - self.progress.prepared_s - reserve)
        self._keep()

    def _draw(self, told: Told) -> None:
        """Write all crops."""
        shipped = rehearsal.load(rehearsal.shipped_file())
        material = self._gather(told)
        (self.folder / "photos").mkdir(exist_ok=True)
        write_part(self.folder / "photos", 0, material.crops, material.names)
        write_rehearsal(self.folder / "rehearsal", shipped)
        if any(face.signs for face in material.faces):
            teacher = Teacher(material, shipped.letters, self._deck.locate_path)
            write_scenes(self.folder / "scenes", teacher, _SCENES, SEED, workers(), self._while_drawing(told))

    def train(self, told: Told) -> tuple[int, float]:
        """Train for the time that is left; crops seen, and seconds spent with all before."""
        from vision.training.teach.learn import learn

        sources = [(self.folder / part, times) for part, times in self._mixture()]
        seconds = self.progress.training_s
        seen = learn(self._deck.read_path, sources, self.folder, seconds, workers(), SEED,
                     lambda share: told("train", share))  # fmt: skip
        return seen, self.progress.prepared_s + seconds

    def _mixture(self) -> Iterator[tuple[str, int]]:
        """The parts of the lesson, and how often one pass shows each of their crops."""
        scenes, photos, known = (count(self.folder / part) for part in ("scenes", "photos", "rehearsal"))
        if scenes:
            yield "scenes", 1
        faces = {label.card for photo in self._photos for label in photo.objects}
        straight = _PHOTOS * len(faces & set(ORDER)) / len(ORDER)
        whole = max(scenes, known)
        yield "photos", max(1, round(straight * whole / max(1, photos)))
        yield "rehearsal", max(1, round(_REHEARSAL * whole / known))

    def _gather(self, told: Told) -> Material:
        """What all photos hold. Raises KibitzError `teach_nothing_seen`."""
        all_of_them = Material()
        detector = OnnxDetector(self._deck)
        parts = gather(self._deck, detector, self._photos, np.random.default_rng(SEED))
        for number, part in enumerate(parts, 1):
            all_of_them.add(part)
            told("look", number / len(self._photos))
        if not all_of_them.crops:
            raise KibitzError("teach_nothing_seen")
        all_of_them.faces = settled(all_of_them.faces)
        return all_of_them

    def _while_drawing(self, told: Told) -> Callable[[float], bool]:
        limit = _DRAWING * self._seconds - self.progress.prepared_s

        def going_on(share: float) -> bool:
            spent = time.monotonic() - self._begun
            told("draw", min(1.0, max(share, spent / limit)))
            return spent < limit

        return going_on

    def _keep(self) -> None:
        new = self._state.with_suffix(".new")
        new.write_bytes(msgspec.json.encode(self.progress))
        os.replace(new, self._state)


def workers() -> int:
    """Processes that draw, and threads that train."""
    return min(4, os.cpu_count() or 1)


def _packed(workspace: Workspace, deck: Deck, weights: Path) -> Path:
    """A pack of the shipped locator and the new reader."""
    shutil.rmtree(workspace.pack, ignore_errors=True)
    workspace.pack.mkdir(parents=True)
    shutil.copyfile(deck.locate_path, workspace.pack / deck.about.locate.file)
    sha256 = export(weights, workspace.pack / deck.about.read.file, SIZE)
    about: dict[str, Any] = msgspec.to_builtins(deck.about)
    about |= {"name": workspace.name, "version": "1", "figures": {}}
    about["read"]["sha256"] = sha256
    write_deck_file(workspace.pack / "deck.toml", about)
    return workspace.pack


def _calibrate(pack: Path, deck: Deck, images: Sequence[tuple[Any, LabelledPhoto]]) -> None:
    """Fit the new pack's scores on the photos held out, towards the shipped pack's."""
    new = load_deck(pack)
    rows = list(evidence(OnnxDetector(new), images))
    calibration: Calibration = deck.about.calibration
    if rows:
        calibration = fit(np.array([r for r, _ in rows]), np.array([float(ok) for _, ok in rows]), calibration)
    about: dict[str, Any] = msgspec.to_builtins(new.about)
    write_deck_file(pack / "deck.toml", about | {"calibration": msgspec.to_builtins(calibration)})


def _record(
    pack: Path, deck: Deck, workspace: Workspace, taught: Sequence[LabelledPhoto], outcome: Outcome, seen: int
) -> None:
    """What the new pack was taught with, and how well it and the shipped one read what was held out."""
    about: dict[str, Any] = msgspec.to_builtins(load_deck(pack).about)
    about["data"] = {
        **deck.about.data,
        "taught_from": f"{deck.about.name} {deck.about.version}",
        "taught_with": f"{len(taught)} photos by the deck's owner, {outcome.faces} different cards; "
                       f"{seen} crops seen in {outcome.minutes:.1f} min; seed {SEED}",
    }  # fmt: skip
    about["figures"] = {
        "held_out_photos": len(split(workspace.labelled())[1]),
        "held_out_cards": outcome.after.cards,
        "right": outcome.after.right,
        "wrong": outcome.after.wrong,
        "shipped_right": outcome.before.right,
        "shipped_wrong": outcome.before.wrong,
    }
    write_deck_file(pack / "deck.toml", about)
