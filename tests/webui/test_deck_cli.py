"""`kibitz deck`: the real command."""

import json
import re
import shutil
from pathlib import Path

import pytest
from running import ROOT, Kibitz

from vision.deck import load_deck, shipped_folder
from webui.catalogs import LANGUAGES

PHOTOS = ROOT / "tests" / "vision" / "data"
ACES, EMPTY = PHOTOS / "edje_cam_image8.jpg", PHOTOS / "empty_img_20230907_111515.jpg"

VERSION = load_deck(shipped_folder()).about.version


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    """Two photos, one with a label that is wrong: the king of spades isn't there."""
    folder = tmp_path / "labelled"
    folder.mkdir()
    cards = ["Ac", "Ad", "Ah", "As", "Ks"]
    for photo in (ACES, EMPTY):
        shutil.copy(photo, folder)
    rows = [(ACES, "edje", cards), (EMPTY, "tables", [])]
    labels = [
        {
            "image": photo.name,
            "complete": True,
            "source": source,
            "objects": [{"card": c, "kind": "card"} for c in named],
        }
        for photo, source, named in rows
    ]
    (folder / "labels.json").write_text(json.dumps(labels))
    return folder


def test_eval_prints_the_figures_and_writes_a_page_that_stands_alone(
    kibitz: Kibitz, labelled: Path, tmp_path: Path
) -> None:
    done = kibitz("deck", "eval", "--data", labelled, "--out", tmp_path / "report")
    assert (done.returncode, done.stderr) == (0, "")
    table = [line.split() for line in done.stdout.splitlines()]
    assert table[:4] == [
        ["source", "photos", "cards", "recall", "judged", "precision", "unlisted", "twice"],
        ["edje", "1", "5", "0.800", "4", "1.000", "0", "0"],
        ["tables", "1", "0", "-", "0", "-", "0", "0"],
        ["all", "2", "5", "0.800", "4", "1.000", "0", "0"],
    ]
    assert done.stdout.rstrip().endswith(str(tmp_path / "report" / "index.html"))
    page = (tmp_path / "report" / "index.html").read_text(encoding="utf-8")
    assert page.count('src="data:image/jpeg;base64,') == page.count("<img") == 1
    assert not re.findall(r"https?://|<script|<link", page)
    report = json.loads((tmp_path / "report" / "report.json").read_text(encoding="utf-8"))
    assert report["figures"]["all"]["recall"] == 0.8
    assert [(f["kind"], f["truth"]) for f in report["failures"]] == [("not_found", "Ks")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_eval_speaks_the_terminals_language(
    kibitz: Kibitz, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    monkeypatch.setenv("LC_ALL", {"en": "en_GB", "zh-Hans": "zh_CN", "zh-Hant": "zh_TW"}[language] + ".UTF-8")
    (tmp_path / "one").mkdir()
    shutil.copy(EMPTY, tmp_path / "one" / "7h.jpg")
    done = kibitz("deck", "eval", "--data", tmp_path / "one", "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert "evaluate." not in done.stdout
    assert "evaluate." not in (tmp_path / "out" / "index.html").read_text(encoding="utf-8")


def test_a_folder_without_labels_is_one_line_and_exit_code_2(kibitz: Kibitz, tmp_path: Path) -> None:
    done = kibitz("deck", "eval", "--data", tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert "labels.json" in line


def mine(folder: Path) -> Path:
    """The shipped pack under another name."""
    shutil.copytree(shipped_folder(), folder, ignore=shutil.ignore_patterns("__pycache__"))
    card = folder / "deck.toml"
    card.write_text(card.read_text(encoding="utf-8").replace('name = "standard"', 'name = "Mine"', 1), encoding="utf-8")
    return folder


def test_a_pack_is_taken_in_listed_and_used(kibitz: Kibitz, tmp_path: Path) -> None:
    folder = mine(tmp_path / "packed")
    done = kibitz("deck", "use", shutil.make_archive(str(tmp_path / "mine"), "zip", folder))
    assert (done.returncode, done.stderr) == (0, "")
    listed = kibitz("deck", "list").stdout.splitlines()
    assert [line.split()[:2] for line in listed] == [["standard", VERSION], ["*", "mine"]]
    assert kibitz("deck", "use", "standard").returncode == 0
    assert kibitz("deck", "list").stdout.startswith("* standard")
    # its name and the pack in use are both known to the other commands
    weights = tmp_path / "home" / "decks" / "mine" / "read.onnx"
    weights.unlink()
    assert kibitz("detect", EMPTY).returncode == 0
    done = kibitz("detect", EMPTY, "--deck", "mine")
    assert done.returncode == 1
    assert str(weights) in done.stderr
    assert str(weights) in kibitz("deck", "list").stdout
    assert kibitz("deck", "use", "mine").returncode == 1


def test_a_folder_is_taken_in_as_well_and_the_pack_in_use_is_what_commands_load(kibitz: Kibitz, tmp_path: Path) -> None:
    assert kibitz("deck", "use", mine(tmp_path / "packed")).returncode == 0
    (tmp_path / "home" / "decks" / "mine" / "read.onnx").unlink()
    assert kibitz("detect", EMPTY).returncode == 1
    assert kibitz("detect", EMPTY, "--deck", "standard").returncode == 0
    shutil.rmtree(tmp_path / "home" / "decks" / "mine")
    assert kibitz("detect", EMPTY).returncode == 0


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["deck", "use", "nowhere"], "there is no deck pack nowhere"),
        (["detect", str(EMPTY), "--deck", "nowhere"], 'no deck pack "nowhere" here; known: standard'),
        (["detect", str(EMPTY), "--deck", "../nowhere"], "no deck pack"),
    ],
)
def test_an_unknown_pack_is_one_line_and_exit_code_2(kibitz: Kibitz, command: list[str], words: str) -> None:
    done = kibitz(*command)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert words in line


def test_the_shipped_packs_name_is_taken(kibitz: Kibitz, tmp_path: Path) -> None:
    done = kibitz("deck", "use", shipped_folder())
    assert done.returncode == 1
    assert "standard is taken" in done.stderr
