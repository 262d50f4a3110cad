"""Functions of `mindspore.numpy` that take Tensors alone, and those that take numbers, too, as in MindSpore 2.10.0."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor
from ms_compat import numpy as mnp

TYPE_ERRORS = """
amax amin arccos arccosh arcsin arcsinh arctan arctanh array_str atleast_1d atleast_2d atleast_3d average
broadcast_arrays cos cosh cumsum deg2rad diag diagflat diff ediff1d fix flip fliplr flipud isneginf isposinf ix_ max
meshgrid min nancumsum positive ptp rad2deg radians ravel rot90 sin sinh squeeze tan tanh transpose unique
"""
ATTRIBUTE_ERRORS = "abs absolute count_nonzero diagonal fabs log10 log2 trace"
WITH_ARGUMENTS = {
    "array_split": (2,), "broadcast_to": ((2, 2),), "dsplit": (2,), "expand_dims": (0,), "hsplit": (2,),
    "moveaxis": (0, 1), "reshape": ((4,),), "roll": (1,), "rollaxis": (1,), "split": (2,), "swapaxes": (0, 1),
    "tile": (2,), "vsplit": (2,),
}  # fmt: skip
PAIRS = "append arctan2 dot float_power less_equal logaddexp2 logical_xor matmul multiply not_equal outer tensordot"
TAKE_NUMBERS = "argmax array asarray ceil copy exp2 isfinite mean negative ones_like sqrt square std sum var zeros_like"
X = np.arange(4, dtype=np.float32).reshape(2, 2)


@pytest.mark.parametrize("value", [[[0.0, 1.0], [2.0, 3.0]], ((0, 1), (2, 3)), 2, 2.5, True])
def test_functions_of_tensors_refuse_the_rest(value):
    for name in TYPE_ERRORS.split():
        with pytest.raises(TypeError, match=rf"numpy\.{name}' takes Tensors"):
            getattr(mnp, name)(value)
    for name in ATTRIBUTE_ERRORS.split():
        with pytest.raises(AttributeError, match=rf"numpy\.{name}' takes Tensors"):
            getattr(mnp, name)(value)
    for name, arguments in WITH_ARGUMENTS.items():
        with pytest.raises(TypeError, match=rf"numpy\.{name}' takes Tensors"):
            getattr(mnp, name)(value, *arguments)
    for name in PAIRS.split():
        for pair in ((Tensor(X), value), (value, Tensor(X))):
            with pytest.raises(TypeError, match=rf"numpy\.{name}' takes Tensors"):
                getattr(mnp, name)(*pair)
    with pytest.raises(TypeError, match="takes Tensors"):
        mnp.apply_along_axis(mnp.sum, 0, value)


def test_a_keyword_is_checked_as_well():
    with pytest.raises(TypeError, match="takes Tensors"):
        mnp.multiply(Tensor(X), x2=2.0)
    assert mnp.meshgrid(Tensor([1, 2]), Tensor([3]), indexing="ij")[0].shape == (2, 1)


def test_sequences_of_tensors_are_joined_and_of_numbers_are_not():
    for name in ("column_stack", "concatenate", "dstack", "hstack", "stack", "vstack"):
        error = TypeError if name in ("concatenate", "stack") else AttributeError
        getattr(mnp, name)((Tensor(X), Tensor(X)))
        with pytest.raises(error, match="takes Tensors"):
            getattr(mnp, name)([[1, 2], [3, 4]])


def test_other_functions_take_numbers_and_sequences():
    for name in TAKE_NUMBERS.split():
        for value in ([1.0, 2.0], (1.0, 2.0), 2.5):
            getattr(mnp, name)(value)


def test_a_float64_scalar_is_a_python_float():
    assert mnp.array(np.float64(2.5)).dtype == ms.float32
    assert mnp.add(Tensor(X), np.float64(2.5)).dtype == ms.float32
    assert mnp.sqrt(np.float64(2.5)).dtype == ms.float32
    assert mnp.full((2,), np.float64(2.5)).dtype == ms.float32


@pytest.mark.parametrize("scalar", [np.float32(2.5), np.int64(2), np.bool_(True), 1j])
def test_other_scalars_are_refused(scalar):
    with pytest.raises(TypeError, match="takes Python numbers|complex"):
        mnp.sqrt(scalar)
    with pytest.raises(TypeError, match="takes Python numbers|complex"):
        mnp.add(Tensor(X), scalar)


@pytest.mark.parametrize("name", ["array", "asarray", "asfarray", "copy", "full"])
@pytest.mark.parametrize("value", [np.array([1, 2]), np.float32(2), np.int64(2), np.bool_(True), 1j])
def test_makers_refuse_what_numpy_made(mode, name, value):
    make = getattr(mnp, name)
    with pytest.raises(TypeError, match="but got a numpy|no complex numbers"):
        make((2,), value) if name == "full" else make(value)


def test_makers_take_sequences_of_what_numpy_made():
    assert mnp.array([np.array([1, 2])]).asnumpy().tolist() == [[1, 2]]
    assert mnp.array((np.int32(1), 2)).asnumpy().tolist() == [1, 2]


def test_compiled_functions_take_scalars_of_numpy():
    out = ms.jit(lambda x: mnp.add(x, np.float32(2.5)))(Tensor([1.0, 2.0]))
    assert out.dtype == ms.float32 and out.asnumpy().tolist() == [3.5, 4.5]
