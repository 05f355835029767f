"""Photos from strangers: the header is believed only as far as the cap, formats are three."""

import os
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision import MOST_PIXELS
from vision.errors import KibitzError
from vision.photo import header_size, read_photo

PICTURE = np.random.default_rng(1).integers(0, 255, (37, 61, 3)).astype(np.uint8)


def encoded(suffix: str, *options: int) -> bytes:
    return cv2.imencode(suffix, PICTURE, list(options))[1].tobytes()


def code(path: Path) -> str:
    with pytest.raises(KibitzError) as caught:
        read_photo(path)
    return caught.value.code


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(encoded(".png"), id="png"),
        pytest.param(encoded(".jpg"), id="jpeg"),
        pytest.param(encoded(".jpg", cv2.IMWRITE_JPEG_PROGRESSIVE, 1), id="progressive jpeg"),
        pytest.param(encoded(".webp", cv2.IMWRITE_WEBP_QUALITY, 80), id="lossy webp"),
        pytest.param(encoded(".webp", cv2.IMWRITE_WEBP_QUALITY, 101), id="lossless webp"),
    ],
)
def test_header_tells_the_size_that_decoding_gives(data: bytes, tmp_path: Path) -> None:
    assert header_size(data) == (61, 37)
    (tmp_path / "photo").write_bytes(data)
    assert read_photo(tmp_path / "photo").shape == (37, 61, 3)


def test_extended_webp_header() -> None:
    head = b"RIFF\0\0\0\0WEBPVP8X" + struct.pack("<I", 10) + b"\0\0\0\0"
    assert header_size(head + (6000 - 1).to_bytes(3, "little") + (9000 - 1).to_bytes(3, "little")) == (6000, 9000)


def test_a_photo_stands_as_its_exif_says(tmp_path: Path) -> None:
    # An APP1 segment with orientation 6: the camera was held upright, turn clockwise.
    entry = struct.pack(">HHIHH", 0x0112, 3, 1, 6, 0)
    tiff = b"MM\0*" + struct.pack(">IH", 8, 1) + entry + struct.pack(">I", 0)
    body = b"Exif\0\0" + tiff
    data = encoded(".jpg")
    (tmp_path / "phone.jpg").write_bytes(data[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + data[2:])
    upright = read_photo(tmp_path / "phone.jpg")
    plain = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert np.array_equal(upright, cv2.rotate(plain, cv2.ROTATE_90_CLOCKWISE))


def test_an_image_bomb_is_refused_before_decoding(tmp_path: Path) -> None:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    side = 20_000
    packed = zlib.compressobj(9)
    rows = b"".join(packed.compress(bytes(side * 3 + 1)) for _ in range(64)) + packed.flush()
    bomb = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0))
    bomb += chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    (tmp_path / "bomb.png").write_bytes(bomb)
    with pytest.raises(KibitzError) as caught:
        read_photo(tmp_path / "bomb.png")
    assert caught.value.code == "photo_too_large"
    assert caught.value.params["given"] == "20000 x 20000 px"
    assert side * side > MOST_PIXELS


def test_opencv_has_the_cap_as_well() -> None:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("OPENCV")}
    script = "import os, sys, vision; assert 'cv2' not in sys.modules; print(os.environ['OPENCV_IO_MAX_IMAGE_PIXELS'])"
    ran = subprocess.run([sys.executable, "-c", script], env=clean, capture_output=True, text=True, check=True)
    assert int(ran.stdout) == MOST_PIXELS


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no endless device here")
def test_an_endless_device_is_no_photo() -> None:
    assert code(Path("/dev/zero")) == "photo_missing"


@pytest.mark.parametrize("length", [0, 1, 3, 9, 20, 30])
def test_cut_headers_tell_nothing(length: int) -> None:
    for data in (encoded(".png"), encoded(".jpg"), encoded(".webp")):
        assert header_size(data[:length]) is None or length >= 24


def test_other_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "text.jpg").write_text("hello")
    (tmp_path / "broken.jpg").write_bytes(b"\xff\xd8\xff\xe0" + bytes(50))
    (tmp_path / "bitmap.png").write_bytes(cv2.imencode(".bmp", PICTURE)[1].tobytes())
    (tmp_path / "cut.png").write_bytes(encoded(".png")[:40])
    for name in ("text.jpg", "broken.jpg", "bitmap.png", "cut.png"):
        assert code(tmp_path / name) == "photo_not_readable", name
    assert code(tmp_path / "none.jpg") == "photo_missing"
