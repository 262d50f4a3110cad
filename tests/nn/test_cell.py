"""Cells as trees: attributes, names, walks, flags, printing. Literal expectations were taken from MindSpore 2.10.0."""

import copy
import pickle
from collections import OrderedDict

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, ParameterTuple, Tensor, nn


def weight(name=None, size=2):
    return Parameter(Tensor(np.ones(size, np.float32)), name=name)


class Leaf(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = weight()

    def construct(self, x):
        return x * self.w


class Two(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a = Leaf()
        self.b = Leaf()
        self.own = weight()

    def construct(self, x):
        return self.b(self.a(x))


class Three(nn.Cell):
    def __init__(self):
        super().__init__()
        self.net = Two()
        self.seq = nn.SequentialCell(Leaf(), Two())
        self.lst = nn.CellList([Leaf(), Two()])


def pairs(cell):
    return [(path, p.name) for path, p in cell.parameters_and_names()]


def names(cell):
    return [p.name for p in cell.get_parameters()]


def holder(**members):
    cell = nn.Cell()
    for name, value in members.items():
        setattr(cell, name, value)
    return cell


# -- names -------------------------------------------------------------------------------------------------------------
def test_own_parameters_come_before_those_of_children():
    assert names(Two()) == ["own", "a.w", "b.w"]


def test_nested_names_are_paths():
    assert names(Three()) == [
        "net.own", "net.a.w", "net.b.w", "seq.0.w", "seq.1.own", "seq.1.a.w", "seq.1.b.w", "lst.0.w", "lst.1.own",
        "lst.1.a.w", "lst.1.b.w",
    ]  # fmt: skip


def test_a_shared_cell_has_the_name_of_its_last_place_and_the_path_of_its_first():
    leaf = Leaf()
    assert pairs(holder(x=leaf, y=leaf)) == [("x.w", "y.w")]


def test_a_shared_parameter_keeps_its_first_name():
    w = weight()
    cell = holder(x=w, y=w)
    assert pairs(cell) == [("x", "x")]
    assert list(cell.state_dict()) == ["x", "y"]


def test_nesting_replaces_a_given_name_by_the_path():
    cell = holder(w=weight("given"))
    assert names(cell) == ["given"]
    assert names(nn.SequentialCell(cell)) == ["0.w"]


def test_auto_prefix_false_leaves_names_alone_and_check_names_finds_duplicates():
    cell = nn.Cell(auto_prefix=False)
    cell.a, cell.b = Leaf(), Leaf()
    assert pairs(cell) == [("a.w", "w"), ("b.w", "w")]
    with pytest.raises(ValueError, match="'w' already exists"):
        cell.check_names()


# -- two Parameters of one name: the first call names all by their paths, as recorded
class Inserted(nn.Cell):
    """Children and a Parameter that keep their names, because they are inserted."""

    def __init__(self):
        super().__init__()
        for name in ("one", "two"):
            self.insert_child_to_cell(name, nn.Dense(2, 2, has_bias=False))
        self.insert_param_to_cell("scale", weight("given"))
        self.factor = weight("own")

    def construct(self, x):
        return self.two(self.one(x)) * self.scale.sum()


GIVEN = ["given", "own", "weight", "weight"]
PATHS = ["scale", "factor", "one.weight", "two.weight"]


def test_the_first_call_names_by_paths_where_two_names_are_equal(mode):
    cell = Inserted()
    assert names(cell) == GIVEN
    cell(ms.ops.ones((1, 2), ms.float32))
    assert names(cell) == PATHS
    cell.factor.name = "weight"
    cell.scale.name = "weight"
    cell(ms.ops.ones((1, 2), ms.float32))  # later calls leave the names alone
    assert names(cell) == ["weight", "weight", *PATHS[2:]]


def test_the_first_call_leaves_names_alone_that_differ(mode):
    cell = holder(w=weight("given"))
    cell.construct = lambda x: x * cell.w.sum()
    cell(ms.ops.ones(2, ms.float32))
    assert names(cell) == ["given"]


def test_compiled_code_names_nothing(mode):
    cell = Inserted()
    with pytest.raises(RuntimeError, match="already exists"):
        ms.jit(cell.construct)(ms.ops.ones((1, 2), ms.float32))
    assert names(cell) == GIVEN


def test_training_names_by_paths_in_the_first_step(mode):
    found = []

    class Found(ms.train.Callback):
        def on_train_begin(self, run_context):
            found.append(names(cell))

    cell = Inserted()
    data = ms.dataset.NumpySlicesDataset((np.ones((1, 2), np.float32),) * 2, shuffle=False).batch(1)
    model = ms.Model(cell, nn.MSELoss(), nn.SGD([cell.scale], 0.1))
    model.train(1, data, callbacks=Found(), dataset_sink_mode=False)
    assert found == [GIVEN]
    assert names(cell) == ["given", *[f"network._backbone.{path}" for path in PATHS[1:]]]


def test_parameter_tuple_members_are_named_by_themselves():
    cell = holder(ps=ParameterTuple((weight("a"), weight("b"))))
    assert pairs(cell) == [("a", "a"), ("b", "b")]
    assert names(nn.SequentialCell(nn.SequentialCell(cell))) == ["0.0.a", "0.0.b"]
    assert pairs(holder(ps=ParameterTuple((weight(), weight())))) == [
        ("Parameter$1", "Parameter$1"),
        ("Parameter$2", "Parameter$2"),
    ]


def test_parameter_tuple_of_a_childs_parameters_adds_none():
    cell = holder(net=Two())
    cell.t = ParameterTuple(cell.net.trainable_params())
    assert names(cell) == ["net.own", "net.a.w", "net.b.w"]


def test_parameters_in_a_list_are_no_members_but_their_names_must_differ():
    cell = holder(ps=[weight("a"), weight("b")])
    assert names(cell) == [] and cell.exist_names == {"a", "b"}
    with pytest.raises(ValueError, match="already exists"):
        holder(ps=[weight("a"), weight("a")])


def test_cells_in_a_list_are_no_members():
    assert repr(holder(cells_=[Leaf()])) == "Cell()"


def test_update_parameters_name():
    cell = Two()
    cell.update_parameters_name("p.")
    assert names(cell) == ["p.own", "p.a.w", "p.b.w"]
    cell.update_parameters_name("q.", recurse=False)
    assert names(cell) == ["q.own", "p.a.w", "p.b.w"]
    with pytest.raises(TypeError):
        cell.update_parameters_name(3)


def test_update_cell_prefix():
    cell = Three()
    assert cell.net.a.param_prefix == ""
    cell.update_cell_prefix()
    assert (cell.net.a.param_prefix, cell.lst[1].b.param_prefix) == ("net.a", "lst.1.b")


# -- attributes --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("before", [None, 3, "text"])
def test_a_plain_attribute_becomes_a_member(before):
    cell = holder(w=before)
    cell.w = weight()
    assert names(cell) == ["w"]


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        ("cells", weight, KeyError),
        ("phase", weight, KeyError),
        ("cells", Leaf, KeyError),
        ("phase", Leaf, KeyError),
    ],
)
def test_names_of_the_class_cannot_be_members(name, value, error):
    with pytest.raises(error, match="already exists in the network"):
        setattr(nn.Cell(), name, value())


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        ("w", 3, TypeError),
        ("w", np.ones(2), TypeError),
        ("w", Leaf(), KeyError),
        ("c", 3, TypeError),
        ("c", Tensor(1), TypeError),
        ("c", weight(), KeyError),
        ("b", 3, TypeError),
        ("b", Tensor(1), TypeError),
        ("b", weight(), KeyError),
    ],
)
def test_a_member_is_not_replaced_by_another_kind(name, value, error):
    cell = holder(w=weight(), c=Leaf(), b=nn.Buffer(Tensor([1.0])))
    with pytest.raises(error):
        setattr(cell, name, value)
    assert names(cell) == ["w", "c.w"] and cell.b.asnumpy() == [1.0]


