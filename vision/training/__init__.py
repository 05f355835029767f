"""Training of deck packs around ultralytics (needs the `train` extra)."""

from vision.offline import forbid_network

forbid_network()  # before any module here imports ultralytics
