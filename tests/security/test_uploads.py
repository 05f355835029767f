"""SECURITY.md lines 4, 6, 9, 10, 11 where the host sends files: who may, which, and what becomes of them."""

import io
import json
import struct
import tempfile
import zipfile
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from serving import TableServer, Visitor

from vision.deck import shipped_folder
from vision.packs import MOST_PACKED
from webui.decks_api import MOST_PHOTO
from webui.roles import upload_of
from webui.security import MAX_BODY

DATA = Path(__file__).parents[1] / "vision" / "data"
ACES = (DATA / "edje_cam_image8.jpg").read_bytes()
PHOTO = "/api/decks/standard/photo"
UPLOADS = [("/api/decks", "application/zip"), (PHOTO, "image/jpeg"), (PHOTO, "image/png"), (PHOTO, "image/webp")]


def send(visitor: Visitor, path: str, body: bytes, kind: str | None, origin: str | None = "own") -> tuple[int, str]:
    """Status and error code of an upload."""
    headers: dict[str, str | None] = {"Content-Type": kind}
    if origin != "own":
        headers["Origin"] = origin
    status, _, content = visitor.send("POST", path, body, headers)
    return status, json.loads(content).get("error", {}).get("code", "")


def pack(name: str = "Mine") -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as packed:
        for path in shipped_folder().iterdir():
            if path.suffix in (".onnx", ".toml"):
                content = path.read_bytes().replace(b'name = "standard"', f'name = "{name}"'.encode(), 1)
                packed.writestr(path.name, content)
    return out.getvalue()


