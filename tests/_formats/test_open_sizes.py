"""Layers and operations whose batch, heights, widths and lengths stay open, in every format."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, UnsupportedError, nn, ops
from ms_compat.interop import jax as interop
from tests._formats import open_sizes
from tests._formats.mindir.nets import Of, floats
from tests.conformance.record.mindir_export import leaves

NEEDED = {"ONNX": ("onnx", "onnxruntime"), "StableHLO": ("flatbuffers",), "MINDIR": ()}


@pytest.fixture(params=open_sizes.FORMATS)
def file_format(request):
    for module in NEEDED[request.param]:
        pytest.importorskip(module, reason=f"{module} is not installed")
    return request.param


@pytest.mark.parametrize("name", open_sizes.CASES)
def test_other_sizes_are_served(name, file_format, tmp_path):
    ms.set_seed(1)
    make, sizes = open_sizes.CASES[name]
    sizes = [sizes] if isinstance(sizes, str) else sizes
    net = make().set_train(False)
    run = open_sizes.exported(file_format, net, sizes, tmp_path)
    for at in (0, 2):
        given = open_sizes.inputs(sizes, at)
        found, wanted = run(*given), leaves(net(*given))
        assert [(f.shape, f.dtype) for f in found] == [(w.shape, w.dtype) for w in wanted]
        for mine, theirs in zip(found, wanted, strict=True):
            np.testing.assert_allclose(mine, theirs, rtol=1e-4, atol=1e-4)


def first_three(x):
    return x[:, :3].mean(1)


def test_a_size_that_is_too_small_is_an_error_when_the_file_runs(file_format, tmp_path):
    run = open_sizes.exported(file_format, Of(first_three), ["b, t"], tmp_path)
    with pytest.raises(Exception):  # noqa: B017  (each runtime has a class of its own)
        run(floats(2, 2))


def test_a_kernel_larger_than_an_unknown_size_is_possible(tmp_path):
    net = nn.Conv2d(1, 2, 11, pad_mode="valid")
    ms.export(
        net, Tensor(shape=[None, 1, None, None], dtype=ms.float32), file_name=f"{tmp_path}/a", file_format="MINDIR"
    )
    x = floats(2, 1, 12, 13)
    found = nn.GraphCell(ms.load(f"{tmp_path}/a.mindir"))(x)
    np.testing.assert_allclose(found.asnumpy(), net(x).asnumpy(), rtol=1e-4, atol=1e-4)


def test_a_factor_that_is_no_fraction_is_refused():
    net = Of(lambda x: ops.interpolate(x, scale_factor=1.234567891, mode="nearest", recompute_scale_factor=True))
    with pytest.raises(UnsupportedError, match="with the factor 1.234567891"):
        interop.export(net, floats(2, 3, 8, 8), sizes="b, 3, h, w")


def transformed(x):
    return ops.abs(ops.fft(x, dim=-1))


def tripled_if_long(x):
    return x * 3 if x.shape[1] > 5 else x


@pytest.mark.parametrize("net", [transformed, tripled_if_long])
def test_stablehlo_names_the_line(net):
    pytest.importorskip("flatbuffers", reason="flatbuffers is not installed")
    with open(__file__, encoding="utf-8") as file:
        number = next(at for at, text in enumerate(file, 1) if f"def {net.__name__}" in text) + 1
    with pytest.raises(UnsupportedError, match=rf"test_open_sizes\.py:{number}"):
        interop.export(Of(net), floats(2, 6), sizes="b, t")


def test_a_recurrence_of_open_length_has_a_derivative():
    pytest.importorskip("flatbuffers", reason="flatbuffers is not installed")
    import jax
    from jax import export

    net = nn.GRU(3, 4, batch_first=True)
    artifact = interop.export(net, floats(2, 5, 3), sizes="b, t, 3", weights="inside", platforms=("cpu",))
    loaded = export.deserialize(artifact.serialize(vjp_order=1))
    for batch, steps in ((1, 1), (3, 8)):
        x = floats(batch, steps, 3)
        found = jax.grad(lambda x: (loaded.call(x)[0] ** 2).sum())(x._v)
        np.testing.assert_allclose(found, ms.grad(lambda x: (net(x)[0] ** 2).sum())(x).asnumpy(), rtol=1e-4, atol=1e-5)
