"""`kibitz doctor`: is everything there that a table needs, and is the picture good enough?"""

import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tracker.calibration import load_table
from vision.camera import still
from vision.deck import DeckFile
from vision.detector import Detector
from vision.errors import KibitzError
from vision.health import Level, examine
from vision.opening import open_deck
from vision.types import Image
from webui.catalogs import Catalog
from webui.server import bind

_SIGNS = {"ok": "✓", "warning": "!", "bad": "✗"}


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report: `thing` and `text` are keys of the catalogs, `params` fill `text`."""

    level: Level
    thing: str
    text: str
    params: dict[str, object] = field(default_factory=dict)


def examine_all(source: str, table: Path | None, deck: Path | None, port: int) -> Iterator[Finding]:
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
        yield from _picture_findings(image, *eyes)


def report(finding: Finding, words: Catalog) -> str:
    """The finding as a line of text."""
    return f"{_SIGNS[finding.level]} {words.text(finding.thing)}: {words.text(finding.text, finding.params)}"


def _port(port: int) -> Finding:
    try:
        bind("127.0.0.1", port).close()
    except KibitzError as error:
        return _broken("doctor.port", error)
    return Finding("ok", "doctor.port", "doctor.port_ok", {"port": port, "host": socket.gethostname()})


def _picture_findings(image: Image, about: DeckFile, detector: Detector) -> Iterator[Finding]:
    cards = detector.detect(image)
    seen = sum(card.face == "up" and card.card != "?" for card in cards)
    yield Finding("ok" if seen else "warning", "doctor.cards", "doctor.cards_seen", {"n": seen})
    for check in examine(image, cards, about.locate.index_px):
        text = f"health.{check.advice}" if check.advice else "health.ok"
        yield Finding(check.level, f"health.{check.name}", text, dict(check.params))


def _broken(thing: str, error: KibitzError) -> Finding:
    return Finding("bad", thing, f"error.{error.code}", dict(error.params))
