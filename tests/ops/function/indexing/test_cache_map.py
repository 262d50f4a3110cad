"""Cached rows against what MindSpore 2.10 found step by step on a CPU, and what does not fit."""

import json
from pathlib import Path

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops

RECORD = json.loads((Path(__file__).parents[3] / "conformance/data/cache_map.json").read_text())


def started(case):
    dtype = np.dtype(case["dtype"])
    entries = np.zeros((case["entries"], 4), dtype)
    entries[: case["cached"]] = [(-1, row, -5, 1) for row in range(case["cached"])]
    return Tensor(entries), dtype


@pytest.mark.parametrize("case", RECORD, ids=range(len(RECORD)))
@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_equals_mindspore(case, mode):
    hashmap, dtype = started(case)
    ms.set_context(mode=mode)
    try:
        for number, step in enumerate(case["steps"]):
            indices = Tensor(np.array(step["indices"], dtype))
            found = ops.MapCacheIdx()(hashmap, indices, number, 28, Tensor(dtype.type(step["offset"])))
            assert [x.asnumpy().tolist() for x in found] == step["results"]
            assert {x.dtype for x in found} == {hashmap.dtype}
            assert hashmap.asnumpy().tolist() == step["hashmap"]
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def test_indices_keep_their_shape():
    hashmap, _ = started(RECORD[0])
    found = ops.MapCacheIdx()(hashmap, Tensor([[1, 40], [2, -3]], ms.int32), 0, 28, 0)
    assert found[0].asnumpy().tolist() == [[0, -1], [1, -1]]
    assert [x.shape for x in found[1:]] == [(2,)] * 3


def test_a_cache_in_use_is_an_error():
    hashmap, _ = started(RECORD[0])
    with pytest.raises(RuntimeError, match="make the cache larger"):
        ops.MapCacheIdx()(hashmap, Tensor(np.arange(7, dtype=np.int32)), 0, 28, 0)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ((1, Tensor([1])), TypeError),
        ((Tensor(np.zeros((4, 4), np.float32)), Tensor([1])), TypeError),
        ((Tensor(np.zeros((4, 4), np.int32)), Tensor([1], ms.int64)), TypeError),
        ((Tensor(np.zeros(4, np.int32)), Tensor([1], ms.int32)), ValueError),
    ],
)
def test_what_is_refused(arguments, error):
    with pytest.raises(error, match="MapCacheIdx"):
        ops.MapCacheIdx()(*arguments, 0, 9, 0)


def test_compiled_code_refuses_it():
    with pytest.raises(ms.UnsupportedError, match="size depends on the data"):
        ms.jit(lambda h, i: ops.MapCacheIdx()(h, i, 0, 9, 0), fullgraph=True)(
            Tensor(np.zeros((4, 4), np.int32)), Tensor([1], ms.int32)
        )
