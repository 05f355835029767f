"""The event lines of `kibitz watch` and `kibitz export`: one JSON object for each thing that happened."""

import json
from collections.abc import Mapping
from typing import Any, TextIO

from referee.events import LAID, Event
from referee.verdicts import Derived, Judgement


class EventLines:
    """Writes the contract's lines; inferred events get ids of their own, and fall with the event
    that they were inferred from."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._next = 0
        self._ids: dict[int, int] = {}
        self._inferred: dict[int, list[int]] = {}
        self._passes: dict[int | None, int] = {}
        """The newest pass line of each seat."""

    def event(self, event: Event, judgement: Judgement | None) -> None:
        if event.kind == "retract":
            if event.of is not None and event.of in self._ids:
                self._retract(event.of, event.t)
            return
        for derived in judgement.before if judgement else ():
            self.derived(derived, event)
        self._ids[event.id] = number = self._number()
        if event.kind == "pass":
            self._passes[event.seat] = number
        line: dict[str, Any] = {"id": number, "t": event.t, "event": event.kind, "seat": event.seat,
                                "cards": list(event.cards)}  # fmt: skip
        line["verdict"] = judgement.verdict if judgement else "unsure"
        line["codes"] = list(judgement.codes) if judgement else []
        line["inferred"] = False
        line["certainty"] = round(min(event.certainty, event.seat_certainty), 3)
        if event.of is not None and event.kind not in LAID:
            line["of"] = self._ids.get(event.of)
        self._write(line)
        for derived in judgement.after if judgement else ():
            self.derived(derived, event)

    def _retract(self, event_id: int, t: float) -> None:
        for line in (self._ids[event_id], *self._inferred.pop(event_id, ())):
            self._write({"id": self._number(), "t": t, "event": "retract", "of": line})

    def derived(self, derived: Derived, source: Event) -> None:
        if derived.kind == "not_passed" and derived.seat in self._passes:
            of = self._passes.pop(derived.seat)
            self._write({"id": self._number(), "t": source.t, "event": "retract", "of": of})
        kind = _TOLD.get(derived.kind)
        if kind is None:
            return
        number = self._number()
        if kind == "pass":
            self._passes[derived.seat] = number
        self._inferred.setdefault(source.id, []).append(number)
        self._write({
            "id": number, "t": source.t, "event": kind, "seat": derived.seat, "cards": [],
            "verdict": "ok", "codes": [], "inferred": True, "certainty": 1.0, **_plain(derived.data),
        })  # fmt: skip

    def stats(self, **figures: float) -> None:
        self._write({"event": "stats", **figures})

    def _number(self) -> int:
        self._next += 1
        return self._next - 1

    def _write(self, line: Mapping[str, Any]) -> None:
        self._out.write(json.dumps(line, ensure_ascii=False) + "\n")
        self._out.flush()


_TOLD = {"pass": "pass", "stand_pat": "pass", "round_end": "round_end", "hand_end": "hand_end"}
"""What is inferred, and the event that it is told as."""


def _plain(data: Mapping[str, object]) -> dict[str, object]:
    return {k: (list(v) if isinstance(v, tuple) else v) for k, v in data.items()}
