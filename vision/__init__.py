"""From light to detections: cameras, the card detector, deck packs, training data."""
