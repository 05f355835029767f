"""What `kibitz deck eval` found, as text and as one HTML file with the failures' pictures."""

import base64
import json
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import jinja2
import msgspec

from vision.deck import DeckFile
from vision.errors import KibitzError
from vision.evaluate.figures import Figures, Part
from vision.evaluate.judge import KINDS
from vision.evaluate.measure import Measured
from webui.catalogs import Catalog

Row = tuple[str, ...]
_SOURCE = ("source", "photos", "cards", "recall", "judged", "precision", "unlisted", "twice")


def tables(figures: Figures, words: Catalog) -> Iterator[tuple[str, Row, list[Row]]]:
    """(title, heads, rows) of everything that is counted."""

    def say(key: str, **params: object) -> str:
        return words.text(f"evaluate.{key}", params)

    sources = [*figures.sources, *([figures.all] if len(figures.sources) > 1 else [])]
    rows: list[Row] = [
        (s.name if s is not figures.all else say("all"), f"{s.photos}", f"{s.cards}", share(s.recall), f"{s.judged}",
         share(s.precision), f"{s.unlisted}", f"{s.twice}")
        for s in sources
    ]  # fmt: skip
    yield "", tuple(say(key) for key in _SOURCE), rows
    rows = [(say(f"kind.{kind}"), f"{figures.failures[kind]}") for kind in KINDS if figures.failures[kind]]
    yield say("failures"), (say("kind_head"), say("times")), rows
    rows = [(pair.truth, pair.read, f"{pair.times}") for pair in figures.pairs]
    yield say("pairs"), (say("truth"), say("read"), say("times")), rows
    rows = [(f"{b.low:.1f} - {b.high:.1f}", f"{b.readings}", share(b.score), share(b.right)) for b in figures.bins]
    title = say("calibration", error=share(figures.calibration_error))
    yield title, tuple(say(key) for key in ("score", "readings", "mean_score", "right")), rows
    for key, parts, digits in (("by_size", figures.by_size, 0), ("by_blur", figures.by_blur, 3)):
        rows = [
            (_span(part, digits) if part.low is not None else say("unmeasured"), f"{part.cards}", share(part.recall))
            for part in parts
        ]
        yield say(key), (say("span"), say("cards"), say("recall")), rows
    backs, outlines = figures.backs, figures.outlines
    rows = [(f"{backs.cards}", share(backs.recall), f"{backs.false}")] if backs.cards or backs.false else []
    yield say("backs"), (say("cards"), say("recall"), say("backs_false")), rows
    rows = [(f"{outlines.cards}", share(outlines.median), share(outlines.tenth))] if outlines.cards else []
    yield say("outlines"), (say("cards"), say("median"), say("tenth")), rows
    visible = figures.visible
    rows = [(f"{visible.cards}", share(visible.close), share(visible.median))] if visible.cards else []
    yield say("visible"), (say("cards"), say("close"), say("median")), rows


def text(figures: Figures, words: Catalog) -> Iterator[str]:
    """The tables as lines of text."""
    for title, heads, rows in tables(figures, words):
        if not rows:
            continue
        if title:
            yield from ("", title)
        widths = [max(_width(row[i]) for row in (heads, *rows)) for i in range(len(heads))]
        for row in (heads, *rows):
            first, *others = zip(row, widths, strict=True)
            yield "  ".join([first[0] + " " * (first[1] - _width(first[0])),
                             *(" " * (width - _width(cell)) + cell for cell, width in others)]).rstrip()  # fmt: skip


def write(measured: Measured, deck: DeckFile, folder: Path, words: Catalog) -> Path:
    """Write `index.html` and `report.json` into a folder (made if need be); returns the page's path.

    Raises KibitzError: report_unwritable.
    """
    failures = [
        {
            "kind": one.failure.kind,
            "image": str(one.failure.photo.image),
            "source": one.failure.photo.source,
            "truth": one.failure.truth,
            "read": one.failure.read,
            "score": round(one.failure.score, 3),
            "region": one.failure.region,
            "picture": base64.b64encode(one.jpeg).decode(),
        }
        for one in sorted(measured.failures, key=lambda one: (KINDS.index(one.failure.kind), -one.failure.score))
    ]
    about = {"name": deck.name, "version": deck.version, "report_score": deck.report_score,
             "locate": deck.locate.sha256, "read": deck.read.sha256}  # fmt: skip
    report = {
        "deck": about,
        "figures": msgspec.to_builtins(measured.figures),
        "failures": [{key: value for key, value in f.items() if key != "picture"} for f in failures],
    }
    page = folder / "index.html"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "report.json").write_text(json.dumps(report, ensure_ascii=False, indent=1), encoding="utf-8")
        page.write_text(_html(measured.figures, about, failures, words), encoding="utf-8")
    except OSError as error:
        raise KibitzError("report_unwritable", path=str(folder), why=error.strerror or str(error)) from error
    return page


def share(value: float | None) -> str:
    """A share with three digits, as the scores are written."""
    return "-" if value is None else f"{value:.3f}"


def _html(figures: Figures, about: dict[str, Any], failures: Sequence[dict[str, Any]], words: Catalog) -> str:
    environment = jinja2.Environment(loader=jinja2.PackageLoader("webui"), autoescape=True)
    grouped = [(kind, [f for f in failures if f["kind"] == kind]) for kind in KINDS]
    return environment.get_template("deck_report.html").render(
        words=words, about=about, tables=list(tables(figures, words)), bins=figures.bins,
        groups=[(kind, some) for kind, some in grouped if some],
    )  # fmt: skip


def _span(part: Part, digits: int) -> str:
    low = f"{part.low or 0:.{digits}f}"
    return f"{low} +" if part.high is None else f"{low} - {part.high:.{digits}f}"


def _width(cell: str) -> int:
    """Columns in a terminal: Chinese characters take two."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in cell)
