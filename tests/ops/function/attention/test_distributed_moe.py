"""Mixtures of experts in one process, against loops in NumPy; `tests/communication` has them over two processes."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops

EXPERTS = 4
RANDOM = np.random.default_rng(7)
X = RANDOM.normal(size=(5, 3)).astype(np.float32)
IDS = np.array([[0, 2], [3, 1], [2, 2], [1, 0], [2, 3]], np.int32)  # the third token names an expert twice
WEIGHTS = RANDOM.uniform(size=(5, 2)).astype(np.float32)


def dispatch(x=X, ids=IDS, **settings):
    tensor = x if isinstance(x, Tensor) else Tensor(x)
    return ops.moe_distribute_dispatch(tensor, Tensor(ids), 1, 0, EXPERTS, **settings)


def sent(ids=IDS):
    """(expert, token), in the order of the rows."""
    return [(e, t) for e in range(EXPERTS) for t in range(len(ids)) if e in ids[t]]


def mixed(x, weights):
    """Expert e multiplies by e + 1."""
    rows, _, places, numbers, counts, _, _ = dispatch(x)
    expert = ops.searchsorted(numbers, ops.arange(rows.shape[0]), right=True)
    return ops.moe_distribute_combine(
        rows * (expert + 1).reshape(-1, 1), Tensor(IDS), places, counts, weights, 1, 0, EXPERTS
    )


def expected(x, weights):
    return np.stack([sum(w * (e + 1) for w, e in zip(weights[t], IDS[t], strict=True)) * x[t] for t in range(len(x))])


def test_rows_are_ordered_by_expert():
    rows, scale, places, numbers, counts, tp, shares = dispatch(expert_scales=Tensor(WEIGHTS))
    assert rows.shape == (10, 3) and rows.dtype == ms.float32  # 5 tokens times min(4 experts, 2 choices)
    order = sent()
    np.testing.assert_array_equal(rows.asnumpy()[: len(order)], X[[t for _, t in order]])
    np.testing.assert_array_equal(rows.asnumpy()[len(order) :], 0)
    np.testing.assert_array_equal(scale.asnumpy(), np.zeros(10, np.float32))
    assert places.asnumpy().tolist() == [
        sum(t < token and e == expert for e, t in order) for token in range(5) for expert in IDS[token]
    ]
    each = [sum(e == expert for e, _ in order) for expert in range(EXPERTS)]
    assert (numbers.dtype, numbers.asnumpy().tolist()) == (ms.int64, np.cumsum(each).tolist())
    assert (counts.dtype, counts.asnumpy().tolist()) == (ms.int32, np.cumsum(each).tolist())
    assert tp.shape == (0,)
    both = [sum(w for w, i in zip(WEIGHTS[t], IDS[t], strict=True) if i == e) for e, t in order]
    np.testing.assert_allclose(shares.asnumpy(), both + [0] * (10 - len(order)), rtol=1e-6)


def test_numbers_of_tokens():
    numbers = dispatch(expert_token_nums_type=1)[3]
    assert numbers.asnumpy().tolist() == [sum(e == expert for e, _ in sent()) for expert in range(EXPERTS)]


def test_received_rows_with_one_process_of_tensor_parallelism():
    assert dispatch(tp_world_size=1)[5].asnumpy().tolist() == [len(sent())]


def test_numbers_out_of_range_name_no_expert():
    ids = np.array([[0, 9], [-1, 1]], np.int32)
    rows, _, places, _, counts, _, _ = dispatch(X[:2], ids)
    np.testing.assert_array_equal(rows.asnumpy(), [X[0], X[1], [0] * 3, [0] * 3])
    out = ops.moe_distribute_combine(rows, Tensor(ids), places, counts, Tensor(WEIGHTS[:2]), 1, 0, EXPERTS)
    np.testing.assert_allclose(out.asnumpy(), [X[0] * WEIGHTS[0, 0], X[1] * WEIGHTS[1, 1]], rtol=1e-6)


@pytest.mark.parametrize("smooth", [False, True])
def test_quantized_rows(smooth):
    scales = RANDOM.uniform(0.5, 2, size=(EXPERTS, 3)).astype(np.float32)
    rows, scale, *_ = dispatch(quant_mode=2, scales=Tensor(scales) if smooth else None)
    assert rows.dtype == ms.int8 and scale.dtype == ms.float32
    for row, divisor, (expert, token) in zip(rows.asnumpy(), scale.asnumpy(), sent(), strict=False):
        wide = X[token].astype(np.float64) * (scales[expert] if smooth else 1)
        np.testing.assert_allclose(divisor, np.abs(wide).max() / 127, rtol=1e-5)
        np.testing.assert_allclose(row * divisor, wide, atol=divisor * 0.51)
        assert np.abs(row).max() == 127


@pytest.mark.parametrize("compiled", [False, True])
def test_there_and_back_with_gradient(compiled):
    def loss(x, weights):
        return (mixed(x, weights) ** 2).sum()

    wrap = ms.jit if compiled else lambda f: f
    np.testing.assert_allclose(wrap(mixed)(Tensor(X), Tensor(WEIGHTS)).asnumpy(), expected(X, WEIGHTS), rtol=1e-5)
    found = wrap(ms.grad(loss, (0, 1)))(Tensor(X), Tensor(WEIGHTS))
    arrays, step = (X.astype(np.float64), WEIGHTS.astype(np.float64)), 1e-5
    for i, array in enumerate(arrays):
        for at in np.ndindex(array.shape):
            values = []
            for sign in (1, -1):
                moved = [a.copy() for a in arrays]
                moved[i][at] += sign * step
                values.append((expected(*moved) ** 2).sum())
            np.testing.assert_allclose(found[i].asnumpy()[at], np.diff(values)[0] / (-2 * step), rtol=1e-3, atol=1e-4)


def test_more_room_than_tokens_and_half_precision():
    x = Tensor(X, ms.float16)
    rows, _, places, _, counts, _, _ = dispatch(x, global_bs=8)
    assert rows.shape == (16, 3) and rows.dtype == ms.float16
    out = ops.moe_distribute_combine(rows, Tensor(IDS), places, counts, Tensor(WEIGHTS), 1, 0, EXPERTS, global_bs=8)
    assert out.shape == (5, 3) and out.dtype == ms.float16
    np.testing.assert_allclose(out.astype(ms.float32).asnumpy(), X * WEIGHTS.sum(1, keepdims=True), atol=4e-3)


PARTS = dispatch()


def combine(*changed, **settings):
    args = [PARTS[0], Tensor(IDS), PARTS[2], PARTS[4], Tensor(WEIGHTS), 1, 0, EXPERTS]
    for at, value in changed:
        args[at] = value
    return ops.moe_distribute_combine(*args, **settings)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: ops.moe_distribute_dispatch(1, Tensor(IDS), 1, 0, EXPERTS), TypeError),
        (lambda: ops.moe_distribute_dispatch(Tensor(X), 1, 1, 0, EXPERTS), TypeError),
        (lambda: dispatch(X.astype(np.int32)), TypeError),
        (lambda: dispatch(ids=IDS.astype(np.float32)), TypeError),
        (lambda: ops.moe_distribute_dispatch(Tensor(X), Tensor(IDS), 1.0, 0, EXPERTS), TypeError),
        (lambda: dispatch(expert_scales=1), TypeError),
        (lambda: dispatch(X[0]), ValueError),
        (lambda: dispatch(X[:3]), ValueError),
        (lambda: ops.moe_distribute_dispatch(Tensor(X), Tensor(IDS), 1, 0, 0), ValueError),
        (lambda: dispatch(quant_mode=1), ValueError),
        (lambda: dispatch(expert_token_nums_type=2), ValueError),
        (lambda: dispatch(global_bs=4), ValueError),
        (lambda: dispatch(scales=Tensor(np.ones((EXPERTS, 3)))), ValueError),
        (lambda: dispatch(expert_scales=Tensor(WEIGHTS.T)), ValueError),
        (lambda: ops.moe_distribute_dispatch(Tensor(X), Tensor(IDS), 2, 0, EXPERTS), RuntimeError),
        (lambda: ops.moe_distribute_dispatch(Tensor(X), Tensor(IDS), 1, 1, EXPERTS), RuntimeError),
        (lambda: dispatch(group_ep="no such group"), ValueError),
        (lambda: dispatch(tp_world_size=2), ms.UnsupportedError),
        (lambda: dispatch(shared_expert_num=1), ms.UnsupportedError),
        (lambda: dispatch(x_active_mask=Tensor([True] * 5)), ms.UnsupportedError),
        (lambda: combine((0, 1)), TypeError),
        (lambda: combine((4, None)), TypeError),
        (lambda: combine((0, PARTS[0][:4])), ValueError),
        (lambda: combine((2, PARTS[2][:4])), ValueError),
        (lambda: combine((3, PARTS[3][:2])), ValueError),
        (lambda: combine((4, Tensor(WEIGHTS.T))), ValueError),
        (lambda: combine(out_dtype=1), ms.UnsupportedError),
        (lambda: combine(group_list=Tensor([1])), ms.UnsupportedError),
    ],
)
def test_what_is_refused(call, error):
    with pytest.raises(error):
        call()
