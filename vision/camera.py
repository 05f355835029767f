"""Where pictures come from: a webcam, a video file, an MJPEG or RTSP stream.

A file gives every frame with its media time. A live source gives its newest frame only, so that a
slow reader falls behind in frames but never in time; when its camera goes away it is opened again
until it comes back. A driver that hangs can't be interrupted from inside the process: then `read`
raises and whoever supervises the process starts it anew.
"""

import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from vision.errors import KibitzError
from vision.types import Frame, Image

# FFmpeg would write its complaints about a bad file beside our own line.
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)

SCHEMES: tuple[str, ...] = ("http", "https", "rtsp", "rtsps")
_OPEN_MS = 8000
_READ_MS = 5000
_DEFAULT_SIZE = (1280, 720)
_PASSED = 10

Clock = Callable[[], float]


class Source(Protocol):
    """Gives frames, one at a time."""

    live: bool
    size: tuple[int, int]
    """Width and height in pixels."""

    @property
    def ended(self) -> bool:
        """No frame will come any more."""
        ...

    @property
    def lost(self) -> KibitzError | None:
        """Why a live source gives no frames at the moment."""
        ...

    def read(self, wait_s: float) -> Frame | None:
        """The next frame, or None when none came in `wait_s` or the source ended."""
        ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds that a live source may be silent before it is opened again (`silent_s`) and before
    it counts as hung (`hung_s`), and between attempts to open it (`again_s`)."""

    silent_s: float = 3.0
    hung_s: float = 20.0
    again_s: float = 1.0


def open_source(spec: str, clock: Clock, size: tuple[int, int] | None = None,
                patience: Patience | None = None) -> Source:  # fmt: skip
    """Open what `--source` names: a camera number, a file or a URL.

    `size` (width, height) is asked of a webcam and demanded of every source; `clock` gives monotonic
    seconds. Raises KibitzError: source_scheme, source_missing, source_no_video, camera_missing,
    camera_hung, stream_unreachable, source_size.
    """
    source: Source
    name = source_name(spec)
    if "://" in spec:
        if spec.split("://")[0].lower() not in SCHEMES:
            raise KibitzError("source_scheme", source=name, known=", ".join(SCHEMES))
        source = LiveSource(name, lambda: _open_stream(spec), clock, patience)
    elif spec.isascii() and spec.isdigit():
        source = LiveSource(name, lambda: _open_camera(int(spec), size or _DEFAULT_SIZE), clock, patience)
    elif not Path(spec).is_file():
        raise KibitzError("source_missing", source=spec)
    else:
        source = FileSource(Path(spec))
    if size is not None and source.size != size:
        source.close()
        raise _wrong_size(name, source.size, size)
    return source


def still(spec: str, clock: Clock, size: tuple[int, int] | None = None) -> Image:
    """One picture of a source, a little after it was opened: a webcam's first ones are dark and soft.

    Raises KibitzError as `open_source`, and camera_lost when none comes.
    """
    opened = open_source(spec, clock, size)
    try:
        image: Image | None = None
        for _ in range(_PASSED):
            frame = opened.read(2.0)
            image = image if frame is None else frame.image
        if image is None:
            raise KibitzError("camera_lost", source=source_name(spec))
        return image
    finally:
        opened.close()


def frames(source: Source, wait_s: float = 1.0) -> Iterator[Frame]:
    """All frames until the source ends."""
    while not source.ended:
        frame = source.read(wait_s)
        if frame is not None:
            yield frame


def in_real_time(source: Iterator[Frame], clock: Clock, sleep: Callable[[float], object]) -> Iterator[Frame]:
    """Hand on a file's frames no sooner than their media time has passed."""
    started: float | None = None
    for frame in source:
        started = clock() - frame.t if started is None else started
        ahead = frame.t - (clock() - started)
        if ahead > 0:
            sleep(ahead)
        yield frame


class FileSource:
    """Every frame of a video file, at its media time."""

    live = False
    lost = None

    def __init__(self, path: Path) -> None:
        # The backend is named: others take a file's name for a pattern or a device.
        self._capture = cv2.VideoCapture(str(path.resolve()), cv2.CAP_FFMPEG)
        self._ahead = self._grab() if self._capture.isOpened() else None
        if self._ahead is None:
            self._capture.release()
            raise KibitzError("source_no_video", source=str(path))
        self.size = (self._ahead.shape[1], self._ahead.shape[0])
        rate = self._capture.get(cv2.CAP_PROP_FPS)
        self._rate = rate if 1 <= rate <= 1000 else 30.0
        self._seq = 0
        self._t = -1.0

    @property
    def ended(self) -> bool:
        return self._ahead is None

    def read(self, wait_s: float) -> Frame | None:
        image = self._ahead
        if image is None:
            return None
        # Phones record at a varying rate, so the stamp counts; some files carry none.
        stamp = self._stamp
        self._t = stamp if stamp > self._t else self._t + 1 / self._rate if self._seq else 0.0
        frame = Frame(self._seq, self._t, image)
        self._seq += 1
        self._ahead = self._grab()
        return frame

    def close(self) -> None:
        self._ahead = None
        self._capture.release()

    def _grab(self) -> Image | None:
        there, image = self._capture.read()
        self._stamp = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
        return np.asarray(image, np.uint8) if there else None


