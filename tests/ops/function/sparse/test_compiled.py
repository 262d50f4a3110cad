"""Compiled functions take and return sparse tensors, and say what they cannot do with them; so does JAX."""

import copy
import pickle

import jax
import numpy as np
import pytest

import ms_compat as ms
from ms_compat import COOTensor, CSRTensor, RowTensor, SparseTensor, Tensor, UnsupportedError, ops
from tests.ops.sparse_matrices import LEFT, PAIR, ROWS, SEGMENTS, TALL, WIDE, A, coordinates, filled

COMPILED = {
    "mv": lambda coo, csr, d: csr.mv(d[:, :1]),
    "mm": lambda coo, csr, d: csr.mm(d),
    "sum": lambda coo, csr, d: csr.sum(1),
    "forms": lambda coo, csr, d: (coo.to_csr(), csr.to_coo(), coo.to_dense(), csr.to_dense()),
    "arithmetic": lambda coo, csr, d: (csr * 2, csr / 2, csr * d[:, 0], csr / (d[:, 0] + 20), -coo, coo * WIDE),
    "dense": lambda coo, csr, d: (coo + WIDE, WIDE - coo, WIDE * coo, coo / WIDE, coo - WIDE),
    "unary": lambda coo, csr, d: (ops.coo_sin(coo), ops.csr_exp(csr * WIDE), coo.abs(), csr.astype(ms.float32)),
    "softmax": lambda coo, csr, d: ops.csr_softmax(csr, ms.float64),
    "concat": lambda coo, csr, d: ops.coo_concat((coo, coo), 1),
    "facts": lambda coo, csr, d: (coo.shape, csr.size, coo.dtype, csr.ndim, coo.to_tuple()),
    "parts": lambda coo, csr, d: (ops.csr2coo(csr.indptr, csr.size), ops.coo2csr(coo.indices[:, 0], 6)),
    "primitive": lambda coo, csr, d: ops.SparseTensorDenseMatmul()(coo.indices, coo.values, (6, 5), d),
    "made": lambda coo, csr, d: ops.make_csr_tensor(csr.indptr, csr.indices, csr.values * 2, csr.shape),
    "row": lambda coo, csr, d: ops.row_tensor_add(ops.make_row_tensor(coo.indices[:5, 0], d, (6, 3)),
                                                  ops.make_row_tensor_inner(coo.indices[:5, 1], d, (6, 3))),
}  # fmt: skip


def leaves(value):
    if isinstance(value, (tuple, list)):
        return [leaf for item in value for leaf in leaves(item)]
    if isinstance(value, (COOTensor, CSRTensor)):
        return [type(value), *leaves(value.to_tuple())]
    if isinstance(value, RowTensor):
        return [type(value), *leaves((value.indices, value.values, value.dense_shape))]
    return [(value.dtype, value.asnumpy())] if isinstance(value, Tensor) else [value]


@pytest.mark.parametrize("name", COMPILED)
def test_compiled_is_pynative(name):
    args = coordinates(np.sort(A)), LEFT, TALL
    eager, compiled = leaves(COMPILED[name](*args)), leaves(ms.jit(COMPILED[name])(*args))
    assert len(eager) == len(compiled)
    for one, two in zip(eager, compiled, strict=True):
        if isinstance(one, tuple):
            assert one[0] is two[0] and np.allclose(one[1], two[1], rtol=1e-12)
        else:
            assert one == two


def test_values_are_variables_and_the_shape_is_a_constant():
    double = ms.jit(lambda x: x.mv(TALL[:, :1]))
    for factor in (1.0, 2.0, 3.0):
        double(filled(LEFT, LEFT.values * factor))
    assert double.traces == 1
    double(CSRTensor(LEFT.indptr, LEFT.indices, LEFT.values, (6, 5)))
    assert double.traces == 1
    double(Tensor(np.vstack([A, A])).to_csr())
    assert double.traces == 2


