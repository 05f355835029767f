"""`kibitz run` and `kibitz demo`: the table's process and its page, until Ctrl-C."""

import hashlib
import os
import secrets
import signal
import threading
import time
import webbrowser
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click
import platformdirs

from referee.setup import MatchSetup
from tracker.calibration import load_table
from vision.errors import KibitzError
from webui.agreement import agree
from webui.app import Settings, create_app
from webui.catalogs import of_environment
from webui.door import Door
from webui.eye import EyeJob, watch
from webui.eyes import Eyes
from webui.journal import Journal
from webui.room import Room
from webui.security import lan_addresses, own_names
from webui.server import Server, bind
from webui.supervisor import Limits, Status, Supervisor

_DEMO = Path(__file__).parent / "demo"
_FIRST_WORD_S = 10.0
_RETRY_DISK_S = 5.0
HOPELESS = frozenset(("deck_missing", "deck_corrupt", "model_missing", "model_hash_wrong", "model_unusable"))
"""Errors that a new start of the watching process can't cure."""


@dataclass(frozen=True, slots=True)
class Serving:
    """Where and how the page is served."""

    port: int
    lan: bool
    no_browser: bool


@dataclass(frozen=True, slots=True)
class _Watched:
    """The source, the table file and the deck pack (None: the one that ships with Kibitz)."""

    source: str
    table: Path
    deck: Path | None


def run_table(
    source: str,
    table: Path | None,
    game: str | None,
    options: Sequence[str],
    players: str | None,
    journal: Path | None,
    new_match: bool,
    deck: Path | None,
    serving: Serving,
) -> None:
    """Watch `source` and serve its page. Raises KibitzError or RulesError before it serves."""
    if table is None:
        raise KibitzError("no_table")
    setup = agree(load_table(table), game, options, players)
    kept = journal or data_folder() / "journals" / f"{table.stem}-{_short_hash(table)}.sqlite"
    _serve(_Watched(source, table, deck), setup, Journal(kept, time.time), new_match, serving)


def run_demo(serving: Serving) -> None:
    """Play the clip that ships with Kibitz, as a new match."""
    clip, table = _DEMO / "demo.mp4", _DEMO / "demo.table.json"
    if not clip.is_file():
        raise KibitzError("demo_missing", path=str(clip))
    setup = agree(load_table(table), None, (), None)
    kept = data_folder() / "journals" / "demo.sqlite"
    _serve(_Watched(str(clip), table, None), setup, Journal(kept, time.time), True, serving)


def data_folder() -> Path:
    """Where keys and journals are kept; KIBITZ_HOME overrides it."""
    named = os.environ.get("KIBITZ_HOME")
    return Path(named) if named else platformdirs.user_data_path("kibitz", appauthor=False)


def _short_hash(path: Path) -> str:
    return hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:8]


def _serve(watched: _Watched, setup: MatchSetup, journal: Journal, new_match: bool, serving: Serving) -> None:
    listener = bind("0.0.0.0" if serving.lan else "127.0.0.1", serving.port)
    port = int(listener.getsockname()[1])
    door = Door(data_folder() / "keys.json", time.monotonic, secrets.token_urlsafe)
    room = Room(journal, setup, secrets.token_urlsafe(6), new_match)
    watching = _Watching(watched, room)
    address = next(iter(lan_addresses()), None) if serving.lan else None
    guest_url = f"http://{address}:{port}" if address else None
    settings = Settings(own_names(serving.lan), f"kibitz_{port}", guest_url)
    server = Server(create_app(room, door, settings, secrets.token_urlsafe, watching.again), listener)
    done = threading.Event()
    for sign in (signal.SIGINT, signal.SIGTERM):
        signal.signal(sign, lambda *_: done.set())
    try:
        watching.start()
        server.start()
        _announce(door, f"http://127.0.0.1:{port}", serving, guest_url)
        while not done.wait(_RETRY_DISK_S):
            room.retry_disk()
    finally:
        watching.stop()
        room.close()
        server.close()
        journal.close()


def _announce(door: Door, url: str, serving: Serving, guest_url: str | None) -> None:
    words = of_environment()
    # two links, as each works once: one for the browser that opens now, one to use elsewhere
    click.echo(words.text("run.serving", {"url": f"{url}/#host={door.new_host_token()}"}))
    if guest_url is not None:
        click.echo(words.text("run.lan", {"url": guest_url}))
    elif serving.lan:
        click.echo(words.text("run.no_network"))
    click.echo(words.text("run.stop"))
    if not serving.no_browser:
        webbrowser.open(f"{url}/#host={door.new_host_token()}")


class _Watching:
    """The watching process of a room and what it needs to go on where it was."""

    def __init__(self, watched: _Watched, room: Room) -> None:
        self._watched = watched
        self._room = room
        self._first: Status | None = None
        self._spoken = threading.Event()
        self._supervisor = Supervisor(
            watch, self._next_job, self._hear, self._status, time.monotonic, Limits(fatal=HOPELESS)
        )
        self._eyes = Eyes(room, self._supervisor.tell)
        room.on_decision = self._eyes.hint

    def start(self) -> None:
        """Start it and wait for its first word: a source that can't be opened raises here."""
        self._supervisor.start()
        self._spoken.wait(_FIRST_WORD_S)
        first = self._first
        if first is not None and first.error is not None:
            raise KibitzError(first.error["code"], **first.error["params"])

    def stop(self) -> None:
        self._supervisor.stop()

    def again(self) -> None:
        """Play a clip that has ended from its beginning, as a new match."""
        self._room.begin_match()
        self._supervisor.again()

    def _next_job(self) -> EyeJob:
        rules, events = self._room.session.match.rules, self._room.events
        return EyeJob(
            self._watched.source,
            self._watched.table,
            self._watched.deck,
            rules.decks,
            shows=rules.family == "draw",
            since=events[-1].t if events else 0.0,
        )

    def _hear(self, kind: str, payload: object) -> None:
        self._eyes.hear(kind, payload)

    def _status(self, status: Status) -> None:
        self._room.set_camera(status)
        if status.status != "starting" and self._first is None:
            self._first = status
            self._spoken.set()
