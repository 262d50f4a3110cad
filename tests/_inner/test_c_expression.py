"""Names of the extension module."""

import pytest

import ms_compat as ms
from ms_compat._names.resolve import inner_module, resolve


def test_moving_memory_of_ascend_is_imported_and_refused():
    swap_cache = inner_module("mindspore._c_expression").swap_cache
    with pytest.raises(ms.UnsupportedError, match="swap_cache"):
        swap_cache(1, 2, 3, True)


def inner(dotted):
    return resolve(f"mindspore.{dotted}")


def test_an_empty_tensor_has_shape_and_dtype():
    made = inner("_c_expression._empty_instance")((2, 3), dtype=ms.float16, device="CPU")
    assert made.shape == (2, 3) and made.dtype is ms.float16
