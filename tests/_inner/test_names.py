"""Names of MindSpore's inner modules do what they do there; values were recorded with MindSpore 2.10."""

import inspect
import os
import sys
from pathlib import Path

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, nn, ops
from ms_compat._names.resolve import resolve


@pytest.fixture(autouse=True)
def _installed():
    ms.install()
    yield
    sys.modules["ms_compat.install"].uninstall()


def inner(dotted):
    return resolve(f"mindspore.{dotted}")


def test_scripts_import_inner_names():
    from mindspore._c_expression import Cell_, MSContext, _framework_profiler_step_start, disable_multi_thread
    from mindspore._c_expression.typing import BFloat, Bool, Complex, Float, Number, UInt, type_to_type_id
    from mindspore.common._stub_tensor import StubTensor
    from mindspore.common.api import _cell_graph_executor, _pynative_executor, cells_compile_cache
    from mindspore.common.np_dtype import bfloat16
    from mindspore.ops._primitive_cache import _get_cache_prim
    from mindspore.ops.composite import ones_like

    assert isinstance(ms.float32, Float) and isinstance(ms.bfloat16, BFloat) and isinstance(ms.uint8, UInt)
    assert isinstance(ms.bool_, Bool) and isinstance(ms.complex64, Complex) and issubclass(Float, Number)
    assert type_to_type_id(ms.float32) == 43 and type_to_type_id(ms.bfloat16) == 45
    assert isinstance(nn.ReLU(), Cell_) and not isinstance(Tensor(1), StubTensor)
    assert set(dir(Tensor)) <= set(dir(StubTensor))  # tools wrap the methods of both
    context = MSContext.get_instance()
    assert context is MSContext.get_instance() and not context.is_ascend_plugin_loaded()
    assert context.is_pkg_support_device("CPU") and context.get_ascend_soc_version() == ""
    assert context.get_param("mode") == ms.get_context("mode")
    assert _framework_profiler_step_start() is None and disable_multi_thread() is None
    assert _pynative_executor.sync() is None and not _pynative_executor.grad_flag()
    assert cells_compile_cache == {}
    net = nn.Dense(2, 3)
    assert _cell_graph_executor.compile(net, Tensor(np.ones((4, 2), np.float32)), phase="train")[1] and net.compiled
    assert _cell_graph_executor.compile(nn.ReLU(), Tensor([1.0]))[1]
    assert _cell_graph_executor(net, Tensor(np.ones((4, 2), np.float32))).shape == (4, 3)
    with pytest.raises(NotImplementedError, match="_cell_graph_executor"):
        _cell_graph_executor.get_allreduce_fusion(net)
    assert np.dtype(bfloat16).itemsize == 2
    assert _get_cache_prim(ops.ReLU)() is _get_cache_prim(ops.ReLU)()
    assert ones_like((Tensor([2.0]), 3))[1] == 1
    assert ms.ms_memory_recycle() is None


def test_the_executor_takes_flags_and_pauses_recording():
    executor = inner("common.api._pynative_executor")
    assert [executor.set_async_for_graph(flag) for flag in (True, False, 1, None)] == [None] * 4
    with pytest.raises(TypeError):
        executor.set_async_for_graph("yes")

    def half(x):
        executor.set_enable_grad(False)
        constant = x * x
        executor.set_enable_grad(True)
        return constant + x

    assert ms.grad(half)(Tensor([3.0])).asnumpy().tolist() == [1.0]
    assert executor.enable_grad()


def test_initializer_helpers():
    fill = inner("common.initializer._assignment")
    assert fill(np.zeros(2), np.ones(2)).tolist() == [1, 1]
    assert fill(np.array(1.0), 3.0) == 3.0
    assert inner("common.initializer._calculate_in_and_out")(np.zeros((3, 4, 5))) == (20, 15)
    with pytest.raises(ValueError):
        inner("common.initializer._calculate_in_and_out")(np.zeros(3))
    assert inner("common.initializer._calculate_fan_in_and_fan_out")((3, 4, 5, 5)) == (100, 75)
    drawn = inner("common.initializer._init_random_uniform")(2, 3, (50,))
    assert drawn.dtype == np.float32 and drawn.min() >= 2 and drawn.max() <= 3 and drawn.std() > 0
    assert inner("common.initializer._init_random_normal")(5, 1, (500,)).mean() > 4
    assert inner("common.initializer._INITIALIZER_ALIAS")["xavier_uniform"] is inner("common.initializer.XavierUniform")


