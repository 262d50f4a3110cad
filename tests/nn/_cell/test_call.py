"""Calling a Cell: modes, assignment inside `construct`, precision, `bprop`, hooks, JAX's own transformations."""

import jax
import numpy as np
import optax
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, nn
from ms_compat._core.dispatch.op import op
from ms_compat.nn._cell import auto_precision, features


@op
def mul(x, y):
    return x * y


@op
def add(x, y):
    return x + y


def numbers(value):
    if isinstance(value, (tuple, list)):
        return [numbers(item) for item in value]
    return value.asnumpy().tolist()


class Scale(nn.Cell):
    def __init__(self, factor=3.0):
        super().__init__()
        self.w = Parameter(Tensor([factor, factor + 1]))

    def construct(self, x, y=None):
        return mul(x, self.w)


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.inner = Scale(1.0)
        self.w = Parameter(Tensor([3.0, 4.0]))

    def construct(self, x):
        return self.inner(mul(x, self.w))


X = [1.0, 2.0]


def gradients(net, x=X):
    return numbers(ms.grad(net, 0, net.trainable_params())(Tensor(x)))


# -- state -------------------------------------------------------------------------------------------------------------
def test_a_parameter_assigned_in_construct_counts_calls(mode):
    class Counter(nn.Cell):
        def __init__(self):
            super().__init__()
            self.n = Parameter(Tensor(0, ms.int32), requires_grad=False)

        def construct(self, x):
            self.n = add(self.n, 1)
            return add(x, self.n)

    cell = Counter()
    before = cell.n
    assert [numbers(cell(Tensor(1, ms.int32))) for _ in range(2)] == [2, 3]
    assert cell.n is before and numbers(before) == 2


def test_assigning_what_does_not_fit():
    class Put(nn.Cell):
        def __init__(self):
            super().__init__()
            self.n = Parameter(Tensor(0, ms.int32), requires_grad=False)

        def construct(self, x):
            self.n = x
            return add(self.n, 0)

    assert numbers(Put()(Tensor(1.5))) == 1
    assert numbers(Put()(Tensor([1, 2], ms.int32))) == [1, 2]
    with pytest.raises(TypeError):
        Put()(3)
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        with pytest.raises(TypeError):
            Put()(Tensor(1.5))
        with pytest.raises(ValueError):
            Put()(Tensor([1, 2], ms.int32))
        assert numbers(Put()(3)) == 3
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def test_no_gradient_flows_through_an_assignment(mode):
    class Through(nn.Cell):
        def __init__(self):
            super().__init__()
            self.s = Parameter(Tensor([0.0, 0.0]))

        def construct(self, x):
            self.s = mul(x, 2.0)
            return mul(self.s, 3.0)

    assert numbers(ms.grad(Through())(Tensor(X))) == [0.0, 0.0]


def test_a_tensor_attribute_assigned_in_construct(mode):
    class Keep(nn.Cell):
        def __init__(self):
            super().__init__()
            self.t = Tensor([1.0])
            self.cache = None

        def construct(self, x):
            self.t = add(self.t, x)
            self.cache = x if self.cache is None else add(self.cache, x)
            self.new = add(x, x)
            return mul(self.t, self.cache)

    cell = Keep()
    held = cell.t
    assert [numbers(cell(Tensor([1.0]))) for _ in range(3)] == [[2.0], [6.0], [12.0]]
    assert (numbers(cell.t), numbers(cell.cache), numbers(cell.new), numbers(held)) == ([4.0], [3.0], [2.0], [1.0])


def test_a_number_changed_in_construct(mode):
    class Step(nn.Cell):
        def __init__(self):
            super().__init__()
            self.k = 1

        def construct(self, x):
            self.k = self.k + 1
            return mul(x, float(self.k))

    cell = Step()
    assert [numbers(cell(Tensor([1.0]))) for _ in range(2)] == [[2.0], [3.0]] and cell.k == 3


def test_changes_of_the_structure_are_seen(mode):
    net = Net()
    first = numbers(net(Tensor(X)))
    net.w.set_data(Tensor([1.0, 1.0]))
    second = numbers(net(Tensor(X)))
    net.w = Parameter(Tensor([7.0, 7.0]))
    third = numbers(net(Tensor(X)))
    net.inner = nn.Identity()
    assert [first, second, third, numbers(net(Tensor(X)))] == [[3.0, 16.0], [1.0, 4.0], [7.0, 28.0], [7.0, 14.0]]


def test_train_mode_is_seen(mode):
    class Mode(nn.Cell):
        def construct(self, x):
            return mul(x, 2.0) if self.training else x

    cell = Mode()
    assert [numbers(cell.set_train(train)(Tensor([1.0]))) for train in (False, True, False)] == [[1.0], [2.0], [1.0]]


