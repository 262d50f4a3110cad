"""Gradient functions: selection, return structure, sensitivities, both modes, and the errors."""

import jax.numpy as jnp
import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, ParameterTuple, Tensor, mutable, ops
from ms_compat._autograd.grad import GradOperation
from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import NotTraceableError
from ms_compat._core.trace import write_barrier
from ms_compat.nn.cell import Cell
from ms_compat.nn.wrap import ForwardValueAndGrad


@op
def mul(x, y):
    return jnp.multiply(x, y)


@op
def add(x, y):
    return jnp.add(x, y)


def tensor(*values):
    return Tensor(np.array(values, np.float32))


class Net(Cell):
    """y * (x * z), with a counter of its calls."""

    def __init__(self):
        super().__init__()
        self.z = Parameter(tensor(2.0), name="z")
        self.b = Parameter(tensor(0.5), name="b")
        self.calls = Parameter(tensor(0.0), name="calls", requires_grad=False)

    def construct(self, x, y):
        write_barrier.assign(self.calls, add(self.calls, 1.0)._v)
        return add(mul(mul(x, self.z), y), self.b)


def plain(value):
    """Nested lists and tuples of numbers, with the containers kept."""
    if isinstance(value, Tensor):
        return value.asnumpy().tolist()
    if isinstance(value, (tuple, list)):
        return type(value)(plain(item) for item in value)
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return value


X, Y = tensor(3.0), tensor(5.0)  # z = 2: dx = 10, dy = 6, dz = 15, db = 1


@pytest.mark.parametrize("get_all", [False, True])
@pytest.mark.parametrize("get_by_list", [False, True])
@pytest.mark.parametrize("sens_param", [False, True])
def test_grad_operation_in_all_flag_combinations(mode, get_all, get_by_list, sens_param):
    net = Net()
    weights = ParameterTuple(net.trainable_params())
    grad_op = GradOperation(get_all, get_by_list, sens_param)
    grad_fn = grad_op(net, weights) if get_by_list else grad_op(net)
    k = 10.0 if sens_param else 1.0
    inputs, params = ([10.0 * k], [6.0 * k]), ([15.0 * k], [1.0 * k])
    expected = {
        (False, False): [10.0 * k],
        (True, False): inputs,
        (False, True): params,
        (True, True): (inputs, params),
    }[get_all, get_by_list]
    args = (X, Y, tensor(10.0)) if sens_param else (X, Y)
    assert plain(grad_fn(*args)) == expected
    if sens_param:
        assert plain(grad_fn(X, Y, sens=tensor(10.0))) == expected
    assert net.calls.asnumpy().tolist() == [2.0 if sens_param else 1.0]


def test_weights_default_to_the_trainable_ones(mode):
    assert plain(GradOperation(get_by_list=True)(Net())(X, Y)) == ([15.0], [1.0])


@pytest.mark.parametrize(
    ("position", "weights", "expected"),
    [
        (0, None, [10.0]),
        (1, None, [6.0]),
        ((0,), None, [10.0]),
        ((0,), "list", ([10.0], ([15.0], [1.0]))),
        ((1, 0), None, ([6.0], [10.0])),
        (None, "one", [15.0]),
        (None, "list", ([15.0], [1.0])),
        (0, "one", ([10.0], [15.0])),
        ((0, 1), "list", (([10.0], [6.0]), ([15.0], [1.0]))),
    ],
)
def test_grad_and_value_and_grad_return_structures(mode, position, weights, expected):
    net = Net()
    chosen = {None: None, "one": net.z, "list": [net.z, net.b]}[weights]
    assert plain(ms.grad(net, position, chosen)(X, Y)) == expected
    value, gradients = ms.value_and_grad(net, position, chosen)(X, Y)
    assert plain(value) == [30.5]
    assert plain(gradients) == expected


