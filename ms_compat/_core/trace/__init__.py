"""What is traced at the moment, and what a trace may change."""
