"""Cells around a network: with its loss, with one training step, with gradients."""

from ms_compat.nn.wrap.cell_wrapper import ForwardValueAndGrad as ForwardValueAndGrad
from ms_compat.nn.wrap.cell_wrapper import TrainOneStepCell as TrainOneStepCell
from ms_compat.nn.wrap.cell_wrapper import WithEvalCell as WithEvalCell
from ms_compat.nn.wrap.cell_wrapper import WithGradCell as WithGradCell
from ms_compat.nn.wrap.cell_wrapper import WithLossCell as WithLossCell
from ms_compat.nn.wrap.loss_scale import DynamicLossScaleUpdateCell as DynamicLossScaleUpdateCell
from ms_compat.nn.wrap.loss_scale import FixedLossScaleUpdateCell as FixedLossScaleUpdateCell
from ms_compat.nn.wrap.loss_scale import TrainOneStepWithLossScaleCell as TrainOneStepWithLossScaleCell
from ms_compat.nn.wrap.micro_batch import DistributedGradReducer as DistributedGradReducer
from ms_compat.nn.wrap.micro_batch import GradAccumulationCell as GradAccumulationCell
from ms_compat.nn.wrap.micro_batch import Jvp as Jvp
from ms_compat.nn.wrap.micro_batch import MicroBatchInterleaved as MicroBatchInterleaved
from ms_compat.nn.wrap.micro_batch import ParameterUpdate as ParameterUpdate
from ms_compat.nn.wrap.micro_batch import PipelineCell as PipelineCell
from ms_compat.nn.wrap.micro_batch import PipelineGradReducer as PipelineGradReducer
from ms_compat.nn.wrap.micro_batch import VirtualDatasetCellTriple as VirtualDatasetCellTriple
from ms_compat.nn.wrap.micro_batch import Vjp as Vjp
