"""Checks of values, tensors written to files, Python functions on the host."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops
from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


X = np.array([[1.5, -2, 3], [4, 5, -6.5]], np.float32)


def tensors(*arrays):
    return [Tensor(np.asarray(a)) for a in arrays]


def test_tensors_are_written_to_files(tmp_path):
    def files():
        return sorted(p.name for p in tmp_path.iterdir())

    ops.tensordump(str(tmp_path / "a.npy"), Tensor(X))
    ops.TensorDump("in")(str(tmp_path / "b"), Tensor([1.0], ms.bfloat16))
    a, b = files()
    assert a.startswith("a_float32_") and b.startswith("b_in_bfloat16_")
    assert np.load(tmp_path / a).tolist() == X.tolist() and np.load(tmp_path / b).dtype == np.float32

    @ms.jit
    def dumped(x):
        ops.tensordump(str(tmp_path / "c"), x + 1)
        return x

    dumped(Tensor(X)).asnumpy()
    ms.runtime.synchronize()
    assert np.load(tmp_path / files()[2]).tolist() == (X + 1).tolist()


def test_checks_of_values_in_compiled_code():
    @ms.jit
    def checked(x):
        return ops.CheckNumerics()(x) + 1

    assert (checked(Tensor(X)).asnumpy() == X + 1).all()
    with pytest.raises(RuntimeError, match="Inf"):
        checked(Tensor(X) / 0).asnumpy()

    @ms.jit
    def unravelled(x):
        return ops.UnravelIndex()(x, Tensor([2, 2]))

    with pytest.raises(ValueError, match="UnravelIndex"):
        unravelled(Tensor([9])).asnumpy()


def test_python_functions_in_compiled_code():
    add = ops.PyFunc(lambda a, b: (a + b, (a * b).sum()), [ms.float32] * 2, [(2,)] * 2, [ms.float32] * 2, [(2,), ()])
    pair = tensors(np.float32([1, 2]), np.float32([3, 4]))

    @ms.jit
    def compiled(a, b):
        return add((a, b))

    for out in (add(*pair), compiled(*pair)):
        assert [o.asnumpy().tolist() for o in out] == [[4, 6], 11]
    with pytest.raises(TypeError, match="input 1"):
        add(pair[0], Tensor([1, 2]))
    with pytest.raises(TypeError, match="promised"):
        ops.PyFunc(lambda a: (a, a), [ms.float32], [(2,)], [ms.float32], [(2,)])(pair[0])
    with pytest.raises(TypeError, match="fn"):
        ops.PyFunc(3, [], [], [], [])


def test_a_gradient_is_written_on_its_way(tmp_path, mode):
    def square(x):
        return ops.DumpGradient()(str(tmp_path / "dx"), x, "out") ** 2

    gradient = ms.grad(ms.jit(square))(Tensor(3.0))
    [file] = tmp_path.iterdir()
    assert gradient.asnumpy() == 6 and np.load(file) == 6
