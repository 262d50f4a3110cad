"""Memory between NumPy and Tensors: `from_numpy` shares it, `asnumpy` gives a copy to write into."""

import copy
import pickle

import jax.numpy as jnp
import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, nn, ops


@pytest.fixture
def array():
    return np.array([1.0, 2.0, 3.0], np.float32)


def test_writes_are_seen_on_both_sides(array):
    tensor = Tensor.from_numpy(array)
    assert type(tensor) is not Tensor and tensor.__class__ is Tensor and isinstance(tensor, Tensor)
    array[0] = 9
    assert tensor.asnumpy().tolist() == [9, 2, 3]
    assert (tensor + 1).asnumpy().tolist() == [10, 3, 4]
    tensor[1] = 7
    assert array.tolist() == [9, 7, 3]
    tensor.view(3, 1)[2, 0] = 5
    assert array.tolist() == [9, 7, 5]


def test_each_call_sees_the_array_as_it_is(array, mode):
    tensor, net = Tensor.from_numpy(array), nn.ReLU()
    gradient = ms.grad(lambda x: (x * x).sum())
    for first in (1.0, -2.0, 6.0):
        array[0] = first
        assert net(tensor).asnumpy()[0] == max(first, 0)
        assert gradient(tensor).asnumpy()[0] == 2 * first
        assert ops.concat([tensor, tensor]).asnumpy()[3] == first


def test_copies_and_parameters_are_on_their_own(array):
    tensor = Tensor.from_numpy(array)
    others = [copy.deepcopy(tensor), copy.copy(tensor), pickle.loads(pickle.dumps(tensor)), Parameter(tensor, name="p")]
    array[:] = 0
    for other in others:
        assert other.asnumpy().tolist() == [1, 2, 3]


def test_another_dtype_ends_the_sharing(array):
    tensor = Tensor.from_numpy(array)
    tensor.set_dtype(ms.int32)
    array[0] = 8
    assert tensor.dtype == ms.int32 and tensor.asnumpy().tolist() == [1, 2, 3]


def test_a_read_only_array_is_not_written_to():
    array = np.ones(2, np.float32)
    array.flags.writeable = False
    tensor = Tensor.from_numpy(array)
    tensor[0] = 5
    assert tensor.asnumpy().tolist() == [5, 1] and array.tolist() == [1, 1]


@pytest.mark.parametrize("what", [np.array(["a"]), np.array([None]), [1.0]])
def test_what_is_no_array_of_numbers_is_refused(what):
    with pytest.raises(TypeError):
        Tensor.from_numpy(what)


def test_asnumpy_gives_an_array_of_the_callers():
    tensor = Tensor([1.0, 2.0])
    array = tensor.asnumpy()
    array += 1
    assert array.tolist() == [2, 3] and tensor.asnumpy().tolist() == [1, 2]
    assert isinstance(jnp.asarray(tensor), jnp.ndarray)


def test_hooks_belong_to_one_tensor():
    for tensor in (Tensor([1.0, 2.0]), Parameter(Tensor([1.0, 2.0]), name="p")):
        tensor.register_hook(lambda grad: grad * 10)
        for other in (copy.deepcopy(tensor), copy.copy(tensor), getattr(tensor, "clone", tensor.copy)()):
            other.register_hook(lambda grad: grad * 3)
            np.testing.assert_allclose(ms.grad(lambda x: (x * x).sum())(other).asnumpy(), [6, 12])
        np.testing.assert_allclose(ms.grad(lambda x: (x * x).sum())(tensor).asnumpy(), [20, 40])
