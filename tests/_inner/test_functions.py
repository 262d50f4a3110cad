"""Functions of MindSpore's inner modules answer as MindSpore 2.10 did, with the class of its errors."""

import sys

import numpy as np
import pytest

import ms_compat as ms
import ms_compat.dataset as ds
from ms_compat import Tensor, nn
from ms_compat._names.resolve import resolve

X = np.array([[-1.5, 0.3, 2.0], [0.7, -0.2, 4.0]], np.float32)


def inner(dotted):
    return resolve(f"mindspore.{dotted}")


def settled(value):
    if isinstance(value, (tuple, list)):
        return [settled(item) for item in value]
    return (str(value.dtype), value.asnumpy().tolist()) if isinstance(value, Tensor) else value


A, M, N = (inner(f"ops.function.{name}_func") for name in ("array", "math", "nn"))
ANSWERS = {
    lambda x: A.max_ext(x): ("Float32", 4.0),
    lambda x: A.max_ext(x, 1): [("Float32", [2.0, 4.0]), ("Int64", [2, 2])],
    lambda x: A.min_ext(x, 0, True)[1]: ("Int64", [[0, 1, 0]]),
    lambda x: A.new_ones(x, (2,)): ("Float32", [1.0, 1.0]),
    lambda x: A.new_zeros(x, (2,), dtype=ms.int32): ("Int32", [0, 0]),
    lambda x: A.chunk_ext(x, 2, 1)[1]: ("Float32", [[2.0], [4.0]]),
    lambda x: M.as_strided(x, (2, 2), (1, 1))[1, 0]: ("Float32", pytest.approx(0.3)),
    lambda x: M.mean_ext(x, 1, True): ("Float32", [[pytest.approx(0.8 / 3)], [1.5]]),
    lambda x: M.mul_ext(x, 2)[1, 2]: ("Float32", 8.0),
    lambda x: M.arrange(3): [0, 1, 2],
    lambda x: inner("ops.function.clip_func.get_square_sum")(x): ("Float32", [pytest.approx(22.87)]),
    lambda x: inner("ops.function.clip_func.apply_global_norm")(Tensor(2.0), Tensor(4.0), x)[1, 2]: ("Float32", 2.0),
    lambda x: inner("ops.functional_overload.rmod")(7, Tensor([2, 5])): ("Int64", [1, 2]),
    lambda x: N._check_qkv_shape(3, 3, 3): True,
    lambda x: N._check_kpm_shape(2, 1): None,
    lambda x: N._check_attn_mask_shape(2, (3, 4), (5, 4), 3, (2, 3, 5), 2): None,
    lambda x: N._interploate_ext_make_tuple(Tensor(np.ones((1, 1, 2, 2))), 3): [3, 3],
    lambda x: N._interpolate_ext_scale_factor_convert_size(Tensor(np.ones((1, 1, 3, 5))), (1.5, 0.5)): [4, 2],
    # without a kernel for CPUs in MindSpore: what their names say
    lambda x: A.index_fill_ext(x, 0, Tensor([0]), 9.0)[0]: ("Float32", [9.0, 9.0, 9.0]),
    lambda x: A.one_hot_ext(Tensor([0, 2]), 3): ("Int64", [[1, 0, 0], [0, 0, 1]]),
    lambda x: A.repeat_interleave_ext(Tensor([1, 2]), 2): ("Int64", [1, 1, 2, 2]),
    lambda x: M.addcmul_ext(x, x, x, value=2)[1, 2]: ("Float32", 36.0),
    lambda x: M.remainder_ext(Tensor([7, -7]), 5): ("Int64", [2, 3]),
    lambda x: inner("mint.addcmul")(Tensor([1.0]), Tensor([2.0]), Tensor([3.0])): ("Float32", [7.0]),
}
REFUSALS = {
    lambda: N._check_qkv_shape(3, 2, 3): ValueError,
    lambda: N._check_kpm_shape(3, 3): ValueError,
    lambda: N._check_attn_mask_shape(2, (3, 4), (5, 4), 3, (2, 3, 6), 2): ValueError,
    lambda: N._check_attn_mask_shape(3, (3, 4), (5, 4), 1, (2,), 2): ValueError,
    lambda: M.as_strided(Tensor([1.0, 2.0]), (2, 2), (1, 1)): ValueError,
}


@pytest.mark.parametrize("call", ANSWERS)
def test_functions_answer(call):
    assert settled(call(Tensor(X))) == ANSWERS[call]


@pytest.mark.parametrize("call", REFUSALS)
def test_functions_refuse(call):
    with pytest.raises(REFUSALS[call]):
        call()


