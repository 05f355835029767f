"""Photos into a deck that is being taught: by name, by labels, by order; refused with a reason, never lost."""

import json
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.deck import Deck
from vision.errors import KibitzError
from vision.evaluate.labels import LabelledCard, load_labels
from vision.teaching.intake import Eyes, photos_of, shrunk, take_in
from vision.teaching.workspace import Workspace, Workspaces

BLACK = Path(__file__).parents[1] / "data" / "black"


@pytest.fixture
def eyes(deck: Deck) -> Eyes:
    return Eyes(deck, threads=1)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspaces(tmp_path / "teaching").create("mine", ["standard"])


def folder_of(path: Path, **photos: str) -> Path:
    """A folder with photos of the black deck under other names: name=card."""
    path.mkdir()
    for name, card in photos.items():
        shutil.copy(BLACK / f"{card}.jpg", path / f"{name}.jpg")
    return path


def test_photos_named_by_their_card_are_kept_with_labels_that_are_read_again(
    workspace: Workspace, eyes: Eyes, tmp_path: Path
) -> None:
    photos, refused = photos_of(folder_of(tmp_path / "in", **{"9d": "9d", "3H": "3h", "3h_2": "7h"}))
    taken = take_in(workspace, eyes, photos)
    assert (taken.new, taken.known, taken.refused, refused) == (3, 0, [], [])
    assert workspace.faces() == {"9d": 1, "3h": 2}
    kept = load_labels(workspace.photos)
    assert sorted(p.image.read_bytes() for p in kept) == sorted(p.read_bytes() for p in (tmp_path / "in").iterdir())
    assert all(photo.complete for photo in kept)


def test_the_same_photo_again_changes_its_name_only(workspace: Workspace, eyes: Eyes, tmp_path: Path) -> None:
    take_in(workspace, eyes, photos_of(folder_of(tmp_path / "first", **{"8d": "9d", "3d": "3d"}))[0])
    taken = take_in(workspace, eyes, photos_of(folder_of(tmp_path / "second", **{"9d": "9d"}))[0])
    assert (taken.new, taken.known) == (0, 1)
    assert workspace.faces() == {"9d": 1, "3d": 1}
    assert len(list(workspace.photos.glob("*.jpg"))) == 2


def test_unreadable_unnamed_and_signless_photos_are_told_and_the_others_taken(
    workspace: Workspace, eyes: Eyes, tmp_path: Path
) -> None:
    folder = folder_of(tmp_path / "in", **{"9d": "9d", "holiday": "3h"})
    (folder / "7h.jpg").write_bytes(b"no photo")
    cv2.imwrite(str(folder / "8h.jpg"), np.full((300, 200, 3), 90, np.uint8))
    cv2.imwrite(str(folder / "empty.jpg"), np.full((300, 200, 3), 90, np.uint8))
    photos, refused = photos_of(folder)
    taken = take_in(workspace, eyes, photos)
    assert [error.code for error in refused] == ["photo_not_named"]
    assert [(error.code, Path(str(error.params["path"])).name) for error in taken.refused] == [
        ("photo_not_readable", "7h.jpg"), ("teach_no_sign", "8h.jpg"),
    ]  # fmt: skip
    assert taken.new == 2  # the nine, and the table without cards, which needs no corner sign
    assert workspace.faces() == {"9d": 1}


def test_a_sorted_decks_photos_are_named_by_their_order(workspace: Workspace, eyes: Eyes, tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "in", IMG_2="9d", IMG_1="8d")
    take_in(workspace, eyes, photos_of(folder, ["8d", "9d"])[0])
    kept = {p.objects[0].card: p.image.read_bytes() for p in workspace.labelled()}
    assert kept == {card: (BLACK / f"{card}.jpg").read_bytes() for card in ("8d", "9d")}
    with pytest.raises(KibitzError) as caught:
        photos_of(folder, ["8d"])
    assert caught.value.code == "teach_count"
    assert (caught.value.params["photos"], caught.value.params["cards"]) == (2, 1)


def test_a_name_that_the_picture_surely_contradicts_is_told(workspace: Workspace, eyes: Eyes, tmp_path: Path) -> None:
    taken = take_in(workspace, eyes, photos_of(folder_of(tmp_path / "in", **{"4s": "Ah"}))[0])
    assert taken.doubtful == [("4s.jpg", "4s", "Ah")]
    assert taken.new == 1  # the owner knows better


def test_a_folder_with_labels_may_have_several_cards_on_a_photo(
    workspace: Workspace, eyes: Eyes, tmp_path: Path
) -> None:
    folder = folder_of(tmp_path / "in", table="6c")
    objects = [{"card": "6c", "box": [20, 20, 40, 60], "kind": "index"}, {"card": "9d", "box": None, "kind": "card"}]
    (folder / "labels.json").write_text(json.dumps([{"image": "table.jpg", "complete": False, "objects": objects}]))
    take_in(workspace, eyes, photos_of(folder)[0])
    (photo,) = workspace.labelled()
    assert photo.objects == (LabelledCard("6c", "index", (20, 20, 40, 60)), LabelledCard("9d"))
    assert workspace.faces() == {"6c": 1, "9d": 1}


@pytest.mark.parametrize(
    ("name", "code"),
    [("My Deck", "teach_name"), ("../x", "teach_name"), ("standard", "pack_taken"), ("mine", "teach_taken")],
)
def test_names_that_can_not_be_had(workspace: Workspace, name: str, code: str) -> None:
    workspaces = Workspaces(workspace.folder.parent)
    with pytest.raises(KibitzError) as caught:
        workspaces.create(name, ["standard"])
    assert caught.value.code == code
    assert workspaces.names() == ("mine",)


def test_an_unknown_deck_names_the_known_ones(workspace: Workspace) -> None:
    with pytest.raises(KibitzError) as caught:
        Workspaces(workspace.folder.parent).open("yours")
    assert (caught.value.code, caught.value.params["known"]) == ("teach_unknown", "mine")


def test_a_photo_that_can_not_be_written_changes_nothing(workspace: Workspace, eyes: Eyes, tmp_path: Path) -> None:
    photos, _ = photos_of(folder_of(tmp_path / "in", **{"9d": "9d"}))
    shutil.rmtree(workspace.photos)
    workspace.photos.write_text("in the way")
    with pytest.raises(KibitzError) as caught:
        take_in(workspace, eyes, photos)
    assert caught.value.code == "teach_unwritable"
    assert workspace.labelled() == []


def test_large_photos_are_made_smaller() -> None:
    assert shrunk(np.zeros((3000, 4000, 3), np.uint8)).shape == (1200, 1600, 3)
    small = np.zeros((30, 40, 3), np.uint8)
    assert shrunk(small) is small
