"""What MindSpore's Cells hold: primitives and settings that subclasses use in their own `construct` or `__init__`.

Ours compute otherwise and have none of them, so `mindspore_attribute` makes each when a caller first reads it, and
keeps it. The tables go by class, and the bases' tables count as well. An entry of `PLAIN` is an attribute's name and
the primitive, made without arguments, that is its value.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

from ms_compat._core.homes import written_in
from ms_compat.nn._cell.part import Part

_NORM = (
    "assign_sub_mean=AssignSub assign_sub_var=AssignSub cast=Cast dtype=DType mul_mean=Mul mul_var=Mul reshape=Reshape "
    "shape=Shape sqrt=Sqrt square=Square sub_mean=Sub sub_var=Sub"
)
PLAIN = {
    "LossBase": "cast=Cast mul=Mul reduce_mean=ReduceMean reduce_sum=ReduceSum",
    "Optimizer": "assignadd=AssignAdd map_=Map hyper_map=HyperMap",
    "mint.Optimizer": "map_=Map hyper_map=HyperMap op_cast=Cast assignadd=AssignAdd",
    "ASGD": "assign=Assign assignsub=AssignSub cast=Cast maximum=Maximum pow=Pow squeeze=Squeeze",
    "AdaptiveAvgPool1d": "dtype=DType expand=ExpandDims",
    "AdaptiveMaxPool1d": "dtype=DType expand=ExpandDims",
    "AvgPool1d": "expand=ExpandDims slice=Slice",
    "BatchNorm1d": _NORM,
    "BatchNorm2d": _NORM,
    "SyncBatchNorm": _NORM,
    "BatchNorm3d": "reshape=Reshape shape=Shape",
    "BiDense": "bias_add=BiasAdd matmul=MatMul",
    "CentralCrop": "slice=Slice",
    "ChannelShuffle": "reshape=Reshape shape=Shape transpose=Transpose",
    "Conv1d": "bias_add=BiasAdd expand_dims=ExpandDims shape=Shape",
    "Conv1dTranspose": "bias_add=BiasAdd expand_dims=ExpandDims shape=Shape",
    "Conv2dTranspose": "bias_add=BiasAdd shape=Shape",
    "Conv3d": "shape=Shape",
    "Conv3dTranspose": "shape=Shape",
    "CosineDecayLR": "cast=Cast cos=Cos min=Minimum sin=Sin",
    "CosineEmbeddingLoss": "maximum=Maximum",
    "Dense": "bias_add=BiasAdd reshape=Reshape shape_op=Shape",
    "DiceLoss": "reshape=Reshape",
    "DynamicLossScaleUpdateCell": "less_equal=LessEqual logic_and=LogicalAnd logic_not=LogicalNot logic_or=LogicalOr "
    "max=Maximum reciprocal=Reciprocal select=Select",
    "Embedding": "array_mul=MatMul concat=Concat expand=ExpandDims gather=Gather get_shp=Shape one_hot=OneHot "
    "reshape=Reshape reshape_flat=Reshape",
    "EmbeddingLookup": "gather_revert=Gather gatherv2=SparseGatherV2 reshape=Reshape reshape_first=Reshape shape=Shape "
    "unique=Unique embeddinglookup=EmbeddingLookup",
    "ExponentialDecayLR": "cast=Cast pow=Pow",
    "FastGelu": "fast_gelu=FastGeLU",
    "FocalLoss": "dtype=DType expand_dims=ExpandDims gather_d=GatherD tile=Tile",
    "GLU": "sigmoid=Sigmoid",
    "GradAccumulationCell": "add=Add",
    "HSigmoid": "hsigmoid=HSigmoid",
    "HSwish": "hswish=HSwish",
    "InstanceNorm1d": "shape=Shape",
    "InstanceNorm2d": "shape=Shape",
    "InstanceNorm3d": "shape=Shape",
    "InverseDecayLR": "cast=Cast",
    "L1Regularizer": "abs=Abs reduce_sum=ReduceSum",
    "LARS": "cast=Cast",
    "LogSigmoid": "add=Add exp=Exp log=Log mul=Mul rec=Reciprocal",
    "MAELoss": "abs=Abs",
    "MSSSIM": "pow=Pow prod=ReduceProd reduce_mean=ReduceMean",
    "MatMul": "expand_op=ExpandDims reduce_sum_op=ReduceSum shape_op=Shape",
    "MatrixDiag": "dtype=DType",
    "MatrixDiagPart": "dtype=DType",
    "MatrixSetDiag": "dtype=DType",
    "MaxPool1d": "expand=ExpandDims",
    "MicroBatchInterleaved": "add=Add",
    "Mish": "mish=Mish",
    "Moments": "cast=Cast square_diff=SquaredDifference",
    "MultiClassDiceLoss": "reshape=Reshape",
    "NaturalExpDecayLR": "cast=Cast pow=Pow",
    "Norm": "sqrt=Sqrt",
    "PReLU": "prelu=PReLU",
    "PipelineCell": "add=Add",
    "PoissonNLLLoss": "maximum=Maximum",
    "PolynomialDecayLR": "ceil=Ceil max=Maximum min=Minimum pow=Pow",
    "RMSELoss": "dtype=DType",
    "RReLU": "sign=Sign",
    "ReLU": "relu=ReLU",
    "ReLU6": "relu6=ReLU6",
    "ReduceLogSumExp": "exp=Exp log=Log",
    "Roll": "shape_op=Shape",
    "Rprop": "assign=Assign cast=Cast fill=FillV2 ones_like=OnesLike select=Select sign=Sign",
    "SSIM": "reduce_mean=ReduceMean",
    "SampledSoftmaxLoss": "dtype=DType exp=Exp expand_dims=ExpandDims gather_v2=Gather log=Log ones_like=OnesLike "
    "reshape=Reshape shape=Shape slice_op=Slice zeros_like=ZerosLike",
    "SeLU": "selu=SeLU",
    "Sigmoid": "sigmoid=Sigmoid",
    "Softmax2d": "shape=Shape",
    "SoftmaxCrossEntropyWithLogits": "one_hot=OneHot softmax_cross_entropy=SoftmaxCrossEntropyWithLogits "
    "sparse_softmax_cross_entropy=SparseSoftmaxCrossEntropyWithLogits",
    "Softsign": "softsign=Softsign",
    "SparseToDense": "sparse_to_dense=SparseToDense",
    "Tanh": "tanh=Tanh",
    "TimeDistributed": "reshape=Reshape transpose=Transpose",
    "TrainOneStepWithLossScaleCell": "equal=Equal hyper_map=HyperMap less_equal=LessEqual logic_not=LogicalNot "
    "reduce_all=ReduceAll",
    "Tril": "cast=Cast dtype=DType mul=Mul",
    "TripletMarginWithDistanceLoss": "maximum=Maximum minimum=Minimum",
    "Triu": "cast=Cast dtype=DType mul=Mul",
    "WarmUpLR": "cast=Cast min=Minimum",
    "mint._BatchNorm": "shape=Shape",
}


def _optimizer(name: str, *settings: str, **given: Any) -> Any:
    """A primitive made with the optimizer's own settings of these names."""
    return lambda c, ops: getattr(ops, name)(*[getattr(c, s, False) for s in settings], **given)


