"""Who speaks for which seat: one phone a seat, until it gets up or the host frees the seat.

A phone says it, so it stands in the journal, as {"seat": {"index", "phone"}}; a seat that is free
again has no phone. A match with other players begins with free seats.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from vision.errors import KibitzError

Phones = tuple[str | None, ...]
"""For each seat the phone that speaks for it."""


def phone_of(session: str) -> str:
    """The name of a signed-in device: it tells devices apart and opens nothing."""
    return hashlib.sha256(session.encode()).hexdigest()[:12]


def seated(records: Iterable[Mapping[str, Any]], names: Sequence[str]) -> Phones:
    """The seats of the table of these players, as the journal's records leave them."""
    phones: list[str | None] = [None] * len(names)
    players: Sequence[str] = ()
    for body in records:
        if "match" in body and body["match"].get("names") != players:
            players = body["match"].get("names")
            phones = [None] * len(names)
        if "seat" in body and body["seat"]["index"] < len(phones):
            phones[body["seat"]["index"]] = body["seat"]["phone"]
    return tuple(phones)


def sit(phones: Phones, phone: str, seat: int | None) -> list[dict[str, Any]]:
    """The records with which `phone` takes `seat` and gives up another one; None: it only gets up.

    Raises KibitzError `no_such_seat`, `seat_taken`.
    """
    if seat is not None and not 0 <= seat < len(phones):
        raise KibitzError("no_such_seat", seat=seat, seats=len(phones))
    if seat is not None and phones[seat] not in (None, phone):
        raise KibitzError("seat_taken", seat=seat + 1)
    left = [_record(index, None) for index, one in enumerate(phones) if one == phone and index != seat]
    takes = seat is not None and phones[seat] is None
    return [*left, _record(seat, phone)] if takes and seat is not None else left


def free(phones: Phones, seats: Iterable[int]) -> list[dict[str, Any]]:
    """The records that free those of the seats that are taken."""
    return [_record(seat, None) for seat in seats if 0 <= seat < len(phones) and phones[seat] is not None]


def _record(seat: int, phone: str | None) -> dict[str, Any]:
    return {"seat": {"index": seat, "phone": phone}}
