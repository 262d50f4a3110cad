"""`convert`: values stay, names change as asked, and nothing is written after an error."""

import argparse
import os
import re

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from ms_compat._formats.checkpoint import codec, names
from ms_compat._formats.checkpoint.codec import CkptReader
from ms_compat.cli import convert
from tests._formats.torch_files import pickled, text, torch_file

TORCH = {
    "conv.weight": (4, 3, 1, 1), "conv.bias": (4,), "bn1.weight": (4,), "bn1.bias": (4,), "bn1.running_mean": (4,),
    "bn1.running_var": (4,), "bn1.num_batches_tracked": (), "downsample.1.weight": (4,), "downsample.1.bias": (4,),
    "downsample.1.running_mean": (4,), "downsample.1.running_var": (4,), "ln_f.weight": (4,), "ln_f.bias": (4,),
    "blocks.0.norm.weight": (4,), "tok_embeddings.weight": (7, 4), "wte.weight": (7, 4), "head.weight": (2, 4),
    "fc.weight": (2, 4), "fc.bias": (2,), "act.weight": (4,), "weight": (4,), "bias": (4,),
}  # fmt: skip
MINDSPORE = {
    "bn1.weight": "bn1.gamma", "bn1.bias": "bn1.beta", "bn1.running_mean": "bn1.moving_mean",
    "bn1.running_var": "bn1.moving_variance", "bn1.num_batches_tracked": None,
    "downsample.1.weight": "downsample.1.gamma", "downsample.1.bias": "downsample.1.beta",
    "downsample.1.running_mean": "downsample.1.moving_mean",
    "downsample.1.running_var": "downsample.1.moving_variance", "ln_f.weight": "ln_f.gamma", "ln_f.bias": "ln_f.beta",
    "blocks.0.norm.weight": "blocks.0.norm.gamma", "tok_embeddings.weight": "tok_embeddings.embedding_table",
    "wte.weight": "wte.embedding_table", "weight": "gamma", "bias": "beta",
}  # fmt: skip


def run(*arguments):
    parser = argparse.ArgumentParser()
    convert.add_arguments(parser)
    return convert.run(parser.parse_args([str(a) for a in arguments]))


def content(path):
    with CkptReader(str(path)) as reader:
        return {name: reader.read(name) for name in reader.names}


def test_names_of_torch_become_those_of_mindspore_and_back():
    found = names.from_torch(TORCH)
    assert found == {name: MINDSPORE.get(name, name) for name in TORCH}
    there = {new: TORCH[old] for old, new in found.items() if new is not None}
    assert sorted(names.to_torch(there).values()) == sorted(name for name in TORCH if found[name] is not None)


def test_ckpt_to_safetensors_and_back_keeps_values_and_dtypes(tmp_path, capsys):
    items = {"w": np.arange(6, dtype=np.float16).reshape(2, 3), "n": np.int64(3), "b": np.array([True, False])}
    codec.write(str(tmp_path / "a.ckpt"), items.items())
    assert run(tmp_path / "a.ckpt", tmp_path / "a.safetensors", "--crc") == 0
    assert run(tmp_path / "a.safetensors", tmp_path / "b.ckpt") == 0
    assert "b.ckpt: 3 parameters" in capsys.readouterr().out
    for found in (load_file(tmp_path / "a.safetensors"), content(tmp_path / "b.ckpt")):
        assert {k: (v.dtype, v.shape, v.tolist()) for k, v in found.items()} == {
            k: (v.dtype, v.shape, v.tolist()) for k, v in items.items()
        }


def test_a_torch_file_becomes_a_mindspore_checkpoint(tmp_path, capsys):
    save_file({name: np.full(shape, 2, np.float32) for name, shape in TORCH.items()}, tmp_path / "t.safetensors")
    assert run(tmp_path / "t.safetensors", tmp_path / "m.ckpt", "--from", "torch", "--rename", "act.weight=act.w") == 0
    found = content(tmp_path / "m.ckpt")
    assert found.keys() == ({MINDSPORE.get(n, n) for n in TORCH} | {"act.w"}) - {None, "act.weight"}
    assert found["bn1.moving_variance"].shape == (4,)
    out = capsys.readouterr().out
    assert "bn1.num_batches_tracked -> left out" in out and "act.weight -> act.w\n" in out
    assert run(tmp_path / "m.ckpt", tmp_path / "back.safetensors", "--to", "torch", "--rename", "act.w=act.weight") == 0
    assert load_file(tmp_path / "back.safetensors").keys() == TORCH.keys() - {
        "bn1.num_batches_tracked",
    }


