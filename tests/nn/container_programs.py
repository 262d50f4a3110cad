"""Programs drawn by a seed that nest containers, change them and assign them: what are their Parameters called then?

`names(seed, ms)` gives what `parameters_and_names`, `cells_and_names` and `name_cells` tell after each step, and at the
end the class of the exception that stopped the program, if one did. Imports neither MindSpore nor ms_compat.
"""

import random
import re
from collections import OrderedDict

import numpy as np


class Maker:
    """Draws Cells of the module `ms` from one stream."""

    def __init__(self, seed, ms):
        self.nn, self.ms = ms.nn, ms
        self.random = random.Random(seed)

    def parameter(self, name=None, requires_grad=True):
        value = self.ms.Tensor(np.ones(1, np.float32))
        return self.ms.Parameter(value, name=name, requires_grad=requires_grad)

    def leaf(self, name=None, count=1):
        cell = self.nn.Cell()
        for i in range(count):
            setattr(cell, f"w{i}", self.parameter(name and f"{name}{i}", i != 1))
        return cell

    def block(self, children, auto_prefix=True):
        cell = self.nn.Cell(auto_prefix=auto_prefix)
        for name, child in zip(("a", "blocks", "0", "1"), children, strict=False):
            setattr(cell, name, child)
        if len(children) % 2:
            cell.own = self.parameter("x.0.own" if len(children) > 1 else None)
        return cell

    def cell(self, depth):
        draw, nn = self.random, self.nn
        kind = draw.randrange(11) if depth else draw.randrange(2)

        def some(least):
            return [self.cell(depth - 1) for _ in range(draw.randrange(least, 4))]

        if kind == 0:
            return self.leaf(count=draw.choice([0, 2]))
        if kind == 1:
            return self.leaf(draw.choice([None, "g", "0.p", "a.b"]), draw.randrange(1, 3))
        if kind in (2, 3):
            return self.block(some(1), auto_prefix=kind == 2)
        if kind == 4:
            return nn.SequentialCell(*some(0))
        if kind == 5:
            return nn.SequentialCell(OrderedDict((draw.choice("abcd01"), child) for child in some(1)))
        if kind in (6, 7):
            return nn.CellList(some(0), auto_prefix=kind == 6)
        if kind == 8:
            mapping = nn.CellDict()
            for _ in range(draw.randrange(1, 4)):
                mapping[draw.choice("pqrs")] = self.leaf(count=2) if draw.random() < 0.5 else self.block([self.leaf()])
            return mapping
        child = self.cell(depth - 1)
        if kind == 9:
            holder = self.nn.Cell()
            holder.c = child
            holder.ps = self.ms.ParameterTuple(child.trainable_params()[:2])
            return holder
        grown = nn.CellList()
        for _ in range(draw.randrange(1, 4)):
            grown.append(draw.choice([self.cell(depth - 1), child]))
        return grown

    def change(self, cell):
        """Change one Cell of the tree; returns the tree."""
        draw, nn = self.random, self.nn
        target = draw.choice([found for _, found in cell.cells_and_names()])
        kind = draw.randrange(9)
        if isinstance(target, (nn.CellList, nn.SequentialCell)):
            return self._change_numbered(cell, target, kind)
        if isinstance(target, nn.CellDict):
            if kind < 3:
                target[f"new{kind}"] = self.leaf()
            elif kind < 5:
                target.update({"u": self.leaf(), "p": self.block([self.leaf()])})
            elif len(target):
                target.pop(next(iter(target.keys())))
        elif kind < 3:
            target.late = self.cell(draw.randrange(3))
        elif kind < 6:
            target.update_parameters_name(*[("pre.",), ("",), ("own.", False)][kind - 3])
        elif kind == 6:
            target.pair = self.ms.ParameterTuple([self.parameter("t0"), self.parameter("t1")])
        elif kind == 7:
            target.listed = [self.parameter("l0"), self.parameter("l1")]
        else:
            target.insert_param_to_cell("inserted", self.parameter())
        return cell

    def _change_numbered(self, cell, target, kind):
        draw, size = self.random, len(target)
        grows = isinstance(target, self.nn.CellList)
        if kind == 8 and not grows:
            target.insert_child_to_cell("extra", self.cell(1))
        elif kind == 8:
            target += [self.cell(1)]
        elif kind == 7:
            return self.block([target[draw.randrange(size + 1) :]])
        elif kind == 6 and size:
            del target[: draw.randrange(size)]
        elif kind == 5 and size:
            del target[draw.randrange(size)]
        elif kind == 4 and size:
            target[draw.randrange(size)] = self.cell(draw.randrange(3))
        elif kind == 3 and grows:
            target.insert(draw.randrange(size + 1), self.cell(draw.randrange(3)))
        elif kind == 2 and grows:
            target.extend([self.cell(1) for _ in range(draw.randrange(3))])
        else:
            target.append(self.cell(draw.randrange(3)))
        return cell


def names(seed, ms, steps=6):
    maker, told = Maker(seed, ms), []
    try:
        cell = maker.cell(3)
        told.append(_told(cell))
        for _ in range(steps):
            cell = maker.change(cell)
            told.append(_told(cell))
    except Exception as error:
        told.append(type(error).__name__)
    return told


def _told(cell):
    parameters = [f"{path} {p.name} {p.requires_grad}" for path, p in cell.parameters_and_names()]
    cells = [f"{path} {type(found).__name__}" for path, found in cell.cells_and_names()]
    return [re.sub(r"Parameter#\d+", "Parameter#N", row) for row in (*parameters, *cells, *cell.name_cells())]
