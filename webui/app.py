"""The web application: blueprints put together, behind the guard."""

from dataclasses import dataclass

from flask import Flask, Response, jsonify
from werkzeug.exceptions import HTTPException

from webui import desk, entry, live, pages
from webui.crowd import Streams, Waits
from webui.door import Door, RandomToken
from webui.room import Room
from webui.security import guard

STREAM_CAP = 220
WAIT_CAP = 64
SPARE_THREADS = 12
"""Threads beyond those that hang on, so that a full house still answers at once."""


@dataclass(frozen=True, slots=True)
class Settings:
    """`names` are the host names that this server answers to; `cookie` the cookie's name (one a
    port, as browsers share cookies between ports); `guest_url` the address for phones, None for
    loopback only."""

    names: frozenset[str]
    cookie: str
    guest_url: str | None


def create_app(room: Room, door: Door, settings: Settings, token: RandomToken) -> Flask:
    """The WSGI application for one table. Raises UndeclaredRole for a view without a role."""
    app = Flask("webui", static_folder=None)
    app.json.ensure_ascii = False  # type: ignore[attr-defined]
    streams = Streams(STREAM_CAP, room.hub.wake)
    app.register_blueprint(pages.blueprint())
    app.register_blueprint(entry.blueprint(door, token, lambda: settings.guest_url))
    app.register_blueprint(live.blueprint(room.hub, room.pictures, streams, Waits(WAIT_CAP)))
    app.register_blueprint(desk.blueprint(room))
    guard(app, door, settings.names, settings.cookie)

    @app.errorhandler(HTTPException)
    def failed(error: HTTPException) -> tuple[Response, int]:
        code = (error.name or "error").lower().replace(" ", "_")
        return jsonify(error={"code": code, "params": {}}), error.code or 500

    return app
