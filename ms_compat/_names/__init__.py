"""The registry of MindSpore's names: which there are, where each stands here, and what is said of the others."""
