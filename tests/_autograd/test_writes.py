"""What is written into a Parameter has no gradient, and it stays a variable: the values of MindSpore 2.10."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, nn, ops


def assigned(net, x):
    ops.assign(net.p, x * 3)
    return net.p * 2


def assigned_as_attribute(net, x):
    net.p = x * 3
    return net.p * 2


def result_of_assign(net, x):
    return ops.assign(net.p, x * 3) * 2


def added(net, x):
    ops.assign_add(net.p, x * 3)
    return net.p * x


def result_of_assign_add(net, x):
    return ops.assign_add(net.p, x * 3) * x


def result_and_parameter(net, x):
    return ops.assign_sub(net.p, x * 3) * 2 + net.p * x


def set_by_index(net, x):
    net.p[0] = x[0] * 3
    return net.p * 2


def scattered(net, x):
    ops.scatter_update(net.p, Tensor([0], ms.int32), x[:1] * 3)
    return net.p * 2


def used_before(net, x):
    y = net.p * x
    ops.assign(net.p, y)
    return y * net.p


def written_twice(net, x):
    for _ in range(2):
        net.p = net.p * x
    return net.p * x


def assigned_to_a_tensor(net, x):
    z = x * 1
    ops.assign(z, x * 5)
    return z * 2


def set_in_a_tensor(net, x):
    z = x * 1
    z[0] = x[1] * 5
    return z * 2


# program: gradient of x = [2, 3], gradient of p = [5, 6], p afterwards
CASES = {
    assigned: ([0, 0], [2, 2], [6, 9]),
    assigned_as_attribute: ([0, 0], [2, 2], [6, 9]),
    result_of_assign: ([0, 0], [2, 2], [6, 9]),
    added: ([11, 15], [2, 3], [11, 15]),
    result_of_assign_add: ([17, 24], [2, 3], [11, 15]),
    result_and_parameter: ([-7, -9], [4, 5], [-1, -3]),
    set_by_index: ([0, 0], [2, 2], [6, 6]),
    scattered: ([0, 0], [2, 2], [6, 6]),
    used_before: ([50, 108], [30, 72], [10, 18]),
    written_twice: ([20, 54], [2, 3], [20, 54]),
    assigned_to_a_tensor: ([2, 2], [0, 0], [5, 6]),
    set_in_a_tensor: ([0, 12], [0, 0], [5, 6]),
}


@pytest.mark.parametrize("way", ["pynative", "graph", "jit"])
@pytest.mark.parametrize("program", CASES, ids=lambda program: program.__name__)
def test_gradients_past_a_write(program, way):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.p = Parameter(Tensor([5.0, 6.0]), name="p")

        def construct(self, x):
            return program(self, x)

    net = Net()
    ms.set_context(mode=ms.GRAPH_MODE if way == "graph" else ms.PYNATIVE_MODE)
    try:
        function = ms.jit(net) if way == "jit" else net
        of_x, (of_p,) = ms.grad(function, 0, net.trainable_params())(Tensor([2.0, 3.0]))
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    for found, expected in zip((of_x, of_p, net.p), CASES[program], strict=True):
        np.testing.assert_allclose(found.asnumpy(), expected, rtol=1e-6)


def test_a_parameter_without_requires_grad_has_no_gradient_in_pynative_mode():
    a, b = (Parameter(Tensor([v]), name=n, requires_grad=g) for v, n, g in ((5.0, "a", False), (6.0, "b", True)))

    def product(x):
        return x * a * b

    of_a, of_b = ms.grad(product, None, [a, b])(Tensor([2.0]))
    assert (of_a.asnumpy(), of_b.asnumpy()) == ([0], [10])
    assert ms.grad(lambda x: x * x)(a).asnumpy() == [0]
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        assert ms.grad(product, None, a)(Tensor([2.0])).asnumpy() == [12]
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def test_one_parameter_as_input_and_as_weight(mode):
    """The tape knows objects, and each gradient is the whole one; compiled code has two variables."""
    p = Parameter(Tensor([2.0]), name="p")
    of_input, of_weight = ms.grad(lambda x: x * x * p, 0, p)(p)
    assert (of_input.asnumpy(), of_weight.asnumpy()) == (([12], [12]) if mode == ms.PYNATIVE_MODE else ([8], [4]))


class Weighted(nn.Cell):
    def construct(self, w, x):
        return 2 * w + x

    def bprop(self, w, x, out, dout):
        return 3 * dout, 4 * dout


class OfParameter(nn.Cell):
    """Hands its Parameter to a Cell with a gradient of its own."""

    def __init__(self):
        super().__init__()
        self.rule = Weighted()
        self.w = Parameter(Tensor([[3.0, 2.0]]), name="w")

    def construct(self, x):
        return self.rule(self.w, x)


def test_a_parameter_is_an_input_of_a_custom_gradient(mode):
    net, x = OfParameter(), Tensor([2.0, 2.0])
    (of_x,), (of_w,) = ops.GradOperation(get_all=True, get_by_list=True)(net, ms.ParameterTuple([net.w]))(x)
    assert of_x.asnumpy().tolist() == [4, 4] and of_w.asnumpy().tolist() == [[3, 3]]


class Writing(nn.Cell):
    def construct(self, p, x):
        ops.assign(p, x * 5)
        return x * 2

    def bprop(self, p, x, out, dout):
        return dout * 6, dout * 7


def test_a_parameter_that_a_custom_gradients_function_was_given_is_written(mode):
    net = OfParameter()
    net.rule, net.w = Writing(), Parameter(Tensor([3.0, 2.0]), name="w")
    gradient = ms.grad(net)(Tensor([2.0, 4.0]))
    assert gradient.asnumpy().tolist() == [7, 7] and net.w.asnumpy().tolist() == [10, 20]


class Wide(nn.Cell):
    def construct(self, x, y):
        return x + y

    def bprop(self, x, y, out, dout):
        return Tensor([[1, 2], [3, 4]]), Tensor([[1, 1], [2, 2]])


def test_gradients_of_a_rule_get_the_dtype_and_the_dimensions_of_the_inputs(mode):
    x, y = Tensor([3.0, 3.0]), Tensor([[1.0, 2.0], [1.0, 2.0]])
    of_x, of_y = ops.GradOperation(get_all=True)(Wide())(x, y)
    assert of_x.dtype is of_y.dtype is ms.float32
    assert of_x.asnumpy().tolist() == [4, 6] and of_y.asnumpy().tolist() == [[1, 1], [2, 2]]
    with pytest.raises(RuntimeError, match="does not fit"):
        ms.grad(Wide())(Tensor([1.0, 2.0, 3.0]), Tensor([[1.0]]))


def test_a_sensitivity_of_a_dict_with_tensors_as_keys():
    key = Tensor(True)
    grad = ops.GradOperation(sens_param=True)(lambda x: {key: x * 2})
    assert grad(Tensor([1.0, 2.0]), {Tensor(True): Tensor([3.0, 4.0])}).asnumpy().tolist() == [6, 8]


def test_the_data_of_a_tensor_is_a_constant(mode):
    def function(x):
        return (x.data * x).sum()

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = Parameter(Tensor([1.0, 2.0]), name="w")

        def construct(self, x):
            return (self.w.data * self.w * x.data * x).sum()

    x = Tensor([3.0, 4.0])
    net = Net()
    of_input, of_weight = ms.grad(net, 0, net.trainable_params())(x)
    np.testing.assert_array_equal(ms.grad(function)(x).asnumpy(), [3, 4])
    np.testing.assert_array_equal(ms.grad(ms.jit(function))(x).asnumpy(), [3, 4])
    np.testing.assert_array_equal(of_input.asnumpy(), [3, 16])
    np.testing.assert_array_equal(of_weight[0].asnumpy(), [9, 32])
    x.data[0] = 9
    np.testing.assert_array_equal(x.asnumpy(), [9, 4])
