"""A network's table: what each Cell returns, and what it holds."""

from __future__ import annotations

from typing import Any, NamedTuple

import jax

from ms_compat._core.diagnostics.html import bytes_text, escape, faint, table
from ms_compat._core.tensor import Tensor
from ms_compat.interop.jax import pure, to_arrays
from ms_compat.nn._cell.notebook_html import bytes_of, counted, elements_of, parameters_of
from ms_compat.nn.cell import Cell


class Row(NamedTuple):
    """A Cell of the network.

    Attributes:
        name: its path, "" for the network itself.
        kind: its class name.
        outputs: shape and dtype of each Tensor that its first call returned; None if it was not called.
        calls: how often it was called.
        parameters: elements of all Parameters in it.
        trained: elements of the trainable ones.
        nbytes: the Parameters' bytes.
    """

    name: str
    kind: str
    outputs: tuple[tuple[tuple[int, ...], str], ...] | None
    calls: int
    parameters: int
    trained: int
    nbytes: int


class Summary:
    """What `summary` found: `rows`, and their table as text and in a notebook."""

    def __init__(self, rows: list[Row], total: str, asked: bool):
        self.rows, self.total, self._asked = rows, total, asked

    def _columns(self) -> list[str]:
        return ["Cell", "class", *(["output", "calls"] if self._asked else []), "parameters", "trained", "bytes"]

    def _texts(self, row: Row) -> list[str]:
        texts = ["  " * _depth(row.name) + (row.name.rpartition(".")[2] or "(net)"), row.kind]
        if self._asked:
            texts += [_outputs(row), str(row.calls)]
        if not row.parameters:
            return [*texts, "", "", ""]
        return [*texts, f"{row.parameters:,}", f"{row.trained:,}", bytes_text(row.nbytes)]

    def __str__(self) -> str:
        grid = [self._columns(), *map(self._texts, self.rows)]
        widths = [max(map(len, column)) for column in zip(*grid, strict=True)]
        numbers = len(widths) - 3
        lines = [
            "  ".join(
                text.rjust(width) if at >= numbers else text.ljust(width)
                for at, (text, width) in enumerate(zip(texts, widths, strict=True))
            ).rstrip()
            for texts in grid
        ]
        return "\n".join([lines[0], "-" * max(map(len, lines)), *lines[1:], "-" * max(map(len, lines)), self.total])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        rows = [[escape(text).replace("  ", "&emsp;") for text in self._texts(row)] for row in self.rows]
        return table(self._columns(), rows) + f"<div>{faint(self.total)}</div>"


def _outputs(row: Row) -> str:
    if row.outputs is None:
        return "not called"
    return ", ".join(f"{shape} {dtype}" for shape, dtype in row.outputs)


def summary(net: Cell, *inputs: Any, depth: int | None = None) -> Summary:
    """A table of a Cell and its subcells: types, output shapes and dtypes, Parameter counts and bytes.

    It computes nothing and does not change the Cell: the outputs' shapes come from a trace.

    Args:
        net: the Cell.
        inputs: the call's arguments, Tensors or arrays; without them there are no output columns.
        depth: how many levels of Cells are shown; None is all.

    Raises:
        TypeError: `net` is not a Cell.

    >>> from ms_compat import nn, ops
    >>> from ms_compat.interop import summary
    >>> print(summary(nn.SequentialCell(nn.Dense(3, 4), nn.ReLU()), ops.ones((2, 3))))
    Cell   class           output          calls  parameters  trained  bytes
    ------------------------------------------------------------------------
    (net)  SequentialCell  (2, 4) Float32  1              16       16   64 B
      0    Dense           (2, 4) Float32  1              16       16   64 B
      1    ReLU            (2, 4) Float32  1
    ------------------------------------------------------------------------
    16 parameters, 64 B
    """
    if not isinstance(net, Cell):
        raise TypeError(f"For 'summary', the 'net' must be a Cell, but got {type(net).__name__}.")
    cells = [(name, cell) for name, cell in net.cells_and_names() if depth is None or _depth(name) <= depth]
    found = _called(net, [cell for _, cell in cells], inputs) if inputs else {}
    rows = []
    for name, cell in cells:
        held = parameters_of(cell)
        outputs, calls = found.get(id(cell), (None, 0))
        rows.append(Row(name, type(cell).__name__, outputs, calls, *elements_of(held), bytes_of(held)))
    return Summary(rows, counted(parameters_of(net)), bool(inputs))


def _depth(name: str) -> int:
    return name.count(".") + 1 if name else 0


def _called(net: Cell, cells: list[Cell], inputs: tuple) -> dict[int, tuple[Any, int]]:
    """The Cells' outputs when the network is called, by hooks and a trace."""
    found: dict[int, tuple[Any, int]] = {}

    def note(cell: Cell, _: Any, output: Any) -> None:
        leaves = [leaf for leaf in jax.tree.leaves(output, is_leaf=_is_tensor) if _is_tensor(leaf)]
        outputs, calls = found.get(id(cell), (tuple((t.shape, str(t.dtype)) for t in leaves), 0))
        found[id(cell)] = (outputs, calls + 1)

    handles = [cell.register_forward_hook(note) for cell in cells]
    try:
        function, params, state = pure(net)
        jax.eval_shape(lambda params, state, args: function(params, state, *args)[0], params, state, to_arrays(inputs))
    finally:
        for handle in handles:
            handle.remove()
    return found


def _is_tensor(value: Any) -> bool:
    return isinstance(value, Tensor)
