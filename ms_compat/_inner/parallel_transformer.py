"""`mindspore.parallel._transformer`, which earlier versions of MindSpore had.

Libraries import it for its checks of arguments and its settings, which are here, and as often for Cells that only one
of their models uses: those raise `UnsupportedError` when they are made.
"""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable
from typing import Any

from ms_compat._core.errors import check_positive_int, check_type
from ms_compat._names.resolve import placeholder_for
from ms_compat.nn.layer.normalization import LayerNorm

__all__ = [
    "OpParallelConfig", "MoEParallelConfig", "TransformerOpParallelConfig", "MoEConfig", "_LayerNorm",
    "_LayerInputCheck", "_args_type_validator_check", "_check_config", "_check_input_dtype", "_check_moe_config",
    "_check_past_none_input_none", "_valid_type_checks", "_valid_value_checks", "default_dpmp_config",
    "default_moe_config", "default_transformer_config",
]  # fmt: skip
_PATH = "mindspore.parallel._transformer"
_CELLS = {
    "transformer": "MultiHeadAttention FeedForward Transformer TransformerEncoder TransformerDecoder AttentionMask "
    "TransformerEncoderLayer TransformerDecoderLayer VocabEmbedding EmbeddingOpParallelConfig _get_lambda_func",
    "moe": "MoE Router",
    "layers": "_Linear _Dropout",
    "loss": "CrossEntropyLoss",
}


def module_attribute(name: str) -> Any:
    """The placeholder of a Cell that is not served; `None` for other names.

    >>> module_attribute("MultiHeadAttention"), module_attribute("Nothing")
    (<mindspore.parallel._transformer.transformer.MultiHeadAttention: not supported by ms_compat>, None)
    """
    for module, names in _CELLS.items():
        if name in names.split():
            return placeholder_for(f"{_PATH}.{module}.{name}")
    return None


class _Ways:
    """Numbers of devices by what is sharded over them."""

    def __init__(self, **ways: int) -> None:
        for name, count in ways.items():
            check_positive_int(type(self).__name__, name, count)
        self.__dict__.update(ways)


class OpParallelConfig(_Ways):
    """Devices for the batch, and for the weights, of one layer."""

    def __init__(self, data_parallel: int = 1, model_parallel: int = 1):
        super().__init__(data_parallel=data_parallel, model_parallel=model_parallel)


class MoEParallelConfig(_Ways):
    """As `OpParallelConfig`, and devices for the experts."""

    def __init__(self, data_parallel: int = 1, model_parallel: int = 1, expert_parallel: int = 1):
        super().__init__(data_parallel=data_parallel, model_parallel=model_parallel, expert_parallel=expert_parallel)


class TransformerOpParallelConfig(_Ways):
    """Devices for a whole Transformer, and how it is trained on them.

    Args:
        data_parallel, model_parallel, expert_parallel (int): devices for the batch, the weights and the experts.
        pipeline_stage, micro_batch_num (int): stages of a pipeline, and the pieces of a batch that pass through it.
        recompute (bool): whether layers are computed again for the gradient.
        optimizer_shard (bool): whether the optimizer's state is cut.
        gradient_aggregation_group (int): groups of gradients that are sent together.
        vocab_emb_dp (bool): whether embeddings are cut by the batch only.
    """

    def __init__(self, data_parallel: int = 1, model_parallel: int = 1, expert_parallel: int = 1,
                 pipeline_stage: int = 1, micro_batch_num: int = 1, recompute: Any = False,
                 optimizer_shard: bool = False, gradient_aggregation_group: int = 4,
                 vocab_emb_dp: bool = True):  # fmt: skip
        super().__init__(
            data_parallel=data_parallel, model_parallel=model_parallel, expert_parallel=expert_parallel,
            pipeline_stage=pipeline_stage, micro_batch_num=micro_batch_num,
            gradient_aggregation_group=gradient_aggregation_group,
        )  # fmt: skip
        self.recompute, self.optimizer_shard, self.vocab_emb_dp = recompute, optimizer_shard, vocab_emb_dp

    @property
    def dp_mp_config(self) -> OpParallelConfig:
        """What one layer needs from it."""
        ways = vars(self)
        return OpParallelConfig(ways["data_parallel"], ways["model_parallel"])

    @property
    def moe_parallel_config(self) -> MoEParallelConfig:
        """What an expert layer needs from it."""
        ways = vars(self)
        return MoEParallelConfig(ways["data_parallel"], ways["model_parallel"], ways["expert_parallel"])


class MoEConfig:
    """A layer of experts: how many there are, how many see a token, and how many tokens one takes."""

    def __init__(self, expert_num: int = 1, capacity_factor: float = 1.1, aux_loss_factor: float = 0.05,
                 num_experts_chosen: int = 1):  # fmt: skip
        check_positive_int("MoEConfig", "expert_num", expert_num)
        check_positive_int("MoEConfig", "num_experts_chosen", num_experts_chosen)
        if num_experts_chosen > expert_num:
            raise ValueError(
                f"For 'MoEConfig', 'num_experts_chosen' must be <= 'expert_num' {expert_num}, but got "
                f"{num_experts_chosen}."
            )
        self.expert_num, self.num_experts_chosen = expert_num, num_experts_chosen
        self.capacity_factor, self.aux_loss_factor = capacity_factor, aux_loss_factor


