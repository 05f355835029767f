"""`kibitz doctor`: is everything there that a table needs, and is the picture good enough?"""

import socket
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tracker.calibration import load_table
from tracker.onecard import table_size
from tracker.propose import propose
from vision.camera import still
from vision.deck import DeckFile
from vision.detector import Detector
from vision.errors import KibitzError
from vision.health import Level, examine
from vision.opening import open_deck
from vision.types import Detection, Image
from webui.catalogs import Catalog
from webui.files import write_json
from webui.server import bind

_SIGNS = {"ok": "✓", "warning": "!", "bad": "✗"}


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report: `thing` and `text` are keys of the catalogs, `params` fill `text`."""

    level: Level
    thing: str
    text: str
    params: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A table file to write by what is in the picture, for so many seats."""

    path: Path
    seats: int


def examine_all(
    source: str, table: Path | None, deck: Path | None, port: int, wanted: Wanted | None = None
) -> Iterator[Finding]:
    """The findings, one after the other as they are known. Nothing is raised: what is broken is a
    finding."""
    yield _port(port)
    size: tuple[int, int] | None = None
    if table is not None:
        try:
            size = load_table(table).size
            yield Finding("ok", "doctor.table", "doctor.table_ok", {"path": str(table)})
        except KibitzError as error:
            yield _broken("doctor.table", error)
    eyes: tuple[DeckFile, Detector] | None = None
    try:
        eyes = open_deck(deck)
        yield Finding("ok", "doctor.model", "doctor.model_ok", {"name": eyes[0].name, "version": eyes[0].version})
    except KibitzError as error:
        yield _broken("doctor.model", error)
    try:
        image = still(source, time.monotonic, size)
    except KibitzError as error:
        yield _broken("doctor.camera", error)
        return
    shape = {"source": source, "width": image.shape[1], "height": image.shape[0]}
    yield Finding("ok", "doctor.camera", "doctor.camera_ok", shape)
    if eyes is not None:
        yield from _picture_findings(image, *eyes, wanted)


def report(finding: Finding, words: Catalog) -> str:
    """The finding as a line of text."""
    return f"{_SIGNS[finding.level]} {words.text(finding.thing)}: {words.text(finding.text, finding.params)}"


def _port(port: int) -> Finding:
    try:
        bind("127.0.0.1", port).close()
    except KibitzError as error:
        return _broken("doctor.port", error)
    return Finding("ok", "doctor.port", "doctor.port_ok", {"port": port, "host": socket.gethostname()})


def _picture_findings(
    image: Image, about: DeckFile, detector: Detector, wanted: Wanted | None
) -> Iterator[Finding]:
    cards = detector.detect(image)
    seen = sum(card.face == "up" and card.card != "?" for card in cards)
    yield Finding("ok" if seen else "warning", "doctor.cards", "doctor.cards_seen", {"n": seen})
    for check in examine(image, cards, about.locate.index_px):
        text = f"health.{check.advice}" if check.advice else "health.ok"
        yield Finding(check.level, f"health.{check.name}", text, dict(check.params))
    if wanted is not None:
        try:
            yield _proposed(image, cards, wanted)
        except KibitzError as error:
            yield _broken("doctor.proposal", error)


def _proposed(image: Image, cards: Sequence[Detection], wanted: Wanted) -> Finding:
    """Write the proposed table file; one that is there already is left alone."""
    guess = propose(image, wanted.seats, cards)
    document = guess.document((image.shape[1], image.shape[0]))
    size = table_size(guess.table, [card.quad for card in cards if len(card.boxes) > 1])
    if size is not None and size.plausible:
        document["table_mm"] = [round(size.width_mm), round(size.depth_mm)]
    if wanted.path.exists():
        raise KibitzError("table_exists", path=str(wanted.path))
    try:
        write_json(wanted.path, document)
    except OSError as error:
        raise KibitzError("table_unwritable", path=str(wanted.path), why=str(error)) from error
    text = "doctor.proposal_sure" if guess.sure else "doctor.proposal_unsure"
    return Finding("ok" if guess.sure and "table_mm" in document else "warning", "doctor.proposal", text,
                   {"path": str(wanted.path)})  # fmt: skip


def _broken(thing: str, error: KibitzError) -> Finding:
    return Finding("bad", thing, f"error.{error.code}", dict(error.params))
