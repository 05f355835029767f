"""SECURITY.md lines 9, 12, 13, 15, 16: pictures, offline, hands, binding, nothing lost."""

import os
import socket
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from running import CLIP, KIBITZ, ROOT, TABLE, Follower, Running
from serving import GAME, TableServer

from tracker.calibration import load_table
from webui.playview import PlayView
from webui.security import lan_addresses

_OFFLINE = """
import sys
def refuse(event, arguments):
    if event in ("socket.connect", "socket.sendto", "socket.getaddrinfo"):
        target = str(arguments[0] if event == "socket.getaddrinfo" else arguments[1])
        if not any(own in target for own in ("127.0.0.1", "localhost", "::1", "0.0.0.0")):
            print("went out:", event, target, file=sys.stderr)
            raise OSError("offline")
sys.addaudithook(refuse)
"""


def test_9_the_pixel_cap_is_set_before_cv2_is_imported() -> None:
    script = (
        "import os, sys, webui.cli\n"
        "assert 'cv2' not in sys.modules\n"
        "assert int(os.environ['OPENCV_IO_MAX_IMAGE_PIXELS']) <= 50_000_000"
    )
    clean = {name: value for name, value in os.environ.items() if not name.startswith("OPENCV")}
    subprocess.run([sys.executable, "-c", script], check=True, cwd=ROOT, env=clean)


def test_12_start_and_play_work_with_the_network_blocked(tmp_path: Path) -> None:
    (tmp_path / "offline").mkdir()
    (tmp_path / "offline" / "sitecustomize.py").write_text(_OFFLINE)
    running = Running(tmp_path / "home", python_path=tmp_path / "offline")
    Follower(running.host()).until(lambda state: bool(state["entries"]))
    assert running.end() == (0, "")


def test_13_a_marker_outside_the_play_area_appears_in_no_picture() -> None:
    turns = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    ellipse = np.stack([640 + 300 * np.cos(turns), 360 + 250 * np.sin(turns)], 1).astype(np.float32)
    table = replace(load_table(TABLE), play_area=ellipse)
    width, height = table.size
    inside = np.zeros((height, width), np.uint8)
    cv2.fillPoly(inside, [np.round(table.play_area).astype(np.int32)], (255,))
    image = np.zeros((height, width, 3), np.uint8)
    image[cv2.erode(inside, np.ones((9, 9), np.uint8)) > 0] = (40, 160, 40)
    image[inside == 0] = (255, 0, 255)
    jpeg = PlayView(table).jpeg(image)
    seen = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR).astype(int)
    magenta = (seen[..., 0] > 120) & (seen[..., 2] > 120) & (seen[..., 1] < 90)
    assert not magenta.any()
    assert (seen[..., 1] > 120).mean() > 0.5
    assert b"Exif" not in jpeg


def test_13_the_discard_area_is_shown_as_well() -> None:
    table = load_table(TABLE)
    corner = np.array([[5, 5], [105, 5], [105, 105], [5, 105]], np.float32)
    image = np.full((table.size[1], table.size[0], 3), 200, np.uint8)
    with_discards = PlayView(replace(table, discard_area=corner))
    (left, top), (right, bottom) = np.array(with_discards.place(corner))[[0, 2]]
    assert 0 <= left < right <= 1
    assert 0 <= top < bottom <= 1
    seen = cv2.imdecode(np.frombuffer(with_discards.jpeg(image), np.uint8), cv2.IMREAD_GRAYSCALE)
    x, y = int((left + right) / 2 * seen.shape[1]), int((top + bottom) / 2 * seen.shape[0])
    assert seen[y, x] > 180


