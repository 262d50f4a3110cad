"""Sliced checkpoints against what MindSpore made of the same ones, and what only we promise of them."""

import json
import os
import pathlib

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, nn
from ms_compat._formats.sliced import layout, merge, schema, unify
from ms_compat._formats.sliced.plan import ranks_read
from ms_compat._names.resolve import resolve
from tests._formats import sliced

RECORD = json.loads((pathlib.Path(__file__).parents[1] / "conformance" / "data" / "checkpoint_sliced.json").read_text())
RECORDED = RECORD["outcomes"]


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    return sliced.outcomes(ms, schema, tmp_path_factory.mktemp("sliced"))


@pytest.mark.parametrize("part", RECORDED)
def test_it_agrees_with_mindspore(outcomes, part):
    assert outcomes[part] == RECORDED[part]


def test_the_ranks_read_are_mindspores_for_random_layouts():
    for source, target, rank, ranks in RECORD["redistributions"]:
        assert ranks_read(source, target, rank) == ranks, (source, target, rank)


def test_converting_is_cutting_the_whole_anew():
    for source, target, rank, _ in RECORD["redistributions"]:
        shape = source[2]
        if np.prod(shape) > 5000:
            continue
        whole = np.arange(np.prod(shape)).reshape(shape)
        before, after = layout.Layout(*source[:2]), layout.Layout(*target[:2])
        slices = {r: merge.split(whole, *source[:2], r) for r in range(before.devices)}
        found = layout.converted("w", slices, before, after, rank, api="f")
        assert np.array_equal(found, merge.split(whole, *target[:2], rank))


def test_parameters_are_grouped_by_size_as_mindspore_does():
    for sizes, count, groups in RECORD["groups"]:
        assert unify.groups(sizes, count) == groups


# What follows has a directory with two halves of `w` and the strategies of the recorded program.


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    sliced.write_strategies(schema)
    ms.merge_pipeline_strategys("stages", "merged.ckpt")
    for rank in range(2):
        values = {"w": Parameter(Tensor(np.full((4, 12), rank, np.float32)), "w")}
        for format in ("ckpt", "safetensors"):
            os.makedirs(f"{format}/rank_{rank}")
            ms.save_checkpoint(values, f"{format}/rank_{rank}/w.{format}", format=format)
    return tmp_path


class Net(nn.Cell):
    def __init__(self, shape=(8, 12)):
        super().__init__()
        self.w = Parameter(Tensor(np.zeros(shape, np.float32)), name="w")


HALVES = [f"ckpt/rank_{rank}/w.ckpt" for rank in range(2)]
TABLE = np.repeat([0.0, 1.0], 4).astype(np.float32)[:, None] * np.ones(12, np.float32)


def test_the_net_may_be_cut_in_another_way_than_the_checkpoints(folder):
    for predict, expected in (
        ([[2], [0, -1], [], 0, 1, ""], TABLE[:4]),  # as the checkpoints: this process is rank 0
        ([[2], [-1, 0], [], 0, 1, ""], TABLE[:, :6]),
        ([[1], [-1, -1], [], 0], TABLE),
    ):
        net = Net(expected.shape)
        assert ms.load_distributed_checkpoint(net, HALVES, {"w": predict}, "rows.ckpt") is True
        assert np.array_equal(net.w.asnumpy(), expected)


def test_the_strategy_may_come_from_the_context(folder):
    net = Net()
    ms.set_auto_parallel_context(strategy_ckpt_load_file="rows.ckpt")
    try:
        ms.load_distributed_checkpoint(net, HALVES)
    finally:
        ms.reset_auto_parallel_context()
    assert np.array_equal(net.w.asnumpy(), TABLE)


def test_a_failed_conversion_writes_nothing(folder):
    with pytest.raises(ValueError, match="needs the checkpoints of ranks"):
        ms.transform_checkpoints("ckpt", "out", "n", "squares.ckpt", "rows.ckpt")
    with pytest.raises(ValueError, match="is missing in the checkpoint of rank 1"):
        ms.transform_checkpoint_by_rank(0, {0: HALVES[0]}, "out.ckpt", "rows.ckpt")
    assert os.listdir("out") == [] and not os.path.exists("out.ckpt")


def test_slices_of_other_shapes_are_refused(folder):
    ms.save_checkpoint({"w": Tensor(np.ones((4, 6), np.float32))}, "other.ckpt")
    with pytest.raises(ValueError, match="must be alike"):
        ms.transform_checkpoint_by_rank(0, {0: HALVES[0], 1: "other.ckpt"}, "out.ckpt", "rows.ckpt")


def test_texts_go_with_what_the_strategy_does_not_name(folder):
    for rank in range(2):
        values = {"w": Tensor(np.ones((4, 12), np.float32))}
        ms.save_checkpoint(values, f"{rank}.ckpt", append_dict={"note": f"of {rank}"})
    ms.transform_checkpoint_by_rank(0, {0: "0.ckpt", 1: "1.ckpt"}, "out.ckpt", "rows.ckpt")
    assert ms.load_checkpoint("out.ckpt")["note"] == "of 0"


