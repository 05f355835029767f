"""`kibitz deck`: measuring deck packs on labelled photos."""

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from vision.deck import load_deck
from vision.detector import OnnxDetector
from vision.evaluate.labels import load_labels
from vision.evaluate.measure import measure
from webui import deck_report
from webui.catalogs import Catalog


def run_eval(data: Sequence[Path], deck: Path | None, out: Path | None, words: Catalog) -> None:
    """Measure a deck pack on folders of labelled photos; print the figures, write the failures' page.

    Raises KibitzError: those of `load_labels`, `load_deck`, `read_photo` and `deck_report.write`.
    """
    photos = [photo for folder in data for photo in load_labels(folder)]
    pack = load_deck(deck)
    silent = not sys.stderr.isatty()
    with click.progressbar(length=len(photos), file=sys.stderr, hidden=silent) as bar:
        measured = measure(OnnxDetector(pack), photos, pack.about.report_score, lambda: bar.update(1))
    for line in deck_report.text(measured.figures, words):
        click.echo(line)
    if out is not None:
        page = deck_report.write(measured, pack, out, words)
        click.echo("\n" + words.text("evaluate.written", {"path": str(page)}))
