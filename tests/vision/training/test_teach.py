"""A deck from its owner's photos: signs cut out, faces composed, scenes laid, the pack judged."""

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.cards import NAMES, READ_CLASSES
from vision.crop import upright_crop
from vision.deck import Deck
from vision.detector import OnnxDetector
from vision.evaluate.labels import LabelledCard, LabelledPhoto, load_labels
from vision.locate import Located
from vision.photo import read_photo
from vision.read import Readings
from vision.session import Network, as_input
from vision.teaching.intake import opened
from vision.training import rehearsal
from vision.training.crops import FACTOR, SIZE
from vision.training.harvest import named
from vision.training.teach.deck import TaughtDeck
from vision.training.teach.exam import Result, better, examine
from vision.training.teach.gather import Material, gather, settled
from vision.training.teach.lesson import Teacher, count, draw, write_rehearsal, write_scenes
from vision.training.teach.signs import cut_signs
from vision.training.teach.split import split

BLACK = Path(__file__).parents[1] / "data" / "black"
PHOTOGRAPHED = {photo.stem for photo in BLACK.glob("*.jpg")}


@pytest.fixture(scope="module")
def shipped() -> rehearsal.Rehearsal:
    return rehearsal.load(rehearsal.shipped_file())


@pytest.fixture(scope="module")
def material(deck: Deck) -> Material:
    together = Material()
    for part in gather(deck, OnnxDetector(deck, 1), load_labels(BLACK), np.random.default_rng(1)):
        together.add(part)
    together.faces = settled(together.faces)
    return together


def test_every_photo_gives_crops_of_its_card_and_most_of_them_a_face_with_its_signs(material: Material) -> None:
    assert {name for name in material.names if name != "-"} == PHOTOGRAPHED
    assert all(crop.shape == (SIZE, SIZE, 3) for crop in material.crops)
    signed = [face for face in material.faces if face.signs]
    assert len(signed) >= 8
    for face in signed:
        assert face.name in PHOTOGRAPHED
        assert face.signs is not None
        gold = face.signs.ink[2] - face.signs.ink[0]  # red less blue
        assert (gold > 40) == (face.name[1] in "dh"), face.name
        assert face.signs.paper.max() < 70
        assert face.signs.rank_box[3] <= face.signs.suit_box[1] + 1  # the suit stands below its rank


def test_a_sign_is_cut_to_its_ink_and_nothing_is_cut_from_plain_paper() -> None:
    picture = np.full((200, 140, 3), 245, np.uint8)
    picture[40:80, 50:70] = (20, 20, 200)
    picture[95:120, 48:72] = (20, 20, 200)
    signs = cut_signs(picture, (45, 35, 75, 125))
    assert signs is not None
    assert (signs.rank_box, signs.suit_box) == ((50, 40, 70, 80), (48, 95, 72, 120))
    assert np.abs(signs.ink - (20, 20, 200)).max() < 2
    assert cut_signs(np.full_like(picture, 245), (45, 35, 75, 125)) is None
    picture[35:125, 60:62] = (20, 20, 200)  # grown together: which is which can't be told
    assert cut_signs(picture, (45, 35, 75, 125)) is None


def test_cards_that_nobody_photographed_are_composed_of_the_decks_own_signs(
    material: Material, shipped: rehearsal.Rehearsal
) -> None:
    deck = TaughtDeck(material.faces, material.signs, shipped.letters, np.random.default_rng(2))
    for card in (*NAMES, "X", "Y"):
        face = deck.face(card)
        assert face.picture.shape == (420, 300, 3)
        (corner, (x0, y0, x1, y1)), *_ = face.indices
        assert corner == "tl"
        cell = face.picture[round(y0) : round(y1), round(x0) : round(x1)].reshape(-1, 3).astype(int)
        ink = cell[cell.sum(1) >= np.percentile(cell.sum(1), 90)].mean(0)
        assert (ink[0] < 0.65 * ink[2]) == (card[-1] in "dhY"), card  # gold or white, as the deck has it


