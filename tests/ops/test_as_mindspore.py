"""What MindSpore 2.10 (CPU) computes where its page says less: values that it gave."""

import numpy as np
import pytest

import ms_compat as ms
import ms_compat.numpy as mnp
from ms_compat import COOTensor, JitConfig, Parameter, Tensor, mint, nn, ops


def test_coordinates_for_one_size():
    (found,) = mnp.unravel_index(Tensor([[1, 2], [3, 4]]), 7)
    assert found.asnumpy().tolist() == [[1, 2], [3, 4]]
    alone = mnp.unravel_index(Tensor(1), 7)
    assert isinstance(alone, Tensor) and alone.asnumpy().tolist() == [1]


def test_the_filter_of_a_transposed_convolution_counts(mode):
    """Not `kernel_size`, nor `out_channel`."""
    x, w = Tensor(np.ones((1, 1, 4, 4)), ms.float32), Tensor(np.ones((1, 1, 3, 3)), ms.float32)
    side = np.array([1, 2, 3, 3, 2, 1])
    for kind in (ops.Conv2DBackpropInput, ops.Conv2DTranspose):
        assert kind(4, 1)(x, w, (1, 1, 6, 6)).asnumpy().tolist() == [[np.outer(side, side).tolist()]]
        assert kind(1, 3)(x, w, (1, 1, 6, 6)).asnumpy().tolist() == [[np.outer(side, side).tolist()]]


def padded(x):
    return ops.unique_with_pad(x, -1)


def test_different_elements_are_padded_in_compiled_code_and_slice_by_slice(mode):
    x = Tensor([[1, 2, 5, 2], [3, 3, 3, 1], [4, 3, 2, 1]], ms.int32)
    values = [[1, 2, 5, -1], [3, 1, -1, -1], [4, 3, 2, 1]]
    places = [[0, 1, 2, 1], [0, 0, 0, 1], [0, 1, 2, 3]]
    found = ops.vmap(padded)(x)
    assert [t.asnumpy().tolist() for t in found] == [values, places]
    assert [t.dtype for t in found] == [ms.int32, ms.int32]
    for row, value, place in zip(x, values, places, strict=True):
        assert [t.asnumpy().tolist() for t in ms.jit(padded, fullgraph=True)(row)] == [value, place]
    assert padded(Tensor([7, 7]))[1].dtype == ms.int64


def test_fractional_pools_of_integers():
    samples = Tensor(np.array([0.5, 0.5, 0.8]).reshape(1, 1, 3), ms.float32)
    chosen = [0, 1, 3, 12, 13, 15, 48, 49, 51, 60, 61, 63]
    for dtype in (ms.float16, ms.float32, ms.float64, ms.int32, ms.int64):
        x = Tensor(np.arange(64).reshape(1, 1, 4, 4, 4), dtype)
        out, where = ops.operations.nn_ops.FractionalMaxPool3DWithFixedKsize((1, 1, 1), (2, 2, 3))(x, samples)
        assert out.dtype == dtype and out.asnumpy().ravel().tolist() == chosen
        assert where.dtype == ms.int64 and where.asnumpy().ravel().tolist() == chosen
        if dtype != ms.float32:
            with pytest.raises(TypeError):
                ops.fractional_max_pool3d(x, (1, 1, 1), (2, 2, 3), _random_samples=samples)


def test_sparse_rms_prop_keeps_the_mean_square_where_there_is_no_gradient(mode):
    start = ([[0.6, 0.3], [0.1, 0.5]], [[0.2, 0.4], [0.1, 0.3]], [[0.3, 0.1], [0.3, 0.6]])
    states = [Parameter(Tensor(values, ms.float32), name=f"s{i}") for i, values in enumerate(start)]
    step = ops.operations.SparseApplyRMSProp(0.2, 0.01, 1e-6)
    grad, rows = Tensor([[0.0, 0.0], [0.3, 0.4]], ms.float32), Tensor([0, 1], ms.int32)
    found = step(*states, 0.01, grad, rows)
    wanted = [
        [[0.597000002861023, 0.2990000247955322], [0.08710934966802597, 0.48477470874786377]],
        [[0.20000000298023224, 0.4000000059604645], [0.09200000762939453, 0.18800000846385956]],
        [[0.003000000026077032, 0.0010000000474974513], [0.012890653684735298, 0.015225287526845932]],
    ]
    np.testing.assert_allclose([t.asnumpy() for t in found], wanted, rtol=1e-6)


