"""Which cameras there are to choose from, and a small picture of each.

A camera is opened in a process of its own that is ended when it takes too long, so that a driver
that hangs can't hang the page. Only what the host named at the start, what saved tables watch and
this machine's own devices can be chosen: nothing that a page sends is opened.
"""

import hashlib
import multiprocessing
import re
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

import cv2

from vision.camera import source_name, still
from vision.errors import KibitzError
from vision.types import Image

_DEVICES = Path("/dev")
_NAMES = Path("/sys/class/video4linux")
_GUESSES = 4
"""Camera numbers that are tried where the system doesn't list its cameras."""
_PATIENCE_S = 12.0
_THUMB_WIDTH = 320
_QUALITY = 80


@dataclass(frozen=True, slots=True)
class Camera:
    """A source that may be chosen. `id` is what a page calls it; `name` is what people call it;
    `guess` says that nobody knows yet whether it is there."""

    id: str
    source: str
    name: str
    guess: bool = False


def cameras(named: Iterator[str]) -> list[Camera]:
    """The sources that the host named, and this machine's devices; each source once."""
    found = {source: Camera("", source, _name(source)) for source in named}
    for number, name, guess in _devices():
        known = found.get(str(number))
        if known is None or not guess:
            found[str(number)] = Camera("", str(number), name, guess and known is None)
    return [Camera(_id(one.source), one.source, one.name, one.guess) for one in found.values()]


def thumbnail(source: str, patience_s: float = _PATIENCE_S) -> bytes:
    """A small JPEG of what a source shows now. Raises KibitzError as `open_source`, and camera_hung
    when it takes longer than `patience_s`."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_take, args=(source, theirs), name="kibitz-thumbnail", daemon=True)
    process.start()
    theirs.close()
    try:
        answer = ours.recv() if ours.poll(patience_s) else None
    except EOFError:
        answer = None
    finally:
        ours.close()
        process.kill()
        process.join()
        process.close()
    if isinstance(answer, bytes):
        return answer
    code, params = answer or ("camera_hung", {"source": source_name(source), "seconds": round(patience_s)})
    raise KibitzError(code, **params)


def _devices() -> Iterator[tuple[int, str, bool]]:
    """Number, name and whether it is a guess of this machine's cameras."""
    if not sys.platform.startswith("linux"):
        for number in range(_GUESSES):
            yield number, str(number), True
        return
    numbers = [int(m[1]) for path in _DEVICES.glob("video*") if (m := re.fullmatch(r"video(\d+)", path.name))]
    for number in sorted(numbers):
        try:
            name = (_NAMES / f"video{number}" / "name").read_text("utf-8", "replace").strip()
        except OSError:
            name = str(number)
        # most webcams have a second device, for metadata, that gives no picture
        yield number, name, True


def _name(source: str) -> str:
    """A file is called by its name alone, an address without its password."""
    return source_name(source) if "://" in source else Path(source).name


def _id(source: str) -> str:
    """A device's number, or else a number made of the source: it tells nothing about it."""
    return source if source.isascii() and source.isdigit() else "x" + hashlib.sha256(source.encode()).hexdigest()[:12]


def _take(source: str, pipe: Connection) -> None:
    """Runs in its own process: sends the JPEG, or (code, params) of what is wrong."""
    cv2.setNumThreads(1)
    try:
        pipe.send(_jpeg(still(source, time.monotonic)))
    except KibitzError as error:
        pipe.send((error.code, dict(error.params)))


def _jpeg(image: Image) -> bytes:
    scale = min(1.0, _THUMB_WIDTH / image.shape[1])
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1].tobytes()
