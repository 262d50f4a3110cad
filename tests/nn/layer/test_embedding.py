"""Embeddings and lookups."""

import logging

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn
from ms_compat._core.trace import scopes
from tests.nn import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_embedding_tables_are_normal():
    assert abs(nn.Embedding(400, 300).embedding_table.asnumpy().std() - 0.01) < 1e-4
    assert abs(nn.EmbeddingExt(400, 300).weight.asnumpy().std() - 1.0) < 1e-2
    assert not nn.Embedding(4, 3, padding_idx=1).embedding_table.asnumpy()[1].any()


def test_an_embedding_of_given_vectors_has_zeros_for_the_padding():
    given = ms.Tensor(np.ones((4, 3), np.float32))
    table = nn.Embedding(4, 3, embedding_table=given, padding_idx=1).embedding_table
    assert table.asnumpy().sum(1).tolist() == [3, 0, 3, 3]
    assert given.asnumpy().all()


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


def test_a_compiled_call_checks_the_ids_once(monkeypatch, graph):
    checks = []
    monkeypatch.setattr(scopes, "check_input", lambda value, check: checks.append(check))
    nn.Embedding(4, 2)(Tensor([0, 3], ms.int32))
    assert len(checks) == 1


@pytest.mark.parametrize("server", [False, True])
def test_an_embedding_cache_changes_no_result(server):
    ms.set_ps_context(enable_ps=server)
    try:
        net = nn.EmbeddingLookup(10, 2, Tensor(ROWS), target="DEVICE", vocab_cache_size=3)
        other = nn.EmbeddingLookup(10, 2, Tensor(ROWS), vocab_cache_size=3)
    finally:
        ms.reset_ps_context()
    assert net.embedding_table.cache_enable is net.cache_enable is server
    assert other.cache_enable is False  # the cache is for the target "DEVICE"
    np.testing.assert_array_equal(net(Tensor(INDICES)).asnumpy(), ROWS[INDICES])


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"vocab_size": 0}, ValueError),
        ({"vocab_size": 4.0}, TypeError),
        ({"embedding_size": 0}, ValueError),
        ({"sparse": False}, ValueError),
        ({"target": "GPU"}, ValueError),
        ({"vocab_cache_size": -1}, ValueError),
        ({"vocab_cache_size": "1"}, TypeError),
    ],
)
def test_what_a_lookup_refuses(arguments, error):
    with pytest.raises(error, match=next(iter(arguments))):
        nn.EmbeddingLookup(**{"vocab_size": 4, "embedding_size": 2, **arguments})


def test_ways_to_cut_a_table_count_in_parallel_modes_only():
    assert nn.EmbeddingLookup(4, 2, slice_mode="anything").vocab_size == 4
    ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel")
    try:
        for settings, error in (
            ({"slice_mode": "anything"}, ValueError),
            ({"slice_mode": "field_slice"}, ValueError),
            ({"slice_mode": "field_slice", "manual_shapes": [2, 2]}, TypeError),
            ({"slice_mode": "field_slice", "manual_shapes": (2, 0)}, ValueError),
        ):
            with pytest.raises(error):
                nn.EmbeddingLookup(4, 2, **settings)
        net = nn.EmbeddingLookup(4, 2, "ones", slice_mode=nn.EmbeddingLookup.FIELD_SLICE, manual_shapes=(2, 2))
        np.testing.assert_array_equal(net(Tensor([[1, 5]])).asnumpy(), [[[1, 1], [0, 0]]])
    finally:
        ms.reset_auto_parallel_context()
