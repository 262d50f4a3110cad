"""Layouts over four devices; run by `test_layout.py` in a process of its own."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

import ms_compat as ms
from ms_compat import Parameter, Tensor, nn, ops
from ms_compat._core.settings import device
from ms_compat.ops import _strategies
from ms_compat.ops.function.attention import kernels, trial
from ms_compat.ops.function.attention.bands import Band
from ms_compat.parallel import Layout
from ms_compat.parallel.auto_parallel import AutoParallel


def main():
    layout = Layout((2, 2), ("dp", "mp"))
    x = Tensor(np.arange(16, dtype=np.float32).reshape(4, 4))
    for fn in (lambda a: ms.reshard(a, layout("dp", "mp")), ms.jit(lambda a: ms.reshard(a * 1, layout("dp", "mp")))):
        cut = fn(x)
        assert cut._v.sharding.spec == PartitionSpec(("dp",), ("mp",)), cut._v.sharding
        assert {shard.data.shape for shard in cut._v.addressable_shards} == {(2, 2)}
        np.testing.assert_array_equal(cut.asnumpy(), x.asnumpy())
    gradient = ms.grad(lambda a: (ms.reshard(a, layout(("dp", "mp"), "None")) ** 2).sum())(x)
    np.testing.assert_array_equal(gradient.asnumpy(), 2 * x.asnumpy())

    product = ms.shard(lambda a, b: a @ b, (layout("dp", "None"), layout("None", "mp")), (layout("dp", "mp"),))
    out = product(x, x)
    assert {shard.data.shape for shard in out._v.addressable_shards} == {(2, 2)}
    np.testing.assert_allclose(out.asnumpy(), x.asnumpy() @ x.asnumpy())

    net = nn.Dense(4, 4)
    expected = net(x).asnumpy()
    net.shard((layout("dp", "None"),), parameter_plan={"weight": layout("mp", "None")})
    np.testing.assert_allclose(net(x).asnumpy(), expected, rtol=1e-5, atol=1e-6)
    assert {shard.data.shape for shard in net.weight._v.addressable_shards} == {(2, 4)}

    plain = nn.Dense(4, 4)
    parallel = AutoParallel(plain)
    out = parallel(x)
    assert {shard.data.shape for shard in out._v.addressable_shards} == {(1, 4)}, out._v.sharding
    np.testing.assert_allclose(out.asnumpy(), plain(x).asnumpy(), rtol=1e-5, atol=1e-6)

    reverse = Layout((4,), ("all",), rank_list=[3, 2, 1, 0])
    first = ms.reshard(x, reverse("all", "None"))._v.addressable_shards
    assert {shard.device.id: float(shard.data[0, 0]) for shard in first} == {3: 0.0, 2: 4.0, 1: 8.0, 0: 12.0}


def samples_lie_alike():
    """What a table gives for cut indices lies as the rows of a product do: nothing is exchanged between them."""
    table, ids, rows = Tensor(np.zeros((8, 4), np.float32)), Tensor([[1, 2], [3, 4]]), Tensor(np.zeros((2, 4)))
    cuts = (((2, 1), (2, 1)), ((2, 1), (1, 2)))
    (_, (_, of_ids)), _ = _strategies._shardings(ops.Gather(), (table, ids, 0), cuts[0])
    ((_, of_rows), _), _ = _strategies._shardings(ops.MatMul(), (rows, table), cuts[1])
    assert of_ids.spec[0] == of_rows.spec[0] is not None


def attention_of_pieces():
    """A kernel, of which the formula takes the place, where samples and places are cut: by heads in the meantime."""
    seen = []

    def instead(query, key, value, how):
        seen.append((query.shape, key.shape))
        return kernels.plain(query, key, value, how.scale, how.band)

    plainly, kernels._splash = kernels._splash, instead
    layout = NamedSharding(Mesh(np.reshape(jax.devices(), (2, 2)), ("dp", "sp")), PartitionSpec("dp", None, "sp"))
    draw = np.random.default_rng(0).standard_normal
    arrays = [jnp.asarray(draw((2, heads, 16, 8)), jnp.float32) for heads in (4, 2, 2)]
    band = Band(0, None, 0)

    def both(attention):
        def run(*qkv):
            out, pull = jax.vjp(attention, *qkv)
            return out, *pull(jnp.cos(out))

        return jax.jit(run)

    expected = both(lambda *qkv: kernels.plain(*qkv, 0.125, band))(*arrays)
    for lying in (None, layout):  # as the compiler finds it, and as it is known to the trace
        seen.clear()
        found = both(lambda *qkv, lying=lying: kernels.attend("splash", *qkv, 0.125, band, lying=lying))(
            *jax.device_put(arrays, layout)
        )
        assert ((1, 2, 16, 8), (1, 1, 16, 8)) in seen  # of 2 samples, 4 heads and 2 of the keys
        assert lying is None or {x.sharding.spec[:2] for x in found} == {("dp", "sp")}
        for a, b in zip(found, expected, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)
    kernels._splash = plainly


class Attending(nn.Cell):
    def __init__(self, cuts, order):
        super().__init__()
        self.gain = Parameter(Tensor(np.ones((), np.float32)))
        self.score = ops.FlashAttentionScore(4, scale_value=0.125, input_layout=order, sparse_mode=2)
        self.cuts = cuts
        if cuts is not None:
            self.score.shard(cuts)

    def construct(self, q, k, v):
        return self.score(*[(x * self.gain).astype(ms.bfloat16) for x in (q, k, v)])[3].astype(ms.float32)


def attention_of_scripts():
    """TPUs that are in truth CPUs: the layouts that scripts give cut the kernel of TPUs, and change no number."""
    size, layout = {"BSH": (4, 256, 256), "SBH": (256, 4, 256), "BNSD": (4, 4, 256, 64)}, Layout((2, 2), ("dp", "mp"))
    one, rest = layout("dp", "mp", "None", "None"), layout("None", "None")
    ways = [  # the order, how inputs are cut, and samples and heads of a piece
        ("BNSD", ((2, 2, 1, 1),) * 3, (2, 2)),
        ("BNSD", (one, one, one, rest), (2, 2)),
        ("BSH", ((2, 1, 2),) * 3, (2, 2)),
        ("SBH", ((1, 2, 2),) * 3, (2, 2)),
        ("BNSD", ((1, 1, 4, 1),) * 3, (4, 1)),  # places: by heads in the meantime
        ("BNSD", ((2, 1, 1, 1),) * 3, (2, 4)),
        ("BNSD", None, (1, 4)),
    ]
    seen, tried = [], []
    originals = kernels._splash, trial.passed, device.platform

    def instead(query, key, value, how):
        seen.append(query.shape)
        return kernels.plain(query, key, value, how.scale, how.band)

    def passed(kernel, query, *_):
        tried.append(query.shape)
        return True

    kernels._splash, trial.passed = instead, passed
    ms.set_context(mode=ms.GRAPH_MODE)
    for order, cuts, piece in ways:
        draw = np.random.default_rng(0).standard_normal
        tensors = [Tensor(draw(size[order]), ms.float32) for _ in range(3)]
        results = []
        for platform in ("cpu", "tpu"):
            how = "data_parallel" if cuts is None else "semi_auto_parallel"
            ms.set_auto_parallel_context(parallel_mode=how, dataset_strategy="full_batch")
            device.platform = lambda p=platform: p
            net = Attending(cuts, order)
            step = ms.value_and_grad(lambda *qkv, net=net: (net(*qkv) ** 2).mean(), (0, 1, 2), net.trainable_params())
            value, (inputs, weights) = ms.jit(step)(*tensors)
            ms.reset_auto_parallel_context()
            results.append([x.asnumpy() for x in (value, *inputs, *weights)])
            assert bool(seen) == (platform == "tpu")
        assert (*piece, 256, 64) in seen, (order, cuts, seen)
        assert set(tried) == {(*piece, 256, 64)}
        seen.clear(), tried.clear()
        for a, b in zip(*results, strict=True):
            np.testing.assert_allclose(a, b, rtol=0.05, atol=0.02 * np.abs(a).max(), err_msg=f"{order} {cuts}")
    kernels._splash, trial.passed, device.platform = originals
    ms.set_context(mode=ms.PYNATIVE_MODE)


if __name__ == "__main__":
    main()
    samples_lie_alike()
    attention_of_pieces()
    attention_of_scripts()
