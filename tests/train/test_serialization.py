"""Saving and loading Parameters: MindSpore's rules for names, dtypes and errors, and nothing half-done."""

import difflib
import json
import logging
import os
import pathlib
import threading
import tracemalloc

import numpy as np
import pytest

from ms_compat import Parameter, Tensor, jit, nn, ops
from ms_compat._core import dtype as mstype
from ms_compat._core.errors import UnsupportedError
from ms_compat._formats.checkpoint import codec, into_net, save
from ms_compat.train import serialization as ms

DATA = pathlib.Path(__file__).parent.parent / "conformance" / "data"
CALLS = json.loads((DATA / "checkpoint_calls.json").read_text())
NET = json.loads((DATA / "checkpoint_net.json").read_text())
FILES = json.loads((DATA / "checkpoint_files.json").read_text())
SHAPES = {"fc.weight": (3, 2), "fc.bias": (3,), "bn.gamma": (2,), "bn.beta": (2,)}

# Where ms_compat does otherwise on purpose: what it does, instead of what MindSpore does.
DIFFERENT = {
    "ms.save_checkpoint({'a': T}, 'a.ckpt')": None,  # MindSpore trips over its own variable (UnboundLocalError)
    "ms.save_checkpoint({'a': 3}, 'a.ckpt')": "TypeError",  # likewise
}


class Group(nn.Cell):
    def __init__(self, shapes, dtype=np.float32):
        super().__init__()
        for name, shape in shapes.items():
            setattr(self, name, Parameter(Tensor(np.zeros(shape, dtype)), name=name))


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = Group({"weight": (3, 2), "bias": (3,)})
        self.bn = Group({"gamma": (2,), "beta": (2,)})


class One(nn.Cell):
    def __init__(self, value):
        super().__init__()
        self.p = Parameter(value, name="p")


def ones(shape, dtype=np.float32):
    return Parameter(Tensor(np.ones(shape, dtype)), name="x")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def values(found):
    return {k: v if isinstance(v, str) else (str(v.dtype), v.shape, v.asnumpy().tolist()) for k, v in found.items()}


@pytest.mark.parametrize("text", CALLS["calls"])
def test_a_call_ends_as_in_mindspore(text, folder):
    os.mkdir("dir.ckpt")
    for name, raw in CALLS["inputs"].items():
        (folder / name).write_bytes(bytes.fromhex(raw))
    before = sorted(os.listdir("."))
    net = Group({"weight": (3, 2), "bias": (3,)})
    space = {"ms": ms, "np": np, "Tensor": Tensor, "Parameter": Parameter, "net": net}
    exec(CALLS["setup"], space)
    want = DIFFERENT.get(text, CALLS["calls"][text])
    if want is None:
        eval(text, space)
        return
    with pytest.raises(Exception) as caught:
        eval(text, space)
    assert type(caught.value).__name__ == want
    assert str(caught.value).startswith("For '")
    assert sorted(os.listdir(".")) == before
    assert not net.weight.asnumpy().any()


@pytest.mark.parametrize("label", NET["names"])
def test_names_find_their_parameters_as_in_mindspore(label):
    case = NET["names"][label]
    net = Net()
    given = {n: ones(next((s for k, s in SHAPES.items() if n.endswith(k)), (5,))) for n in case["given"]}
    missing, unused = ms.load_param_into_net(net, given, strict_load=label.endswith(", strict"))
    assert (missing, unused) == (case["not_loaded"], case["unused"])
    assert [p.name for p in net.get_parameters() if p.asnumpy().all()] == case["loaded"]


@pytest.mark.parametrize("have, given, want", NET["shapes"])
def test_trailing_ones_are_dropped_and_other_shapes_refused(have, given, want):
    net = One(Tensor(np.zeros(have, np.float32)))
    if isinstance(want, str):
        # MindSpore's ValueError for (3,) from (4, 1) is numpy's, from its attempt to reshape.
        with pytest.raises(RuntimeError, match=r"'p' has shape .* in the net, but 'p' has shape .* in the checkpoint"):
            ms.load_param_into_net(net, {"p": ones(given)})
        assert not net.p.asnumpy().any()
        return
    ms.load_param_into_net(net, {"p": ones(given)})
    assert net.p.shape == tuple(have)  # MindSpore changes the Parameter's shape, which its text says it does not
    assert net.p.asnumpy().all()


