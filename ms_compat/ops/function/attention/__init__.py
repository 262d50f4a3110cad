"""Attention, position embeddings, and mixtures of experts."""
