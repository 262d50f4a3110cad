"""The files that MindSpore writes: checkpoints, cut checkpoints, MindIR, and the encodings they share."""
