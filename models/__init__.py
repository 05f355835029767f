"""Deck packs that ship with Kibitz (data only): `<deck>/{locate.onnx, read.onnx, deck.toml}`; `rehearsal.npz`."""