@pytest.mark.parametrize("label", NET["dtypes"])
def test_dtypes_are_cast_as_in_mindspore(label):
    have, strict = label.removesuffix(" strict"), label.endswith(" strict")
    for name, allowed in zip(NET["dtype_order"], NET["dtypes"][label], strict=True):
        net = One(Tensor(np.zeros(2), getattr(mstype, have)))
        new = Parameter(Tensor(np.ones(2), getattr(mstype, name)))
        if allowed == "y":
            assert ms.load_param_into_net(net, {"p": new}, strict) == ([], [])
            assert net.p.asnumpy().astype(complex).tolist() == [1, 1]
        else:
            with pytest.raises(RuntimeError, match=f"'p' is {net.p.dtype} in the net, but 'p' is {new.dtype} in the"):
                ms.load_param_into_net(net, {"p": new}, strict)
        assert net.p.dtype is getattr(mstype, have)


def test_one_parameter_can_be_updated_alone():
    target = ones((2,))
    ms._update_param(target, Parameter(Tensor(np.full((2, 1), 4.0)), name="new"))
    assert target.dtype is mstype.float32 and target.asnumpy().tolist() == [4, 4]
    with pytest.raises(RuntimeError, match="'x' is Float32 in the net, but 'new' is Float64 in the checkpoint"):
        ms._update_param(target, Parameter(Tensor(np.full(2, 4.0)), name="new"), True)


def test_a_cast_rounds_as_numpy_does():
    net = One(Tensor(np.zeros(3, np.float16)))
    wide = np.array([1e6, 1 + 2**-11 + 2**-40, 0.1])
    ms.load_param_into_net(net, {"p": Parameter(Tensor(wide))})
    with np.errstate(over="ignore"):
        assert net.p.asnumpy().tolist() == wide.astype(np.float16).tolist()


def test_one_value_that_does_not_fit_means_that_none_is_loaded():
    net = Net()
    given = {n: ones(s) for n, s in SHAPES.items()} | {"bn.beta": ones((9,)), "fc.bias": ones((3,), np.int32)}
    with pytest.raises(
        RuntimeError, match="2 of 4 values do not fit the net, so none was loaded: 'fc.bias'.*'bn.beta'"
    ):
        ms.load_param_into_net(net, given)
    assert not any(p.asnumpy().any() for p in net.get_parameters())


def test_the_warning_names_what_is_left_and_the_nearest_name(caplog):
    ms.load_param_into_net(Net(), {"fc.weigth": ones((3, 2)), "fc.bias": ones((3,)), "bn.gamma": ones((2,))})
    assert "2 of 4 parameters of the net are not in 'parameter_dict'" in caplog.text
    assert "fc.weight (did you mean 'fc.weigth' of the checkpoint?), bn.beta" in caplog.text
    assert difflib.get_close_matches("bn.beta", ["fc.weigth"]) == []


def test_what_is_loaded_is_independent_of_the_dict():
    net, given = One(Tensor(np.zeros(2, np.float32))), {"p": ones((2,))}
    ms.load_param_into_net(net, given)
    given["p"].set_data(Tensor(np.full(2, 9, np.float32)))
    assert net.p.asnumpy().tolist() == [1, 1]
    net.p.set_data(Tensor(np.full(2, 5, np.float32)))
    assert given["p"].asnumpy().tolist() == [9, 9]


@pytest.mark.parametrize("format", ["ckpt", "safetensors"])
@pytest.mark.parametrize("name", [n for n in NET["dtype_order"] + ["qint4x2"] if n != "complex128"])
def test_a_parameter_of_each_dtype_comes_back(name, format, folder):
    value = Tensor(np.array([[1, 0, 3], [0, 1, 2]]), getattr(mstype, name))
    for kind, tensor in (("whole", value), ("scalar", Tensor(np.array(1), getattr(mstype, name)))):
        ms.save_checkpoint([{"name": "p", "data": tensor}], f"{kind}.{format}", format=format)
        found = ms.load_checkpoint(f"{kind}.{format}", format=format)["p"]
        assert type(found) is Parameter and found.name == "p" and found.requires_grad
        assert found.dtype is tensor.dtype and found.shape == tensor.shape
        assert found.asnumpy().tolist() == tensor.asnumpy().tolist()