def test_a_string_is_refused_or_left_out(tmp_path, capsys):
    codec.write(str(tmp_path / "a.ckpt"), [("w", np.int8(1)), ("note", "text")])
    assert run(tmp_path / "a.ckpt", tmp_path / "a.safetensors") == 2
    assert "cannot hold the parameter 'note'" in capsys.readouterr().err
    assert os.listdir(tmp_path) == ["a.ckpt"]
    assert run(tmp_path / "a.ckpt", tmp_path / "a.safetensors", "--skip-strings") == 0
    assert list(load_file(tmp_path / "a.safetensors")) == ["w"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("zz.ckpt", "b.ckpt"), "can't read 'zz.ckpt': No such file or directory$"),
        (("empty.ckpt", "b.safetensors"), "'empty.ckpt' is empty$"),
        (("page.ckpt", "b.safetensors"), "'page.ckpt' is a web page .15 bytes.: the download did not give the file$"),
        (("lfs.pth", "b.ckpt"), "'lfs.pth' is a pointer of Git LFS in the file's place: 'git lfs pull'"),
        (("folder.ckpt", "b.ckpt"), "can't read 'folder.ckpt': Is a directory$"),
        (("a.txt", "b.ckpt"), "must end in .ckpt, .safetensors, .pt, .pth or .bin"),
        (("a.ckpt", "b.bin"), "^ms-compat convert: 'b.bin' must end in .ckpt or .safetensors$"),
        (("a.ckpt", "a.ckpt"), "--force replaces it"),
        (("bad.ckpt", "b.safetensors"), "bad.ckpt"),
        (("a.ckpt", "nodir/b.ckpt"), "can't write 'nodir/b.ckpt': there is no folder 'nodir'$"),
        (("a.ckpt", "folder.ckpt", "--force"), "can't write 'folder.ckpt': Is a directory$"),
        (("a.ckpt", "b.ckpt", "--rename", "u=w"), "would get one name.*'w' for 'u' and for 'w'"),
        (("a.ckpt", "b.ckpt", "--rename", "zz=y"), "does not have: .'zz'."),
        (("a.ckpt", "b.ckpt", "--rename", "w"), "OLD=NEW"),
    ],
)
def test_what_cannot_be_done_is_said_and_leaves_no_file(arguments, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    codec.write("a.ckpt", [("u", np.int8(1)), ("w", np.int8(1))])
    (tmp_path / "bad.ckpt").write_bytes(b"hello world")
    (tmp_path / "empty.ckpt").touch()
    (tmp_path / "page.ckpt").write_bytes(b"<!DOCTYPE html>")
    (tmp_path / "lfs.pth").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 1\n")
    (tmp_path / "folder.ckpt").mkdir()
    before = sorted(os.listdir("."))
    assert run(*arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and captured.err.startswith("ms-compat convert: ") and captured.err.count("\n") == 1
    assert re.search(message, captured.err.rstrip()) and ".tmp" not in captured.err
    assert sorted(os.listdir(".")) == before


@pytest.mark.parametrize("kind", ["torch", "left out"])
def test_a_file_without_tensors_is_refused(kind, tmp_path, capsys):
    path, rest = tmp_path / ("x.pt" if kind == "torch" else "x.ckpt"), ()
    if kind == "torch":
        torch_file(path, pickled(b"}", text("epoch"), b"K\x03s"))
    else:
        codec.write(str(path), [("w", np.ones(2, np.float32))])
        rest = ("--rename", "w=")
    assert run(path, tmp_path / "y.ckpt", *rest) == 2
    assert "nothing to convert" in capsys.readouterr().err
    assert not (tmp_path / "y.ckpt").exists()


def test_force_replaces_the_target(tmp_path):
    codec.write(str(tmp_path / "a.ckpt"), [("w", np.int8(1))])
    codec.write(str(tmp_path / "b.ckpt"), [("x", np.int8(2))])
    assert run(tmp_path / "a.ckpt", tmp_path / "b.ckpt", "--force", "--rename", "w=v") == 0
    assert content(tmp_path / "b.ckpt") == {"v": 1}


FLAX = {
    "conv.weight": ("conv.kernel", (2, 3, 5, 4)), "fc.weight": ("fc.kernel", (7, 6)), "fc.bias": ("fc.bias", (6,)),
    "bn.gamma": ("bn.scale", (4,)), "bn.beta": ("bn.bias", (4,)), "bn.moving_mean": ("bn.mean", (4,)),
    "bn.moving_variance": ("bn.var", (4,)), "emb.embedding_table": ("emb.embedding", (9, 3)),
    "act.weight": ("act.weight", (1,)),
}  # fmt: skip


def test_flax_has_other_names_and_kernels_the_other_way_round(tmp_path):
    from flax import nnx

    shapes = {"conv.weight": (4, 5, 2, 3), "fc.weight": (6, 7)}
    rng = np.random.default_rng(0)
    items = {name: rng.normal(size=shapes.get(name, shape)).astype(np.float32) for name, (_, shape) in FLAX.items()}
    codec.write(str(tmp_path / "m.ckpt"), items.items())
    assert run(tmp_path / "m.ckpt", tmp_path / "f.safetensors", "--to", "flax") == 0
    found = load_file(tmp_path / "f.safetensors")
    assert {name: value.shape for name, value in found.items()} == dict(FLAX.values())
    x = rng.normal(size=(2, 7)).astype(np.float32)
    layer = nnx.Linear(7, 6, rngs=nnx.Rngs(0))
    layer.kernel[...], layer.bias[...] = found["fc.kernel"], found["fc.bias"]
    np.testing.assert_allclose(layer(x), x @ items["fc.weight"].T + items["fc.bias"], rtol=1e-5, atol=1e-5)
    assert run(tmp_path / "f.safetensors", tmp_path / "back.ckpt", "--from", "flax") == 0
    back = content(tmp_path / "back.ckpt")
    assert back.keys() == items.keys()
    assert all(np.array_equal(back[name], value) for name, value in items.items())


def test_a_convolution_of_flax_computes_what_it_did(tmp_path):
    import ms_compat as ms
    from ms_compat import nn

    net = nn.Conv2d(3, 4, 3, pad_mode="valid", has_bias=True)
    ms.save_checkpoint(net, str(tmp_path / "m.ckpt"))
    assert run(tmp_path / "m.ckpt", tmp_path / "f.safetensors", "--to", "flax") == 0
    from flax import nnx

    found = load_file(tmp_path / "f.safetensors")
    layer = nnx.Conv(3, 4, (3, 3), padding="VALID", rngs=nnx.Rngs(0))
    layer.kernel[...], layer.bias[...] = found["kernel"], found["bias"]
    x = np.random.default_rng(0).normal(size=(2, 3, 6, 6)).astype(np.float32)
    ours = net(ms.Tensor(x)).asnumpy()
    np.testing.assert_allclose(np.transpose(layer(x.transpose(0, 2, 3, 1)), (0, 3, 1, 2)), ours, rtol=1e-4, atol=1e-5)


def test_collections_of_linen_and_names_of_torch(tmp_path):
    shapes = {"params/bn/scale": (4,), "params/bn/bias": (4,), "batch_stats/bn/mean": (4,), "params/fc/kernel": (3, 2)}
    assert {name: new for name, (new, _) in names.from_flax(shapes).items()} == {
        "params/bn/scale": "bn.gamma", "params/bn/bias": "bn.beta", "batch_stats/bn/mean": "bn.moving_mean",
        "params/fc/kernel": "fc.weight",
    }  # fmt: skip
    save_file(
        {"bn.weight": np.ones(4), "bn.running_mean": np.ones(4), "fc.weight": np.ones((2, 3))},
        tmp_path / "t.safetensors",
    )
    assert run(tmp_path / "t.safetensors", tmp_path / "f.safetensors", "--from", "torch", "--to", "flax") == 0
    assert {name: value.shape for name, value in load_file(tmp_path / "f.safetensors").items()} == {
        "bn.scale": (4,), "bn.mean": (4,), "fc.kernel": (3, 2)
    }  # fmt: skip


def test_a_file_of_pytorch_s_own_is_converted(tmp_path):
    from tests.cli.test_inspect import state_dict

    state_dict(tmp_path / "net.pt")
    assert run(tmp_path / "net.pt", tmp_path / "m.ckpt", "--from", "torch") == 0
    found = content(tmp_path / "m.ckpt")
    assert found["model.w"].tolist() == [[1, 4], [2, 5], [3, 6]]
    assert found["model.h"].dtype.name == "bfloat16"