def test_none_empties_a_member():
    cell = Two()
    cell.a = None
    cell.own = None
    assert cell.a is None and cell.own is None
    assert repr(cell) == "Two(\n  (a): None\n  (b): Leaf()\n)"
    with pytest.raises(TypeError):
        cell.a = 3
    cell.a = Leaf()
    assert names(cell) == ["a.w", "b.w"]


def test_a_tensor_replaces_a_parameters_value_in_place():
    cell = Leaf()
    before = cell.w
    cell.w = Tensor([5, 6])
    assert cell.w is before
    assert cell.w.dtype is ms.float32 and cell.w.asnumpy().tolist() == [5.0, 6.0]


def test_deleting_members():
    cell = Two()
    del cell.a
    del cell.own
    assert names(cell) == ["b.w"] and not hasattr(cell, "a") and not hasattr(cell, "own")
    with pytest.raises(AttributeError):
        del cell.nothing


def test_a_missing_attribute_names_the_class():
    with pytest.raises(AttributeError, match="The 'Leaf' object has no attribute 'foo'"):
        _ = Leaf().foo


def test_getattr_finds_members_and_nothing_else():
    net = nn.Dense(1, 1)
    net.insert_child_to_cell("act_0", nn.ReLU())
    net.register_buffer("kept", ms.Tensor([1.0]))
    net.plain = 3
    for name in ("act_0", "weight", "kept"):
        assert net.__getattr__(name) is getattr(net, name)
    for name in ("plain", "training", "_cells", "construct"):
        with pytest.raises(AttributeError, match=f"no attribute '{name}'"):
            net.__getattr__(name)


