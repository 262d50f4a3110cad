"""MindIR files: graphs of MindSpore's compiler, read, run as Cells, and written."""
