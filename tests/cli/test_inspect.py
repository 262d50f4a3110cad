"""`inspect` shows what files hold, reads them without executing anything, and refuses damaged ones."""

import io
import json
import os
import pickle
import random
from collections import OrderedDict

import numpy as np
import pytest
from safetensors.numpy import save_file

import ms_compat as ms
from ms_compat import __main__ as cli
from ms_compat import nn
from ms_compat._formats.checkpoint import codec
from ms_compat._formats.checkpoint.torch_zip import TorchReader
from ms_compat.cli import inspect
from tests._formats.torch_files import pickled, state_dict, tensor, text, torch_file


def told(capsys, *arguments, status=0):
    assert cli.main(["inspect", *map(str, arguments), "--json"]) == status
    return json.loads(capsys.readouterr().out)


VALUES = {"b.weight": np.arange(6, dtype=np.float32).reshape(2, 3), "a": np.array([True, False]), "n": np.int64(-3)}


def test_the_formats_say_the_same(tmp_path, capsys):
    codec.write(str(tmp_path / "x.ckpt"), VALUES.items())
    save_file({name: np.asarray(value) for name, value in VALUES.items()}, tmp_path / "x.safetensors")
    np.savez(tmp_path / "x.npz", **VALUES)
    for name, kind in (("x.ckpt", "MindSpore checkpoint"), ("x.safetensors", "safetensors"), ("x.npz", "NumPy arrays")):
        found = told(capsys, tmp_path / name, "--sort", "name")
        assert (found["format"], found["parameters"], found["elements"], found["bytes"]) == (kind, 3, 9, 34)
        a, b, n = found["entries"]
        assert (a["name"], a["dtype"], a["shape"], a["mean"]) == ("a", "bool", [2], 0.5)
        assert (b["min"], b["max"], b["mean"], b["zeros"], b["shape"]) == (0, 5, 2.5, 1, [2, 3])
        assert b["std"] == pytest.approx(np.std(np.arange(6)))
        assert sum(b["histogram"]) == 6
        assert (n["shape"], n["min"], n["std"]) == ([], -3, 0)


def test_a_graph(tmp_path, capsys):
    net = nn.Dense(4, 3)
    ms.export(net, ms.ops.ones((2, 4), ms.float32), file_name=str(tmp_path / "net"), file_format="MINDIR")
    found = told(capsys, tmp_path / "net.mindir")
    assert [entry["name"] for entry in found["entries"]] == ["weight", "bias"]
    assert found["entries"][0]["max"] == pytest.approx(float(net.weight.asnumpy().max()))
    assert found["operations"]["MatMul"] == 1


def test_a_file_of_pytorch_is_read_by_name_and_nothing_in_it_is_called(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    state_dict("net.ckpt")  # as Lightning calls them
    found = told(capsys, "net.ckpt")
    assert found["format"] == "PyTorch zip file"
    w, h = found["entries"]
    assert (w["name"], w["shape"], w["dtype"], w["min"], w["max"]) == ("model.w", [3, 2], "float32", 1, 6)
    assert (h["name"], h["dtype"], h["mean"]) == ("model.h", "bfloat16", 1.5)
    assert found["left out, as they are objects"] == "object"
    assert not os.path.exists("executed")
    with TorchReader("net.ckpt") as reader:
        assert reader.read("model.w").tolist() == [[1, 4], [2, 5], [3, 6]]


def test_a_whole_module_of_pytorch_gives_its_parameters(tmp_path):
    weight = tensor("FloatStorage", "a", 2, 0, (2,), (1,))
    inner = b"cnet\nLayer\n)\x81}(" + text("_parameters") + b"}" + text("w") + weight + b"s" + text("_modules") + b"}ub"
    outer = b"cnet\nNet\n)\x81}(" + text("_modules") + b"}" + text("fc") + inner + b"sub"
    torch_file(tmp_path / "x.pt", pickled(outer), a=np.array([1, 2], np.float32))
    with TorchReader(str(tmp_path / "x.pt")) as reader:
        assert reader.names == ["fc.w"] and reader.read("fc.w").tolist() == [1, 2]


def test_damaged_files_end_with_2(tmp_path, capsys):
    codec.write(str(tmp_path / "a.ckpt"), VALUES.items())
    np.savez(tmp_path / "a.npz", **VALUES)
    np.save(tmp_path / "a.npy", np.arange(5.0))
    save_file({"w": np.zeros(3)}, tmp_path / "a.safetensors")
    state_dict(tmp_path / "a.pt")
    random_ = random.Random(0)
    statuses = set()
    for path in sorted(tmp_path.glob("a.*")):
        whole = path.read_bytes()
        for _ in range(40):
            data = bytearray(whole[: random_.randrange(len(whole))] if random_.random() < 0.3 else whole)
            for _ in range(3 * bool(data)):
                data[random_.randrange(len(data))] = random_.randrange(256)
            path.write_bytes(data)
            statuses.add(cli.main(["inspect", str(path)]))
    capsys.readouterr()
    assert statuses <= {0, 1, 2} and 2 in statuses


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("nowhere.ckpt", None, "nowhere.ckpt': No such file or directory\n"),
        ("empty.ckpt", b"", "empty.ckpt' is empty\n"),
        ("empty.mindir", b"", "empty.mindir' is empty\n"),
        ("page.ckpt", b"\n<!DOCTYPE html>", "page.ckpt' is a web page (16 bytes)"),
        ("lfs.safetensors", b"version https://git-lfs.github.com/spec/v1\n", "is a pointer of Git LFS"),
        ("x.txt", b"hello", "is none of"),
        ("old.pt", pickle.dumps(OrderedDict(a=1), 2), "is a pickle"),
        ("x.npz", b"PK\x03\x04 and no zip", "x.npz"),
        ("x.safetensors", b"\xff" * 20, "x.safetensors"),
        ("x.mindir", b"\xff" * 20, "cannot be read"),
    ],
)
def test_what_is_no_such_file_is_said(tmp_path, capsys, name, data, message):
    if data is not None:
        (tmp_path / name).write_bytes(data)
    assert cli.main(["inspect", str(tmp_path / name)]) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and message in captured.err


