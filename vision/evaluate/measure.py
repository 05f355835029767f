"""Run a detector over labelled photos and judge it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import cv2

from vision.detector import Detector
from vision.evaluate.figures import Figures, summarise
from vision.evaluate.judge import Failure, Judgement, judge
from vision.evaluate.labels import LabelledPhoto
from vision.photo import read_photo
from vision.types import Image

_PICTURE = 220
"""A failure's picture is at most so many pixels wide and high."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A failure with its picture: a JPEG of its region on the photo."""

    failure: Failure
    jpeg: bytes


@dataclass(frozen=True, slots=True)
class Measured:
    """The figures, and every failure with its picture."""

    figures: Figures
    failures: list[Shown]


def measure(
    detector: Detector, photos: Iterable[LabelledPhoto], least: float, done: Callable[[], None] = lambda: None
) -> Measured:
    """Read every photo and judge the readings; names that score below `least` count as not reported.

    `done` is called after each photo. Raises KibitzError as `read_photo`.
    """
    judged: list[Judgement] = []
    failures: list[Shown] = []
    for photo in photos:
        image = read_photo(photo.image)
        one = judge(photo, image, detector.detect(image), least)
        judged.append(one)
        failures += [Shown(failure, _picture(image, failure.region)) for failure in one.failures]
        done()
    return Measured(summarise(judged), failures)


def _picture(image: Image, region: tuple[int, int, int, int]) -> bytes:
    x0, y0, x1, y1 = region
    part = image[y0:y1, x0:x1]
    scale = min(_PICTURE / max(part.shape[:2]), 3.0)
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    size = max(1, round(part.shape[1] * scale)), max(1, round(part.shape[0] * scale))
    jpeg = cv2.imencode(".jpg", cv2.resize(part, size, interpolation=way), [cv2.IMWRITE_JPEG_QUALITY, 80])[1]
    return jpeg.tobytes()