@pytest.mark.parametrize("label", ["golden", "append", "order", "bfloat16"])
def test_a_file_of_mindspore_loads_and_saves_to_its_bytes(label, folder):
    case = FILES["ckpt"][label]
    (folder / "m.ckpt").write_bytes(bytes.fromhex(case["hex"]))
    found = ms.load_checkpoint("m.ckpt")
    assert list(found) == list(case["values"])
    assert {k: v for k, v in found.items() if isinstance(v, str)} == {
        k: v for k, v in case["values"].items() if isinstance(v, str)
    }
    ms.save_checkpoint(found, "again.ckpt")
    assert (folder / "again.ckpt").read_bytes().hex() == case["hex"]


def test_append_dict_gives_the_bytes_of_mindspore(folder):
    golden = [
        {"name": "s", "data": Tensor(np.float32(3.5))},
        {"name": "w", "data": Tensor(np.arange(4, dtype=np.float32))},
    ]
    extra = {"epoch": 3, "lr": 0.1, "done": True, "note": "h\u00e9\U0001f600", "void": "", "t": Tensor(np.int32(7))}
    ms.save_checkpoint(golden, "a.ckpt", append_dict=extra)
    assert (folder / "a.ckpt").read_bytes().hex() == FILES["ckpt"]["append"]["hex"]


def test_appended_values_replace_parameters_of_their_name(folder):
    ms.save_checkpoint([{"name": "p", "data": ones((2,))}, {"name": "q", "data": ones(())}], "a", append_dict={"p": 7})
    assert values(ms.load_checkpoint("a.ckpt")) == {"p": ("Int64", (), 7), "q": ("Float32", (), 1.0)}


def test_a_cell_saves_under_its_parameters_names_and_loads_again(folder):
    net = Net()
    for parameter in net.get_parameters():
        parameter.set_data(Tensor(np.random.default_rng(1).standard_normal(parameter.shape).astype(np.float32)))
    ms.save_checkpoint(net, "net.ckpt", choice_func=lambda name: name != "bn.beta")
    other = Net()
    found = ms.load_checkpoint("net.ckpt", other)
    assert list(found) == ["fc.weight", "fc.bias", "bn.gamma"]
    assert values({p.name: p for p in other.get_parameters()}) == {
        **values(found),
        "bn.beta": ("Float32", (2,), [0.0, 0.0]),
    }


def test_a_shared_parameter_is_saved_once(folder):
    net = Net()
    net.other = Group({"bias": (3,)})
    net.other.bias = net.fc.bias
    ms.save_checkpoint(net, "net.ckpt")
    assert list(ms.load_checkpoint("net.ckpt")) == list(SHAPES)


@pytest.mark.parametrize("format", ["ckpt", "safetensors"])
def test_prefixes_and_choice_choose_what_is_loaded(format, folder):
    items = {n: ones(s) for n, s in SHAPES.items()}
    ms.save_checkpoint(items, "a", format=format)

    def names(**options):
        return set(ms.load_checkpoint(f"a.{format}", format=format, **options))

    assert names(filter_prefix="fc") == {"bn.gamma", "bn.beta"}
    assert names(filter_prefix=["fc", "bn.g"]) == {"bn.beta"}
    assert names(specify_prefix=("fc.b", "bn"), filter_prefix="bn.b") == {"fc.bias", "bn.gamma"}
    assert names(choice_func=lambda name: "a" in name, filter_prefix="fc") == {"bn.gamma", "bn.beta"}
    with pytest.raises(ValueError, match="'choice_func' and the prefixes choose none of the 4 parameters"):
        names(choice_func=lambda name: False)


def test_a_value_that_is_left_out_is_not_read(folder, monkeypatch):
    ms.save_checkpoint({n: ones(s) for n, s in SHAPES.items()}, "a")
    read = []
    original = codec.CkptReader.read_all
    monkeypatch.setattr(codec.CkptReader, "read_all", lambda self, names: read.extend(names) or original(self, names))
    ms.load_checkpoint("a.ckpt", choice_func=lambda name: name == "fc.bias")
    assert read == ["fc.bias"]


