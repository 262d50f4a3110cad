"""Cells that hold other Cells: `SequentialCell`, `CellList`, `CellDict`.

Children are in the Cell's own table of members under "0", "1", ... or their keys. Inserting and deleting moves the
numbers and with them the Parameters' names; where the container is nested, the names keep the container's own prefix,
which is read off Parameters that are there already, with MindSpore's quirks.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Any

from ms_compat._compile.control_flow.branches import is_traced, select_call
from ms_compat._core.errors import value_and_type
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat._core.trace import scopes
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


def _no_cell(value: Any) -> str:
    """What came in place of a Cell, and the Cell of a class or function."""
    if isinstance(value, type):
        return f"the class {value.__name__}; write '{value.__name__}()'" if issubclass(value, Cell) else repr(value)
    if not callable(value):
        return value_and_type(value)
    name = str(getattr(value, "__name__", type(value).__name__))
    nn = import_module("ms_compat.nn")
    same = next((cell for cell in dir(nn) if cell.lower() == name.replace("_", "").lower()), None)
    if same is not None and isinstance(found := getattr(nn, same), type) and issubclass(found, Cell):
        return f"the function {name}; use 'nn.{same}()'"
    return f"the function {name}; call it in the 'construct' of a Cell"


def _check_cell(api: str, cell: Any) -> Cell:
    if not isinstance(cell, Cell):
        raise TypeError(f"For '{api}', each cell must be subclass of Cell, but got {_no_cell(cell)}.")
    return cell


def _place_of(container: Cell) -> tuple[str, int]:
    """The text before the children's keys in the names of their Parameters, and at which part of the names.

    Read off the first child that has Parameters: MindSpore looks for its key among the parts of its first Parameter's
    name, and takes the last one unless the next child's name has that child's key at the same place before. So the
    place is another one than the container's where a child's own name has the key, too ("0.blocks.0.weight"), and
    published checkpoints have such names.
    """
    found = []
    for key, cell in container._cells.items():
        name = next((p.name for _, p in cell.parameters_and_names()), None) if cell is not None else None
        if name is not None:
            found.append((key, name.split(".")))
            if len(found) == 2:
                break
    prefix, at = "", 0
    if not found:
        return prefix, at
    key, parts = found[0]
    for position, part in enumerate(parts):
        if part == key:
            prefix, at = "".join(f"{p}." for p in parts[:position]), position
            if len(found) == 2 and found[1][1][position : position + 1] == [found[1][0]]:
                break
    return prefix, at


def _move_names(cell: Cell, key: str, place: tuple[str, int]) -> None:
    """Replace the old key in the names of the Cell's Parameters."""
    prefix, at = place
    for _, parameter in cell.parameters_and_names():
        parameter.name = f"{prefix}{key}.{'.'.join(parameter.name.split('.')[at + 1 :])}"


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
        if isinstance(index, Tensor) and isinstance(self, CellList) and scopes.as_compiled():
            cells = list(self._cells.values())
            return (
                select_call(index, cells, api) if is_traced(index) else cells[_check_index(api, int(index), len(self))]
            )
        if not isinstance(index, int):
            expected = "int" if isinstance(self, SequentialCell) else "int or slice"
            raise TypeError(f"For '{api}', the type of 'index' must be {expected}, but got {type(index).__name__}.")
        return list(self._cells.values())[_check_index(api, index, len(self))]

    def __setitem__(self, index, cell):
        api = type(self).__name__
        _check_cell(api, cell)
        key = list(self._cells)[_check_index(api, index, len(self))]
        prefix, _ = _place_of(self)
        self._cells[key] = cell
        if self._auto_prefix:
            cell.update_parameters_name(f"{prefix}{key}.")
        self._note_order()

    def __delitem__(self, index):
        keys = list(self._cells)
        if not isinstance(index, slice):
            index = _check_index(type(self).__name__, index, len(keys))
        gone = keys[index] if isinstance(index, slice) else [keys[index]]
        numbered = [self._is_numbered(key) for key in keys]
        del numbered[index]
        for key in gone:
            del self._cells[key]
        place = _place_of(self)
        children = []
        for at, (key, cell) in enumerate(self._cells.items()):
            if numbered[at]:
                key = str(at)
                if self._auto_prefix:
                    _move_names(cell, key, place)
            children.append((key, cell))
        self._replace_children(children)

    def __bool__(self) -> bool:
        return len(self) != 0

    def _is_numbered(self, key: str) -> bool:
        """Whether the key is a number of this container's, not a name that the program gave."""
        return True

    def _note_order(self) -> None:
        """Called after the children changed."""

    def _replace_children(self, children: list[tuple[str, Cell]]) -> None:
        self._cells.clear()
        for key, cell in children:
            self._cells[key] = cell
        self._note_order()

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
            cell.update_parameters_name(f"{_place_of(self)[0]}{key}.")
        self._cells[key] = cell
        self._note_order()

    def _insert(self, index: int, cell: Cell) -> None:
        at = _check_index(type(self).__name__, index, len(self), "]")
        _check_cell(type(self).__name__, cell)
        place = _place_of(self)
        cells = list(self._cells.values())
        if self._auto_prefix:
            for moved in range(len(cells) - 1, at - 1, -1):
                _move_names(cells[moved], str(moved + 1), place)
        cells.insert(at, cell)
        self._replace_children([(str(i), c) for i, c in enumerate(cells)])
        if self._auto_prefix:
            cell.update_parameters_name(f"{place[0]}{at}.")


