"""The host's desk: decisions of people, sent as events of the referee."""

from flask import Blueprint, Response, jsonify, request

from referee.events import DECISIONS, OBSERVATIONS
from webui.house import House
from webui.roles import Role, needs
from webui.security import Refused


def blueprint(house: House) -> Blueprint:
    desk = Blueprint("desk", __name__, url_prefix="/t/<table>/api")

    @desk.post("/events")
    @needs(Role.HOST)
    def event(table: str) -> Response:
        """Append a decision (or an event that the camera missed) to the journal.

        Body: {"kind", "seat"?, "cards"?, "of"?, "data"?} as in `referee.events`.
        """
        room = house.table(table).room
        body = request.get_json(silent=True)
        if not isinstance(body, dict):
            raise Refused(400, "bad_request")
        if body.get("kind") not in (*DECISIONS, *OBSERVATIONS):
            raise Refused(400, "kind_not_allowed", kind=str(body.get("kind")))
        return jsonify(id=room.decide(body).id)

    @desk.post("/again")
    @needs(Role.HOST)
    def play_again(table: str) -> Response:
        """Play an ended clip once more, as a new match."""
        house.table(table).again()
        return jsonify(ok=True)

    return desk