def test_gradients_of_groups_of_rows():
    rng = np.random.RandomState(0)
    x, weight, grad = (Tensor(rng.randn(*shape).astype(np.float32)) for shape in ((4, 3), (2, 3, 5), (4, 5)))
    (of_x,), (of_weight,) = M.gmm_backward([grad], [x], [weight], group_list=Tensor([1, 4]))
    np.testing.assert_allclose(of_x.asnumpy()[1:], grad.asnumpy()[1:] @ weight.asnumpy()[1].T, rtol=1e-5)
    np.testing.assert_allclose(of_weight.asnumpy()[0], x.asnumpy()[:1].T @ grad.asnumpy()[:1], rtol=1e-5)


def test_uniform_draws_in_the_type_of_a_tensor():
    drawn = inner("ops.function.random_func.uniform_ext")(Tensor(np.zeros(200), ms.float16), 2.0, 3.0)
    assert drawn.dtype is ms.float16 and drawn.shape == (200,) and 2 <= drawn.min() and drawn.max() <= 3
    once, again = (ms.Generator().manual_seed(3) for _ in range(2))
    draw = inner("ops.function.random_func.uniform_ext")
    assert draw(drawn, 0, 1, once).asnumpy().tolist() == draw(drawn, 0, 1, again).asnumpy().tolist()


U = inner("nn.probability.distribution._utils.utils")
C = inner("nn.probability.distribution._utils.custom_ops")
PROBABILITY = {
    lambda: str(U.set_param_type({"a": Tensor([1.0])}, ms.float16)): "Float32",
    lambda: str(U.set_param_type({"a": np.ones(2)}, ms.float16)): "Float32",
    lambda: str(U.set_param_type({"a": 1.0}, ms.int32)): "Float32",
    lambda: U.cast_to_tensor([1, 2]): ("Float32", [1.0, 2.0]),
    lambda: U.check_prob(Tensor([0.5])): None,
    lambda: U.probs_to_logits(Tensor([0.25, 0.75])): ("Float32", pytest.approx([-1.3862944, -0.2876821])),
    lambda: U.probs_to_logits(Tensor([0.25, 1.0]), True): ("Float32", pytest.approx([-1.0986123, 15.942385])),
    lambda: U.logits_to_probs(Tensor([0.0, 1.0])): ("Float32", pytest.approx([0.2689411, 0.7310589], rel=1e-5)),
    lambda: U.logits_to_probs(Tensor([0.0, 1.0]), True): ("Float32", pytest.approx([0.5, 0.7310589], rel=1e-5)),
    lambda: U.CheckTuple()((1,), "n"): [1],
    lambda: C.exp_generic(Tensor([0, 1])): ("Float32", pytest.approx([1, 2.71828], rel=1e-5)),
    lambda: C.log_generic(Tensor([0.0, -1.0, 1.0])): ("Float32", pytest.approx([-np.inf, np.nan, 0], nan_ok=True)),
    lambda: C.log1p_generic(Tensor([1.0])): ("Float32", pytest.approx([0.6931472])),
    lambda: C.broadcast_to(Tensor([1.0]), Tensor([[1.0, 2.0]])): ("Float32", [[1.0, 1.0]]),
}
IMPROBABLE = {
    lambda: U.set_param_type({"a": Tensor([1.0]), "b": Tensor([1])}, ms.float16): TypeError,
    lambda: U.cast_to_tensor(True): TypeError,
    lambda: U.cast_to_tensor(None): ValueError,
    lambda: U.cast_to_tensor("a"): TypeError,
    lambda: U.check_greater_zero(Tensor([0.0]), "sd"): ValueError,
    lambda: U.check_greater_equal_zero(Tensor([-1.0]), "sd"): ValueError,
    lambda: U.check_greater(Tensor([1.0]), Tensor([1.0]), "a", "b"): ValueError,
    lambda: U.check_prob(Tensor([1.0])): ValueError,
    lambda: U.check_sum_equal_one(Tensor([0.5, 0.4])): ValueError,
    lambda: U.check_rank(Tensor(0.5)): ValueError,
    lambda: U.CheckTuple()([1], "n"): TypeError,
    lambda: U.CheckTensor()(1, "n"): TypeError,
    lambda: U.check_distribution_name(None, "Normal"): ValueError,
    lambda: U.check_distribution_name("Beta", "Normal"): ValueError,
    lambda: U.raise_not_implemented_util("f", "o"): NotImplementedError,
    lambda: U.raise_none_error("x"): TypeError,
    lambda: U.raise_not_defined("f", "o"): ValueError,
    lambda: C.log_generic_with_check(1): TypeError,
}


