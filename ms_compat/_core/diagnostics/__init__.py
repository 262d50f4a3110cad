"""What the user sees besides results: tracebacks, lines of their program, progress bars, summaries."""
