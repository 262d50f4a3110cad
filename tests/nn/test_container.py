"""SequentialCell, CellList and CellDict. Literal expectations were taken from MindSpore 2.10.0."""

import copy
import hashlib
import json
from collections import OrderedDict
from pathlib import Path

import numpy as np
import pytest

import ms_compat
from ms_compat import Parameter, Tensor, nn, ops
from tests.nn import container_programs, recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


class Leaf(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor(np.ones(2, np.float32)))

    def construct(self, x):
        return x


class Two(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a = Leaf()


def pairs(cell):
    return [(path, p.name) for path, p in cell.parameters_and_names()]


def names(cell):
    return [p.name for p in cell.get_parameters()]


def sequence():
    return nn.SequentialCell(Leaf(), Leaf(), Two())


def cells():
    return nn.CellList([Leaf(), Leaf(), Two()])


def mapping():
    return nn.CellDict({"a": Leaf(), "b": Two()})


# -- SequentialCell ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda: nn.SequentialCell(Leaf(), Leaf()), ["0.w", "1.w"]),
        (lambda: nn.SequentialCell([Leaf(), Leaf()]), ["0.w", "1.w"]),
        (lambda: nn.SequentialCell(OrderedDict([("x", Leaf()), ("y", Two())])), ["x.w", "y.a.w"]),
        (lambda: nn.SequentialCell(), []),
        (lambda: nn.SequentialCell([]), []),
    ],
)
def test_ways_to_make_a_sequence(make, expected):
    assert names(make()) == expected


@pytest.mark.parametrize("wrong", [(Leaf(),), 3, None, ops.relu])
def test_a_sequence_of_something_else(wrong):
    with pytest.raises(TypeError):
        nn.SequentialCell(wrong)
    with pytest.raises(TypeError):
        nn.SequentialCell([3])


def test_a_sequence_calls_one_after_another():
    assert nn.SequentialCell()(3) == 3
    net = nn.SequentialCell(nn.ReLU(), nn.Tanh())
    np.testing.assert_allclose(net(Tensor([1.0, -1.0])).asnumpy(), [0.7615942, 0.0], rtol=1e-6)
    with pytest.raises(TypeError):
        net(Tensor(1.0), Tensor(1.0))


def test_a_sequence_holds_one_cell_twice():
    leaf = Leaf()
    net = nn.SequentialCell(leaf, leaf)
    assert len(net) == 2 and pairs(net) == [("0.w", "1.w")]


def test_indexing_a_sequence():
    net = sequence()
    assert type(net[2]) is type(net[-1]) is Two and net[True] is net[1]
    assert pairs(net[1:]) == [("1.w", "1.w"), ("2.a.w", "2.a.w")]
    assert [type(c) for c in net] == [Leaf, Leaf, Two] and bool(net) and not nn.SequentialCell()


@pytest.mark.parametrize("make", [sequence, cells])
@pytest.mark.parametrize(("index", "error"), [(3, IndexError), (-4, IndexError), ("a", TypeError), (1.0, TypeError)])
def test_wrong_indices(make, index, error):
    with pytest.raises(error):
        make()[index]


@pytest.mark.parametrize("make", [sequence, cells])
def test_replacing_deleting_and_appending(make):
    net = make()
    net[0] = Two()
    assert names(net) == ["0.a.w", "1.w", "2.a.w"]
    del net[0]
    assert names(net) == ["0.w", "1.a.w"]
    net.append(Leaf())
    assert names(net) == ["0.w", "1.a.w", "2.w"]
    del net[0:2]
    assert pairs(net) == [("0.w", "0.w")]


@pytest.mark.parametrize("make", [sequence, cells])
def test_what_is_no_cell_is_refused_and_nothing_changes(make):
    net = make()
    for wrong in (lambda: net.append(3), lambda: net.__setitem__(0, [Two()]), lambda: net.__setitem__(7, Leaf())):
        with pytest.raises((TypeError, IndexError)):
            wrong()
    assert names(net) == ["0.w", "1.w", "2.a.w"]


# -- CellList ----------------------------------------------------------------------------------------------------------
def test_a_slice_of_a_list_is_numbered_anew():
    assert pairs(cells()[1:]) == [("0.w", "0.w"), ("1.a.w", "1.a.w")]


def test_statements_change_a_list():
    cells = nn.CellList([nn.ReLU(), nn.Tanh()])
    cells[0] = nn.Sigmoid()
    cells += [nn.ReLU()]
    del cells[1]
    assert [type(cell) for cell in cells] == [nn.Sigmoid, nn.ReLU]
    with pytest.raises(NotImplementedError):
        cells(Tensor([1.0]))


def test_statements_change_a_sequence():
    cells = nn.SequentialCell(nn.ReLU(), nn.Tanh())
    cells[1] = nn.Sigmoid()
    del cells[0]
    assert cells(Tensor([0.0])).asnumpy().tolist() == [0.5]


def test_inserting_and_extending():
    net = cells()
    net.insert(1, Two())
    net.insert(-1, Leaf())
    assert names(net) == ["0.w", "1.a.w", "2.w", "3.w", "4.a.w"]
    assert net.extend([Leaf()]) is net
    net += [Two()]
    assert names(net)[-2:] == ["5.w", "6.a.w"]
    with pytest.raises(IndexError):
        net.insert(9, Leaf())
    for wrong in (3, (Leaf(),), net, [3]):
        with pytest.raises(TypeError):
            net.extend(wrong)


