"""Which of two packs reads an owner's deck better: judged on photos that neither was trained on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from vision.deck import Deck
from vision.detector import OnnxDetector
from vision.evaluate.judge import judge
from vision.evaluate.labels import LabelledPhoto
from vision.types import Image

_SURER = 0.03


@dataclass(frozen=True, slots=True)
class Result:
    """Of `cards` on photos, how many were named right; how many names were `wrong`: said of a card that
    lies there under another name, or where the photo has no such card; and the mean score of the
    right names over all cards, 0..1."""

    cards: int
    right: int
    wrong: int
    sure: float


def examine(
    deck: Deck, photos: Sequence[tuple[Image, LabelledPhoto]], done: Callable[[float], None] = lambda _: None
) -> Result:
    """Read the photos with a pack; `done` hears the share that is read."""
    detector = OnnxDetector(deck)
    cards = right = wrong = 0
    sure = 0.0
    for number, (image, photo) in enumerate(photos, 1):
        least = deck.about.report_score
        seen = detector.detect(image)
        one = judge(photo, image, seen, least)
        cards += one.counts["cards"]
        right += one.counts["found"]
        wrong += sum(failure.kind in ("wrong_name", "false_card", "twice") for failure in one.failures)
        names = {label.card for label in photo.objects}
        sure += sum(max(d.score for d in seen if d.card == name) for name in names & {d.card for d in seen})
        done(number / len(photos))
    return Result(cards, right, wrong, sure / cards if cards else 0.0)


def better(before: Result, after: Result) -> bool:
    """Whether the second is worth using: more cards read, wrong names taken off; or as many, and surer,
    with no more names wrong."""
    gain = (after.right - after.wrong) - (before.right - before.wrong)
    return gain > 0 or (gain == 0 and after.wrong <= before.wrong and after.sure > before.sure + _SURER)
