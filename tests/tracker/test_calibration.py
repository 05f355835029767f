"""`table.json`: what it means, and every field that can be wrong names itself."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from drawn_table import DOCUMENT
from hypothesis import given
from hypothesis import strategies as st

from tracker.calibration import TABLE_MM, load_table, parse_table
from tracker.geometry import transform
from vision.errors import KibitzError

SEATS: Any = DOCUMENT["seats"]


def with_seat(number: int, **fields: object) -> dict[str, object]:
    """The document with fields of a seat replaced."""
    return {**DOCUMENT, "seats": [{**seat, **fields} if i == number else seat for i, seat in enumerate(SEATS)]}


def test_corners_become_table_millimetres() -> None:
    table = parse_table(DOCUMENT)
    assert table.size == (1280, 720)
    corners = transform(table.to_mm, np.array(DOCUMENT["table_px"], np.float32))
    assert np.allclose(corners, [[0, 0], [900, 0], [900, 900], [0, 900]], atol=0.01)
    assert TABLE_MM == (900, 900)
    assert [(s.index, s.name) for s in table.seats] == [(0, "S"), (1, "W"), (2, "N"), (3, "E")]


def test_another_table_size_counts() -> None:
    table = parse_table({**DOCUMENT, "table_mm": [1200, 800]})
    far = transform(table.to_mm, np.array([[1140, 860]], np.float32))[0]
    assert far == pytest.approx([1200, 800], abs=0.01)


def test_what_need_not_be_there_is_none_and_unknown_keys_are_ignored() -> None:
    bare = {k: v for k, v in DOCUMENT.items() if k not in ("discard_area_px", "stock_px")}
    table = parse_table({**bare, "colour": "green"})
    assert table.discard_area is None
    assert table.stock is None
    assert (table.direction, table.first_leader, table.dealer, table.hands, table.game) == (None,) * 5
    assert table.options == {}


def test_what_was_agreed_is_kept() -> None:
    agreed = {"direction": "ccw", "first_leader": 2, "dealer": 1, "hands": [17, 17, 17, 3], "game": "upstream"}
    table = parse_table({**DOCUMENT, **agreed, "options": {"lockout": True}})
    assert (table.direction, table.first_leader, table.dealer) == ("ccw", 2, 1)
    assert (table.hands, table.game, table.options) == ((17, 17, 17, 3), "upstream", {"lockout": True})


LEFT_OUT = object()
LINE = [[0, 0], [100, 0], [200, 0], [300, 0]]
CROSSED = [[0, 0], [100, 100], [100, 0], [0, 100]]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("size", v) for v in (LEFT_OUT, None, "1280x720", [1280], [1280, 720, 3], [0, 720], [-1, 5], [True, 720],
                                [1e9, 720], ["a", "b"], {"w": 1, "h": 2})),
        *(("table_px", v) for v in (LEFT_OUT, "", [], [[0, 0]] * 3, [[0, 0, 0]] * 4, [1, 2, 3, 4, 5, 6, 7, 8], LINE,
                                    CROSSED, [[0, 0], [9, 0], [9, 9], [0, 9], [0, 5]], [[0, 0]] * 4,
                                    [["x", 0], [1, 0], [1, 1], [0, 1]])),
        *(("table_mm", v) for v in ("900", [900], [0, 900], [900, -1], 900)),
        *(("play_area_px", v) for v in (LEFT_OUT, [], [[1, 2], [3, 4]], [1, 2, 3, 4, 5, 6], [[1, 2], [3], [4, 5]],
                                        [[1, 2], [3, None], [4, 5]], "x", [[float("nan"), 0], [1, 1], [2, 2]])),
        *((f, v) for f in ("discard_area_px", "stock_px") for v in ([[1, 2]], "left", 7, [[1, 2, 3]] * 3)),
        *(("seats", v) for v in (LEFT_OUT, [], SEATS[:1], "four", {"0": SEATS[0]})),
        *(("direction", v) for v in ("left", 1, ["cw"])),
        *((f, v) for f in ("first_leader", "dealer") for v in (-1, 1.5, "0", True, [0])),
        *(("hands", v) for v in (13, "13", [13, -1], [13.0, 13], ["13"], {"0": 13})),
        ("game", 7),
        ("options", ["bombs"]),
        ("options", "bombs=1"),
    ],
)  # fmt: skip
def test_a_bad_field_is_named(tmp_path: Path, field: str, value: object) -> None:
    document = {k: v for k, v in {**DOCUMENT, field: value}.items() if v is not LEFT_OUT}
    path = tmp_path / "table.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(KibitzError) as caught:
        load_table(path)
    assert caught.value.code == "table_field"
    assert caught.value.params["field"] == field
    assert caught.value.params["path"] == str(path)
    assert caught.value.params["needs"]


@pytest.mark.parametrize(
    ("document", "field"),
    [
        (with_seat(1, index=2), "seats[1].index"),
        (with_seat(0, index="0"), "seats[0].index"),
        (with_seat(3, edge_px=[[1, 2]]), "seats[3].edge_px"),
        (with_seat(2, edge_px=None), "seats[2].edge_px"),
        ({**DOCUMENT, "seats": [SEATS[0], "W"]}, "seats[1].index"),
    ],
)
def test_a_bad_field_of_a_seat_is_named(document: dict[str, object], field: str) -> None:
    with pytest.raises(KibitzError) as caught:
        parse_table(document)
    assert (caught.value.code, caught.value.params["field"]) == ("table_field", field)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 2000) | st.floats(allow_nan=True) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=12,
)


@given(st.sampled_from([*sorted(DOCUMENT), "table_mm", "hands", "direction", "dealer", "game", "options"]), json_values)
def test_whatever_stands_in_a_field_it_is_read_or_named(field: str, value: object) -> None:
    caught, table = None, None
    try:
        table = parse_table({**DOCUMENT, field: value})
    except KibitzError as error:
        caught = error
    if table is not None:
        assert np.isfinite(table.to_mm).all()
    if caught is not None:
        assert caught.code == "table_field"
        assert str(caught.params["field"]).split("[")[0] == field


@pytest.mark.parametrize("text", ["", "{", "[]", "7", '"table"', "null", "\ufeffx", '{"size": [1280, 720}'])
def test_a_file_that_is_no_json_object_is_corrupt(tmp_path: Path, text: str) -> None:
    path = tmp_path / "table.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(KibitzError) as caught:
        load_table(path)
    assert caught.value.code == "table_corrupt"
    assert caught.value.params["path"] == str(path)
    assert caught.value.params["why"]


@pytest.mark.parametrize("content", [b"\xff\xfe\x00\x01", b"\x00" * 40, b"[" * 100_000])
def test_bytes_that_are_no_text_are_corrupt(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "table.json"
    path.write_bytes(content)
    with pytest.raises(KibitzError) as caught:
        load_table(path)
    assert caught.value.code == "table_corrupt"


def test_a_folder_and_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(KibitzError) as caught:
        load_table(tmp_path / "none.json")
    assert (caught.value.code, caught.value.params["path"]) == ("table_missing", str(tmp_path / "none.json"))
    with pytest.raises(KibitzError) as caught:
        load_table(tmp_path)
    assert caught.value.code == "table_corrupt"


def test_a_bumped_camera_moves_pixels_and_keeps_millimetres() -> None:
    table = parse_table(DOCUMENT)
    shift = np.array([[1, 0.01, 7], [-0.01, 1, -4], [0, 0, 1]], np.float64)
    moved = table.moved(shift)
    for before, after in (
        (table.play_area, moved.play_area),
        (table.discard_area, moved.discard_area),
        (table.stock, moved.stock),
        (table.seats[2].edge_px, moved.seats[2].edge_px),
    ):
        assert before is not None
        assert after is not None
        assert np.allclose(after, transform(shift, before), atol=1e-3)
        assert np.allclose(transform(moved.to_mm, after), transform(table.to_mm, before), atol=0.01)
