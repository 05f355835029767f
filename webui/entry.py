"""Coming in: the host's token, the guests' code and its QR picture."""

import io
from collections.abc import Callable

import segno
from flask import Blueprint, Response, g, jsonify, request

from webui.door import Door, RandomToken
from webui.house import House
from webui.roles import Role, needs
from webui.security import Refused, admit

GuestUrl = Callable[[], str | None]
"""The address under which phones reach this server; None while it serves loopback only."""


def blueprint(house: House, door: Door, token: RandomToken, guest_url: GuestUrl) -> Blueprint:
    entry = Blueprint("entry", __name__, url_prefix="/api")

    def offered() -> str:
        if not door.may_try(request.remote_addr or ""):
            raise Refused(429, "too_many_attempts")
        body = request.get_json(silent=True)
        key = body.get("key") if isinstance(body, dict) else None
        return key if isinstance(key, str) else ""

    def page() -> str:
        """The path of the page that a link leads to: that of the open table `?table=`, or the list."""
        name = request.args.get("table")
        return "/" if name is None else f"/t/{house.table(name).info.name}/"

    @entry.post("/login")
    @needs(Role.PUBLIC)
    def login() -> Response:
        if not door.take_host_token(offered()):
            raise Refused(403, "token_unknown")
        admit(Role.HOST, token(12), door.generation)
        return jsonify(role="host")

    @entry.post("/join")
    @needs(Role.PUBLIC)
    def join() -> Response:
        if not door.is_guest_code(offered()):
            raise Refused(403, "code_unknown")
        if g.role < Role.GUEST:  # a host who scans the code stays host
            admit(Role.GUEST, token(12), door.generation)
        return jsonify(role="guest" if g.role < Role.HOST else "host")

    @entry.get("/me")
    @needs(Role.PUBLIC)
    def me() -> Response:
        return jsonify(role=g.role.name.lower())

    @entry.get("/invitation")
    @needs(Role.HOST)
    def invitation() -> Response:
        """The address to join at (of the table `?table=`), and the seconds that its code is still good for."""
        code, left = door.guest_code()
        base = guest_url()
        return jsonify(url=base and f"{base}{page()}#join={code}", seconds=round(left))

    @entry.get("/invitation.svg")
    @needs(Role.HOST)
    def picture() -> Response:
        code, _ = door.guest_code()
        base = guest_url()
        if base is None:
            raise Refused(404, "loopback_only")
        out = io.BytesIO()
        segno.make(f"{base}{page()}#join={code}", micro=False, error="m").save(
            out, kind="svg", border=2, light="white", xmldecl=False
        )
        return Response(out.getvalue(), mimetype="image/svg+xml")

    @entry.post("/invitation/revoke")
    @needs(Role.HOST)
    def revoke() -> Response:
        body = request.get_json(silent=True)
        if isinstance(body, dict) and body.get("guests") is True:
            door.revoke_guests()
            for table in house.tables:
                table.room.free_seats()
                table.room.hub.wake()
        else:
            door.revoke_code()
        return jsonify(ok=True)

    @entry.post("/link")
    @needs(Role.HOST)
    def link() -> Response:
        """A one-time link that makes one more device the host's."""
        return jsonify(url=f"{request.host_url.rstrip('/')}{page()}#host={door.new_host_token()}")

    return entry