def test_has_aux_and_return_ids(mode):
    net = Net()

    def forward(x, y):
        out = net(x, y)
        return out, mul(out, 2.0), x

    gradient, aux = ms.grad(forward, 0, None, has_aux=True)(X, Y)
    assert plain(gradient) == [10.0] and plain(aux) == ([61.0], [3.0])
    (loss, doubled, x), gradients = ms.value_and_grad(forward, None, net.trainable_params(), has_aux=True)(X, Y)
    assert (plain(loss), plain(doubled), plain(x)) == ([30.5], [61.0], [3.0])
    assert plain(gradients) == ([15.0], [1.0])
    ids = ms.grad(net, (0, 1), [net.z], return_ids=True)(X, Y)
    assert plain(ids) == (((0, [10.0]), (1, [6.0])), (("z", [15.0]),))
    assert plain(ms.get_grad(ids, 1)) == [6.0]
    assert plain(ms.get_grad(ids, net.z)) == [15.0]
    with pytest.raises(RuntimeError, match="get_grad"):
        ms.get_grad(ids, 7)
    with pytest.raises(TypeError, match="get_grad"):
        ms.get_grad(ids, 1.5)


def test_several_outputs_are_summed_with_ones_or_given_sensitivities(mode):
    def f(x):
        return mul(x, 2.0), (mul(x, x),)

    assert plain(GradOperation()(f)(X)) == [8.0]
    assert plain(GradOperation(sens_param=True)(f)(X, (tensor(10.0), (tensor(100.0),)))) == [620.0]


def test_what_has_no_gradient_is_left_out(mode):
    f = lambda x, k: mul(x, k)  # noqa: E731
    assert ms.grad(f, 1)(X, 3) == ()
    assert plain(ms.grad(f, (0, 1))(X, 3)) == [3.0]
    assert ms.grad(lambda x, t: mul(x, t[0]), 1)(X, (Y,)) == ()
    assert plain(GradOperation(get_by_list=True)(Net())(X, Y)) == ([15.0], [1.0])
    net = Net()
    assert plain(GradOperation(get_by_list=True)(net, net.z)(X, Y)) == [15.0]
    assert plain(GradOperation(True, True)(net, net.z)(X, Y)) == (([10.0], [6.0]), [15.0])


def test_numbers_are_skipped_and_mutable_inputs_keep_their_structure(mode):
    def f(x, k, pair):
        return mul(mul(x, k), mul(pair[0], pair[1]["a"]))

    pair = mutable((tensor(4.0), {"a": tensor(5.0)}))
    got = GradOperation(get_all=True)(f)(X, 2, pair)
    assert plain(got) == ([40.0], ([30.0], {"a": [24.0]}))
    assert isinstance(got[1], tuple) and isinstance(got[1][1], dict)


@pytest.mark.parametrize("sizes", [(2, 3), [2, 3], {"rows": 2, "columns": 3}], ids=["tuple", "list", "dict"])
def test_eagerly_a_mutable_container_of_numbers_alone_is_no_input(sizes):
    def f(x, _):
        return mul(x, Y)

    sizes = mutable(sizes)
    assert plain(GradOperation(get_all=True)(f)(X, sizes)) == ([5.0],)
    assert plain(ms.grad(f, (0, 1))(X, sizes)) == [5.0]
    assert ms.grad(f, 1)(X, sizes) == ()
    out, pullback = ms.vjp(lambda x, _: mul(x, Y), X, mutable((2, (3,))))
    assert plain(pullback(out)) == ([75.0],)


def test_orders(mode):
    cube = lambda x: mul(mul(x, x), x)  # noqa: E731
    first = GradOperation()(cube)
    second = GradOperation()(first)
    assert [plain(f(X)) for f in (first, second, GradOperation()(second))] == [[27.0], [18.0], [6.0]]


def test_cell_in_cell_takes_gradients_in_construct(mode):
    class GradNet(Cell):
        def __init__(self, net):
            super().__init__()
            self.net = net
            self.grad_op = GradOperation(get_all=True)

        def construct(self, x, y):
            return self.grad_op(self.net)(x, y)

    net = GradNet(Net())
    assert plain(net(X, Y)) == plain(net(X, Y)) == ([10.0], [6.0])
    assert net.net.calls.asnumpy().tolist() == [2.0]


