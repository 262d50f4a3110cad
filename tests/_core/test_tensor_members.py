"""Members of Tensor that MindSpore's CPU refuses, and those that are not served."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor

X = np.arange(36, dtype=np.float32).reshape(4, 3, 3)


@pytest.mark.parametrize(
    "indices",
    [
        (np.int32([0, 3, 3]),),
        (np.int32([0, -1]), np.int64([1, 2])),
        (np.int32([[0], [1]]), np.int64([1, 2])),
        (np.int32([1, 0]), np.array([True, True, False])),
        (np.array([True, False, False, True]),),
        (np.arange(12).reshape(4, 3) % 5 == 0,),
        (np.int64(2),),
    ],
)
def test_index_takes_a_tuple_of_tensors(indices):
    found = Tensor(X).index(tuple(Tensor(at) for at in indices))
    np.testing.assert_array_equal(found.asnumpy(), X[indices])
    assert found.dtype == ms.float32


def test_index_takes_masks_of_bytes_and_is_differentiated():
    mask = Tensor([1, 0, 0, 1], ms.uint8)
    np.testing.assert_array_equal(Tensor(X).index([mask]).asnumpy(), X[[0, 3]])
    at = Tensor([1, 1], ms.int32)
    for fn in (lambda x: x.index((at, at)).sum(), ms.jit(lambda x: x.index((at, at)).sum())):
        gradient = ms.grad(fn)(Tensor(X)).asnumpy()
        assert gradient[1, 1].tolist() == [2, 2, 2] and gradient.sum() == 6


@pytest.mark.parametrize(
    ("indices", "error"),
    [
        (Tensor([0]), TypeError),
        ((0,), TypeError),
        ((Tensor([0.0]),), TypeError),
        ((Tensor([0], ms.int16),), TypeError),
        ((Tensor([0]),) * 4, ValueError),
        ((Tensor([0, 1]), Tensor([0, 1, 2])), ValueError),
    ],
)
def test_index_refuses(indices, error):
    with pytest.raises(error, match="indices"):
        Tensor(X).index(indices)


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ((b"1234", (2,), ms.float32), ValueError),
        ((b"", (-1,), ms.float32), ValueError),
        (("1234", (1,), ms.float32), TypeError),
        ((b"1234", [1], ms.float32), TypeError),
        ((b"1234", (1,), np.float32), TypeError),
    ],
)
def test_bytes_must_fit(given, error):
    with pytest.raises(error, match="convert_bytes_to_tensor"):
        Tensor.convert_bytes_to_tensor(*given)


class _Product(ms.nn.Cell):
    def __init__(self, weight):
        super().__init__()
        self.weight = weight

    def construct(self, x):
        return (self.weight * x).sum()


@pytest.mark.parametrize("compiled", [lambda fn: fn, ms.jit])
@pytest.mark.parametrize("owner", [lambda weight: lambda x: (weight * x).sum(), _Product])
def test_a_hook_of_a_parameter_is_removed_by_its_number(owner, compiled):
    weight = Parameter(Tensor([1.0]), name="w")
    gradient = compiled(ms.grad(owner(weight), None, [weight]))
    assert gradient(Tensor([1.0]))[0].asnumpy() == 1
    first, second = [weight.register_hook(lambda grad, factor=factor: grad * factor) for factor in (2, 3)]
    assert gradient(Tensor([1.0]))[0].asnumpy() == 6
    weight.remove_hook(first.id)
    first.remove()
    assert gradient(Tensor([1.0]))[0].asnumpy() == 3
    Tensor.remove_hook(second.id)
    assert gradient(Tensor([1.0]))[0].asnumpy() == 1


@pytest.mark.parametrize("owner", [Tensor, Parameter, Tensor([1.0]), Parameter(Tensor([1.0]), name="p")])
def test_a_method_that_is_not_served_tells_the_way_out(owner):
    with pytest.raises(ms.UnsupportedError, match=r"'mindspore.Tensor.set_device_address' is not supported"):
        owner.set_device_address(0)
    if isinstance(owner, type):  # what wraps every method of a class finds it, as in MindSpore
        assert "not supported" in repr(owner.set_device_address)
    else:
        assert not hasattr(owner, "set_device_address")
    with pytest.raises(AttributeError, match="has no attribute 'nothing'") as caught:
        owner.nothing()
    assert caught.type is AttributeError


def test_what_a_parameter_says_of_slices_is_kept():
    weight = Parameter(Tensor([1.0, 2.0]))
    assert weight.sliced is False and weight.inited_param is None
    weight.sliced = True
    assert weight.sliced is True and weight.value().asnumpy().tolist() == [1.0, 2.0]


def test_index_put_changes_the_tensor_itself():
    x = Tensor([1.0, 2.0, 3.0])
    assert x.index_put_((Tensor([0, 2]),), Tensor([5.0, 6.0])) is x
    assert x.asnumpy().tolist() == [5.0, 2.0, 6.0]
    assert x.index_put((Tensor([1]),), Tensor([1.0]), accumulate=True).asnumpy().tolist() == [5.0, 3.0, 6.0]
