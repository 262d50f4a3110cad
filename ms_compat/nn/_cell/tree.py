"""The tree of Cells: walking it, the names of its Parameters, and how it prints.

A Parameter of a nested Cell is named by its path. The name is given when the child is assigned to its parent: every
Parameter below gets `prefix + its path inside the child`, whatever it was called before, so that a shared Cell has the
name of the last place it was assigned to. `auto_prefix=False` leaves the names alone.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any

from ms_compat._core.errors import check_type
from ms_compat._core.no_op_arguments import no_effect
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._core.trace import scopes
from ms_compat.nn._cell.members import BOOKKEEPING
from ms_compat.nn._cell.part import Part


class Tree(Part):
    """Walks over members."""

    def __bool__(self) -> bool:
        return True  # regardless of a subclass's length

    # -- cells -------------------------------------------------------------------------------------------------------
    def name_cells(self) -> OrderedDict:
        """The immediate children by name.

        >>> from ms_compat import nn
        >>> dict(nn.SequentialCell(nn.ReLU()).name_cells())
        {'0': ReLU()}
        """
        found: OrderedDict[str, Any] = OrderedDict()
        seen: set[int] = set()
        for name, cell in self._cells.items():
            if cell is not None and id(cell) not in seen:
                seen.add(id(cell))
                found[name] = cell
        return found

    def cells(self):
        """Return the immediate children.

        >>> from ms_compat import nn
        >>> list(nn.SequentialCell(nn.ReLU(), nn.Sigmoid()).cells())
        [ReLU(), Sigmoid()]
        """
        return self.name_cells().values()

    def cells_and_names(self, cells=None, name_prefix="") -> Iterator[tuple[str, Any]]:
        """Every Cell of the tree with its path, parents first, each once; as in MindSpore without empty containers.

        Args:
            cells: the set of Cells that were visited already.
            name_prefix: path of this Cell.

        >>> from ms_compat import nn
        >>> [(name, type(cell).__name__) for name, cell in nn.SequentialCell(nn.ReLU()).cells_and_names()]
        [('', 'SequentialCell'), ('0', 'ReLU')]
        """
        seen = cells if cells is not None else set()
        if self in seen:
            return
        seen.add(self)
        yield name_prefix, self
        for name, cell in self._cells.items():
            if cell:  # a container without children is False
                yield from cell.cells_and_names(seen, f"{name_prefix}.{name}" if name_prefix else name)

    def get_sub_cell(self, target: str):
        """The Cell at a dotted path; the Cell itself for "".

        Raises:
            AttributeError: there is no such attribute, or it is not a Cell.

        >>> from ms_compat import nn
        >>> nn.SequentialCell(nn.SequentialCell(nn.ReLU())).get_sub_cell("0.0")
        ReLU()
        """
        cell = self
        for part in target.split(".") if target else ():
            if not hasattr(cell, part):
                raise AttributeError(f"{type(cell).__name__} has no attribute `{part}`")
            cell = getattr(cell, part)
            if not isinstance(cell, Tree):
                raise AttributeError(f"`{part}` is not an nn.Cell")
        return cell

    def apply(self, fn: Callable[[Any], Any]):
        """Call `fn` on every Cell of the tree, children first; returns the Cell.

        >>> from ms_compat import nn
        >>> names = []
        >>> _ = nn.SequentialCell(nn.ReLU()).apply(lambda cell: names.append(type(cell).__name__))
        >>> names
        ['ReLU', 'SequentialCell']
        """
        for cell in self.cells():
            cell.apply(fn)
        fn(self)
        return self

    # -- parameters --------------------------------------------------------------------------------------------------
    def parameters_and_names(self, name_prefix="", expand=True) -> Iterator[tuple[str, Parameter]]:
        """Every Parameter with its path, each once.

        Args:
            name_prefix: path of this Cell.
            expand: whether children are visited, too.

        >>> from ms_compat import nn
        >>> [(name, p.shape) for name, p in nn.Dense(2, 3).parameters_and_names()]
        [('weight', (3, 2)), ('bias', (3,))]
        """
        seen: set[int] = set()
        owners = self.cells_and_names(name_prefix=name_prefix) if expand else [(name_prefix, self)]
        for prefix, cell in owners:
            for name, parameter in cell._params.items():
                if parameter is not None and id(parameter) not in seen:
                    seen.add(id(parameter))
                    yield (f"{prefix}.{name}" if prefix else name), parameter

    def get_parameters(self, expand=True) -> Iterator[Parameter]:
        """Iterate over the Parameters of this Cell and its children, each once.

        Args:
            expand: whether children are visited, too; otherwise this Cell's own Parameters only.

        >>> from ms_compat import nn
        >>> net = nn.SequentialCell(nn.Dense(2, 3), nn.Dense(3, 1))
        >>> [p.name for p in net.get_parameters()]
        ['0.weight', '0.bias', '1.weight', '1.bias']
        >>> sum(p.size for p in net.get_parameters())
        13
        """
        for _, parameter in self.parameters_and_names(expand=expand):
            yield parameter

    def trainable_params(self, recurse=True) -> list[Parameter]:
        """The Parameters with `requires_grad`.

        >>> from ms_compat import nn
        >>> [p.name for p in nn.Dense(2, 3).trainable_params()]
        ['weight', 'bias']
        """
        return [p for p in self.get_parameters(recurse) if p.requires_grad]

    def untrainable_params(self, recurse=True) -> list[Parameter]:
        """Return the Parameters without `requires_grad`.

        Args:
            recurse: whether children are visited, too.

        >>> from ms_compat import nn
        >>> [p.name for p in nn.BatchNorm2d(3).untrainable_params()]
        ['mean', 'variance']
        """
        return [p for p in self.get_parameters(recurse) if not p.requires_grad]

    def parameters_dict(self, recurse=True) -> OrderedDict:
        """Return the Parameters by their own names, which may differ from their paths.

        Args:
            recurse: whether children are visited, too.

        Returns:
            An OrderedDict.

        >>> from ms_compat import nn
        >>> list(nn.SequentialCell(nn.Dense(2, 3)).parameters_dict())
        ['0.weight', '0.bias']
        """
        return OrderedDict((p.name, p) for p in self.get_parameters(recurse))

    def _all_parameters(self) -> list[Any]:
        """All state that a compiled function swaps: Parameters in tree order, then buffers and assigned attributes."""
        cached = self.__dict__.get("_state_list")
        if cached is not None and cached[0] == scopes.structure_version:
            return cached[1]
        found: dict[int, Any] = {id(p): p for p in self.get_parameters()}
        for _, cell in self.cells_and_names():
            for buffer in cell._buffers.values():
                if buffer is not None:
                    found[id(buffer)] = buffer
            for slot in cell.__dict__.get("_slots", {}).values():
                found[id(slot)] = slot
        result = list(found.values())
        self.__dict__["_state_list"] = (scopes.structure_version, result)
        return result

    def _plain_values(self) -> list[Any]:
        """The values of the user's own attributes, without members."""
        return [
            value
            for name, value in self.__dict__.items()
            if name not in BOOKKEEPING and not isinstance(value, (Tensor, Tree))
        ]

    # -- buffers -----------------------------------------------------------------------------------------------------
    def named_buffers(self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True):
        """Every buffer with its path.

        Args:
            prefix: path of this Cell.
            recurse: whether children are visited, too.
            remove_duplicate: whether a shared buffer is given once.

        >>> import ms_compat as ms
        >>> net = ms.nn.Cell()
        >>> net.register_buffer("count", ms.Tensor([0]))
        >>> [name for name, _ in net.named_buffers()]
        ['count']
        """
        seen: set[int] = set()
        for path, cell in self.cells_and_names(name_prefix=prefix) if recurse else [(prefix, self)]:
            for name, buffer in cell._buffers.items():
                if buffer is None or (remove_duplicate and id(buffer) in seen):
                    continue
                seen.add(id(buffer))
                yield (f"{path}.{name}" if path else name), buffer

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """Every buffer, each once.

        >>> import ms_compat as ms
        >>> net = ms.nn.Cell()
        >>> net.register_buffer("count", ms.Tensor([3]))
        >>> print(next(net.buffers()))
        [3]
        """
        for _, buffer in self.named_buffers(recurse=recurse):
            yield buffer

    def get_buffer(self, target: str) -> Tensor:
        """The buffer at a dotted path.

        Raises:
            AttributeError: there is no such attribute, or it is not a buffer.

        >>> import ms_compat as ms
        >>> net = ms.nn.Cell()
        >>> net.register_buffer("count", ms.Tensor([3]))
        >>> print(net.get_buffer("count"))
        [3]
        """
        path, _, name = target.rpartition(".")
        cell = self.get_sub_cell(path)
        if not hasattr(cell, name):
            raise AttributeError(f"{type(cell).__name__} has no attribute `{name}`")
        if name not in cell._buffers:
            raise AttributeError(f"`{name}` is not a buffer")
        return cell._buffers[name]

    # -- names -------------------------------------------------------------------------------------------------------
    @property
    def param_prefix(self) -> str:
        """The path of this Cell, once `update_cell_prefix` was called on the root."""
        return self.__dict__["_param_prefix"]

    def update_cell_prefix(self) -> None:
        """Tell every Cell of the tree its path (`param_prefix`).

        >>> from ms_compat import nn
        >>> net = nn.SequentialCell(nn.SequentialCell(nn.ReLU()))
        >>> net.update_cell_prefix()
        >>> net[0][0].param_prefix
        '0.0'
        """
        for path, cell in self.cells_and_names():
            cell.__dict__["_param_prefix"] = path

    def update_parameters_name(self, prefix="", recurse=True) -> None:
        """Name every Parameter `prefix` + its path.

        Args:
            prefix: what to put before the path, with its dot.
            recurse: whether the children's Parameters are named, too.

        Raises:
            TypeError: `prefix` is not a str.

        >>> from ms_compat import nn
        >>> net = nn.Dense(2, 3)
        >>> net.update_parameters_name("encoder.")
        >>> [p.name for p in net.get_parameters()]
        ['encoder.weight', 'encoder.bias']
        """
        check_type("update_parameters_name", "prefix", prefix, str)
        for path, parameter in self.parameters_and_names(expand=recurse):
            parameter.name = prefix + path

    def check_names(self) -> None:
        """Check that no two Parameters of the tree have one name.

        Raises:
            ValueError: two of them have.

        >>> from ms_compat import nn
        >>> nn.SequentialCell(nn.Dense(2, 3), nn.Dense(3, 1)).check_names()
        """
        names: set[str] = set()
        for path, parameter in self.parameters_and_names():
            if parameter.name in names:
                raise ValueError(
                    f"The value of {path} is {parameter}, its name '{parameter.name}' already exists. "
                    "Please set a unique name for the parameter."
                )
            names.add(parameter.name)

    def check_names_and_refresh_name(self) -> None:
        """Name all Parameters of the tree by their paths if two of them have one name; the first call does this, too.

        >>> import ms_compat as ms
        >>> net = ms.nn.Cell()
        >>> net.insert_child_to_cell("one", ms.nn.Dense(1, 1, has_bias=False))
        >>> net.insert_child_to_cell("other", ms.nn.Dense(1, 1, has_bias=False))
        >>> net.check_names_and_refresh_name()
        >>> [parameter.name for parameter in net.get_parameters()]
        ['one.weight', 'other.weight']
        """
        names = [parameter.name for parameter in self.get_parameters()]
        if len(set(names)) < len(names):
            self.update_parameters_name()
            self.check_names()

    def _check_names_once(self) -> None:
        """Refresh the names before the first call that no compiled code makes; later calls do nothing."""
        if "_names_checked" not in self.__dict__:
            self.__dict__["_names_checked"] = True
            self.check_names_and_refresh_name()
            self._refresh_plain()

    @property
    def exist_names(self) -> set[str]:
        """Names of Parameters that came in lists or tuples."""
        return self.__dict__.setdefault("_exist_names", set())

    @property
    def cls_name(self) -> str:
        """The name of the class."""
        return type(self).__name__

    def init_parameters_data(self, auto_parallel_mode=False) -> dict[Parameter, Parameter]:
        """Fill the Parameters that wait for their initializer.

        In MindSpore this returns new Parameters. Here each Parameter is filled in place and returned for itself.

        Args:
            auto_parallel_mode: accepted; JAX's arrays are global.

        Returns:
            A dict of each Parameter and the filled one.

        >>> from ms_compat import nn
        >>> net = nn.Dense(2, 1, weight_init="ones")
        >>> _ = net.init_parameters_data()
        >>> print(net.weight.asnumpy())
        [[1. 1.]]
        """
        no_effect("Cell.init_parameters_data", "arrays are global", auto_parallel_mode=auto_parallel_mode)
        return {p: p.init_data() for p in self.get_parameters()}

    # -- printing ----------------------------------------------------------------------------------------------------
    def extend_repr(self) -> str:
        """What a subclass shows of itself in its `repr`.

        >>> from ms_compat import nn
        >>> nn.Dense(2, 3).extend_repr()
        'input_channels=2, output_channels=3, has_bias=True'
        """
        return ""

    def _repr_html_(self) -> str:
        from ms_compat.nn._cell.notebook_html import cell_html

        return cell_html(self)

    def __repr__(self) -> str:
        from ms_compat.nn._cell.notebook_html import has_replaced_value

        own = self.extend_repr()
        name = type(self).__name__
        replaced = [(key, p._v) for key, p in self._params.items() if p is not None and has_replaced_value(p)]
        if not self._cells and not replaced:
            return f"{name}({own})"
        lines = [name + "("] + ([own] if own else []) + [f"({key}): {value!r}" for key, value in replaced]
        lines += [f"({key}): {cell!r}" for key, cell in self._cells.items()]
        # every line after the first is indented by two more spaces
        return "\n".join(lines).replace("\n", "\n  ") + "\n)"
