"""Cells that hold other Cells: `SequentialCell`, `CellList`, `CellDict`.

Children stand in the Cell's own table of members under "0", "1", ... or their keys. Inserting and deleting moves the
numbers and with them the Parameters' names; where the container is nested, the names keep the container's own prefix,
which is read off a Parameter that is there already.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from typing import Any

from ms_compat.nn.cell import Cell

logger = logging.getLogger("ms_compat")


def _check_index(api: str, index: Any, size: int, end: str = ")") -> int:
    """A non-negative index, or MindSpore's error."""
    if not isinstance(index, int):
        raise TypeError(f"For '{api}', the type of 'index' must be int, but got {type(index).__name__}.")
    limit = size + (end == "]")
    if not -size <= index < limit:
        raise IndexError(
            f"For '{api}', the value of 'index' must be a number in range [{-size}, {size}{end}, but got {index}."
        )
    return index + size if index < 0 else index


def _check_cell(api: str, cell: Any) -> Cell:
    if not isinstance(cell, Cell):
        raise TypeError(f"For '{api}', each cell must be subclass of Cell, but got {type(cell).__name__}.")
    return cell


def _prefix_of(container: Cell) -> str:
    """What stands before the children's keys in the names of their Parameters: the container's own place."""
    for path, parameter in container.parameters_and_names():
        if parameter.name.endswith("." + path):
            return parameter.name[: -len(path)]
    return ""


class _Numbered(Cell):
    """A container whose children are numbered."""

    def __len__(self) -> int:
        return len(self._cells)

    def __iter__(self):
        return iter(self._cells.values())

    def __getitem__(self, index):
        api = type(self).__name__
        if isinstance(index, slice):
            return self._sliced(index)
        if not isinstance(index, int):
            expected = "int" if isinstance(self, SequentialCell) else "int or slice"
            raise TypeError(f"For '{api}', the type of 'index' must be {expected}, but got {type(index).__name__}.")
        return list(self._cells.values())[_check_index(api, index, len(self))]

    def __setitem__(self, index, cell):
        api = type(self).__name__
        _check_cell(api, cell)
        key = list(self._cells)[_check_index(api, index, len(self))]
        if self._auto_prefix:
            cell.update_parameters_name(f"{_prefix_of(self)}{key}.")
        self._cells[key] = cell

    def __delitem__(self, index):
        prefix = _prefix_of(self)
        children = list(self._cells.items())
        if isinstance(index, slice):
            gone = set(range(len(children))[index])
        else:
            gone = {_check_index(type(self).__name__, index, len(children))}
        kept = [item for position, item in enumerate(children) if position not in gone]
        self._renumber([(str(at) if key.isdigit() else key, cell) for at, (key, cell) in enumerate(kept)], prefix)

    def __bool__(self) -> bool:
        return len(self) != 0

    def _renumber(self, children: list[tuple[str, Cell]], prefix: str) -> None:
        """Replace all children; those whose key changes get new Parameter names."""
        before = {key: cell for key, cell in self._cells.items()}
        self._cells.clear()
        for key, cell in children:
            if self._auto_prefix and before.get(key) is not cell:
                cell.update_parameters_name(f"{prefix}{key}.")
            self._cells[key] = cell

    def append(self, cell: Cell) -> None:
        """Add a Cell at the end.

        Raises:
            TypeError: it is not a Cell.

        >>> from ms_compat import nn
        >>> cells = nn.CellList([nn.ReLU()])
        >>> cells.append(nn.ReLU())
        >>> len(cells)
        2
        """
        _check_cell(type(self).__name__, cell)
        key = str(len(self))
        if self._auto_prefix:
            cell.update_parameters_name(f"{_prefix_of(self)}{key}.")
        self._cells[key] = cell