def test_loss_and_optimizer_of_old_scripts():
    class Squares(inner("nn.loss.loss._Loss")):
        def construct(self, x, y):
            return self.get_loss((x - y) ** 2)

    assert float(Squares("sum")(Tensor([1.0, 3.0]), Tensor([0.0, 1.0]))) == 5

    class Own(nn.Optimizer):
        @inner("nn.optim.optimizer.opt_init_args_register")
        def __init__(self, params, learning_rate=0.1, decay=0.5):
            super().__init__(learning_rate, params)

    weights = [Parameter(Tensor([1.0]), name="w")]
    made = Own(weights, Tensor(0.25), decay=2)
    assert made.init_args == {"decay": 2} and made.init_learning_rate == 0.25
    assert Own(weights, nn.ExponentialDecayLR(0.1, 0.9, 4)).init_learning_rate is None
    assert [p.name for p in inspect.signature(Own.__init__).parameters.values()] == ["self", "args", "kwargs"]
    assert made.init_params == {"params": weights}


def test_loss_scale_helpers():
    unscale = inner("nn.wrap.loss_scale.grad_scale")
    out = unscale(Tensor(4.0), Tensor([2.0, 8.0], ms.float16))
    assert out.dtype is ms.float16 and out.asnumpy().tolist() == [0.5, 2]
    scale, pair = Parameter(Tensor(2.0), name="scale"), (Tensor([1.0]), [Tensor([2.0], ms.float16)])
    for name, values in (("_grad_scale_map", (2, 4)), ("_grad_unscale_map", (0.5, 1))):
        first, (second,) = inner(f"amp.{name}")(scale, pair)
        assert (float(first), float(second), second.dtype) == (*values, ms.float16)
    gathered = Parameter(Tensor([8.0]), name="a")
    assert inner("nn.wrap.loss_scale.shard_grad_scale")(Tensor(4.0), Tensor([0.0]), gathered).asnumpy().tolist() == [2]
    assert gathered.asnumpy().tolist() == [0]
    wrapped = inner("nn.wrap.cell_wrapper._VirtualDatasetCell")(nn.ReLU())
    assert wrapped(Tensor([-1.0, 1.0])).asnumpy().tolist() == [0, 1]
    assert inner("ops.operations.comm_ops._VirtualDataset")()(1, 2) == (1, 2)


