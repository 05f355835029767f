"""Deck art and fonts from published packages: fetched once, pinned by hash, never committed.

Sources and licences are in `packages.toml`; `fetch` unpacks them below a cache folder. The decks that
the project is measured on (gnome-cards-data, svg-cards, @younestouati) are not among them.
"""

import hashlib
import shutil
import subprocess
import tarfile
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from vision.errors import KibitzError


@dataclass(frozen=True, slots=True)
class Package:
    """A pinned archive: `kind` says which client fetches it ("npm" or "deb"); `sha256` is its."""

    kind: str
    name: str
    version: str
    licence: str
    sha256: str


def _listed(table: str) -> tuple[Package, ...]:
    text = resources.files("vision.synth").joinpath("packages.toml").read_text(encoding="utf-8")
    return tuple(Package(**entry) for entry in tomllib.loads(text)[table])


DECKS = _listed("deck")
FONTS = _listed("font")


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
    found = hashlib.sha256(new[-1].read_bytes()).hexdigest()
    if found != package.sha256:
        new[-1].unlink()
        raise KibitzError("asset_fetch_failed", package=package.name, why=f"the archive has another hash: {found[:12]}")
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
