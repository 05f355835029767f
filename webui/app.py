"""The web application: blueprints put together, behind the guard."""

from collections.abc import Callable
from dataclasses import dataclass

from flask import Flask, Response, jsonify
from werkzeug.exceptions import HTTPException

from webui import desk, entry, live, pages
from webui.crowd import STREAM_CAP, WAIT_CAP, Streams, Waits
from webui.door import Door, RandomToken
from webui.room import Room
from webui.security import guard


@dataclass(frozen=True, slots=True)
class Settings:
    """`names` are the host names that this server answers to; `cookie` the cookie's name (one a
    port, as browsers share cookies between ports); `guest_url` the address for phones, None for
    loopback only."""

    names: frozenset[str]
    cookie: str
    guest_url: str | None


def create_app(room: Room, door: Door, settings: Settings, token: RandomToken, again: Callable[[], None]) -> Flask:
    """The WSGI application for one table; `again` replays a clip that has ended.

    Raises UndeclaredRole for a view that has not said who may call it.
    """
    app = Flask("webui", static_folder=None)
    app.json.ensure_ascii = False  # type: ignore[attr-defined]
    app.url_map.merge_slashes = False
    streams = Streams(STREAM_CAP, room.hub.wake)
    app.register_blueprint(pages.blueprint())
    app.register_blueprint(entry.blueprint(door, token, lambda: settings.guest_url))
    app.register_blueprint(live.blueprint(room.hub, room.pictures, streams, Waits(WAIT_CAP)))
    app.register_blueprint(desk.blueprint(room, again))
    app.extensions["streams"] = streams
    guard(app, door, settings.names, settings.cookie)

    @app.errorhandler(HTTPException)
    def failed(error: HTTPException) -> tuple[Response, int]:
        code = (error.name or "error").lower().replace(" ", "_")
        return jsonify(error={"code": code, "params": {}}), error.code or 500

    return app
