"""The web application: blueprints put together, behind the guard."""

from dataclasses import dataclass

from flask import Flask, Response, jsonify
from werkzeug.exceptions import HTTPException

from referee.errors import RulesError
from vision.errors import KibitzError
from webui import claims, decks_api, desk, entry, live, pages, record, setup_api, tables
from webui.crowd import STREAM_CAP, WAIT_CAP, Streams, Waits
from webui.door import Door, RandomToken
from webui.errordata import error_data
from webui.house import House
from webui.security import guard
from webui.strictjson import StrictJson


@dataclass(frozen=True, slots=True)
class Settings:
    """`names` are the host names that this server answers to; `cookie` the cookie's name (one a
    port, as browsers share cookies between ports); `guest_url` the address for phones, None for
    loopback only."""

    names: frozenset[str]
    cookie: str
    guest_url: str | None


def create_app(house: House, door: Door, settings: Settings, token: RandomToken) -> Flask:
    """The WSGI application for all tables of a house.

    Raises UndeclaredRole for a view that has not said who may call it.
    """
    app = Flask("webui", static_folder=None)
    app.debug = False  # whatever FLASK_DEBUG says: details of errors are nobody's business
    app.json = StrictJson(app)
    app.url_map.merge_slashes = False
    streams = Streams(STREAM_CAP)
    app.register_blueprint(pages.blueprint())
    app.register_blueprint(entry.blueprint(house, door, token, lambda: settings.guest_url))
    app.register_blueprint(live.blueprint(house, door, streams, Waits(WAIT_CAP)))
    app.register_blueprint(desk.blueprint(house))
    app.register_blueprint(record.blueprint(house))
    app.register_blueprint(claims.blueprint(house, door))
    app.register_blueprint(tables.blueprint(house))
    app.register_blueprint(decks_api.blueprint(house))
    app.register_blueprint(setup_api.blueprint(house))
    app.extensions["streams"] = streams
    guard(app, door, settings.names, settings.cookie)

    @app.errorhandler(KibitzError)
    @app.errorhandler(RulesError)
    def impossible(error: KibitzError | RulesError) -> tuple[Response, int]:
        return jsonify(error=error_data(error)), 400

    @app.errorhandler(HTTPException)
    def failed(error: HTTPException) -> tuple[Response, int]:
        code = (error.name or "error").lower().replace(" ", "_")
        return jsonify(error={"code": code, "params": {}}), error.code or 500

    return app
