"""Functions and primitives that few programs use, against NumPy, and what is told of those that are not served."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, ops


def test_a_gradient_is_written_on_its_way(tmp_path, mode):
    def square(x):
        return ops.DumpGradient()(str(tmp_path / "dx"), x, "out") ** 2

    gradient = ms.grad(ms.jit(square))(Tensor(3.0))
    [file] = tmp_path.iterdir()
    assert gradient.asnumpy() == 6 and np.load(file) == 6


def test_resharding_keeps_values():
    layout = ms.parallel.Layout((1,), ("dp",))("dp", "None")
    x = Tensor([[1, 2], [3, 4]])
    for out in (ops.reshard(x, layout), ops.Reshard((layout,), (layout,), ((1, 1),))(x)):
        np.testing.assert_array_equal(out.asnumpy(), x.asnumpy())
    with pytest.raises(TypeError, match="in_strategy"):
        ops.Reshard(1, 2, 3)


def test_vmap_has_an_inner_name():
    np.testing.assert_array_equal(ops._Vmap()(lambda x: x.sum())(Tensor([[1, 2], [3, 4]])).asnumpy(), [3, 7])


@pytest.mark.parametrize(
    ("use", "text"),
    [
        (lambda: ops.GetNext([ms.int32], [()], 1, "queue"), "create_tuple_iterator"),
        (lambda: ms.nn.GetNextSingleOp([ms.int32], [()], "queue"), "create_tuple_iterator"),
        (lambda: ms.nn.OptTFTWrapper(None), "ModelCheckpoint"),
        (lambda: ops.Merge()((1, 2)), "ops.cond"),
        (lambda: ops.Push("Adam", []), "Cell.shard"),
        (lambda: ops.J(lambda x: x), "ops.vjp"),
        (lambda: ops.moe_distribute_dispatch(), "moe_token_permute"),
        (lambda: ops.Primitive("x").set_hook_fn(print, 1), "InsertGradientOf"),
        (lambda: ops.ReLU().set_prim_type(1), "__call__"),
    ],
)
def test_the_way_out_is_told(use, text):
    with pytest.raises(ms.UnsupportedError, match=text):
        use()
