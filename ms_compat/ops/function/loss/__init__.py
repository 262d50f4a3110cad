"""Losses, with those over label sequences."""
