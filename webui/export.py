"""A match as a file for other programs: the events as JSON lines, plays and scores as CSV.

Every form tells the match as it stands after all corrections. The JSON lines are those of `kibitz
watch`. A CSV cell never begins with what a spreadsheet would run as a formula: names come from people.
"""

import csv
import io
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, datetime

from referee.cards import sort_cards
from referee.events import OBSERVATIONS, Event
from referee.session import Session, fold
from referee.verdicts import Judgement
from webui.history import KeptMatch
from webui.lines import EventLines

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""Beginnings that spreadsheets take for a formula (the wide ones where Chinese is written)."""


def to_jsonl(match: KeptMatch) -> str:
    """Every event with its verdict, one JSON line each, what was inferred included."""
    session = fold(match.setup, match.events)
    out = io.StringIO()
    lines = EventLines(out)
    told = {event.id: event for event in match.events}
    for judged in session.judgements:
        event = _event(judged, told.get(judged.event_id))
        if event.kind in OBSERVATIONS:
            lines.event(event, judged)
        else:  # a person's decision has no line, what follows from it has
            for derived in (*judged.before, *judged.after):
                lines.derived(derived, event)
    return out.getvalue()


def plays_csv(match: KeptMatch) -> str:
    """One row for each thing that happened: hand, time, player, cards, verdict and its reasons."""
    session = fold(match.setup, match.events)
    times = {event.id: at for event, at in zip(match.events, match.accepted, strict=True)}
    rows: list[list[object]] = [["hand", "event", "time", "seconds", "seat", "player", "kind", "cards", "combination",
                                 "verdict", "codes", "certainty", "inferred"]]  # fmt: skip
    for judged in session.judgements:
        when = _iso(times[judged.event_id]) if judged.event_id in times else ""
        place: list[object] = [judged.hand, judged.event_id, when, judged.t]
        passes = [seat for seat in judged.inferred_passes if seat is not None]
        rows += [[*place, *_player(match, seat), "pass", "", "", "ok", "", 1.0, "yes"] for seat in passes]
        kind = _kind(judged)
        if kind in OBSERVATIONS:
            cards = " ".join(sort_cards(judged.cards))
            certainty = round(judged.certainty, 3)
            what: list[object] = [kind, cards, _combination(judged), judged.verdict, " ".join(judged.codes)]
            rows.append([*place, *_player(match, judged.seat), *what, certainty, "no"])
    return _csv(rows)


def scores_csv(match: KeptMatch) -> str:
    """One row a finished hand, one column a side, and the totals."""
    session = fold(match.setup, match.events)
    heads = [" + ".join(_name(match, seat) for seat in side) for side in sides(session)]
    rows: list[list[object]] = [["hand", *heads]]
    rows += [[result.hand, *result.points] for result in session.match.results]
    return _csv([*rows, ["total", *session.match.totals]])


FORMS: dict[str, tuple[str, str, Callable[[KeptMatch], str]]] = {
    "jsonl": ("events.jsonl", "application/x-ndjson", to_jsonl),
    "csv": ("plays.csv", "text/csv", plays_csv),
    "scores": ("scores.csv", "text/csv", scores_csv),
}
"""For each form: the end of its file name, its media type, and what makes it."""


def encoded(match: KeptMatch, form: str) -> bytes:
    """The file as it is saved. CSV begins with a byte order mark: without one, spreadsheets take
    Chinese names for something else."""
    _, mime, make = FORMS[form]
    return make(match).encode("utf-8-sig" if mime == "text/csv" else "utf-8")


def file_name(match: KeptMatch, form: str) -> str:
    """A name that says which match it is: its beginning and its game."""
    began = datetime.fromtimestamp(match.began).strftime("%Y-%m-%d-%H%M")
    return f"kibitz-{began}-{match.setup.ruleset}-{FORMS[form][0]}"


def sides(session: Session) -> list[list[int]]:
    """The seats of each side that scores: every seat for itself, or the teams."""
    rules = session.match.rules
    found: dict[int, list[int]] = {}
    for seat in range(rules.seats):
        found.setdefault(rules.team(seat), []).append(seat)
    return [found[side] for side in sorted(found)]


def inert(text: str) -> str:
    """The text as a cell that no spreadsheet runs."""
    return f"'{text}" if text.lstrip(" ").startswith(_FORMULA) else text


def _csv(rows: Iterable[Iterable[object]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\r\n")
    for row in rows:
        writer.writerow([inert(cell) if isinstance(cell, str) else cell for cell in row])
    return out.getvalue()


def _event(judged: Judgement, told: Event | None) -> Event:
    """The event as it stands after corrections."""
    known = told or Event(judged.event_id, judged.t, judged.kind)
    return replace(known, kind=_kind(judged), t=judged.t, seat=judged.seat, cards=judged.cards,
                   certainty=judged.certainty, seat_certainty=1.0)  # fmt: skip


def _kind(judged: Judgement) -> str:
    """A pass that the player claimed is a pass."""
    return "pass" if judged.kind == "claim_pass" else judged.kind


def _name(match: KeptMatch, seat: int) -> str:
    return match.setup.names[seat] if seat < len(match.setup.names) else ""


def _player(match: KeptMatch, seat: int | None) -> list[object]:
    """Seat number as the table file counts, and name; empty when nobody knows who it was."""
    return ["", ""] if seat is None else [seat, _name(match, seat)]


def _combination(judged: Judgement) -> str:
    played = judged.params.get("played")
    return str(played.get("type", "")) if isinstance(played, dict) else ""


def _iso(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")
