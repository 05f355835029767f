"""The crops of a lesson, as part files that `vision.training.read.CropDataset` reads.

Three kinds: indices cut from the owner's photos; scenes in which the owner's deck is laid in every way;
and the rehearsal that ships, so that what was known before is kept.
"""

import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np

from vision.cards import NOT_READABLE, READ_CLASSES
from vision.locate import locate
from vision.session import Network
from vision.synth.scene import draw_scene
from vision.training.crops import cut, located, mistaken
from vision.training.rehearsal import Rehearsal
from vision.training.teach.deck import Letters, TaughtDeck
from vision.training.teach.gather import Material
from vision.types import Image

_SCENE = 416
_PART = 16
"""Scenes of one part: one look of the deck."""
_LEAST_MISTAKE = 0.15


def write_part(folder: Path, number: int, crops: Sequence[Image], names: Sequence[str]) -> None:
    """Write crops with their names; a part that exists is whole."""
    np.save(folder / f"names-{number:05d}.npy", np.array([READ_CLASSES.index(n) for n in names], np.int64))
    part = folder / f"part-{number:05d}.npy"
    np.save(part, np.stack(crops))
    part.replace(folder / f"crops-{number:05d}.npy")


def count(folder: Path) -> int:
    """How many crops a folder holds."""
    return sum(len(np.load(path)) for path in folder.glob("names-*.npy"))


def write_rehearsal(folder: Path, rehearsal: Rehearsal) -> None:
    """The crops that ship, as a part."""
    folder.mkdir(parents=True, exist_ok=True)
    write_part(folder, 0, list(rehearsal.crops), [READ_CLASSES[int(k)] for k in rehearsal.names])


def write_scenes(
    folder: Path, teacher: "Teacher", scenes: int, seed: int, workers: int, going_on: Callable[[float], bool]
) -> None:
    """Draw scenes with the owner's deck in worker processes, until there are as many as wanted or
    `going_on`, told the share that is done, says no. Parts that are there already are kept."""
    folder.mkdir(parents=True, exist_ok=True)
    parts = -(-scenes // _PART)
    todo = [k for k in range(parts) if not (folder / f"crops-{k:05d}.npy").exists()]
    done = parts - len(todo)
    with get_context("spawn").Pool(workers, _start, (teacher,)) as pool:
        for _ in pool.imap_unordered(_part, [(folder, seed, k) for k in todo]):
            done += 1
            if not going_on(done / parts):
                break


@dataclass(frozen=True, slots=True)
class Teacher:
    """What a worker draws with: the photos' material, letters of fonts, and the pack's locator, whose
    errors the crops are to have."""

    material: Material
    letters: Sequence[Letters]
    locator: Path


_teacher: list[tuple[Teacher, Network]] = []
"""Of a worker process, which gets it once."""


def _start(teacher: Teacher) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process ends the workers
    cv2.setNumThreads(1)
    _teacher[:] = [(teacher, Network(teacher.locator, 1))]


def _part(job: tuple[Path, int, int]) -> None:
    folder, seed, number = job
    ((teacher, locator),) = _teacher
    crops, names = draw(teacher.material, teacher.letters, locator, np.random.default_rng([seed, number]))
    if crops:
        write_part(folder, number, crops, names)


def draw(
    material: Material, letters: Sequence[Letters], locator: Network, rng: np.random.Generator
) -> tuple[list[Image], list[str]]:
    """The crops of a few scenes of one look of the deck, and their names."""
    deck = TaughtDeck(material.faces, material.signs, letters, rng)
    crops: list[Image] = []
    names: list[str] = []
    for _ in range(_PART):
        scene = draw_scene(deck, _SCENE, material.tables, rng)
        found = locate(locator, scene.picture, 1.0, _LEAST_MISTAKE)
        indices = found.take(~found.backs)
        wrong = [(crop, NOT_READABLE) for crop in mistaken(scene, indices)]
        for crop, name in (*located(scene, indices, rng), *cut(scene, rng), *wrong):
            crops.append(crop)
            names.append(name)
    return crops, names
