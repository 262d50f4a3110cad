"""Public collections of texts and speech, each in its published layout."""