@pytest.mark.parametrize("call", PROBABILITY)
def test_conversions_of_distributions(call):
    assert settled(call()) == PROBABILITY[call]


@pytest.mark.parametrize("call", IMPROBABLE)
def test_checks_of_distributions_refuse(call):
    with pytest.raises(IMPROBABLE[call]):
        call()


def test_kinds_of_datasets():
    rows = ds.NumpySlicesDataset([1, 2])
    kinds = {
        name: getattr(ds, f"{name}Dataset") for name in ("Source", "VisionBase", "TextBase", "AudioBase", "UnionBase")
    }
    assert all(isinstance(rows, kind) for kind in kinds.values())
    assert [name for name, kind in kinds.items() if isinstance(rows.batch(2), kind)] == list(kinds)[1:]
    asked = {
        "Mnist": "Source VisionBase", "TextFile": "Source TextBase", "CLUE": "Source TextBase",
        "YesNo": "Source AudioBase", "CSV": "Source VisionBase TextBase AudioBase UnionBase",
    }  # fmt: skip
    for name, wanted in asked.items():
        source = getattr(ds, f"{name}Dataset")
        assert [known for known, kind in kinds.items() if issubclass(source, kind)] == wanted.split(), name


def test_all_iterators_can_be_ended():
    iterators = inner("dataset.engine.iterators")
    going = ds.NumpySlicesDataset([1, 2], shuffle=False).create_tuple_iterator()
    next(going)
    iterators._cleanup()
    assert iterators.check_iterator_cleanup()
    iterators._unset_iterator_cleanup()
    assert not iterators.check_iterator_cleanup()
    with pytest.raises(RuntimeError):
        next(going)


PREFIXES = [
    ([], "net", "net"),
    (["net-1_1.ckpt"], "net_1", "net"),
    (["net_1-1_1.ckpt", "net-1_1.ckpt"], "net_2", "net"),
    (["net-1_1_breakpoint.ckpt"], "net", "net_1"),
    (["net_x-1_1.ckpt", "network-1_1.ckpt", "net.ckpt", "net-graph.meta", "net2-1_1.ckpt"], "net", "net"),
    (["net_04-1_1.safetensors"], "net_5", "net"),
]


@pytest.mark.parametrize(("files", "next_prefix", "after_a_break"), PREFIXES)
def test_the_next_prefix_of_checkpoints(tmp_path, files, next_prefix, after_a_break):
    for name in files:
        (tmp_path / name).touch()
    change = inner("train.callback._checkpoint._chg_ckpt_file_name_if_same_exist")
    assert (change(str(tmp_path), "net"), change(str(tmp_path), "net", True)) == (next_prefix, after_a_break)
    assert change(str(tmp_path), print) is print


def test_values_handed_back_reach_the_current_network():
    save, choose = inner("train.callback._checkpoint_cb_for_save_op"), inner("train.callback._set_cur_net")
    net = nn.Dense(1, 1)
    values = [{"name": "weight", "data": Tensor([[5.0]])}, {"name": "bias", "data": Tensor([6.0])}]
    choose(net)
    assert save(list(values)) is True and not save(list(values))
    assert (float(net.weight), float(net.bias)) == (5, 6)


def test_tensors_of_a_pipeline():
    made = inner("train._utils._construct_tensor_list")([ms.float32, ms.int32], [(2, 3), (4,)], 2)
    assert settled(made) == [("Float32", np.zeros((4, 3)).tolist()), ("Int32", [0] * 8)]
    with pytest.raises(ValueError):
        inner("train._utils._construct_tensor_list")([ms.float32], [])


def test_fillers_of_arrays():
    fill = inner("_c_expression")
    data = np.zeros(4000, np.float32)
    fill._random_normal(1, data, 3.0, 0.5)
    assert abs(data.mean() - 3) < 0.1 and abs(data.std() - 0.5) < 0.1
    fill._random_uniform(1, data, -1.0, 1.0)
    assert data.min() >= -1 and data.max() <= 1 and data.std() > 0.5
    fill._truncated_normal(1, data, -1.0, 2.0, 1.0, 3.0)
    assert data.min() >= -1 and data.max() <= 2 and abs(data.mean() - 0.54) < 0.1


def test_numbers_of_types():
    number = inner("_c_expression.typing.type_id_to_type")
    assert [str(number(n)) for n in (43, 30, 34)] == ["Float32", "Bool", "Int32"]
    with pytest.raises(RuntimeError):
        number(9999)


