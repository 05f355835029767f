"""SECURITY.md lines 9, 10, 12, 15 of the code as it ships: caps, no shell, no address from outside, locks."""

import ast
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from running import KIBITZ, ROOT
from serving import TableServer

ROOMS = ("vision", "tracker", "referee", "webui", "models")
TAMPERED = ("8.3.41", "8.3.42", "8.3.45", "8.3.46")
LOCKS = ("player", "dev", "train")


def modules() -> list[Path]:
    """Every module that a player's install runs."""
    found = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]
    return [path for path in found if not {"training", "synth"} & set(path.relative_to(ROOT).parts)]


def calls(path: Path) -> Iterator[tuple[str, ast.Call]]:
    """(dotted name, call) of every call in a module."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func), node


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def test_9_every_module_has_the_pixel_cap_before_opencv_is_loaded() -> None:
    """A package is imported before its modules are: each sets the cap and loads nothing."""
    rooms = {path.relative_to(ROOT).parts[0] for path in modules() if "cv2" in set(imports(path))}
    assert rooms == {"vision", "tracker", "webui"}
    clean = {name: value for name, value in os.environ.items() if not name.startswith("OPENCV")}
    for room in rooms:
        program = f"import os, sys, {room}; print(os.environ['OPENCV_IO_MAX_IMAGE_PIXELS'], 'cv2' in sys.modules)"
        done = subprocess.run([sys.executable, "-c", program], env=clean, cwd=ROOT, capture_output=True, text=True)
        cap, loaded = done.stdout.split()
        assert int(cap) <= 50_000_000
        assert loaded == "False"


def test_10_nothing_reaches_a_shell_or_an_interpreter() -> None:
    forbidden = {"eval", "exec", "compile", "os.system", "os.popen", "pickle.load", "pickle.loads", "__import__"}
    shells = [f"{path.relative_to(ROOT)}: {name}" for path in modules() for name, _ in calls(path) if name in forbidden]
    assert shells == []
    started = [path for path in modules() if "subprocess" in set(imports(path))]
    arguments = [keyword.arg for path in started for _, call in calls(path) for keyword in call.keywords]
    assert "shell" not in arguments


def test_10_12_the_page_s_process_asks_no_address() -> None:
    """Only `vision.camera` opens addresses, and only those of the command line and of saved tables."""
    clients = {"urllib.request", "http.client", "requests", "httpx", "aiohttp", "ftplib", "smtplib", "urllib3"}
    found = {str(path.relative_to(ROOT)) for path in modules() if clients & set(imports(path))}
    assert found <= {"vision/camera.py"}


def test_12_ultralytics_is_kept_from_the_network(tmp_path: Path) -> None:
    """It is never imported before the environment forbids the network: with a stand-in that looks."""
    (tmp_path / "ultralytics").mkdir()
    (tmp_path / "ultralytics" / "__init__.py").write_text(
        "import os\n"
        "assert os.environ['YOLO_OFFLINE'] == 'true' and os.environ['YOLO_AUTOINSTALL'] == 'false'\n"
        "class settings:\n"
        "    update = staticmethod(lambda told: print(told))\n"
        "def YOLO(path):\n"
        "    raise OSError(os.environ['YOLO_CONFIG_DIR'])\n"
    )
    (tmp_path / "eyes.pt").write_bytes(b"weights")
    clean = {name: value for name, value in os.environ.items() if not name.startswith("YOLO")}
    environment = {**clean, "PYTHONPATH": os.pathsep.join((str(tmp_path), str(ROOT)))}
    for program, said in (
        ("import vision.training, ultralytics; print('imported')", "imported"),
        (
            "from pathlib import Path\nfrom vision.deck import load_deck\nfrom vision.weights import WeightsDetector\n"
            f"WeightsDetector(Path({str(tmp_path / 'eyes.pt')!r}), load_deck())",
            "{'sync': False}",
        ),
    ):
        done = subprocess.run(
            [sys.executable, "-c", program], env=environment, cwd=ROOT, capture_output=True, text=True
        )
        assert said in done.stdout, done.stderr
        assert "AssertionError" not in done.stderr


@pytest.mark.parametrize("name", LOCKS)
def test_15_every_locked_package_has_hashes(name: str) -> None:
    text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
    logical = text.replace("\\\n", " ").splitlines()
    pins = [line for line in logical if line.strip() and not line.lstrip().startswith("#")]
    assert len(pins) > 5
    assert [line for line in pins if "==" not in line or "--hash=sha256:" not in line] == []


def test_15_the_tampered_releases_are_excluded_and_in_no_lock() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (asked,) = [one for one in project["optional-dependencies"]["train"] if one.startswith("ultralytics")]
    assert all(f"!={version}" in asked for version in TAMPERED)
    for name in LOCKS:
        locked = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
        assert not set(re.findall(r"^ultralytics==(\S+)", locked, re.MULTILINE)) & set(TAMPERED)


def test_15_debugging_is_refused_on_the_network(tmp_path: Path) -> None:
    environment = {**os.environ, "KIBITZ_DEBUG": "1", "KIBITZ_HOME": str(tmp_path), "LC_ALL": "C.UTF-8"}
    command = [*KIBITZ, "demo", "--lan", "--no-browser", "--port", "0"]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert "KIBITZ_DEBUG" in line


def test_15_the_environment_turns_no_debugging_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLASK_DEBUG", "1")
    table = TableServer(tmp_path)
    assert table.app.debug is False
    table.close()
