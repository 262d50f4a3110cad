"""The primitives that MindSpore generates from its operator descriptions."""
