"""`kibitz run` and `kibitz demo`: the tables' processes and their pages, until Ctrl-C."""

import os
import secrets
import signal
import threading
import time
import webbrowser
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from referee.errors import RulesError
from referee.rules import load_game
from vision.errors import KibitzError
from webui.agreement import agree
from webui.app import Settings, create_app
from webui.archive import LIMIT
from webui.catalogs import of_environment
from webui.door import Door
from webui.house import House, OpenTable, Plan
from webui.places import data_folder, journal_of_file, journal_of_profile, profiles_folder
from webui.profiles import Profile, Profiles, new_name, read_profile
from webui.security import lan_addresses, own_names
from webui.server import Server, bind

_DEMO = Path(__file__).parent / "demo"
_RETRY_DISK_S = 5.0


@dataclass(frozen=True, slots=True)
class Serving:
    """Where and how the pages are served."""

    port: int
    lan: bool
    no_browser: bool


@dataclass(frozen=True, slots=True)
class Asked:
    """The command line's word on the tables, above what their files say."""

    game: str | None = None
    options: Sequence[str] = ()
    players: str | None = None
    journal: Path | None = None
    new_match: bool = False
    deck: Path | None = None
    pictures_mb: int = LIMIT // 10**6

    def plan(self, profile: Profile, source: str | None, journal: Path, deck: Path | None) -> Plan:
        """How this table is opened. Raises KibitzError and RulesError as `agree`."""
        setup = agree(profile.table, self.game, self.options, self.players)
        return Plan.of(profile, setup, self.journal or journal, deck, source, self.new_match)


def run_tables(sources: Sequence[str], tables: Sequence[str], asked: Asked, serving: Serving) -> None:
    """Watch `tables` (files, or names of saved ones), each from its source, and serve their pages.

    Without tables: those saved ones that were open last (with a source: of that source), or none,
    for the host to set one up. Raises KibitzError or RulesError before it serves.
    """
    house = House(Profiles(profiles_folder()), secrets.token_urlsafe, asked.deck, asked.pictures_mb * 10**6)
    profiles = [] if tables else list(_open_last(house.profiles, sources))
    count = len(tables) or len(profiles)
    for option, given in (("--players", asked.players), ("--journal", asked.journal), ("--option", asked.options)):
        if given and (count == 0 or (count > 1 and option != "--option")):
            raise KibitzError("needs_one_table", option=option)
    if len(sources) not in (0, len(tables) or 1):
        raise KibitzError("sources_count", sources=len(sources), tables=len(tables))
    if not count:
        house.offered_source = sources[0] if sources else None
        house.offered_game = load_game(asked.game).id if asked.game else None
    plans = [
        asked.plan(profile, None, journal_of_profile(profile.name), house.deck_of(profile)) for profile in profiles
    ]
    for place, wanted in enumerate(tables):
        profile, journal = _named(wanted, house.profiles, [plan.info.name for plan in plans])
        source = sources[place] if sources else None
        plans.append(asked.plan(profile, source, journal, house.deck_of(profile)))
    _serve(house, plans, bool(tables), serving)


def run_demo(serving: Serving) -> None:
    """Play the clip that ships with Kibitz, as a new match."""
    clip, table = _DEMO / "demo.mp4", _DEMO / "demo.table.json"
    if not clip.is_file():
        raise KibitzError("demo_missing", path=str(clip))
    house = House(Profiles(profiles_folder()), secrets.token_urlsafe)
    profile = read_profile(table, new_name("demo", house.profiles.names()))
    _serve(house, [Asked(new_match=True).plan(profile, str(clip), journal_of_file(table), None)], True, serving)


def _open_last(profiles: Profiles, sources: Sequence[str]) -> Iterator[Profile]:
    """The saved tables that were open last; one that can't be read is told and left out."""
    for name in profiles.names():
        try:
            profile = profiles.load(name)
        except KibitzError as error:
            _tell(error)
            continue
        if profile.chosen and (not sources or profile.source in sources):
            yield profile


def _named(wanted: str, profiles: Profiles, taken: Sequence[str]) -> tuple[Profile, Path]:
    """The table file, or else the saved table, that the command line names, and its journal."""
    path, saved = Path(wanted), profiles.names()
    if wanted in saved and not path.is_file():
        return profiles.load(wanted), journal_of_profile(wanted)
    return read_profile(path, new_name(path.stem, [*saved, *taken])), journal_of_file(path)


def _serve(house: House, plans: Sequence[Plan], must_see: bool, serving: Serving) -> None:
    """Open the tables and serve until a signal. `must_see`: a source that can't be opened is an
    error, and not a line on the table's page while it is tried again."""
    if serving.lan and os.environ.get("KIBITZ_DEBUG"):
        raise KibitzError("debug_on_lan")
    listener = bind("0.0.0.0" if serving.lan else "127.0.0.1", serving.port)
    port = int(listener.getsockname()[1])
    door = Door(data_folder() / "keys.json", time.monotonic, secrets.token_urlsafe)
    address = next(iter(lan_addresses()), None) if serving.lan else None
    guest_url = f"http://{address}:{port}" if address else None
    settings = Settings(own_names(serving.lan), f"kibitz_{port}", guest_url)
    server = Server(create_app(house, door, settings, secrets.token_urlsafe), listener)
    done = threading.Event()
    for sign in (signal.SIGINT, signal.SIGTERM):
        signal.signal(sign, lambda *_: done.set())
    try:
        opened = [house.start(plan) for plan in plans]
        if must_see:
            _wait_for_all(opened)
        server.start()
        _announce(door, f"http://127.0.0.1:{port}", serving, guest_url)
        while not done.wait(_RETRY_DISK_S):
            house.tend()
    finally:
        house.end()
        server.close()


def _wait_for_all(tables: Sequence[OpenTable]) -> None:
    for table in tables:
        table.first_word()


def _tell(error: KibitzError | RulesError) -> None:
    click.echo("kibitz: " + of_environment().text(f"error.{error.code}", error.params), err=True)


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