def _of(name: str, *args: Any, **given: Any) -> Any:
    return lambda c, ops: getattr(ops, name)(*args, **given)


def _pool(c: Any, ops: Any, name: str) -> Any:
    def sizes(value: Any) -> Any:
        return (1, value[-1]) if c._lift else value

    return getattr(ops, name)(kernel_size=sizes(c.kernel_size), strides=sizes(c.stride), pad_mode=c.pad_mode)


def _conv_settings(c: Any) -> dict[str, Any]:
    return {"pad_mode": c.pad_mode, "pad": c.padding, "stride": c.stride, "dilation": c.dilation, "group": c.group}


def _conv(c: Any, ops: Any, name: str, channels: int) -> Any:
    return getattr(ops, name)(out_channel=channels, kernel_size=c.kernel_size, mode=1, **_conv_settings(c))


def _batch_norm(is_training: bool) -> Any:
    return lambda c, ops: ops.BatchNorm(
        is_training=is_training, epsilon=c.eps, momentum=c.momentum if is_training else 0.1, data_format=c.format
    )


_POOL = {"squeeze": _of("Squeeze", 2), "reduce_mean": _of("ReduceMean", keep_dims=True), "format": "NCHW"}
_BATCH_NORM = {
    "bn_train": _batch_norm(True),
    "bn_infer": _batch_norm(False),
    "reduce_mean": _of("ReduceMean", keep_dims=True),
    "format": "NCHW",
    "parallel_mode": "stand_alone",
}
_TRANSPOSED = {
    "conv2d_transpose": lambda c, ops: _conv(c, ops, "Conv2DTranspose", c.in_channels),
    "is_valid": lambda c, ops: c.pad_mode == "valid",
    "is_same": lambda c, ops: c.pad_mode == "same",
    "is_pad": lambda c, ops: c.pad_mode == "pad",
}
_LIFTED = {"squeeze": _of("Squeeze", 2), "conv2d": lambda c, ops: _conv(c, ops, "Conv2D", c.out_channels)}

