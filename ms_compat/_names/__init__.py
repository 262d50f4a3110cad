"""The registry of MindSpore's names: which there are, where each is defined here, and the hints for the others."""
