"""Where Kibitz keeps what it writes: one folder of the user, laid out here (see ARCHITECTURE.md)."""

import hashlib
import os
from pathlib import Path

import platformdirs


def data_folder() -> Path:
    """Where keys, tables and journals are kept; KIBITZ_HOME overrides it."""
    named = os.environ.get("KIBITZ_HOME")
    return Path(named) if named else platformdirs.user_data_path("kibitz", appauthor=False)


def profiles_folder() -> Path:
    """The tables that were set up and saved, one file each."""
    return data_folder() / "tables"


def decks_folder() -> Path:
    """The deck packs that were taken in, a folder each."""
    return data_folder() / "decks"


def teaching_folder() -> Path:
    """The decks that are being taught, a folder each: photos, labels, what training goes on with."""
    return data_folder() / "teaching"


def journal_of_file(table: Path) -> Path:
    """The journal of a table file that lies elsewhere: one for each place that a file has."""
    short = hashlib.sha256(str(table.resolve()).encode()).hexdigest()[:8]
    return data_folder() / "journals" / f"{table.stem}-{short}.sqlite"


def journal_of_profile(name: str) -> Path:
    """The journal of a saved table."""
    return data_folder() / "journals" / "tables" / f"{name}.sqlite"
