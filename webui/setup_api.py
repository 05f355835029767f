"""Setting up a table on the page: for the host only, since it shows the whole picture of the camera.

A set-up is a table file's JSON object, kept as a draft until the table is opened with it. A page names
a camera by an id of `cameras`, never by an address.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

import numpy as np
from flask import Blueprint, Response, jsonify, request

from referee.rules import games
from tracker.calibration import table_corners
from tracker.onecard import table_size
from tracker.propose import Sides, play_area, points, seat_edges
from vision.errors import KibitzError
from webui.cameras import Camera, cameras, thumbnail
from webui.drafts import Drafts
from webui.house import House
from webui.profiles import new_name
from webui.roles import Role, needs
from webui.rulebook import describe, read_out
from webui.security import Refused, json_body
from webui.setup_check import problems

_PICTURE_WAIT_S = 5.0
_KEPT = (
    "size", "table_px", "table_mm", "play_area_px", "discard_area_px", "stock_px", "seats", "direction",
    "first_leader", "dealer", "hands", "game", "options", "title", "guests",
)  # fmt: skip
"""Keys of a profile that the page may set."""


def blueprint(house: House) -> Blueprint:
    setup = Blueprint("setup", __name__, url_prefix="/api/setup")
    drafts = Drafts(house.profiles.folder / "drafts")

    @setup.get("")
    @needs(Role.HOST)
    def begun() -> Response:
        """What is known of a table (?table=NAME, else a new one): its draft, its document as saved,
        the camera, and the games to choose from."""
        name = request.args.get("table") or None
        saved = house.document(name) if name else {}
        source = saved.get("source") or house.offered_source
        return jsonify(
            draft=drafts.load(name),
            document={key: saved[key] for key in _KEPT if key in saved},
            camera=next((one.id for one in _cameras(house) if one.source == source), None),
            game=house.offered_game,
            games=[_short(describe(game)) for game in games()],
        )

    @setup.get("/games/<ruleset>")
    @needs(Role.HOST)
    def game(ruleset: str) -> Response:
        return jsonify(describe(ruleset))

    @setup.get("/cameras")
    @needs(Role.HOST)
    def listed() -> Response:
        return jsonify(cameras=[{"id": one.id, "name": one.name, "guess": one.guess} for one in _cameras(house)])

    @setup.get("/cameras/<camera>/picture")
    @needs(Role.HOST)
    def small(camera: str) -> Response:
        """What a camera shows; an error says why it can't be used."""
        source = _source(house, camera)
        if house.lens.source == source and (newest := house.lens.pictures.after(0, 0.0)):
            return Response(newest.jpeg, mimetype="image/jpeg")
        if title := house.watcher(source):
            raise Refused(409, "camera_watched", title=title)
        return Response(thumbnail(source), mimetype="image/jpeg")

    @setup.post("/camera")
    @needs(Role.HOST)
    def use() -> Response:
        """Look through this camera: {"camera": id}."""
        house.lens.use(_source(house, json_body().get("camera")))
        return jsonify(ok=True)

    @setup.post("/leave")
    @needs(Role.HOST)
    def leave() -> Response:
        house.lens.leave()
        return jsonify(ok=True)

    @setup.get("/camera")
    @needs(Role.HOST)
    def how() -> Response:
        """How the camera that is looked through does."""
        return jsonify(asdict(house.lens.status))

    @setup.get("/picture")
    @needs(Role.HOST)
    def picture() -> Response:
        """The newest whole picture when it isn't number `after`; 204 when none came in time."""
        wait_s = _PICTURE_WAIT_S if house.lens.source else 0.0
        newest = house.lens.newest.after(request.args.get("after", 0, type=int), wait_s)
        if newest is None:
            return Response(status=204)
        answer = Response(newest.jpeg, mimetype="image/jpeg")
        answer.headers["X-Picture"] = str(newest.number)
        return answer

    @setup.post("/propose")
    @needs(Role.HOST)
    def propose() -> Response:
        """Guess table, play area, stock and seats in the picture as it is now: {"seats": n}."""
        return jsonify(house.lens.ask("propose", _seats(json_body())))

    @setup.post("/arrange")
    @needs(Role.HOST)
    def arrange() -> Response:
        """Play area and the edges of {"seats": n} for a table with the corners "table_px"; of its four
        edges "sides_seen" are in the picture."""
        body = json_body()
        corners = table_corners(body)
        edges = seat_edges(corners, _seats(body))
        area = play_area(corners, _sides(body))
        return jsonify(seat_edges=[points(edge) for edge in edges], play_area_px=points(area))

    @setup.post("/look")
    @needs(Role.HOST)
    def look() -> Response:
        """Read the card that lies on the table with the corners {"table_px"}: its name, the size of
        the table by it, and how good the picture is."""
        corners = table_corners(json_body())
        seen = dict(house.lens.ask("look"))
        whole = [card for card in seen["cards"] if card["whole"]] or seen["cards"]
        size = table_size(corners, [np.array(card["quad"], np.float32) for card in whole])
        seen["table_mm"] = size and [round(size.width_mm), round(size.depth_mm)]
        seen["square"] = size is not None and size.plausible
        return jsonify(seen)

    @setup.post("/draft")
    @needs(Role.HOST)
    def keep() -> Response:
        """Keep {"draft"} for {"table"} (null: a new one)."""
        body = json_body()
        if not isinstance(body.get("draft"), dict):
            raise Refused(400, "bad_request")
        drafts.save(_name(body), body["draft"])
        return jsonify(ok=True)

    @setup.post("/forget")
    @needs(Role.HOST)
    def forget() -> Response:
        """Begin again without the draft."""
        drafts.drop(_name(json_body()))
        return jsonify(ok=True)

    @setup.post("/check")
    @needs(Role.HOST)
    def check() -> Response:
        """The faults of {"document"}, and what to say aloud when its rules have none."""
        document = _document(json_body())
        found = problems(document)
        rules_fit = not any(one.field == "game" or one.field.startswith("options") for one in found)
        aloud = read_out(document["game"], document.get("options") or {}) if rules_fit else None
        return jsonify(problems=[asdict(one) for one in found], read_out=aloud)

    @setup.post("/start")
    @needs(Role.HOST)
    def start() -> Response:
        """Save {"document"} for {"table"}, watched by {"camera"}, and open the table; or its faults."""
        body = json_body()
        document, table = _document(body), _name(body)
        source = _source(house, body.get("camera"))
        if found := problems(document):
            return jsonify(problems=[asdict(one) for one in found])
        title = str(document.get("title") or "")
        name = table or new_name(title, [*house.profiles.names(), *(one.info.name for one in house.tables)])
        house.lens.leave()
        before = house.profiles.document(name) if name in house.profiles.names() else {}
        kept = {key: value for key, value in before.items() if key not in _KEPT}
        house.profiles.save(name, {**kept, **document, "source": source})
        house.open(name)
        drafts.drop(table)
        return jsonify(problems=[], name=name)

    return setup