def test_the_shipped_reader_knows_the_ranks_of_composed_cards(
    deck: Deck, material: Material, shipped: rehearsal.Rehearsal
) -> None:
    """It reads this deck's suits badly, but its ranks well: they must be what they are called."""
    taught = TaughtDeck(material.faces, material.signs, shipped.letters, np.random.default_rng(2))
    crops = []
    for card in NAMES:
        face = taught.face(card)
        _, (x0, y0, x1, y1) = face.indices[0]
        side = FACTOR * max(x1 - x0, y1 - y0)
        crops.append(upright_crop(face.picture, ((x0 + x1) / 2, (y0 + y1) / 2), side, 0, SIZE))
    chances = Network(deck.read_path, 1).run(np.stack([as_input(crop) for crop in crops]))
    read = [READ_CLASSES[k] for k in chances.argmax(1)]
    assert sum(card[0] == got[0] for card, got in zip(NAMES, read, strict=True)) > 38


def test_scenes_give_crops_with_their_names(deck: Deck, material: Material, shipped: rehearsal.Rehearsal) -> None:
    crops, names = draw(material, shipped.letters, Network(deck.locate_path, 1), np.random.default_rng(3))
    assert len(crops) == len(names) > 60
    assert all(crop.shape == (SIZE, SIZE, 3) for crop in crops)
    assert len(set(names) & set(NAMES)) > 15
    assert "-" in names


def test_scenes_are_drawn_by_processes_until_told_to_stop_and_not_drawn_twice(
    deck: Deck, material: Material, shipped: rehearsal.Rehearsal, tmp_path: Path
) -> None:
    teacher = Teacher(material, shipped.letters, deck.locate_path)
    told: list[float] = []
    write_scenes(tmp_path, teacher, 48, 5, 1, lambda share: bool(told.append(share)))
    assert told == [pytest.approx(1 / 3)]
    first = count(tmp_path)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.glob("crops-*.npy")}
    write_scenes(tmp_path, teacher, 32, 5, 1, lambda _: True)
    assert count(tmp_path) > first > 0
    assert all(path.stat().st_mtime_ns == changed for path, changed in before.items())


def test_the_rehearsal_holds_every_class_and_letters_of_many_fonts(
    deck: Deck, shipped: rehearsal.Rehearsal, tmp_path: Path
) -> None:
    assert set(shipped.names.tolist()) == set(range(len(READ_CLASSES)))
    assert len(shipped.letters) > 30
    assert all({"A", "T", "JOKER"} <= set(font) for font in shipped.letters)
    reader = Network(deck.read_path, 1)
    some = slice(None, None, 9)
    chances = reader.run(np.stack([as_input(crop) for crop in shipped.crops[some]]))
    assert np.mean(chances.argmax(1) == shipped.names[some]) > 0.6  # many are hard
    write_rehearsal(tmp_path, shipped)
    assert count(tmp_path) == len(shipped.crops)


def test_a_rehearsal_is_read_as_it_was_written(tmp_path: Path, shipped: rehearsal.Rehearsal) -> None:
    rehearsal.save(tmp_path / "r.npz", shipped.crops[:30], shipped.names[:30], list(shipped.letters[:2]))
    again = rehearsal.load(tmp_path / "r.npz")
    assert np.array_equal(again.names, shipped.names[:30])
    assert np.abs(again.crops.astype(int) - shipped.crops[:30]).mean() < 6
    for old, new in zip(shipped.letters, again.letters, strict=False):
        assert {sign: mask.shape for sign, mask in new.items()} == {sign: mask.shape for sign, mask in old.items()}


def photos(*cards: str) -> Iterator[LabelledPhoto]:
    for number, card in enumerate(cards):
        yield LabelledPhoto(Path(f"{number}.jpg"), True, None, None, (LabelledCard(card),) if card else ())