def test_large_parameters_come_in_parts_that_machines_can_share(folder, monkeypatch):
    for rank in range(2):
        names = {"a": (4,), "b": (8,), "c": (16,), "accu_grads.a": (4,)}
        values = {name: Tensor(np.full(shape, rank, np.float32)) for name, shape in names.items()}
        ms.save_checkpoint(values, f"safetensors/rank_{rank}/w.safetensors", format="safetensors", crc_check=True)
    layouts = {name: ([0], 0, 0) for name in names}
    pathlib.Path("s.json").write_text(json.dumps(sliced.document([2], layouts)))
    monkeypatch.setattr(unify, "_PART_BYTES", 112)
    for number in (1, 2):
        ms.unified_safetensors("safetensors", "s.json", f"out{number}", split_dst_file=(number, 2))
    ms.unified_safetensors("safetensors", "s.json", "out")
    places = {"c": "part0.safetensors", "b": "part1.safetensors", "a": "part1.safetensors"}
    index = {"metadata": {"total_size": 224}, "weight_map": places}
    assert json.loads(pathlib.Path("out", "param_name_map.json").read_text()) == index
    rest = ["hyper_param.safetensors", "param_name_map.json"]
    assert sorted(os.listdir("out")) == [*rest, "part0.safetensors", "part1.safetensors"]
    assert sorted(os.listdir("out1")) == [*rest, "part0.safetensors"]
    assert os.listdir("out2") == ["part1.safetensors"]
    held = ms.load_checkpoint("out2/part1.safetensors", format="safetensors", crc_check=True)
    assert {name: value.asnumpy().tolist() for name, value in held.items()} == {
        "a": [0.0] * 4 + [1.0] * 4,
        "b": [0.0] * 8 + [1.0] * 8,
    }
    found = ms.load_distributed_checkpoint(
        Net(), format="safetensors", unified_safetensors_dir="out", return_param_dict=True
    )
    assert list(found) == ["c", "b", "a", "accu_grads.a"]
    with pytest.raises(ValueError, match="must give different names"):
        ms.unified_safetensors("safetensors", "s.json", "twice", choice_func=lambda name: "same")
    assert os.listdir("twice") == []
    with pytest.raises(ValueError, match="1 <= number <= count"):
        ms.unified_safetensors("safetensors", "s.json", "out", split_dst_file=(3, 2))


def test_few_files_are_open_at_a_time(folder, monkeypatch):
    monkeypatch.setattr(unify, "_OPEN_FILES", 1)
    ms.unified_safetensors("safetensors", "bare_rows.ckpt", "out")
    assert np.array_equal(ms.load_checkpoint("out/part0.safetensors", format="safetensors")["w"].asnumpy(), TABLE)


@pytest.mark.parametrize("place", ["../safetensors/rank_0/w.safetensors", "none.safetensors", 3])
def test_an_index_names_files_of_its_directory_only(folder, place):
    ms.unified_safetensors("safetensors", "bare_rows.ckpt", "out")
    os.link("out/part0.safetensors", "out/part1.safetensors")
    pathlib.Path("out/param_name_map.json").write_text(json.dumps({"weight_map": {"w": place}}))
    with pytest.raises(ValueError, match="must (name files of its directory|map names to files)"):
        ms.load_distributed_checkpoint(Net(), format="safetensors", unified_safetensors_dir="out")


@pytest.mark.parametrize(
    "matrix, tensor_map",
    [([0], [0]), ([1 << 31], [0]), ([1 << 20, 2], [0]), ([2], [1]), ([2], [-2]), ([], [0]), ([2], [0, 0])],
)
def test_impossible_layouts_are_refused(folder, matrix, tensor_map):
    pathlib.Path("bad.ckpt").write_bytes(sliced.strategy(schema, matrix, {"w": (tensor_map, 0, 0)}))
    with pytest.raises(ValueError, match="must be a layout"):
        ms.rank_list_for_transform(0, "bad.ckpt")


@pytest.mark.parametrize(
    "matrix, tensor_map, step, size, error",
    [
        ([4], [-1, -1], 1, 1 << 30, "cannot be divided"),
        ([4], [-1, -1], 1, 3, "cannot be divided"),
        ([4], [-1, -1], 2, 4, "must step over the 1 devices"),
        ([4], [0, -1], 1, 4, "has no copies to cut over"),
        ([2, 4, 2], [1, -1], 1, 3, "cannot be divided"),
        ([4], [-1, -1], 1, -2, "must be a layout"),
    ],
)
def test_optimizers_cut_what_they_can(folder, matrix, tensor_map, step, size, error):
    pathlib.Path("bad.ckpt").write_bytes(sliced.strategy(schema, matrix, {"w": (tensor_map, step, size)}))
    with pytest.raises(ValueError, match=error):
        ms.rank_list_for_transform(0, "bad.ckpt")


