"""An ONNX Runtime session with few threads that sleep when idle."""

import os
from pathlib import Path

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

from vision.errors import KibitzError


def default_threads() -> int:
    """At most two: a laptop has other things to do, and more threads gain little here."""
    return min(2, os.cpu_count() or 1)


class Network:
    """A network with one image input (n, 3, h, w), RGB 0..1, and one output."""

    def __init__(self, path: Path, threads: int) -> None:
        options = ort.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        # Regions differ in size, and a memory plan is kept for each: a third of the memory, no time won.
        options.enable_mem_pattern = False
        # Spinning threads burn CPU between frames for a gain of a millisecond.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        # A model is one file: weights kept elsewhere would be read from paths inside the file.
        options.add_session_config_entry("session.model_external_initializers_file_folder_path", os.devnull)
        try:
            self._session = ort.InferenceSession(path.read_bytes(), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # onnxruntime raises several unrelated types for a bad file
            why = str(error).splitlines()[0][:120]
            raise KibitzError("model_unusable", path=str(path), why=why) from error
        self._input = self._session.get_inputs()[0].name

    def run(self, images: NDArray[np.float32]) -> NDArray[np.float32]:
        """One forward pass."""
        return np.asarray(self._session.run(None, {self._input: images})[0], np.float32)


def as_input(image: NDArray[np.uint8]) -> NDArray[np.float32]:
    """(h, w, 3) BGR bytes -> (3, h, w) RGB 0..1."""
    return np.ascontiguousarray(image[..., ::-1].transpose(2, 0, 1), np.float32) / np.float32(255)
