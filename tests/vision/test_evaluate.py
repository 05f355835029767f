"""Measuring a deck on labelled photos: each kind of failure, on the real detector and on drawn readings."""

import json
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest

from vision.deck import Deck
from vision.detector import OnnxDetector
from vision.errors import KibitzError
from vision.evaluate.figures import reliability, summarise
from vision.evaluate.judge import Judgement, judge
from vision.evaluate.labels import LabelledCard, LabelledPhoto, load_labels, matches
from vision.evaluate.measure import measure
from vision.evaluate.places import quad_iou
from vision.photo import header_size, read_photo
from vision.types import Detection

DATA = Path(__file__).parent / "data"
ACES, EMPTY = "edje_cam_image8.jpg", "empty_img_20230907_111515.jpg"
SHARED = Path(__file__).parents[3] / "shared"
WHITE = np.full((400, 600, 3), 255, np.uint8)


def card_at(x: float, y: float) -> list[list[float]]:
    return [[x, y], [x + 63, y], [x + 63, y + 88], [x, y + 88]]


def seen(name: str, x: float, y: float, score: float = 0.99) -> Detection:
    """A card read at its upper left corner."""
    return Detection(name, score, "up", np.array(card_at(x, y), np.float32), ((x + 2, y + 4, 9, 17),))


def down(x: float, y: float) -> Detection:
    return Detection("?", 0.9, "down", np.array(card_at(x, y), np.float32), ())


def lying(name: str, x: float, y: float, optional: bool = False) -> LabelledCard:
    return LabelledCard(name, "card", quad=tuple((a, b) for a, b in card_at(x, y)), optional=optional)


def judged(labels: list[LabelledCard], readings: list[Detection], complete: bool = True) -> Judgement:
    photo = LabelledPhoto(Path("photo.jpg"), complete, "table", objects=tuple(labels))
    return judge(photo, WHITE, readings, 0.6)


def kinds(judgement: Judgement) -> list[tuple[str, str, str]]:
    return [(f.kind, f.truth, f.read) for f in judgement.failures]


def test_the_real_detector_on_real_photos(tmp_path: Path, deck: Deck, detector: OnnxDetector) -> None:
    aces = [{"card": c, "kind": "card", "box": None} for c in ("Ac", "Ad", "Ah", "5s")]
    labels = [
        {"image": f"images/{ACES}", "complete": True, "source": "edje", "objects": aces},
        {"image": f"images/{EMPTY}", "complete": True, "group": "tables", "source": None, "objects": []},
    ]
    (tmp_path / "images").mkdir()
    for name in (ACES, EMPTY):
        shutil.copy(DATA / name, tmp_path / "images")
    (tmp_path / "labels.json").write_text(json.dumps(labels))
    counted = []
    measured = measure(detector, load_labels(tmp_path), deck.about.report_score, lambda: counted.append(1))
    figures = measured.figures
    assert len(counted) == 2
    assert [(s.name, s.photos, s.cards, s.recall, s.judged, s.precision) for s in figures.sources] == [
        ("edje", 1, 4, 0.75, 4, 0.75),
        ("tables", 1, 0, None, 0, None),
    ]
    assert sorted((f.failure.kind, f.failure.truth, f.failure.read) for f in measured.failures) == [
        ("false_card", "", "As"),
        ("not_found", "5s", ""),
    ]
    for shown in measured.failures:
        size = header_size(shown.jpeg)
        assert size is not None
        assert 10 < max(size) <= 220


