"""Operators whose computation is a function in a shared library: `ops.Custom` with `func_type="aot"`.

`sources.py` compiles C++, `bridge.cc` calls the library's functions, and `kernels.py` is Python's side of it.
"""
