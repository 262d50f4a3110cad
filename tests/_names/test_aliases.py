"""Earlier names and inner paths: every row of the tables imports or says what to use; the checks refuse."""

import importlib
import inspect

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn
from ms_compat import _checkparam as checks
from ms_compat._names import aliases, api_index
from ms_compat._names.resolve import is_served, resolve


@pytest.mark.parametrize("name", aliases.table())
def test_alias_is_served(name):
    assert is_served(name)


@pytest.mark.parametrize("name", [name for name in api_index.renamed() if is_served(name.rpartition(".")[0])])
def test_earlier_name_works_or_is_explained(name):
    try:
        found = resolve(name)
    except AttributeError as error:
        assert name.rpartition(".")[2] in str(error)
    else:
        assert found is not None


def test_resize_bilinear_equals_interpolate():
    x = ms.Tensor(np.random.RandomState(0).randn(1, 2, 5, 7).astype(np.float32))
    out = ms.nn.ResizeBilinear()(x, size=(8, 4), align_corners=True)
    expected = ms.ops.interpolate(x, size=(8, 4), mode="bilinear", align_corners=True)
    np.testing.assert_allclose(out.asnumpy(), expected.asnumpy(), rtol=1e-5, atol=1e-6)
    half = ms.ops.ResizeBilinear((8, 4), half_pixel_centers=True)(x)
    expected = ms.ops.interpolate(x, size=(8, 4), mode="bilinear", align_corners=False)
    np.testing.assert_allclose(half.asnumpy(), expected.asnumpy(), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: checks.check_positive_int(0, "n", "Net"), ValueError),
        (lambda: checks.check_positive_int(True), TypeError),
        (lambda: checks.Validator.check_value_type("n", 1, [str], "Net"), TypeError),
        (lambda: checks.check_float_range(1.0, 0.0, 1.0, checks.Rel.INC_LEFT, "p"), ValueError),
        (lambda: checks.check_string("a", ["b"]), ValueError),
        (lambda: checks.check_subclass("t", int, str, "Net"), TypeError),
    ],
)
def test_checks_refuse(call, error):
    with pytest.raises(error):
        call()


def test_checks_return_the_value():
    assert checks.check_positive_int(3) == 3
    assert checks.check_float_range(0.0, 0.0, 1.0, checks.INC_LEFT) == 0.0
    assert checks.check_value_type("n", 1, (int, None.__class__)) == 1


def test_primitives_are_kept():
    cached = importlib.import_module("ms_compat.ops._primitive_cache")._get_cache_prim(ms.ops.Softmax)
    assert cached(-1) is cached(-1)
    assert cached(0) is not cached(-1)


def inner(dotted):
    return resolve(f"mindspore.{dotted}")


def test_the_class_of_compiled_functions():
    executor = inner("common.api._JitExecutor")
    assert inspect.isclass(executor) and executor is inner("common.api._MindsporeFunctionExecutor")
    assert executor(nn.ReLU().construct)(Tensor([-1.0, 2.0])).asnumpy().tolist() == [0.0, 2.0]