def _cameras(house: House) -> list[Camera]:
    return cameras(_named(house))


def _named(house: House) -> Iterator[str]:
    """The sources that the host named: at the start, or for a table that was saved or is open."""
    if house.offered_source:
        yield house.offered_source
    for name in (*(one.info.name for one in house.tables), *house.profiles.names()):
        try:
            source = house.document(name).get("source")
        except KibitzError:
            continue  # a damaged file names none
        if isinstance(source, str) and source:
            yield source


def _source(house: House, camera: object) -> str:
    """The source that a page's id means. Raises Refused for anything that isn't listed."""
    for one in _cameras(house):
        if one.id == camera:
            return one.source
    raise Refused(404, "camera_unknown")


def _short(game: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in game.items() if key != "options"}


def _name(body: Mapping[str, Any]) -> str | None:
    name = body.get("table")
    if name is not None and not isinstance(name, str):
        raise Refused(400, "bad_request")
    return name or None


def _document(body: Mapping[str, Any]) -> dict[str, Any]:
    document = body.get("document")
    if not isinstance(document, dict):
        raise Refused(400, "bad_request")
    return {key: document[key] for key in _KEPT if document.get(key) is not None}


def _seats(body: Mapping[str, Any]) -> int:
    seats = body.get("seats")
    if type(seats) is not int or not 2 <= seats <= 8:
        raise Refused(400, "bad_request")
    return seats


def _sides(body: Mapping[str, Any]) -> Sides:
    seen = body.get("sides_seen")
    if not isinstance(seen, list) or len(seen) != 4:
        return (True, True, True, True)
    return (seen[0] is True, seen[1] is True, seen[2] is True, seen[3] is True)
