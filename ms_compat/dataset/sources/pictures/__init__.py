"""Public collections of pictures, each in its published layout."""