def test_a_child_is_called_by_way_of_getattr(mode):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.insert_child_to_cell("act_0", nn.ReLU())

        def construct(self, x):
            return self.__getattr__("act_0")(x)

    ms.set_context(mode=mode)
    assert Net()(ms.Tensor([-1.0, 2.0])).asnumpy().tolist() == [0, 2]


@pytest.mark.parametrize("value", [weight, Leaf])
def test_members_before_init(value):
    class Early(nn.Cell):
        def __init__(self):
            self.member = value()

    with pytest.raises(AttributeError):
        Early()


def test_a_call_without_init():
    class Bare(nn.Cell):
        def __init__(self):
            pass

        def construct(self, x):
            return x

    with pytest.raises(AttributeError, match="super"):
        Bare()(Tensor(1))


@pytest.mark.parametrize(
    ("args", "error"),
    [
        ((3, weight()), TypeError),
        (("", weight()), KeyError),
        (("a.b", weight()), KeyError),
        (("construct", weight()), KeyError),
        (("a", Tensor(1)), TypeError),
    ],
)
def test_insert_param_to_cell_errors(args, error):
    with pytest.raises(error):
        nn.Cell().insert_param_to_cell(*args)


@pytest.mark.parametrize(
    ("args", "error"),
    [((3, Leaf()), TypeError), (("", Leaf()), KeyError), (("a.b", Leaf()), KeyError), (("w", 3), TypeError)],
)
def test_insert_child_to_cell_errors(args, error):
    with pytest.raises(error):
        nn.Cell().insert_child_to_cell(*args)


def test_insert_child_to_cell_leaves_names_alone():
    cell = nn.Cell()
    cell.insert_child_to_cell("c", Leaf())
    assert pairs(cell) == [("c.w", "w")]


def test_the_tables_of_members_can_be_written():
    cell = Two()
    cell._cells["a"] = nn.ReLU()
    cell._params["extra"] = weight("extra")
    assert isinstance(cell.a, nn.ReLU) and cell.extra.name == "extra"
    cell._cells.pop("a")
    assert not hasattr(cell, "a")


# -- walks -------------------------------------------------------------------------------------------------------------
def test_walks():
    cell = Two()
    assert [(n, type(c).__name__) for n, c in cell.cells_and_names(name_prefix="p")] == [
        ("p", "Two"), ("p.a", "Leaf"), ("p.b", "Leaf"),
    ]  # fmt: skip
    assert str(cell.cells()) == "odict_values([Leaf(), Leaf()])"
    assert cell.name_cells() == OrderedDict([("a", cell.a), ("b", cell.b)])
    assert [n for n, _ in cell.parameters_and_names("p")] == ["p.own", "p.a.w", "p.b.w"]
    assert [p.name for p in cell.get_parameters(expand=False)] == ["own"]
    assert list(cell.parameters_dict()) == ["own", "a.w", "b.w"]
    cell.a.w.requires_grad = False
    assert [p.name for p in cell.trainable_params()] == ["own", "b.w"]
    assert [p.name for p in cell.untrainable_params()] == ["a.w"]
    assert cell.get_sub_cell("") is cell and cell.get_sub_cell("a") is cell.a
    for target in ("zz", "own", "a.zz"):
        with pytest.raises(AttributeError):
            cell.get_sub_cell(target)