def test_a_damaged_file_changes_no_parameter(folder):
    net = Net()
    ms.save_checkpoint({n: ones(s) for n, s in SHAPES.items()}, "a")
    raw = (folder / "a.ckpt").read_bytes()
    (folder / "b.ckpt").write_bytes(raw[:-1])
    with pytest.raises(ValueError, match="b.ckpt"):
        ms.load_checkpoint("b.ckpt", net)
    assert not any(p.asnumpy().any() for p in net.get_parameters())


def test_a_thread_saves_the_values_of_the_time_of_the_call(folder, monkeypatch):
    go, net = threading.Event(), One(Tensor(np.zeros(3, np.float32)))
    original = codec.write
    monkeypatch.setattr(save.codec, "write", lambda *a, **k: (go.wait(60), original(*a, **k)))
    for way in (True, "thread", "process"):
        go.clear()
        net.p.set_data(Tensor(np.zeros(3, np.float32)))
        ms.save_checkpoint(net, "a.ckpt", async_save=way)
        assert ms.async_ckpt_thread_status() is True
        net.p.set_data(Tensor(np.ones(3, np.float32)))
        go.set()
        assert ms.load_checkpoint("a.ckpt")["p"].asnumpy().tolist() == [0, 0, 0]  # waits for the thread
        assert ms.async_ckpt_thread_status() is False
    assert os.listdir(".") == ["a.ckpt"]


def test_a_failed_save_leaves_the_old_file(folder, monkeypatch):
    ms.save_checkpoint({"w": ones((2,))}, "a.ckpt")
    before = (folder / "a.ckpt").read_bytes()
    for bad in ({"w": ones((2,)), "x": 3}, {"x": np.array(["a"])}):
        with pytest.raises(TypeError, match="save_checkpoint"):
            ms.save_checkpoint(bad, "a.ckpt")
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        ms.save_checkpoint({"w": ones((3,))}, "a.ckpt")
    assert (folder / "a.ckpt").read_bytes() == before and os.listdir(".") == ["a.ckpt"]


def test_loading_in_a_thread_gives_the_dict_or_the_error(folder):
    ms.save_checkpoint({n: ones(s) for n, s in SHAPES.items()}, "a")
    net = Net()
    assert list(ms.load_checkpoint_async("a.ckpt", net).result()) == list(SHAPES)
    assert all(p.asnumpy().all() for p in net.get_parameters())
    with pytest.raises(ValueError, match="zz.ckpt"):
        ms.load_checkpoint_async("zz.ckpt").result()


def test_unknown_options_are_said_to_have_no_effect(folder, caplog):
    ms.save_checkpoint({"w": ones((2,))}, "a.ckpt", colour="blue")
    assert "'colour' is not known and has no effect" in caplog.text
    with pytest.raises(UnsupportedError, match="incremental"):
        ms.save_checkpoint({"w": ones((2,))}, "a.ckpt", incremental=True)


def test_a_note_on_redundancy_that_disagrees_is_a_warning(folder, caplog):
    ms.save_checkpoint({"w": ones((2,))}, "a", format="safetensors", remove_redundancy=True)
    with caplog.at_level(logging.WARNING):
        ms.load_checkpoint("a.safetensors", format="safetensors", remove_redundancy=True)
        assert caplog.text == ""
        ms.load_checkpoint("a.safetensors", format="safetensors")
    assert "saved with remove_redundancy=True" in caplog.text


def test_directories_of_ranks_are_converted_both_ways(folder):
    for rank in (0, 1):
        os.makedirs(f"in/rank_{rank}")
        ms.save_checkpoint({"w": Tensor([float(rank)]), "b": Tensor([1])}, f"in/rank_{rank}/net.ckpt")
        ms.save_checkpoint({"w": Tensor([9.0])}, f"in/rank_{rank}/other.ckpt")
    ms.ckpt_to_safetensors("in", "st", name_map={"w": "W"}, file_name_regex="^net", processes_num=2)
    ms.safetensors_to_ckpt("st", "out")
    assert [sorted(f) for _, _, f in sorted(os.walk("out"))] == [[], ["net.ckpt"], ["net.ckpt"]]
    assert values(ms.load_checkpoint("out/rank_1/net.ckpt")) == {
        "W": ("Float32", (1,), [1.0]),
        "b": ("Int64", (1,), [1]),
    }