def test_an_unchanged_cell_is_traced_once():
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        net = Net()
        for _ in range(3):
            net(Tensor(X))
        assert net._compiled.traces == 1
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def test_no_tracer_stays_behind_after_an_error():
    class Fails(nn.Cell):
        def __init__(self):
            super().__init__()
            self.n = Parameter(Tensor([1.0]))
            self.t = Tensor([1.0])

        def construct(self, x):
            self.n = add(self.n, x)
            self.t = add(self.t, x)
            self.fresh = x
            raise RuntimeError("stop")

    cell = Fails()
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        with pytest.raises(RuntimeError, match="stop"):
            cell(Tensor([1.0]))
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    assert numbers(cell.n) == [1.0] and numbers(cell.t) == [1.0] and not hasattr(cell, "fresh")


# -- precision ---------------------------------------------------------------------------------------------------------
def test_to_float(mode):
    net = Net().to_float(ms.float16)
    assert net.inner.get_flags() == {"fp16": True, "fp32": False, "bf16": False}
    assert net(Tensor(X)).dtype is ms.float16 and net.w.dtype is ms.float32
    assert gradients(net) == [[3.0, 8.0], [[1.0, 4.0], [3.0, 8.0]]]
    assert net.to_float(ms.float32)(Tensor(X)).dtype is ms.float32


def test_to_float_of_other_types():
    for wrong in (ms.float64, "float16"):
        with pytest.raises(ValueError, match="to_float"):
            nn.ReLU().to_float(wrong)


# -- gradients ---------------------------------------------------------------------------------------------------------
class Own(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([3.0, 4.0]))

    def construct(self, x, y):
        return mul(mul(x, y), self.w)

    def bprop(self, x, y, out, dout):
        return mul(dout, 10.0), mul(dout, 20.0)


def test_bprop(mode):
    cell = Own()
    by_input, by_weight = ms.grad(cell, (0, 1), cell.trainable_params())(Tensor(X), Tensor(X))
    assert cell.has_bprop
    assert numbers(by_input) == [[10.0, 10.0], [20.0, 20.0]]
    assert numbers(by_weight) == [[0.0, 0.0]]


@pytest.mark.parametrize("result", ["plain", "tuple", "too many", "none"])
def test_bprop_results_that_are_accepted(mode, result):
    class Square(nn.Cell):
        def construct(self, x):
            return mul(x, x)

        def bprop(self, x, out, dout):
            grad = mul(dout, out)
            return {"plain": grad, "tuple": (grad,), "too many": (grad, grad), "none": (None,)}[result]

    if result == "plain" and mode == ms.GRAPH_MODE:
        with pytest.raises(TypeError, match="should be a tuple"):
            ms.grad(Square())(Tensor(X))
    else:
        assert numbers(ms.grad(Square())(Tensor(X))) == ([0.0, 0.0] if result == "none" else [1.0, 4.0])


def test_bprop_of_several_outputs(mode):
    class Pair(nn.Cell):
        def construct(self, x, y):
            return mul(x, x), mul(y, y)

        def bprop(self, x, y, out, dout):
            return mul(dout[0], 3.0), mul(dout[1], 5.0)

    class Uses(nn.Cell):
        def __init__(self):
            super().__init__()
            self.pair = Pair()

        def construct(self, x, y):
            return self.pair(x, y)[0]

    assert numbers(ms.grad(Uses(), (0, 1))(Tensor(X), Tensor(X))) == [[3.0, 3.0], [0.0, 0.0]]


def test_backward_hooks_change_gradients(mode):
    net = Net()
    seen = []

    def hook(cell, grad_input, grad_output):
        seen.append((type(cell).__name__, len(grad_input), len(grad_output)))
        return (mul(grad_input[0], 10.0),)

    net.inner.register_backward_pre_hook(lambda cell, grad_output: (mul(grad_output[0], 2.0),))
    handle = net.inner.register_backward_hook(hook)
    assert gradients(net) == [[60.0, 160.0], [[20.0, 80.0], [6.0, 16.0]]] and seen == [("Scale", 1, 1)]
    handle.remove()
    assert gradients(net) == [[6.0, 16.0], [[2.0, 8.0], [6.0, 16.0]]]


def test_backward_hook_values():
    class Both(nn.Cell):
        def construct(self, x, y):
            return mul(x, y), add(x, y)

    class Uses(nn.Cell):
        def __init__(self):
            super().__init__()
            self.both = Both()

        def construct(self, x, y):
            return self.both(x, y)[0]

    net, seen = Uses(), []
    net.both.register_backward_hook(lambda cell, gi, go: seen.append((numbers(gi), go[0].shape, go[1])))
    ms.grad(net)(Tensor([1.0, 2.0]), Tensor([3.0, 4.0]))
    assert seen == [([[3.0, 4.0], [1.0, 2.0]], (2,), None)]