def test_photos_named_by_their_card(tmp_path: Path) -> None:
    for name in ("10c.jpg", "kS_2.PNG", "X.webp", "back (1).jpg", "empty.jpg"):
        (tmp_path / name).touch()
    (tmp_path / "notes.txt").touch()
    found = {photo.image.name: [o.card for o in photo.objects] for photo in load_labels(tmp_path)}
    assert found == {"10c.jpg": ["Tc"], "kS_2.PNG": ["Ks"], "X.webp": ["X"], "back (1).jpg": ["back"], "empty.jpg": []}
    assert {(p.source, p.complete) for p in load_labels(tmp_path)} == {(tmp_path.name, True)}
    (tmp_path / "holiday.jpg").touch()
    with pytest.raises(KibitzError) as caught:
        load_labels(tmp_path)
    assert caught.value.code == "photo_not_named"


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("nothing", "labels_corrupt"),
        ('[{"objects": []}]', "labels_corrupt"),
        ('[{"image": 7}]', "labels_corrupt"),
        ('[{"image": "../../etc/passwd"}]', "labels_outside"),
        ('[{"image": "/etc/passwd"}]', "labels_outside"),
        (None, "labels_missing"),
    ],
)
def test_bad_labels_are_named(tmp_path: Path, content: str | None, code: str) -> None:
    if content is not None:
        (tmp_path / "labels.json").write_text(content)
    with pytest.raises(KibitzError) as caught:
        load_labels(tmp_path)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("label", "name", "right"),
    [("7h", "7h", True), ("7h", "7d", False), ("K?", "Kd", True), ("K?", "X", False), ("?J", "Y", True),
     ("?J", "Jd", False), ("back", "?", False)],
)  # fmt: skip
def test_labels_may_leave_something_open(label: str, name: str, right: bool) -> None:
    assert matches(label, name) is right


def test_a_right_reading_counts_with_its_outline_and_size() -> None:
    one = judged([lying("7h", 100, 100)], [seen("7h", 103, 100)])
    assert (one.counts["cards"], one.counts["found"], one.counts["judged"], one.counts["wrong"]) == (1, 1, 1, 0)
    assert one.outlines == [pytest.approx(60 / 66, abs=1e-3)]
    assert one.visible == []
    assert one.sizes == [pytest.approx(1, abs=0.1)]
    assert not one.failures


def test_visible_parts_are_compared_where_labels_tell_them() -> None:
    label = msgspec.structs.replace(lying("7h", 100, 100), visible_fraction=0.7)
    near, far = (replace(seen("7h", 100, 100), visible=part) for part in (0.62, 0.5))
    figures = summarise([judged([label], [near]), judged([label], [far])])
    assert (figures.visible.cards, figures.visible.close) == (2, 0.5)
    assert figures.visible.median == pytest.approx(0.14)


def test_a_wrong_name_is_told_once_with_both_names() -> None:
    one = judged([lying("6c", 100, 100), lying("2d", 300, 100)], [seen("6s", 100, 100), seen("2d", 300, 100)])
    assert kinds(one) == [("wrong_name", "6c", "6s")]
    assert (one.counts["found"], one.counts["wrong"]) == (1, 1)
    assert one.scores == [(0.99, False), (0.99, True)]


def test_what_became_of_a_missed_card() -> None:
    labels = [lying("6c", 100, 100)]
    assert kinds(judged(labels, [])) == [("not_found", "6c", "")]
    assert kinds(judged(labels, [seen("6c", 100, 100, 0.5)])) == [("unsure", "6c", "6c")]
    assert kinds(judged(labels, [seen("?", 100, 100, 0.3)])) == [("unreadable", "6c", "?")]
    # the neighbour's corner lies over its place
    both = [*labels, lying("2d", 104, 102)]
    assert kinds(judged(both, [seen("2d", 104, 102)])) == [("not_found", "6c", "")]


def test_inventions_are_wrong_only_where_labels_are_complete() -> None:
    readings = [seen("Qh", 100, 100)]
    assert kinds(judged([], readings)) == [("false_card", "", "Qh")]
    partly = judged([], readings, complete=False)
    assert kinds(partly) == [("unlisted", "", "Qh")]
    assert (partly.counts["judged"], partly.counts["unlisted"], partly.scores) == (0, 1, [])


def test_optional_cards_may_be_read_or_not() -> None:
    labels = [lying("Qh", 100, 100, optional=True)]
    for readings in ([], [seen("Qh", 100, 100)]):
        one = judged(labels, readings)
        assert (one.counts["cards"], one.counts["wrong"], one.failures) == (0, 0, [])


def test_a_card_reported_twice() -> None:
    readings = [seen("Qh", 100, 100), seen("Qh", 300, 100)]
    assert kinds(judged([lying("Qh", 100, 100)], readings)) == [("twice", "Qh", "Qh")]
    assert kinds(judged([lying("Qh", 100, 100), lying("Qh", 300, 100)], readings)) == []


