"""Floats become integers as MindSpore 2.10 converts them on a CPU, also those that do not fit."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor

GIVEN = [np.nan, np.inf, -np.inf, 1e10, 3e9, -3e9, 300.0, -1.0, -129.5, 1e20, 65537.0, 1e19]
LOW32, LOW64 = -(2**31), -(2**63)
# recorded from Float64 tensors; Float32 ones give the same but where the number itself is rounded
RECORDED = {
    "int8": [0, 0, 0, 0, 0, 0, 44, -1, 127, 0, 1, 0],
    "int16": [0, 0, 0, 0, 0, 0, 300, -1, -129, 0, 1, 0],
    "int32": [LOW32, LOW32, LOW32, LOW32, LOW32, LOW32, 300, -1, -129, LOW32, 65537, LOW32],
    "int64": [LOW64, LOW64, LOW64, 10**10, 3 * 10**9, -3 * 10**9, 300, -1, -129, LOW64, 65537, LOW64],
    "uint8": [0, 0, 0, 0, 0, 0, 44, 255, 127, 0, 1, 0],
    "uint16": [0, 0, 0, 0, 0, 0, 300, 65535, 65407, 0, 1, 0],
    "uint32": [0, 0, 0, 1410065408, 3 * 10**9, 1294967296, 300, 2**32 - 1, 2**32 - 129, 0, 65537, 0],
    "uint64": [2**63, 0, 2**63, 10**10, 3 * 10**9, 2**64 - 3 * 10**9, 300, 2**64 - 1, 2**64 - 129, 0, 65537, 10**19],
}


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("name", sorted(RECORDED))
def test_floats_become_integers(name, compiled):
    target = getattr(ms, name)
    convert = ms.jit(lambda x: x.astype(target)) if compiled else (lambda x: x.astype(target))
    assert convert(Tensor(np.array(GIVEN))).asnumpy().tolist() == RECORDED[name]


@pytest.mark.parametrize("source", ["float16", "bfloat16", "float32"])
def test_narrow_floats_become_integers(source):
    x = Tensor(np.array([np.nan, -np.inf, 300, -1.5, 0.75]), ms.float64).astype(getattr(ms, source))
    assert x.astype(ms.int32).asnumpy().tolist() == [LOW32, LOW32, 300, -1, 0]
    assert x.astype(ms.uint8).asnumpy().tolist() == [0, 0, 44, 255, 0]
    assert x.astype(ms.uint32).asnumpy().tolist() == [0, 0, 300, 2**32 - 1, 0]
