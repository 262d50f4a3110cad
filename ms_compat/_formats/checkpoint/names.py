"""PyTorch's parameter names and MindSpore's, for state dicts that are moved by hand.

Layouts agree (Dense [out, in], convolutions OIHW); what differs are the last parts of names: a normalisation has
`gamma` and `beta`, a batch normalisation `moving_mean` and `moving_variance`, an embedding `embedding_table`, and
there is no `num_batches_tracked`. PyTorch calls nearly everything `weight`, so what kind of layer a module is has to
be read from the rest: a batch normalisation has running statistics; a layer or group normalisation has a weight of
one dimension and a bias of its shape, or says "norm" in its name; an embedding has a weight of two dimensions, no
bias, and says so in its name.
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