class SequentialCell(_Numbered):
    """Cells called one after another, each with the result of the one before.

    Args:
        *args: Cells; or one list of Cells; or one OrderedDict of names and Cells.

    Raises:
        TypeError: something else.

    >>> import ms_compat as ms
    >>> net = ms.nn.SequentialCell(ms.nn.ReLU(), ms.nn.Sigmoid())
    >>> print(net(ms.Tensor([-1.0])))
    [0.5]
    """

    def __init__(self, *args):
        super().__init__()
        if len(args) == 1:
            cells = args[0]
            if isinstance(cells, Cell):
                children = [("0", cells)]
            elif isinstance(cells, list):
                children = [(str(at), cell) for at, cell in enumerate(cells)]
            elif isinstance(cells, OrderedDict):
                children = list(cells.items())
            else:
                raise TypeError(
                    f"For '{type(self).__name__}', the 'args[0]' must be Cell, list or orderedDict, but got "
                    f"{type(cells).__name__}"
                )
        else:
            children = [(str(at), cell) for at, cell in enumerate(args)]
        for name, cell in children:
            if not isinstance(cell, Cell):
                raise TypeError(
                    f"For '{type(self).__name__}', each of the cells must be a Cell, but got {type(cell).__name__}."
                )
            self.insert_child_to_cell(name, cell)
            cell.update_parameters_name(name + ".")

    def _sliced(self, index: slice) -> SequentialCell:
        return type(self)(OrderedDict(list(self._cells.items())[index]))

    def construct(self, input_data):
        for cell in self._cells.values():
            input_data = cell(input_data)
        return input_data


class CellList(_Numbered):
    """A list of Cells, to be called by the program. Their Parameters belong to the Cell that the list is assigned to.

    Args:
        *args: one list of Cells.
        **kwargs: `auto_prefix`, as of Cell.

    Raises:
        TypeError: not a list, or an element is not a Cell.

    >>> from ms_compat import nn
    >>> nn.CellList([nn.Dense(2, 2, has_bias=False)]).trainable_params()[0].name
    '0.weight'
    """

    _mapped_one_by_one = True  # by `vmap`

    def __init__(self, *args, **kwargs):
        auto_prefix = kwargs.pop("auto_prefix", True)
        if kwargs:
            raise TypeError(f"For 'CellList', there is no argument '{next(iter(kwargs))}'; it takes 'auto_prefix'.")
        super().__init__(auto_prefix)
        if len(args) == 1:
            self.extend(args[0])
        elif args:
            logger.warning(
                "CellList takes one list of Cells; as in MindSpore, %d arguments make an empty list", len(args)
            )

    def __iadd__(self, cells):
        return self.extend(cells)

    def _sliced(self, index: slice) -> CellList:
        return type(self)(list(self._cells.values())[index])

    def extend(self, cells: list):
        """Add the Cells of a list at the end; returns the CellList.

        Raises:
            TypeError: not a list, or an element is not a Cell.
        """
        if not isinstance(cells, list):
            raise TypeError(
                "For 'CellList', the new cells wanted to append should be instance of list, but got "
                f"{type(cells).__name__}."
            )
        for cell in cells:
            _check_cell("CellList", cell)
        prefix = _prefix_of(self)
        for cell in cells:
            key = str(len(self))
            if self._auto_prefix:
                cell.update_parameters_name(f"{prefix}{key}.")
            self._cells[key] = cell
        return self

    def insert(self, index: int, cell: Cell) -> None:
        """Put a Cell before position `index`.

        Raises:
            IndexError: `index` is out of range.
            TypeError: `cell` is not a Cell.
        """
        at = _check_index("CellList", index, len(self), "]")
        _check_cell("CellList", cell)
        prefix = _prefix_of(self)
        cells = list(self._cells.values())
        cells.insert(at, cell)
        self._renumber([(str(i), c) for i, c in enumerate(cells)], prefix)

    def construct(self, *inputs):
        """Not callable.

        Raises:
            NotImplementedError: always; call the Cells in it.
        """
        raise NotImplementedError("A CellList is not called; call the Cells in it.")


