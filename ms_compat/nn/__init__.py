"""`mindspore.nn`: Cells, layers and losses. Re-exports only."""

from ms_compat._core.no_init import no_init_parameters as no_init_parameters
from ms_compat._names.absent import unsupported_getattr
from ms_compat.nn.cell import Buffer as Buffer
from ms_compat.nn.cell import Cell as Cell
from ms_compat.nn.container import CellDict as CellDict
from ms_compat.nn.container import CellList as CellList
from ms_compat.nn.container import SequentialCell as SequentialCell
from ms_compat.nn.dynamic_lr import cosine_decay_lr as cosine_decay_lr
from ms_compat.nn.dynamic_lr import exponential_decay_lr as exponential_decay_lr
from ms_compat.nn.dynamic_lr import inverse_decay_lr as inverse_decay_lr
from ms_compat.nn.dynamic_lr import natural_exp_decay_lr as natural_exp_decay_lr
from ms_compat.nn.dynamic_lr import piecewise_constant_lr as piecewise_constant_lr
from ms_compat.nn.dynamic_lr import polynomial_decay_lr as polynomial_decay_lr
from ms_compat.nn.dynamic_lr import warmup_lr as warmup_lr
from ms_compat.nn.layer.activation import CELU as CELU
from ms_compat.nn.layer.activation import ELU as ELU
from ms_compat.nn.layer.activation import GELU as GELU
from ms_compat.nn.layer.activation import GLU as GLU
from ms_compat.nn.layer.activation import FastGelu as FastGelu
from ms_compat.nn.layer.activation import Hardtanh as Hardtanh
from ms_compat.nn.layer.activation import HShrink as HShrink
from ms_compat.nn.layer.activation import HSigmoid as HSigmoid
from ms_compat.nn.layer.activation import HSwish as HSwish
from ms_compat.nn.layer.activation import LeakyReLU as LeakyReLU
from ms_compat.nn.layer.activation import LogSigmoid as LogSigmoid
from ms_compat.nn.layer.activation import LogSoftmax as LogSoftmax
from ms_compat.nn.layer.activation import Mish as Mish
from ms_compat.nn.layer.activation import PReLU as PReLU
from ms_compat.nn.layer.activation import ReLU as ReLU
from ms_compat.nn.layer.activation import ReLU6 as ReLU6
from ms_compat.nn.layer.activation import RReLU as RReLU
from ms_compat.nn.layer.activation import SeLU as SeLU
from ms_compat.nn.layer.activation import Sigmoid as Sigmoid
from ms_compat.nn.layer.activation import SiLU as SiLU
from ms_compat.nn.layer.activation import Softmax as Softmax
from ms_compat.nn.layer.activation import Softmax2d as Softmax2d
from ms_compat.nn.layer.activation import Softmin as Softmin
from ms_compat.nn.layer.activation import SoftShrink as SoftShrink
from ms_compat.nn.layer.activation import Softsign as Softsign
from ms_compat.nn.layer.activation import Tanh as Tanh
from ms_compat.nn.layer.activation import Tanhshrink as Tanhshrink
from ms_compat.nn.layer.activation import Threshold as Threshold
from ms_compat.nn.layer.activation import get_activation as get_activation
from ms_compat.nn.layer.basic import BiDense as BiDense
from ms_compat.nn.layer.basic import ChannelShuffle as ChannelShuffle
from ms_compat.nn.layer.basic import Dense as Dense
from ms_compat.nn.layer.basic import Flatten as Flatten
from ms_compat.nn.layer.basic import Identity as Identity
from ms_compat.nn.layer.basic import L1Regularizer as L1Regularizer
from ms_compat.nn.layer.basic import Linear as Linear
from ms_compat.nn.layer.basic import OneHot as OneHot
from ms_compat.nn.layer.basic import PixelShuffle as PixelShuffle
from ms_compat.nn.layer.basic import PixelUnshuffle as PixelUnshuffle
from ms_compat.nn.layer.basic import Roll as Roll
from ms_compat.nn.layer.basic import Tril as Tril
from ms_compat.nn.layer.basic import Triu as Triu
from ms_compat.nn.layer.basic import Unflatten as Unflatten
from ms_compat.nn.layer.basic import Upsample as Upsample
from ms_compat.nn.layer.clip import ClipByNorm as ClipByNorm
from ms_compat.nn.layer.combined import Conv2dBnAct as Conv2dBnAct
from ms_compat.nn.layer.combined import DenseBnAct as DenseBnAct
from ms_compat.nn.layer.combined import TimeDistributed as TimeDistributed
from ms_compat.nn.layer.conv import Conv1d as Conv1d
from ms_compat.nn.layer.conv import Conv1dTranspose as Conv1dTranspose
from ms_compat.nn.layer.conv import Conv2d as Conv2d
from ms_compat.nn.layer.conv import Conv2dTranspose as Conv2dTranspose
from ms_compat.nn.layer.conv import Conv3d as Conv3d
from ms_compat.nn.layer.conv import Conv3dTranspose as Conv3dTranspose
from ms_compat.nn.layer.dropout import Dropout as Dropout
from ms_compat.nn.layer.dropout import Dropout1d as Dropout1d
from ms_compat.nn.layer.dropout import Dropout2d as Dropout2d
from ms_compat.nn.layer.dropout import Dropout2dExt as Dropout2dExt
from ms_compat.nn.layer.dropout import Dropout3d as Dropout3d
from ms_compat.nn.layer.dropout import DropoutExt as DropoutExt
from ms_compat.nn.layer.embedding import Embedding as Embedding
from ms_compat.nn.layer.embedding import EmbeddingExt as EmbeddingExt
from ms_compat.nn.layer.embedding import EmbeddingLookup as EmbeddingLookup
from ms_compat.nn.layer.embedding import MultiFieldEmbeddingLookup as MultiFieldEmbeddingLookup
from ms_compat.nn.layer.image import MSSSIM as MSSSIM
from ms_compat.nn.layer.image import PSNR as PSNR
from ms_compat.nn.layer.image import SSIM as SSIM
from ms_compat.nn.layer.image import CentralCrop as CentralCrop
from ms_compat.nn.layer.image import ImageGradients as ImageGradients
from ms_compat.nn.layer.math import LRN as LRN
from ms_compat.nn.layer.math import DiGamma as DiGamma
from ms_compat.nn.layer.math import IGamma as IGamma
from ms_compat.nn.layer.math import LBeta as LBeta
from ms_compat.nn.layer.math import LGamma as LGamma
from ms_compat.nn.layer.math import MatDet as MatDet
from ms_compat.nn.layer.math import MatInverse as MatInverse
from ms_compat.nn.layer.math import MatMul as MatMul
from ms_compat.nn.layer.math import MatrixDiag as MatrixDiag
from ms_compat.nn.layer.math import MatrixDiagPart as MatrixDiagPart
from ms_compat.nn.layer.math import MatrixSetDiag as MatrixSetDiag
from ms_compat.nn.layer.math import Moments as Moments
from ms_compat.nn.layer.math import Norm as Norm
from ms_compat.nn.layer.math import Range as Range
from ms_compat.nn.layer.math import ReduceLogSumExp as ReduceLogSumExp
from ms_compat.nn.layer.math import Unfold as Unfold
from ms_compat.nn.layer.normalization import BatchNorm1d as BatchNorm1d
from ms_compat.nn.layer.normalization import BatchNorm2d as BatchNorm2d
from ms_compat.nn.layer.normalization import BatchNorm3d as BatchNorm3d
from ms_compat.nn.layer.normalization import GroupNorm as GroupNorm
from ms_compat.nn.layer.normalization import InstanceNorm1d as InstanceNorm1d
from ms_compat.nn.layer.normalization import InstanceNorm2d as InstanceNorm2d
from ms_compat.nn.layer.normalization import InstanceNorm3d as InstanceNorm3d
from ms_compat.nn.layer.normalization import LayerNorm as LayerNorm
from ms_compat.nn.layer.normalization import SyncBatchNorm as SyncBatchNorm
from ms_compat.nn.layer.padding import ConstantPad1d as ConstantPad1d
from ms_compat.nn.layer.padding import ConstantPad2d as ConstantPad2d
from ms_compat.nn.layer.padding import ConstantPad3d as ConstantPad3d
from ms_compat.nn.layer.padding import Pad as Pad
from ms_compat.nn.layer.padding import ReflectionPad1d as ReflectionPad1d
from ms_compat.nn.layer.padding import ReflectionPad2d as ReflectionPad2d
from ms_compat.nn.layer.padding import ReflectionPad3d as ReflectionPad3d
from ms_compat.nn.layer.padding import ReplicationPad1d as ReplicationPad1d
from ms_compat.nn.layer.padding import ReplicationPad2d as ReplicationPad2d
from ms_compat.nn.layer.padding import ReplicationPad3d as ReplicationPad3d
from ms_compat.nn.layer.padding import ZeroPad2d as ZeroPad2d
from ms_compat.nn.layer.pooling import AdaptiveAvgPool1d as AdaptiveAvgPool1d
from ms_compat.nn.layer.pooling import AdaptiveAvgPool2d as AdaptiveAvgPool2d
from ms_compat.nn.layer.pooling import AdaptiveAvgPool3d as AdaptiveAvgPool3d
from ms_compat.nn.layer.pooling import AdaptiveMaxPool1d as AdaptiveMaxPool1d
from ms_compat.nn.layer.pooling import AdaptiveMaxPool2d as AdaptiveMaxPool2d
from ms_compat.nn.layer.pooling import AdaptiveMaxPool3d as AdaptiveMaxPool3d
from ms_compat.nn.layer.pooling import AvgPool1d as AvgPool1d
from ms_compat.nn.layer.pooling import AvgPool2d as AvgPool2d
from ms_compat.nn.layer.pooling import AvgPool3d as AvgPool3d
from ms_compat.nn.layer.pooling import LPPool1d as LPPool1d
from ms_compat.nn.layer.pooling import LPPool2d as LPPool2d
from ms_compat.nn.layer.pooling import MaxPool1d as MaxPool1d
from ms_compat.nn.layer.pooling import MaxPool2d as MaxPool2d
from ms_compat.nn.layer.pooling import MaxPool3d as MaxPool3d
from ms_compat.nn.layer.rnn import GRU as GRU
from ms_compat.nn.layer.rnn import LSTM as LSTM
from ms_compat.nn.layer.rnn import RNN as RNN
from ms_compat.nn.layer.rnn_cells import GRUCell as GRUCell
from ms_compat.nn.layer.rnn_cells import LSTMCell as LSTMCell
from ms_compat.nn.layer.rnn_cells import RNNCell as RNNCell
from ms_compat.nn.layer.sparse import SparseTensorDenseMatmul as SparseTensorDenseMatmul
from ms_compat.nn.layer.sparse import SparseToDense as SparseToDense
from ms_compat.nn.layer.thor_layer import Conv2dThor as Conv2dThor
from ms_compat.nn.layer.thor_layer import DenseThor as DenseThor
from ms_compat.nn.layer.thor_layer import EmbeddingLookupThor as EmbeddingLookupThor
from ms_compat.nn.layer.thor_layer import EmbeddingThor as EmbeddingThor
from ms_compat.nn.layer.transformer import MultiheadAttention as MultiheadAttention
from ms_compat.nn.layer.transformer import Transformer as Transformer
from ms_compat.nn.layer.transformer import TransformerDecoder as TransformerDecoder
from ms_compat.nn.layer.transformer import TransformerDecoderLayer as TransformerDecoderLayer
from ms_compat.nn.layer.transformer import TransformerEncoder as TransformerEncoder
from ms_compat.nn.layer.transformer import TransformerEncoderLayer as TransformerEncoderLayer
from ms_compat.nn.layer.unpool import FractionalMaxPool2d as FractionalMaxPool2d
from ms_compat.nn.layer.unpool import FractionalMaxPool3d as FractionalMaxPool3d
from ms_compat.nn.layer.unpool import MaxUnpool1d as MaxUnpool1d
from ms_compat.nn.layer.unpool import MaxUnpool2d as MaxUnpool2d
from ms_compat.nn.layer.unpool import MaxUnpool3d as MaxUnpool3d
from ms_compat.nn.learning_rate_schedule import CosineDecayLR as CosineDecayLR
from ms_compat.nn.learning_rate_schedule import ExponentialDecayLR as ExponentialDecayLR
from ms_compat.nn.learning_rate_schedule import InverseDecayLR as InverseDecayLR
from ms_compat.nn.learning_rate_schedule import LearningRateSchedule as LearningRateSchedule
from ms_compat.nn.learning_rate_schedule import NaturalExpDecayLR as NaturalExpDecayLR
from ms_compat.nn.learning_rate_schedule import PolynomialDecayLR as PolynomialDecayLR
from ms_compat.nn.learning_rate_schedule import WarmUpLR as WarmUpLR
from ms_compat.nn.loss.ctc import CTCLoss as CTCLoss
from ms_compat.nn.loss.loss import BCELoss as BCELoss
from ms_compat.nn.loss.loss import BCEWithLogitsLoss as BCEWithLogitsLoss
from ms_compat.nn.loss.loss import CosineEmbeddingLoss as CosineEmbeddingLoss
from ms_compat.nn.loss.loss import CrossEntropyLoss as CrossEntropyLoss
from ms_compat.nn.loss.loss import DiceLoss as DiceLoss
from ms_compat.nn.loss.loss import FocalLoss as FocalLoss
from ms_compat.nn.loss.loss import GaussianNLLLoss as GaussianNLLLoss
from ms_compat.nn.loss.loss import HingeEmbeddingLoss as HingeEmbeddingLoss
from ms_compat.nn.loss.loss import HuberLoss as HuberLoss
from ms_compat.nn.loss.loss import KLDivLoss as KLDivLoss
from ms_compat.nn.loss.loss import L1Loss as L1Loss
from ms_compat.nn.loss.loss import LossBase as LossBase
from ms_compat.nn.loss.loss import MAELoss as MAELoss
from ms_compat.nn.loss.loss import MarginRankingLoss as MarginRankingLoss
from ms_compat.nn.loss.loss import MSELoss as MSELoss
from ms_compat.nn.loss.loss import MultiClassDiceLoss as MultiClassDiceLoss
from ms_compat.nn.loss.loss import MultilabelMarginLoss as MultilabelMarginLoss
from ms_compat.nn.loss.loss import MultiLabelSoftMarginLoss as MultiLabelSoftMarginLoss
from ms_compat.nn.loss.loss import MultiMarginLoss as MultiMarginLoss
from ms_compat.nn.loss.loss import NLLLoss as NLLLoss
from ms_compat.nn.loss.loss import PoissonNLLLoss as PoissonNLLLoss
from ms_compat.nn.loss.loss import RMSELoss as RMSELoss
from ms_compat.nn.loss.loss import SmoothL1Loss as SmoothL1Loss
from ms_compat.nn.loss.loss import SoftMarginLoss as SoftMarginLoss
from ms_compat.nn.loss.loss import SoftmaxCrossEntropyWithLogits as SoftmaxCrossEntropyWithLogits
from ms_compat.nn.loss.loss import TripletMarginLoss as TripletMarginLoss
from ms_compat.nn.loss.sampled import SampledSoftmaxLoss as SampledSoftmaxLoss
from ms_compat.nn.loss.sampled import TripletMarginWithDistanceLoss as TripletMarginWithDistanceLoss
from ms_compat.nn.optim import ASGD as ASGD
from ms_compat.nn.optim import FTRL as FTRL
from ms_compat.nn.optim import LARS as LARS
from ms_compat.nn.optim import SGD as SGD
from ms_compat.nn.optim import Adadelta as Adadelta
from ms_compat.nn.optim import AdaFactor as AdaFactor
from ms_compat.nn.optim import Adagrad as Adagrad
from ms_compat.nn.optim import Adam as Adam
from ms_compat.nn.optim import AdaMax as AdaMax
from ms_compat.nn.optim import AdamOffload as AdamOffload
from ms_compat.nn.optim import AdamWeightDecay as AdamWeightDecay
from ms_compat.nn.optim import AdaSumByDeltaWeightWrapCell as AdaSumByDeltaWeightWrapCell
from ms_compat.nn.optim import AdaSumByGradWrapCell as AdaSumByGradWrapCell
from ms_compat.nn.optim import Lamb as Lamb
from ms_compat.nn.optim import LazyAdam as LazyAdam
from ms_compat.nn.optim import Momentum as Momentum
from ms_compat.nn.optim import Optimizer as Optimizer
from ms_compat.nn.optim import ProximalAdagrad as ProximalAdagrad
from ms_compat.nn.optim import RMSProp as RMSProp
from ms_compat.nn.optim import Rprop as Rprop
from ms_compat.nn.optim import thor as thor
from ms_compat.nn.wrap import DynamicLossScaleUpdateCell as DynamicLossScaleUpdateCell
from ms_compat.nn.wrap import FixedLossScaleUpdateCell as FixedLossScaleUpdateCell
from ms_compat.nn.wrap import ForwardValueAndGrad as ForwardValueAndGrad
from ms_compat.nn.wrap import TrainOneStepCell as TrainOneStepCell
from ms_compat.nn.wrap import TrainOneStepWithLossScaleCell as TrainOneStepWithLossScaleCell
from ms_compat.nn.wrap import WithEvalCell as WithEvalCell
from ms_compat.nn.wrap import WithGradCell as WithGradCell
from ms_compat.nn.wrap import WithLossCell as WithLossCell
from ms_compat.nn.wrap.micro_batch import DistributedGradReducer as DistributedGradReducer
from ms_compat.nn.wrap.micro_batch import GradAccumulationCell as GradAccumulationCell
from ms_compat.nn.wrap.micro_batch import Jvp as Jvp
from ms_compat.nn.wrap.micro_batch import MicroBatchInterleaved as MicroBatchInterleaved
from ms_compat.nn.wrap.micro_batch import ParameterUpdate as ParameterUpdate
from ms_compat.nn.wrap.micro_batch import PipelineCell as PipelineCell
from ms_compat.nn.wrap.micro_batch import PipelineGradReducer as PipelineGradReducer
from ms_compat.nn.wrap.micro_batch import VirtualDatasetCellTriple as VirtualDatasetCellTriple
from ms_compat.nn.wrap.micro_batch import Vjp as Vjp