def filled(value):
    return mint.full((1, 2, 3), value)


def test_a_value_that_fills_has_no_gradient_in_mint(mode):
    for value in (Tensor(6.0), Tensor(6)):
        gradient = ms.grad(filled)(value)
        assert gradient.dtype == value.dtype and gradient.asnumpy() == 0
    assert ms.grad(lambda value: ops.full((1, 2, 3), value))(Tensor(6.0)).asnumpy() == 6


# what is made of a COOTensor: gradient of its values
PARTS = {
    "itself": (lambda coo: coo, [1, 1]),
    "indices": (lambda coo: coo.indices, [0, 0]),
    "values": (lambda coo: coo.values, [1, 1]),
    "cast": (lambda coo: coo.astype(ms.int32), [1, 1]),
    "parts": (lambda coo: coo.to_tuple(), [1, 1]),
    "abs": (lambda coo: coo.abs(), [-1, 1]),
    "rows": (lambda coo: coo.to_csr(), [1, 1]),
    "dense": (lambda coo: coo.to_dense(), [1, 1]),
}


@pytest.mark.parametrize("part", PARTS)
def test_compiled_indices_have_no_gradient(graph, part):
    take, wanted = PARTS[part]
    indices, values = Tensor([[0, 1], [1, 2]], ms.int32), Tensor([-1.0, 2.0])
    grad = ops.GradOperation(get_all=True)(ms.jit(lambda i, v: take(COOTensor(i, v, (3, 4)))))
    of_indices, of_values = grad(indices, values)
    assert of_indices.asnumpy().tolist() == [[0, 0], [0, 0]]
    assert of_values.asnumpy().tolist() == wanted


class Labelled(nn.Cell):
    def construct(self, x):
        return [{"a": x}, x, {"b": {"c": x, "d": 1}}]


class Product(nn.Cell):
    def construct(self, x):
        return x["a"][0] * x["b"] + x["a"][1]


def test_strict_syntax_returns_the_values_of_dicts(graph):
    x = Tensor([1, 2])
    plain = Labelled()(x)
    assert [type(item) for item in plain] == [dict, Tensor, dict]
    net = Labelled()
    net.set_jit_config(JitConfig(jit_syntax_level="STRICT"))
    first, second, third = net(x)
    assert [type(first), type(third), type(third[0])] == [tuple] * 3
    for found in (first[0], second, third[0][0]):
        assert found.asnumpy().tolist() == [1, 2]
    assert third[0][1] == 1
    assert ms.jit(lambda: {"a": 1}, fullgraph=True)() == (1,)
    assert ms.jit(lambda: {"a": 1})() == {"a": 1}


@pytest.mark.parametrize(
    ("context", "environment", "strict"), [("STRICT", "", True), ("LAX", "0", True), ("STRICT", "2", False)]
)
def test_strict_syntax_of_the_context_and_the_environment(graph, monkeypatch, context, environment, strict):
    monkeypatch.setenv("MS_DEV_JIT_SYNTAX_LEVEL", environment)
    ms.set_context(jit_syntax_level=getattr(ms, context))
    try:
        gradient = ops.GradOperation()(Product())(ms.mutable({"a": (Tensor([2.0]), Tensor([3.0])), "b": Tensor([4.0])}))
        found = Labelled()(Tensor([1, 2]))
        assert ms.jit(lambda: {"a": 1})() == {"a": 1}
    finally:
        ms.set_context(jit_syntax_level=ms.LAX)
    assert [type(item) for item in found] == ([tuple, Tensor, tuple] if strict else [dict, Tensor, dict])
    assert type(gradient) is (tuple if strict else dict)


