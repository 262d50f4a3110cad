"""Operators in C++ that `mindspore.ops.CustomOpBuilder` compiles: the builder, the headers in `include/` that the C++
uses, and what these ask of Python (`tensors.py`).
"""
