"""Docstrings of the primitive classes, made from what their functions say, and their examples."""