_METRICS = frozenset(
    "Accuracy BleuScore ConfusionMatrix ConfusionMatrixMetric CosineSimilarity Dice F1 Fbeta HausdorffDistance "
    "Loss MAE MSE MeanSurfaceDistance Metric OcclusionSensitivity Perplexity Precision ROC Recall "
    "RootMeanSquareDistance Top1CategoricalAccuracy Top5CategoricalAccuracy TopKCategoricalAccuracy auc "
    "get_metric_fn get_metrics metrics names rearrange_inputs".split()
)
# Layers with PyTorch's defaults, which are those of `mint.nn`; that builds on `nn`, so they are fetched when asked for.
_EXTENDED = {
    "AvgPool1dExt": "AvgPool1d", "AvgPool2dExt": "AvgPool2d", "AvgPool3dExt": "AvgPool3d", "MaxPool2dExt": "MaxPool2d",
    "L1LossExt": "L1Loss", "LayerNormExt": "LayerNorm", "LogSoftmaxExt": "LogSoftmax", "PReLUExt": "PReLU",
}  # fmt: skip
_absent = unsupported_getattr(__name__)


def __getattr__(name):
    if name == "GraphCell":  # it runs the files that `train` reads, which builds on `nn`
        from ms_compat._formats.mindir.graph_cell import GraphCell

        return GraphCell
    if name in _METRICS:  # their old home; `train` builds on `nn`, so they are fetched when asked for
        from ms_compat.train import metrics

        return metrics if name == "metrics" else getattr(metrics, name)
    if name in _EXTENDED:
        from ms_compat.mint import nn as extended

        return getattr(extended, _EXTENDED[name])
    return _absent(name)
