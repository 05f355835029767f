"""Take in a deck pack that comes from elsewhere: a folder, or a zip file that nobody vouches for.

A pack is `deck.toml` and the two networks that it names, nothing else. What a zip file claims is
checked before anything is unpacked, and what is unpacked is checked again (`vision.deck`): sizes,
hashes, one file a model.
"""

import os
import re
import secrets
import shutil
import stat
import zipfile
import zlib
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO

import numpy as np

from vision.deck import MOST_BYTES, Deck, load_deck
from vision.errors import KibitzError
from vision.session import Network

MOST_PACKED = 2 * MOST_BYTES + 1_000_000
"""A zip file larger than this is refused."""
_LOCATE_ROWS = 18
"""What the locator says of each place: its box, the chances of its two classes, four corners with a chance each."""
_CARD = "deck.toml"
_MOST_CARD = 64_000
_RATIO = 50
"""Weights hardly shrink; what would grow so much is no pack."""
_NETWORK = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,60}\.onnx")
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_LONGEST_NAME = 40


def folder_name(name: str) -> str:
    """The folder in which a pack called `name` is kept: a-z, 0-9 and hyphens only.

    Raises KibitzError `deck_name` if nothing of the name is left, or not enough to tell it.
    """
    plain = "-".join(re.findall(r"[a-z0-9]+", name.lower()))[:_LONGEST_NAME].strip("-")
    if not is_folder_name(plain):
        raise KibitzError("deck_name", name=name[:80])
    return plain


def is_folder_name(text: str) -> bool:
    """Whether a pack may be kept under this name."""
    return len(text) <= _LONGEST_NAME and _NAME.fullmatch(text) is not None


def install(source: Path, decks: Path, reserved: Collection[str] = ()) -> Deck:
    """Copy the pack `source` (a folder or a zip file) into the folder `decks`, under its own name, in
    place of an older one of that name. Both networks are run once.

    Raises KibitzError: pack_missing, pack_not_zip, pack_entry, pack_too_large, pack_unwritable,
    deck_name (also for `reserved` names), model_unusable, and those of `load_deck`.
    """
    if not source.exists():
        raise KibitzError("pack_missing", path=str(source))
    try:
        with _new_folder(decks) as folder:
            if source.is_dir():
                _copy(load_deck(source), folder)
            else:
                _unpack(source, folder)
            deck = _checked(folder, source)
            name = folder_name(deck.about.name)
            if name in reserved:
                raise KibitzError("deck_name", name=name)
            _replace(folder, decks / name)
    except OSError as error:
        raise KibitzError("pack_unwritable", path=str(decks), why=error.strerror or str(error)) from error
    return Deck(decks / name, deck.about)


def _checked(folder: Path, source: Path) -> Deck:
    """The unpacked pack; an error names the file in `source`."""
    try:
        deck = load_deck(folder)
        _run_once(deck.locate_path, (64, 64), (_LOCATE_ROWS,))
        size = deck.about.read.size
        _run_once(deck.read_path, (size, size), (len(deck.about.read.classes),))
    except KibitzError as error:
        file = Path(str(error.params.get("path", ""))).name
        path = f"{source.name}: {file}" if file and file != folder.name else source.name
        raise KibitzError(error.code, **{**error.params, "path": path}) from error
    return deck


def _run_once(model: Path, size: tuple[int, int], wanted: tuple[int, ...]) -> None:
    """Raise KibitzError `model_unusable` unless a black picture gives (1, *wanted, ...) numbers."""
    network = Network(model, 1)
    try:
        given = network.run(np.zeros((1, 3, *size), np.float32)).shape
    except Exception as error:  # onnxruntime raises several unrelated types
        raise KibitzError("model_unusable", path=str(model), why=str(error).splitlines()[0][:120]) from error
    if given[: 1 + len(wanted)] != (1, *wanted):
        raise KibitzError("model_unusable", path=str(model), why=f"its output is {given}, not (1, {wanted[0]}, ...)")


def _copy(deck: Deck, folder: Path) -> None:
    for path in (deck.folder / _CARD, deck.locate_path, deck.read_path):
        shutil.copyfile(path, folder / path.name)


def _unpack(source: Path, folder: Path) -> None:
    if source.stat().st_size > MOST_PACKED:
        raise KibitzError("pack_too_large", path=source.name, limit=f"{MOST_PACKED // 1_000_000} MB")
    try:
        with zipfile.ZipFile(source) as packed:
            for entry, name in _entries(packed):
                with packed.open(entry) as content:
                    _write(content, folder / name, entry)
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError, ValueError) as error:
        raise KibitzError("pack_not_zip", path=source.name) from error


def _entries(packed: zipfile.ZipFile) -> Iterator[tuple[zipfile.ZipInfo, str]]:
    """The files of a pack and the plain names under which they are unpacked. They may lie in one
    folder. Raises KibitzError `pack_entry` for anything else, before the first is unpacked."""
    found: dict[str, zipfile.ZipInfo] = {}
    tops: set[str] = set()
    for entry in packed.infolist():
        path = PurePosixPath(entry.filename)
        reason = _fault(entry, path)
        if reason is None and entry.is_dir():
            reason = None if len(path.parts) == 1 else "folder"
        elif reason is None:
            tops.add(str(path.parent))
            again = path.name in found or len(tops) > 1
            reason = "extra" if again or len(path.parts) > 2 else None
            found[path.name] = entry
        if reason is not None:
            raise KibitzError("pack_entry", name=entry.filename[:80], reason=reason)
    if len(found) > 3:
        raise KibitzError("pack_entry", name=sorted(found)[-1][:80], reason="extra")
    yield from ((entry, name) for name, entry in found.items())


def _fault(entry: zipfile.ZipInfo, path: PurePosixPath) -> str | None:
    """Why an entry of a zip file is refused; None if it isn't."""
    raw = entry.orig_filename
    if path.is_absolute() or ".." in path.parts or "\\" in raw or ":" in raw or "\0" in raw:
        return "path"
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        return "link"
    if entry.is_dir():
        return None
    if entry.flag_bits & 1:
        return "locked"
    if path.name != _CARD and not _NETWORK.fullmatch(path.name):
        return "extra"
    if entry.file_size > _limit(path.name):
        return "size"
    if entry.file_size > _MOST_CARD and entry.file_size > _RATIO * max(1, entry.compress_size):
        return "ratio"
    return None


def _limit(name: str) -> int:
    return _MOST_CARD if name == _CARD else MOST_BYTES


def _write(content: IO[bytes], path: Path, entry: zipfile.ZipInfo) -> None:
    """Write one entry; its header's size is not believed."""
    data = content.read(_limit(path.name) + 1)
    if len(data) > _limit(path.name):
        raise KibitzError("pack_entry", name=entry.filename[:80], reason="size")
    path.write_bytes(data)


@contextmanager
def _new_folder(parent: Path) -> Iterator[Path]:
    """A folder beside the packs that is gone afterwards, unless it has become one."""
    parent.mkdir(parents=True, exist_ok=True)
    folder = parent / f".new-{secrets.token_hex(8)}"
    folder.mkdir()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _replace(folder: Path, place: Path) -> None:
    """Put the folder in its place; an older one there goes."""
    old = place.with_name(f".old-{secrets.token_hex(8)}")
    if place.exists():
        os.replace(place, old)
    os.replace(folder, place)
    shutil.rmtree(old, ignore_errors=True)
