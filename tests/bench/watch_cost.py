"""CPU of watching a clip against running the same locator on every frame, both in one run.

    python tests/bench/watch_cost.py [CLIP TABLE]

Without arguments: the demo clip. Both figures include decoding; the locator's is measured on evenly
spaced frames (at least 60) and scaled to all of them.
"""

import io
import json
import sys
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
    out = io.StringIO()
    started = time.process_time()
    watch_to_jsonl(frames(open_source(str(clip), time.monotonic)), watch, setup, out)
    watching = time.process_time() - started
    stats = json.loads(out.getvalue().splitlines()[-1])
    count, minutes = stats["frames"], stats["media_s"] / 60

    network = Network(deck.locate_path, 1)
    sampled, locating = 0, 0.0
    started = time.process_time()
    for frame in frames(open_source(str(clip), time.monotonic)):
        if frame.seq % max(1, count // SAMPLES) == 0:
            begun = time.process_time()
            locate(network, frame.image, 1.0, deck.about.locate.least_score)
            locating += time.process_time() - begun
            sampled += 1
    decoding = time.process_time() - started - locating
    each = locating / sampled
    every = decoding + each * count
    print(f"{clip.name}: {count} frames, {stats['media_s']:.1f} s")
    print(f"locator measured on {sampled} evenly spaced frames and scaled to all: {1000 * each:.0f} ms each")
    print(f"decoding, in both      {decoding / minutes:8.1f} CPU s a minute")
    print(f"watch                  {watching / minutes:8.1f} CPU s a minute ({pipeline.inferences} looks)")
    print(f"locator on every frame {every / minutes:8.1f} CPU s a minute")
    print(f"ratio                  {every / watching:8.1f}")


if __name__ == "__main__":
    if len(sys.argv) == 3:
        main(Path(sys.argv[1]), Path(sys.argv[2]))
    else:
        main(DEMO / "demo.mp4", DEMO / "demo.table.json")
