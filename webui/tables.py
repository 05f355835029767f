"""The tables of the house: which are open, and for the host those that are saved."""

from typing import Any

from flask import Blueprint, Response, g, jsonify

from vision.errors import KibitzError
from webui.errordata import error_data
from webui.house import House
from webui.roles import Role, needs


def blueprint(house: House) -> Blueprint:
    tables = Blueprint("tables", __name__, url_prefix="/api/tables")

    @tables.get("")
    @needs(Role.GUEST)
    def listed() -> Response:
        """The open tables: [{"name", "title"}]; for the host also those that are `closed`, with an
        "error" where their file can't be read."""
        found = [{"name": one.info.name, "title": one.info.title} for one in house.tables]
        if g.role < Role.HOST:
            return jsonify(tables=found)
        opened = {one["name"] for one in found}
        return jsonify(tables=found, closed=[saved(one) for one in house.profiles.names() if one not in opened])

    def saved(name: str) -> dict[str, Any]:
        try:
            return {"name": name, "title": house.profiles.load(name).title}
        except KibitzError as error:
            return {"name": name, "title": name, "error": error_data(error)}

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
