"""Tensor, Parameter and dtypes answer several thousand expressions as MindSpore did when they were recorded.

The recordings are tests/conformance/data/tensor_<topic>.json and the `values` of promotion.json; their format and the
comparison are those of tests/conformance/replay.py. Where ms_compat answers otherwise on purpose, the case stands in
`REASONS`, and the test makes sure that it still is different.
"""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "conformance"))
import replay  # noqa: E402

import ms_compat  # noqa: E402

TOPICS = ("construct", "dtype", "repr", "protocol", "attribute", "alias", "getitem", "setitem", "parameter", "graph")
_X = "x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))"
_F = "@ms.jit; def f(x):;     return {}; x = Tensor(np.arange({}; f(x)"
_TWO = "6, dtype=np.float32).reshape(2, 3))"
_THREE = "24).reshape(2, 3, 4))"
# Why ms_compat departs from MindSpore -> the ids of the cases.
REASONS: dict[str, list[str]] = {
    "arrays of JAX are immutable: asnumpy gives a read-only array that later writes do not reach": [
        "Tensor([1, 2]).asnumpy().flags.writeable",
        "t = Tensor([1, 2]); a = t.asnumpy(); t[0] = 9; a",
        "x = Tensor([1.0, 2.0]); y = x.asnumpy(); z = x + 0; x[0] = 9; (x, y, z)",
        f"{_X}; y = x.asnumpy(); x[0, 0] = 9; (x, y)",
        *(f"{_X}; y = x.asnumpy(); y[{at}] = 9; (x, y)" for at in ("0", ":", "...")),
        f"{_X}; y = x.asnumpy(); y += 10; (x, y)",
        "a = np.array([1, 2]); t = Tensor.from_numpy(a); a[0] = 9; t",
    ],
    "MindSpore's deepcopy of a Tensor shares memory; ours copies": [
        "t = Tensor([1, 2]); c = copy.deepcopy(t); c[0] = 9; (t, c)",
    ],
    "MindSpore rounds through float64; ours is exact": [
        "Tensor(np.array([np.iinfo(np.int64).min, np.iinfo(np.int64).max, 1], np.int64)) // 3",
    ],
    "a compiled function of JAX has no results whose shape depends on the data; the error says what to write": [
        *(_F.format(f"x[{m}]", _TWO) for m in ("x > 2", "x == 100", "x > -1", "~(x > 2)", "x[:, 0] > 0")),
        *(_F.format(f"x[{m}]", _THREE) for m in ("x > 10", "x[:, 0, 0] > 1", "x[..., 0] > 5", "x[:, :, 0] > 5, 1")),
    ],
}
DIFFERENT = {case: reason for reason, cases in REASONS.items() for case in cases}


def _cases():
    for topic in TOPICS:
        for case in replay.load(f"tensor_{topic}.json"):
            yield pytest.param(case, id=f"{topic}: {replay.case_id(case)}")
    for case in replay.load("promotion.json", "values"):
        yield pytest.param(case, id=f"values: {replay.case_id(case)}")


@pytest.mark.parametrize("case", list(_cases()))
def test_answers_as_recorded(case):
    reason = DIFFERENT.get(replay.case_id(case))
    if reason is None:
        replay.check(case, ms_compat)
    else:
        assert replay.differences(case, replay.evaluate(case, ms_compat)), f"no longer different: {reason}"


def test_every_departure_names_a_case():
    known = {replay.case_id(param.values[0]) for param in _cases()}
    assert [case for case in DIFFERENT if case not in known] == []