def test_an_array_that_says_more_than_it_has_takes_no_memory(tmp_path, capsys):
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f8", "fortran_order": False, "shape": (1 << 40,)})
    (tmp_path / "x.npy").write_bytes(header.getvalue())
    assert cli.main(["inspect", str(tmp_path / "x.npy")]) == 2
    assert "has only" in capsys.readouterr().err


def test_objects_are_not_unpickled(tmp_path, capsys):
    np.savez(tmp_path / "x.npz", o=np.array([None, {}], dtype=object))
    (entry,) = told(capsys, tmp_path / "x.npz")["entries"]
    assert entry["dtype"] == "object" and "mean" not in entry


def test_values_that_are_not_finite_are_told_and_end_with_1(tmp_path, capsys):
    save_file({"w": np.array([1, np.nan, np.inf, -1], np.float32), "v": np.full(2, np.nan)}, tmp_path / "x.safetensors")
    assert cli.main(["inspect", str(tmp_path / "x.safetensors")]) == 1
    captured = capsys.readouterr()
    assert "1 nan 1 infinite" in captured.out and "'w' has values" in captured.err
    v, w = told(capsys, tmp_path / "x.safetensors", status=1)["entries"]
    assert (w["nan"], w["infinite"], w["mean"], sum(w["histogram"])) == (1, 1, 0, 2)
    assert v["nan"] == 2 and "mean" not in v
    assert cli.main(["inspect", str(tmp_path / "x.safetensors"), "--no-stats"]) == 0


def test_a_pattern_without_a_match_is_an_error(tmp_path, capsys):
    codec.write(str(tmp_path / "a.ckpt"), VALUES.items())
    assert cli.main(["inspect", str(tmp_path / "a.ckpt"), "--only", "b.wieght"]) == 2
    text = "ms-compat inspect: --only 'b.wieght' matches none of the 3 names, such as 'b.weight'\n"
    assert capsys.readouterr() == ("", text)
    assert cli.main(["inspect", str(tmp_path / "a.ckpt"), "--only", "a"]) == 0
    assert capsys.readouterr().out.endswith("\n1 parameter, 2 elements, 2 bytes\n")


def test_the_table_chooses_and_sorts(tmp_path, capsys):
    codec.write(str(tmp_path / "x.ckpt"), VALUES.items())
    assert cli.main(["inspect", str(tmp_path / "x.ckpt"), "--only", "[an]", "--sort", "bytes"]) == 0
    out = capsys.readouterr().out
    assert "weight" not in out and "2 parameters, 3 elements, 10 bytes" in out
    assert out.index("\nn ") < out.index("\na ")


@pytest.mark.parametrize(
    "values",
    [
        np.linspace(-3, 5, 1001).astype(np.float16),
        np.arange(100, dtype=np.uint8),
        np.array([-1.7e308, 1.7e308]),
        np.array([3 + 4j, 0], np.complex64),
        np.zeros((0, 3)),
        np.full((3, 3), 7.0),
    ],
    ids=str,
)
def test_statistics_are_numpy_s(values):
    found = inspect.statistics(values)
    if not values.size:
        assert found == {"nan": 0, "infinite": 0}
        return
    plain = np.abs(values) if values.dtype.kind == "c" else values.astype(np.float64)
    assert (found["min"], found["max"], found["zeros"]) == (plain.min(), plain.max(), (plain == 0).sum())
    assert found["mean"] == pytest.approx(plain.mean())
    assert sum(found["histogram"]) == values.size
    scale = plain.max() or 1
    assert found["std"] / scale == pytest.approx((plain.astype(np.float64) / scale).std())


def test_statistics_of_pieces_are_those_of_the_whole(monkeypatch):
    values = np.random.default_rng(0).normal(size=1000)
    whole = inspect.statistics(values)
    monkeypatch.setattr(inspect, "_CHUNK", 64)
    parts = inspect.statistics(values)
    assert parts["histogram"] == whole["histogram"]
    assert parts["std"] == pytest.approx(whole["std"], rel=1e-12)
