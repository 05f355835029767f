"""The life of a card on the table, as a table of transitions.

    candidate   read, but not yet believed: asked for another look
    settled     lies still, its name is voted on
    covered     known to lie there, too little of it shows to be read
    gone        was taken away

A card is a place and a face, not a track number: what is hidden by a hand or by another card is
unknown, not gone.
"""

from dataclasses import dataclass, field
from typing import Literal

from tracker.geometry import Floats
from tracker.votes import Votes, certainty, leading, together
from vision.types import Box, Image

Phase = Literal["candidate", "settled", "covered", "gone"]
Sight = Literal["seen", "hidden", "absent"]
"""What one look says about a known card: read again, nothing to see of it, or not there."""

TRANSITIONS: dict[tuple[Phase, Sight], Phase] = {
    ("candidate", "seen"): "settled",
    ("candidate", "hidden"): "candidate",
    ("candidate", "absent"): "gone",
    ("settled", "seen"): "settled",
    ("settled", "hidden"): "covered",
    ("settled", "absent"): "gone",
    ("covered", "seen"): "settled",
    ("covered", "hidden"): "covered",
    ("covered", "absent"): "gone",
    ("gone", "seen"): "settled",
    ("gone", "hidden"): "gone",
    ("gone", "absent"): "gone",
}


@dataclass(slots=True)
class TableCard:
    """A card on the table. `quad_mm` its rectangle, `quad_px` the same in the picture; `votes`
    are those for its name; `order` counts up as cards are laid: later lies on top;
    `doubt` 0..1 lowers the certainty; `looked`: read again in the current look; `before` and
    `after` are copies of the picture around its laying (see `evidence.py`); `boxes`: its corner
    indices in the picture, as they were last read."""

    track: int
    quad_mm: Floats
    quad_px: Floats
    zone: str
    order: int
    face: str = "up"
    phase: Phase = "candidate"
    play: int = -1
    votes: Votes = field(default_factory=dict)
    back_score: float = 0.0
    doubt: float = 1.0
    looked: bool = False
    before: Image | None = None
    after: Image | None = None
    boxes: tuple[Box, ...] = ()

    def take(self, votes: Votes, score: float) -> None:
        """Add the votes of a visit. Of a back, `score` says how sure it is one."""
        if self.face == "down":
            self.back_score = max(self.back_score, score)
        else:
            self.votes = together(self.votes, votes)

    def sight(self, sight: Sight) -> None:
        """Follow the transition table."""
        self.phase = TRANSITIONS[(self.phase, sight)]

    @property
    def name(self) -> str:
        """The name with the most votes, or "?"."""
        return leading(self.votes)

    @property
    def certainty(self) -> float:
        """How sure the name is; of a back, its score."""
        return self.back_score if self.face == "down" else self.doubt * certainty(self.votes)
