"""MindSpore's internal names: imported when a script uses one, never by the package itself."""