@pytest.mark.parametrize(
    "name, fn, hint",
    [
        ("coalesce", lambda x: x.to_coo().coalesce(), "outside of compiled"),
        ("coo_add", lambda x: x.to_coo() + x.to_coo(), "outside of compiled"),
        ("csr_add", lambda x: x + x, "outside of compiled"),
        ("csr_mm", lambda x: ops.csr_mm(x, x, trans_b=True), "outside of compiled"),
        ("dense_to_sparse_csr", lambda x: x.to_dense().to_csr(), "outside of compiled"),
        ("SegmentSum", lambda x: ops.SegmentSum()(x.values, x.indices), "unsorted_segment_sum"),
    ],
)
def test_sizes_that_depend_on_values_do_not_compile(name, fn, hint):
    with pytest.raises(UnsupportedError, match=f"{name}.*{hint}"):
        ms.jit(fn, fullgraph=True)(LEFT)


def test_places_may_be_constants_of_a_compiled_function():
    added = ms.jit(lambda v: (LEFT + filled(LEFT, v)).values)
    assert np.array_equal(added(LEFT.values).asnumpy(), 2 * LEFT.values.asnumpy())
    summed = ms.jit(lambda v: ops.SegmentSum()(v, SEGMENTS))
    assert np.allclose(summed(ROWS).asnumpy(), ops.SegmentSum()(ROWS, SEGMENTS).asnumpy())


@ms.jit
def repeated(x, times):
    while times > 0:
        x = x * WIDE
        times = times - 1
    if x.values.sum() > 0:
        y = -x
    else:
        y = x
    return y


def test_control_flow_over_sparse_tensors():
    found = repeated(LEFT, Tensor(3))
    by_hand = LEFT.values.asnumpy() * WIDE.asnumpy()[np.nonzero(A)] ** 3
    assert isinstance(found, CSRTensor)
    assert np.allclose(found.values.asnumpy(), -by_hand if by_hand.sum() > 0 else by_hand)


def test_every_class_is_a_pytree():
    for x in (PAIR[0], LEFT, RowTensor(SEGMENTS, ROWS, (9, 2)), SparseTensor(Tensor([[0, 1]]), Tensor([1.0]), (2, 3))):
        doubled = jax.jit(lambda t: jax.tree.map(lambda leaf: leaf * 2, t))(x)
        assert type(doubled) is type(x)
        assert np.array_equal(doubled.values.asnumpy(), x.values.asnumpy() * 2)
        assert all(np.array_equal(a[1], b[1]) for a, b in zip(leaves(copy.deepcopy(x).values), leaves(x.values)))  # noqa: B905
        assert str(pickle.loads(pickle.dumps(x))) == str(x)


def test_functions_by_type_name():
    scale = ops.MultitypeFuncGraph("scale")

    @scale.register("Tensor", "Tensor")
    def _tensor(s, g):
        return g * s

    @scale.register("Tensor", "RowTensor")
    def _row(s, g):
        return RowTensor(g.indices, g.values * s, g.dense_shape)

    @scale.register("Tensor", "CSRTensor")
    def _csr(s, g):
        return CSRTensor(g.indptr, g.indices, g.values * s, g.shape)

    @scale.register("Tensor", "COOTensor")
    def _coo(s, g):
        return COOTensor(g.indices, g.values * s, g.shape)

    many = (ROWS, RowTensor(SEGMENTS, ROWS, (9, 2)), LEFT, PAIR[0])
    both = [ops.HyperMap()(ops.partial(scale, Tensor(3.0, ms.float64)), many)]
    both.append(ms.jit(lambda s, *xs: ops.HyperMap()(ops.partial(scale, s), xs))(Tensor(3.0, ms.float64), *many))
    for outs in both:
        assert [type(x) for x in outs] == [Tensor, RowTensor, CSRTensor, COOTensor]
        for out, x in zip(outs, many, strict=True):
            one, two = (out, x) if isinstance(x, Tensor) else (out.values, x.values)
            assert np.allclose(one.asnumpy(), 3 * two.asnumpy())
    with pytest.raises(RuntimeError, match="SparseTensor"):
        scale.register("Tensor", "SparseTensor")