def test_13_guests_are_shown_nothing_while_a_table_is_set_up(table: TableServer) -> None:
    """Before the corners are known nothing is cut away: the whole picture is the host's alone."""
    guest, host = table.guest(), table.host()
    table.house.lens.use(str(CLIP))
    try:
        answers = (host.get("/api/setup/picture") for _ in range(10))  # the clip is opened meanwhile
        whole = next(content for status, _, content in answers if status == 200)
        assert cv2.imdecode(np.frombuffer(whole, np.uint8), cv2.IMREAD_COLOR) is not None
        for path in ("/api/setup/picture", "/api/setup/cameras/0/picture", "/api/setup", "/api/setup/camera"):
            assert guest.get(path)[0] == 403
            assert table.stranger().get(path)[0] == 401
        assert table.room.pictures.after(0, 0.0) is None
    finally:
        table.house.lens.leave()


def test_15_only_loopback_is_served_unless_asked(tmp_path: Path) -> None:
    addresses = lan_addresses()
    if not addresses:
        pytest.skip("this machine has no network address besides loopback")
    closed = Running(tmp_path / "a")
    with pytest.raises(OSError, match="refused"):
        socket.create_connection((addresses[0], closed.port), timeout=5)
    closed.end()
    opened = Running(tmp_path / "b", "--lan")
    socket.create_connection((addresses[0], opened.port), timeout=5).close()
    opened.end()


def test_15_there_is_no_debug_mode(table: TableServer) -> None:
    assert table.app.debug is False
    assert table.app.testing is False
    help_text = subprocess.run([*KIBITZ, "run", "--help"], capture_output=True, text=True, cwd=ROOT).stdout
    assert "--lan" in help_text
    assert "debug" not in help_text


def test_16_an_event_is_on_the_disk_before_the_page_shows_it(table: TableServer, tmp_path: Path) -> None:
    stream = table.guest().messages()
    next(stream)
    for number, line in enumerate(GAME):
        table.room.add(line)
        kind, _, data = next(stream)
        assert kind == "update"
        assert data["entries"]
        # the file as a second process would find it after a power cut at this moment
        copy = tmp_path / f"copy-{number}.sqlite"
        copy.write_bytes((tmp_path / "journal.sqlite").read_bytes())
        assert _records(copy) == number + 2


def test_16_a_full_disk_is_told_and_play_goes_on(table: TableServer) -> None:
    stream = table.host().messages()
    next(stream)
    pages = table.journal._db.execute("PRAGMA page_count").fetchone()[0]
    table.journal._db.execute(f"PRAGMA max_page_count = {pages}")
    for _ in range(60):
        table.room.add({"kind": "sweep", "seat": 0, "data": {"note": "x" * 200}})
    told = [next(stream)[2]["journal"]["unsaved"] for _ in range(60)]
    assert max(told) > 0
    assert len(table.room.events) == 60
    table.journal._db.execute("PRAGMA max_page_count = 100000")
    table.room.retry_disk()
    assert next(stream)[2]["journal"]["unsaved"] == 0


def test_16_a_torn_record_is_told_on_the_page(tmp_path: Path) -> None:
    first = TableServer(tmp_path)
    first.play(3)
    first.close()
    script = (
        "import sqlite3, sys\n"
        "db = sqlite3.connect(sys.argv[1])\n"
        "db.execute('DROP TRIGGER record_no_update')\n"
        "db.execute('UPDATE record SET body = substr(body, 1, 9) WHERE seq = 4')\n"
        "db.commit()\n"
        "db.close()"
    )
    subprocess.run([sys.executable, "-c", script, str(tmp_path / "journal.sqlite")], check=True)
    second = TableServer(tmp_path)
    state = next(second.guest().messages())[2]
    assert state["journal"]["set_aside"] == 1
    assert [entry["cards"] for entry in state["entries"]] == [["5d", "5s"], ["8c", "8h"]]
    second.close()


def _records(path: Path) -> int:
    query = "SELECT count(*) FROM record"
    script = f"import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute({query!r}).fetchone()[0])"
    done = subprocess.run([sys.executable, "-c", script, str(path)], check=True, capture_output=True, text=True)
    return int(done.stdout)