@pytest.mark.parametrize(
    "how", [dict(average_attn_weights=False), dict(training=False, dropout_p=0.9), dict(flat=True)]
)
def test_attention_as_a_function_equals_the_layer(how):
    rng = np.random.RandomState(0)
    layer = nn.MultiheadAttention(8, 2)
    x, y = (Tensor(rng.randn(*shape).astype(np.float32)) for shape in ((5, 2, 8), (3, 2, 8)))
    how = dict(how)
    if how.pop("flat", False):
        x, y = x[:, 0], y[:, 0]
    drop = how.pop("dropout_p", 0.0)
    expected = layer(x, y, y, average_attn_weights=how.get("average_attn_weights", True))
    out = inner("ops.function.nn_func.multi_head_attention_forward")(
        x, y, y, 8, 2, layer.in_proj_weight, layer.in_proj_bias, None, None, False, drop, layer.out_proj.weight,
        layer.out_proj.bias, **how,
    )  # fmt: skip
    for mine, other in zip(out, expected, strict=True):
        np.testing.assert_allclose(mine.asnumpy(), other.asnumpy(), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(("kind", "cell"), [("lstm", nn.LSTMCell), ("gru", nn.GRUCell), ("rnn_tanh", nn.RNNCell)])
def test_a_recurrent_step_as_a_function_equals_the_cell(kind, cell):
    made = cell(3, 4)
    x, h = ops.ones((2, 3)), ops.ones((2, 4)) * 0.5
    hidden = (h, h) if kind == "lstm" else h
    step = inner(f"nn.layer.rnn_cells._{kind}_cell")
    out = step(x, hidden, made.weight_ih, made.weight_hh, made.bias_ih, made.bias_hh)
    expected = made(x, hidden)
    out, expected = (v if isinstance(v, tuple) else (v,) for v in (out, expected))
    for mine, other in zip(out, expected, strict=True):
        np.testing.assert_allclose(mine.asnumpy(), other.asnumpy(), rtol=1e-6)
    assert issubclass(cell, inner("nn.layer.rnn_cells.RNNCellBase"))


def test_layer_helpers():
    length = inner("nn.layer.conv._deconv_output_length")
    assert length(False, False, True, 10, 3, 2, 1, 2) == 19
    assert length(True, False, False, 10, 3, 2, 1, 0) == 21
    assert length(False, True, False, 10, 3, 2, 1, 0) == 20
    with pytest.raises(ValueError):
        inner("nn.layer.conv._check_input_3d")((1, 2), "Conv1d")
    assert inner("nn.layer.activation._activation")["relu"] is nn.ReLU
    x = Tensor([[1.0, 2.0], [3.0, 4.0]])
    assert inner("ops.function.nn_func.linear")(x, x, Tensor([1.0, 0.0])).asnumpy().tolist() == [[6, 11], [12, 25]]
    assert [t.shape for t in inner("ops.function.array_func.split_ext")(x, 1, 0)] == [(1, 2), (1, 2)]
    assert inner("mint.clip")(x, 2, 3).asnumpy().tolist() == [[2, 2], [3, 3]]


def test_training_helpers(tmp_path: Path):
    params = inner("train.callback._InternalCallbackParam")()
    params.foo = 3
    assert params["foo"] == 3
    handle = inner("train.callback._callback._handle_loss")
    assert handle(Tensor([1.0, 3.0])) == 2.0 and handle(3.0) == 3.0 and handle("a") == "a"
    loss, numbers = Tensor(2.0), (1.0, 2)
    assert handle((loss, Tensor(True))) is loss and handle(numbers) is numbers
    assert type(handle(loss)) is float
    make = inner("train._utils._make_directory")
    assert os.path.isdir(make(str(tmp_path / "a" / "b")))
    (tmp_path / "file").write_text("")
    for wrong, error in ((3, TypeError), ("", ValueError), (str(tmp_path / "file"), NotADirectoryError)):
        with pytest.raises(error):
            make(wrong)
    assert inner("train.serialization.tensor_to_ms_type")["Float32"] is ms.float32
    to_numpy = inner("train.serialization.tensor_to_np_type")
    assert to_numpy("Float32") is np.float32 and to_numpy("nothing") is None
    assert inner("train.serialization.context.GRAPH_MODE") == 0
    x = Tensor(1)
    assert inner("train.model._transfer_tensor_to_tuple")(x) == (x,)
    with inner("train.callback._CallbackManager")([ms.train.Callback()]) as callbacks:
        assert callbacks.callbacks
    assert inner("train.callback._set_cur_net")(None) is None


def test_questions_about_the_process():
    assert inner("context._get_mode")() == ms.get_context("mode")
    assert inner("communication._comm_helper._is_initialized")() is False
    assert inner("communication._comm_helper.Backend")("hccl") == "hccl"
    with pytest.raises(ValueError):
        inner("communication._comm_helper.Backend")("x")
    assert inner("parallel._ps_context._is_role_sched")() is False
    assert inner("parallel._utils._get_parameter_broadcast")() is False
    inner("parallel._utils._device_number_check")("stand_alone", 1)
    with pytest.raises(ValueError):
        inner("parallel._utils._device_number_check")("stand_alone", 2)
    assert inner("parallel._cost_model_context.set_cost_model_context")(device_memory_capacity=1.0) is None
    assert inner("common.seed._get_graph_seed")(None, "Dropout") in ((0, 0), (ms.get_seed(), 0))
    assert inner("dataset.core.validator_helpers.INT32_MAX") == 2**31 - 1
    with pytest.raises(ValueError, match="a1"):
        inner("numpy.utils_const._raise_value_error")("a", 1)
    first, second = inner("numpy.utils._to_tensor")(1, [2.0])
    assert (first.dtype, second.dtype, second.shape) == (ms.int32, ms.float32, (1,))


def test_tensors_are_swapped():
    a, b = Tensor([1.0]), Tensor([2, 3])
    assert ms.swap_tensors(a, b) is None
    assert (a.dtype, a.shape, b.asnumpy().tolist()) == (ms.int64, (2,), [1.0])
    with pytest.raises(TypeError):
        ms.swap_tensors(a, 3)


def test_the_null_type_and_the_registry():
    assert str(ms._null) == "Null" and isinstance(ms._null, ms._NullType) and isinstance(ms.int32, ms.Int)
    registry = ops.tensor_operator_registry
    assert registry.get("relu") is ops.relu
    registry.register("own_name", len)
    assert inner("common._register_for_tensor.tensor_operator_registry").get("own_name") is len
    with pytest.raises(AttributeError):
        registry.get("nothing")
    assert ops.get_vm_impl_fn("nothing") is None
    ops.vm_impl_registry.register(ops.ReLU)(len)
    assert ops.get_vm_impl_fn(ops.ReLU) is ops.get_vm_impl_fn(ops.ReLU()) is len
    assert ops.P.MatMul is ops.MatMul


def chosen(condition, x, y):
    return ops.switch(condition, x, y)


def called(index, x):
    return ops.switch_layer(index, (ops.relu, ops.neg, ops.abs))(x)


def test_a_condition_of_the_device_chooses():
    x, y = Tensor([1.0, -2.0]), Tensor([3.0, 4.0])
    for condition in (True, False):
        given = Tensor(condition)
        np.testing.assert_array_equal(ms.jit(chosen)(given, x, y).asnumpy(), chosen(given, x, y).asnumpy())
    for index in range(3):
        given = Tensor(index, ms.int32)
        np.testing.assert_array_equal(ms.jit(called)(given, x).asnumpy(), called(given, x).asnumpy())
    assert ops.tail((1, 2, 3)) == (2, 3) and ops.zip_operation((1, 2), (3, 4)) == ((1, 3), (2, 4))
    assert ops.array_to_scalar(Tensor(3.0)) == 3.0
    assert ops.is_tensor_bool_cond(Tensor(True)) is True
    assert [t.asnumpy().tolist() if isinstance(t, Tensor) else t for t in ops._ones_like_for_grad((x, 3))] == [
        [1, 1],
        1,
    ]


def test_helpers_of_attention_and_indexing():
    x, w = ops.ones((2, 4)), ops.ones((9, 4))
    shapes = [t.shape for t in inner("ops.function.nn_func._in_projection_packed")(x, x, x, w, ops.ones(9), True, True)]
    assert shapes == [(2, 3)] * 3
    (q, *_) = inner("ops.function.nn_func._in_projection")(x, x, x, w[:3], w[:3], w[:3])
    assert q.asnumpy().tolist() == [[4, 4, 4]] * 2
    padded = inner("ops.function.nn_func._inner_pad")(x, (1, 1), 2.0)
    assert padded.shape == (2, 6) and padded.asnumpy()[0, 0] == 2
    assert inner("ops.function.nn_func._inner_dropout")(x, 0.5, False).asnumpy().tolist() == x.asnumpy().tolist()
    helpers = inner("ops.composite.multitype_ops._compile_utils")
    y = Tensor([[1.0, 2.0], [3.0, 4.0]])
    assert helpers._tensor_getitem(y, 0).asnumpy().tolist() == [1, 2]
    assert helpers._tensor_setitem(y, 0, 5.0) is y
    assert helpers._tensor_setitem_origin(y, 1, 7.0)[0] is y and helpers._tensor_getitem_origin(y, (1, 0)) == 7
    assert inner("ops.primitive._run_op")(ops.ReLU(), "ReLU", (Tensor([-1.0]),)).asnumpy().tolist() == [0]
    assert inner("ops.operations._sequence_ops.TensorToScalar")()(Tensor(3)) == 3


def ordered(x, parameter):
    written = ops.assign(parameter, x)
    order = ops.control_depend(written, ops.ControlDepend(1)(written, x))
    return ops.depend(parameter * 2, order)


def test_control_depend_of_the_first_release():
    for fn in (ordered, ms.jit(ordered)):
        parameter = Parameter(Tensor([0.0]), name="p")
        assert fn(Tensor([3.0]), parameter).asnumpy().tolist() == [6.0]
    with pytest.raises(ValueError):
        ops.ControlDepend(2)


def test_signatures_of_own_primitives():
    from mindspore.ops import signature as sig

    class Own(ops.PrimitiveWithInfer):
        __mindspore_signature__ = (sig.make_sig("x", sig.sig_rw.RW_WRITE, dtype=sig.sig_dtype.T), sig.make_sig("y"))

        def __call__(self, x, y):
            return x + y

    assert sig.make_sig("x").kind is sig.sig_kind.KIND_POSITIONAL_KEYWORD and sig.make_sig().name == "var"
    assert Own("Own")(Tensor([1.0]), Tensor([2.0])).asnumpy().tolist() == [3.0]


def test_more_checks():
    checks = inner("_checkparam")
    assert checks.twice(3) == (3, 3) and checks.triple((1, 2, 3)) == (1, 2, 3)
    assert checks.check_float(1.0, 0.0, checks.GT, "a", "b") == 1.0
    assert checks.check_and_canonicalize_axes((0, -1), 2) == (0, 1) and checks.check_and_canonicalize_axes(1, 2) == (1,)
    assert checks.check_types_same_and_valid({"a": ms.float32}, (ms.float32,), "p") is None
    three = checks._check_3d_int_or_tuple
    assert three("a", 3, "p") == (3, 3, 3) and three("a", 3, "p", True, True) == (1, 1, 3, 3, 3)
    assert three("a", (1, 1, 1, 2, 3), "p", True) == (1, 2, 3) and three("a", 0, "p", greater_zero=False) == (0, 0, 0)
    for call, error in (
        (lambda: checks.twice((1, 2, 3)), TypeError),
        (lambda: checks.check_float(1, 0.0, checks.GT), TypeError),
        (lambda: checks.check_float(-1.0, 0.0, checks.GT), ValueError),
        (lambda: checks.check_and_canonicalize_axes(3, 2), ValueError),
        (lambda: checks.check_and_canonicalize_axes((0, 0), 2), ValueError),
        (lambda: checks.check_and_canonicalize_axes(None, 2), TypeError),
        (lambda: checks.check_types_same_and_valid({"b": ms.float16}, (ms.float32,), "p"), TypeError),
        (lambda: three("a", (1, 2), "p"), ValueError),
        (lambda: three("a", 0, "p"), ValueError),
        (lambda: three("a", 2.0, "p"), TypeError),
        (lambda: three("a", 3, "p", third_one=True), ValueError),
        (lambda: three("a", 3, "p", True, True, True, False, False, 0), ValueError),
    ):
        with pytest.raises(error):
            call()


def test_small_helpers():
    key = inner("common.parameter._get_unique_parameter_key")
    assert key() != key()
    assert inner("train.model._StepSync")().step_end(None) is None
    transform = inner("dataset.transforms.transforms.PyTensorOperation")
    assert isinstance(ms.dataset.transforms.TypeCast(ms.int32), transform)
    assert isinstance(ms.dataset.vision.Resize(3), inner("dataset.transforms.transforms.TensorOperation"))


def test_mindio_is_answered_as_without_its_server():
    assert inner("common.file_system.mindio_preload") is ms.mindio_preload
    assert inner("common.file_system.set_mindio_server_info") is ms.set_mindio_server_info
    assert ms.mindio_preload("net.ckpt") is False and ms.set_mindio_server_info() is None
    for call, error in (
        (lambda: ms.mindio_preload(3), TypeError),
        (lambda: ms.set_mindio_server_info(0), ValueError),
        (lambda: ms.set_mindio_server_info("a"), TypeError),
    ):
        with pytest.raises(error):
            call()
