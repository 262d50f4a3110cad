"""Programs compiled for accelerators that this machine lacks: targets, their compilers, and what a program needs."""
