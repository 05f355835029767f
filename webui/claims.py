"""What a phone may say for its own seat: I sit here, I pass, that was me, I dispute this.

The only things that a guest can change. The host lets guests claim (or not), sees which phone
speaks for which seat, and frees seats.
"""


from flask import Blueprint, Response, g, jsonify, session

from referee.events import CLAIMS
from webui.door import Door
from webui.house import House
from webui.profiles import GUEST_RIGHTS
from webui.roles import Role, needs
from webui.seating import phone_of
from webui.security import Refused, json_body


def blueprint(house: House, door: Door) -> Blueprint:
    claims = Blueprint("claims", __name__, url_prefix="/t/<table>/api")

    def caller() -> str:
        """The phone that asks; each may claim so often."""
        if not door.may_claim(str(session["id"])):
            raise Refused(429, "too_many_attempts")
        return phone_of(str(session["id"]))

    @claims.get("/seat")
    @needs(Role.GUEST)
    def mine(table: str) -> Response:
        """The caller's phone and its seat (null: none)."""
        phone = phone_of(str(session["id"]))
        return jsonify(phone=phone, seat=house.table(table).room.seat_of(phone))

    @claims.post("/seat")
    @needs(Role.GUEST)
    def take(table: str) -> Response:
        """Speak for a seat from now on. Body: {"seat": index, or null to get up}."""
        room, seat = house.table(table).room, json_body().get("seat")
        if seat is not None and type(seat) is not int:
            raise Refused(400, "bad_request")
        phone = caller()
        room.sit(phone, seat)
        return jsonify(phone=phone, seat=seat)

    @claims.post("/claim")
    @needs(Role.GUEST)
    def claim(table: str) -> Response:
        """Say something about the caller's own seat. Body: {"kind", "of"?} as in `referee.events`."""
        room, body = house.table(table).room, json_body()
        if body.get("kind") not in CLAIMS:
            raise Refused(400, "kind_not_allowed", kind=str(body.get("kind")))
        if g.role < Role.HOST and not room.info.guests.get("claims"):
            raise Refused(403, "claims_off")
        phone = caller()
        seat = room.seat_of(phone)
        if seat is None:
            raise Refused(403, "no_seat")
        said = room.decide({"kind": body["kind"], "seat": seat, "of": body.get("of"), "data": {"by": phone}})
        return jsonify(id=said.id)

    @claims.post("/claim/undo")
    @needs(Role.GUEST)
    def undo(table: str) -> Response:
        """Take the caller's own claim back while nothing has followed. Body: {"of": its id}."""
        room, of = house.table(table).room, json_body().get("of")
        phone, events = caller(), room.events
        newest = events[-1] if events else None
        if newest is None or newest.id != of or newest.kind not in CLAIMS or newest.data.get("by") != phone:
            raise Refused(403, "claim_not_newest")
        room.undo(newest.id)
        return jsonify(ok=True)

    @claims.post("/seat/free")
    @needs(Role.HOST)
    def free(table: str) -> Response:
        """Free a seat, whoever speaks for it. Body: {"seat"}."""
        seat = json_body().get("seat")
        if type(seat) is not int:
            raise Refused(400, "bad_request")
        house.table(table).room.free_seats([seat])
        return jsonify(ok=True)

    @claims.post("/guests")
    @needs(Role.HOST)
    def rights(table: str) -> Response:
        """What guests may do from now on, kept with a saved table. Body: {"claims"?, "seen"?}."""
        body = json_body()
        if not body or any(right not in GUEST_RIGHTS or type(may) is not bool for right, may in body.items()):
            raise Refused(400, "bad_request")
        house.allow(table, body)
        return jsonify(ok=True)

    return claims