def test_a_rank_that_a_strategy_does_not_have_is_refused(folder):
    with pytest.raises(ValueError, match="has no rank 2"):
        ms.rank_list_for_transform(2, "squares.ckpt", "rows.ckpt")
    with pytest.raises(RuntimeError, match="there are 2 devices and no rank 2"):
        ms.rank_list_for_transform(2, "rows.ckpt")


def test_damaged_strategy_files_are_refused_at_every_length(folder):
    data = pathlib.Path("squares.ckpt").read_bytes()
    whole = schema.ParallelStrategyMap()
    for length in range(1, len(data)):
        pathlib.Path("cut.ckpt").write_bytes(data[:length])
        try:
            found = ms.build_searched_strategy("cut.ckpt")
        except TypeError:
            continue
        assert len(found) < 4  # cut between two items
    assert whole.ParseFromString(data) == len(data) and whole.SerializeToString() == data


def test_messages_take_packed_numbers_and_skip_unknown_fields():
    found = schema.DevMatrix()
    assert found.ParseFromString(bytes.fromhex("0a03020304" + "1001" + "0805")) == 9
    assert found.dim == [2, 3, 4, 5] and found.SerializeToString().hex() == "0802080308040805"
    with pytest.raises(ValueError, match="cut short"):
        found.ParseFromString(bytes.fromhex("0aff02"))
    with pytest.raises(ValueError, match="lacks the required field 'stage'"):
        schema.ParallelStrategys().SerializeToString()
    with pytest.raises(AttributeError, match="no field 'dims'"):
        found.dims = 3
    layouts = schema.ParallelLayouts()
    assert layouts.ListFields() == [] and not layouts.HasField("field") and layouts.field == 0
    layouts.field = 0
    assert [(field.name, value) for field, value in layouts.ListFields()] == [("field", 0)]


def test_the_checkpoint_of_a_rank_with_the_same_slices_is_found(folder):
    os.makedirs("saved/rank_2")
    pathlib.Path("saved/rank_2/a.ckpt").write_bytes(b"")
    find = ms.get_ckpt_path_with_strategy
    bare = {"rows": None, "copies": "saved/rank_2/a.ckpt", "squares": None}
    assert {name: find("saved/rank_0/a.ckpt", f"bare_{name}.ckpt") for name in bare} == bare
    assert find("saved/rank_2/a.ckpt", "bare_copies.ckpt") == "saved/rank_2/a.ckpt"
    with pytest.raises(ValueError, match="no strategy file"):
        find("saved/rank_0/a.ckpt", "none.ckpt")


def inner(name):
    return resolve(f"mindspore.train.serialization.{name}")


def test_the_inner_names_read_and_write_the_same_files(folder):
    values = {"w": Tensor([[1.0, 2.0, 3.0]] * 2), "n": Tensor(3), "e": Tensor([1.0], ms.bfloat16)}
    ms.save_checkpoint(values, "a.ckpt", append_dict={"note": "hi"})
    message = inner("_parse_ckpt_proto")("a.ckpt", None, "AES-GCM", False)
    assert [value.tag for value in message.value] == ["w", "n", "e", "note"]
    data = {}
    for value in message.value:
        kind = inner("tensor_to_np_type")(value.tensor.tensor_type)
        array = np.frombuffer(value.tensor.tensor_content, kind if kind != "U" else f"U{2}")
        data[value.tag] = [value.tensor.dims, value.tensor.tensor_type, array]
    inner("_exec_save")("b.ckpt", data)
    assert pathlib.Path("a.ckpt").read_bytes() == pathlib.Path("b.ckpt").read_bytes()
    assert message.SerializeToString() == pathlib.Path("a.ckpt").read_bytes()
    del data["note"]
    inner("_exec_save")("b.safetensors", data, format="safetensors", remove_redundancy=False)
    assert ms.load_checkpoint("b.safetensors", format="safetensors")["w"].shape == (2, 3)
    with pytest.raises(ValueError, match="dims of 'w'"):
        inner("_exec_save")("c.ckpt", {"w": [[4], "Float32", np.ones(3)]})
    assert inner("tensor_to_ms_type")["str"] is ms.string and type(message) is inner("Checkpoint")


def test_prefixes_are_found_for_what_is_not_loaded():
    merged = inner("_get_merged_param_data")
    net = nn.Dense(2, 1)
    left = ["weight", "bias"]
    inner("_load_dismatch_prefix_params")(
        net, {"net.weight": Parameter(Tensor([[1.0, 2.0]]), "net.weight")}, left, False
    )
    assert left == ["bias"] and net.weight.asnumpy().tolist() == [[1.0, 2.0]]
    assert merged(net, {"weight": [[2], [0]]}, "weight", net.weight, True) is net.weight
    with pytest.raises(KeyError):
        merged(net, {}, "weight", net.weight, True)


def test_strategies_of_operators_name_the_way_out():
    with pytest.raises(ms.UnsupportedError, match="XLA keeps no strategies of operators"):
        ms.parallel.set_op_strategy_config("SAVE", "a.json")
