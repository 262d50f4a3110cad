"""Collectives, messages and data-parallel training in a job of two processes, started as MindSpore's msrun does."""

import json
from pathlib import Path

import numpy as np
import pytest

from tests import fast_compile, jobs
from tests.communication.samples import COMPUTED, DIFFERENT, EXPERTS, RECORDED, REFUSED, TOKENS, WEIGHTS

ROOT = Path(__file__).parents[2]
DATA = json.loads((ROOT / "tests/conformance/data/communication.json").read_text())
MODES = [f"data parallel, mode {mode}, scaled {scaled}" for mode in (0, 1) for scaled in (False, True)]


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """What both processes gave, by expression."""
    folder = tmp_path_factory.mktemp("job")
    (folder / "in.json").write_text(json.dumps([*RECORDED, *COMPUTED, *REFUSED]))
    command = ("tests.communication.job", folder / "in.json", folder / "out")
    return jobs.finished(jobs.workers(2, *command, **fast_compile.environment()), folder / "out")


def plain(value):
    if isinstance(value, np.ndarray):
        parts = [value.real.tolist(), value.imag.tolist()] if value.dtype.kind == "c" else value.tolist()
        return {"dtype": value.dtype.name.capitalize(), "value": parts}
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    return value


def reduce_scatter_gradient(xs, rank):
    """Of sum(ReduceScatter(a) * a[:2]): through the collective, and through the product."""
    through = np.concatenate([x[:2] for x in xs])
    through[:2] += (xs[0] + xs[1])[2 * rank : 2 * rank + 2]
    return through


def dispatched(rank):
    """In loops: process 0 sends its first token, process 1 all three."""
    held = [(e, r, t) for e in (2 * rank, 2 * rank + 1) for r in (0, 1) for t in range(1 + 2 * r) if e in EXPERTS[r, t]]
    rows, shares = np.zeros((12, 3), np.float32), np.zeros(12, np.float32)
    for i, (e, r, t) in enumerate(held):
        rows[i], shares[i] = TOKENS[r, t], WEIGHTS[r, t][EXPERTS[r, t] == e].sum()
    ids = EXPERTS[rank, : 1 + 2 * rank]
    places = [sum(e in ids[i] for i in range(t)) for t in range(len(ids)) for e in ids[t]]
    numbers = np.cumsum([sum(e == 2 * rank + i for e, _, _ in held) for i in (0, 1)])
    counts = np.cumsum([sum((e, r) == (2 * rank + i, s) for e, r, _ in held) for i in (0, 1) for s in (0, 1)])
    return rows, np.int32(places), numbers, np.int32(counts), shares


def mixture(rank):
    return np.float32((WEIGHTS * (EXPERTS + 1)).sum(-1)[..., None] * TOKENS)[rank]


def mixture_gradients(rank, times):
    by_token = np.broadcast_to((WEIGHTS * (EXPERTS + 1)).sum(-1)[..., None], TOKENS.shape)
    by_weight = (EXPERTS + 1) * TOKENS.sum(-1)[..., None]
    return [np.float32(times * g[rank]) for g in (by_token, by_weight)]


def served(xs):
    return 3 - (xs[0] + xs[1]) / 4


def adaptive_sum(xs):
    """The formula of the paper, for two vectors."""
    a, b = np.float64(xs)
    return ((1 - a @ b / (2 * a @ a)) * a + (1 - a @ b / (2 * b @ b)) * b).astype(np.float32)


@pytest.mark.parametrize("expression", RECORDED)
def test_equals_mindspore(results, expression):
    for rank in range(2):
        if expression in DIFFERENT:
            values = [part["value"] for part in results[rank][expression]]
            assert values == [DIFFERENT[expression], [v + 1 for v in DIFFERENT[expression]]]
        else:
            assert results[rank][expression] == DATA["results"][rank][expression]


@pytest.mark.parametrize("expression", COMPUTED)
def test_equals_numpy(results, expression):
    xs = [np.arange(4, dtype=np.float32) + 10 * rank for rank in range(2)]
    for rank in range(2):
        expected = plain(eval(COMPUTED[expression], {**globals(), "xs": xs, "R": rank}))
        assert json.dumps(results[rank][expression]) == json.dumps(expected)


@pytest.mark.parametrize("expression", REFUSED)
def test_refuses(results, expression):
    for rank in range(2):
        assert results[rank][expression].get("error") == REFUSED[expression]


@pytest.mark.parametrize("case", MODES)
def test_data_parallel_training_equals_the_whole_batch(results, case):
    for rank in range(2):
        assert results[rank][case] < 1e-6
