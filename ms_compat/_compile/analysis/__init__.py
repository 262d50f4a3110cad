"""What compiled code does besides computing: its Parameters, side effects, outputs, and what is refused."""
