"""What keeping pictures costs the camera: the watching process over the demo clip, with and without.

    python tests/bench/pictures_cost.py

Prints for each: frames and frames a second, CPU seconds, how many looks made events, and the mean
and longest time that their pictures took; first, how long one picture takes.
"""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2

from tracker.calibration import load_table
from vision.types import Frame
from webui.eye import EyeJob, _Eye
from webui.pictures import Look
from webui.playview import PlayView

DEMO = Path(__file__).parents[2] / "webui" / "demo"
CLIP, TABLE = DEMO / "demo.mp4", DEMO / "demo.table.json"
ROUNDS = 50


class Pipe:
    """Takes what the process says, and when."""

    def __init__(self) -> None:
        self.said: list[tuple[float, str, Any]] = []
        self.open = True

    def send(self, message: tuple[str, Any]) -> None:
        self.said.append((time.perf_counter(), *message))

    def recv(self) -> object:
        while self.open:
            time.sleep(0.2)
        time.sleep(3600)
        raise EOFError


def one_picture_ms() -> float:
    clip = cv2.VideoCapture(str(CLIP))
    frame, view = clip.read()[1], PlayView(load_table(TABLE))
    clip.release()
    start = time.perf_counter()
    for _ in range(ROUNDS):
        view.jpeg(frame)
    return (time.perf_counter() - start) / ROUNDS * 1000


class TimedEye(_Eye):
    """Counts the frames, and times what it does for each event's pictures."""

    def __init__(self, job: EyeJob, pipe: Any) -> None:
        super().__init__(job, pipe)
        self.count = 0
        self.looks_ms: list[float] = []

    def _frames(self) -> Iterator[Frame]:
        for frame in super()._frames():
            self.count += 1
            yield frame

    def _look(self, *arguments: Any) -> None:
        start = time.perf_counter()
        super()._look(*arguments)
        self.looks_ms.append((time.perf_counter() - start) * 1000)


def run(keep: bool) -> dict[str, float]:
    pipe: Any = Pipe()
    eye = TimedEye(EyeJob(str(CLIP), TABLE, None, 1, shows=False, keep=keep), pipe)
    cpu, start = time.process_time(), time.perf_counter()
    eye.run()
    looks = [message for _, kind, message in pipe.said if kind == "look"]
    assert all(isinstance(one, Look) for one in looks)
    return {
        "frames": eye.count,
        "frames_per_s": round(eye.count / (time.perf_counter() - start), 2),
        "cpu_s": round(time.process_time() - cpu, 2),
        "looks": len(looks),
        "look_ms_mean": round(sum(eye.looks_ms) / max(1, len(eye.looks_ms)), 1),
        "look_ms_most": round(max(eye.looks_ms, default=0.0), 1),
    }


def main() -> None:
    print(f"one picture: {one_picture_ms():.1f} ms")
    for keep in (False, True, False, True):
        print("kept" if keep else "none", run(keep))


if __name__ == "__main__":
    main()