def test_face_down_cards() -> None:
    one = judged([lying("back", 100, 100), lying("back", 300, 100)], [down(102, 101), down(450, 200)])
    assert kinds(one) == [("back_missed", "back", ""), ("back_false", "", "back")]
    assert (one.counts["backs"], one.counts["backs_found"], one.counts["backs_false"]) == (2, 1, 1)
    assert judged([], [down(0, 0)], complete=False).counts["backs_false"] == 0


def test_figures_add_up_by_source_size_and_pair() -> None:
    wrong = judged([lying("6c", 100, 100)], [seen("6s", 100, 100)])
    right = judged([lying("6c", 100, 100)], [seen("6c", 100, 100)])
    figures = summarise([wrong, wrong, right])
    assert [(p.truth, p.read, p.times) for p in figures.pairs] == [("6c", "6s", 2)]
    (source,) = figures.sources
    assert (source.recall, source.precision) == (0.3333, 0.3333)
    assert [(part.low, part.cards) for part in figures.by_size] == [(14.0, 3)]
    assert [(part.low, part.cards) for part in figures.by_blur] == [(None, 3)]  # white paper has no ink
    assert figures.failures["wrong_name"] == 2
    assert figures.outlines.median == 1.0


def test_calibration_error_is_the_mean_distance_of_score_and_truth() -> None:
    bins, error = reliability([(0.9, True)] * 9 + [(0.9, False)] + [(0.55, False)] * 10)
    assert [(b.low, b.readings, b.right) for b in bins] == [(0.5, 10, 0.0), (0.9, 10, 0.9)]
    assert error == pytest.approx(0.275)
    assert reliability([]) == ((), None)


def test_overlap_of_turned_outlines() -> None:
    square = np.array([[0, 0], [2, 0], [2, 2], [0, 2]], np.float32)
    assert quad_iou(square, square[::-1].copy()) == pytest.approx(1)
    assert quad_iou(square, square + np.float32(1)) == pytest.approx(1 / 7)
    assert quad_iou(square, square + np.float32(5)) == 0


@pytest.mark.skipif(not (SHARED / "bench" / "score_cards.py").is_file(), reason="no ../shared/bench here")
def test_the_figures_are_those_of_the_reference_scorer(tmp_path: Path, deck: Deck, detector: OnnxDetector) -> None:
    folder = SHARED / "real" / "val"
    entries = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    some = [
        entry for source in sorted({e["source"] for e in entries}) for entry in entries if entry["source"] == source
    ][::9]
    (tmp_path / "labels.json").write_text(json.dumps(some))
    readings = tmp_path / "readings.jsonl"
    photos = [msgspec.structs.replace(p, image=folder / "images" / p.image.name) for p in load_labels(folder)]
    photos = [p for p in photos if any(p.image.name == Path(entry["image"]).name for entry in some)]
    read = {p.image: detector.detect(read_photo(p.image)) for p in photos}
    readings.write_text(
        "".join(
            json.dumps({
                "image": str(path),
                "cards": [{"card": d.card, "face": d.face} for d in cards if d.is_reported(deck.about.report_score)],
            }) + "\n"
            for path, cards in read.items()
        )
    )  # fmt: skip
    command = [sys.executable, SHARED / "bench" / "score_cards.py", tmp_path / "labels.json", readings]
    done = subprocess.run(command, capture_output=True, text=True)
    theirs = {row.split()[0]: row.split()[1:] for row in done.stdout.splitlines() if re.match(r"\w+ +\d+ ", row)}
    figures = summarise([judge(p, read_photo(p.image), read[p.image], deck.about.report_score) for p in photos])
    assert len(theirs) > 3
    for source in (*figures.sources, figures.all):
        shares = [f"{value:.3f}" if value is not None else "nan" for value in (source.recall, source.precision)]
        ours = [source.photos, source.cards, shares[0], source.judged, shares[1], source.unlisted, source.twice]
        assert [str(value) for value in ours] == theirs[source.name]