# a value, or a function of the Cell and `ms_compat.ops`
MADE: dict[str, dict[str, Any]] = {
    "Cell": {
        "arguments_key": "",
        "grad_ops_label": False,
        "is_top_cell": False,
        "mixed_precision_type": None,
        "_amp_level": "",
        "_primitives": lambda c, ops: {k: v for k, v in vars(c).items() if isinstance(v, ops.Primitive)},
    },
    "Optimizer": {
        "map_reverse": _of("Map", None, True),
        "hyper_map_reverse": _of("HyperMap", None, True),
        "optim_filter": lambda c, ops: (True,) * c.param_length,
        "dynamic_decay_flags": lambda c, ops: _dynamic_flags(c),
        "_parameters": lambda c, ops: c.parameters,
        "group_params": lambda c, ops: _of_groups(c, list(c.parameters)),
        "group_lr": lambda c, ops: _of_groups(
            c, list(c.learning_rate) if c.is_group_lr else [c.learning_rate] * c.param_length
        ),
        "group_weight_decay": lambda c, ops: _of_groups(
            c, list(c.weight_decay) if isinstance(c.weight_decay, tuple) else [c.weight_decay] * c.param_length
        ),
        "group_grad_centralization": lambda c, ops: _of_groups(c, list(c.grad_centralization_flags)),
        "use_parallel": False,
        "param_rank": None,
        "enable_tuple_broaden": True,
        "skip_auto_parallel_compile": True,
    },
    "mint.Optimizer": {"enable_tuple_broaden": True, "increase_tensor": lambda c, ops: _tensor(1, "int32")},
    "Adadelta": {"opt": _of("ApplyAdadelta")},
    "Adagrad": {"opt": lambda c, ops: ops.ApplyAdagrad(getattr(c, "update_slots", True))},
    "AdaMax": {"opt": _of("ApplyAdaMax")},
    "Adam": {
        "opt": _optimizer("Adam", "use_locking", "use_nesterov"),
        "sparse_opt": _optimizer("FusedSparseAdam", "use_locking", "use_nesterov"),
        "use_lazy": False,
        "use_offload": False,
        "use_locking": False,
    },
    "AdamWeightDecay": {"fused_opt": _of("AdamWeightDecay"), "use_fused_opt": True},
    "AdaptiveAvgPool1d": {"squeeze": _of("Squeeze", 2), "shape": _of("Shape")},
    "AdaptiveAvgPool2d": {"adaptive_avgpool2d": lambda c, ops: ops.AdaptiveAvgPool2D(c.output_size)},
    "AdaptiveAvgPool3d": {"adaptive_avg_pool3d": lambda c, ops: ops.AdaptiveAvgPool3D(c.output_size)},
    "AdaptiveMaxPool1d": {"squeeze": _of("Squeeze", 2), "shape": _of("Shape")},
    "AvgPool1d": {**_POOL, "shape": _of("Shape"), "avg_pool": lambda c, ops: _pool(c, ops, "AvgPool")},
    "AvgPool2d": {"avg_pool": lambda c, ops: _pool(c, ops, "AvgPool"), "format": "NCHW"},
    "AvgPool3d": {"avg_pool": lambda c, ops: _pool(c, ops, "AvgPool3D"), "format": "NCHW"},
    "BatchNorm1d": _BATCH_NORM,
    "BatchNorm2d": _BATCH_NORM,
    "SyncBatchNorm": _BATCH_NORM,
    "BiDense": {"in_channels": lambda c, ops: c.in2_channels},
    "CELU": {"celu": lambda c, ops: ops.CeLU(c.alpha)},
    "Conv1d": _LIFTED,
    "Conv1dTranspose": {**_TRANSPOSED, "squeeze": _of("Squeeze", 2)},
    "Conv2d": {
        "conv2d": lambda c, ops: _conv(c, ops, "Conv2D", c.out_channels),
        "bias_add": lambda c, ops: ops.BiasAdd(data_format=c.data_format),
    },
    "Conv2dTranspose": _TRANSPOSED,
    "Conv3d": {
        "conv3d": lambda c, ops: _conv(c, ops, "Conv3D", c.out_channels),
        "bias_add": _of("BiasAdd", data_format="NCDHW"),
        "concat": _of("Concat", 1),
    },
    "Conv3dTranspose": {
        "conv3d_transpose": lambda c, ops: ops.Conv3DTranspose(
            in_channel=c.in_channels, out_channel=c.out_channels, kernel_size=c.kernel_size, **_conv_settings(c)
        ),
        "bias_add": _of("BiasAdd", data_format="NCDHW"),
    },
    "CosineDecayLR": {"math_pi": math.pi, "delta": lambda c, ops: 0.5 * (c.max_lr - c.min_lr)},
    "Dense": {
        "matmul": _of("MatMul", transpose_b=True),
        "activation_flag": lambda c, ops: c.activation is not None,
    },
    "Dropout": {"dropout": lambda c, ops: ops.Dropout(c.keep_prob if c.p is None else 1.0 - c.p)},
    "Dropout2d": {"dropout2d": lambda c, ops: ops.Dropout2D(c.keep_prob)},
    "Dropout3d": {"dropout3d": lambda c, ops: ops.Dropout3D(c.keep_prob)},
    "DynamicLossScaleUpdateCell": {
        "const_true": lambda c, ops: _tensor(True, "bool_"),
        "minimum_loss_scale": lambda c, ops: _tensor(1.0, "float32"),
    },
    "ELU": {"elu": lambda c, ops: ops.Elu(c.alpha)},
    "Embedding": {
        "on_value": lambda c, ops: _tensor(1.0, "float32"),
        "off_value": lambda c, ops: _tensor(0.0, "float32"),
        "shp_flat": (-1,),
    },
    "EmbeddingLookup": {
        "BATCH_SLICE": "batch_slice",
        "FIELD_SLICE": "field_slice",
        "TABLE_ROW_SLICE": "table_row_slice",
        "TABLE_COLUMN_SLICE": "table_column_slice",
    },
    "FTRL": {"opt": _of("ApplyFtrl"), "use_locking": False},
    "FocalLoss": {"squeeze": _of("Squeeze", 1)},
    "GLU": {"dim": lambda c, ops: c.axis, "spilt": lambda c, ops: ops.Split(axis=c.axis, output_num=2)},
    "HShrink": {"hshrink": lambda c, ops: ops.HShrink(c.lambd)},
    "LARS": {
        "lars": lambda c, ops: ops.LARSUpdate(c.epsilon, c.coefficient, c.use_clip),
    },
    "LayerNorm": {
        "layer_norm": lambda c, ops: ops.LayerNorm(c.begin_norm_axis, c.begin_params_axis, c.epsilon),
    },
    "LogSoftmax": {"log_softmax": lambda c, ops: ops.LogSoftmax(c.axis)},
    "LRN": {"lrn_op": lambda c, ops: ops.LRN(c.depth_radius, c.bias, c.alpha, c.beta, c.norm_region)},
    "MSSSIM": {"concat": _of("Concat", 1), "stack": _of("Stack", -1)},
    "MatMul": {"squeeze_left_op": _of("Squeeze", -2), "squeeze_right_op": _of("Squeeze", -1)},
    "MaxPool1d": {**_POOL, "shape": _of("Shape"), "max_pool": lambda c, ops: _pool(c, ops, "MaxPool")},
    "MaxPool2d": {"max_pool": lambda c, ops: _pool(c, ops, "MaxPool"), "format": "NCHW"},
    "MaxPool3d": {"max_pool": lambda c, ops: _pool(c, ops, "MaxPool3D"), "format": "NCHW"},
    "Moments": {"reduce_mean": _of("ReduceMean", keep_dims=True)},
    "Momentum": {
        "opt": lambda c, ops: ops.ApplyMomentum(use_nesterov=c.use_nesterov),
        "params": lambda c, ops: c.parameters,
    },
    "NaturalExpDecayLR": {"math_e": math.e},
    "Norm": {"reduce_sum": _of("ReduceSum", True)},
    "OneHot": {"onehot": lambda c, ops: ops.OneHot(c.axis)},
    "PolynomialDecayLR": {
        "start_learning_rate": lambda c, ops: c.learning_rate,
        "diff_learning_rate": lambda c, ops: c.learning_rate - c.end_learning_rate,
    },
    "ProximalAdagrad": {"opt": _of("ApplyProximalAdagrad"), "use_locking": False},
    "RMSProp": {"opt": lambda c, ops: ops.ApplyCenteredRMSProp() if c.centered else ops.ApplyRMSProp()},
    "ReduceLogSumExp": {
        "max": lambda c, ops: ops.ReduceMax(c.keep_dims),
        "sum": lambda c, ops: ops.ReduceSum(c.keep_dims),
    },
    "SGD": {
        "opt": lambda c, ops: tuple(
            ops.SGD(c.dampening, float(d), c.nesterov)
            for d in (c.weight_decay if isinstance(c.weight_decay, tuple) else (c.weight_decay,) * c.param_length)
        )
    },
    "SSIM": {"concat": _of("Concat", 1)},
    "SampledSoftmaxLoss": {
        "concat_dim0": _of("Concat", 0),
        "concat_dim1": _of("Concat", 1),
        "matmul": _of("MatMul", False, True),
        "reduce_max_true": _of("ReduceMax", True),
        "reduce_sum_true": _of("ReduceSum", True),
    },
    "SmoothL1Loss": {"smooth_l1_loss": lambda c, ops: ops.SmoothL1Loss(c.beta, c.reduction)},
    "SoftShrink": {"softshrink": lambda c, ops: ops.SoftShrink(c.lambd)},
    "Softmax": {"softmax": lambda c, ops: ops.Softmax(c.axis)},
    "Softmax2d": {"softmax": _of("Softmax", -3)},
    "SoftmaxCrossEntropyWithLogits": {
        "on_value": lambda c, ops: _tensor(1.0, "float32"),
        "off_value": lambda c, ops: _tensor(0.0, "float32"),
        "is_cpugpu": True,
    },
    "TrainOneStepCell": {"sense_flag": False, "use_graceful_exit": False, "parallel_mode": "stand_alone"},
    "TrainOneStepWithLossScaleCell": {
        "enable_tuple_broaden": True,
        "base": lambda c, ops: _tensor(1, "float32"),
        "base0": lambda c, ops: _tensor(0, "int32"),
        "reduce_sum": _of("ReduceSum", keep_dims=False),
        "gpu_target": False,
        "ascend_910a_target": False,
        "ascend_910b_target": False,
        "is_distributed": lambda c, ops: c.parallel_mode != "stand_alone",
    },
    "WithGradCell": {"grad": lambda c, ops: ops.GradOperation(get_by_list=True, sens_param=c.sens is not None)},
    "mint._Conv": {"transposed": False, "output_padding": lambda c, ops: (0,) * len(c.kernel_size)},
    "mint.ConvTranspose2d": {"transposed": True},
}
_NO = object()


