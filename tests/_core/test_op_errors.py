"""What JAX refuses inside an operation is raised with MindSpore's class, naming the operation; recorded on a CPU."""

import numpy as np
import pytest

import ms_compat as ms
import ms_compat.numpy as mnp
from ms_compat import Tensor, mint, ops

X = Tensor(np.ones((2, 3), np.float32))
VECTOR = Tensor(np.ones(5, np.float32))
CASES = {
    "addcmul": (lambda x: ops.addcmul(x, VECTOR, x, 2.0), ValueError),
    "addmm": (lambda x: ops.addmm(Tensor(np.ones((5, 3), np.float32)), x, x.T), ValueError),
    "addbmm": (lambda x: ops.addbmm(Tensor(np.ones((0, 2), np.float32)), x[None], x.T[None]), ValueError),
    "cross": (lambda x: mnp.cross(x[:0], x), ValueError),
    "cdist": (lambda x: ops.Cdist()(x, x[0]), ValueError),
    "adjoint": (lambda x: ops.adjoint(x.reshape(-1)), ValueError),
    "lerp with a list": (lambda x: mint.lerp(x, x, [1]), TypeError),
    "alpha of None": (lambda x: mint.add(x, x, alpha=None), TypeError),
    "alpha of a tuple": (lambda x: mint.add(x, x, alpha=(1,)), TypeError),
    "fill of None": (lambda x: mint.full((2,), None), TypeError),
    "q of None": (lambda x: ops.quantile(x, None), TypeError),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("compiled", [False, True])
def test_arguments_that_do_not_fit(name, compiled):
    function, error = CASES[name]
    with pytest.raises(error) as caught:
        (ms.jit(function) if compiled else function)(X)
    assert "For '" in str(caught.value)


# A mode or method that is not a str: TypeError where MindSpore parses the argument itself, else ValueError.
CHOICES = {
    "fft norm": (lambda v: ops.fft2(X, norm=v), TypeError),
    "diagonal align": (lambda v: ops.MatrixDiagV3(v), TypeError),
    "meshgrid": (lambda v: ops.meshgrid(X[0], X[0], indexing=v), TypeError),
    "conv2d": (lambda v: ops.conv2d(X[None, None], X[None, None], pad_mode=v), TypeError),
    "grid_sample": (lambda v: ops.grid_sample(X[None, None], Tensor(np.zeros((1, 2, 2, 2), np.float32)), v), TypeError),
    "gelu": (lambda v: mint.nn.functional.gelu(X, approximate=v), TypeError),
    "bce": (lambda v: ops.binary_cross_entropy(X, X, reduction=v), TypeError),
    "smooth_l1": (lambda v: ops.smooth_l1_loss(X, X, 1.0, v), TypeError),
    "scatter": (lambda v: ops.tensor_scatter_elements(X, Tensor([[0]]), X[:1, :1], 0, v), TypeError),
    "correlate": (lambda v: mnp.correlate(X[0], X[0], v), TypeError),
    "convolve": (lambda v: mnp.convolve(X[0], X[0], v), ValueError),
    "mse_loss": (lambda v: ops.mse_loss(X, X, reduction=v), ValueError),
    "kl_div": (lambda v: ops.kl_div(X, X, v), ValueError),
    "margin": (lambda v: ops.margin_ranking_loss(X, X, X, reduction=v), ValueError),
    "layer's format": (lambda v: ms.nn.Conv2d(2, 2, 3, data_format=v), ValueError),
    "layer's mode": (lambda v: ms.nn.Pad(((0, 1), (0, 1)), v), ValueError),
    "norm's format": (lambda v: ms.nn.BatchNorm2d(2, data_format=v), ValueError),
    "pool's format": (lambda v: ms.nn.AvgPool2d(2, data_format=v), ValueError),
}


@pytest.mark.parametrize("name", CHOICES)
def test_a_choice_of_another_type(name):
    function, error = CHOICES[name]
    for value in (1, 1.5, (1,)):
        with pytest.raises(error):
            function(value)
    with pytest.raises(ValueError):
        function("zz")


def test_numbers_in_numpy_functions_are_tensors():
    x = Tensor(np.ones(3), ms.int8)
    half = x.astype(ms.float16)
    assert [mnp.add(x, 2).dtype, mnp.subtract(2, x).dtype, mnp.power(x, 2).dtype] == [ms.int32] * 3
    assert [mnp.add(half, 2.5).dtype, mnp.where(x > 0, half, 0.5).dtype] == [ms.float32] * 2
    assert [mnp.maximum(x, 2).dtype, mnp.minimum(x, 2.5).dtype] == [ms.int8] * 2  # these take the tensor's type


def test_sequences_of_numbers_and_sequences():
    with pytest.raises(TypeError):
        mnp.add([[1], 2], [3, 4])
    with pytest.raises(ValueError):
        mnp.add([None, 2], [3, 4])
    with pytest.raises(ValueError):
        mnp.array([1, None])
