"""The deck packs of this computer: the one that ships, those that were taken in, and which is used.

A pack is named by the folder in which it is kept below `decks/` of the user's data.
"""

import os
import threading
from dataclasses import dataclass
from pathlib import Path

from vision.deck import Deck, load_deck, shipped_folder
from vision.errors import KibitzError
from vision.opening import WEIGHTS
from vision.packs import folder_name, install, is_folder_name

STANDARD = "standard"
"""The pack that ships with Kibitz."""
_IN_USE = "in-use"


@dataclass(frozen=True, slots=True)
class Listed:
    """One pack: its name here, the pack or what is wrong with it, and whether tables use it that
    name no other."""

    name: str
    deck: Deck | None
    error: KibitzError | None
    in_use: bool


class Decks:
    """The packs in a folder, which need not exist yet. Any thread may call."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()

    @property
    def path(self) -> Path:
        """The folder."""
        return self._folder

    def names(self) -> tuple[str, ...]:
        """The names of all packs, the one that ships first."""
        inside = self._folder.iterdir() if self._folder.is_dir() else ()
        return (STANDARD, *sorted(p.name for p in inside if p.is_dir() and is_folder_name(p.name)))

    def folder(self, name: str) -> Path:
        """Where a pack lies. Raises KibitzError `deck_unknown`."""
        if name not in self.names():
            raise KibitzError("deck_unknown", name=name[:80], known=", ".join(self.names()))
        return shipped_folder() if name == STANDARD else self._folder / name

    def in_use(self) -> str:
        """The pack for tables that name none; one that is gone again counts no longer."""
        try:
            name = (self._folder / _IN_USE).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError):
            return STANDARD
        return name if name in self.names() else STANDARD

    def default(self) -> Path | None:
        """The pack in use; None leaves the choice to `vision.deck.default_folder` (KIBITZ_DECK is set,
        or the pack that ships is used)."""
        name = STANDARD if os.environ.get("KIBITZ_DECK") else self.in_use()
        return None if name == STANDARD else self.folder(name)

    def use(self, name: str) -> None:
        """Use a pack for tables that name none, from their next start on.

        Raises KibitzError: deck_unknown, those of `load_deck`, pack_unwritable.
        """
        load_deck(self.folder(name))
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            new = self._folder / f"{_IN_USE}.new"
            new.write_text(name + "\n", encoding="utf-8")
            os.replace(new, self._folder / _IN_USE)
        except OSError as error:
            raise KibitzError("pack_unwritable", path=str(self._folder), why=error.strerror or str(error)) from error

    def take_in(self, source: Path) -> str:
        """Install a pack, a folder or a zip file; returns its name here.

        Raises KibitzError: deck_name if it is called as the one that ships; those of `vision.packs.install`.
        """
        with self._lock:
            deck = install(source, self._folder, reserved=(STANDARD,))
        return folder_name(deck.about.name)

    def listed(self) -> list[Listed]:
        """All packs, checked."""
        in_use = self.in_use()
        return [self._listed(name, in_use) for name in self.names()]

    def _listed(self, name: str, in_use: str) -> Listed:
        try:
            return Listed(name, load_deck(self.folder(name)), None, name == in_use)
        except KibitzError as error:
            return Listed(name, None, error, name == in_use)


def named_deck(decks: Decks, wanted: str | None, trusted: bool = False) -> Path | None:
    """What `--deck` names: a pack, a pack's folder, or a `.pt` file if it is `trusted`; None for None.

    Raises KibitzError: deck_unknown, weights_untrusted.
    """
    if wanted is None:
        return None
    if wanted in decks.names():
        return decks.folder(wanted)
    path = Path(wanted)
    if path.suffix == WEIGHTS:
        if not trusted:
            raise KibitzError("weights_untrusted", path=wanted)
        return path
    return path if path.is_dir() else decks.folder(wanted)
