"""What the documents promise is there, and what is there is in the documents."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from webui.cli import kibitz

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
TAMPERED = ("8.3.41", "8.3.42", "8.3.45", "8.3.46")


def package(requirement: str) -> str:
    found = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert found, requirement
    return found[0].lower()


def declared() -> dict[str, set[str]]:
    """Packages of each group, as pyproject.toml names them."""
    project = PROJECT["project"]
    groups = {"player": project["dependencies"], **project["optional-dependencies"], **PROJECT["dependency-groups"]}
    return {name: {package(r) for r in requirements} for name, requirements in groups.items()}


def locked(name: str) -> dict[str, set[str]]:
    """Package -> pinned versions of one lock file (more than one where Pythons differ)."""
    pins: dict[str, set[str]] = {}
    text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
    for found in re.finditer(r"^([a-z0-9][a-z0-9._-]*)==([^\s;]+)", text, re.MULTILINE):
        pins.setdefault(found[1], set()).add(found[2])
    return pins


@pytest.mark.parametrize("command", sorted(kibitz.commands))
def test_every_command_is_in_the_readme(command: str) -> None:
    assert f"`kibitz {command}" in README


def test_the_readme_names_no_command_that_is_missing() -> None:
    named = set(re.findall(r"(?:^|`|bin/|Scripts\\)kibitz ([a-z]+)", README, re.MULTILINE))
    assert named <= set(kibitz.commands)


def test_every_dependency_is_justified() -> None:
    rows = [line for line in ARCHITECTURE.splitlines() if line.startswith("| ")]
    cells = {cell.strip() for row in rows for part in row.split("|") for cell in part.split(",")}
    wanted = set().union(*declared().values())
    assert wanted <= cells, f"no line in ARCHITECTURE.md for {sorted(wanted - cells)}"


@pytest.mark.parametrize("document", ["README.md", "ARCHITECTURE.md"])
def test_every_file_that_a_document_names_exists(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    rooms = r"`((?:referee|vision|tracker|webui|models|tests|requirements)/[\w./-]*)`"
    missing = [name for name in re.findall(rooms, text) if not (ROOT / name).exists()]
    assert not missing


def test_every_module_says_what_it_is_for() -> None:
    rooms = PROJECT["tool"]["mypy"]["packages"]
    texts = {path: path.read_text(encoding="utf-8") for room in rooms for path in (ROOT / room).rglob("*.py")}
    silent = [str(path.relative_to(ROOT)) for path, text in texts.items() if text and not text.startswith('"""')]
    assert texts
    assert not silent


@pytest.mark.parametrize("name", ["player", "dev", "train"])
def test_locks_hold_what_the_project_asks_for(name: str) -> None:
    groups = declared()
    wanted = groups["player"] | groups["build"] | groups.get(name, set())
    assert wanted <= set(locked(name))


@pytest.mark.parametrize("name", ["player", "dev", "train"])
def test_locks_pin_every_package_by_hash_and_name_no_host(name: str) -> None:
    text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
    entries = re.split(r"^(?=[a-z0-9])", re.sub(r"^\s*#.*\n", "", text, flags=re.MULTILINE), flags=re.MULTILINE)
    assert [e.split()[0] for e in entries if e.strip() and "--hash=sha256:" not in e] == []
    assert "://" not in text
    assert "--index-url" not in text.replace("--no-emit-index-url", "")


def test_players_install_no_training_stack() -> None:
    assert not set(locked("player")) & {"torch", "torchvision", "ultralytics", "pillow"}


def test_the_tampered_releases_are_shut_out() -> None:
    asked = next(r for r in PROJECT["project"]["optional-dependencies"]["train"] if package(r) == "ultralytics")
    assert all(f"!={version}" in asked for version in TAMPERED)
    assert not locked("train")["ultralytics"] & set(TAMPERED)


def test_locks_agree_with_each_other() -> None:
    player = locked("player")
    for name in ("dev", "train"):
        other = locked(name)
        assert {p: other[p] for p in player} == player


def test_the_changelog_keeps_its_form() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert "## [Unreleased]" in text
    sections = set(re.findall(r"^### (.+)$", text, re.MULTILINE))
    assert sections
    assert sections <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    released = re.findall(r"^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d$", text, re.MULTILINE)
    assert len(re.findall(r"^## ", text, re.MULTILINE)) == len(released) + 1


def test_the_licence_is_the_one_that_is_declared() -> None:
    assert PROJECT["project"]["license"] == "AGPL-3.0-or-later"
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert text.split()[:6] == ["GNU", "AFFERO", "GENERAL", "PUBLIC", "LICENSE", "Version"]
    assert "13. Remote Network Interaction" in text
