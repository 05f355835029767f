"""`kibitz detect`: cards of photos, as JSON lines or as plain text."""

import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from vision.errors import KibitzError
from vision.opening import open_deck
from vision.photo import SUFFIXES, read_photo
from vision.types import Detection, Image
from webui.catalogs import Catalog


def run_detect(
    paths: Sequence[Path],
    out: TextIO,
    complain: Callable[[KibitzError], None],
    words: Catalog | None = None,
    deck: Path | None = None,
    decks: int = 1,
) -> int:
    """Read the photos (folders: the photos in them) and write one line each, as JSON or, given
    `words`, as text. A photo that can't be read is told to `complain` and the others go on.

    Returns how many photos failed. Raises KibitzError: photo_missing and no_photos before any
    photo is read; those of `open_deck`.
    """
    photos = list(_photos(paths))
    about, detector = open_deck(deck, decks)
    failed = 0
    for path in photos:
        try:
            with _silent_decoders():
                image = read_photo(path)
        except KibitzError as error:
            complain(error)
            failed += 1
            continue
        cards = [d for d in detector.detect(image) if d.is_reported(about.report_score)]
        line = _text(words, path, cards) if words else json.dumps(_row(path, image, cards), ensure_ascii=False)
        out.write(line + "\n")
        out.flush()
    return failed


@contextmanager
def _silent_decoders() -> Iterator[None]:
    """libpng and libjpeg write about damaged photos to the process's standard error, beside our own
    line. A command may close that door for a moment; a server with other threads may not."""
    kept = os.dup(2)
    try:
        with open(os.devnull, "wb") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _photos(paths: Sequence[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            inside = sorted(p for p in path.iterdir() if p.suffix.lower() in SUFFIXES and p.is_file())
            if not inside:
                raise KibitzError("no_photos", path=str(path), kinds=", ".join(SUFFIXES))
            yield from inside
        elif path.exists():
            yield path
        else:
            raise KibitzError("photo_missing", path=str(path))


def _row(path: Path, image: Image, cards: Sequence[Detection]) -> dict[str, Any]:
    return {
        "image": str(path),
        "width": image.shape[1],
        "height": image.shape[0],
        "cards": [
            {
                "card": c.card,
                "score": round(c.score, 3),
                "face": c.face,
                "visible": c.visible,
                "quad": [[round(float(v), 1) for v in point] for point in c.quad],
                "boxes": [[round(v, 1) for v in box] for box in c.boxes],
            }
            for c in cards
        ],
    }


def _text(words: Catalog, path: Path, cards: Sequence[Detection]) -> str:
    named = ", ".join(f"{c.card} {c.score:.0%}" for c in cards if c.face == "up")
    parts = [named] if named else []
    hidden = sum(c.face == "down" for c in cards)
    if hidden:
        parts.append(words.text("detect.hidden", {"count": hidden}))
    return f"{path}: {'; '.join(parts) or words.text('detect.none')}"