def _tensor(value: Any, dtype: str) -> Any:
    import ms_compat

    return ms_compat.Tensor(value, getattr(ms_compat, dtype))


def _dynamic_flags(optimizer: Any) -> Any:
    decay = optimizer.weight_decay
    return tuple(isinstance(d, Part) for d in decay) if isinstance(decay, tuple) else isinstance(decay, Part)


def _of_groups(optimizer: Any, values: list[Any]) -> list[Any]:
    if not optimizer.is_group:
        raise AttributeError(f"'{type(optimizer).__name__}' has no groups of parameters.")
    return values


def _tables(cls: type) -> Any:
    for base in cls.__mro__:
        home = written_in(base)
        if not home.startswith("ms_compat."):
            continue
        part = home.split(".")[1]
        key = base.__name__ if part == "nn" else f"{part}.{base.__name__}"
        yield PLAIN.get(key, ""), MADE.get(key, {})


def mindspore_attribute(cell: Any, name: str, absent: Any) -> Any:
    """What MindSpore's Cell of this class has under `name`, or `absent`."""
    for plain, made in _tables(type(cell)):
        value = made.get(name, _NO)
        if value is not _NO:
            from ms_compat import ops

            return value(cell, ops) if callable(value) else value
        for entry in plain.split():
            if entry.startswith(name + "="):
                from ms_compat import ops

                return getattr(ops, entry.partition("=")[2])()
    return absent


def names(cls: type) -> list[str]:
    """The names that `mindspore_attribute` finds for a class."""
    tables = list(_tables(cls))
    return sorted(set(itertools.chain(*[[e.partition("=")[0] for e in p.split()] + list(m) for p, m in tables])))
