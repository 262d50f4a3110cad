"""Layers and operations that are exported with a batch and other sizes that are open, and how files of each format run.

A case names its inputs' sizes as `interop.jax.export` does. A letter is an open size, the same wherever it stands.
"""

from __future__ import annotations

import jax
import numpy as np

import ms_compat as ms
from ms_compat import Tensor, mint, nn, ops
from ms_compat._formats.onnx.export import _leaf_names
from ms_compat.interop import jax as interop
from tests._formats.mindir.nets import Of, floats, ints
from tests.conformance.record.mindir_export import leaves

FORMATS = ("ONNX", "MINDIR", "StableHLO")
# the sizes of each letter: those of the export come second
SIZES = {
    "b": (1, 2, 5),
    "t": (3, 4, 7),
    "n": (3, 6, 4),
    "m": (4, 5, 2),
    "d": (6, 8, 7),
    "h": (8, 9, 12),
    "w": (10, 8, 13),
}
_IMAGES, _VOLUMES, _STEPS = "b, 4, h, w", "b, 2, d, h, w", "b, t, 4"


def shapes(sizes, at):
    """The shapes of the inputs with the letters' numbers at that place."""
    parts = [text.split(",") for text in sizes]
    return [tuple(SIZES[p.strip()][at] if p.strip() in SIZES else int(p) for p in one) for one in parts]


def inputs(sizes, at):
    """Inputs for these shapes; those of one axis are lengths or indices."""
    return [floats(*shape) if len(shape) > 1 else ints(*shape, below=3) + 1 for shape in shapes(sizes, at)]


def exported(file_format, net, sizes, folder, first=None):
    """A function of Tensors that runs the file, whose open sizes have the letters as names."""
    first = inputs(sizes, 1) if first is None else first
    axes = [{i: p.strip() for i, p in enumerate(text.split(",")) if p.strip() in SIZES} for text in sizes]
    path = f"{folder}/net"
    if file_format == "ONNX":
        import onnxruntime

        names = _leaf_names(net, tuple(first))
        ms.onnx.export(net, *first, file_name=path, dynamic_axes=dict(zip(names, axes, strict=True)))
        session = onnxruntime.InferenceSession(f"{path}.onnx", providers=["CPUExecutionProvider"])
        fed = [value.name for value in session.get_inputs()]
        return lambda *given: session.run(None, {name: x.asnumpy() for name, x in zip(fed, given, strict=True)})
    if file_format == "MINDIR":
        opened = [
            Tensor(shape=[None if axis in of else size for axis, size in enumerate(x.shape)], dtype=x.dtype)
            for x, of in zip(first, axes, strict=True)
        ]
        ms.export(net, *opened, file_name=path, file_format="MINDIR")
        cell = nn.GraphCell(ms.load(f"{path}.mindir"))
        return lambda *given: leaves(cell(*given))
    artifact = interop.export(net, tuple(first), sizes=sizes, weights="inside", platforms=("cpu",))
    return lambda *given: [np.asarray(x) for x in jax.tree.leaves(artifact.call(*[g.asnumpy() for g in given]))]


def saved(file_format, net, given, folder):
    """A function of Tensors that runs the file of a net, whose sizes are those of the inputs."""
    texts = [", ".join(map(str, x.shape)) for x in given]
    return exported(file_format, net, texts, folder, given)


def resized(mode, **options):
    return lambda: Of(lambda x: ops.interpolate(x, mode=mode, **options))


def moved(x):
    x = x * 1
    x[:, 1:] = x[:, :-1]
    return x


class WithLengths(nn.Cell):
    """A recurrent layer whose rows have lengths."""

    def __init__(self, layer):
        super().__init__()
        self.layer = layer

    def construct(self, x, lengths):
        return self.layer(x, seq_length=lengths)


