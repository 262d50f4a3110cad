"""Pipelines as JSON: `serialize`, `deserialize`, `compare`, `show`, `to_json`."""

import json
import logging

import numpy as np
import pytest

import ms_compat as ms
import ms_compat.dataset as ds
from tests.conformance import dataset_archives

V, T, X, A = ds.vision, ds.transforms, ds.text, ds.audio


def numbers(count=6):
    return ds.NumpySlicesDataset({"x": list(range(count)), "y": [[k, k] for k in range(count)]}, shuffle=False)


def images():
    pictures = (np.arange(4 * 6 * 5 * 3) * 37 % 256).reshape(4, 6, 5, 3).astype(np.uint8)
    return ds.NumpySlicesDataset((pictures, np.arange(4)), ["image", "label"], shuffle=False)


def rows(data):
    return [[item.tolist() for item in row] for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]


def mnist(root):
    for name, data in dataset_archives.FILES["kmnist"]().items():
        (root / name).write_bytes(data)
    return ds.MnistDataset(str(root), "train", sampler=ds.SubsetSampler([2, 0]))


PIPELINES = {
    "operations": lambda root: numbers().skip(1).batch(2, drop_remainder=True).repeat(2).take(3).rename("x", "z"),
    "images": lambda root: (
        images()
        .map([V.Resize((4, 3), V.Inter.NEAREST), V.HWC2CHW(), T.TypeCast(ms.float32)], "image")
        .map(T.OneHot(4), ["label"])
        .project(["label", "image"])
    ),
    "compose": lambda root: images().map(T.Compose([V.Pad((1, 2, 0, 1), 7), V.ToType(np.float32)]), ["image"]),
    "joined": lambda root: numbers(3).concat(numbers(2)).zip(numbers(5).rename(["x", "y"], ["a", "b"])),
    "files": lambda root: mnist(root).map(V.Rescale(0.5, 1.0), ["image"]),
    "text": lambda root: ds.NumpySlicesDataset(["a b", "c d"], ["t"], shuffle=False).map(X.WhitespaceTokenizer(), "t"),
    "audio": lambda root: ds.NumpySlicesDataset(np.linspace(-1, 1, 12).reshape(2, 6), ["w"], shuffle=False).map(
        [A.Gain(2.0), A.LowpassBiquad(8000, 300.0), A.Vol(0.5, A.GainType.POWER)], ["w"]
    ),
    "padded": lambda root: numbers().padded_batch(4, pad_info={"y": ([3], -1)}),
}


@pytest.mark.parametrize("name", PIPELINES)
def test_a_pipeline_comes_back(tmp_path, name):
    data = PIPELINES[name](tmp_path)
    path = tmp_path / "pipeline.json"
    made = ds.serialize(data, str(path))
    assert made == data.to_json() == json.loads(path.read_text())
    for again in (ds.deserialize(input_dict=made), ds.deserialize(json_filepath=str(path))):
        assert type(again) is type(data) and rows(again) == rows(data)
        assert ds.compare(data, again)


def test_compare_sees_arguments_and_sources():
    assert ds.compare(numbers().batch(2), numbers().batch(2))
    assert not ds.compare(numbers().batch(2), numbers().batch(3))
    assert not ds.compare(numbers().batch(2), numbers())
    assert not ds.compare(numbers(5), numbers(6))
    assert not ds.compare(images().map(V.Invert(), "image"), images().map(V.Rotate(3.0), "image"))


def test_the_form_of_a_node():
    held = numbers(1).batch(batch_size=2).to_json()
    assert (held["op_type"], held["arguments"]) == ("BatchDataset", {"dataset": {"child": 0}, **held["arguments"]})
    assert held["arguments"]["batch_size"] == 2
    assert [child["op_type"] for child in held["children"]] == ["NumpySlicesDataset"]


def test_python_is_named_but_not_made_again(caplog):
    data = numbers().map(lambda x: x + 1, ["x"])
    with caplog.at_level(logging.WARNING, "ms_compat"):
        held = ds.serialize(data)
    assert "cannot be deserialized" in caplog.text
    with pytest.raises(ms.UnsupportedError, match="Python code"):
        ds.deserialize(held)
    part, _ = numbers().split([2, 4])
    with pytest.raises(ms.UnsupportedError):
        ds.deserialize(part.to_json())
    sampled = numbers()
    sampled.use_sampler(ds.SubsetSampler([1]))
    with pytest.raises(ms.UnsupportedError):
        ds.deserialize(sampled.to_json())


