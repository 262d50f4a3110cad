"""Tensor, Parameter and dtypes answer several thousand expressions as MindSpore did when they were recorded.

The recordings are tests/conformance/data/tensor_<topic>.json and the `values` of promotion.json; their format and the
comparison are those of tests/conformance/replay.py. Where ms_compat answers otherwise on purpose, the case stands in
`REASONS`, and the test makes sure that it still is different.
"""

import pytest

import ms_compat
from tests.conformance import replay

TOPICS = ("construct", "dtype", "repr", "protocol", "attribute", "alias", "getitem", "setitem", "parameter", "graph")
_X = "x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))"
_F = "@ms.jit; def f(x):;     return {}; x = Tensor(np.arange({}; f(x)"
_S = "@ms.jit; def f(x):;     {}; " + _X + "; f(x)"
_V = "@ms.jit; def f(x, v):;     {} = v; return x; " + _X + "; f(x, Tensor(7))"
_Y = "@ms.jit; def f(x):;     y = x; {}; return x, y; " + _X + "; r = f(x); x, r"
_P = "p = Parameter(Tensor([1.0{}]), name='w'); "
_TWO = "6, dtype=np.float32).reshape(2, 3))"
_THREE = "24).reshape(2, 3, 4))"
# Why ms_compat departs from MindSpore -> the ids of the cases.
REASONS: dict[str, list[str]] = {
    "arrays of JAX are immutable: asnumpy gives a copy": [
        "t = Tensor([1, 2]); a = t.asnumpy(); t[0] = 9; a",
        "x = Tensor([1.0, 2.0]); y = x.asnumpy(); z = x + 0; x[0] = 9; (x, y, z)",
        f"{_X}; y = x.asnumpy(); x[0, 0] = 9; (x, y)",
        *(f"{_X}; y = x.asnumpy(); y[{at}] = 9; (x, y)" for at in ("0", ":", "...")),
        f"{_X}; y = x.asnumpy(); y += 10; (x, y)",
    ],
    "MindSpore's deepcopy of a Tensor shares memory; ours copies": [
        "t = Tensor([1, 2]); c = copy.deepcopy(t); c[0] = 9; (t, c)",
    ],
    "MindSpore rounds through float64; ours is exact": [
        "Tensor(np.array([np.iinfo(np.int64).min, np.iinfo(np.int64).max, 1], np.int64)) // 3",
    ],
    "MindSpore's compiled functions fail to index by a mask behind other dimensions, and to add in place by a mask": [
        _F.format("x[:, x[0, :, 0] > 1]", _THREE),
        f"@ms.jit; def f(x):;     x[x > 2] += 10; return x; {_X}; y = f(x); x, y",
    ],
    "a Tensor is rounded to decimals, too": ["round(Tensor([1.26, 2.5]), 1)"],
    "JAX has no tensors of strings": [
        "Tensor(b'ab')",
        "Tensor([1, 2], ms.string)",
        "Tensor.from_numpy(np.array(['a']))",
    ],
    "MindSpore writes outside of the slice, refuses overlaps, or refuses bfloat16; ours assigns as numpy does": [
        *(f"{_X}; x[::-1] = {v}; x" for v in ("9", "Tensor(7)", "[7, 8, 9]")),
        "x = Tensor([1, 2, 3]); x[::-1] = x; x",
        "x = Tensor([1, 2, 3]); x[1:] = x[:-1]; x",
        "x = Tensor([1.0, 2, 3], ms.bfloat16); x[0] = 1.5; x",
        *(_S.format(f"x[::-1] = {v}; return x") for v in ("9", "[7, 8, 9]")),
        _V.format("x[::-1]"),
    ],
    "tensors of more than 8 dimensions can be indexed": [
        "x = Tensor(np.arange(2**9).reshape((2,) * 9)); x[0, 1, 0, 1, 0, 1, 0, 1, 0]",
        "x = Tensor(np.arange(2**9).reshape((2,) * 9)); x[..., 1]",
    ],
    "an index means in a compiled function what it means in PYNATIVE_MODE": [
        *(_S.format(f"x[{i}] = {v}; return x") for i in ("[True]", "1.5") for v in ("9", "[7, 8, 9]")),
        *(_V.format(f"x[{i}]") for i in ("[True]", "1.5", "[]")),
        _S.format("x[[True, False]] = [7, 8, 9]; return x"),
        *(_F.format(f"x[{i}]", _TWO) for i in ("1j", "np.int32(1)", "Tensor([True, False]), Tensor([0, 2])")),
        *(_F.format(f"x[slice({i})]", _TWO) for i in ("Tensor(0), Tensor(1)", "None, None, Tensor(2)")),
    ],
    "a float tensor is refused as an index in one way, whatever is assigned": [
        f"{_X}; x[Tensor(1.0)] = [7, 8, 9]; x",
        f"{_X}; x[Tensor([0.0, 1.0])] = [7, 8, 9]; x",
    ],
    "MindSpore's add_ and its like leave the tensor as it was on CPU; ours change it": [
        "t = Tensor([1.0, 2.0]); (t.add_(1), t.mul_(3), t.sub_(Tensor([1.0, 1])), t)",
        "x = Tensor([1.0, 2.0]); y = x.view(2, 1); x.add_(1); (x, y)",
        f"{_P.format(', 2')}p.add_(1); p",
    ],
    "set_data and assign_value take the value, not the storage, of another tensor": [
        "x = Tensor([1.0, 2.0]); p = Parameter(Tensor([0.0, 0.0]), name='p'); p.set_data(x); x[0] = 9; (x, p)",
        "x = Tensor([1.0, 2.0]); y = Tensor([0.0, 0.0]); y.assign_value(x); x[0] = 9; (x, y)",
    ],
    "arrays of JAX have no strides: a transposed tensor is contiguous": [
        "Tensor([[1, 2], [3, 4]]).T.is_contiguous()",
        "Tensor([[1, 2], [3, 4]]).T.stride()",
    ],
    "the result of an operation on a Parameter is a Tensor": [
        f"{_P.format(', 2')}q = p.copy(); q, type(q).__name__",
        f"{_P.format(', 2')}(type(p.view(2, 1)).__name__, type(p.copy()).__name__, type(Tensor(p)).__name__, "
        "type(ops.identity(p)).__name__)",
    ],
    "MindSpore shows how its classes are made": [
        f"{_P.format('')}(type(p).__name__, isinstance(p, Tensor), isinstance(p, Parameter), type(p) is Parameter)",
        "Tensor([1.0]).real, Tensor([1 + 2j]).imag",
        "Tensor([1 + 2j]).real",
        f"{_X}; y = x.real; x[0, 0] = 9; (x, y)",
        "Tensor([1.0]).is_init",
        "Tensor([1.0]).register_hook(lambda g: g)",
        "t = Tensor([1, 2]); t.shape = (2, 1); t",
    ],
    "a complex tensor of one element is a complex number": [
        "complex(Tensor(1 + 2j))",
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
