"""Generated primitives without a CPU kernel on MindSpore, against NumPy, PyTorch and the layers they are parts of."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, mint, nn, ops
from ms_compat._names import resolve

P = ms.ops.auto_generate.gen_ops_prim
RNG = np.random.RandomState(0)


def rand(*shape):
    return Tensor(RNG.randn(*shape).astype(np.float32))


def close(mine, expected, rtol=1e-5):
    np.testing.assert_allclose(mine.asnumpy(), np.asarray(expected), rtol=rtol, atol=1e-6)


X, W, B = rand(6, 3), rand(3, 3, 4), rand(3, 4)
SIZES = [1, 3, 2]


def by_group():
    rows = np.repeat(np.arange(3), SIZES)
    return np.einsum("mk,mkn->mn", X.asnumpy(), W.asnumpy()[rows]), B.asnumpy()[rows]


@pytest.mark.parametrize(
    "call",
    [
        lambda bias: P.GroupedMatmul(3, 0)([X], [W], bias, None, None, None, None, Tensor(np.cumsum(SIZES))),
        lambda bias: P.GroupedMatmulV2()([X], [W], bias, group_list=[1, 4, 6], split_item=3, group_type=0),
        lambda bias: P.GroupedMatmulV4()(
            [X], [W], bias, group_list=Tensor(SIZES), split_item=3, group_type=0, group_list_type=1
        ),
        lambda bias: P.Gmm()([X], [W], bias, Tensor(np.cumsum(SIZES))),
        lambda bias: P.GroupedMatmul(3, 0, False, True)(
            [X], [ops.swapaxes(W, 1, 2)], bias, None, None, None, None, Tensor(np.cumsum(SIZES))
        ),
    ],
)
def test_rows_are_multiplied_with_their_groups_weight(call):
    product, shift = by_group()
    close(call(None)[0], product)
    close(call([B])[0], product + shift)


def test_a_grouped_product_of_lists():
    a, b, w, v = rand(2, 3), rand(4, 5), rand(3, 2), rand(5, 2)
    outs = ops.auto_generate.GroupedMatmul()([a, b], [w, v])
    close(outs[0], a.asnumpy() @ w.asnumpy())
    close(outs[1], b.asnumpy() @ v.asnumpy())
    (joined,) = P.GroupedMatmulV4()([a, b], [w, v], split_item=3, output_dtype=ms.float16)
    assert joined.shape == (6, 2) and joined.dtype is ms.float16
    with pytest.raises(ms.UnsupportedError, match="quantized"):
        P.GroupedMatmulV2()([a], [w], scale=[b])
    with pytest.raises(ms.UnsupportedError, match="group_type 2"):
        P.GroupedMatmulV2()([a], [w], group_type=2)
    with pytest.raises(ValueError, match="group_list"):
        P.Gmm()([a], [w])


def test_the_gradient_of_a_grouped_product():
    def loss(x, w):
        return P.Gmm()([x], [w], None, Tensor(np.cumsum(SIZES)))[0].sum()

    of_x, of_w = ms.grad(loss, (0, 1))(X, W)
    rows = np.repeat(np.arange(3), SIZES)
    close(of_x, W.asnumpy()[rows].sum(-1))
    expected = np.stack([X.asnumpy()[rows == g].sum(0)[:, None].repeat(4, 1) for g in range(3)])
    close(of_w, expected)


def test_routing_to_experts_and_back():
    tokens, experts = rand(4, 5), Tensor(np.array([[0, 2], [1, 2], [0, 1], [2, 0]], np.int32))
    rows = Tensor(np.arange(8, dtype=np.int32).reshape(2, 4).T.copy())
    expanded, places, order = P.MoeInitRouting()(tokens, rows, experts, 4)
    assert order.asnumpy().tolist() == [0, 0, 0, 1, 1, 2, 2, 2]
    for j in range(2):
        close(expanded[Tensor(places.asnumpy()[j * 4 : j * 4 + 4])], tokens.asnumpy())
    ends = P.MoeComputeExpertTokens()(order, 3)
    assert ends.asnumpy().tolist() == [3, 5, 8] and ends.dtype is ms.int32
    scales, bias = rand(4, 2), rand(3, 5)
    out = P.MoeFinalizeRouting()(expanded, tokens, None, bias, scales, places, experts)
    shares = scales.asnumpy()[..., None] * (tokens.asnumpy()[:, None] + bias.asnumpy()[experts.asnumpy()])
    close(out, tokens.asnumpy() + shares.sum(1))
    weights, chosen, source = P.MoeGatingTopKSoftmax()(rand(3, 6), None, 2)
    assert chosen.dtype is ms.int32 and source.asnumpy().tolist() == [[0, 3], [1, 4], [2, 5]]
    assert weights.shape == (3, 2)


def test_gradients_of_permuted_tokens():
    tokens, experts, probs = rand(3, 4), Tensor(np.array([[1, 0], [0, 2], [2, 1]], np.int32)), rand(3, 2)
    permuted, places = P.MoeTokenPermute()(tokens, experts)
    dy = rand(6, 4)
    expected = ms.grad(lambda t: (ops.moe_token_permute(t, experts)[0] * dy).sum())(tokens)
    close(P.MoeTokenPermuteGrad()(dy, places, 2), expected.asnumpy())
    back = rand(3, 4)

    def loss(t, p):
        return (P.MoeTokenUnpermute()(t, places, p) * back).sum()

    of_tokens, of_probs = ms.grad(loss, (0, 1))(permuted, probs)
    mine = P.MoeTokenUnpermuteGrad()(permuted, back, places, probs)
    close(mine[0], of_tokens.asnumpy())
    close(mine[1], of_probs.asnumpy())


def test_normalization_in_parts_equals_the_layer():
    x, weight, bias, dy = rand(4, 3, 5), rand(3), rand(3), rand(4, 3, 5)
    mean, invstd = mint.batch_norm_stats(x, 1e-5)
    parts = [mint.batch_norm_stats(part, 1e-5) for part in (x[:1], x[1:])]
    means, invstds = (mint.stack(list(values), 0) for values in zip(*parts, strict=True))
    running_mean, running_var = Parameter(ops.zeros(3), name="mean"), Parameter(ops.ones(3), name="var")
    counts = Tensor([5.0, 15.0])
    whole = mint.batch_norm_gather_stats_with_counts(
        x, means, invstds, running_mean, running_var, 0.1, 1e-5, counts
    )  # fmt: skip
    for found, expected in zip(whole, (mean, invstd), strict=True):
        close(found, expected.asnumpy())
    layer_mean, layer_var = Tensor(np.zeros(3, np.float32)), Tensor(np.ones(3, np.float32))

    def layer(x, weight, bias):
        return mint.nn.functional.batch_norm(x, layer_mean, layer_var, weight, bias, True, 0.1, 1e-5)

    out = mint.batch_norm_elemt(x, weight, bias, mean, invstd, 1e-5)
    close(out, layer(x, weight, bias).asnumpy(), 1e-4)
    close(running_mean, 0.1 * mean.asnumpy())
    close(running_var, 0.9 + 0.1 * x.asnumpy().var((0, 2), ddof=1))
    expected = ms.grad(lambda *args: (layer(*args) * dy).sum(), (0, 1, 2))(x, weight, bias)
    total, product, of_weight, of_bias = P.BatchNormReduceGrad()(dy, x, mean, invstd, weight)
    close(of_weight, expected[1].asnumpy(), 1e-4)
    close(of_bias, expected[2].asnumpy(), 1e-4)
    of_x = P.BatchNormElemtGrad()(dy, x, mean, invstd, weight, total, product, counts)
    np.testing.assert_allclose(of_x.asnumpy(), expected[0].asnumpy(), rtol=1e-4, atol=1e-5)
    close(P.BatchNormStats()(x, 1e-5)[1], invstd.asnumpy())
    close(P.BatchNormElemt()(x, None, None, mean, invstd), mint.batch_norm_elemt(x, None, None, mean, invstd).asnumpy())


def test_a_sum_and_its_normalization():
    x1, x2, gamma, beta, dy, dsum = rand(2, 4), rand(2, 4), rand(4), rand(4), rand(2, 4), rand(2, 4)
    out, mean, rstd, _ = P.AddLayerNormV2()(x1, x2, gamma, beta, 1e-5, True)
    norm = nn.LayerNorm((4,), epsilon=1e-5)
    norm.gamma.set_data(gamma), norm.beta.set_data(beta)
    close(out, norm(x1 + x2).asnumpy(), 1e-4)

    def loss(x, gamma, beta):
        return (mint.nn.functional.layer_norm(x, (4,), gamma, beta, 1e-5) * dy).sum()

    expected = ms.grad(loss, (0, 1, 2))(x1 + x2, gamma, beta)
    of_x, of_gamma, of_beta = P.AddLayerNormGrad()(dy, x1, x2, rstd, mean, gamma, dsum)
    np.testing.assert_allclose(of_x.asnumpy(), (expected[0] + dsum).asnumpy(), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(of_gamma.asnumpy(), expected[1].asnumpy(), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(of_beta.asnumpy(), expected[2].asnumpy(), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("amsgrad", [False, True])
@pytest.mark.parametrize("maximize", [False, True])
def test_adamw_equals_pytorchs(amsgrad, maximize):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed: the extra `bench` brings it")
    start, grads = RNG.randn(4).astype(np.float32), RNG.randn(3, 4).astype(np.float32)
    theirs = torch.nn.Parameter(torch.tensor(start.copy()))
    adamw = torch.optim.AdamW([theirs], lr=0.1, weight_decay=0.2, amsgrad=amsgrad, maximize=maximize)
    states = [Parameter(Tensor(v), name=f"s{i}") for i, v in enumerate([start.copy(), *np.zeros((3, 4), np.float32)])]
    for step, g in enumerate(grads, 1):
        theirs.grad = torch.tensor(g)
        adamw.step()
        out = P.AdamW()(*states, Tensor(g), Tensor([step], ms.int64), 0.1, 0.9, 0.999, 0.2, 1e-8, amsgrad, maximize)
        assert out[0] is states[0]
    close(states[0], theirs.detach().numpy(), 1e-5)


def test_values_are_put_at_flat_places():
    x = Tensor(np.zeros((2, 3), np.float32))
    assert P.InplacePut()(x, Tensor([0, 5, 5]), Tensor([1.0, 2.0, 3.0]), True) is x
    assert x.asnumpy().tolist() == [[1, 0, 0], [0, 0, 5]]
    P.InplacePut()(x, Tensor([1]), Tensor([7.0]))
    assert x.asnumpy().tolist() == [[1, 7, 0], [0, 0, 5]]


def test_random_fills():
    x = Tensor(np.zeros(500, np.float32))
    P.InplaceExponential()(x, 4.0, Tensor(1), Tensor(2))
    assert 0.2 < x.asnumpy().mean() < 0.3 and x.asnumpy().min() >= 0
    P.InplaceRandom()(x, 3, 9, Tensor(1), Tensor(2))
    assert set(x.asnumpy()) == {3, 4, 5, 6, 7, 8}
    P.InplaceRandom()(x)
    assert x.asnumpy().max() > 2**20


def test_negative_log_likelihood_of_images():
    scores, target = rand(2, 3, 4, 4), Tensor(RNG.randint(0, 3, (2, 4, 4)))
    weight = Tensor(np.array([1.0, 2.0, 3.0], np.float32))
    loss, total = P.NLLLoss2d()(scores, target, weight, "mean", 1)
    kept = target.asnumpy() != 1
    weights = weight.asnumpy()[target.asnumpy()] * kept
    picked = np.take_along_axis(scores.asnumpy(), target.asnumpy()[:, None], 1)[:, 0]
    close(total, weights.sum())
    close(loss, -(picked * weights).sum() / weights.sum())


def test_formats_and_indices_have_inner_names():
    module = resolve.inner_module("mindspore.ops.auto_generate")
    x = rand(2, 3)
    assert module.format_cast(x, 2) is x
    assert module.str_to_enum("FlashAttentionScore", "input_layout", "BSH") == "BSH"
    assert resolve.inner_module("mindspore.common.tensor")._TensorMeta is type(Tensor)
    assert module.index(x, [Tensor([1]), Tensor([2])]).asnumpy() == x.asnumpy()[1, 2]
