"""The sample systemd unit: systemd understands it, and it calls Kibitz as Kibitz can be called."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

from webui.cli import kibitz

ROOT = Path(__file__).parents[2]
UNIT = (ROOT / "webui" / "kibitz.service").read_text("utf-8")
CALLS = re.findall(r"^#?ExecStart=(.+)$", UNIT, re.MULTILINE)


@pytest.mark.parametrize("call", CALLS)
def test_its_calls_are_calls_of_kibitz(call: str) -> None:
    program, command, *options = shlex.split(call)
    assert Path(program).name == "kibitz"
    context = click.Context(kibitz.commands[command])
    kibitz.commands[command].make_parser(context).parse_args(options)  # raises for one that is unknown


def test_loopback_is_the_default_and_the_lan_one_comment_away() -> None:
    assert [("--lan" in call) for call in CALLS] == [False, True]
    assert f"\n#ExecStart={CALLS[1]}\n" in UNIT


def test_the_readme_says_how_to_install_it() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    assert "webui/kibitz.service" in readme
    assert "systemctl --user enable --now kibitz" in readme


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not on this machine")
def test_systemd_finds_nothing_to_complain_about(tmp_path: Path) -> None:
    unit = tmp_path / "kibitz.service"
    program = CALLS[0].split()[0]
    unit.write_text(UNIT.replace(program, sys.executable), "utf-8")
    runtime = tmp_path / "run"
    runtime.mkdir(mode=0o700)
    done = subprocess.run(
        ["systemd-analyze", "verify", "--user", str(unit)],
        env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "XDG_RUNTIME_DIR": str(runtime)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