class CellDict(Cell):
    """A dict of Cells, to be called by the program. Keys are strings and become part of the Parameters' names.

    Args:
        *args: a dict, CellDict, or iterable of pairs.
        **kwargs: `auto_prefix`, as of Cell.

    Raises:
        TypeError: a key is not a str, or a value not a Cell.
        KeyError: a key is empty, has a dot, or is the name of an attribute of Cell.

    >>> from ms_compat import nn
    >>> nn.CellDict({"act": nn.ReLU()})
    CellDict(
      (act): ReLU()
    )
    """

    def __init__(self, *args, **kwargs):
        auto_prefix = kwargs.pop("auto_prefix", True)
        if kwargs:
            raise TypeError(f"For 'CellDict', there is no argument '{next(iter(kwargs))}'; it takes 'auto_prefix'.")
        super().__init__(auto_prefix)
        if len(args) == 1:
            self.update(args[0])

    def __getitem__(self, key):
        return self._cells[key]

    def __setitem__(self, key, cell):
        self._check(key, cell)
        if self._auto_prefix:
            cell.update_parameters_name(f"{_prefix_of(self)}{key}.")
        self._cells[key] = cell

    def __delitem__(self, key):
        del self._cells[key]

    def __len__(self) -> int:
        return len(self._cells)

    def __iter__(self):
        return iter(self._cells)

    def __contains__(self, key) -> bool:
        return key in self._cells

    def _check(self, key: Any, cell: Any) -> None:
        if not isinstance(key, str):
            raise TypeError(f"For 'CellDict', the type of key should be string but got {type(key).__name__}.")
        if key not in self._cells and hasattr(self, key):
            raise KeyError(f"For 'CellDict', the key can not be same with the attributes of Cell, but got key {key}.")
        if "." in key:
            raise KeyError(f"For 'CellDict', key can not contain \".\", but got key {key}")
        if not key:
            raise KeyError("For 'CellDict', key can not be empty string \"\".")
        if cell is None:
            raise TypeError("For 'CellDict', cell can not be None.")
        if not isinstance(cell, Cell):
            raise TypeError(f"For 'CellDict', the type of cell should be Cell, but got {type(cell).__name__}.")
        if isinstance(cell, (_Numbered, CellDict)):
            raise TypeError(
                "For 'CellDict', the type of cell can not be CellDict, CellList or SequentialCell, but got "
                f"{type(cell).__name__}."
            )

    def clear(self) -> None:
        """Remove all Cells."""
        self._cells.clear()

    def pop(self, key):
        """Remove and return the Cell under `key`.

        Raises:
            KeyError: there is none.
        """
        cell = self[key]
        del self[key]
        return cell

    def keys(self):
        """The keys."""
        return self._cells.keys()

    def values(self):
        """The Cells."""
        return self._cells.values()

    def items(self):
        """The pairs of keys and Cells."""
        return self._cells.items()

    def update(self, cells) -> None:
        """Add or replace Cells.

        Args:
            cells: a dict, CellDict, or iterable of pairs.

        Raises:
            TypeError: none of these.
            ValueError: an element is not a pair.
        """
        if isinstance(cells, (Mapping, CellDict)):
            pairs = list(cells.items())
        elif isinstance(cells, Iterable):
            pairs = []
            for at, pair in enumerate(cells):
                if not isinstance(pair, Iterable):
                    raise TypeError(
                        f"CellDict update sequence element #{at} should be iterable, but got {type(pair).__name__}"
                    )
                pair = tuple(pair)
                if len(pair) != 2:
                    raise ValueError(
                        f"CellDict update sequence element #{at}, length should be 2; but has length {len(pair)}"
                    )
                pairs.append(pair)
        else:
            raise TypeError(
                "CellDict.update() should be called with an iterable of key-value pairs, but got "
                f"{type(cells).__name__}"
            )
        for key, cell in pairs:
            self._check(key, cell)
        for key, cell in pairs:
            self[key] = cell

    def construct(self, *inputs):
        """Not callable.

        Raises:
            NotImplementedError: always; call the Cells in it.
        """
        raise NotImplementedError("A CellDict is not called; call the Cells in it.")