def parts(x):
    return x[:, 1:-1, ::2], x[:, :3], x[:, -2:], x[:, 1], x[:, : x.shape[1] // 2]


def lengths(layer):
    return lambda: WithLengths(layer())


_SCALED = {"recompute_scale_factor": True}
LAYERS = {
    "Conv2d": (lambda: nn.Conv2d(4, 6, 3, 2, pad_mode="valid"), _IMAGES),
    "Conv3d": (lambda: nn.Conv3d(2, 3, 3, 2, pad_mode="valid"), _VOLUMES),
    "Conv1dTranspose": (lambda: nn.Conv1dTranspose(4, 6, 3, 2), "b, 4, h"),
    "Conv2dTranspose": (lambda: nn.Conv2dTranspose(4, 6, 3, 2, "pad", 1, output_padding=1), _IMAGES),
    "Conv3dTranspose": (lambda: nn.Conv3dTranspose(2, 3, 3, 2), _VOLUMES),
    "Conv3dTranspose padded": (lambda: nn.Conv3dTranspose(2, 3, 3, 2, "pad", 1), _VOLUMES),
    "AvgPool3d": (lambda: nn.AvgPool3d(3, 2, "same"), _VOLUMES),
    "AdaptiveMaxPool2d": (lambda: nn.AdaptiveMaxPool2d((3, 2)), _IMAGES),
    "AdaptiveMaxPool2d of all": (lambda: nn.AdaptiveMaxPool2d(1, return_indices=True), _IMAGES),
    "AdaptiveMaxPool3d": (lambda: nn.AdaptiveMaxPool3d((2, None, 2), return_indices=True), _VOLUMES),
    "FractionalMaxPool2d": (
        lambda: nn.FractionalMaxPool2d(2, (4, 4), _random_samples=Tensor(np.full((1, 4, 2), 0.3, np.float32))),
        "1, 4, h, w",
    ),
    "ReflectionPad2d": (lambda: nn.ReflectionPad2d(2), _IMAGES),
    "SYMMETRIC": (lambda: nn.Pad(((0, 0), (0, 0), (1, 2), (2, 1)), "SYMMETRIC"), _IMAGES),
    "ReplicationPad3d": (lambda: nn.ReplicationPad3d(2), _VOLUMES),
    "Upsample": (lambda: nn.Upsample(scale_factor=(2.0, 1.5), mode="bilinear", **_SCALED), _IMAGES),
    "LSTM": (lambda: nn.LSTM(4, 5, batch_first=True), _STEPS),
    "LSTM, two layers both ways": (lambda: nn.LSTM(4, 5, 2, bidirectional=True), "t, b, 4"),
    "LSTM with lengths": (lengths(lambda: nn.LSTM(4, 5, batch_first=True)), [_STEPS, "b"]),
    "GRU with lengths, both ways": (lengths(lambda: nn.GRU(4, 5, batch_first=True, bidirectional=True)), [_STEPS, "b"]),
    "Transformer": (lambda: nn.Transformer(8, 2, 1, 1, 16, batch_first=True), ["b, t, 8", "b, n, 8"]),
}
RESIZES = {
    "nearest": resized("nearest", scale_factor=2.0, **_SCALED),
    "nearest-exact": resized("nearest-exact", size=(7, 9)),
    "bilinear": resized("bilinear", scale_factor=1.5, **_SCALED),
    "bilinear, corners": resized("bilinear", scale_factor=2.0, align_corners=True, **_SCALED),
    "bicubic": resized("bicubic", scale_factor=1.7, **_SCALED),
    "bicubic, corners": resized("bicubic", size=(13, 1), align_corners=True),
    "area": resized("area", scale_factor=0.5),
    "mint, bilinear": lambda: Of(lambda x: mint.nn.functional.interpolate(x, scale_factor=1.3, mode="bilinear")),
    "mint, bicubic": lambda: Of(lambda x: mint.nn.functional.interpolate(x, scale_factor=2.0, mode="bicubic")),
    "ResizeNearestNeighbor": lambda: Of(lambda x: ops.ResizeNearestNeighbor((13, 11))(x)),
}
OPERATIONS = {
    **{name: (make, _IMAGES) for name, make in RESIZES.items()},
    "to the size of another": (lambda: Of(lambda x, y: ops.interpolate(x, y.shape[2:], mode="bilinear")),
                               ["b, 4, n, m", "b, 3, h, w"]),
    "trilinear": (resized("trilinear", scale_factor=1.5), "b, 2, 4, n, m"),
    "linear": (resized("linear", scale_factor=2.0, **_SCALED), "b, 4, h"),
    "affine_grid": (lambda: Of(lambda t, x: ops.affine_grid(t, x.shape)), ["b, 2, 3", _IMAGES]),
    "max_pool2d with indices": (lambda: Of(lambda x: ops.max_pool2d(x, 3, 2, 1, return_indices=True)), _IMAGES),
    "circular": (lambda: Of(lambda x: ops.pad(x, (1, 2, 2, 1), mode="circular")), _IMAGES),
    "reflect": (lambda: Of(lambda x: mint.nn.functional.pad(x, (1, 2, 0, 1), mode="reflect")), _IMAGES),
    "unfold": (lambda: Of(lambda x: ops.unfold(x, 2, 1, 0, 2)), _IMAGES),
    "topk": (lambda: Of(lambda x: ops.topk(x, 2, -1)), "b, t"),
    "topk of half": (lambda: Of(lambda x: ops.topk(x, x.shape[1] // 2)), "b, t"),
    "slices": (lambda: Of(parts), "b, t, h"),
    "pairs": (lambda: Of(lambda x: x[:, : x.shape[1] // 2 * 2].reshape(x.shape[0], -1, 2)), "b, t"),
    "moved": (lambda: Of(moved), "b, t"),
}  # fmt: skip
CASES = {**LAYERS, **OPERATIONS}
