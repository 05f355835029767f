"""The `kibitz` command: options in, one line out when something is wrong.

Heavy modules (cv2, onnxruntime, the web server) are imported by the command that needs them, so
that `kibitz --help` answers at once. Exit codes: 0 done, 1 it failed, 2 it was called wrongly.
"""

import os
import sys
from pathlib import Path
from typing import Any

import click

# before anything imports cv2: a small PNG can claim to be gigabytes
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(40_000_000))

USAGE_CODES = frozenset(
    (
        "bad_option_form",
        "names_count",
        "no_game",
        "no_table",
        "option_out_of_range",
        "player_count",
        "unknown_option",
        "unknown_ruleset",
    )
)
"""Errors of the catalogs that mean a wrong call (exit code 2)."""