default_dpmp_config = OpParallelConfig()
default_transformer_config = TransformerOpParallelConfig()
default_moe_config = MoEConfig()


def _check_config(config: Any) -> None:
    """Check that the layers' share of devices does not exceed the stage's."""
    from ms_compat.communication import get_group_size
    from ms_compat.parallel import _utils

    check_type("config", "config", config, _Ways)
    ways = vars(config)
    needed = math.prod(ways.get(name, 1) for name in ("data_parallel", "model_parallel"))
    if _utils._get_parallel_mode() == "stand_alone":
        return
    if needed > get_group_size() // ways.get("pipeline_stage", 1):
        raise ValueError(f"The config needs {needed} devices in a stage, more than there are.")


def _check_moe_config(moe_config: Any, parallel_config: Any) -> None:
    """Check that experts can be dealt to their devices.

    Raises:
        TypeError: no `MoEConfig`.
        ValueError: the experts cannot be dealt evenly.
    """
    check_type("moe", "moe_config", moe_config, MoEConfig)
    ways = vars(parallel_config).get("expert_parallel", 1)
    if moe_config.expert_num % ways:
        raise ValueError(f"{moe_config.expert_num} experts cannot be dealt to {ways} devices.")


class _LayerNorm(LayerNorm):
    """`nn.LayerNorm` over the last axes, with the epsilon of Transformers."""

    def __init__(self, normalized_shape: Any, eps: float = 1e-5, param_init_type: Any = None):
        super().__init__(
            normalized_shape, epsilon=eps, **({} if param_init_type is None else {"dtype": param_init_type})
        )


class _LayerInputCheck:
    """Checks of a layer's inputs that name the layer and the input."""

    @staticmethod
    def check_shape_length(input_shape: Any, param_name: str, func_name: str, target_len: Any) -> bool:
        """Check the rank, which is one of `target_len`."""
        wanted = target_len if isinstance(target_len, (list, tuple)) else [target_len]
        if len(input_shape) not in wanted:
            raise ValueError(f"For '{func_name}', '{param_name}' must have rank {target_len}, but has {input_shape}.")
        return True

    @staticmethod
    def check_shape_equal(input_shape: Any, param_name: str, func_name: str, target_shape: Any) -> bool:
        """Check the shape: the target, or one in a list of targets."""
        many = bool(target_shape) and isinstance(target_shape[0], (list, tuple))
        if list(input_shape) not in [list(shape) for shape in (target_shape if many else [target_shape])]:
            raise ValueError(
                f"For '{func_name}', '{param_name}' must have shape {target_shape}, but has {list(input_shape)}."
            )
        return True

    @staticmethod
    def check_shape_value_on_axis(
        input_shape: Any, dim: int, param_name: str, cls_name: str, target_value: Any
    ) -> bool:
        """Check one dimension."""
        if input_shape[dim] != target_value:
            raise ValueError(
                f"For '{cls_name}', dimension {dim} of '{param_name}' must be {target_value}, but is "
                f"{input_shape[dim]}."
            )
        return True


def _check_input_dtype(input_dtype: Any, param_name: str, allow_dtypes: Any, cls_name: str) -> None:
    """Check that an input has one of the types.

    Raises:
        TypeError: it has another type.
    """
    if input_dtype not in allow_dtypes:
        raise TypeError(f"For '{cls_name}', '{param_name}' must be of {list(allow_dtypes)}, but got {input_dtype}.")


def _check_past_none_input_none(use_past: bool, param_name: str, func_name: str, default_value: Any, is_tensor: bool,
                                is_default: bool) -> None:  # fmt: skip
    """Check that an input of layers that keep their past is given exactly where they do."""
    if not use_past and not is_default:
        raise TypeError(f"For '{func_name}', '{param_name}' must be {default_value} where 'use_past' is False.")
    if use_past and not is_tensor:
        raise TypeError(f"For '{func_name}', '{param_name}' must be a Tensor where 'use_past' is True.")


def _valid_type_checks(types: Any, class_name: str) -> Callable[[Any, str], Any]:
    """A check that a value has one of the types."""

    def check(value: Any, name: str) -> Any:
        if type(value) not in types:
            kinds = [kind.__name__ for kind in types]
            raise TypeError(f"For '{class_name}', '{name}' must be one of {kinds}, but got {type(value).__name__}.")
        return value

    return check


def _valid_value_checks(values: Any, class_name: str) -> Callable[[Any, str], Any]:
    """A check that a value is one of those listed."""

    def check(value: Any, name: str) -> Any:
        if value not in values:
            raise ValueError(f"For '{class_name}', '{name}' must be one of {list(values)}, but got {value!r}.")
        return value

    return check


def _args_type_validator_check(*checks: Any, **named: Any) -> Callable[[Callable], Callable]:
    """Decorate a function so that each argument passes its check, called as `check(value, name)`, at every call."""

    def decorate(fn: Callable) -> Callable:
        signature = inspect.signature(fn)
        wanted = signature.bind_partial(*checks, **named).arguments

        @functools.wraps(fn)
        def checked(*args: Any, **kwargs: Any) -> Any:
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            for name, check in wanted.items():
                check(bound.arguments[name], name)
            return fn(*args, **kwargs)

        return checked

    return decorate