class LiveSource:
    """The newest frame of a camera or stream, read by a thread of its own.

    `open_capture` returns an opened capture or raises KibitzError. The constructor waits for the
    first frame. Times are the clock's, from 0 at the first frame.
    """

    live = True
    ended = False

    def __init__(self, name: str, open_capture: Callable[[], cv2.VideoCapture], clock: Clock,
                 patience: Patience | None = None) -> None:  # fmt: skip
        self._name = name
        self._open = open_capture
        self._clock = clock
        self._patience = patience or Patience()
        self._news = threading.Condition()
        self._newest: Frame | None = None
        self._started: float | None = None
        self._seq = 0
        self._expected: tuple[int, int] | None = None
        self._sign_of_life = clock()
        self._closing = threading.Event()
        self.lost: KibitzError | None = None
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)
        self._thread.start()
        first = self._first()
        self.size = self._expected = (first.shape[1], first.shape[0])

    def read(self, wait_s: float) -> Frame | None:
        """See `Source`. Raises KibitzError camera_hung when the driver doesn't return."""
        with self._news:
            self._news.wait_for(lambda: self._newest is not None, wait_s)
            frame, self._newest = self._newest, None
            if frame is None:
                self._check_pulse()
            return frame

    def close(self) -> None:
        self._closing.set()
        self._thread.join(self._patience.again_s + 1)

    def _first(self) -> Image:
        while True:
            with self._news:
                self._news.wait_for(lambda: self._newest is not None or self.lost is not None, 1.0)
                if self._newest is not None:
                    return self._newest.image
                if self.lost is not None:
                    self._closing.set()
                    raise self.lost
                self._check_pulse()

    def _check_pulse(self) -> None:
        silence = self._clock() - self._sign_of_life
        if silence > self._patience.hung_s:
            self._closing.set()
            raise KibitzError("camera_hung", source=self._name, seconds=round(silence))

    def _run(self) -> None:
        while not self._closing.is_set():
            self._sign_of_life = self._clock()
            try:
                capture = self._open()
            except KibitzError as error:
                self._lose(error)
            else:
                self._follow(capture)
                capture.release()
            self._closing.wait(self._patience.again_s)

    def _follow(self, capture: cv2.VideoCapture) -> None:
        """Read until the camera is silent for too long."""
        heard = self._clock()
        while not self._closing.is_set():
            image = _next_image(capture)
            self._sign_of_life = now = self._clock()
            if image is not None:
                heard, found = now, (image.shape[1], image.shape[0])
                if self._expected is not None and found != self._expected:
                    return self._lose(_wrong_size(self._name, found, self._expected))
                self._publish(image, now)
            elif now - heard > self._patience.silent_s or not capture.isOpened():
                return self._lose(KibitzError("camera_lost", source=self._name))
            else:
                self._closing.wait(0.05)
        return None

    def _publish(self, image: Image, now: float) -> None:
        with self._news:
            self._started = now if self._started is None else self._started
            self._newest = Frame(self._seq, now - self._started, image)
            self._seq += 1
            self.lost = None
            self._news.notify_all()

    def _lose(self, why: KibitzError) -> None:
        with self._news:
            self.lost = why
            self._news.notify_all()


def _open_camera(number: int, size: tuple[int, int]) -> cv2.VideoCapture:
    try:
        capture = cv2.VideoCapture(number)
    except cv2.error as error:  # no number that a driver could have
        raise KibitzError("camera_missing", source=number) from error
    if not capture.isOpened():
        raise KibitzError("camera_missing", source=number)
    # Uncompressed 720p doesn't fit through USB 2 at a useful rate.
    capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    return capture


def _next_image(capture: cv2.VideoCapture) -> Image | None:
    """None when none came, or when it came damaged: OpenCV raises for some of those."""
    try:
        there, image = capture.read()
    except cv2.error:
        return None
    return np.asarray(image, np.uint8) if there else None


def _wrong_size(name: str, found: tuple[int, int], wanted: tuple[int, int]) -> KibitzError:
    sizes = {"found": f"{found[0]} x {found[1]}", "wanted": f"{wanted[0]} x {wanted[1]}"}
    return KibitzError("source_size", source=name, **sizes)


def _open_stream(url: str) -> cv2.VideoCapture:
    settings = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, _OPEN_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, _READ_MS]
    # Every further decoder thread holds one more frame back.
    settings += [cv2.CAP_PROP_N_THREADS, 1]
    capture = cv2.VideoCapture(url, cv2.CAP_FFMPEG, settings)
    if not capture.isOpened():
        raise KibitzError("stream_unreachable", source=source_name(url))
    return capture


def source_name(spec: str) -> str:
    """A source as it may be shown: an address without its user and password."""
    scheme, mark, rest = spec.partition("://")
    if not mark:
        return spec
    host, slash, path = rest.partition("/")
    return f"{scheme}://{host.rpartition('@')[2]}{slash}{path}"
