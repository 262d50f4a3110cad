"""Operations of fused kernels, whose equations hold no products of all that they compute."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import AbstractMesh, AxisType, PartitionSpec

from ms_compat._compile.analysis import flops
from ms_compat._core.settings import device
from ms_compat.ops.function.attention import kernels
from ms_compat.ops.function.attention.bands import Band

SHAPES = [jax.ShapeDtypeStruct((2, heads, 1024, 128), jnp.bfloat16) for heads in (8, 4, 4, 8)]
PRODUCT = 2 * 2 * 8 * 1024 * 1024 * 128  # of all queries and keys


def step(attention):
    """The jaxpr of attention and its gradients."""

    def run(query, key, value, cotangent):
        out, pull = jax.vjp(attention, query, key, value)
        return out, *pull(cotangent)

    return jax.make_jaxpr(run)(*SHAPES).jaxpr


@pytest.mark.parametrize(
    ("platform", "kernel", "products"),
    [("gpu", "cudnn", 2 + 5), ("tpu", "splash", 2 + 4 + 3)],  # the gradients compute the scores anew, splash twice
)
@pytest.mark.parametrize("band", [Band(), Band(0, None, 0)])
def test_attention_by_a_kernel(platform, kernel, products, band):
    for devices in {1, 8} if kernel == "cudnn" else {1}:
        with device.planned(platform, (None,) * devices):
            jaxpr = step(lambda *qkv: kernels.attend(kernel, *qkv, 0.1, band))
        found = flops.flops(jaxpr)
        assert found.hardware == pytest.approx(products * PRODUCT, rel=1e-3)
        assert found.model == pytest.approx(6 * PRODUCT, rel=1e-3)  # as the formula
        assert flops.products(jaxpr).total() == found.hardware
    assert flops.flops(step(lambda *qkv: kernels.plain(*qkv, 0.1, band))).model == found.model or kernel == "splash"


def test_pieces_of_a_mesh_count_as_the_whole():
    mesh, how = AbstractMesh((2, 4), ("a", "b"), (AxisType.Auto,) * 2), PartitionSpec("a", None)
    whole = PartitionSpec()

    def product(x, y):
        return x @ y

    x, y = np.ones((8, 16), np.float32), np.ones((16, 4), np.float32)
    cut = jax.shard_map(product, mesh=mesh, in_specs=(how, whole), out_specs=how)
    same = jax.shard_map(product, mesh=mesh, in_specs=(whole, whole), out_specs=whole)
    counted = [flops.flops(jax.make_jaxpr(fn)(x, y).jaxpr).hardware for fn in (product, cut, same)]
    assert counted == [2 * 8 * 16 * 4] * 3