def test_binary_cross_entropy_of_float16_rounds_at_every_step(mode):
    p, y, w = (
        Tensor(values, ms.float16) for values in ([0.3745, 0.951, 0.732], [0.6118, 0.139, 0.292], [0.1, 0.5, 0.7])
    )
    found = ops.operations.BinaryCrossEntropy("none")(p, y, w)
    assert found.dtype == ms.float16 and found.asnumpy().tolist() == [0.0782470703125, 1.3037109375, 0.716796875]


#: dtypes that compiled code joins, and the dtype that comes out
JOINED = [
    ("float32", "bool", "Float32"),
    ("float32", "int64", "Float32"),
    ("float32", "float64", "Float64"),
    ("int8", "uint8", "Int16"),
    ("int64", "float16", "Float16"),
    ("bfloat16", "float16", "Float32"),
    ("complex64", "float64", "Complex128"),
]
JOINS = {
    "concat": lambda a, b: ops.concat((a, b)),
    "Concat": lambda a, b: ops.Concat()((a, b)),
    "mint.cat": lambda a, b: mint.cat((a, b)),
    "hstack": lambda a, b: ops.hstack((a, b)),
    "vstack": lambda a, b: ops.vstack((a, b)),
    "dstack": lambda a, b: ops.dstack((a, b)),
    "column_stack": lambda a, b: ops.column_stack((a, b)),
}


@pytest.mark.parametrize(("one", "other", "wanted"), JOINED, ids=lambda name: name)
def test_compiled_code_joins_several_dtypes(one, other, wanted):
    inputs = Tensor([1], getattr(ms, one)), Tensor([2], getattr(ms, other))
    for join in JOINS.values():
        assert str(ms.jit(join)(*inputs).dtype) == wanted
    assert ms.jit(JOINS["concat"])(*inputs).astype(ms.float32).asnumpy().tolist() == [1, 1 if other == "bool" else 2]


@pytest.mark.parametrize("name", JOINS)
def test_pynative_mode_joins_one_dtype_alone(name):
    with pytest.raises(RuntimeError, match="dtypes must be the same"):
        JOINS[name](Tensor([1.0]), Tensor([2]))


def test_compiled_code_does_not_join_what_it_does_not_combine():
    with pytest.raises(TypeError, match="conversion between"):
        ms.jit(JOINS["concat"])(Tensor([1], ms.uint16), Tensor([2], ms.int16))


def test_gradients_of_joined_dtypes_have_their_own():
    found = ms.grad(ms.jit(JOINS["concat"]), (0, 1))(Tensor([1.0]), Tensor([2], ms.float64))
    assert [str(g.dtype) for g in found] == ["Float32", "Float64"]


#: what limits NaN to the lower limit, or without it to the upper one
LIMITING = {
    "clip_by_value": lambda x: ops.clip_by_value(x, -1.0, 2.0),
    "clip_by_value of Tensors": lambda x: ops.clip_by_value(x, Tensor(-1.0), Tensor(2.0)),
    "clamp": lambda x: ops.clamp(x, -1.0, 2.0),
    "hardtanh": lambda x: ops.hardtanh(x, -1.0, 2.0),
}


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("name", LIMITING)
def test_nan_is_limited_to_the_lower_limit(name, dtype):
    x = Tensor([float("nan"), 0.5, 5.0], getattr(ms, dtype))
    assert LIMITING[name](x).asnumpy().tolist() == [-1, 0.5, 2]


def test_nan_is_limited_to_the_only_limit():
    x = Tensor([float("nan"), 0.5])
    assert ops.clip_by_value(x, None, 2.0).asnumpy().tolist() == [2, 0.5]


def test_the_moving_variance_of_a_single_element_is_nan():
    net = nn.BatchNorm1d(3)
    net.set_train()
    assert net(Tensor([[1.0, 2.0, 3.0]])).asnumpy().tolist() == [[0, 0, 0]]
    assert np.isnan(net.moving_variance.asnumpy()).all()


def test_nansum_of_truths_says_whether_any_is_true():
    x = Tensor([[True, True], [False, False]])
    out = mnp.nansum(x, axis=1)
    assert (str(out.dtype), out.asnumpy().tolist()) == ("Bool", [True, False])
    assert mnp.nansum(x, dtype=ms.int32).asnumpy() == 1
