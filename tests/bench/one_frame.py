"""One photo through the whole detector, and ultralytics beside it.

    python tests/bench/one_frame.py PHOTO [WEIGHTS.pt]

Prints milliseconds (the median of 15, wall clock and CPU), the start from import to the first answer,
the peak memory and the size of the model files. With the train extra and WEIGHTS.pt, an ultralytics
model, `yolo predict` at 1280 is timed beside it. Each gets a fresh process.
"""

import os
import subprocess
import sys
from pathlib import Path

RUNS = 15
THREADS = 2

DETECT = """
import resource, sys, time
began = time.perf_counter()
import cv2
from vision.deck import load_deck
from vision.detector import OnnxDetector
cv2.setNumThreads(1)
image = cv2.imread(sys.argv[1])
detector = OnnxDetector(load_deck(), {threads})
cards = detector.detect(image)
start = time.perf_counter() - began
wall, cpu, regions = [], [], []
h, w = image.shape[:2]
for _ in range({runs}):
    a, b = time.perf_counter(), time.process_time()
    detector.detect(image)
    wall.append(time.perf_counter() - a), cpu.append(time.process_time() - b)
    a = time.perf_counter()
    detector.detect(image, [(0, 0, w, h)])
    regions.append(time.perf_counter() - a)
mid = lambda times: 1000 * sorted(times)[len(times) // 2]
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(f"{{len(cards):3}} cards  at native size {{mid(regions):6.0f}} ms  sizes unknown {{mid(wall):6.0f}} ms "
      f"({{mid(cpu):.0f}} ms CPU)  start {{start:4.1f}} s  peak {{peak:4.0f}} MB")
"""

PREDICT = """
import resource, sys, time
began = time.perf_counter()
import torch
torch.set_num_threads({threads})
from ultralytics import YOLO
model = YOLO(sys.argv[2])
model.predict(sys.argv[1], imgsz=1280, verbose=False, device="cpu")
start = time.perf_counter() - began
wall, cpu = [], []
for _ in range({runs}):
    a, b = time.perf_counter(), time.process_time()
    model.predict(sys.argv[1], imgsz=1280, verbose=False, device="cpu")
    wall.append(time.perf_counter() - a), cpu.append(time.process_time() - b)
mid = lambda times: 1000 * sorted(times)[len(times) // 2]
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(f"           {{mid(wall):6.0f}} ms ({{mid(cpu):.0f}} ms CPU)  start {{start:4.1f}} s  peak {{peak:4.0f}} MB")
"""


def run(title: str, script: str, arguments: list[str]) -> None:
    print(f"{title:24}", end="", flush=True)
    code = script.format(threads=THREADS, runs=RUNS)
    known = {**os.environ, "OMP_NUM_THREADS": str(THREADS), "YOLO_OFFLINE": "true"}
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, env=known)
    print(done.stdout.strip() or done.stderr.strip().splitlines()[-1])


def main(arguments: list[str]) -> None:
    models = Path(__file__).parents[2] / "models" / "standard"
    size = sum(p.stat().st_size for p in models.glob("*.onnx")) / 1e6
    print(f"models {size:.1f} MB, {THREADS} threads, load {os.getloadavg()[0]:.1f}")
    run("kibitz detect", DETECT, arguments[:1])
    if len(arguments) > 1:
        run("yolo predict at 1280", PREDICT, arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
