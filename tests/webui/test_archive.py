"""The picture archive on real files: bounded, off the hot path, and never in the way of a game."""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from webui.archive import Archive

ROOT = Path(__file__).parents[2]


def jpeg(number: int, size: int = 1000) -> bytes:
    return b"\xff\xd8" + number.to_bytes(4, "big") + b"x" * (size - 6)


def until(true: Callable[[], bool]) -> None:
    start = time.monotonic()
    while not true():
        assert time.monotonic() - start < 30
        time.sleep(0.01)


def written(archive: Archive, match: int, event: int) -> bool:
    return event in archive.kept(match)


def on_disk(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.jpg"))


def opened(folder: Path, limit: int = 10**6) -> Archive:
    return Archive(folder, limit, reserve=0)


def test_a_picture_before_and_after_each_event_comes_back_after_a_restart(tmp_path: Path) -> None:
    archive = opened(tmp_path / "p")
    archive.keep(1, [0], jpeg(1), jpeg(2))
    archive.keep(1, [1], jpeg(2), jpeg(3))
    archive.close()
    again = opened(tmp_path / "p")
    assert again.kept(1) == {0: ["before", "after"], 1: ["before", "after"]}
    assert again.get(1, 0, "before") == jpeg(1)
    assert again.get(1, 1, "after") == jpeg(3)
    assert again.get(1, 2, "after") is None
    assert again.get(2, 0, "after") is None
    # the view after one event is the view before the next: the same file
    assert len(on_disk(tmp_path / "p")) == 3
    again.close()


def test_file_names_are_hashes_of_the_content(tmp_path: Path) -> None:
    archive = opened(tmp_path / "p")
    archive.keep(1, [0], None, jpeg(1))
    archive.close()
    assert {path.name for path in (tmp_path / "p").iterdir()} == {"index.jsonl", on_disk(tmp_path / "p")[0].name}
    assert len(on_disk(tmp_path / "p")[0].stem) == 32
    if os.name == "posix":
        assert (tmp_path / "p").stat().st_mode & 0o077 == 0


def test_a_play_told_anew_keeps_the_view_before_its_first_part(tmp_path: Path) -> None:
    archive = opened(tmp_path / "p")
    archive.keep(1, [0], jpeg(1), jpeg(2))
    archive.keep(1, [2], jpeg(2), jpeg(3), since=0)
    archive.close()
    assert archive.get(1, 2, "before") == jpeg(1)
    assert archive.get(1, 2, "after") == jpeg(3)


def test_over_the_limit_the_oldest_pictures_go_first(tmp_path: Path) -> None:
    archive = opened(tmp_path / "p", limit=10_500)
    for number in range(40):
        archive.keep(1, [number], jpeg(number), jpeg(number + 1))
        until(lambda number=number: written(archive, 1, number))  # type: ignore[misc]
        archive_size = archive.status.size
        assert archive_size <= 10_500
    archive.close()
    kept = archive.kept(1)
    assert min(kept) == 30  # a pair shares its middle picture: ten pictures are the last ten events
    assert archive.get(1, 39, "after") == jpeg(40)
    assert sum(path.stat().st_size for path in on_disk(tmp_path / "p")) <= 10_500
    again = opened(tmp_path / "p", limit=10_500)
    assert again.kept(1) == kept
    assert len((tmp_path / "p" / "index.jsonl").read_text().splitlines()) == sum(map(len, kept.values()))
    again.close()


def test_missing_and_damaged_pictures_are_simply_not_there(tmp_path: Path) -> None:
    archive = opened(tmp_path / "p")
    for number in range(3):
        archive.keep(1, [number], None, jpeg(number))
    archive.close()
    first, second, third = (tmp_path / "p" / f"{name}.jpg" for name in names(tmp_path / "p"))
    first.unlink()
    second.write_bytes(second.read_bytes()[:-1] + b"y")
    assert archive.get(1, 0, "after") is None
    assert archive.get(1, 1, "after") is None
    assert archive.get(1, 2, "after") == third.read_bytes()
    assert archive.kept(1) == {2: ["after"]}


def test_a_torn_index_costs_its_last_line_only(tmp_path: Path) -> None:
    archive = opened(tmp_path / "p")
    archive.keep(1, [0], None, jpeg(0))
    archive.close()
    index = tmp_path / "p" / "index.jsonl"
    whole = index.read_text()
    index.write_text(whole + '{"match": 1, "event": 1, "whe')
    (tmp_path / "p" / ("0" * 32 + ".new")).write_bytes(b"half")
    (tmp_path / "p" / "holiday.jpg").write_bytes(b"not ours")
    again = opened(tmp_path / "p")
    again.keep(1, [1], None, jpeg(1))
    again.close()
    assert again.kept(1) == {0: ["after"], 1: ["after"]}
    assert all(json.loads(line) for line in index.read_text().splitlines())
    assert not list((tmp_path / "p").glob("*.new"))
    assert (tmp_path / "p" / "holiday.jpg").exists()


@pytest.mark.parametrize("name", ["../../etc/passwd", "/etc/passwd", 7, None, "A" * 32])
def test_10_an_index_line_names_no_path(tmp_path: Path, name: object) -> None:
    folder = tmp_path / "p"
    folder.mkdir()
    (folder / "index.jsonl").write_text(
        json.dumps({"match": 1, "event": 0, "when": "after", "picture": name}) + "\n", "utf-8"
    )
    archive = opened(folder)
    assert archive.kept(1) == {}
    assert archive.get(1, 0, "after") is None
    archive.close()


def test_the_host_can_delete_them_all_and_new_ones_are_kept_again(tmp_path: Path) -> None:
    archive = opened(tmp_path / "p")
    archive.keep(1, [0], jpeg(0), jpeg(1))
    until(lambda: written(archive, 1, 0))
    archive.clear()
    assert list((tmp_path / "p").iterdir()) == []
    assert archive.kept(1) == {}
    archive.keep(1, [1], jpeg(1), jpeg(2))
    archive.close()
    assert archive.get(1, 1, "before") == jpeg(1)


def test_a_slow_disk_delays_nobody_and_what_is_too_much_is_left_out(tmp_path: Path) -> None:
    archive = opened(tmp_path / "p")
    with archive._disk:  # the disk is busy
        for number in range(200):
            archive.keep(1, [number], jpeg(number), jpeg(number + 1))
        assert archive.get(1, 0, "after") is None
        assert 100 < archive.status.left_out < 200
    archive.close()
    assert written(archive, 1, 0)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 kB, where this machine lets us have one."""
    place = tmp_path / "disk"
    place.mkdir()
    if os.name != "posix" or os.geteuid() != 0:
        pytest.skip("needs the right to mount a small file system")
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(place)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("needs the right to mount a small file system")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def test_16_a_full_disk_is_survived_told_and_left_again(small_disk: Path) -> None:
    archive = opened(small_disk / "p", limit=10**9)
    for number in range(30):
        archive.keep(1, [number], None, jpeg(number, 10_000))
    until(lambda: len(archive.kept(1)) + archive.status.left_out == 30)
    assert archive.status.problem == "disk_full"
    kept = len(archive.kept(1))
    assert 0 < kept < 8
    assert not list((small_disk / "p").glob("*.new"))
    for path in on_disk(small_disk / "p"):
        path.unlink()
    archive.keep(1, [99], None, jpeg(99, 10_000))
    until(lambda: written(archive, 1, 99))
    assert archive.status.problem is None
    archive.close()


def test_16_a_file_that_may_not_grow_is_survived(tmp_path: Path) -> None:
    script = """
import resource, sys
from pathlib import Path
from webui.archive import Archive
archive = Archive(Path(sys.argv[1]), reserve=0)
archive.keep(1, [0], None, b"a" * 1000)
resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
archive.keep(1, [1], None, b"b" * 5000)
archive.close()
print(archive.status.problem, sorted(archive.kept(1)), archive.status.left_out)
"""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", script, str(tmp_path / "p")]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert done.stdout == "disk_full [0] 1\n"
    assert done.stderr == ""


def test_16_the_last_of_a_disk_is_left_to_the_journal(tmp_path: Path) -> None:
    archive = Archive(tmp_path / "p", reserve=1 << 60)
    archive.keep(1, [0], None, jpeg(0))
    archive.close()
    assert archive.status.problem == "disk_full"
    assert on_disk(tmp_path / "p") == []


def test_a_folder_that_cannot_be_is_survived(tmp_path: Path) -> None:
    (tmp_path / "p").write_text("a file, no folder")
    archive = opened(tmp_path / "p")
    archive.keep(1, [0], None, jpeg(0))
    archive.close()
    assert archive.status.problem == "folder_unwritable"
    assert (tmp_path / "p").read_text() == "a file, no folder"


def test_many_threads_may_ask_while_pictures_come(tmp_path: Path) -> None:
    archive = opened(tmp_path / "p", limit=20_000)
    wrong: list[bytes] = []

    def ask() -> None:
        for _ in range(20):
            for event in archive.kept(1):
                got = archive.get(1, event, "after")
                if got is not None and got != jpeg(event):
                    wrong.append(got)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for number in range(100):
        archive.keep(1, [number], None, jpeg(number))
    for thread in threads:
        thread.join()
    archive.close()
    assert wrong == []


def names(folder: Path) -> list[str]:
    lines = [json.loads(line) for line in (folder / "index.jsonl").read_text().splitlines()]
    return [line["picture"] for line in lines]
