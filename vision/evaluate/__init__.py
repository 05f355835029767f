"""Measuring a deck pack on labelled photos: what it finds, names wrongly, invents, and how sure it is."""