NODE = {"op_type": "NumpySlicesDataset", "arguments": {"data": [1, 2]}, "children": []}
BROKEN = {
    "no node": {"op_type": "Foo"},
    "no class": NODE | {"op_type": "Foo"},
    "a class that is no dataset": NODE | {"op_type": "DatasetCache"},
    "another package": NODE | {"arguments": {"data": {"class": "os.system", "arguments": {"command": "true"}}}},
    "a private name": NODE | {"arguments": {"data": {"enum": "dataset.vision.files", "name": "x"}}},
    "a child that is not there": NODE | {"arguments": {"data": {"child": 0}}},
    "an unknown form": NODE | {"arguments": {"data": {"foo": 0}}},
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_json_is_refused(name):
    with pytest.raises(RuntimeError, match="deserialize"):
        ds.deserialize(BROKEN[name])


def test_arguments(tmp_path, caplog):
    assert ds.deserialize() is None
    with pytest.raises(TypeError):
        ds.serialize(3)
    with pytest.raises(TypeError):
        ds.serialize(numbers(), 3)
    with pytest.raises(TypeError):
        ds.deserialize(3)
    with pytest.raises(TypeError):
        ds.compare(numbers(), 3)
    with pytest.raises(RuntimeError, match="JSON file"):
        ds.deserialize(json_filepath=str(tmp_path / "none"))
    with pytest.raises(TypeError):
        ds.show(numbers(), "a")
    with caplog.at_level(logging.INFO, "ms_compat"):
        ds.show(numbers().batch(2))
    assert '"op_type": "BatchDataset"' in caplog.text


def pipeline(**arguments):
    return {"op_type": "NumpySlicesDataset", "arguments": {"data": [1]} | arguments, "children": []}


def test_dtypes_of_a_pipeline_are_those_of_numbers_and_strings(cheap):
    wide = ds.deserialize(pipeline(data={"array": ["a", "bc"], "numpy": "<U250000000"}, shuffle=False))
    assert [row[0] for row in wide.create_tuple_iterator(output_numpy=True)] == ["a", "bc"]
    for name in ("O", "V1000000000", "f4," * 1000, "M8", "U9,f4", "c16", 3, None, ["f4"], "f3x"):
        with pytest.raises(RuntimeError, match="must be a dtype of numbers or strings"):
            ds.deserialize(pipeline(data={"array": ["a"], "numpy": name}))


def deep(levels, make):
    held = [1]
    for _ in range(levels):
        held = make(held)
    return held


@pytest.mark.parametrize("held", [
    {"op_type": 3, "arguments": {}, "children": []},
    {"op_type": "NumpySlicesDataset", "arguments": [], "children": []},
    {"op_type": "NumpySlicesDataset", "arguments": {}, "children": 3},
    {"op_type": "NumpySlicesDataset", "arguments": {"data": {"child": 7}}, "children": []},
    {"op_type": "os.system", "arguments": {}, "children": []},
    {"op_type": "serialization.Remembered", "arguments": {}, "children": []},
    {"op_type": "map", "arguments": {}, "children": []},
    pipeline(data={"class": 3, "arguments": {}}),
    {"op_type": "BatchDataset", "arguments": {"dataset": [], "batch_size": 1}, "children": []},
    pipeline(data={"enum": ["dataset.Shuffle"], "name": "FILES"}),
    pipeline(data={"enum": "dataset.Shuffle", "name": "__class__"}),
    pipeline(data={"array": [[1], [2, 3]], "numpy": "int32"}),
    pipeline(data={"array": [1 << 80], "numpy": "int32"}),
    pipeline(data=deep(30_000, lambda held: [held])),
    deep(30_000, lambda held: {"op_type": "RepeatDataset", "arguments": {}, "children": [held]}),
], ids=range(15))  # fmt: skip
def test_pipelines_of_something_else(held):
    with pytest.raises(RuntimeError, match="For 'deserialize'"):
        ds.deserialize(held)


def test_arrays_of_strings_and_their_dtypes_come_back():
    data = ds.NumpySlicesDataset({"a": np.array(["x", "yz"]), "b": np.array([1.5, np.inf])}, shuffle=False)
    assert ds.compare(data, ds.deserialize(ds.serialize(data)))