@faces("nn nn.layer")
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
                    f"For '{type(self).__name__}', each of the cells must be a Cell, but got {_no_cell(cell)}."
                )
            self.insert_child_to_cell(name, cell)
            cell.update_parameters_name(name + ".")
        # the names that the program gave: they stay when others are deleted
        self.__dict__["_named"] = frozenset(self._cells) if args and isinstance(args[0], OrderedDict) else frozenset()
        self._note_order()

    def _is_numbered(self, key: str) -> bool:
        return key not in self.__dict__["_named"]

    def _note_order(self) -> None:
        # what `construct` runs: a subclass may have other children, and set this
        self.__dict__["cell_list"] = list(self._cells.values())

    def _sliced(self, index: slice) -> SequentialCell:
        return type(self)(OrderedDict(list(self._cells.items())[index]))

    def construct(self, input_data):
        """Call the Cells one after another, each with the result of the one before.

        Args:
            input_data: the input of the first Cell.

        Returns:
            What the last Cell returns; `input_data` itself without Cells.

        >>> import ms_compat as ms
        >>> net = ms.nn.SequentialCell(ms.nn.ReLU(), ms.nn.Flatten())
        >>> net(ms.Tensor([[[1.0], [-1.0]]])).shape
        (1, 2)
        """
        for cell in self.cell_list:
            input_data = cell(input_data)
        return input_data


@faces("nn nn.layer")
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

        >>> from ms_compat import nn
        >>> nn.CellList([nn.ReLU()]).extend([nn.Sigmoid(), nn.Tanh()])
        CellList(
          (0): ReLU()
          (1): Sigmoid()
          (2): Tanh()
        )
        """
        if not isinstance(cells, list):
            raise TypeError(
                "For 'CellList', the new cells wanted to append should be instance of list, but got "
                f"{type(cells).__name__}."
            )
        for cell in cells:
            if isinstance(cell, CellDict):
                raise TypeError("For 'CellList', a cell can not be a CellDict.")
            _check_cell("CellList", cell)
        prefix, _ = _place_of(self)
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

        >>> from ms_compat import nn
        >>> cells = nn.CellList([nn.ReLU()])
        >>> cells.insert(0, nn.Sigmoid())
        >>> list(cells)
        [Sigmoid(), ReLU()]
        """
        self._insert(index, cell)

    def construct(self, *inputs):
        """Not callable.

        Raises:
            NotImplementedError: always; call the Cells in it.

        >>> import ms_compat as ms
        >>> x = ms.Tensor([-1.0, 2.0])
        >>> for cell in ms.nn.CellList([ms.nn.ReLU(), ms.nn.Sigmoid()]):
        ...     x = cell(x)
        >>> x.shape
        (2,)
        """
        raise NotImplementedError("A CellList is not called; call the Cells in it.")


@faces("nn nn.layer")
class CellDict(Cell):
    """A dict of Cells, to be called by the program. Keys are strings and become part of the Parameters' names.

    Args:
        *args: a dict, CellDict, or iterable of pairs.
        **kwargs: `auto_prefix`, as of Cell.

    Raises:
        TypeError: a key is not a str, or a value not a Cell.
        KeyError: a key is empty, has a dot, or names an attribute of Cell.

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
            cell.update_parameters_name(f"{_place_of(self)[0]}{key}.")
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
        if key not in self._cells and self._is_taken(key):
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
