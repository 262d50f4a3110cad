"""Layouts over four devices; run by `test_layout.py` in a process of its own."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

import ms_compat as ms
from ms_compat import Tensor, nn
from ms_compat.ops.function.attention import kernels
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
    np.testing.assert_allclose(net(x).asnumpy(), expected, rtol=1e-5)
    assert {shard.data.shape for shard in net.weight._v.addressable_shards} == {(2, 4)}

    plain = nn.Dense(4, 4)
    parallel = AutoParallel(plain)
    out = parallel(x)
    assert {shard.data.shape for shard in out._v.addressable_shards} == {(1, 4)}, out._v.sharding
    np.testing.assert_allclose(out.asnumpy(), plain(x).asnumpy(), rtol=1e-5)

    reverse = Layout((4,), ("all",), rank_list=[3, 2, 1, 0])
    first = ms.reshard(x, reverse("all", "None"))._v.addressable_shards
    assert {shard.device.id: float(shard.data[0, 0]) for shard in first} == {3: 0.0, 2: 4.0, 1: 8.0, 0: 12.0}


def attention_of_pieces():
    """A kernel, of which the formula takes the place, where samples and places are cut: by heads in the meantime."""
    seen = []

    def instead(query, key, value, how):
        seen.append((query.shape, key.shape))
        return kernels.plain(query, key, value, how.scale, how.band)

    kernels._splash = instead
    layout = NamedSharding(Mesh(np.reshape(jax.devices(), (2, 2)), ("dp", "sp")), PartitionSpec("dp", None, "sp"))
    draw = np.random.default_rng(0).standard_normal
    arrays = [jnp.asarray(draw((2, heads, 16, 8)), jnp.float32) for heads in (4, 2, 2)]
    band = Band(0, None, 0)

    def both(attention):
        def run(*qkv):
            out, pull = jax.vjp(attention, *qkv)
            return out, *pull(jnp.cos(out))

        return jax.jit(run)

    kernel = both(lambda *qkv: kernels.attend("splash", *qkv, 0.125, band))
    found = kernel(*jax.device_put(arrays, layout))
    assert ((1, 2, 16, 8), (1, 1, 16, 8)) in seen  # of 2 samples, 4 heads and 2 of the keys
    assert {x.sharding.spec for x in found} == {layout.spec}
    for a, b in zip(found, both(lambda *qkv: kernels.plain(*qkv, 0.125, band))(*arrays), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)


if __name__ == "__main__":
    main()
    attention_of_pieces()