@pytest.mark.parametrize("name", NET["optimizers"])
def test_an_optimizer_saves_the_names_of_mindspore(name, folder):
    if not hasattr(nn, name) or not hasattr(nn, "Dense"):
        pytest.skip(f"nn.{name} or nn.Dense is not there")
    case = NET["optimizers"][name]
    optimizer = getattr(nn, name)(nn.Dense(2, 3).trainable_params(), learning_rate=0.1, **case["options"])
    ms.save_checkpoint(optimizer, "o.ckpt")
    found = ms.load_checkpoint("o.ckpt")
    assert {k: [str(v.dtype), list(v.shape)] for k, v in found.items()} == case["states"]
    assert list(found) == list(case["states"])


def test_a_training_step_does_not_take_the_values_away_from_the_dict(folder):
    if not hasattr(nn, "SGD"):
        pytest.skip("nn.SGD is not there")
    ms.save_checkpoint({"p": ones((2,))}, "a.ckpt")
    net = One(Tensor(np.zeros(2, np.float32)))
    found = ms.load_checkpoint("a.ckpt", net)
    optimizer = nn.SGD(net.trainable_params(), learning_rate=0.5)
    for _ in range(3):  # the update donates the parameters' buffers
        optimizer((Tensor(np.ones(2, np.float32)),))
    assert net.p.asnumpy().tolist() == [-0.5, -0.5]
    assert ms.load_param_into_net(net, found) == ([], [])
    assert net.p.asnumpy().tolist() == [1, 1]


@pytest.mark.parametrize(
    "call",
    [
        lambda: ms.export(Net(), Tensor([1.0]), file_name="a", file_format="AIR"),
        lambda: ms.export_split_mindir("a.mindir"),
    ],
)
def test_what_is_not_served_names_the_way_out(call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.mindir").touch()
    with pytest.raises(UnsupportedError, match="is not supported by ms_compat. [A-Z]"):
        call()


@pytest.mark.parametrize("name", [3, "a.txt", "missing.mindir"])
def test_a_file_to_split_is_checked_first(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match="export_split_mindir"):
        ms.export_split_mindir(name)


def test_graph_files_are_still_checked_by_their_names():
    with pytest.raises(ValueError, match="'file_format' must be one of"):
        ms.export(Net(), file_name="a", file_format="FOO")
    with pytest.raises(ValueError, match="'file_name' must be a str that ends in '.mindir'"):
        ms.load("net.ckpt")


def test_the_search_for_prefixes_is_quick():
    names = [f"layers.{i}.{leaf}" for i in range(2000) for leaf in ("weight", "bias")]
    values = {f"net.{n}": None for n in names}
    plan = {}
    into_net._behind_prefixes(dict.fromkeys(names), values, plan)
    assert plan == {n: f"net.{n}" for n in names}


@pytest.mark.parametrize("format", ["ckpt", "safetensors"])
def test_saving_copies_no_values(format, tmp_path):
    net = {f"p{k}": Tensor(np.ones(1 << 18, np.float32)) for k in range(4)}
    tracemalloc.start()
    try:
        ms.save_checkpoint(net, str(tmp_path / f"a.{format}"), format=format)
        assert tracemalloc.get_traced_memory()[1] < 1 << 19  # half of one Tensor
    finally:
        tracemalloc.stop()


def test_a_step_after_saving_leaves_the_file_and_the_values_alone(tmp_path):
    weight = Parameter(Tensor(np.ones(1 << 12, np.float32)), name="w")
    double = jit(lambda: ops.assign(weight, weight * 2))
    for step in range(4):
        ms.save_checkpoint([weight], str(tmp_path / f"{step}.ckpt"))
        double()
    saved = [float(ms.load_checkpoint(str(tmp_path / f"{step}.ckpt"))["w"].asnumpy().max()) for step in range(4)]
    assert saved == [1, 2, 4, 8] and float(weight.asnumpy().min()) == 16
