"""The parts of `Cell`, one topic a file; `ms_compat/nn/cell.py` puts them together."""
