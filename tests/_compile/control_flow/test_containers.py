"""Containers that a branch or a loop's body changes, and globals that compiled code assigns."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor
from ms_compat._compile.fallback import breaks

UP, DOWN = Tensor(np.array([1, 2], np.float32)), Tensor(np.array([-1, -2.5], np.float32))
count = 0
last = None


def sets_an_element(x):
    found = [x, x * 2]
    if x.sum() > 0:
        found[0] = x * 3
    else:
        found[1] = x * 5
    return found[0] + found[1]


def appends_in_both(x):
    found = [x]
    if x.sum() > 0:
        found.append(x * 2)
    else:
        found.append(x * 3)
    return found[0] * found[-1]


def sets_a_key(x):
    found = {"a": x, "b": [x, 2]}
    if x.sum() > 0:
        found["a"] = x * 3
        found["b"][1] = 7
    return found["a"] * found["b"][1]


def sets_in_nested_branches(x):
    found = [x, 1]
    if x.sum() > 0:
        if x.max() > 1:
            found[1] = 4
        found[0] = found[0] * 2
    return found[0] * found[1]


def adds_in_a_loop(x):
    totals = [x * 0, 0]
    while x.sum() > 1:
        totals[0] = totals[0] + x
        totals[1] += 1
        x = x / 2
    return totals[0] * totals[1] + x


def adds_in_a_range(x):
    totals = [x]
    for i in range(x.astype(ms.int32).max()):
        totals[0] = totals[0] * 2 + i
    return totals[0]


def helps(items, x):
    items[0] = x * 9


def lets_a_helper(x):
    found = [x]
    if x.sum() > 0:
        helps(found, x)
    return found[0]


STAY = [
    sets_an_element, appends_in_both, sets_a_key, sets_in_nested_branches, adds_in_a_loop, adds_in_a_range,
    lets_a_helper,
]  # fmt: skip


@pytest.mark.parametrize("program", STAY, ids=lambda program: program.__name__)
def test_changes_of_one_structure_stay_compiled(program):
    compiled = ms.jit(program, fullgraph=True)
    for x in (UP, DOWN):
        np.testing.assert_allclose(compiled(x).asnumpy(), program(x).asnumpy(), rtol=1e-6)
        np.testing.assert_allclose(
            ms.grad(compiled)(x).asnumpy(), ms.grad(lambda x: program(x))(x).asnumpy(), rtol=1e-6
        )


def appends_in_one(x):
    found = []
    if x.sum() > 0:
        found.append("up")
    return found


def appends_in_a_loop(x):
    found = []
    while x.sum() > 1:
        found.append(x.shape)
        x = x / 2
    return found


def appends_in_a_range(x):
    found = []
    for _ in range(x.astype(ms.int32).max()):
        found.append(x.shape)
    return found


def adds_to_a_set(x):
    found = set()
    if x.sum() > 0:
        found.add("up")
    return len(found)


def pops_in_an_expression(x):
    found = [1, 2]
    one = found.pop() if x.sum() > 0 else 0
    return one, len(found)


class Log:
    def __init__(self):
        self.lines = []

    def note(self, x):
        if x.sum() > 0:
            self.lines.append("up")
        return len(self.lines)


def notes(x):
    return Log().note(x)


BREAK = [appends_in_one, appends_in_a_loop, appends_in_a_range, adds_to_a_set, pops_in_an_expression, notes]


@pytest.mark.parametrize("program", BREAK, ids=lambda program: program.__name__)
def test_other_changes_are_made_in_python(program):
    compiled = ms.jit(program)
    for x in (DOWN, UP, DOWN):
        assert compiled(x) == program(x)
    with pytest.raises(TypeError):
        ms.jit(program, fullgraph=True)(UP)


def assigns_globals(x):
    global count, last
    count += 1
    last = x * count
    return x + count


def test_globals_are_assigned_at_each_call():
    global count, last
    count, last = 0, None
    compiled = ms.jit(assigns_globals)
    for i in range(1, 4):
        np.testing.assert_allclose(compiled(UP).asnumpy(), UP.asnumpy() + i)
        assert count == i
        np.testing.assert_allclose(last.asnumpy(), UP.asnumpy() * i)
    assert any("it assigns the global 'count'" in line for line in breaks.reports)


def test_a_global_that_cannot_be_assigned_is_as_before():
    global count, last
    count, last = 0, None
    with pytest.raises(TypeError, match="assigns the global 'count'"):
        ms.jit(assigns_globals, fullgraph=True)(UP)
    assert (count, last) == (0, None)


def looks_up(x):
    return {1: x, 2: x * 10}[int(x[0])]


def test_a_number_of_run_time_looks_up_by_its_value():
    compiled = ms.jit(looks_up)
    for x in (UP, UP + 1):
        np.testing.assert_allclose(compiled(x).asnumpy(), looks_up(x).asnumpy())


def compiled_meaning(x):
    return x[x > 0].max(), x.reshape(1, 2).max(0), x.reshape(1, 2).transpose(0, 1).shape


def test_calls_of_a_function_that_broke_mean_what_they_mean_in_compiled_code(mode):
    _, largest, shape = ms.jit(compiled_meaning)(UP)
    assert isinstance(largest, Tensor) and shape == (1, 2)
    assert isinstance(compiled_meaning(UP)[1], tuple) and compiled_meaning(UP)[2] == (2, 1)


# what MindSpore's compiler gives: `a += b` of a NumPy array binds a new one, of whatever dtype
def adds_into_an_array():
    y = np.array([1, 2])
    kept = y
    y -= 0.5
    return Tensor(y), Tensor(kept)


def adds_in_a_loop():
    y = np.array(0)
    for value in np.array([1.1, 2.2]):
        y += value
    return Tensor(y)


def extends_a_list(x):
    y = np.array([1, 2])
    y *= 2
    found = kept = [x]
    found += [x * Tensor(y)]
    return len(kept), kept[1]


def test_augmented_assignment_of_arrays_binds_anew():
    found, kept = ms.jit(adds_into_an_array)()
    assert found.dtype == ms.float64 and found.asnumpy().tolist() == [0.5, 1.5]
    assert kept.dtype == ms.int64 and kept.asnumpy().tolist() == [1, 2]
    np.testing.assert_allclose(ms.jit(adds_in_a_loop)().asnumpy(), 3.3, rtol=1e-6)
    length, last = ms.jit(extends_a_list)(Tensor([1, 2]))
    assert length == 2 and last.asnumpy().tolist() == [2, 8]
    with pytest.raises(TypeError, match="same_kind"):  # outside, as NumPy has it
        adds_into_an_array()


def test_what_variables_cut_or_write_is_variable():
    @ms.jit
    def cut():
        items, n = [1, 2, 3], ms.mutable(2)
        unknown = ms.ops.functional.is_sequence_shape_unknown
        return unknown(items[:n]), unknown((1, 2)[:n]), unknown(items[:2]), items[:n], sum(items[n:])

    assert cut() == (True, True, False, [1, 2], 3)

    @ms.jit
    def written():
        items = [1, 2]
        items[ms.mutable(0)] = 10
        return items, ms.ops.functional.isconstant(items[0]), ms.ops.functional.isconstant(items[1])

    assert written() == ([10, 2], False, False)
