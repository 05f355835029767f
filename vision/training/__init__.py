"""Training of deck packs around ultralytics (needs the `train` extra)."""
