"""The host's desk: decisions of people, sent as events of the referee."""

from typing import Any

from flask import Blueprint, Response, jsonify

from referee.events import DECISIONS, OBSERVATIONS
from referee.match import FIXED_OPTIONS
from webui.house import House
from webui.roles import Role, needs
from webui.rulebook import describe
from webui.security import Refused, json_body

_FIELDS = ("kind", "seat", "cards", "of", "data")


def blueprint(house: House) -> Blueprint:
    desk = Blueprint("desk", __name__, url_prefix="/t/<table>/api")

    @desk.post("/events")
    @needs(Role.HOST)
    def event(table: str) -> Response:
        """Append a decision (or an event that the camera missed) to the journal.

        Body: {"kind", "seat"?, "cards"?, "of"?, "data"?} as in `referee.events`; or {"events": [...]},
        several that are accepted together or not at all. Answer: {"id"} of the first.
        """
        body = json_body()
        lines = [_line(one) for one in (body["events"] if isinstance(body.get("events"), list) else [body])]
        return jsonify(id=house.table(table).room.decide_all(lines)[0].id)

    @desk.post("/undo")
    @needs(Role.HOST)
    def undo(table: str) -> Response:
        """Take back the newest decision. Body: {"of": its id}, so that two hosts undo it once."""
        ident = json_body().get("of")
        if type(ident) is not int:
            raise Refused(400, "bad_request")
        house.table(table).room.undo(ident)
        return jsonify(ok=True)

    @desk.post("/match")
    @needs(Role.HOST)
    def new_match(table: str) -> Response:
        """End the match that is played and begin a new one."""
        house.table(table).room.begin_match()
        return jsonify(ok=True)

    @desk.get("/rules")
    @needs(Role.HOST)
    def rules(table: str) -> Response:
        """The game's house rules: `now` in this hand, `next` from the next hand on; `fixed` can't be
        changed in a match."""
        match = house.table(table).room.session.match
        coming = match.setup.rules(match.changes)
        return jsonify(
            game=describe(match.rules.ruleset),
            now=dict(match.rules.options),
            next=dict(coming.options),
            fixed=list(FIXED_OPTIONS),
        )

    @desk.post("/again")
    @needs(Role.HOST)
    def play_again(table: str) -> Response:
        """Play an ended clip once more, as a new match."""
        house.table(table).again()
        return jsonify(ok=True)

    return desk


def _line(said: object) -> dict[str, Any]:
    """What a page may say of an event; its number, time and certainties are not the page's to give."""
    if not isinstance(said, dict):
        raise Refused(400, "bad_request")
    if said.get("kind") not in (*DECISIONS, *OBSERVATIONS):
        raise Refused(400, "kind_not_allowed", kind=str(said.get("kind")))
    return {name: said[name] for name in _FIELDS if said.get(name) is not None}
