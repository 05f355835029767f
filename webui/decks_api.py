"""The deck packs on the page, for the host: which there are, a new one, one for a table, trying a photo."""

import secrets
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, jsonify, request

from vision.errors import KibitzError
from vision.packs import MOST_PACKED
from vision.photo import check_header
from webui.apart import apart
from webui.decks import Listed
from webui.errordata import error_data
from webui.house import House
from webui.roles import Role, needs, takes
from webui.security import Refused, json_body
from webui.tryout import take_in, try_photo

MOST_PHOTO = 25_000_000
_SECONDS = 90.0
_LONGEST = 400


def blueprint(house: House) -> Blueprint:
    api = Blueprint("decks", __name__, url_prefix="/api/decks")
    decks = house.decks
    busy = threading.Lock()
    tried: dict[str, bytes] = {}

    @contextmanager
    def alone() -> Iterator[None]:
        """One file at a time: each takes a process and a processor."""
        if not busy.acquire(blocking=False):
            raise Refused(503, "busy_with_file")
        try:
            yield
        finally:
            busy.release()

    @api.get("")
    @needs(Role.HOST)
    def listed() -> Response:
        """The packs with what their cards say, and which saved table names which (None: the one in use)."""
        return jsonify(
            decks=[_row(one) for one in decks.listed()],
            tables=[{"name": name, "title": title, "deck": deck} for name, title, deck in house.deck_choices()],
        )

    @api.post("")
    @needs(Role.HOST)
    @takes(MOST_PACKED, "application/zip")
    def taken_in() -> Response:
        """Take in a deck pack: a zip file as the body."""
        with alone(), _kept_for_now(request.get_data()) as source:
            return jsonify(name=apart(take_in, source, decks.path, seconds=_SECONDS))

    @api.post("/<deck>/use")
    @needs(Role.HOST)
    def use(deck: str) -> Response:
        """Use a pack for tables that name none, from their next start on."""
        decks.use(deck)
        return jsonify(ok=True)

    @api.post("/choose")
    @needs(Role.HOST)
    def choose() -> Response:
        """Name the pack of a saved table, {"table", "deck": NAME | null}; it counts from the table's next
        start on."""
        body = json_body()
        table, deck = body.get("table"), body.get("deck", 0)
        if not isinstance(table, str) or not (deck is None or isinstance(deck, str)):
            raise Refused(400, "bad_request")
        house.choose_deck(table, deck)
        return jsonify(ok=True)

    @api.post("/<deck>/photo")
    @needs(Role.HOST)
    @takes(MOST_PHOTO, "image/jpeg", "image/png", "image/webp")
    def photo(deck: str) -> Response:
        """Read a photo, sent as the body, with a pack; its picture is kept until the next one."""
        data = request.get_data()
        check_header(data, "")
        with alone():
            found = apart(try_photo, data, decks.folder(deck), seconds=_SECONDS)
            number = secrets.token_hex(8)
            tried.clear()
            tried[number] = found.pop("jpeg")
        return jsonify({**found, "picture": number})

    @api.get("/photo/<number>.jpg")
    @needs(Role.HOST)
    def picture(number: str) -> Response:
        """The photo that was tried last, newly encoded."""
        jpeg = tried.get(number)
        if jpeg is None:
            raise Refused(404, "not_found")
        return Response(jpeg, mimetype="image/jpeg")

    return api


@contextmanager
def _kept_for_now(data: bytes) -> Iterator[Path]:
    """A file of these bytes. Raises KibitzError `pack_unwritable`."""
    try:
        with tempfile.TemporaryDirectory(prefix="kibitz-") as folder:
            path = Path(folder) / "pack.zip"
            path.write_bytes(data)
            yield path
    except OSError as error:
        why = error.strerror or str(error)
        raise KibitzError("pack_unwritable", path=str(error.filename or ""), why=why) from error


def _row(one: Listed) -> dict[str, Any]:
    row: dict[str, Any] = {"name": one.name, "in_use": one.in_use}
    if one.deck is None:
        return {**row, "error": one.error and error_data(one.error)}
    about = one.deck.about
    return {
        **row,
        "called": about.name,
        "version": about.version,
        "licence": about.licence,
        "data": _texts(about.data),
        "figures": _texts(about.figures),
        "hashes": [about.locate.sha256[:12], about.read.sha256[:12]],
    }


def _texts(table: Mapping[str, Any]) -> dict[str, str]:
    """A table of a pack's card for people to read."""
    return {key[:80]: str(value)[:_LONGEST] for key, value in list(table.items())[:40]}
