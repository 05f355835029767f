"""What moves on the page: the event stream and the newest picture."""

from collections.abc import Callable, Iterator

from flask import Blueprint, Response, g, request, session

from webui.crowd import Streams, Waits
from webui.door import Door
from webui.house import House
from webui.hub import encode
from webui.roles import Role, needs
from webui.security import Refused

BEAT_S = 5.0
_PICTURE_WAIT_S = 15.0


def blueprint(house: House, door: Door, streams: Streams, waits: Waits) -> Blueprint:
    live = Blueprint("live", __name__, url_prefix="/t/<table>/api")

    def sent_out() -> Callable[[], bool]:
        """Says of the caller, also later on, whether it is a guest who was sent out since it came in."""
        guest, generation = g.role < Role.HOST, session.get("generation")
        return lambda: guest and door.generation != generation

    @live.get("/stream")
    @needs(Role.GUEST)
    def stream(table: str) -> Response:
        hub = house.table(table).room.hub
        seat = streams.seat((str(session["id"]), table), hub.wake)
        replaced = seat.__enter__()  # here, so that a full house is refused with a status
        last = request.headers.get("Last-Event-ID") or request.args.get("last", "")
        vanished: Callable[[], bool] = request.environ.get("waitress.client_disconnected", lambda: False)
        role: Role = g.role
        out = sent_out()

        def events() -> Iterator[bytes]:
            yield from hub.stream(role, last, BEAT_S, lambda: replaced() or vanished() or out())
            if replaced():
                yield encode("replaced", {}, None)

        answer = Response(events(), mimetype="text/event-stream")
        answer.call_on_close(lambda: seat.__exit__(None, None, None))
        return answer

    @live.get("/picture")
    @needs(Role.GUEST)
    def picture(table: str) -> Response:
        """The newest picture when it isn't number `after`; 204 when none came in time."""
        pictures = house.table(table).room.pictures
        after, out = request.args.get("after", 0, type=int), sent_out()
        with waits.seconds(_PICTURE_WAIT_S) as seconds:
            newest = pictures.after(after, seconds)
        if out():
            raise Refused(401, "not_admitted")
        if newest is None:
            return Response(status=204)
        answer = Response(newest.jpeg, mimetype="image/jpeg")
        answer.headers["X-Picture"] = str(newest.number)
        return answer

    return live