def test_a_backward_hook_when_only_weights_are_differentiated():
    net, seen = Scale(), []
    net.register_backward_hook(lambda cell, gi, go: seen.append((gi, numbers(go))))
    ms.grad(net, None, net.trainable_params())(Tensor(X))
    assert seen == [((None,), [[1.0, 1.0]])]


def test_recompute_does_not_change_values(mode):
    net = Net()
    expected = gradients(net)
    net.recompute()
    assert gradients(net) == expected


# -- forward hooks -----------------------------------------------------------------------------------------------------
def test_forward_hooks(mode):
    net = Scale(1.0)
    net.register_forward_pre_hook(lambda cell, inputs: (mul(inputs[0], 3.0),))
    handle = net.register_forward_hook(lambda cell, inputs, output: mul(output, 100.0))
    assert numbers(net(Tensor(X))) == [300.0, 1200.0]
    handle.remove()
    handle.remove()
    assert numbers(net(Tensor(X))) == [3.0, 12.0]


def test_hooks_with_kwargs_order_and_errors():
    net, seen = Scale(), []
    net.register_forward_pre_hook(lambda c, a, k: seen.append(("pre", len(a), k)), with_kwargs=True)
    net.register_forward_hook(lambda c, a, k, o: seen.append(("second", k)), with_kwargs=True)
    net.register_forward_hook(lambda c, a, o: seen.append(("first", len(a))), prepend=True)
    net(Tensor(X), y=3)
    assert seen == [("pre", 1, {"y": 3}), ("first", 1), ("second", {"y": 3})]
    for register in ("register_forward_hook", "register_backward_hook", "register_backward_pre_hook"):
        with pytest.raises(TypeError, match="callable"):
            getattr(net, register)(3)
    bad = Scale()
    bad.register_forward_pre_hook(lambda c, a, k: (a,), with_kwargs=True)
    with pytest.raises(RuntimeError, match="new_args, new_kwargs"):
        bad(Tensor(X))


def test_a_hook_that_is_always_called():
    class Fails(nn.Cell):
        def construct(self, x):
            raise ValueError("no")

    net, seen = Fails(), []
    net.register_forward_hook(lambda c, a, o: seen.append(o), always_call=True)
    net.register_forward_hook(lambda c, a, o: seen.append("never"))
    with pytest.raises(ValueError):
        net(Tensor(X))
    assert seen == [None]


# -- as a pytree -------------------------------------------------------------------------------------------------------
def test_jax_takes_a_cell():
    net, x, traces = Net(), Tensor(X), []

    @jax.jit
    def run(cell, x):
        traces.append(1)
        return cell(x)

    assert numbers(run(net, x)) == numbers(net(x))
    grads = jax.grad(lambda cell, x: cell(x)._v.sum())(net, x)
    assert numbers(grads.w) == [1.0, 4.0] and numbers(grads.inner.w) == [3.0, 8.0]
    optimizer = optax.sgd(0.5)
    updates, _ = optimizer.update(grads, optimizer.init(net))
    new = optax.apply_updates(net, updates)
    assert numbers(new.w) == [2.5, 2.0] and numbers(net.w) == [3.0, 4.0]
    run(new, x)
    assert len(traces) == 1
    run(Net(), x)
    assert len(traces) == 2
    run(net.set_train(), x)
    assert len(traces) == 3


def test_a_pytree_keeps_sharing():
    class Tied(nn.Cell):
        def __init__(self):
            super().__init__()
            self.a = Scale()
            self.b = self.a
            self.w = self.a.w

        def construct(self, x):
            return self.b(mul(x, self.w))

    net = Tied()
    leaves, tree = jax.tree_util.tree_flatten(net)
    assert len(leaves) == 1
    copied = jax.tree_util.tree_unflatten(tree, [leaves[0] * 2])
    assert copied.a is copied.b and copied.w is copied.a.w and copied.w is not net.w
    np.testing.assert_array_equal(copied(Tensor(X)).asnumpy(), [36.0, 128.0])


@pytest.mark.parametrize("kind", ["forward", "forward_pre", "backward", "backward_pre"])
def test_a_hook_under_jit_is_refused(kind):
    cell = nn.ReLU()
    with pytest.raises(TypeError, match="jit"):
        getattr(cell, f"register_{kind}_hook")(ms.jit(lambda *args: args[-1]))


class WithRule(nn.Cell):
    def construct(self, x):
        return x * 2

    def bprop(self, x, out, dout):
        return (dout * 3,)