def test_parts_of_the_compiler():
    ms.install()
    try:
        import mindspore.common._monad as monad
        from mindspore._c_expression import CreationType, security
        from mindspore._extends.parse import compile_config, standard_method
        from mindspore.common.api import _pynative_executor
        from mindspore.ops.composite.base import core
    finally:
        sys.modules["ms_compat.install"].uninstall()
    assert not security.enable_security() and compile_config.CHECK_BPROP == ""
    compile_config.CHECK_BPROP = 1
    assert compile_config.CHECK_BPROP == 1
    assert standard_method.ms_len((1, 2)) == 2
    assert _pynative_executor.set_creation_type(Tensor(1), CreationType.DEFAULT) is None
    assert float(ms.ops.depend(Tensor(2.0), monad.U)) == 2 and repr(monad.IO) == "IO"

    @core(ignore=True)
    def doubled(x):
        return 2 * x

    assert core(doubled) is doubled and doubled(3) == 6


def test_parts_of_a_batch():
    parts = inner("nn.wrap.cell_wrapper._MicroBatch")(2)
    assert settled(parts(1, Tensor([1, 2, 3, 4]), Tensor([[5], [6]]))) == [("Int64", [3, 4]), ("Int64", [[6]])]
    with pytest.raises(ValueError):
        parts(0, Tensor([1, 2, 3]))


def test_wrappers_of_scipy():
    diagonal = inner("scipy.ops_wrapper.matrix_set_diag")(Tensor(np.full((2, 2), 7)), Tensor([1, 2]))
    assert diagonal.asnumpy().tolist() == [[1, 7], [7, 2]]
    assert inner("scipy.utils._nd_transpose")(Tensor(np.zeros((2, 3, 4)))).shape == (2, 4, 3)
    for wrong in (
        lambda: inner("scipy.utils._nd_transpose")(Tensor([1])),
        lambda: inner("scipy.ops_wrapper.matrix_set_diag")(Tensor([[1]]), Tensor([1]), 1.5),
    ):
        with pytest.raises(ValueError):
            wrong()
    rows, columns = inner("scipy.ops.LinearSumAssignment")()(Tensor([[2, 3], [1, 4]]), Tensor(9), False)
    assert (rows.asnumpy().tolist(), columns.asnumpy().tolist()) == ([0, 1], [1, 0])


def test_checks_of_hardware_find_nothing():
    assert ms.utils.sdc_detect_start() is None and ms.utils.sdc_detect_stop() is None
    assert ms.utils.get_sdc_detect_result() is False


def test_methods_are_functions_too():
    methods = inner("ops.tensor_method")
    assert methods.tensor_cosh is Tensor.cosh and methods.deprecated_tensor_argmax is Tensor.argmax
    assert isinstance(inner("parallel._cost_model_context.reset_cost_model_context")(), type(None))
    assert inner("parallel._utils._reset_op_id")() is None


QUERY = np.arange(12, dtype=np.float32).reshape(1, 3, 4) / 10


ADDED = np.array([[0, -1, -2], [0, 0, -1], [1, 0, 0]], np.float32)


TRIANGLE = [[0.5539, 0.2164, 0.2297], [0.3550, 0.4423, 0.2028], [0.2174, 0.3178, 0.4648]]


WEIGHTS = {
    "none": (None, False, [[0.3135, 0.3329, 0.3535], [0.2632, 0.3280, 0.4087], [0.2174, 0.3178, 0.4648]]),
    "added": (ADDED, False, [[0.6480, 0.2531, 0.0989], [0.3550, 0.4423, 0.2028], [0.4302, 0.2314, 0.3384]]),
    "bool": (np.tri(3, dtype=bool), False, TRIANGLE),
    "causal": (None, True, TRIANGLE),
}


@pytest.mark.parametrize("mask", WEIGHTS)
@pytest.mark.parametrize("compiled", [False, True])
def test_attention_with_its_weights(mask, compiled):
    given, causal, expected = WEIGHTS[mask]
    attend = inner("ops.function.nn_func._scaled_dot_product_attention")
    query = Tensor(QUERY)
    value = query - 0.3
    mask = None if given is None else Tensor(given)

    def call(query):
        return attend(query, query * 0.5 + 0.1, value, mask, 0.0, causal, False, ms.float32)

    out, weights = (ms.jit(call) if compiled else call)(query)
    np.testing.assert_allclose(weights.asnumpy()[0], expected, atol=6e-5)
    np.testing.assert_allclose(out.asnumpy(), weights.asnumpy() @ value.asnumpy(), rtol=1e-5, atol=1e-6)


def test_attention_takes_one_mask():
    with pytest.raises(ValueError, match="is_causal"):
        inner("ops.function.nn_func._scaled_dot_product_attention")(
            Tensor(QUERY), Tensor(QUERY), Tensor(QUERY), Tensor(ADDED), 0.0, True, False, ms.float32
        )
