"""Deck art and fonts from published packages: fetched once, pinned by hash, never committed.

Sources and licences are in `PACKAGES`; `fetch` unpacks them below a cache folder. The decks that
the project is measured on (gnome-cards-data, svg-cards, @younestouati) are not among them.
"""

import hashlib
import shutil
import subprocess
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from vision.errors import KibitzError


@dataclass(frozen=True, slots=True)
class Package:
    """A pinned archive: `kind` says which client fetches it ("npm" or "deb")."""

    kind: str
    name: str
    version: str
    licence: str
    sha256: str = ""


DECKS = (
    Package("npm", "@heruka_urgyen/react-playing-cards", "0.5.0", "MIT"),
    Package("deb", "kdegames-card-data-kf5", "4:22.12.3-1", "GPL-2.0-or-later AND LGPL-2.0-or-later"),
)

_FONT_NAMES = (
    "abril-fatface", "alfa-slab-one", "anton", "archivo-narrow", "arvo", "bebas-neue", "bitter",
    "bodoni-moda", "cinzel", "courier-prime", "crimson-text", "domine", "eb-garamond",
    "fjalla-one", "josefin-slab", "league-gothic", "libre-baskerville", "libre-bodoni", "limelight",
    "lora", "merriweather", "noto-sans-symbols-2", "old-standard-tt", "oswald", "playfair-display",
    "pt-sans-narrow", "pt-serif", "roboto", "roboto-slab", "rokkitt", "rye", "saira-condensed",
    "special-elite", "ultra", "vollkorn", "zilla-slab", "graduate", "holtwood-one-sc",
)  # fmt: skip
FONTS = tuple(Package("npm", f"@fontsource/{n}", "5", "OFL-1.1 or Apache-2.0") for n in _FONT_NAMES)


def fetch(root: Path) -> None:
    """Fetch and unpack every package below `root` (skips what is there).

    Raises KibitzError `asset_fetch_failed` naming the package and the client's last line.
    """
    for package in (*DECKS, *FONTS):
        folder = folder_of(root, package)
        if folder.is_dir():
            continue
        archives = root / "archives"
        archives.mkdir(parents=True, exist_ok=True)
        archive = _download(package, archives)
        temporary = folder.with_name(folder.name + ".part")
        shutil.rmtree(temporary, ignore_errors=True)
        temporary.mkdir(parents=True)
        if package.kind == "npm":
            with tarfile.open(archive) as tar:
                tar.extractall(temporary, filter="data")
        else:
            _client(package, ["dpkg-deb", "-x", str(archive), str(temporary)], archives)
        temporary.rename(folder)


def folder_of(root: Path, package: Package) -> Path:
    """Where `fetch` unpacks a package."""
    return root / package.kind / package.name.replace("@", "").replace("/", "-")


def digests(root: Path) -> dict[str, str]:
    """SHA-256 of every fetched archive by file name, for the model card."""
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted((root / "archives").iterdir())
    }


def font_files(root: Path) -> Iterator[Path]:
    """Font files in a stable order: upright latin cuts, bold and regular, one format each."""
    for package in FONTS:
        files = folder_of(root, package) / "package" / "files"
        for weight in ("400", "700", "900"):
            yield from sorted(files.glob(f"*-latin-{weight}-normal.woff"))
        yield from sorted(files.glob("*-symbols-400-normal.woff"))


def _download(package: Package, archives: Path) -> Path:
    before = set(archives.iterdir())
    if package.kind == "npm":
        _client(package, ["npm", "pack", f"{package.name}@{package.version}"], archives)
    else:
        _client(package, ["apt-get", "download", f"{package.name}={package.version}"], archives)
    new = sorted(set(archives.iterdir()) - before)
    if not new:
        raise KibitzError("asset_fetch_failed", package=package.name, why="no archive arrived")
    return new[-1]


def _client(package: Package, command: list[str], cwd: Path) -> None:
    try:
        subprocess.run(command, cwd=cwd, check=True, capture_output=True, text=True)
    except FileNotFoundError as error:
        why = f"{command[0]} is not installed"
        raise KibitzError("asset_fetch_failed", package=package.name, why=why) from error
    except subprocess.CalledProcessError as error:
        why = (error.stderr.strip().splitlines() or ["no message"])[-1]
        raise KibitzError("asset_fetch_failed", package=package.name, why=why) from error