def bomb(side: int) -> bytes:
    """A small PNG of black that decodes to `side` x `side` pixels."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0))
    packer = zlib.compressobj(9)
    row = bytes(1 + (side + 7) // 8)
    data = b"".join(packer.compress(row) for _ in range(side)) + packer.flush()
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", data) + chunk(b"IEND", b"")


@pytest.mark.parametrize(("path", "kind"), UPLOADS)
def test_4_only_the_host_sends_files(table: TableServer, path: str, kind: str) -> None:
    assert send(table.stranger(), path, b"x", kind) == (401, "not_admitted")
    assert send(table.guest(), path, b"x", kind) == (403, "not_admitted")


@pytest.mark.parametrize(("path", "kind"), UPLOADS)
@pytest.mark.parametrize("origin", [None, "null", "http://evil.example"])
def test_6_a_file_needs_our_own_origin_too(table: TableServer, path: str, kind: str, origin: str | None) -> None:
    assert send(table.host(), path, b"x", kind, origin) == (403, "foreign_origin")


@pytest.mark.parametrize(
    "kind",
    [None, "", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/json",
     "image/svg+xml", "application/octet-stream", "application/x-zip-compressed"],
)  # fmt: skip
@pytest.mark.parametrize("path", ["/api/decks", PHOTO])
def test_6_a_file_of_another_kind_is_refused(table: TableServer, path: str, kind: str | None) -> None:
    assert send(table.host(), path, b"{}", kind) == (415, "wrong_file")


def test_6_no_other_endpoint_takes_files(table: TableServer) -> None:
    host = table.host()
    checked = 0
    for rule in table.app.url_map.iter_rules():
        if "POST" not in (rule.methods or ()) or upload_of(table.app, rule.endpoint):
            continue
        path = rule.rule.replace("<table>", "t").replace("<deck>", "standard").replace("<", "").replace(">", "")
        for kind in ("application/zip", "image/png"):
            assert send(host, path, b"x", kind) == (415, "not_json"), path
        checked += 1
    assert checked > 5


def test_9_a_body_that_is_too_large_is_refused_before_it_is_received(table: TableServer) -> None:
    """Only headers are sent: the answer comes although the body never does."""
    host = table.host()
    for path, kind, most in (("/api/decks", "application/zip", MOST_PACKED), (PHOTO, "image/png", MOST_PHOTO)):
        for visitor, limit in ((host, most), (table.guest(), MAX_BODY), (table.stranger(), MAX_BODY)):
            assert _announce(visitor, path, kind, 2 * limit + 1) == 413, (path, limit)
    assert _announce(host, "/api/link", "application/json", 2 * MAX_BODY + 1) == 413


def _announce(visitor: Visitor, path: str, kind: str, length: int) -> int:
    import socket

    with socket.create_connection(("127.0.0.1", visitor.port), timeout=20) as line:
        lines = [
            f"POST {path} HTTP/1.1", f"Host: 127.0.0.1:{visitor.port}", f"Origin: http://127.0.0.1:{visitor.port}",
            f"Content-Type: {kind}", f"Content-Length: {length}", f"Cookie: {visitor.cookie}", "", "",
        ]  # fmt: skip
        line.sendall("\r\n".join(lines).encode())
        return int(line.recv(4096).split()[1])


def test_9_the_bomb_would_be_large() -> None:
    data = bomb(16_584)
    assert len(data) < 60_000
    assert 3 * 16_584**2 > 825_000_000


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (bomb(16_584), "photo_too_large"),
        (b"", "photo_not_readable"),
        (b"GIF89a" + bytes(40), "photo_not_readable"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "photo_not_readable"),
        (ACES[:2000], "photo_not_readable"),
    ],
)
def test_9_what_is_no_photo_is_refused(table: TableServer, data: bytes, code: str) -> None:
    assert send(table.host(), PHOTO, data, "image/png") == (400, code)


def test_9_a_photo_comes_back_newly_encoded_without_what_its_file_held_besides(table: TableServer) -> None:
    secret = b"Exif\0\0II*\0\x08\0\0\0\0\0\0\0\0\0" + b"GPS 52.5200 N 13.4050 E" + b"<script>alert(1)</script>"
    marked = ACES[:2] + b"\xff\xe1" + struct.pack(">H", len(secret) + 2) + secret + ACES[2:]
    host = table.host()
    status, _, content = host.send("POST", PHOTO, marked, {"Content-Type": "image/jpeg"})
    assert status == 200, content
    found = json.loads(content)
    assert {card["card"] for card in found["cards"]} == {"Ac", "Ad", "Ah", "As"}
    assert {check["name"] for check in found["checks"]} >= {"light", "glare", "focus", "index_size"}
    assert all(0 <= x <= 1 and 0 <= y <= 1 for card in found["cards"] for x, y in card["quad"])
    path = f"/api/decks/photo/{found['picture']}.jpg"
    status, headers, jpeg = host.get(path)
    assert (status, headers["Content-Type"], headers["Cache-Control"]) == (200, "image/jpeg", "no-store")
    assert b"Exif" not in jpeg
    assert b"GPS" not in jpeg
    assert b"script" not in jpeg
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert image.shape[:2] == (found["height"], found["width"])
    # nobody else sees it, and it goes with the next one
    assert table.guest().get(path)[0] == 403
    assert host.send("POST", PHOTO, ACES, {"Content-Type": "image/jpeg"})[0] == 200
    assert host.get(path)[0] == 404


def test_10_11_a_pack_that_the_host_sends_is_checked_and_kept_under_its_own_name(
    table: TableServer, tmp_path: Path
) -> None:
    host = table.host()
    status, _, content = host.send("POST", "/api/decks", pack("../Mine"), {"Content-Type": "application/zip"})
    assert (status, json.loads(content)) == (200, {"name": "mine"})
    assert sorted(p.name for p in (tmp_path / "decks").iterdir()) == ["mine"]
    listed = json.loads(host.get("/api/decks")[2])["decks"]
    assert [(one["name"], one["called"], one["in_use"]) for one in listed[1:]] == [("mine", "../Mine", False)]
    assert all(len(one["hashes"]) == 2 for one in listed)


def test_16_a_pack_that_finds_no_place_on_the_disk_is_told(
    table: TableServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    assert send(table.host(), "/api/decks", b"x", "application/zip") == (400, "pack_unwritable")


@pytest.mark.parametrize("name", ["locate.pt", "../../evil.onnx", "run.py"])
def test_11_the_page_takes_nothing_but_onnx_packs(table: TableServer, tmp_path: Path, name: str) -> None:
    out = io.BytesIO(pack())
    with zipfile.ZipFile(out, "a") as packed:
        packed.writestr(name, b"x")
    assert send(table.host(), "/api/decks", out.getvalue(), "application/zip") == (400, "pack_entry")
    assert list((tmp_path / "decks").glob("*")) == []
    assert send(table.host(), "/api/decks", b"\x80\x04pickle", "application/zip") == (400, "pack_not_zip")


@pytest.mark.parametrize("name", ["../standard", "%2e%2e/standard", "nowhere", "x" * 200])
def test_10_a_decks_name_in_an_address_is_no_path(table: TableServer, name: str) -> None:
    host = table.host()
    assert host.send("POST", f"/api/decks/{name}/use", {})[0] in (400, 404, 405)
    assert send(host, f"/api/decks/{name}/photo", ACES, "image/jpeg")[0] in (400, 404, 405, 415)
