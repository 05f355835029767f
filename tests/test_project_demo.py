"""The clip that `kibitz demo` plays: it can be decoded, fits its table file, and tells the whole story."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision.synth.demo_clip import STORY

ROOT = Path(__file__).resolve().parents[1]
DEMO = ROOT / "webui" / "demo"
needs_model = pytest.mark.skipif(
    not (ROOT / "models" / "standard" / "deck.toml").exists(), reason="models/standard is not in this checkout"
)


def load(name: str) -> Any:
    return json.loads((DEMO / name).read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def frames() -> list[np.ndarray[Any, Any]]:
    """Every frame of the clip, reduced to (180, 320, 3) for speed."""
    capture = cv2.VideoCapture(str(DEMO / "demo.mp4"))
    assert capture.isOpened()
    assert (capture.get(cv2.CAP_PROP_FRAME_WIDTH), capture.get(cv2.CAP_PROP_FRAME_HEIGHT)) == (1280, 720)
    out = []
    while True:
        more, frame = capture.read()
        if not more:
            return out
        out.append(cv2.resize(frame, (320, 180), interpolation=cv2.INTER_AREA))


def test_it_is_small_enough_to_ship() -> None:
    assert (DEMO / "demo.mp4").stat().st_size < 4_000_000


def test_every_frame_decodes(frames: list[np.ndarray[Any, Any]]) -> None:
    truth = load("demo.truth.json")
    assert 25 <= truth["duration"] <= 45
    assert len(frames) == round(truth["duration"] * truth["fps"])


def test_its_table_file_fits_the_picture() -> None:
    table = load("demo.table.json")
    assert table["size"] == [1280, 720]
    assert [seat["index"] for seat in table["seats"]] == [0, 1, 2, 3]
    area = np.array(table["play_area_px"], np.float32)
    corners = np.array(table["table_px"], np.float32)
    assert all(cv2.pointPolygonTest(corners, (float(x), float(y)), False) > 0 for x, y in area)
    for snapshot in load("demo.truth.json")["snapshots"]:
        for card in snapshot["cards"]:
            x, y = np.mean(card["quad_px"], axis=0)
            assert cv2.pointPolygonTest(area, (float(x), float(y)), False) > 0


def test_its_truth_is_the_story() -> None:
    events = load("demo.truth.json")["events"]
    told = [(visit.seat, visit.action, visit.cards, visit.legal) for visit in STORY if visit.action == "play"]
    assert [(e["seat"], e["action"], tuple(e["cards"]), e["legal"]) for e in events if e["action"] == "play"] == told


def test_pictures_change_when_the_truth_says_so_and_rest_between(frames: list[np.ndarray[Any, Any]]) -> None:
    """Between a hand's leaving and the next one's coming nothing but noise moves."""
    truth = load("demo.truth.json")
    fps = truth["fps"]

    def difference(a: float, b: float) -> float:
        one, other = (frames[min(len(frames) - 1, round(t * fps))].astype(int) for t in (a, b))
        return float((np.abs(one - other).max(2) > 24).mean())

    for event in truth["events"]:
        if event["action"] == "pass":
            continue
        assert difference(event["t_clear"] + 0.15, event["t_clear"] + 0.9) < 0.0005, event
        assert difference(event["t_settled"] - 0.6, event["t_clear"] + 0.3) > 0.004, event


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """What `kibitz watch` says about the clip, without lines that it took back itself."""
    out = tmp_path_factory.mktemp("demo") / "events.jsonl"
    line = ["watch", str(DEMO / "demo.mp4"), "--table", str(DEMO / "demo.table.json"), "--game", "upstream"]
    program = "import sys; from webui.cli import main; main(sys.argv[1:])"
    command = [sys.executable, "-c", program, *line, "--jsonl", str(out)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    events = [json.loads(text) for text in out.read_text(encoding="utf-8").splitlines()]
    withdrawn = {event["of"] for event in events if event["event"] == "retract"}
    return [event for event in events if event.get("id") not in withdrawn and event["event"] != "retract"]


@needs_model
def test_the_chain_reads_every_play_and_judges_it_right(told: list[dict[str, Any]]) -> None:
    def summary(kind: str, event: dict[str, Any], verdict: str) -> tuple[Any, ...]:
        return event["seat"], event[kind], sorted(event["cards"]), verdict, event.get("codes", [])

    wanted = [
        summary("action", event, "ok" if event["legal"] else "violation")
        for event in load("demo.truth.json")["events"]
        if event["action"] == "play"
    ]
    assert [summary("event", event, event["verdict"]) for event in told if event["event"] == "play"] == wanted


@needs_model
@pytest.mark.parametrize("kind", ["pass", "take_back", "sweep"])
def test_the_chain_finds_what_is_no_play(told: list[dict[str, Any]], kind: str) -> None:
    truth = [(e["seat"], sorted(e["cards"])) for e in load("demo.truth.json")["events"] if e["action"] == kind]
    assert [(e["seat"], sorted(e["cards"])) for e in told if e["event"] == kind] == truth


@needs_model
def test_the_chain_accuses_nobody_but_the_one_who_played_wrong(told: list[dict[str, Any]]) -> None:
    assert [(e["seat"], e["codes"]) for e in told if e.get("verdict") == "violation"] == [(3, ["not_higher"])]
