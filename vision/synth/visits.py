"""Visits of hands to a table: who comes when, what is laid, taken back or swept, and when it is clear."""

import bisect
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from vision.synth.film import CardPose, HandPose, Studio
from vision.synth.hand import HandSprite, draw_hand

FPS = 15
_STEP = 25.0
"""Distance of neighbouring cards of one play, in millimetres."""
_LIFT = 32.0
_IN, _HOLD, _OUT, _GATHER = 0.85, 0.2, 0.6, 0.9
_PAUSE, _PASS, _START, _END = 1.4, 0.4, 1.2, 2.0
"""Seconds: a hand comes, lets go, leaves; a pass; before the first visit and after the last."""

_PLACES = ((0.0, 112.0, 0.0), (-185.0, 0.0, 90.0), (0.0, -112.0, 180.0), (185.0, 0.0, -90.0))
"""Where each seat lays its cards (x, y) and how they are turned, seats clockwise from the near one."""
_ARMS = (
    ((112, 148, 206), (122, 72, 48)),
    ((150, 180, 226), (52, 60, 150)),
    ((84, 116, 176), (70, 70, 74)),
    ((128, 160, 214), (150, 160, 168)),
)  # skin and sleeve of each seat, blue, green, red

Action = Literal["play", "pass", "take_back", "sweep"]
Moment = tuple[tuple[CardPose, ...], tuple[CardPose, ...], HandPose | None]
"""Cards lying, cards held, the hand."""


@dataclass(frozen=True, slots=True)
class Visit:
    """One seat's turn. A sweep takes every card; a pass can't be seen."""

    seat: int
    action: Action
    cards: tuple[str, ...] = ()
    legal: bool | None = None
    codes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Shot:
    """A stretch of film with one hand; times are seconds from the clip's start."""

    begin: float
    visit: Visit
    before: tuple[CardPose, ...]
    after: tuple[CardPose, ...]
    hand: HandSprite
    tip: tuple[float, float]
    away: tuple[float, float]

    @property
    def work(self) -> float:
        """How long the hand stays at its place."""
        return _GATHER + _HOLD if self.visit.action == "sweep" else _HOLD

    @property
    def settled(self) -> float:
        """When the cards lie still, or are off the table."""
        return self.begin + _IN + (0.0 if self.visit.action == "play" else self.work + _OUT)

    @property
    def end(self) -> float:
        return self.begin + _IN + self.work + _OUT

    def at(self, t: float) -> Moment:
        come, go = _ease((t - self.begin) / _IN), _ease((t - self.end + _OUT) / _OUT)
        far = max(1 - come, go)
        x, y = (a + (b - a) * far for a, b in zip(self.tip, self.away, strict=True))
        lift = _LIFT * min(1.0, 3 * far)
        angle = math.degrees(math.atan2(self.tip[1] - self.away[1], self.tip[0] - self.away[0]))
        hand = HandPose(self.hand, x, y, angle, lift)
        shift = x - self.tip[0], y - self.tip[1]
        if self.visit.action == "play":
            laid = [pose for pose in self.after if pose not in self.before]
            if come < 1:
                return self.before, _moved(laid, shift, lift), hand
            return self.after, (), hand
        taken = [pose for pose in self.before if pose not in self.after]
        if self.visit.action == "sweep":
            taken = self._gathered(taken, _ease((t - self.begin - _IN) / _GATHER))
        if go > 0:
            return self.after, _moved(taken, shift, lift), hand
        return (*self.after, *taken), (), hand

    def _gathered(self, cards: Sequence[CardPose], how_far: float) -> list[CardPose]:
        """Cards on their way into one heap under the fingers."""
        x, y = self.tip
        return [
            replace(
                pose,
                x=pose.x + (x + 3 * math.sin(2.4 * i) - pose.x) * how_far,
                y=pose.y + (y + 3 * math.cos(1.7 * i) - pose.y) * how_far,
                angle=pose.angle + 40 * math.sin(1.3 * i + 1) * how_far,
            )
            for i, pose in enumerate(cards)
        ]


