"""The examples of the page of `nn.Cell`: what they print, in both modes where a mode matters.

Where the page cannot be followed, the test says why. "Stale" means that MindSpore 2.10 prints something else, too.
"""

import contextlib
import io

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, nn, ops
from ms_compat.common.initializer import One, initializer
from tests.spec.printed import assert_prints


class ReluNet(nn.Cell):
    def __init__(self):
        super().__init__()
        self.relu = nn.ReLU()

    def construct(self, x):
        return self.relu(x)


class DenseNet(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(2, 2)

    def construct(self, x):
        return self.dense(x)


class NetC(nn.Cell):
    def __init__(self):
        super().__init__()
        self.buffer_c = nn.Buffer(ms.tensor([0, 0, 0]))
        self.dense_c = nn.Dense(5, 3)

    def construct(self, x):
        return self.dense_c(x) + self.buffer_c


class NetB(nn.Cell):
    def __init__(self, net_c=None):
        super().__init__()
        if net_c is not None:
            self.net_c = net_c
        self.buffer_b = nn.Buffer(ms.tensor([1, 2, 3]))

    def construct(self, x):
        return self.net_c(x) + self.buffer_b


class NetA(nn.Cell):
    def __init__(self, net_b):
        super().__init__()
        self.net_b = net_b
        self.buffer_a = nn.Buffer(ms.tensor([4, 5, 6]))

    def construct(self, x):
        return self.net_b(x) + self.buffer_a


class Model(nn.Cell):
    def __init__(self):
        super().__init__()
        self.buffer_a = nn.Buffer(ms.tensor([4, 5, 6]))
        self.param_a = Parameter(ms.tensor([1, 2, 3]))

    def construct(self, x):
        return x + self.buffer_a + self.param_a


DENSE = "Dense(input_channels=2, output_channels=2, has_bias=True)"


# -- names and trees
@pytest.mark.parametrize(("auto_prefix", "name"), [(False, "weight"), (True, "net.weight")])
def test_auto_prefix(auto_prefix, name, mode):
    class MyCell(nn.Cell):
        def __init__(self, forward_net):
            super().__init__(auto_prefix=auto_prefix)
            self.net = forward_net
            self.relu = ops.ReLU()

        def construct(self, x):
            return self.relu(self.net(x))

    net = MyCell(nn.Conv2d(120, 240, 4, has_bias=False, weight_init="normal"))
    assert_prints(
        net.trainable_params(),
        f"[Parameter (name={name}, shape=(240, 120, 4, 4), dtype=Float32, requires_grad=True)]",
    )
    assert net(Tensor(np.ones((1, 120, 4, 4), np.float32))).shape == (1, 240, 4, 4)


def test_apply():
    net = nn.SequentialCell(nn.Dense(2, 2), nn.Dense(2, 2))

    def ones(cell):
        if isinstance(cell, nn.Dense):
            cell.weight.set_data(initializer(One(), cell.weight.shape, cell.weight.dtype))

    assert_prints(net.apply(ones), f"SequentialCell( (0): {DENSE} (1): {DENSE} )")
    assert_prints(net[0].weight.asnumpy(), "[[1. 1.] [1. 1.]]")


def test_children():
    net = DenseNet()
    assert_prints(net.cells(), f"odict_values([{DENSE}])")
    assert_prints(net.name_cells(), f"OrderedDict([('dense', {DENSE})])")
    assert [name for name, _ in net.cells_and_names() if name] == ["dense"]
    net.update_cell_prefix()
    assert_prints(net.dense.param_prefix, "dense")
    relu = nn.ReLU()
    relu.insert_child_to_cell("child", nn.Dense(2, 2))
    assert_prints(relu, f"ReLU( (child): {DENSE} )")


def test_get_sub_cell_and_get_buffer():
    net = NetA(NetB(NetC()))
    assert_prints(
        net.get_sub_cell("net_b.net_c"), "NetC( (dense_c): Dense(input_channels=5, output_channels=3, has_bias=True) )"
    )
    # stale: the page prints commas, which an integer Tensor's str does not have
    assert_prints(net.get_buffer("net_b.net_c.buffer_c"), "[0 0 0]")


def test_parameters(mode):
    class Inner(nn.Cell):
        def __init__(self):
            super().__init__()
            self.my_w1 = Parameter(Tensor(np.ones([4, 4]), ms.float32))
            self.my_w2 = Parameter(Tensor(np.ones([16]), ms.float32))

        def construct(self, x):
            return ops.reshape(x + self.my_w1, (16,)) - self.my_w2

    class Outer(nn.Cell):
        def __init__(self):
            super().__init__()
            self.my_t1 = Parameter(Tensor(np.ones([4, 4]), ms.float32))
            self.subcell = Inner()

        def construct(self, x):
            return self.subcell(x + self.my_t1)

    net = Outer()
    assert_prints(
        list(net.get_parameters(expand=True)),
        """[Parameter (name=my_t1, shape=(4, 4), dtype=Float32, requires_grad=True),
        Parameter (name=subcell.my_w1, shape=(4, 4), dtype=Float32, requires_grad=True),
        Parameter (name=subcell.my_w2, shape=(16,), dtype=Float32, requires_grad=True)]""",
    )
    assert [p.name for p in net.get_parameters(expand=False)] == ["my_t1"]
    assert net(Tensor(np.ones([4, 4]), ms.float32)).asnumpy().tolist() == [2.0] * 16
    assert [name for name, _ in nn.Dense(3, 4).parameters_and_names()] == ["weight", "bias"]


def test_parameters_as_dicts():
    net = DenseNet()
    # stale: the page writes "Parameter(" without the space that Parameters print
    weight = "Parameter (name=dense.weight, shape=(2, 2), dtype=Float32, requires_grad=True)"
    bias = "Parameter (name=dense.bias, shape=(2,), dtype=Float32, requires_grad=True)"
    assert_prints(net.parameters_dict(), f"OrderedDict([('dense.weight', {weight}), ('dense.bias', {bias})])")
    assert_prints(net.init_parameters_data(), f"{{{weight}: {weight}, {bias}: {bias}}}")


def test_insert_param_to_cell():
    net = ReluNet()
    net.insert_param_to_cell("bias", Parameter(Tensor([1, 2, 3])))
    assert_prints(net.bias, "Parameter (name=bias, shape=(3,), dtype=Int64, requires_grad=True)")


# -- flags
def test_flags():
    net = ReluNet()
    net.add_flags(sink_mode=True)
    assert (net.sink_mode, net.get_flags()) == (True, {"sink_mode": True})
    net = ReluNet()
    net.add_flags_recursive(sink_mode=True)
    assert (net.sink_mode, net.relu.sink_mode) == (True, True)


def test_to_float(mode):
    net = nn.Conv2d(120, 240, 4, has_bias=False, weight_init="normal")
    # the page shows an older repr of weight_init, and 2.10 another; ours names the arguments as 2.10 does
    shown = str(net.to_float(ms.float16))
    assert shown.startswith(
        "Conv2d(input_channels=120, output_channels=240, kernel_size=(4, 4), stride=(1, 1), pad_mode=same, padding=0, "
        "dilation=(1, 1), group=1, has_bias=False, weight_init="
    )
    assert net(Tensor(np.ones((1, 120, 4, 4), np.float32))).dtype is ms.float16
    with pytest.raises(ValueError, match="to_float"):
        net.to_float(ms.int32)


def test_to_float_of_a_child_counts_for_the_child(mode):
    """Recorded from MindSpore 2.10: the last call that reaches a Cell counts."""

    class Two(nn.Cell):
        def __init__(self):
            super().__init__()
            self.d, self.e = nn.Dense(2, 2), nn.Dense(2, 2)

        def construct(self, x):
            a = self.d(x)
            return a, self.e(a)

    x = Tensor(np.ones((1, 2), np.float32))
    net = Two().to_float(ms.float16)
    net.e.to_float(ms.float32)
    assert [out.dtype for out in net(x)] == [ms.float16, ms.float32]
    net = Two()
    net.e.to_float(ms.float32)
    net.to_float(ms.float16)
    assert [out.dtype for out in net(x)] == [ms.float16, ms.float16]


def test_casts_of_mixed_precision():
    """`cast_inputs`, and the two that MindSpore dropped: `auto_cast_inputs` and `cast_param`."""
    net, x = nn.Dense(2, 2), Tensor([1.0, 2.0])
    inputs = (x, Tensor([1]), "s")
    assert [getattr(v, "dtype", v) for v in net.cast_inputs(inputs, ms.float16)] == [ms.float16, ms.int64, "s"]
    assert net.auto_cast_inputs(inputs) == inputs
    assert net.cast_param(net.weight) is net.weight
    net.to_float(ms.bfloat16)
    assert [getattr(v, "dtype", v) for v in net.auto_cast_inputs(inputs)] == [ms.bfloat16, ms.int64, "s"]
    assert net.cast_param(net.weight).dtype is ms.bfloat16
    assert net.weight.dtype is ms.float32


# -- buffers and state
def test_buffers():
    net = NetA(NetB())
    # stale: the page prints commas
    assert [f"buffer is {buffer}" for buffer in net.buffers()] == ["buffer is [4 5 6]", "buffer is [1 2 3]"]
    assert [f"buffer name is {name}, buffer is {buffer}" for name, buffer in net.named_buffers()] == [
        "buffer name is buffer_a, buffer is [4 5 6]",
        "buffer name is net_b.buffer_b, buffer is [1 2 3]",
    ]
    assert len(list(net.buffers(recurse=False))) == 1


def test_register_buffer(mode):
    # the page calls register_buffer with a tensor made of a name: `tensor("buffer0", [4, 5, 6])`; meant is its __init__
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.register_buffer("buffer0", ms.tensor([1, 2, 3]))

        def construct(self, x):
            return x + self.buffer0

    net = Net()
    assert_prints(net.buffer0, "[1 2 3]")
    assert_prints(net(ms.tensor([1, 1, 1])), "[2 3 4]")


STATE = """OrderedDict([('param_a', Parameter (name=param_a, shape=(3,), dtype=Int64, requires_grad=True)),
('buffer_a', Tensor(shape=[3], dtype=Int64, value= [4, 5, 6]))])"""


def test_state_dict():
    assert_prints(Model().state_dict(), STATE)


def test_load_state_dict(tmp_path):
    model = Model()
    model.param_a.set_data(ms.tensor([7, 8, 9]))
    # the page loads a file name without suffix, which MindSpore refuses, too
    path = str(tmp_path / "model_state_dict.ckpt")
    ms.save_checkpoint(model.state_dict(), path)
    new_model = Model()
    new_model.load_state_dict(ms.load_checkpoint(path))
    assert_prints(new_model.state_dict(), STATE)
    assert new_model.param_a.asnumpy().tolist() == [7, 8, 9]


def test_state_dict_pre_hook():
    net = Model()

    def add_extra(cell, prefix, keep_vars):
        cell._params["extra_param"] = Parameter(ms.tensor([4, 5, 6]))

    handle = net.register_state_dict_pre_hook(add_extra)
    found = net.state_dict()
    handle.remove()
    assert "extra_param" in found


# -- hooks; the page runs them in PYNATIVE_MODE
class Hooked(nn.Cell):
    """relu(x + x) with a hook on the relu, or matmul(x + x, y) with a hook on the product."""

    def __init__(self, inner, register, hook):
        super().__init__()
        self.inner = inner
        self.handle = getattr(self.inner, register)(hook)

    def construct(self, x, *more):
        return self.inner(x + x, *more)


def gradients_with(register, hook, inner, count):
    printed = io.StringIO()
    ones = [Tensor(np.ones([1]).astype(np.float32)) for _ in range(count)]
    with contextlib.redirect_stdout(printed):
        output = ops.GradOperation(get_all=True)(Hooked(inner, register, hook))(*ones)
    return printed.getvalue(), output


ONE = "Tensor(shape=[1], dtype=Float32, value= [ 1.00000000e+00])"
TWO = "Tensor(shape=[1], dtype=Float32, value= [ 2.00000000e+00])"


def test_backward_hook():
    def hook(cell, grad_input, grad_output):
        print("backward input: ", grad_output)
        print("backward output: ", grad_input)

    printed, output = gradients_with("register_backward_hook", hook, nn.ReLU(), 1)
    assert_prints(printed, f"backward input: ({ONE},) backward output: ({ONE},)")
    assert_prints(output, f"({TWO},)")


def test_backward_pre_hook():
    printed, output = gradients_with(
        "register_backward_pre_hook", lambda cell, grad: print("backward input: ", grad), nn.ReLU(), 1
    )
    assert_prints(printed, f"backward input: ({ONE},)")
    assert_prints(output, f"({TWO},)")


def test_forward_hook():
    def hook(cell, inputs, output):
        print("forward inputs: ", inputs)
        print("forward output: ", output)

    printed, output = gradients_with("register_forward_hook", hook, nn.MatMul(), 2)
    assert_prints(printed, f"forward inputs: ({TWO}, {ONE}) forward output: 2.0")
    assert_prints(output, f"({TWO}, {TWO})")


def test_forward_pre_hook():
    printed, output = gradients_with(
        "register_forward_pre_hook", lambda cell, inputs: print("forward inputs: ", inputs), nn.MatMul(), 2
    )
    assert_prints(printed, f"forward inputs: ({TWO}, {ONE})")
    assert_prints(output, f"({TWO}, {TWO})")


# -- inputs, options, placement
def test_set_inputs(mode):
    net, other = ReluNet(), ReluNet()
    dynamic = Tensor(shape=[3, None], dtype=ms.float32)
    net.set_inputs(dynamic)
    assert_prints(net.get_inputs(), "(Tensor(shape=[3, -1], dtype=Float32, value= ),)")
    x = Tensor(np.random.default_rng(0).random([3, 10]), dtype=ms.float32)
    other.set_inputs(x=dynamic)
    np.testing.assert_array_equal(net(x).asnumpy(), x.asnumpy())
    np.testing.assert_array_equal(other(x).asnumpy(), x.asnumpy())


def test_options_and_placement(mode):
    net = ReluNet()
    assert net.set_jit_config(ms.JitConfig()) is None
    dense = nn.Dense(3, 4)
    assert dense.set_data_parallel() is None
    assert nn.Dense(2, 3).place("MS_WORKER", 0) is None


def test_train_and_grad_flags(mode):
    net = nn.SequentialCell(nn.Dropout(p=0.5))
    assert not net.training
    assert net.set_train() is net
    assert net[0].training
    assert net.set_train(False)[0].training is False
    assert net.set_grad() is net
    assert net.requires_grad and not net[0].requires_grad  # as MindSpore 2.10 does


class AttentionBlock(nn.Cell):
    """The page's Block for `offload`, on 4 x 8 instead of 128 x 128 matrices."""

    def __init__(self):
        super().__init__()
        self.transpose = ops.Transpose()
        self.real_div = ops.RealDiv()
        self.batch_matmul = ops.BatchMatMul()
        self.softmax = ops.Softmax(-1)
        self.expand_dims = ops.ExpandDims()
        self.sub = ops.Sub()
        self.y = Parameter(Tensor(np.ones((6, 4, 4), np.float32)))

    def construct(self, x):
        left = self.real_div(self.transpose(x, (0, 2, 1, 3)), Tensor(2.37891))
        right = self.real_div(self.transpose(x, (0, 2, 3, 1)), Tensor(2.37891))
        score = self.batch_matmul(left, right)
        weights = self.softmax(self.sub(score, self.expand_dims(self.y, 1)))
        out = self.batch_matmul(weights, self.transpose(x, (0, 2, 1, 3)))
        return self.transpose(out, (0, 2, 1, 3))


@pytest.mark.parametrize("how", ["offload", "recompute"])
def test_three_blocks(how, mode):
    # The page leaves numpy out, makes score and then does not use it, and takes `soft_max[0]` of a batch; meant is
    # attention. Its lazy_inline keeps a block's graph apart, which jax.checkpoint does here.
    class Nets(nn.Cell):
        def __init__(self, method):
            super().__init__()
            self.blocks = nn.CellList()
            for _ in range(3):
                block = AttentionBlock()
                if method:
                    getattr(block, method)()
                self.blocks.append(block)

        def construct(self, x):
            for i in range(3):
                x = self.blocks[i](x)
            return x

    x = Tensor(np.random.default_rng(0).random((6, 4, 2, 8)).astype(np.float32))
    plain, special = Nets(None), Nets(how)
    np.testing.assert_allclose(special(x).asnumpy(), plain(x).asnumpy(), rtol=1e-6)
    expected, found = ms.grad(lambda x: plain(x).sum())(x), ms.grad(lambda x: special(x).sum())(x)
    np.testing.assert_allclose(found.asnumpy(), expected.asnumpy(), rtol=1e-5, atol=1e-6)


def test_shard():
    # The page forgets super().__init__() and calls nn.Dense2, which does not exist; its strategy needs four devices
    # (tests/nn/_cell/test_parallel.py has eight), here every cut is 1.
    class Block(nn.Cell):
        def __init__(self):
            super().__init__()
            self.dense1 = nn.Dense(10, 10)
            self.relu = nn.ReLU()
            self.dense2 = nn.Dense(10, 10)

        def construct(self, x):
            return self.relu(self.dense2(self.relu(self.dense1(x))))

    class Example(nn.Cell):
        def __init__(self):
            super().__init__()
            self.block1 = Block()
            self.block2 = Block()
            plan = {"self.block2.shard.dense1.weight": (1, 1)}
            self.block2_shard = self.block2.shard(in_strategy=((1, 1),), parameter_plan=plan)

        def construct(self, x):
            return self.block2_shard(self.block1(x))

    net = Example()
    x = Tensor(np.ones((2, 10), np.float32))
    np.testing.assert_array_equal(net(x).asnumpy(), net.block2(net.block1(x)).asnumpy())


def test_scope_names_and_state_of_no_effect():
    net = nn.SequentialCell(nn.Dense(2, 2))
    assert (net.get_scope(), net.exist_names, net.bprop_debug) == (None, set(), False)
    net.generate_scope()
    assert net[0].get_scope() == "Default/0-Dense"
    net.bprop_debug = True
    assert net.bprop_debug
    with pytest.raises(TypeError, match="bprop_debug"):
        net.bprop_debug = 1
    assert net.extend_repr() == ""
    assert net.remove_redundant_parameters() is None


def test_extra_state():
    class Keeps(nn.Cell):
        def __init__(self):
            super().__init__()
            self.kept = 1

        def get_extra_state(self):
            return {"kept": self.kept}

        def set_extra_state(self, state):
            self.kept = state["kept"]

    one, other = Keeps(), Keeps()
    one.kept = 5
    other.load_state_dict(one.state_dict())
    assert other.kept == 5
