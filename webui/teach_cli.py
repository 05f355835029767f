"""`kibitz deck new`, `capture` and `train`: an owner teaches Kibitz a deck."""

import importlib.util
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import click

from vision.camera import open_source
from vision.deck import load_deck, shipped_folder
from vision.errors import KibitzError
from vision.teaching.intake import Eyes, photos_of, take_in
from vision.teaching.wanted import ORDER, in_short, missing, parse_cards
from vision.teaching.workspace import Workspace, Workspaces
from webui.catalogs import Catalog
from webui.decks import Decks
from webui.places import decks_folder, teaching_folder
from webui.teach_camera import Keys, photograph

Report = Callable[[KibitzError], None]


def new_deck(name: str, words: Catalog) -> str:
    """Begin to teach a deck; returns what to do next. Raises KibitzError as `Workspaces.create`."""
    workspace = Workspaces(teaching_folder()).create(name, Decks(decks_folder()).names())
    return words.text("teach.begun", {"name": name, "path": str(workspace.folder)})


def still_missing(name: str, words: Catalog) -> str:
    """Which faces of a deck have no photo yet. Raises KibitzError `teach_unknown`."""
    return _state(Workspaces(teaching_folder()).open(name), words)


def capture_photos(name: str, folder: Path, cards: str | None, words: Catalog, report: Report) -> bool:
    """Take in a folder of photos, and print what became of them; whether some were refused.

    Raises KibitzError: teach_unknown, teach_cards, teach_unwritable, and those of `photos_of`.
    """
    workspace = Workspaces(teaching_folder()).open(name)
    photos, refused = photos_of(folder, parse_cards(cards) if cards else ())
    eyes = Eyes(load_deck(shipped_folder()))
    with click.progressbar(length=len(photos), file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:
        taken = take_in(workspace, eyes, photos, lambda: bar.update(1))
    refused += taken.refused
    for error in refused:
        report(error)
    for file, card, read in taken.doubtful:
        click.echo(words.text("teach.doubtful", {"file": file, "card": card, "read": read}))
    counts = {"new": taken.new, "known": taken.known, "refused": len(refused)}
    click.echo(words.text("teach.taken_in", counts))
    click.echo(_state(workspace, words))
    return bool(refused)


def capture_camera(name: str, source: str, cards: str | None, words: Catalog) -> None:
    """Photograph cards one by one (those that are missing, unless named), telling which to lay.

    Raises KibitzError: teach_unknown, teach_cards, teach_unwritable, and those of `open_source`.
    """
    workspace = Workspaces(teaching_folder()).open(name)
    wanted = parse_cards(cards) if cards else missing(workspace.faces())
    eyes = Eyes(load_deck(shipped_folder()))
    opened = open_source(source, time.monotonic)
    click.echo(words.text("teach.camera"))
    try:
        with suppress(KeyboardInterrupt):
            for news in photograph(workspace, opened, wanted, eyes, Keys()):
                params = {"card": news.card, "left": news.left, "read": news.read}
                click.echo(words.text(f"teach.{news.say}", params))
    finally:
        opened.close()
    click.echo(_state(workspace, words))


def train(name: str, minutes: float, use: bool, words: Catalog) -> None:
    """Teach a deck and take its pack in if it reads the deck better than the shipped one.

    Raises KibitzError: teach_unknown, train_extra_missing, those of `vision.training.teach.teach` and of
    `Decks.take_in`.
    """
    workspace = Workspaces(teaching_folder()).open(name)
    if any(importlib.util.find_spec(package) is None for package in ("torch", "ultralytics", "onnx", "PIL")):
        raise KibitzError("train_extra_missing", path="kibitz deck train")
    from vision.training.teach.teach import teach

    line = _Line(words)
    try:
        outcome = teach(workspace, load_deck(shipped_folder()), minutes, line.told)
    except KeyboardInterrupt:
        line.end()
        click.echo(words.text("teach.stopped", {"name": name}), err=True)
        raise
    line.end()
    before, after = outcome.before, outcome.after
    figures = {"cards": after.cards, "right": after.right, "wrong": after.wrong, "minutes": f"{outcome.minutes:.0f}"}
    click.echo(words.text("teach.shipped", {"cards": before.cards, "right": before.right, "wrong": before.wrong}))
    click.echo(words.text("teach.taught", figures))
    if outcome.pack is None:
        click.echo(words.text("teach.not_better"))
        return
    decks = Decks(decks_folder())
    decks.take_in(outcome.pack)
    if use:
        decks.use(name)
        click.echo(words.text("deck.in_use", {"name": name}))
    else:
        click.echo(words.text("teach.ready", {"name": name}))


def _state(workspace: Workspace, words: Catalog) -> str:
    """How many photos and faces there are, and what to do next."""
    faces = workspace.faces()
    lacking = missing(faces)
    params = {"name": workspace.name, "photos": len(workspace.labelled()), "faces": len(ORDER) - len(lacking),
              "of": len(ORDER), "missing": in_short(lacking)}  # fmt: skip
    return words.text("teach.state" if lacking else "teach.complete", params)


class _Line:
    """Progress on one line of a terminal; elsewhere one line for each stage."""

    def __init__(self, words: Catalog) -> None:
        self._words = words
        self._stage = ""
        self._shown = ""
        self._live = sys.stderr.isatty()

    def told(self, stage: str, share: float) -> None:
        """Show a stage and the share of it that is done."""
        if not self._live:
            if stage != self._stage:
                click.echo(self._words.text(f"teach.stage.{stage}"), err=True)
        else:
            text = f"{self._words.text(f'teach.stage.{stage}')} {share:4.0%}"
            if text != self._shown:
                click.echo(f"\r{text}\x1b[K", nl=False, err=True)
                self._shown = text
        self._stage = stage

    def end(self) -> None:
        """Leave the line."""
        if self._live and self._shown:
            click.echo(err=True)
