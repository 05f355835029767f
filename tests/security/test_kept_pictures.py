"""SECURITY.md lines 13 and 16 for the pictures that are kept beside the journal: a real run on a film."""

import json
import os
import sqlite3
from pathlib import Path

import cv2
import numpy as np
import pytest
from running import CLIP, TABLE, TABLE_NAME, Follower, Running

from tracker.calibration import load_table
from vision.types import Image

SECONDS = 9.0
MAGENTA = (255, 0, 255)


@pytest.fixture(scope="module")
def table_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo's table with the corners of its play area cut off: hands reach into the rectangle
    around it."""
    document = json.loads(TABLE.read_text())
    corners = np.array(document["play_area_px"], float)
    cut = [corner + 0.18 * (corners[(i + step) % 4] - corner) for i, corner in enumerate(corners) for step in (-1, 1)]
    document["play_area_px"] = [[round(x, 1), round(y, 1)] for x, y in cut]
    path = tmp_path_factory.mktemp("table") / "cut.json"
    path.write_text(json.dumps(document))
    return path


@pytest.fixture(scope="module")
def marked_film(tmp_path_factory: pytest.TempPathFactory, table_file: Path) -> Path:
    """The beginning of the demo clip with a marker painted into the zone of every hand: all around
    the play area, a little away from its edge."""
    table = load_table(table_file)
    inside = np.zeros((table.size[1], table.size[0]), np.uint8)
    for polygon in (table.play_area, table.discard_area):
        if polygon is not None:
            cv2.fillPoly(inside, [np.round(polygon).astype(np.int32)], (255,))
    beyond = cv2.dilate(inside, np.ones((9, 9), np.uint8)) == 0
    path = tmp_path_factory.mktemp("film") / "marked.avi"
    source = cv2.VideoCapture(str(CLIP))
    rate = source.get(cv2.CAP_PROP_FPS)
    film = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"MJPG"), rate, table.size)
    film.set(cv2.VIDEOWRITER_PROP_QUALITY, 95)
    for _ in range(round(SECONDS * rate)):
        there, picture = source.read()
        assert there
        picture[beyond] = MAGENTA
        film.write(picture)
    film.release()
    source.release()
    return path


def on(film: Path, table: Path = TABLE) -> tuple[object, ...]:
    return "--source", film, "--table", table


def pictures(home: Path) -> list[Path]:
    return sorted(home.rglob("*.pictures/*.jpg"))


def marked(picture: Image) -> float:
    """The share of a picture that looks like the marker."""
    blue, green, red = (picture[..., channel].astype(int) for channel in range(3))
    return float(((blue > 150) & (red > 150) & (green < 90)).mean())


def test_13_a_marker_in_the_hand_zones_is_in_no_kept_picture(
    tmp_path: Path, marked_film: Path, table_file: Path
) -> None:
    running = Running(tmp_path / "home", on=on(marked_film, table_file))
    state = Follower(running.host(table_file.stem)).until(lambda state: state["camera"]["status"] == "ended")
    assert running.end() == (0, "")
    played = [entry["id"] for entry in state["entries"] if entry["kind"] == "play"]
    assert played
    kept = pictures(tmp_path / "home")
    assert len(kept) >= 2
    source = cv2.VideoCapture(str(marked_film))
    assert marked(np.asarray(source.read()[1], np.uint8)) > 0.2  # the film shows it
    source.release()
    for path in kept:
        jpeg = path.read_bytes()
        picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
        assert marked(np.asarray(picture, np.uint8)) == 0.0
        assert b"Exif" not in jpeg
    index = next((tmp_path / "home").rglob("index.jsonl")).read_text().splitlines()
    told = {(line["event"], line["when"]) for line in map(json.loads, index)}
    assert {(event, when) for event in played for when in ("before", "after")} <= told


def test_13_no_pictures_means_none(tmp_path: Path, marked_film: Path) -> None:
    running = Running(tmp_path / "home", "--no-pictures", on=on(marked_film))
    host = running.host()
    Follower(host).until(lambda state: bool(state["entries"]))
    status, _, content = host.get(f"/t/{TABLE_NAME}/api/pictures")
    assert (status, json.loads(content)["kept"]) == (200, False)
    assert running.end() == (0, "")
    assert pictures(tmp_path / "home") == []
    assert not list((tmp_path / "home").rglob("*.pictures"))


def test_16_play_goes_on_where_no_picture_can_be_kept(tmp_path: Path, marked_film: Path) -> None:
    home = tmp_path / "home"
    journal = home / "match.sqlite"
    home.mkdir()
    (home / "match.sqlite.pictures").write_text("in the way")
    running = Running(home, "--journal", str(journal), on=on(marked_film))
    host = running.host()
    Follower(host).until(lambda state: len(state["entries"]) >= 2)
    told = json.loads(host.get(f"/t/{TABLE_NAME}/api/pictures")[2])
    assert (told["kept"], told["problem"]) == (True, "folder_unwritable")
    assert running.end() == (0, "")
    with sqlite3.connect(journal) as db:
        assert db.execute("SELECT count(*) FROM record").fetchone()[0] >= 3
    assert os.path.isfile(home / "match.sqlite.pictures")
