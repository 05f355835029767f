"""A deck that its owner teaches: the photos, what they show, what is still missing. Needs no PyTorch."""
