"""What of a change of containers the caller of a compiled function sees. The expected contents are MindSpore's."""

import pytest

import ms_compat as ms
from ms_compat import Tensor, nn

SEVEN = Tensor([7])


def shown(value):
    """A value in which Tensors are lists under `T`."""
    if isinstance(value, Tensor):
        return {"T": value.asnumpy().tolist()}
    if isinstance(value, dict):
        return {key: shown(item) for key, item in value.items()}
    return type(value)(shown(item) for item in value) if isinstance(value, (list, tuple)) else value


def sets(d, t):
    d["a"] = t
    return d


def sets_unreturned(d, t):
    d["a"] = 3
    return t


def adds_to(d, t):
    d["a"] += t
    return d


def sets_in_branches(d, t):
    if t.sum() > 0:
        d["a"] = t
    else:
        d["a"] = t + 1
    return d


def sets_within(d, t):
    d["l"][0] = t
    return d


def appends_within(d, t):
    d["l"].append(t)
    return d


def updates(d, t):
    d.update({"a": t})
    return d


SEEN = [
    (sets, {"a": {"T": [7]}, "l": [1, 2]}),
    (sets_unreturned, {"a": 3, "l": [1, 2]}),
    (adds_to, {"a": {"T": [8]}, "l": [1, 2]}),
    (sets_in_branches, {"a": {"T": [7]}, "l": [1, 2]}),
    (sets_within, {"a": 1, "l": [{"T": [7]}, 2]}),
    (appends_within, {"a": 1, "l": [1, 2, {"T": [7]}]}),
]


@pytest.mark.parametrize(("fn", "contents"), SEEN, ids=lambda v: getattr(v, "__name__", ""))
def test_items_set_in_a_dict_reach_the_caller(mode, fn, contents):
    given = {"a": 1, "l": [1, 2]}
    inner, out = given["l"], ms.jit(fn)(given, SEVEN)
    assert shown(given) == contents and given["l"] is inner
    assert out is given or fn is sets_unreturned


def test_methods_of_dicts_change_what_is_returned_alone(mode):
    given = {"a": 1}
    assert shown(ms.jit(updates)(given, SEVEN)) == {"a": {"T": [7]}} and given == {"a": 1}


def sets_an_item(d, t):
    d[0] = t
    return d


def sets_an_item_of_an_item(d, t):
    d[0][0] = t
    return d


def appends_to_an_item(d, t):
    d[0].append(t)
    return d


def sets_a_slice(d, t):
    d[0:1] = [7, 8]
    return d


LISTS = [
    (sets_an_item, [1, 2], [{"T": [7]}, 2]),
    (sets_an_item_of_an_item, [[1], 2], [[{"T": [7]}], 2]),
    (appends_to_an_item, [[1], 2], [[1, {"T": [7]}], 2]),
    (sets_a_slice, [1, 2], [7, 8, 2]),
]


@pytest.mark.parametrize(("fn", "given", "contents"), LISTS, ids=lambda v: getattr(v, "__name__", ""))
def test_items_set_in_a_list_are_in_what_is_returned_alone(mode, fn, given, contents):
    before = shown(given)
    out = ms.jit(fn)(given, SEVEN)
    assert shown(out) == contents and given == before and out is not given


class Keeps(nn.Cell):
    def __init__(self, table):
        super().__init__()
        self.table = table

    def construct(self, x):
        self.table["b"] = x
        return self.table["a"] + x


def test_items_set_in_a_dict_of_a_cell_are_those_of_the_last_call(mode):
    table = {"a": 1}
    net = Keeps(table)
    for value in (2, 3):
        assert net(Tensor([value])).asnumpy() == [value + 1]
        assert net.table is table and shown(table) == {"a": 1, "b": {"T": [value]}}


def test_a_dict_that_takes_constants_comes_back_as_itself(mode):
    table = {"a": 1}

    @ms.jit
    def fills(x):
        table["b"] = 5
        return table

    assert fills(SEVEN) is table and table == {"a": 1, "b": 5}


def test_a_list_among_a_dicts_values_beside_another_argument(mode):
    @ms.jit
    def keeps(d, rows):
        d["b"] = rows
        return d

    given, rows = {"a": 1}, [1, 2]
    assert keeps(given, rows) is given and given["b"] is rows


def test_items_set_within_a_dict_from_outside(mode):
    outer = {"rows": [[1], 2]}

    @ms.jit
    def sets(x):
        outer["rows"][0][0] = x
        return outer, x

    for value in (7, 8):
        assert sets(Tensor([value]))[0] is outer and shown(outer) == {"rows": [[{"T": [value]}], 2]}


def test_a_container_around_a_changed_one_is_made_again(mode):
    outer = [[1], 2]

    @ms.jit
    def appends(x):
        outer[0].append(x)
        return outer, x

    out, _ = appends(SEVEN)
    assert out is not outer and shown(out) == [[1, {"T": [7]}], 2] and outer == [[1], 2]
