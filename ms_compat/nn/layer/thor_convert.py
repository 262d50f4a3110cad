"""`ConvertNetUtils`: turns a network's layers into layers for the optimizer THOR."""

from __future__ import annotations

from ms_compat._core.faces import faces
from ms_compat._core.trace import scopes
from ms_compat.nn.cell import Cell
from ms_compat.nn.layer.basic import Dense
from ms_compat.nn.layer.conv import Conv2d
from ms_compat.nn.layer.embedding import Embedding, EmbeddingLookup
from ms_compat.nn.layer.thor_layer import Conv2dThor, DenseThor, EmbeddingLookupThor, EmbeddingThor

# Subclasses of these compute something else and stay as they are.
_CLASSES: dict[type, type] = {
    Dense: DenseThor,
    Conv2d: Conv2dThor,
    Embedding: EmbeddingThor,
    EmbeddingLookup: EmbeddingLookupThor,
}
# Layers under paths with these are trained by momentum alone, as in MindSpore.
_LEFT_OUT = ("rpn_with_loss.rpn_convs_list.", "wide")


def convertible(cell: Cell) -> bool:
    """Whether a layer has a THOR counterpart: a trained one, and for convolutions one without groups."""
    if type(cell) not in _CLASSES or (isinstance(cell, Conv2d) and cell.group != 1):
        return False
    return cell._params[_weight_of(cell)].requires_grad


def _weight_of(cell: Cell) -> str:
    return "weight" if isinstance(cell, (Dense, Conv2d)) else "embedding_table"


@faces("train")
class ConvertNetUtils:
    """Turns a network's layers into layers that measure what the optimizer THOR needs.

    >>> from ms_compat import nn
    >>> from ms_compat.train import ConvertNetUtils
    >>> net = nn.SequentialCell(nn.Dense(2, 3, activation="relu"), nn.LayerNorm((3,)))
    >>> ConvertNetUtils().convert_to_thor_net(net)
    >>> type(net[0]).__name__, [p.name for p in net[0].get_parameters()]
    ('DenseThor', ['0.weight', '0.bias', '0.matrix_a', '0.matrix_g'])
    """

    def convert_to_thor_net(self, net):
        """Convert the layers below `net`; `nn.thor` does so itself.

        `Dense`, `Conv2d`, `Embedding` and `EmbeddingLookup` stay the objects that they are, with their Parameters,
        activations and precision, and become `DenseThor`, `Conv2dThor`, `EmbeddingThor` and `EmbeddingLookupThor`. Not
        converted are `net` itself, layers that are not trained, convolutions in groups, and `Dense` and `Conv2d` layers
        with "wide" in their path.

        Args:
            net (Cell): the network; it is changed.

        Raises:
            AttributeError: `net` is not a Cell.
        """
        net.update_cell_prefix()
        for path, cell in net.cells_and_names():
            if cell is not net and convertible(cell) and not _left_out(cell, path):
                _convert(cell, path)
        net.update_cell_type("second-order")


def _left_out(cell: Cell, path: str) -> bool:
    return isinstance(cell, (Dense, Conv2d)) and any(part in f"{path}.".lower() for part in _LEFT_OUT)


def _convert(cell: Cell, path: str) -> None:
    """Make a layer one of THOR's in place, so that all references see it."""
    attribute = _weight_of(cell)
    before = set(cell._params)
    cell.__class__ = _CLASSES[type(cell)]
    cell._add_factors()
    weight = cell._params[attribute].name
    prefix = weight.removesuffix(attribute) if weight.endswith(attribute) else f"{path}."
    for name, parameter in cell._params.items():
        if name not in before:
            parameter.name = prefix + name
    scopes.structure_version += 1
