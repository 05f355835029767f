"""The record of a table's matches: pictures of events, the replay, the score sheet, files to take away.

The record is open to guests, as the live page is, but for one case: where the house rules allow no
help for the memory, the hand that is being played can't be looked back at.
"""

from itertools import takewhile
from typing import Any

from flask import Blueprint, Response, g, jsonify, request

from vision.errors import KibitzError
from webui.archive import Archive, When
from webui.export import FORMS, encoded, file_name
from webui.history import KeptMatch, Replay, Replays, Step
from webui.house import House
from webui.pages import shell
from webui.profiles import is_name
from webui.roles import Role, needs
from webui.room import Room
from webui.security import Refused


def blueprint(house: House) -> Blueprint:
    record = Blueprint("record", __name__, url_prefix="/t/<table>")
    kept = Replays()

    def replay_of(room: Room, ident: int) -> Replay:
        match = room.history.match(ident)
        if match is None:
            raise Refused(404, "no_match")
        return kept.of(room.info.name, match, room.session if ident == room.match else None)

    @record.get("/replay")
    @needs(Role.PUBLIC)
    def replay_page(table: str) -> Response:
        return _shell(table, "replay.html")

    @record.get("/sheet")
    @needs(Role.PUBLIC)
    def sheet_page(table: str) -> Response:
        return _shell(table, "sheet.html")

    @record.get("/api/events/<int:event>.jpg")
    @needs(Role.GUEST)
    def picture(table: str, event: int) -> Response:
        """The play area just `when`=before or after an event of `match` (default: the one now)."""
        room = house.table(table).room
        ident = request.args.get("match", room.match, type=int)
        when: When = "before" if request.args.get("when") == "before" else "after"
        hidden = g.role < Role.HOST and _hides_hand(room, ident)
        if hidden and event not in {step.event.id for step in _open_steps(room, replay_of(room, ident))}:
            raise Refused(404, "no_picture")
        jpeg = room.archive.get(ident, event, when) if room.archive else None
        if jpeg is None:
            raise Refused(404, "no_picture")
        return Response(jpeg, mimetype="image/jpeg")

    @record.get("/api/pictures")
    @needs(Role.HOST)
    def pictures(table: str) -> Response:
        """Which events of the match now have pictures, and how the archive does."""
        room = house.table(table).room
        return jsonify(match=room.match, events=_kept(room.archive, room.match), **_archive_json(room.archive))

    @record.post("/api/pictures/delete")
    @needs(Role.HOST)
    def delete_pictures(table: str) -> Response:
        """Delete every kept picture of this table; the journal stays."""
        archive = house.table(table).room.archive
        if archive is not None:
            try:
                archive.clear()
            except OSError as error:
                raise KibitzError("pictures_undeleted", path=str(archive.folder), detail=str(error)) from error
        return jsonify(ok=True)

    @record.get("/api/matches")
    @needs(Role.GUEST)
    def matches(table: str) -> Response:
        """The matches in this table's journal, oldest first."""
        room = house.table(table).room
        found = [_match_json(match, room) for match in room.history.matches()]
        return jsonify(matches=found, current=room.match)

    @record.get("/api/matches/<int:match>/steps")
    @needs(Role.GUEST)
    def steps(table: str, match: int) -> Response:
        """Every event of a match with its verdicts and pictures: what the replay's slider runs over."""
        room = house.table(table).room
        replay = replay_of(room, match)
        shown = replay.steps() if g.role is Role.HOST else _open_steps(room, replay)
        pictures = _kept(room.archive, match)
        return jsonify(
            match=_match_json(replay.match, room),
            steps=[_step_json(step, pictures.get(step.event.id, [])) for step in shown],
            withheld=len(replay.match.events) - len(shown),
        )

    @record.get("/api/matches/<int:match>/state")
    @needs(Role.GUEST)
    def state(table: str, match: int) -> Response:
        """The table after the first `step` events, as the live page showed it; `entries` holds the one
        that the step is about."""
        room = house.table(table).room
        replay = replay_of(room, match)
        most = len(replay.match.events) if g.role is Role.HOST else len(_open_steps(room, replay))
        step = max(0, min(request.args.get("step", most, type=int), most))
        session = replay.at(step)
        event = replay.match.events[step - 1] if step else None
        about = None if event is None else event.id if session.judgement(event.id) else event.of
        view = room.view(session, g.role)
        view["entries"] = [entry for entry in view["entries"] if entry["id"] == about]
        return jsonify(step=step, **view)

    @record.get("/api/matches/<int:match>/sheet")
    @needs(Role.GUEST)
    def sheet(table: str, match: int) -> Response:
        """The score sheet of a match."""
        room = house.table(table).room
        replay = replay_of(room, match)
        view = room.view(replay.at(len(replay.match.events)), g.role)
        wanted = {key: view[key] for key in ("game", "seats", "scores", "match")}
        results = replay.at(len(replay.match.events)).match.results
        finish = [{"hand": result.hand, "finish": list(result.finish)} for result in results]
        return jsonify(title=room.info.title, began=replay.match.began, results=finish, **wanted)

    @record.get("/api/matches/<int:match>/export/<form>")
    @needs(Role.HOST)
    def export(table: str, match: int, form: str) -> Response:
        """A match as a file: jsonl, csv (plays) or scores (see `webui/export.py`)."""
        if form not in FORMS:
            raise Refused(404, "not_found")
        wanted = replay_of(house.table(table).room, match).match
        answer = Response(encoded(wanted, form), mimetype=FORMS[form][1])
        answer.headers.set("Content-Disposition", "attachment", filename=file_name(wanted, form))
        return answer

    return record


def _shell(table: str, template: str) -> Response:
    if not is_name(table):
        raise Refused(404, "not_found")
    return shell(template)


def _open_steps(room: Room, replay: Replay) -> tuple[Step, ...]:
    """The steps that a guest may look back at."""
    steps = replay.steps()
    if not _hides_hand(room, replay.match.id):
        return steps
    running = room.session.match.hand_no
    return tuple(takewhile(lambda step: step.hand < running, steps))


def _hides_hand(room: Room, match: int) -> bool:
    """Whether guests may not look back at the hand that is being played."""
    now = room.session.match
    if match != room.match or now.over or now.table.hand.over:
        return False
    return not (now.rules.memory_aid and now.rules.discards_visible)


def _kept(archive: Archive | None, match: int) -> dict[int, list[When]]:
    return {} if archive is None else archive.kept(match)


def _archive_json(archive: Archive | None) -> dict[str, Any]:
    if archive is None:
        return {"kept": False, "count": 0, "size": 0, "problem": None, "left_out": 0}
    status = archive.status
    return {
        "kept": True,
        "count": status.pictures,
        "size": status.size,
        "problem": status.problem,
        "left_out": status.left_out,
    }


def _match_json(match: KeptMatch, room: Room) -> dict[str, Any]:
    return {
        "id": match.id,
        "began": match.began,
        "game": match.game,
        "names": list(match.setup.names),
        "events": len(match.events),
        "now": match.id == room.match,
    }


def _step_json(step: Step, pictures: list[When]) -> dict[str, Any]:
    event = step.event
    return {
        "id": event.id,
        "t": event.t,
        "at": step.accepted,
        "kind": event.kind,
        "of": event.of,
        "hand": step.hand,
        "verdict": step.verdict,
        "pictures": pictures,
    }
