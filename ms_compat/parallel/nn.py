"""`mindspore.parallel.nn`: Cells that split a batch, under the names of this package."""

from ms_compat._names.resolve import unsupported_getattr
from ms_compat.nn.wrap.micro_batch import GradAccumulationCell as GradAccumulation
from ms_compat.nn.wrap.micro_batch import MicroBatchInterleaved as MicroBatchInterleaved
from ms_compat.nn.wrap.micro_batch import PipelineCell as Pipeline
from ms_compat.nn.wrap.micro_batch import PipelineCell as PipelineCell
from ms_compat.nn.wrap.micro_batch import PipelineGradReducer as PipelineGradReducer

__all__ = ["GradAccumulation", "MicroBatchInterleaved", "Pipeline", "PipelineCell", "PipelineGradReducer"]
__getattr__ = unsupported_getattr(__name__)