def test_the_same_gradient_function_is_compiled_once():
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        net = Net()
        for _ in range(5):
            GradOperation(get_all=True)(net)(X, Y)
            ms.grad(net)(X, Y)
        made = net.__dict__["_gradient_functions"].values()
        assert [g._compiled.traces for g in made] == [1, 1]
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def test_forward_value_and_grad(mode):
    net = Net()
    weights = ParameterTuple(net.trainable_params())
    value, gradients = ForwardValueAndGrad(net, weights, get_all=True, get_by_list=True)(X, Y)
    assert plain(value) == [30.5] and plain(gradients) == (([10.0], [6.0]), ([15.0], [1.0]))
    assert plain(ForwardValueAndGrad(net)(X, Y)[1]) == [10.0]
    assert plain(ForwardValueAndGrad(net, weights, get_by_list=True)(X, Y)[1]) == ([15.0], [1.0])
    assert plain(ForwardValueAndGrad(net, sens_param=True)(X, Y, tensor(10.0))[1]) == [100.0]


def test_vjp_is_called_many_times(mode):
    net = Net()
    out, pullback = ms.vjp(net, X, Y)
    assert plain(out) == [30.5]
    assert plain(pullback(tensor(1.0))) == ([10.0], [6.0])
    assert plain(pullback(tensor(3.0))) == ([30.0], [18.0])
    out, pullback = ms.vjp(net, X, Y, weights=net.z)
    assert plain(pullback(tensor(1.0))) == (([10.0], [6.0]), [15.0])
    out, pullback, aux = ms.vjp(lambda x: (mul(x, x), mul(x, 2.0)), X, has_aux=True)
    assert (plain(out), plain(pullback(tensor(1.0))), plain(aux)) == ([9.0], ([6.0],), [6.0])


def test_forward_mode_and_jacobians(mode):
    f = lambda x, y: (mul(mul(x, x), y), mul(x, y))  # noqa: E731
    out, tangent = ms.jvp(f, (X, Y), (tensor(1.0), tensor(2.0)))
    assert plain(out) == ([45.0], [15.0]) and plain(tangent) == ([48.0], [11.0])
    v = tensor(1.0, 2.0)
    square = lambda x: mul(x, x)  # noqa: E731
    for jacobian in (ms.jacfwd, ms.jacrev):
        assert plain(jacobian(square)(v)) == [[2.0, 0.0], [0.0, 4.0]]
        assert plain(jacobian(f, (0, 1))(X, Y)) == (([[30.0]], [[9.0]]), ([[5.0]], [[3.0]]))
        value, aux = jacobian(f, 0, has_aux=True)(X, Y)
        assert plain(value) == [[30.0]] and plain(aux) == [15.0]
    assert plain(ms.jvp(lambda x: ms.grad(square)(x), v, v)[1]) == [2.0, 4.0]


def test_vmap(mode):
    a = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    b = tensor(1.0, 2.0, 3.0)
    assert plain(ms.vmap(mul, (0, None))(a, b)) == (a.asnumpy() * b.asnumpy()).tolist()
    assert plain(ms.vmap(mul, (1, 0), 1)(a, b)) == (a.asnumpy() * b.asnumpy()).tolist()
    assert plain(ms.vmap(ms.grad(lambda x: mul(x, x)))(b)) == [2.0, 4.0, 6.0]
    assert plain(ms.vmap(mul, (1, 0), (1,))(a, b)) == (a.asnumpy() * b.asnumpy()).tolist()
    with pytest.raises(RuntimeError, match="vmap"):
        ms.vmap(mul, (None, None))(a, b)


def test_vmap_of_what_differs_from_slice_to_slice(mode):
    """Bands of a width of its own for every matrix; recorded from MindSpore."""
    x = Tensor(np.ones((2, 3, 5), np.float32))
    band = lambda x, lower, upper: ops.matrix_band_part(x, lower, upper)  # noqa: E731
    out = ms.vmap(band, 0)(x, Tensor([1, 2]), Tensor([1, 0]))
    assert out.asnumpy().sum(-1).tolist() == [[2.0, 3.0, 3.0], [1.0, 2.0, 3.0]]
    out = ms.vmap(band, (0, None, 0))(x, 1, Tensor([1, 0]))
    assert out.asnumpy().sum(-1).tolist() == [[2.0, 3.0, 3.0], [1.0, 2.0, 2.0]]
    with pytest.raises(ValueError, match="lower"):
        band(x, Tensor([1, 2]), 1)


