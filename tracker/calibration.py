"""The table as its host set it up: `table.json`."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tracker.geometry import Floats, homography, inverse, transform
from vision.errors import KibitzError

TABLE_MM = (900.0, 900.0)
"""Width and depth of a table whose file doesn't say (`table_mm`)."""


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
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise KibitzError("table_missing", path=str(path)) from error
    except (OSError, ValueError) as error:
        raise KibitzError("table_corrupt", path=str(path), why=str(error)) from error
    if not isinstance(document, dict):
        raise KibitzError("table_corrupt", path=str(path), why="no JSON object")
    try:
        return parse_table(document)
    except KibitzError as error:
        raise KibitzError(error.code, path=str(path), **error.params) from error


def parse_table(document: Mapping[str, Any]) -> Table:
    """A table from the JSON object. Raises KibitzError table_field."""
    size = _points(document, "size", 1, flat=True)[0]
    corners = _points(document, "table_px", 4)
    if len(corners) != 4:
        raise KibitzError("table_field", field="table_px", needs="exactly 4 corners")
    width, depth = document.get("table_mm", TABLE_MM)
    target = np.array([[0, 0], [width, 0], [width, depth], [0, depth]], np.float32)
    return Table(
        size=(int(size[0]), int(size[1])),
        to_mm=homography(corners, target),
        play_area=_points(document, "play_area_px", 3),
        seats=_seats(document),
        discard_area=_points(document, "discard_area_px", 3) if document.get("discard_area_px") else None,
        stock=_points(document, "stock_px", 3) if document.get("stock_px") else None,
        direction=_choice(document, "direction", ("cw", "ccw")),
        first_leader=_whole(document, "first_leader"),
        dealer=_whole(document, "dealer"),
        hands=tuple(int(n) for n in document["hands"]) if document.get("hands") else None,
        game=document.get("game"),
        options=document.get("options") or {},
    )


def _points(document: Mapping[str, Any], field: str, least: int, flat: bool = False) -> Floats:
    value = document.get(field)
    try:
        points = np.array([value] if flat else value, np.float32).reshape(-1, 2)
    except (TypeError, ValueError) as error:
        raise KibitzError("table_field", field=field, needs="a list of [x, y] pixels") from error
    if len(points) < least or not np.isfinite(points).all():
        raise KibitzError("table_field", field=field, needs=f"at least {least} points")
    return points


def _seats(document: Mapping[str, Any]) -> tuple[Seat, ...]:
    seats = document.get("seats")
    if not isinstance(seats, list) or len(seats) < 2:
        raise KibitzError("table_field", field="seats", needs="a list of at least 2 seats")
    out = []
    for number, seat in enumerate(seats):
        if not isinstance(seat, dict) or seat.get("index") != number:
            raise KibitzError("table_field", field=f"seats[{number}].index", needs=f"the number {number}")
        edge = _points(seat, "edge_px", 2)
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