@dataclass
class Film:
    """A performed story: what is on the table at any time, and the truth about it."""

    duration: float = 0.0
    events: list[dict[str, Any]] = field(default_factory=list)
    settled: list[tuple[float, tuple[CardPose, ...]]] = field(default_factory=list)
    shots: list[_Shot] = field(default_factory=list)

    def at(self, t: float) -> Moment:
        """Cards lying, cards held and the hand at a time in seconds."""
        number = bisect.bisect_right([shot.begin for shot in self.shots], t) - 1
        if number < 0:
            return (), (), None
        shot = self.shots[number]
        return shot.at(t) if t < shot.end else (shot.after, (), None)


def perform(story: Sequence[Visit], studio: Studio, rng: np.random.Generator) -> Film:
    """Time a story out and place its cards and hands."""
    hands = [draw_hand(skin, sleeve) for skin, sleeve in _ARMS]
    film = Film()
    lying: tuple[CardPose, ...] = ()
    t = _START
    film.settled.append((round(t - 0.2, 2), lying))
    for visit in story:
        if visit.action == "pass":
            t += _PASS
            film.events.append(_event(visit, (), t, t))
            continue
        names = visit.cards or tuple(pose.name for pose in lying)
        after = tuple(pose for pose in lying if pose.name not in names)
        if visit.action == "play":
            after = (*lying, *_row(visit, rng))
        tip, away = _reach(visit, rng)
        shot = _Shot(t, visit, lying, after, hands[visit.seat], tip, away)
        film.shots.append(shot)
        film.events.append(_event(visit, names, shot.settled, shot.end))
        lying, t = after, shot.end + _PAUSE
        film.settled.append((round(t - 0.2, 2), lying))
    film.duration = t - _PAUSE + _END
    return film


def _event(visit: Visit, names: tuple[str, ...], settled: float, clear: float) -> dict[str, Any]:
    event: dict[str, Any] = {
        "seat": visit.seat, "action": visit.action, "cards": list(names),
        "t_settled": round(settled, 2), "t_clear": round(clear, 2),
        "legal": True if visit.action == "pass" else visit.legal,
    }  # fmt: skip
    if visit.codes:
        event["codes"] = list(visit.codes)
    if visit.action == "pass":
        event["visible"] = False
    return event


def _row(visit: Visit, rng: np.random.Generator) -> list[CardPose]:
    """The cards of a play side by side as its player sees them, laid by a human hand."""
    x, y, turn = _PLACES[visit.seat]
    turn += rng.normal(0, 4)
    x, y = x + rng.normal(0, 5), y + rng.normal(0, 5)
    along = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    out = []
    for i, name in enumerate(visit.cards):
        offset = (i - (len(visit.cards) - 1) / 2) * _STEP + rng.normal(0, 1)
        place = x + offset * along[0] + rng.normal(0, 1), y + offset * along[1] + rng.normal(0, 1)
        out.append(CardPose(name, *place, turn + rng.normal(0, 1.5)))
    return out


def _reach(visit: Visit, rng: np.random.Generator) -> tuple[tuple[float, float], tuple[float, float]]:
    """Where the fingertip goes, and where it comes from, beyond the picture's edge."""
    x, y, turn = _PLACES[visit.seat]
    out = -math.sin(math.radians(turn)), math.cos(math.radians(turn))  # from the middle to the player
    side = out[1], -out[0]
    back, beside = (-60.0, 0.0) if visit.action == "sweep" else (16.0, 12.0)
    tip = x + back * out[0] + beside * side[0], y + back * out[1] + beside * side[1]
    far, askew = 560.0 if visit.seat % 2 else 470.0, rng.normal(60, 15)
    return tip, (far * out[0] + askew * side[0], far * out[1] + askew * side[1])


def _moved(cards: Sequence[CardPose], shift: tuple[float, float], lift: float) -> tuple[CardPose, ...]:
    return tuple(replace(p, x=p.x + shift[0], y=p.y + shift[1], lift=lift) for p in cards)


def _ease(u: float) -> float:
    """A reaching movement's course: still, fast, still (minimum jerk); 0..1, clamped."""
    u = min(1.0, max(0.0, u))
    return u * u * u * (10 - 15 * u + 6 * u * u)