def test_vmap_of_what_needs_a_number(mode):
    """It is refused once, however the call came to run in Python."""
    with pytest.raises(NotTraceableError, match="shape"):
        ms.vmap(lambda x, n: ops.reshape(x, (n, -1)))(Tensor(np.ones((2, 4), np.float32)), Tensor([2, 2]))


def test_gradient_inside_a_jitted_function_is_traced_once():
    net = Net()
    weights = net.trainable_params()

    @ms.jit
    def step(x, y):
        return ms.value_and_grad(net, 0, weights)(x, y)

    for _ in range(3):
        value, (dx, dw) = step(X, Y)
    assert (plain(value), plain(dx), plain(dw)) == ([30.5], [10.0], ([15.0], [1.0]))
    assert net.calls.asnumpy().tolist() == [3.0]
    assert step.traces == 1


@pytest.mark.parametrize("flag", ["get_all", "get_by_list", "sens_param"])
def test_grad_operation_flags_must_be_bools(flag):
    with pytest.raises(TypeError, match=flag):
        GradOperation(**{flag: 1})


def test_wrong_arguments_are_refused(mode):
    net = Net()
    with pytest.raises(TypeError, match="grad_position"):
        ms.grad(net, 1.5)
    with pytest.raises(ValueError, match="grad_position"):
        ms.grad(net, (0, 0))
    with pytest.raises(ValueError, match="both be None"):
        ms.grad(net, None)
    with pytest.raises(TypeError, match="weights"):
        ms.grad(net, 0, [3])
    with pytest.raises(TypeError if mode == ms.PYNATIVE_MODE else RuntimeError, match="fn"):
        ms.grad(3)
    with pytest.raises((RuntimeError, IndexError), match="input 5"):
        ms.grad(net, 5)(X, Y)
    with pytest.raises(ValueError, match="shape"):
        GradOperation(sens_param=True)(net)(X, Y, tensor(1.0, 2.0, 3.0))
    with pytest.raises(ValueError if mode == ms.PYNATIVE_MODE else RuntimeError, match="has_aux"):
        ms.grad(net, has_aux=True)(X, Y)
    with pytest.raises(TypeError, match="Tensor"):
        ms.vjp(net, 1.0, 2.0)


def test_a_sensitivity_may_be_a_parameter(mode):
    sens = Parameter(tensor(3.0, 4.0), name="sens", requires_grad=False)
    x = tensor(1.0, 2.0)
    assert plain(GradOperation(sens_param=True)(lambda x: x * x)(x, sens)) == [6.0, 16.0]
    assert plain(ms.grad(lambda x: (x * x, x * 2), sens_param=True)(x, (sens, tensor(1.0, 1.0)))) == [8.0, 18.0]
    assert plain(ms.vjp(lambda x: x * x, x)[1](sens)) == ([6.0, 16.0],)

    class Gradient(Cell):
        def __init__(self):
            super().__init__()
            self.sens = sens

        def construct(self, x):
            return GradOperation(sens_param=True)(lambda x: (x * x, x * 2))(x, (self.sens, self.sens))

    assert plain(Gradient()(x)) == [12.0, 24.0]


def test_a_sensitivity_has_the_dtype_and_shape_of_its_output(mode):
    x = tensor(1.0, 2.0)
    square = GradOperation(sens_param=True)(lambda x: x * x)
    with pytest.raises(TypeError, match="dtype Float32, but got Float16"):
        square(x, Tensor([1.0, 2.0], ms.float16))
    with pytest.raises(TypeError, match="dtype Float32, but got Float16"):
        ms.vjp(lambda x: x * x, x)[1](Tensor([1.0, 2.0], ms.float16))
    if mode == ms.GRAPH_MODE:
        assert plain(square(x, tensor(1.0))) == [2.0, 4.0]
    else:
        with pytest.raises(ValueError, match="shape"):
            square(x, tensor(1.0))


