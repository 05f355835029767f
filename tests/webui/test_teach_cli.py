"""`kibitz deck new` and `capture`: the real command, and a real clip in a camera's place."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import cv2
import numpy as np
import pytest
from running import KIBITZ, ROOT, Kibitz

BLACK = ROOT / "tests" / "vision" / "data" / "black"
RATE = 10
SIZE = 640, 480


@pytest.fixture
def begun(kibitz: Kibitz) -> Kibitz:
    assert kibitz("deck", "new", "mine").returncode == 0
    return kibitz


def film(path: Path, *cards: str | None) -> Path:
    """A clip of a grey table on which each card lies for 1.6 s; None: nothing lies there, but a thing
    without a corner sign. Something moves between."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), RATE, SIZE)
    for card in cards:
        for step in range(4):
            hand = np.full((SIZE[1], SIZE[0], 3), 150, np.uint8)
            cv2.circle(hand, (100 + 120 * step, 200), 60, (90, 120, 180), -1)
            writer.write(hand)
        table = np.full((SIZE[1], SIZE[0], 3), 150, np.uint8)
        if card is None:
            cv2.rectangle(table, (200, 60), (420, 400), (60, 60, 60), -1)
        else:
            photo = cv2.imread(str(BLACK / f"{card}.jpg"))
            assert photo is not None
            table[40 : 40 + photo.shape[0], 100 : 100 + photo.shape[1]] = photo
        for _ in range(16):
            writer.write(table)
    writer.release()
    return path


def labels(home: Path) -> list[str]:
    kept = json.loads((home / "teaching" / "mine" / "photos" / "labels.json").read_text(encoding="utf-8"))
    return [photo["objects"][0]["card"] for photo in kept]


def test_new_tells_what_to_do_next_and_capture_what_is_missing(kibitz: Kibitz, tmp_path: Path) -> None:
    done = kibitz("deck", "new", "mine")
    assert (done.returncode, done.stderr) == (0, "")
    assert str(tmp_path / "home" / "teaching" / "mine") in done.stdout
    assert "kibitz deck capture mine --photos" in done.stdout
    done = kibitz("deck", "capture", "mine")
    assert done.stdout.startswith("mine: 0 photos, 0 of 54 different cards.")
    assert done.stdout.rstrip().endswith("Ac-Kc, Ad-Kd, Ah-Kh, As-Ks, X, Y")


def test_capture_takes_a_folder_in_names_what_it_refuses_and_ends_with_1(begun: Kibitz, tmp_path: Path) -> None:
    folder = tmp_path / "photos"
    folder.mkdir()
    for card in ("9d", "Ah"):
        shutil.copy(BLACK / f"{card}.jpg", folder)
    (folder / "7h.jpg").write_bytes(b"no photo")
    done = begun("deck", "capture", "mine", "--photos", folder)
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert "7h.jpg" in line
    assert "2 photos taken in, 0 known before, 1 not taken" in done.stdout
    assert "2 of 54 different cards" in done.stdout
    assert sorted(labels(tmp_path / "home")) == ["9d", "Ah"]
    # again, with the bad one gone: nothing is doubled
    (folder / "7h.jpg").unlink()
    done = begun("deck", "capture", "mine", "--photos", folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert "0 photos taken in, 2 known before" in done.stdout


def test_a_camera_takes_card_by_card_refuses_what_has_no_sign_and_goes_on_later(begun: Kibitz, tmp_path: Path) -> None:
    clip = film(tmp_path / "one.avi", None, "9d", "8d")
    done = begun("deck", "capture", "mine", "--source", clip, "--cards", "9d,8d,7d")
    assert (done.returncode, done.stderr) == (0, "")
    told = [line.strip() for line in done.stdout.splitlines()]
    assert told[1] == "Lay 9d (3 to come)"
    assert told[2].startswith("no corner sign is found")
    assert told[3:6] == ["9d is taken", "Lay 8d (2 to come)", "8d is taken"]
    assert labels(tmp_path / "home") == ["9d", "8d"]
    # later, without naming them: the first that is missing is asked for
    done = begun("deck", "capture", "mine", "--source", film(tmp_path / "two.avi", "6c"), "--cards", "6c")
    assert "6c is taken" in done.stdout
    assert labels(tmp_path / "home") == ["9d", "8d", "6c"]
    done = begun("deck", "capture", "mine", "--source", film(tmp_path / "three.avi", None))
    assert "Lay Ac (51 to come)" in done.stdout


def test_another_card_than_asked_for_is_taken_on_enter_only(begun: Kibitz, tmp_path: Path) -> None:
    clip = film(tmp_path / "clip.avi", "Ah", "Ah")
    done = begun("deck", "capture", "mine", "--source", clip, "--cards", "4s")
    assert "this looks like Ah, not 4s" in done.stdout
    assert not (tmp_path / "home" / "teaching" / "mine" / "photos" / "labels.json").exists()
    environment = {**os.environ, "KIBITZ_HOME": str(tmp_path / "home"), "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8"}
    command = [*KIBITZ, "deck", "capture", "mine", "--source", str(clip), "--cards", "4s"]
    typed = subprocess.run(command, env=environment, input="\n" * 60, capture_output=True, text=True, timeout=120)
    assert "4s is taken" in typed.stdout
    assert labels(tmp_path / "home") == ["4s"]


def test_a_source_that_is_none_and_two_ways_at_once_are_one_line(begun: Kibitz, tmp_path: Path) -> None:
    for arguments, words in (
        (["--source", tmp_path / "none.mp4"], "there is no file"),
        (["--photos", tmp_path, "--source", "0"], "exclude each other"),
        (["--photos", tmp_path / "nowhere"], "no folder of labelled photos"),
        (["--photos", BLACK, "--cards", "7h-9d"], "no list of cards"),
        (["--photos", BLACK, "--cards", "7h"], "has 12 photos but --cards names 1"),
    ):
        done = begun("deck", "capture", "mine", *arguments)
        assert done.returncode in (1, 2), words
        (line,) = done.stderr.splitlines()
        assert words in line


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["new", "My Deck"], "no name for a deck"),
        (["new", "mine"], "is being taught already"),
        (["new", "standard"], "there is a deck pack called standard already"),
        (["capture", "yours"], "known: mine"),
        (["train", "yours"], "known: mine"),
        (["train", "mine", "--minutes", "0"], "--minutes"),
    ],
)
def test_wrong_calls_are_one_line_and_exit_code_2(begun: Kibitz, command: list[str], words: str) -> None:
    done = begun("deck", *command)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert words in line


def test_train_without_the_extra_says_how_to_get_it(begun: Kibitz, tmp_path: Path) -> None:
    # a folder first in the path in which torch isn't: the extra may be installed where this is tested
    blocked = tmp_path / "blocked"
    blocked.mkdir()
    (blocked / "sitecustomize.py").write_text(
        "import importlib.util as u\nfind = u.find_spec\n"
        "u.find_spec = lambda name, *more: None if name == 'torch' else find(name, *more)\n"
    )
    done = begun("deck", "train", "mine", PYTHONPATH=f"{blocked}{os.pathsep}{ROOT}")
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert "requirements/train.txt" in line
