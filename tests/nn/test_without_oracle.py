"""Layers and optimizers that few programs use, where MindSpore's CPU has no answer to compare with."""

import logging

import jax
import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn
from ms_compat._core.parallel.processes import AXIS
from ms_compat.nn.optim.adasum import adaptive_sum

ROWS = np.arange(20, dtype=np.float32).reshape(10, 2) - 7
INDICES = np.int32([[2, 4, 6, 0, 0], [1, 3, 5, 0, 0]])
WEIGHTS = np.float32([[1, 0.5, 2, 0, 0], [1, -1, 1, 0, 0]])
FIELDS = np.int32([[0, 1, 1, 0, 0], [0, 0, 1, 0, 0]])


@pytest.mark.parametrize("operator", ["SUM", "MEAN", "MAX"])
def test_long_rows_of_multi_field_embeddings_are_shortened(operator):
    rows = ROWS * np.minimum(1, 3 / np.linalg.norm(ROWS, axis=1, keepdims=True))
    expected = np.zeros((2, 2, 2), np.float32)
    for b, f in np.ndindex(2, 2):
        at = (FIELDS[b] == f) & (WEIGHTS[b] != 0)
        values = rows[INDICES[b][at]] * WEIGHTS[b][at][:, None]
        expected[b, f] = values.max(0) if operator == "MAX" else values.sum(0)
        if operator == "MEAN":
            expected[b, f] /= np.abs(WEIGHTS[b][at]).sum()
    net = nn.MultiFieldEmbeddingLookup(10, 2, 2, Tensor(ROWS), operator=operator, max_norm=3.0)
    found = net(Tensor(INDICES), Tensor(WEIGHTS), Tensor(FIELDS))
    np.testing.assert_allclose(found.asnumpy(), expected, rtol=1e-6)


@pytest.mark.parametrize("indices", [[1, 0, 3], [[1, 0], [3, 9]]])
def test_long_rows_of_a_lookup_are_shortened(mode, indices):
    """The norms are those of the rows, and the table stays; MindSpore's kernel takes other elements for a row's."""
    net = nn.EmbeddingLookup(10, 2, Tensor(ROWS), max_norm=5.0)
    expected = (ROWS * np.minimum(1, 5 / np.linalg.norm(ROWS, axis=1, keepdims=True)))[np.array(indices)]
    np.testing.assert_allclose(net(Tensor(indices, ms.int32)).asnumpy(), expected, rtol=1e-6)
    assert net.embedding_table.asnumpy().tolist() == ROWS.tolist()
    with pytest.raises(ValueError, match="max_norm"):
        nn.EmbeddingLookup(10, 2, max_norm=-1.0)
    with pytest.raises(TypeError, match="max_norm"):
        nn.EmbeddingLookup(10, 2, max_norm="5")


@pytest.mark.parametrize("order", [0.5, 1.0, 2.0, np.inf])
def test_rows_that_an_embedding_uses_are_shortened_in_the_table(mode, order):
    """By max_norm / norm, and only where they are longer; MindSpore on CPU multiplies each by itself, too."""
    table = ms.Parameter(Tensor(ROWS), name="table")
    ids = Tensor([[1, 0], [3, 9]])
    found = ms.ops.function.nn_func.embedding(ids, table, max_norm=5.0, norm_type=float(order))
    norms = np.linalg.norm(ROWS, order, 1, keepdims=True) if order >= 1 else (abs(ROWS) ** order).sum(1)[:, None] ** 2
    expected = ROWS * np.where(np.isin(np.arange(10), [0, 1, 3, 9])[:, None], np.minimum(1, 5 / norms), 1)
    np.testing.assert_allclose(table.asnumpy(), expected, rtol=1e-5)
    np.testing.assert_allclose(found.asnumpy(), expected[ids.asnumpy()], rtol=1e-5)


def test_shapes_of_multi_field_embeddings_must_agree():
    with pytest.raises(ValueError, match="one shape"):
        nn.MultiFieldEmbeddingLookup(10, 2, 2)(Tensor(INDICES), Tensor(WEIGHTS[:1]), Tensor(FIELDS))


def test_arguments_for_parallel_modes_are_logged(caplog):
    with caplog.at_level(logging.DEBUG, "ms_compat"):
        nn.MultiFieldEmbeddingLookup(4, 2, 2, slice_mode="table_row_slice")
    assert "slice_mode" in caplog.text


def _pair(a, b):
    ab, aa, bb = a @ b, a @ a, b @ b
    return (1 - ab / (2 * aa if aa else 1)) * a + (1 - ab / (2 * bb if bb else 1)) * b


@pytest.mark.parametrize("size", [1, 7, 16])
def test_adaptive_sums_of_eight_processes_are_those_of_pairs_of_pairs(size):
    xs = np.random.default_rng(size).normal(size=(8, size)).astype(np.float32)
    xs[2] = 0
    level = list(np.float64(xs))
    while len(level) > 1:
        level = [_pair(a, b) for a, b in zip(level[::2], level[1::2], strict=True)]
    ranks = tuple(range(8))
    found = jax.vmap(lambda x: adaptive_sum.fn((x,), ranks)[0], axis_name=AXIS)(xs)
    np.testing.assert_allclose(found, np.broadcast_to(level[0], (8, size)), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("setting", [{"enable_parallel_optimizer": True}, {"pipeline_stages": 2}, {}])
def test_adaptive_summation_refuses_what_mindspore_refuses(setting):
    weight = [ms.Parameter(Tensor([1.0]), name="w")]
    ms.set_auto_parallel_context(parallel_mode="data_parallel", **setting)
    try:
        with pytest.raises(RuntimeError, match="Adaptive summation"):
            nn.AdaSumByGradWrapCell(nn.SGD(weight))
    finally:
        ms.reset_auto_parallel_context()


def test_parameters_without_initialisation():
    with nn.no_init_parameters():
        net = nn.Dense(2, 1)
    assert not net.weight.asnumpy().any()


def test_a_reducer_of_a_pipeline_divides_by_the_scale():
    parameters = nn.Dense(2, 1).trainable_params()
    gradients = (Tensor([2.0]), Tensor([4.0]))
    assert nn.PipelineGradReducer(parameters)(gradients) == gradients
    assert [float(g) for g in nn.PipelineGradReducer(parameters, 2.0)(gradients)] == [1.0, 2.0]