def test_a_list_without_prefix():
    assert pairs(nn.CellList([Leaf()], auto_prefix=False)) == [("0.w", "w")]


@pytest.mark.parametrize("wrong", [Leaf(), (Leaf(),), [3], 3])
def test_a_list_of_something_else(wrong):
    with pytest.raises(TypeError):
        nn.CellList(wrong)


@pytest.mark.parametrize("make", [cells, mapping])
def test_lists_and_dicts_are_not_called(make):
    with pytest.raises(NotImplementedError):
        make()(Tensor(1))


def test_nested_containers_keep_their_prefix():
    class Outer(nn.Cell):
        def __init__(self):
            super().__init__()
            self.l = cells()
            self.d = mapping()

    net = Outer()
    net.l.append(Leaf())
    net.l.insert(0, Leaf())
    net.d.update({"k": Leaf()})
    assert names(net) == ["l.0.w", "l.1.w", "l.2.w", "l.3.a.w", "l.4.w", "d.a.w", "d.b.a.w", "d.k.w"]
    assert all(path == name for path, name in pairs(net))


# -- CellDict ----------------------------------------------------------------------------------------------------------
def test_a_dict():
    net = mapping()
    assert names(net) == ["a.w", "b.a.w"] and len(net) == 2 and list(net) == ["a", "b"] and "a" in net
    assert list(net.keys()) == ["a", "b"] and net["a"] is net.a and list(net.values()) == [net.a, net.b]
    net["c"] = Leaf()
    net["a"] = Two()
    assert names(net) == ["a.a.w", "b.a.w", "c.w"]
    assert isinstance(net.pop("a"), Two)
    del net["b"]
    net.update([("q", Leaf()), ["r", Leaf()]])
    assert names(net) == ["c.w", "q.w", "r.w"]
    net.clear()
    assert repr(net) == "CellDict()"


def test_ways_to_make_a_dict():
    assert names(nn.CellDict([["a", Leaf()], ("b", Leaf())])) == ["a.w", "b.w"]
    assert names(nn.CellDict(mapping())) == ["a.w", "b.a.w"]


@pytest.mark.parametrize(
    ("value", "error"),
    [
        ({"a": 3}, TypeError),
        ({"a": None}, TypeError),
        ({"a": nn.SequentialCell()}, TypeError),
        ({1: Leaf()}, TypeError),
        ({"a.b": Leaf()}, KeyError),
        ({"": Leaf()}, KeyError),
        ({"keys": Leaf()}, KeyError),
        ({"training": Leaf()}, KeyError),
        ([("a", Leaf(), 1)], ValueError),
        (3, TypeError),
    ],
)
def test_a_dict_of_something_else(value, error):
    with pytest.raises(error):
        nn.CellDict(value)


@pytest.mark.parametrize("call", [lambda d: d["z"], lambda d: d.pop("z"), lambda d: d.__delitem__("z")])
def test_missing_keys(call):
    with pytest.raises(KeyError):
        call(mapping())


# -- names, as recorded ------------------------------------------------------------------------------------------------
RECORDED = json.loads((Path(__file__).parents[1] / "conformance/data/container_names.json").read_text("utf-8"))


def _digest(told):
    return told if isinstance(told, str) else hashlib.sha256("\n".join(told).encode()).hexdigest()[:8]


@pytest.mark.parametrize("seed", RECORDED["programs"])
def test_names_in_drawn_programs(seed):
    """`container_programs`: containers that are nested, grown, cut and assigned."""
    recorded = RECORDED["programs"][seed]
    told = container_programs.names(int(seed), ms_compat)
    if "last" in recorded:
        assert told[-1] == recorded["last"]
    assert [_digest(step) for step in told] == recorded["steps"]


def test_a_list_that_grows_takes_the_place_of_the_first_key_in_names():
    """The cells of a Swin Transformer: checkpoints have these names."""
    layers = nn.CellList()
    for _ in range(2):
        layer = nn.Cell()
        layer.blocks = nn.CellList([Leaf(), Leaf()])
        layers.append(layer)
    assert names(layers) == ["0.blocks.0.w", "0.blocks.1.w", "0.blocks.1.blocks.0.w", "0.blocks.1.blocks.1.w"]


def test_a_sequence_runs_the_cells_it_was_given():
    class Doubling(nn.SequentialCell):
        def __init__(self):
            super().__init__(nn.ReLU())
            self.insert_child_to_cell("other", nn.Sigmoid())

    net = Doubling()
    assert net(Tensor([2.0])).asnumpy() == [2.0]
    net.cell_list = [net[0], net[0], net[1]]
    assert abs(net(Tensor([2.0])).asnumpy()[0] - 0.880797) < 1e-6
    copied = copy.deepcopy(net)
    assert [id(cell) for cell in copied.cell_list] == [id(copied[0]), id(copied[0]), id(copied[1])]


def test_cells_are_true_unless_they_are_empty_lists():
    class Sized(nn.Cell):
        def __len__(self):
            return 0

    assert Sized() and nn.CellDict() and not nn.CellList() and not nn.SequentialCell()
