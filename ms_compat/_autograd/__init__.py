"""Gradients: one selection of inputs and weights, one engine on the tape and one under a trace."""
