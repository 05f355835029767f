"""What a card was read as, reading by reading, and how sure its name is after all of them."""

from collections.abc import Mapping
from typing import NamedTuple


class Vote(NamedTuple):
    """The readings of one name: the sum of their scores, the best score, and how many there were."""

    total: float
    best: float
    readings: int = 1

    def plus(self, other: "Vote") -> "Vote":
        """Both together."""
        return Vote(self.total + other.total, max(self.best, other.best), self.readings + other.readings)


Votes = Mapping[str, Vote]
"""Votes by name."""


def together(votes: Votes, more: Votes) -> dict[str, Vote]:
    """The votes of both."""
    out = dict(votes)
    for name, vote in more.items():
        out[name] = out[name].plus(vote) if name in out else vote
    return out


def leading(votes: Votes) -> str:
    """The name with the most votes, or "?"."""
    return max(votes, key=lambda name: votes[name].total) if votes else "?"


def certainty(votes: Votes) -> float:
    """How sure the leading name is, 0..1: between the best of its readings and their mean, since one
    good look among poor ones is luck more often than proof; less the share of votes for other names."""
    if not votes:
        return 0.0
    vote = votes[leading(votes)]
    share = vote.total / sum(one.total for one in votes.values())
    return share * (vote.best + vote.total / vote.readings) / 2