def _level_auto(cell):
    cell._set_auto_precision(auto_precision.AutoPrecision(ms.float16))


ASKED = {
    "forward_pre_hook": lambda cell: cell.register_forward_pre_hook(lambda cell, inputs: None),
    "forward_hook": lambda cell: cell.register_forward_hook(lambda cell, inputs, output: None),
    "backward_hook": lambda cell: cell.register_backward_hook(lambda cell, grads, given: None),
    "backward_pre_hook": lambda cell: cell.register_backward_pre_hook(lambda cell, given: None),
    "shard": lambda cell: cell.shard(((1, 1),)),
    "recompute": lambda cell: cell.recompute(),
    "saved_hooks": lambda cell: cell.register_saved_tensors_hooks(lambda x: x, lambda x: x),
    "auto": _level_auto,
    "parameter_hook": lambda cell: cell.register_parameter_forward_hook(lambda p: p * 1),
    "to_float": lambda cell: cell.to_float(ms.float16),
    "set_grad": lambda cell: cell.set_grad(),
}


@pytest.mark.parametrize("asked", ASKED)
def test_a_cell_of_which_something_is_asked_is_not_plain(asked):
    cell = nn.Dense(2, 2)
    assert cell._plain
    ASKED[asked](cell)
    assert not cell._plain
    assert features.is_special(cell) == (asked != "set_grad")  # who runs the call, not how it is run
    assert cell(Tensor([[1.0, 2.0]])).shape == (1, 2)


def test_each_feature_is_asked_by_one_way_at_least():
    ways = []
    for way in ASKED.values():
        cell = nn.Dense(2, 2)
        way(cell)
        ways.append(cell)
    ways.append(WithRule())
    assert all(any(feature.asked(cell) for cell in ways) for feature in features.FEATURES)
    assert not WithRule()._plain


def test_hooks_stand_outside_of_the_cast():
    seen = []
    cell = nn.Dense(2, 2).to_float(ms.float16)
    cell.register_forward_pre_hook(lambda cell, inputs: seen.append(("before", inputs[0].dtype)))
    cell.register_forward_hook(lambda cell, inputs, output: seen.append(("after", inputs[0].dtype, output.dtype)))
    cell(Tensor([[1.0, 2.0]]))
    assert seen == [("before", ms.float32), ("after", ms.float32, ms.float16)]


def test_a_hook_may_register_one_further_inside_for_the_same_call():
    seen = []
    cell = nn.Dense(2, 2)

    def register(cell, inputs):
        if not seen:
            cell.register_backward_hook(lambda cell, grads, given: seen.append(len(grads)))
            seen.append("registered")

    cell.register_forward_pre_hook(register)
    ms.grad(lambda x: cell(x).sum())(Tensor([[1.0, 2.0]]))
    assert seen == ["registered", 1]


class Passing(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dropout = nn.Dropout(p=0.5)

    def construct(self, x, others=()):
        y = self.dropout(x)
        return y, y * 2, x, others


def test_to_float_gives_what_passes_back_as_it_came():
    x, others = Tensor([1.0, 2.0]), [Tensor([1.0]), (Tensor([2.0]),)]
    passed, doubled, same, kept = Passing().to_float(ms.float16)(x, others)
    assert passed is x and same is x and kept[0] is others[0] and kept[1][0] is others[1][0]
    assert doubled.dtype == ms.float16

    class Writing(nn.Cell):
        def construct(self, x):
            x[0] = 9
            return x

    assert Writing().to_float(ms.float16)(Tensor([1.0, 2.0])).asnumpy().tolist() == [9, 2]


@pytest.mark.parametrize("layer", [nn.LSTM, nn.GRU, nn.RNN])
def test_to_float_of_recurrent_layers(mode, layer):
    x, state = Tensor(np.ones((2, 4, 3), np.float32)), Tensor(np.ones((1, 2, 5), np.float32))
    hx = (state, state) if layer is nn.LSTM else state
    plain = layer(3, 5, batch_first=True)
    wanted = plain(x, hx)[0].asnumpy()
    out, last = plain.to_float(ms.float16)(x, hx)
    given = ms.float32 if ms.get_context("mode") == ms.PYNATIVE_MODE else ms.float16
    assert out.dtype == given and (last[0] if layer is nn.LSTM else last).dtype == given
    assert 0 < np.abs(out.asnumpy() - wanted).max() < 5e-3  # computed in halves, whatever it comes back in

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.layer, self.head = layer(3, 5, batch_first=True), nn.Dense(5, 2)

        def construct(self, x, hx):
            out = self.layer(x, hx)[0]
            return out, out + out, self.head(out)

    found = Net().to_float(ms.float16)(x, hx)
    assert [t.dtype for t in found] == [given, ms.float16, ms.float16]