def test_apply_visits_children_first():
    seen = []
    cell = Two()
    assert cell.apply(lambda c: seen.append(type(c).__name__)) is cell
    assert seen == ["Leaf", "Leaf", "Two"]


# -- printing ----------------------------------------------------------------------------------------------------------
def test_repr_of_trees():
    assert repr(Three()) == (
        "Three(\n  (net): Two(\n    (a): Leaf()\n    (b): Leaf()\n  )\n  (seq): SequentialCell(\n    (0): Leaf()\n"
        "    (1): Two(\n      (a): Leaf()\n      (b): Leaf()\n    )\n  )\n  (lst): CellList(\n    (0): Leaf()\n"
        "    (1): Two(\n      (a): Leaf()\n      (b): Leaf()\n    )\n  )\n)"
    )


def test_repr_with_extension():
    class Extended(Two):
        def extend_repr(self):
            return "foo=1"

    class Bare(nn.Cell):
        def extend_repr(self):
            return "foo=1"

    assert repr(Extended()) == "Extended(\n  foo=1\n  (a): Leaf()\n  (b): Leaf()\n)"
    assert repr(Bare()) == "Bare(foo=1)"


# -- flags -------------------------------------------------------------------------------------------------------------
def test_train_mode_and_phase():
    cell = Two()
    assert (cell.training, cell.phase) == (False, "train")
    assert cell.set_train() is cell and cell.a.training and cell.phase == "train"
    assert not cell.set_train(False).a.training and cell.phase == "predict"
    assert cell.requires_grad is False and cell.set_grad().b.requires_grad is False and cell.requires_grad


class Staged(nn.Cell):
    def __init__(self, phase):
        super().__init__()
        self.phase = phase

    def construct(self, x):
        return x * 2 if self.phase == "prefill" else x


class OfStaged(nn.Cell):
    def __init__(self, phase):
        super().__init__()
        self.inner = Staged(phase)

    def construct(self, x):
        return self.inner(x)


@pytest.mark.parametrize("training", [True, False])
def test_set_train_leaves_the_phase_of_children(mode, training):
    net = OfStaged("prefill").set_train(training)
    assert (net.phase, net.inner.phase) == ("train" if training else "predict", "prefill")
    assert net(Tensor([1.0])).asnumpy() == [2]
    net.inner.phase = "decode"
    assert net(Tensor([1.0])).asnumpy() == [1]
    with pytest.raises(TypeError, match="'phase' must be str"):
        net.phase = 5


def test_what_set_train_and_others_list_as_flags():
    cell = Two().set_train()
    assert cell.get_flags() == cell.a.get_flags() == {"training": True}
    cell.set_train(False).set_boost("less_bn").set_broadcast_flag()
    assert cell.a.get_flags() == {"training": False, "less_bn": True, "broadcast_flag": True}
    assert cell.a.broadcast_flag and cell.less_bn


def test_options_of_the_compiler_are_set_once(caplog):
    cell = nn.ReLU()
    cell.set_jit_config(ms.JitConfig(jit_syntax_level="STRICT"))
    cell.set_jit_config(ms.JitConfig(jit_syntax_level="LAX"))
    assert cell.jit_config_dict["jit_syntax_level"] == "STRICT"
    assert "are set already" in caplog.text


def test_members_may_have_the_names_of_methods_that_mindspore_lacks(mode):
    cell = nn.Cell()
    cell.place, cell.cast_param = nn.ReLU(), Parameter(Tensor([2.0]))
    assert cell.place(cell.cast_param).asnumpy() == [2] and [p.name for p in cell.get_parameters()] == ["cast_param"]
    with pytest.raises(KeyError):
        cell.set_train = nn.ReLU()


