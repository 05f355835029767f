"""`kibitz watch`: a source judged to its end, as JSON lines, without a page."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

import cv2

from tracker.calibration import load_table
from tracker.pipeline import TablePipeline
from vision.camera import frames, open_source
from vision.errors import KibitzError
from vision.opening import open_deck
from webui.agreement import agree
from webui.watch import TableWatch, watch_to_jsonl


def run_watch(
    source: str, table: Path | None, game: str | None, options: Sequence[str], deck: Path | None, out: TextIO
) -> None:
    """Write every event of `source` to `out`. Raises KibitzError or RulesError before the first."""
    if table is None:
        raise KibitzError("no_table")
    layout = load_table(table)
    setup = agree(layout, game, options, None)
    rules = setup.rules()
    cv2.setNumThreads(1)
    opened = open_source(source, time.monotonic, layout.size)
    try:
        pipeline = TablePipeline(layout, open_deck(deck, rules.decks)[1], rules.decks)
        watch_to_jsonl(frames(opened), TableWatch(pipeline, shows=rules.family == "draw"), setup, out)
    finally:
        opened.close()
