"""Checkpoint files as bytes: what MindSpore writes and reads, over numpy arrays, with no layers and no Parameters.

`wire` parses and prints the protobuf records of `.ckpt`, `codec` reads and writes such files, `crypto` encrypts
them, `safetensors_file` is the other format, `atomic` puts a finished file in place, `names` maps PyTorch's names.
"""
