"""`kibitz deck`: the deck packs of this computer, and measuring them on labelled photos."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from vision.evaluate.labels import load_labels
from vision.evaluate.measure import measure
from vision.opening import open_deck
from webui import deck_report
from webui.catalogs import Catalog
from webui.decks import Decks
from webui.places import decks_folder


def run_eval(data: Sequence[Path], deck: Path | None, out: Path | None, words: Catalog) -> None:
    """Measure a deck pack on folders of labelled photos; print the figures, write the failures' page.

    Raises KibitzError: those of `load_labels`, `open_deck`, `read_photo` and `deck_report.write`.
    """
    photos = [photo for folder in data for photo in load_labels(folder)]
    about, detector = open_deck(deck)
    silent = not sys.stderr.isatty()
    with click.progressbar(length=len(photos), file=sys.stderr, hidden=silent) as bar:
        measured = measure(detector, photos, about.report_score, lambda: bar.update(1))
    for line in deck_report.text(measured.figures, words):
        click.echo(line)
    if out is not None:
        page = deck_report.write(measured, about, out, words)
        click.echo("\n" + words.text("evaluate.written", {"path": str(page)}))


def list_decks(words: Catalog) -> Iterator[str]:
    """One line a pack; the one in use is marked."""
    for one in Decks(decks_folder()).listed():
        mark = "*" if one.in_use else " "
        if one.deck is not None:
            about = one.deck.about
            yield f"{mark} {one.name:20} {about.version:8} {about.licence}"
        elif one.error is not None:
            yield f"{mark} {one.name:20} {words.text(f'error.{one.error.code}', one.error.params)}"


def use_deck(pack: str, words: Catalog) -> str:
    """Use the pack of a name from the next start on, or take in a folder or a zip file and use that.

    Raises KibitzError: those of `Decks.take_in` and `Decks.use`; pack_missing for neither.
    """
    decks = Decks(decks_folder())
    name = pack if pack in decks.names() else decks.take_in(Path(pack))
    decks.use(name)
    return words.text("deck.in_use", {"name": name})