def test_flags():
    cell = Two().add_flags_recursive(foo=1)
    assert (cell.foo, cell.get_flags(), cell.a.get_flags()) == (1, {"foo": 1}, {"foo": 1})
    assert nn.Cell(flags={"a": 1}).get_flags() == {"a": 1}
    with pytest.raises(TypeError):
        nn.Cell(flags=3)


def test_calling_a_cell_without_construct():
    with pytest.raises(AttributeError, match="For 'Cell', the method 'construct' is not defined"):
        nn.Cell()(Tensor(1))


def test_small_members():
    cell = Leaf()
    assert cell.set_comm_fusion(2).w.comm_fusion == 2
    with pytest.raises(TypeError):
        cell.set_comm_fusion("a")
    assert cell.set_boost("less_bn") is cell
    with pytest.raises(ValueError):
        cell.set_boost("zz")
    assert cell.get_inputs() is None
    cell.set_inputs(Tensor([1.0]))
    assert len(cell.get_inputs()) == 1
    with pytest.raises(ValueError):
        cell.set_inputs(Tensor([1.0]), x=1)
    assert list(cell.init_parameters_data()) == [cell.w]
    assert cell.to(ms.float16).w.dtype is ms.float16


# -- copies ------------------------------------------------------------------------------------------------------------
def test_copies():
    cell = Two()
    deep, shallow, loaded = copy.deepcopy(cell), copy.copy(cell), pickle.loads(pickle.dumps(cell))
    assert names(deep) == names(shallow) == names(loaded) == ["own", "a.w", "b.w"]
    assert deep.a.w is not cell.a.w and deep.a is not cell.a and shallow.a.w is cell.a.w
    deep.a.w.set_data(Tensor([3.0, 3.0]))
    assert deep(Tensor([1.0, 1.0])).asnumpy().tolist() == [3.0, 3.0]
    assert cell(Tensor([1.0, 1.0])).asnumpy().tolist() == [1.0, 1.0]
    shallow.a = nn.ReLU()
    assert isinstance(cell.a, Leaf)


def dense():
    return nn.Dense(2, 2)


@pytest.mark.parametrize(
    ("args", "named", "dtype"),
    [
        (("CPU",), {}, ms.float32),
        (("CPU", ms.float16), {}, ms.float16),
        ((), {"device": "CPU", "dtype": ms.float16}, ms.float16),
        ((), {}, ms.float32),
        ((ms.float16, True), {}, ms.float16),
        ((ms.float16,), {"non_blocking": True}, ms.float16),
        ((Tensor(1.0, ms.float16),), {}, ms.float16),
    ],
)
def test_to(args, named, dtype):
    net = dense()
    assert net.to(*args, **named) is net
    assert (net.weight.dtype, net.bias.dtype) == (dtype, dtype)


@pytest.mark.parametrize(
    ("args", "named", "error"), [(("x",), {}, ValueError), ((ms.int32,), {}, TypeError), ((), {"foo": 1}, TypeError)]
)
def test_to_errors(args, named, error):
    with pytest.raises(error):
        dense().to(*args, **named)


def test_to_empty():
    net = dense()
    assert net.to_empty(device="CPU") is net
    assert (net.weight.shape, net.weight.dtype) == ((2, 2), ms.float32)
    with pytest.raises(ValueError, match="'x'"):
        net.to_empty(device="x")
    with pytest.raises(TypeError):
        net.to_empty(device=1)
    with pytest.raises(TypeError):
        net.to_empty("CPU")


def test_an_initializer_assigned_over_a_parameter_fills_it():
    cell = nn.Dense(2, 2)
    cell.weight = ms.common.initializer.initializer("ones", (2, 2), ms.float32)
    assert cell.weight.asnumpy().tolist() == [[1, 1], [1, 1]] and cell.weight.name == "weight"


@pytest.mark.parametrize("name", ["cls", "args", "kwargs"])
def test_a_cell_takes_an_argument_of_any_name(name):
    class Weighed(nn.Cell):
        def __init__(self, **weights):
            super().__init__()
            self.weights = weights

    assert Weighed(**{name: 0.5}).weights == {name: 0.5}