def test_every_fifth_photo_of_a_card_is_held_out_and_no_empty_table() -> None:
    every = list(photos("7h", "", "8h", "9h", "back", "Th", "Jh", "Qh", "Kh", "Ah"))
    taught, held_out = split(every)
    assert [photo.objects[0].card for photo in held_out] == ["9h", "Ah"]
    assert {photo.image for photo in taught} | {photo.image for photo in held_out} == {photo.image for photo in every}
    assert split(list(photos("7h", "8h", "9h", "Th")))[1] == []


@pytest.mark.parametrize(
    ("after", "good"),
    [
        (Result(10, 9, 0, 0.8), True),  # one more
        (Result(10, 8, 0, 0.9), True),  # as many, surer
        (Result(10, 8, 0, 0.71), False),  # as many, as sure
        (Result(10, 9, 1, 0.95), False),  # one more, but another wrong: no gain, though surer
        (Result(10, 7, 0, 0.99), False),
    ],
)
def test_a_pack_is_better_when_it_names_more_cards_without_naming_more_wrongly(after: Result, good: bool) -> None:
    assert better(Result(10, 8, 0, 0.7), after) == good


def test_an_exam_counts_right_and_wrong_names(deck: Deck) -> None:
    image = read_photo(BLACK / "Ah.jpg")
    right, wrong = (LabelledPhoto(BLACK / "Ah.jpg", True, "s", None, (LabelledCard(card),)) for card in ("Ah", "4s"))
    told: list[float] = []
    assert examine(deck, [(image, right)], told.append) == Result(1, 1, 0, pytest.approx(0.95, abs=0.1))
    assert examine(deck, [(image, right), (image, wrong)]).wrong == 1
    assert told == [1.0]


def test_labels_of_a_large_photo_are_made_smaller_with_it(tmp_path: Path) -> None:
    picture = np.zeros((1000, 3200, 3), np.uint8)
    cv2.imwrite(str(tmp_path / "large.png"), picture)
    label = LabelledCard("7h", "index", (320, 100, 40, 60), quad=((2, 4), (6, 8), (10, 12), (14, 16)))
    image, photo = opened(LabelledPhoto(tmp_path / "large.png", True, None, None, (label, LabelledCard("8h"))))
    assert image.shape == (500, 1600, 3)
    assert photo.objects[0].box == (160, 50, 20, 30)
    assert photo.objects[0].quad == ((1, 2), (3, 4), (5, 6), (7, 8))
    assert photo.objects[1] == LabelledCard("8h")


def test_labels_without_a_place_name_what_is_likely_theirs_and_never_call_a_card_unreadable() -> None:
    quads = np.tile(np.array([[0, 0], [60, 0], [60, 84], [0, 84]], np.float32), (3, 1, 1))
    quads += np.array([[0, 0], [200, 0], [400, 0]], np.float32)[:, None]
    boxes = np.concatenate([quads[:, 0] + 4, quads[:, 0] + (14, 24)], 1)
    found = Located(boxes, np.array([0.9, 0.8, 0.7], np.float32), np.zeros(3, bool), quads)
    chances = np.zeros((3, len(READ_CLASSES)), np.float32)
    for row, (name, chance) in zip(chances, (("7h", 0.9), ("8h", 0.8), ("4s", 0.9)), strict=True):
        row[READ_CLASSES.index(name)] = chance
    readings = Readings(["7h", "8h", "4s"], chances)

    def labelled(*cards: str, complete: bool = True) -> LabelledPhoto:
        return LabelledPhoto(Path("p.jpg"), complete, None, None, tuple(LabelledCard(c) for c in cards))

    assert named(found, readings, labelled("7h", "8h")) == ["7h", "8h", None]
    assert named(found, readings, labelled("8h")) == ["-", "8h", "-"]
    assert named(found, readings, labelled("8h", complete=False)) == [None, "8h", None]
    # a card that the reader doesn't know is still the photo's only card: the surest corner is its
    assert named(found, readings, labelled("Qs")) == ["Qs", "-", "-"]
    assert named(found, readings, labelled()) == ["-", "-", "-"]
