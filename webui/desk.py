"""The host's desk: decisions of people, sent as events of the referee."""

from collections.abc import Callable

from flask import Blueprint, Response, jsonify, request

from referee.errors import RulesError
from referee.events import DECISIONS, OBSERVATIONS
from webui.roles import Role, needs
from webui.room import Room
from webui.security import Refused


def blueprint(room: Room, again: Callable[[], None]) -> Blueprint:
    desk = Blueprint("desk", __name__, url_prefix="/api")

    @desk.post("/events")
    @needs(Role.HOST)
    def event() -> Response:
        """Append a decision (or an event that the camera missed) to the journal.

        Body: {"kind", "seat"?, "cards"?, "of"?, "data"?} as in `referee.events`.
        """
        body = request.get_json(silent=True)
        if not isinstance(body, dict):
            raise Refused(400, "bad_request")
        if body.get("kind") not in (*DECISIONS, *OBSERVATIONS):
            raise Refused(400, "kind_not_allowed", kind=str(body.get("kind")))
        try:
            accepted = room.decide(body)
        except RulesError as error:
            raise Refused(400, error.code, **error.params) from error
        return jsonify(id=accepted.id)

    @desk.post("/again")
    @needs(Role.HOST)
    def play_again() -> Response:
        """Play an ended clip once more, as a new match."""
        again()
        return jsonify(ok=True)

    return desk
