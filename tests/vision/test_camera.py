"""Sources: real files written here, and a real MJPEG stream that dies and comes back."""

import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.camera import FileSource, LiveSource, Patience, frames, in_real_time, open_source
from vision.errors import KibitzError
from vision.types import Frame

SIZE = (320, 240)


def picture(number: int) -> np.ndarray:
    """A grey picture whose brightness tells its number."""
    return np.full((SIZE[1], SIZE[0], 3), 40 + 4 * number, np.uint8)


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    path = tmp_path / "clip.mp4"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 10, SIZE)
    for number in range(12):
        writer.write(picture(number))
    writer.release()
    return path


class Stream:
    """An MJPEG camera on loopback; `run` and `cut` switch it on and off at the same port."""

    def __init__(self, interval_s: float = 0.02) -> None:
        self.port = 0
        self.sent = 0
        self.size = SIZE
        self.silent = threading.Event()
        self._interval_s = interval_s
        self._server: ThreadingHTTPServer | None = None
        self._on = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/video.mjpg"

    def run(self) -> None:
        self._on = threading.Event()
        self._on.set()
        self._server = ThreadingHTTPServer(("127.0.0.1", self.port), self._handler())
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def cut(self) -> None:
        self._on.clear()
        if self._server:
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        stream, on = self, self._on

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=next")
                self.end_headers()
                while on.is_set():
                    if stream.silent.is_set():
                        time.sleep(0.05)
                        continue
                    image = cv2.resize(picture(stream.sent % 50), stream.size)
                    data = cv2.imencode(".jpg", image)[1].tobytes()
                    head = f"--next\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n"
                    try:
                        self.wfile.write(head.encode() + data + b"\r\n")
                    except OSError:
                        return
                    stream.sent += 1
                    time.sleep(stream._interval_s)

            def log_message(self, format: str, *args: object) -> None:
                pass

        return Handler


@pytest.fixture
def stream() -> Iterator[Stream]:
    camera = Stream()
    camera.run()
    yield camera
    camera.cut()


def code(spec: str | Path, size: tuple[int, int] | None = None) -> tuple[str, dict[str, object]]:
    with pytest.raises(KibitzError) as caught:
        open_source(str(spec), time.monotonic, size)
    return caught.value.code, dict(caught.value.params)


def test_a_file_yields_every_frame_at_its_media_time(clip: Path) -> None:
    source = open_source(str(clip), time.monotonic, SIZE)
    got = list(frames(source))
    source.close()
    assert [f.seq for f in got] == list(range(12))
    assert [f.t for f in got] == pytest.approx([n / 10 for n in range(12)], abs=0.001)
    brightness = [float(f.image.mean()) for f in got]
    assert np.diff(brightness) == pytest.approx([4] * 11, abs=1.5)
    assert source.ended
    assert source.read(0) is None


def test_a_file_of_another_size_than_the_table_is_refused(clip: Path) -> None:
    name, params = code(clip, (1280, 720))
    assert name == "source_size"
    assert params == {"source": str(clip), "found": "320 x 240", "wanted": "1280 x 720"}


