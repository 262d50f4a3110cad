"""The primitives that compute gradients."""
