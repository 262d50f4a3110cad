"""The examples of the pages mutable, GradOperation, vjp and ForwardValueAndGrad: what they print, in both modes."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, ParameterTuple, Tensor, mutable, nn, ops
from ms_compat.ops import GradOperation
from tests.spec.printed import assert_prints

pytestmark = pytest.mark.usefixtures("mode")


def matrix(values):
    return Tensor(values, dtype=ms.float32)


class Scaled(nn.Cell):
    """matmul(x * z, y), the network of the GradOperation page."""

    def __init__(self):
        super().__init__()
        self.matmul = ops.MatMul()
        self.z = Parameter(Tensor(np.array([1.0], np.float32)), name="z")

    def construct(self, x, y):
        return self.matmul(x * self.z, y)


class Gradient(nn.Cell):
    """Calls a gradient function that is made inside `construct`."""

    def __init__(self, net, weights=None, sens=None, **flags):
        super().__init__()
        self.net = net
        self.weights = weights
        self.sens = sens
        self.grad_op = GradOperation(**flags)

    def construct(self, *inputs):
        gradient = self.grad_op(self.net) if self.weights is None else self.grad_op(self.net, self.weights)
        return gradient(*inputs) if self.sens is None else gradient(*inputs, self.sens)


X = [[0.8, 0.6, 0.2], [1.8, 1.3, 1.1]]
Y = [[0.11, 3.3, 1.1], [1.1, 0.2, 1.4], [1.1, 2.2, 0.3]]


def test_first_input():
    x, y = matrix([[0.5, 0.6, 0.4], [1.2, 1.3, 1.1]]), matrix([[0.01, 0.3, 1.1], [0.1, 0.2, 1.3], [2.1, 1.2, 3.3]])
    assert_prints(Gradient(Scaled())(x, y), "[[1.4100001 1.5999999 6.6 ] [1.4100001 1.5999999 6.6 ]]")


def test_all_inputs():
    assert_prints(
        Gradient(Scaled(), get_all=True)(matrix(X), matrix(Y)),
        """(Tensor(shape=[2, 3], dtype=Float32, value=
        [[ 4.50999975e+00,  2.70000005e+00,  3.60000014e+00],
         [ 4.50999975e+00,  2.70000005e+00,  3.60000014e+00]]), Tensor(shape=[3, 3], dtype=Float32, value=
        [[ 2.59999990e+00,  2.59999990e+00,  2.59999990e+00],
         [ 1.89999998e+00,  1.89999998e+00,  1.89999998e+00],
         [ 1.30000007e+00,  1.30000007e+00,  1.30000007e+00]]))""",
    )


def test_all_inputs_with_sensitivity():
    sens = matrix([[0.1, 0.6, 0.2], [0.8, 1.3, 1.1]])
    assert_prints(
        Gradient(Scaled(), sens=sens, get_all=True, sens_param=True)(matrix(X), matrix(Y)),
        """(Tensor(shape=[2, 3], dtype=Float32, value=
        [[ 2.21099997e+00,  5.09999990e-01,  1.49000001e+00],
         [ 5.58799982e+00,  2.68000007e+00,  4.07000017e+00]]), Tensor(shape=[3, 3], dtype=Float32, value=
        [[ 1.51999998e+00,  2.81999993e+00,  2.14000010e+00],
         [ 1.09999990e+00,  2.04999971e+00,  1.54999995e+00],
         [ 9.00000036e-01,  1.54999995e+00,  1.25000000e+00]]))""",
    )


def test_weights():
    net = Scaled()
    weights = ParameterTuple(net.trainable_params())
    assert_prints(
        Gradient(net, weights, get_by_list=True)(matrix(X), matrix(Y)),
        "(Tensor(shape=[1], dtype=Float32, value= [ 2.15359993e+01]),)",
    )


def test_inputs_and_weights():
    net = Scaled()
    weights = ParameterTuple(net.trainable_params())
    x, y = matrix([[0.1, 0.6, 1.2], [0.5, 1.3, 0.1]]), matrix([[0.12, 2.3, 1.1], [1.3, 0.2, 2.4], [0.1, 2.2, 0.3]])
    assert_prints(
        Gradient(net, weights, get_all=True, get_by_list=True)(x, y),
        """((Tensor(shape=[2, 3], dtype=Float32, value=
        [[ 3.51999998e+00,  3.90000010e+00,  2.59999990e+00],
         [ 3.51999998e+00,  3.90000010e+00,  2.59999990e+00]]), Tensor(shape=[3, 3], dtype=Float32, value=
        [[ 6.00000024e-01,  6.00000024e-01,  6.00000024e-01],
         [ 1.89999998e+00,  1.89999998e+00,  1.89999998e+00],
         [ 1.30000007e+00,  1.30000007e+00,  1.30000007e+00]])), (Tensor(shape=[1], dtype=Float32, value=
         [ 1.29020004e+01]),))""",
    )


def test_mutable_tuple(mode):
    class Product(nn.Cell):
        def __init__(self):
            super().__init__()
            self.matmul = ops.MatMul()

        def construct(self, z):
            return self.matmul(z[0], z[1])

    z = mutable(
        (matrix([[0.5, 0.6, 0.4], [1.2, 1.3, 1.1]]), matrix([[0.01, 0.3, 1.1], [0.1, 0.2, 1.3], [2.1, 1.2, 3.3]]))
    )
    assert_prints(
        Gradient(Product())(z),
        """(Tensor(shape=[2, 3], dtype=Float32, value=
        [[ 1.41000009e+00,  1.60000002e+00,  6.59999943e+00],
         [ 1.41000009e+00,  1.60000002e+00,  6.59999943e+00]]), Tensor(shape=[3, 3], dtype=Float32, value=
        [[ 1.70000005e+00,  1.70000005e+00,  1.70000005e+00],
         [ 1.89999998e+00,  1.89999998e+00,  1.89999998e+00],
         [ 1.50000000e+00,  1.50000000e+00,  1.50000000e+00]]))""",
    )


class Cubed(nn.Cell):
    def construct(self, x, y):
        return x**3 + y


def test_vjp():
    x, y = (Tensor(np.array([[1, 2], [3, 4]]).astype(np.float32)) for _ in range(2))
    v = Tensor(np.ones((2, 2), np.float32))
    outputs, pullback = ms.vjp(Cubed(), x, y)
    assert_prints(outputs, "[[ 2. 10.] [30. 68.]]")
    assert_prints(
        pullback(v),
        """(Tensor(shape=[2, 2], dtype=Float32, value=
        [[ 3.00000000e+00, 1.20000000e+01], [ 2.70000000e+01, 4.80000000e+01]]),
        Tensor(shape=[2, 2], dtype=Float32, value=
        [[ 1.00000000e+00, 1.00000000e+00], [ 1.00000000e+00, 1.00000000e+00]]))""",
    )


def test_vjp_with_auxiliary_outputs():
    x, y = (Tensor(np.array([[1, 2], [3, 4]]).astype(np.float32)) for _ in range(2))
    outputs, pullback, aux = ms.vjp(lambda x, y: (2 * x + y, y**3), x, y, has_aux=True)
    assert_prints(outputs, "[[ 3. 6.] [ 9. 12.]]")
    assert_prints(aux, "[[ 1. 8.] [27. 64.]]")
    assert_prints(
        pullback(Tensor(np.ones((2, 2), np.float32))),
        """(Tensor(shape=[2, 2], dtype=Float32, value=
        [[ 2.00000000e+00, 2.00000000e+00], [ 2.00000000e+00, 2.00000000e+00]]),
        Tensor(shape=[2, 2], dtype=Float32, value=
        [[ 1.00000000e+00, 1.00000000e+00], [ 1.00000000e+00, 1.00000000e+00]]))""",
    )


def test_forward_value_and_grad():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.weight = Parameter(Tensor(np.ones([2, 2]).astype(np.float32)), name="weight")
            self.matmul = ops.MatMul()

        def construct(self, x):
            return self.matmul(x, self.weight)

    net = Net()
    with_loss = nn.WithLossCell(net, nn.SoftmaxCrossEntropyWithLogits())
    weights = ParameterTuple(net.trainable_params())
    train = nn.ForwardValueAndGrad(with_loss, weights=weights, get_all=True, get_by_list=True)
    ones = Tensor(np.ones([1, 2]).astype(np.float32))
    assert_prints(
        train(ones, Tensor(np.ones([1, 2]).astype(np.float32))),
        """(Tensor(shape=[1], dtype=Float32, value= [ 1.38629436e+00]), ((Tensor(shape=[1, 2], dtype=Float32, value=
        [[ -1.00000000e+00, -1.00000000e+00]]), Tensor(shape=[1, 2], dtype=Float32, value=
        [[ 0.00000000e+00, 0.00000000e+00]])), (Tensor(shape=[2, 2], dtype=Float32, value=
        [[ -5.00000000e-01, -5.00000000e-01], [ -5.00000000e-01, -5.00000000e-01]]),)))""",
    )
