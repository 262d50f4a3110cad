"""`mindspore.nn`: Cells, layers and losses. Re-exports only."""

from ms_compat.nn.cell import Buffer as Buffer
from ms_compat.nn.cell import Cell as Cell
