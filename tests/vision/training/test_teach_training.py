"""Teaching a deck for real, a minute of it: where the train extra is installed."""

import socket
from pathlib import Path

import pytest

from vision.deck import Deck, load_deck
from vision.detector import OnnxDetector
from vision.errors import KibitzError
from vision.photo import read_photo
from vision.teaching.intake import photos_of
from vision.teaching.workspace import Workspace, Workspaces
from vision.training.teach import teach as teaching

BLACK = Path(__file__).parents[1] / "data" / "black"


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspaces(tmp_path).create("black", ["standard"])


def take_in(workspace: Workspace, cards: int) -> None:
    for photo in photos_of(BLACK)[0][:cards]:
        workspace.add(photo.image.read_bytes(), ".jpg", photo.objects, True)


def test_too_few_photos_are_refused_before_anything_is_done(workspace: Workspace, deck: Deck) -> None:
    take_in(workspace, 4)
    with pytest.raises(KibitzError) as caught:
        teaching.teach(workspace, deck, 1, lambda *_: None)
    assert (caught.value.code, caught.value.params["photos"]) == ("teach_few_photos", 4)
    assert not workspace.lesson.exists()


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning", "ignore::FutureWarning")  # of torch
def test_it_is_stopped_goes_on_where_it_was_and_ends_with_a_pack_without_any_network(
    workspace: Workspace, deck: Deck, monkeypatch: pytest.MonkeyPatch
) -> None:
    for package in ("torch", "ultralytics", "onnx"):
        pytest.importorskip(package, reason="needs the training extra")
    asked: list[object] = []
    connect = socket.socket.connect

    def loopback_only(self: socket.socket, address: object) -> None:
        if self.family != socket.AF_UNIX:
            asked.append(address)
            raise OSError("no network here")
        connect(self, address)  # type: ignore[arg-type]

    monkeypatch.setattr(socket.socket, "connect", loopback_only)
    monkeypatch.setattr(teaching, "_SCENES", 32)
    take_in(workspace, 12)

    def stop(stage: str, share: float) -> None:
        if stage == "train" and share > 0.2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        teaching.teach(workspace, deck, 1, stop)
    drawn = {path: path.stat().st_mtime_ns for path in (workspace.lesson / "scenes").iterdir()}
    assert drawn
    heard: list[tuple[str, float]] = []
    outcome = teaching.teach(workspace, deck, 1, lambda stage, share: heard.append((stage, share)))
    assert {stage for stage, _ in heard} == {"train", "judge"}
    assert heard[0][1] > 0.2
    assert {path: path.stat().st_mtime_ns for path in (workspace.lesson / "scenes").iterdir()} == drawn
    assert asked == []

    taught = load_deck(workspace.pack)  # checks hashes
    assert outcome.before.cards == outcome.after.cards == 2
    assert outcome.pack in (workspace.pack, None)
    assert (taught.about.name, taught.about.locate.sha256) == ("black", deck.about.locate.sha256)
    assert taught.about.read.sha256 != deck.about.read.sha256
    assert taught.about.figures["held_out_cards"] == 2
    assert "10 photos" in taught.about.data["taught_with"]
    seen = OnnxDetector(taught, 1).detect(read_photo(BLACK / "Ah.jpg"))
    assert "Ah" in {card.card for card in seen}


def test_new_photos_begin_a_new_lesson(workspace: Workspace, deck: Deck) -> None:
    take_in(workspace, 6)
    workspace.lesson.mkdir()
    (workspace.lesson / "lesson.pt").write_bytes(b"an older one")
    (workspace.lesson / "progress.json").write_text('{"key": "of other photos", "training_s": 5}')

    def stop(stage: str, share: float) -> None:
        raise KeyboardInterrupt

    pytest.importorskip("ultralytics", reason="needs the training extra")
    with pytest.raises(KeyboardInterrupt):
        teaching.teach(workspace, deck, 1, stop)
    assert not (workspace.lesson / "lesson.pt").exists()
