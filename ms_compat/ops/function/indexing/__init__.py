"""Elements by position and by order: gather, scatter, sort."""
