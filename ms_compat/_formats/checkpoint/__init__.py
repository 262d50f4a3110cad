"""Checkpoints, from the bytes up.

`wire` parses and prints the protobuf records of `.ckpt`; `codec` reads and writes such files and `safetensors_file`
the other format, over numpy arrays; `arrays`, `atomic` and `crypto` serve both; `names` knows PyTorch's parameter
names and `convert` goes from file to file. On top, with Parameters and Cells: `save`, `load` and `into_net`.
"""