def test_a_weight_that_is_given_twice_has_its_gradient_twice(mode):
    weight = Parameter(Tensor([2.0, 3.0]), name="weight")

    class Scaled(Cell):
        def __init__(self):
            super().__init__()
            self.weight = weight

        def construct(self, x):
            return x * self.weight

    net, x = Scaled(), Tensor([5.0, 7.0])
    recorded = [[5.0, 7.0], [5.0, 7.0]]
    assert [g.asnumpy().tolist() for g in ms.grad(net, None, [weight, weight])(x)] == recorded
    by_input, by_weights = ops.GradOperation(get_all=True, get_by_list=True)(net, [weight, weight])(x)
    assert [g.asnumpy().tolist() for g in by_weights] == recorded
    assert by_input[0].asnumpy().tolist() == [2.0, 3.0]


def test_the_hook_of_a_weight_sees_zeros_where_the_output_does_not_depend_on_it():
    used, unused, beside = [Parameter(tensor(2.0), name=name) for name in ("used", "unused", "beside")]
    seen = []
    for weight in (used, unused, beside):
        weight.register_hook(lambda grad, name=weight.name: seen.append((name, plain(grad))))

    def loss(x):
        x * beside
        return x * used

    def gradient(weights):
        seen.clear()
        ms.grad(loss, None, weights)(X)
        return seen

    assert gradient([used, unused, beside]) == [("used", [3.0]), ("unused", [0.0]), ("beside", [0.0])]
    assert gradient([used]) == [("used", [3.0])]
    unused.requires_grad = False
    assert gradient([used, unused]) == [("used", [3.0])]
    seen.clear()
    ms.grad(lambda x, y: x * 2, (0, 1))(X, beside)  # an input, not a weight
    assert seen == []
    unused.requires_grad = True
    unused.register_hook(lambda grad: grad + 7)
    assert plain(ms.grad(loss, None, unused)(X)) == [7.0]


def test_an_assignment_in_a_hook_is_kept_in_python_and_refused_as_one_program():
    seen = ms.Parameter(ms.Tensor([0.0, 0.0]), name="seen")

    def keep(gradient):
        ms.ops.assign(seen, gradient)
        return gradient

    def loss(x):
        return (ms.ops.InsertGradientOf(keep)(x) * x * x).sum()

    x = ms.Tensor([1.0, 2.0])
    ms.grad(loss)(x)
    np.testing.assert_array_equal(seen.asnumpy(), [1.0, 4.0])
    with pytest.raises(ms.UnsupportedError, match="compiled"):
        ms.jit(ms.grad(loss), fullgraph=True)(x)
    ms.jit(ms.grad(loss))(x * 2)
    np.testing.assert_array_equal(seen.asnumpy(), [4.0, 16.0])


# -- what there is a gradient of -------------------------------------------------------------------------------------
class OneWeight(ms.nn.Cell):
    def __init__(self, dtype):
        super().__init__()
        self.w = ms.Parameter(Tensor([6], dtype), name="w")

    def construct(self):
        return self.w


def test_no_position_at_all_raises(mode):
    for api in (ms.grad, ms.value_and_grad):
        with pytest.raises(RuntimeError, match="at least one input"):
            api(lambda x: x * x, ())(Tensor([2.0]))


def test_gradients_without_inputs(graph):
    net = OneWeight(ms.float32)
    assert ms.ops.GradOperation()(net)() == ()
    for api in (ms.grad, ms.value_and_grad):
        with pytest.raises(IndexError):
            api(net)()


def test_the_gradient_of_a_returned_parameter(mode):
    for dtype in (ms.float32, ms.int32):
        net = OneWeight(dtype)
        (grad,) = ms.grad(net, None, net.trainable_params())()
        assert grad.dtype == dtype and grad.asnumpy() == [1]


def test_tensors_in_a_slice_that_is_returned_have_no_gradient(mode):
    grad = ms.grad(lambda x: (x * 6, "a", None, slice(x, 1, 2)))(Tensor([10.0]))
    assert grad.asnumpy() == [6]
