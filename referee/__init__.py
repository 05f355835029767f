"""The rules of the card games, pure: standard library only, no clock, no input or output."""
