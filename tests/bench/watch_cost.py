"""CPU of watching a clip against running the same locator on every frame, both in one run.

    python tests/bench/watch_cost.py [CLIP TABLE]

Without arguments: the demo clip. Both figures include decoding; the locator's is measured on evenly
spaced frames (at least 60) and scaled to all of them.
"""

import sys
import tempfile
import time
from pathlib import Path

from referee.session import MatchSetup
from tracker.calibration import load_table
from tracker.pipeline import TablePipeline
from vision.camera import frames, open_source
from vision.deck import load_deck
from vision.detector import OnnxDetector
from vision.locate import locate
from vision.session import Network
from webui.watch import TableWatch, watch_to_jsonl

DEMO = Path(__file__).parents[2] / "webui" / "demo"
SAMPLES = 80


def main(clip: Path, table_file: Path) -> None:
    table, deck = load_table(table_file), load_deck()
    setup = MatchSetup(
        ruleset=table.game or "upstream", names=tuple(s.name for s in table.seats), options=table.options or {},
        first_leader=table.first_leader, dealer=table.dealer, direction=table.direction,
    )  # fmt: skip
    pipeline = TablePipeline(table, OnnxDetector(deck, threads=1))
    watch = TableWatch(pipeline, shows=table.game == "drawpoker")
    started = time.process_time()
    count, last = 0, 0.0
    with tempfile.TemporaryFile("w+") as out:
        source = open_source(str(clip), time.monotonic)
        watch_to_jsonl(frames(source), watch, setup, out)
    watching = time.process_time() - started

    network = Network(deck.locate_path, 1)
    started = time.process_time()
    kept = []
    for frame in frames(open_source(str(clip), time.monotonic)):
        count, last = count + 1, frame.t
        if count % 8 == 1 and len(kept) < SAMPLES:
            kept.append(frame.image)
    decoding = time.process_time() - started
    started = time.process_time()
    for image in kept:
        locate(network, image, 1.0, 0.25)
    each = (time.process_time() - started) / len(kept)
    every = decoding + each * count
    minutes = last / 60
    print(f"{clip.name}: {count} frames, {last:.1f} s; locator on {len(kept)} of them, {1000 * each:.0f} ms each")
    print(f"watch                  {watching / minutes:8.1f} CPU s a minute ({pipeline.inferences} looks)")
    print(f"locator on every frame {every / minutes:8.1f} CPU s a minute")
    print(f"ratio                  {every / watching:8.1f}")


if __name__ == "__main__":
    if len(sys.argv) == 3:
        main(Path(sys.argv[1]), Path(sys.argv[2]))
    else:
        main(DEMO / "demo.mp4", DEMO / "demo.table.json")
