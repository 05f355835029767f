"""`kibitz detect`: one line a photo, every failure told without stopping the others."""

import io
import json
import os
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.errors import KibitzError
from webui.catalogs import Catalog, catalog
from webui.detect_cli import run_detect

PHOTOS = Path(__file__).parents[1] / "vision" / "data"
ACES = PHOTOS / "edje_cam_image8.jpg"
EMPTY = PHOTOS / "empty_img_20230907_111515.jpg"


def detect(*paths: Path, words: Catalog | None = None) -> tuple[list[str], list[KibitzError], int]:
    out, errors = io.StringIO(), []
    failed = run_detect(paths, out, errors.append, words)
    return out.getvalue().splitlines(), errors, failed


def test_json_lines_keep_the_contract() -> None:
    lines, errors, failed = detect(ACES, EMPTY)
    assert (errors, failed) == ([], 0)
    aces, empty = map(json.loads, lines)
    assert aces["image"] == str(ACES)
    assert (aces["width"], aces["height"]) == (960, 540)
    assert {c["card"] for c in aces["cards"]} == {"Ac", "Ad", "Ah", "As"}
    for card in aces["cards"]:
        assert set(card) == {"card", "score", "face", "visible", "quad", "boxes"}
        assert 0.6 <= card["score"] <= 1
        assert card["face"] == "up"
        assert 0 < card["visible"] <= 1
        assert [len(p) for p in card["quad"]] == [2] * 4
        assert all(len(b) == 4 for b in card["boxes"])
    assert empty["cards"] == []


def test_plain_text_for_people() -> None:
    lines, _, _ = detect(ACES, EMPTY, words=catalog("en"))
    assert lines[0].startswith(f"{ACES}: A")
    assert lines[0].count("%") == 4
    assert lines[1] == f"{EMPTY}: no cards"


def test_a_folder_means_its_photos_in_order(tmp_path: Path) -> None:
    for name in ("b.JPG", "a.jpg"):
        shutil.copy(EMPTY, tmp_path / name)
    (tmp_path / "notes.txt").write_text("not a photo")
    lines, _, _ = detect(tmp_path)
    assert [Path(json.loads(line)["image"]).name for line in lines] == ["a.jpg", "b.JPG"]


def test_one_bad_photo_does_not_stop_the_others(tmp_path: Path) -> None:
    bad = tmp_path / "bad.jpg"
    bad.write_text("no photo")
    lines, errors, failed = detect(bad, EMPTY)
    assert failed == 1
    assert [e.code for e in errors] == ["photo_not_readable"]
    assert len(lines) == 1


def test_damaged_photos_say_nothing_beside_our_own_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    noise = np.random.default_rng(3).integers(0, 255, (80, 80, 3)).astype(np.uint8)
    data = cv2.imencode(".png", noise)[1].tobytes()
    (tmp_path / "cut.png").write_bytes(data[: len(data) // 2])
    data = ACES.read_bytes()
    half = len(data) // 2
    (tmp_path / "spoiled.jpg").write_bytes(data[:half] + data[half:-2].replace(b"\xff\x00", b"\xff\xd9") + data[-2:])
    lines, errors, failed = detect(tmp_path / "cut.png", tmp_path / "spoiled.jpg")
    captured = capfd.readouterr()
    assert (captured.out, captured.err) == ("", "")
    assert failed == len(errors)
    assert len(lines) + failed == 2
    os.write(2, b"open again")
    assert capfd.readouterr().err == "open again"


def test_wrong_paths_are_refused_before_any_work(tmp_path: Path) -> None:
    for path, code in ((tmp_path / "none.jpg", "photo_missing"), (tmp_path, "no_photos")):
        with pytest.raises(KibitzError) as caught:
            detect(EMPTY, path)
        assert caught.value.code == code


ERRORS = """
source_scheme source_missing source_no_video source_size camera_missing camera_lost camera_hung stream_unreachable
photo_missing photo_not_readable photo_too_large no_photos deck_missing deck_corrupt model_missing model_too_large
model_hash_wrong model_path_outside model_unusable model_external_data
"""


@pytest.mark.parametrize("language", ["en", "zh-Hans", "zh-Hant"])
def test_every_error_of_the_eyes_has_its_sentence(language: str) -> None:
    words = catalog(language)
    assert [code for code in ERRORS.split() if not words.has(f"error.{code}")] == []
