"""Modules whose classes the programs use: names that others have, too, and imports of several kinds."""
