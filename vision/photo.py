"""Read a photo from a file without trusting it."""

import struct
from pathlib import Path

import cv2
import numpy as np

from vision import MOST_PIXELS
from vision.errors import KibitzError
from vision.types import Image

SUFFIXES: tuple[str, ...] = (".jpg", ".jpeg", ".png", ".webp")
MOST_BYTES = 60_000_000

_START_OF_FRAME = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_BARE_MARKERS = frozenset((0x01, *range(0xD0, 0xD8)))


def read_photo(path: Path) -> Image:
    """The picture in a JPEG, PNG or WebP file, turned as its EXIF orientation says.

    The size in the header is checked before anything is decoded. Raises KibitzError:
    photo_missing, photo_too_large, photo_not_readable.
    """
    if not path.is_file():  # a device or a pipe may never end
        raise KibitzError("photo_missing", path=str(path))
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise KibitzError("photo_too_large", path=str(path), given=f"{size // 1_000_000} MB",
                              limit=f"{MOST_BYTES // 1_000_000} MB")  # fmt: skip
        data = path.read_bytes()
    except OSError as error:
        raise KibitzError("photo_missing", path=str(path)) from error
    return decode_photo(data, str(path))


def decode_photo(data: bytes, name: str) -> Image:
    """The picture in the bytes of a photo that is called `name` in errors, as `read_photo`.

    Raises KibitzError: photo_too_large, photo_not_readable.
    """
    check_header(data, name)
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        raise KibitzError("photo_not_readable", path=name)
    return np.asarray(image, np.uint8)


def check_header(data: bytes, name: str) -> None:
    """Raise KibitzError (photo_too_large, photo_not_readable) for what should not be decoded."""
    claimed = header_size(data)
    if claimed is None:
        raise KibitzError("photo_not_readable", path=name)
    if claimed[0] * claimed[1] > MOST_PIXELS:
        raise KibitzError("photo_too_large", path=name, given=f"{claimed[0]} x {claimed[1]} px",
                          limit=f"{MOST_PIXELS // 1_000_000} million px")  # fmt: skip


def header_size(data: bytes) -> tuple[int, int] | None:
    """Width and height that a JPEG, PNG or WebP header claims; None for anything else."""
    try:
        if data[:8] == b"\x89PNG\r\n\x1a\n" and data[12:16] == b"IHDR":
            return struct.unpack(">II", data[16:24])
        if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
            return _webp(data)
        if data[:2] == b"\xff\xd8":
            return _jpeg(data)
    except (struct.error, IndexError):
        pass
    return None


def _webp(data: bytes) -> tuple[int, int] | None:
    kind = data[12:16]
    if kind == b"VP8X":
        return 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")
    if kind == b"VP8L":
        bits = struct.unpack("<I", data[21:25])[0]
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    if kind == b"VP8 ":
        width, height = struct.unpack("<HH", data[26:30])
        return width & 0x3FFF, height & 0x3FFF
    return None


def _jpeg(data: bytes) -> tuple[int, int] | None:
    at = 2
    while data[at] == 0xFF:
        marker = data[at + 1]
        if marker in _START_OF_FRAME:
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return width, height
        if marker == 0xFF:
            at += 1
        elif marker in _BARE_MARKERS:
            at += 2
        else:
            at += 2 + struct.unpack(">H", data[at + 2 : at + 4])[0]
    return None
