"""The table as its host set it up: `table.json`."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from tracker.geometry import Floats, area, homography, inverse, transform
from vision.errors import KibitzError

TABLE_MM = (900.0, 900.0)
"""Width and depth of a table whose file doesn't say (`table_mm`)."""
_LONGEST = 20_000
_Kind = TypeVar("_Kind")


@dataclass(frozen=True, slots=True)
class Seat:
    """A place at the table. `edge_px` (2, 2) are the ends of its table edge in picture pixels."""

    index: int
    name: str
    edge_px: Floats


@dataclass(frozen=True, slots=True)
class Table:
    """A set-up table. Polygons are (n, 2) in pixels of a picture of `size` (width, height);
    `to_mm` is the homography from pixels to table millimetres."""

    size: tuple[int, int]
    to_mm: NDArray[np.float64]
    play_area: Floats
    seats: tuple[Seat, ...]
    discard_area: Floats | None = None
    stock: Floats | None = None
    direction: str | None = None
    first_leader: int | None = None
    dealer: int | None = None
    hands: tuple[int, ...] | None = None
    game: str | None = None
    options: Mapping[str, Any] | None = None

    def moved(self, shift: NDArray[np.float64]) -> "Table":
        """The same table seen by a bumped camera; `shift` (3, 3) maps old pixels to new ones."""

        def at(points: Floats) -> Floats:
            return transform(shift, points)

        return replace(
            self,
            to_mm=self.to_mm @ inverse(shift),
            play_area=at(self.play_area),
            discard_area=None if self.discard_area is None else at(self.discard_area),
            stock=None if self.stock is None else at(self.stock),
            seats=tuple(replace(s, edge_px=at(s.edge_px)) for s in self.seats),
        )


def load_table(path: Path) -> Table:
    """Read `table.json`.

    Raises KibitzError: table_missing, table_corrupt (not JSON), table_field (naming the field and
    what it needs).
    """
    document = load_document(path)
    try:
        return parse_table(document)
    except KibitzError as error:
        raise KibitzError(error.code, path=str(path), **error.params) from error


def load_document(path: Path) -> dict[str, Any]:
    """The JSON object in a file. Raises KibitzError: table_missing, table_corrupt."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise KibitzError("table_missing", path=str(path)) from error
    except (OSError, ValueError, RecursionError) as error:
        raise KibitzError("table_corrupt", path=str(path), why=str(error)) from error
    if not isinstance(document, dict):
        raise KibitzError("table_corrupt", path=str(path), why="no JSON object")
    return document


def parse_table(document: Mapping[str, Any]) -> Table:
    """A table from the JSON object. Raises KibitzError table_field."""
    width, depth = _sides(document, "table_mm") if document.get("table_mm") else TABLE_MM
    target = np.array([[0, 0], [width, 0], [width, depth], [0, depth]], np.float32)
    size = _sides(document, "size")
    return Table(
        size=(round(size[0]), round(size[1])),
        to_mm=homography(table_corners(document), target),
        play_area=_points(document, "play_area_px", 3),
        seats=_seats(document),
        discard_area=_points(document, "discard_area_px", 3) if document.get("discard_area_px") else None,
        stock=_points(document, "stock_px", 3) if document.get("stock_px") else None,
        direction=_choice(document, "direction", ("cw", "ccw")),
        first_leader=_whole(document, "first_leader"),
        dealer=_whole(document, "dealer"),
        hands=_hands(document),
        game=_of_type(document, "game", str, "the name of a ruleset"),
        options=_of_type(document, "options", dict, "an object of option names and values") or {},
    )


def _points(document: Mapping[str, Any], field: str, least: int, where: str = "") -> Floats:
    """Points (n, 2); `where` names the place of a nested document."""
    needs = f"at least {least} points [x, y] in pixels"
    try:
        points = np.array(document.get(field), np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise KibitzError("table_field", field=where + field, needs=needs) from error
    if points.ndim != 2 or points.shape[1] != 2 or len(points) < least or not (np.abs(points) <= _LONGEST).all():
        raise KibitzError("table_field", field=where + field, needs=needs)
    return points.astype(np.float32)


def _sides(document: Mapping[str, Any], field: str) -> tuple[float, float]:
    value = document.get(field)
    if (
        not isinstance(value, list)
        or len(value) != 2
        or not all(type(v) in (int, float) and 1 <= v <= _LONGEST for v in value)
    ):
        raise KibitzError("table_field", field=field, needs=f"[width, height], each from 1 to {_LONGEST}")
    return float(value[0]), float(value[1])


def table_corners(document: Mapping[str, Any]) -> Floats:
    """The corners (4, 2) of a table file's JSON object. Raises KibitzError table_field."""
    corners = _points(document, "table_px", 4)
    # Three corners in a line, or crossing sides, would give a map that turns the table inside out.
    if len(corners) != 4 or not cv2.isContourConvex(corners) or area(corners) < 100:
        raise KibitzError("table_field", field="table_px", needs="the 4 corners of the table, going round it")
    return corners


def _hands(document: Mapping[str, Any]) -> tuple[int, ...] | None:
    value = document.get("hands")
    if value is None or value == []:
        return None
    if not isinstance(value, list) or not all(type(n) is int and n >= 0 for n in value):
        raise KibitzError("table_field", field="hands", needs="a list of whole numbers from 0")
    return tuple(value)


def _of_type(document: Mapping[str, Any], field: str, kind: type[_Kind], needs: str) -> _Kind | None:
    value = document.get(field)
    if value is not None and not isinstance(value, kind):
        raise KibitzError("table_field", field=field, needs=needs)
    return value


def _seats(document: Mapping[str, Any]) -> tuple[Seat, ...]:
    seats = document.get("seats")
    if not isinstance(seats, list) or len(seats) < 2:
        raise KibitzError("table_field", field="seats", needs="a list of at least 2 seats")
    out = []
    for number, seat in enumerate(seats):
        if not isinstance(seat, dict) or seat.get("index") != number:
            raise KibitzError("table_field", field=f"seats[{number}].index", needs=f"the number {number}")
        edge = _points(seat, "edge_px", 2, f"seats[{number}].")
        out.append(Seat(number, str(seat.get("name") or number), edge))
    return tuple(out)


def _choice(document: Mapping[str, Any], field: str, allowed: tuple[str, ...]) -> str | None:
    value = document.get(field)
    if value is not None and value not in allowed:
        raise KibitzError("table_field", field=field, needs=" or ".join(allowed))
    return value


def _whole(document: Mapping[str, Any], field: str) -> int | None:
    value = document.get(field)
    if value is not None and (type(value) is not int or value < 0):
        raise KibitzError("table_field", field=field, needs="a whole number from 0")
    return value
