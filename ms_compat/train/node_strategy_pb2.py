"""`mindspore.train.node_strategy_pb2`: the messages of `_formats/sliced/schema.py`."""

from ms_compat._formats.sliced.schema import DevMatrix as DevMatrix
from ms_compat._formats.sliced.schema import IndicesOffset as IndicesOffset
from ms_compat._formats.sliced.schema import ParallelGroupItem as ParallelGroupItem
from ms_compat._formats.sliced.schema import ParallelGroupMap as ParallelGroupMap
from ms_compat._formats.sliced.schema import ParallelGroupRanks as ParallelGroupRanks
from ms_compat._formats.sliced.schema import ParallelLayoutItem as ParallelLayoutItem
from ms_compat._formats.sliced.schema import ParallelLayouts as ParallelLayouts
from ms_compat._formats.sliced.schema import ParallelStrategy as ParallelStrategy
from ms_compat._formats.sliced.schema import ParallelStrategyItem as ParallelStrategyItem
from ms_compat._formats.sliced.schema import ParallelStrategyMap as ParallelStrategyMap
from ms_compat._formats.sliced.schema import ParallelStrategys as ParallelStrategys
from ms_compat._formats.sliced.schema import ParamSplitShape as ParamSplitShape
from ms_compat._formats.sliced.schema import TensorMap as TensorMap
