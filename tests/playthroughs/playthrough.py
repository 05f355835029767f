"""Golden games as text: how to read them, replay them and write down what the referee says.

    game: upstream                     the set-up: game, players, then optional counts, leader,
    players: An Bo Cai                 dealer, option (one a line: name=value)
    counts: 3 3 3
    leader: An

    An: 5c                             => ok
    Cai: 7c                            => ok; passed Bo
    table: sweep                       => ok; passed Bo, An; round Cai
    host: {"kind": "retract", "of": 1} => judged again: ...

Left of "=>" is what happened, right of it what the referee says. Words before cards: `discard`,
`show`, `take back`; `pass`, `draw`; an event may end with data in JSON. Events are numbered from 0;
lines that begin with "#" are remarks. After "= " stands the state of the match.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.cards import format_cards
from referee.corrections import is_correction
from referee.events import Event, from_json
from referee.match import ClimbingState, Match
from referee.rules import load_game
from referee.session import MatchSetup, Session, advance, fold
from referee.verdicts import Derived, Judgement

_VERBS = ("discard", "show", "take back", "pass", "draw", "sweep")


@dataclass(frozen=True)
class Game:
    """A golden game: its set-up and its lines (comments and blank ones too)."""

    setup: MatchSetup
    lines: tuple[str, ...]


def read(path: Path) -> Game:
    """A golden game from its file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    head: dict[str, str] = {}
    options: dict[str, object] = {}
    for line in lines:
        name, _, value = line.partition(": ")
        if name not in ("game", "players", "counts", "leader", "dealer", "option"):
            if line and not line.startswith("#"):
                break
        elif name == "option":
            key, _, text = value.partition("=")
            options[key.strip()] = load_game(head["game"]).read(key.strip(), text)
        else:
            head[name] = value.strip()
    names = tuple(head["players"].split())
    counts = tuple(int(word) for word in head.get("counts", "").split()) or None
    setup = MatchSetup(
        head["game"],
        names,
        options,
        counts,
        names.index(head["leader"]) if "leader" in head else None,
        names.index(head["dealer"]) if "dealer" in head else None,
    )
    return Game(setup, tuple(lines))


def replay(game: Game) -> Iterator[tuple[str, str]]:
    """Each line of the game, and the line as the referee would have it."""
    session = fold(game.setup, [])
    number = 0
    for line in game.lines:
        left, arrow, _ = line.partition("=>")
        if line.startswith("= "):
            yield line, f"= {state(session.match)}"
        elif not arrow or line.startswith("#"):
            yield line, line
        else:
            event = parse(left.strip(), number, game.setup.names)
            number += 1
            before = session
            session = advance(session, event)
            said = verdict(before, session, event)
            yield line, f"{left}=> {said}"
    assert fold(game.setup, session.events) == session


def parse(text: str, number: int, names: tuple[str, ...]) -> Event:
    """One event of a golden game."""
    who, _, what = text.partition(": ")
    if who == "host":
        return from_json({"t": float(number), **json.loads(what), "id": number})
    what, brace, data = what.partition("{")
    line: dict[str, Any] = {"id": number, "t": float(number), "kind": "play"}
    line["data"] = json.loads(brace + data) if brace else {}
    for verb in _VERBS:
        if what.startswith(verb):
            line["kind"], what = verb.replace(" ", "_"), what[len(verb) :]
    for key in ("certainty", "seat_certainty", "of"):
        if key in line["data"]:
            line[key] = line["data"].pop(key)
    if who in names:
        line["seat"] = names.index(who)
    line["cards"] = what.split()
    return from_json(line)


def verdict(before: Session, after: Session, event: Event) -> str:
    """What the referee says about an event."""
    if is_correction(event):
        return _rejudged(before, after, event)
    judged = after.judgement(event.id)
    assert judged is not None
    return judgement_text(judged, after.setup.names)


def _rejudged(before: Session, after: Session, event: Event) -> str:
    decision = next((d for d in after.decisions if d.event_id == event.id), None)
    if decision is not None and decision.code:
        return decision.code
    old = {judged.event_id: judged for judged in before.judgements}
    new = {judged.event_id: judged for judged in after.judgements}
    gone = [f"{number} gone" for number in old if number not in new]
    names = after.setup.names
    changed = [
        f"{number} {judgement_text(judged, names)}"
        for number, judged in new.items()
        if number not in old or judgement_text(old[number], names) != judgement_text(judged, names)
    ]
    return " | ".join([*gone, *changed]) or "nothing changes"


def judgement_text(judged: Judgement, names: tuple[str, ...]) -> str:
    """A verdict and what it implies, in one line."""
    parts = [" ".join((judged.verdict, *judged.codes))]
    if judged.question is not None:
        parts.append(f"ask {judged.question.kind} of {judged.question.of}")
    passed = [names[seat] for seat in judged.inferred_passes]
    if passed:
        parts.append(f"passed {', '.join(passed)}")
    parts += [text for d in (*judged.before, *judged.after) if (text := _derived(d, names))]
    parts += [f"found {found.code} {list(found.events)}" for found in judged.findings]
    return "; ".join(parts)


def _derived(derived: Derived, names: tuple[str, ...]) -> str | None:
    data: Any = derived.data
    if derived.kind == "round_end":
        assert derived.seat is not None
        leader = data["next_leader"]
        text = f"round {names[derived.seat]}"
        if leader != derived.seat:
            text += f", {'nobody knows who' if leader is None else names[leader]} leads"
        drawn = [names[seat] for seat in data["draws"]]
        return text + (f", {' '.join(drawn)} draw" if drawn else "")
    if derived.kind == "hand_end":
        text = f"hand over {' '.join(names[seat] for seat in data['finish'])}"
        text += f", points {' '.join(map(str, data['points']))}"
        if data["open"]:
            text += f", waiting for {' '.join(names[seat] for seat in data['open'])}"
        return text + (", match over" if data["match_over"] else "")
    if derived.kind == "new_hand":
        return f"hand {data['hand']} begins"
    if derived.kind == "stand_pat":
        assert derived.seat is not None
        return f"{names[derived.seat]} stands pat"
    return None


def state(match: Match) -> str:
    """The state of a match in one line."""
    names = match.setup.names
    table = match.table
    parts = [f"hand {match.hand_no}"]
    if isinstance(table, ClimbingState):
        hand = table.hand
        if hand.table is not None and not hand.over:
            parts.append(f"{names[hand.table.seat]} lies {format_cards(hand.table.cards)}")
        parts.append(f"left {' '.join('?' if n is None else str(n) for n in hand.counts)}")
        to_act = hand.to_act
        if hand.stock is not None:
            parts.append(f"stock {hand.stock}")
    else:
        to_act = table.hand.to_act(match.rules)
        parts.append(f"discards {' '.join(card for _, card in table.hand.discards) or 'none'}")
    if to_act is not None:
        parts.append(f"{names[to_act]} to act")
    parts.append(f"totals {' '.join(map(str, match.totals))}")
    if match.over:
        parts.append(f"winners {' '.join(str(side) for side in match.winners)}")
    return "; ".join(parts)
