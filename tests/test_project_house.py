"""The house rules that a machine can check: import direction, lint, types, no traces of one computer."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("vision", "tracker", "referee", "webui", "models")


def run(*command: str) -> None:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]


class OnEverySystem(ast.NodeTransformer):
    """Takes out what a module does on one system only, under `if sys.platform ...`."""

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        return node.orelse if ast.unparse(node.test).startswith("sys.platform == ") else node


def imported(path: Path, on_every_system: bool = False) -> Iterator[str]:
    """Top-level names of everything that a module imports, at any depth of its code."""
    tree: ast.AST = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(OnEverySystem().visit(tree) if on_every_system else tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            assert node.module is not None
            yield node.module.split(".")[0]


def tracked() -> list[Path]:
    """Text files that belong to the project; needs a git checkout to tell them from what lies about."""
    suffixes = {".py", ".toml", ".md", ".json", ".jsonl", ".js", ".css", ".html", ".txt", ".yaml", ".service"}
    return [path for path in listed() if path.suffix in suffixes or path.name == "run"]


def listed() -> list[Path]:
    """Files under version control that are there."""
    if not (ROOT / ".git").exists():
        pytest.skip("needs a git checkout")
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in names.split("\0") if name and (ROOT / name).is_file()]


def test_imports_go_one_way() -> None:
    run(str(Path(sys.executable).with_name("lint-imports")), "--no-cache")


def test_the_referee_imports_the_standard_library_only() -> None:
    modules = sorted((ROOT / "referee").rglob("*.py"))
    assert modules
    foreign = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in modules
        for name in imported(path)
        if name != "referee" and name not in sys.stdlib_module_names
    }
    assert not foreign


def test_the_referee_has_no_clock_and_no_dice() -> None:
    impure = {"time", "datetime", "random", "secrets", "socket", "subprocess", "threading"}
    found = {f"{path.name}: {name}" for path in (ROOT / "referee").rglob("*.py") for name in imported(path)}
    assert found
    assert not {entry for entry in found if entry.split(": ")[1] in impure}


def test_no_module_needs_unix() -> None:
    """Importing any of these fails on Windows, and so would the whole command."""
    unix = {"resource", "fcntl", "pwd", "grp", "termios", "tty", "pty", "posix", "syslog"}
    found = {
        f"{path.relative_to(ROOT)}: {name}"
        for room in ROOMS
        for path in (ROOT / room).rglob("*.py")
        for name in imported(path, on_every_system=True)
        if name in unix
    }
    assert not found


def test_every_third_party_import_is_a_declared_dependency() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    distribution = {"cv2": "opencv-python", "PIL": "pillow", "resvg_py": "resvg-py", "click": "flask",
                    "werkzeug": "flask", "jinja2": "flask", "itsdangerous": "flask",
                    "tqdm": "ultralytics", "yaml": "ultralytics"}  # fmt: skip
    undeclared = {
        f"{path.relative_to(ROOT)}: {name}"
        for room in ROOMS
        for path in (ROOT / room).rglob("*.py")
        for name in imported(path)
        if name not in ROOMS
        and name not in sys.stdlib_module_names
        and not re.search(rf'"{distribution.get(name, name)}[\[<>=!~"]', project)
    }
    assert not undeclared


def test_playing_needs_no_training_stack() -> None:
    """Every module outside training can be imported where PyTorch and ultralytics can't."""
    names = [
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for room in ROOMS
        for path in sorted((ROOT / room).rglob("*.py"))
        if not {"training", "synth"} & set(path.parts)
    ]
    program = (
        "import importlib, sys\n"
        "blocked = ('torch', 'torchvision', 'ultralytics', 'onnx', 'PIL', 'resvg_py')\n"
        "sys.modules.update(dict.fromkeys(blocked))\n"
        f"for name in {names!r}: importlib.import_module(name)\n"
    )
    run(sys.executable, "-c", program)


def test_ruff_is_clean() -> None:
    run(sys.executable, "-m", "ruff", "check", "--no-cache", ".")


def test_mypy_strict_is_clean() -> None:
    run(sys.executable, "-m", "mypy")


def test_no_file_names_a_place_on_one_computer() -> None:
    home = re.compile(r"/(?:work|home|root|Users)/\w|\b[A-Z]:\\Users\\")
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:80]}"
        for path in tracked()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if path != Path(__file__) and home.search(line)
    ]
    assert not found


def test_modules_stay_small_enough_to_read() -> None:
    long = {
        str(path.relative_to(ROOT)): lines
        for room in ROOMS
        for path in (ROOT / room).rglob("*.py")
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > 600
    }
    assert not long


def test_nothing_large_and_nothing_private_is_shipped() -> None:
    files = listed()
    assert [str(p) for p in files if p.stat().st_size > 16 * 2**20] == []
    assert [str(p) for p in files if p.suffix in {".pt", ".pem", ".key", ".sqlite", ".env", ".pyc"}] == []