def test_a_text_file_is_no_video(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "notes.mp4"
    path.write_text("no pictures in here\n" * 200)
    assert code(path) == ("source_no_video", {"source": str(path)})
    captured = capfd.readouterr()
    assert captured.err + captured.out == "", "OpenCV and FFmpeg keep quiet: the error is one line"


def test_missing_things_have_their_own_errors(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert code(tmp_path / "none.mp4")[0] == "source_missing"
    assert code("97") == ("camera_missing", {"source": 97})
    assert code("99999999999") == ("camera_missing", {"source": 99999999999})
    assert code("ftp://127.0.0.1/a.mp4")[0] == "source_scheme"
    assert code("http://user:secret@127.0.0.1:9/video") == (
        "stream_unreachable",
        {"source": "http://127.0.0.1:9/video"},
    )
    captured = capfd.readouterr()
    assert captured.err + captured.out == ""


def test_a_file_in_real_time_is_never_early(clip: Path) -> None:
    now = [5.0]
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += seconds

    for frame in in_real_time(frames(FileSource(clip)), lambda: now[0], sleep):
        assert now[0] - 5.0 >= frame.t - 1e-9
        if frame.seq == 3:
            now[0] += 0.35  # a slow reader catches up without sleeping
    assert len(slept) == 8
    assert all(0 < s <= 0.1001 for s in slept)


def test_a_stream_gives_only_its_newest_frame(stream: Stream) -> None:
    source = open_source(stream.url, time.monotonic, SIZE)
    seen: list[Frame] = []
    for _ in range(4):
        frame = source.read(3)
        assert frame is not None
        seen.append(frame)
        time.sleep(0.3)
    source.close()
    gaps = [b.seq - a.seq for a, b in pairwise(seen)]
    assert min(gaps[1:]) >= 5, "frames that came while the reader was busy are skipped"
    assert all(b.t - a.t > 0.2 for a, b in pairwise(seen[1:]))


def test_a_camera_that_goes_away_is_reported_and_comes_back(stream: Stream) -> None:
    patience = Patience(silent_s=0.3, hung_s=30, again_s=0.1)
    source = open_source(stream.url, time.monotonic, SIZE, patience)
    before = source.read(3)
    assert before is not None
    stream.cut()
    deadline = time.monotonic() + 15
    while source.lost is None and time.monotonic() < deadline:
        source.read(0.1)
    assert source.lost is not None
    assert source.lost.code in ("camera_lost", "stream_unreachable")
    assert not source.ended
    stream.run()
    after = None
    while after is None and time.monotonic() < deadline:
        after = source.read(0.2)
    source.close()
    assert after is not None
    assert after.seq > before.seq
    assert after.t > before.t
    assert source.lost is None


def test_a_camera_that_comes_back_with_another_size_stays_lost(stream: Stream) -> None:
    source = open_source(stream.url, time.monotonic, SIZE, Patience(0.3, 30, 0.1))
    stream.cut()
    stream.size = (160, 120)
    stream.run()
    deadline = time.monotonic() + 15
    while (source.lost is None or source.lost.code != "source_size") and time.monotonic() < deadline:
        source.read(0.1)
    source.close()
    assert source.lost is not None
    assert source.lost.params["found"] == "160 x 120"


class Flaky:
    """A camera whose driver hands OpenCV a broken picture now and then. (It wraps the capture: classes
    of OpenCV crash when they are derived from.)"""

    def __init__(self, url: str) -> None:
        self._capture = cv2.VideoCapture(url, cv2.CAP_FFMPEG)
        self.isOpened, self.release = self._capture.isOpened, self._capture.release
        self.damaged = 0

    def read(self) -> tuple[bool, np.ndarray]:
        there, image = self._capture.read()
        if there and float(image.mean()) % 3 < 1:
            self.damaged += 1
            raise cv2.error("damaged picture")
        return there, image


def test_damaged_pictures_are_skipped(stream: Stream) -> None:
    camera = Flaky(stream.url)
    source = LiveSource("7", lambda: camera, time.monotonic)
    seen = [source.read(3) for _ in range(12)]
    source.close()
    assert all(f is not None and float(f.image.mean()) % 3 >= 1 for f in seen)
    assert camera.damaged > 2
    assert source.lost is None


def test_a_stream_that_falls_silent_but_stays_connected_is_reported(stream: Stream) -> None:
    source = open_source(stream.url, time.monotonic, SIZE, Patience(silent_s=0.3, hung_s=30, again_s=0.1))
    stream.silent.set()
    deadline = time.monotonic() + 15
    while source.lost is None and time.monotonic() < deadline:
        source.read(0.1)
    assert source.lost is not None
    assert source.lost.code == "camera_lost"
    stream.silent.clear()
    after = None
    while after is None and time.monotonic() < deadline:
        after = source.read(0.2)
    source.close()
    assert after is not None


def test_a_driver_that_never_returns_is_found_out() -> None:
    stuck = threading.Event()

    def open_capture() -> cv2.VideoCapture:
        stuck.wait(20)
        return cv2.VideoCapture()

    with pytest.raises(KibitzError) as caught:
        LiveSource("7", open_capture, time.monotonic, Patience(hung_s=0.5))
    stuck.set()
    assert caught.value.code == "camera_hung"
