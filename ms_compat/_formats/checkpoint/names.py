"""PyTorch's, flax's and MindSpore's parameter names, for state dicts that are moved by hand.

Layouts agree (Dense [out, in], convolutions OIHW); what differs are the last parts of names: a normalisation has
`gamma` and `beta`, a batch normalisation `moving_mean` and `moving_variance`, an embedding `embedding_table`, and
there is no `num_batches_tracked`. PyTorch calls nearly everything `weight`, so what kind of layer a module is has to
be read from the rest: a batch normalisation has running statistics; a layer or group normalisation has a weight of
one dimension and a bias of its shape, or says "norm" in its name; an embedding has a weight of two dimensions, no
bias, and says so in its name.

flax calls parameters by what they are (`kernel`, `scale`, `embedding`), so that names say the layer, but lays kernels
out the other way round: Dense [in, out], convolutions HWIO. In a file a transposed convolution looks like another; its
kernel is turned as an ordinary one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_TO_TORCH = {
    "gamma": "weight",
    "beta": "bias",
    "moving_mean": "running_mean",
    "moving_variance": "running_var",
    "embedding_table": "weight",
}
_STATISTICS = {"running_mean": "moving_mean", "running_var": "moving_variance"}
_NORM = {"weight": "gamma", "bias": "beta"}
_NORM_NAME = re.compile(r"norm|(^|[._])(bn|ln)(\d|[._]|$)", re.IGNORECASE)
_EMBEDDING_NAME = re.compile(r"embed|(^|[._])(emb|wte|wpe)(\d|[._]|$)", re.IGNORECASE)


def from_torch(shapes: Mapping[str, tuple[int, ...]]) -> dict[str, str | None]:
    """MindSpore's name for each name of a PyTorch state dict.

    Args:
        shapes: name -> shape of each entry.

    Returns:
        dict of name to new name; None for an entry that MindSpore does not have.

    >>> from_torch({"bn.weight": (8,), "bn.running_mean": (8,), "bn.num_batches_tracked": (), "fc.weight": (2, 8)})
    {'bn.weight': 'bn.gamma', 'bn.running_mean': 'bn.moving_mean', 'bn.num_batches_tracked': None,
     'fc.weight': 'fc.weight'}
    """
    return {name: _from_torch(name, shapes) for name in shapes}


def _from_torch(name: str, shapes: Mapping[str, tuple[int, ...]]) -> str | None:
    module, dot, leaf = name.rpartition(".")
    if leaf == "num_batches_tracked":
        return None
    if leaf in _STATISTICS:
        return module + dot + _STATISTICS[leaf]
    if leaf not in _NORM:
        return name
    weight, bias = shapes.get(f"{module}{dot}weight"), shapes.get(f"{module}{dot}bias")
    if weight is not None and len(weight) == 1:
        if f"{module}{dot}running_mean" in shapes or bias == weight or _NORM_NAME.search(module.rpartition(".")[2]):
            return module + dot + _NORM[leaf]
    if leaf == "weight" and bias is None and len(weight or ()) == 2:
        if _EMBEDDING_NAME.search(module.rpartition(".")[2]):
            return f"{module}{dot}embedding_table"
    return name


def to_torch(names: Mapping[str, object]) -> dict[str, str]:
    """PyTorch's name for each MindSpore name.

    >>> to_torch({"bn.gamma": (8,), "bn.moving_variance": (8,), "fc.weight": (2, 8)})
    {'bn.gamma': 'bn.weight', 'bn.moving_variance': 'bn.running_var', 'fc.weight': 'fc.weight'}
    """
    found = {}
    for name in names:
        module, dot, leaf = name.rpartition(".")
        found[name] = module + dot + _TO_TORCH.get(leaf, leaf)
    return found


_TO_FLAX = {
    "gamma": "scale",
    "beta": "bias",
    "moving_mean": "mean",
    "moving_variance": "var",
    "embedding_table": "embedding",
}
_OF_NORM = {"scale": "gamma", "bias": "beta", "mean": "moving_mean", "var": "moving_variance"}
_COLLECTIONS = ("params", "batch_stats")


def to_flax(shapes: Mapping[str, tuple[int, ...]]) -> dict[str, tuple[str, tuple[int, ...] | None]]:
    """The flax name for each MindSpore name, and how the axes are permuted; None for as they are.

    >>> to_flax({"conv.weight": (8, 3, 5, 5), "fc.weight": (2, 8), "bn.gamma": (8,)})
    {'conv.weight': ('conv.kernel', (2, 3, 1, 0)), 'fc.weight': ('fc.kernel', (1, 0)), 'bn.gamma': ('bn.scale', None)}
    """
    found: dict[str, tuple[str, tuple[int, ...] | None]] = {}
    for name, shape in shapes.items():
        module, dot, leaf = name.rpartition(".")
        if leaf == "weight" and len(shape) > 1:
            found[name] = (f"{module}{dot}kernel", (*range(2, len(shape)), 1, 0))
        else:
            found[name] = (module + dot + _TO_FLAX.get(leaf, leaf), None)
    return found


def from_flax(shapes: Mapping[str, tuple[int, ...]]) -> dict[str, tuple[str, tuple[int, ...] | None]]:
    """The MindSpore name for each flax name, with "." or "/" between its parts, and how the axes are permuted.

    >>> from_flax({"params/fc/kernel": (8, 2), "params/bn/scale": (8,), "batch_stats/bn/mean": (8,)})
    {'params/fc/kernel': ('fc.weight', (1, 0)), 'params/bn/scale': ('bn.gamma', None),
     'batch_stats/bn/mean': ('bn.moving_mean', None)}
    """
    plain = {name: _plain_flax(name) for name in shapes}
    there = set(plain.values())
    found: dict[str, tuple[str, tuple[int, ...] | None]] = {}
    for name, shape in shapes.items():
        module, dot, leaf = plain[name].rpartition(".")
        of_norm = f"{module}{dot}scale" in there or {f"{module}{dot}mean", f"{module}{dot}var"} <= there
        if leaf == "kernel" and len(shape) > 1:
            count = len(shape)
            found[name] = (f"{module}{dot}weight", (count - 1, count - 2, *range(count - 2)))
        elif leaf == "embedding":
            found[name] = (f"{module}{dot}embedding_table", None)
        else:
            found[name] = (module + dot + (_OF_NORM.get(leaf, leaf) if of_norm else leaf), None)
    return found


def _plain_flax(name: str) -> str:
    parts = name.replace("/", ".").split(".")
    return ".".join(parts[1:] if len(parts) > 2 and parts[0] in _COLLECTIONS else parts)
