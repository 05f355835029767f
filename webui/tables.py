"""The tables of the house: which are open, and for the host those that are saved."""

from flask import Blueprint, Response, g, jsonify

from webui.house import House
from webui.roles import Role, needs


def blueprint(house: House) -> Blueprint:
    tables = Blueprint("tables", __name__, url_prefix="/api/tables")

    @tables.get("")
    @needs(Role.GUEST)
    def listed() -> Response:
        """The open tables: [{"name", "title"}]; for the host also the names of those that are saved
        and closed, and the source that was named at the start."""
        found = [{"name": one.info.name, "title": one.info.title} for one in house.tables]
        if g.role < Role.HOST:
            return jsonify(tables=found)
        opened = {one["name"] for one in found}
        closed = [name for name in house.profiles.names() if name not in opened]
        return jsonify(tables=found, closed=closed, source=house.offered_source)

    @tables.post("/<table>/open")
    @needs(Role.HOST)
    def opened(table: str) -> Response:
        """Open a saved table, or begin it anew with its profile as it is now."""
        house.open(table)
        return jsonify(ok=True)

    @tables.post("/<table>/close")
    @needs(Role.HOST)
    def closed(table: str) -> Response:
        house.close(table)
        return jsonify(ok=True)

    @tables.post("/<table>/delete")
    @needs(Role.HOST)
    def deleted(table: str) -> Response:
        """Close a table and forget its set-up; its journal stays."""
        house.delete(table)
        return jsonify(ok=True)

    return tables
