"""Normalisation layers.

BatchNorm's moving statistics are Parameters without gradient. In training a call returns their new values together
with the output, and `write_barrier.assign` replaces them: on the tape, in a trace and inside a gradient alike.
"""

from __future__ import annotations

from typing import Any

from ms_compat._core import dtype as mstype
from ms_compat._core.checks import OfType, Range, check_at_least, check_choice, check_dtype
from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import check_bool, check_positive_int, check_type, value_and_type, value_error
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._core.trace import write_barrier
from ms_compat.nn.cell import Cell
from ms_compat.nn.layer import sync_norm
from ms_compat.nn.layer._initial import initial
from ms_compat.ops.function.nn import normalization as ops
from ms_compat.ops.function.nn.checks import channels_first


def _check_features(api: str, x: Any, ranks: tuple[int, ...], gamma: Any) -> None:
    channels_first(api, x, ranks, "num_features", gamma.shape[0])


@op(static=("momentum", "eps", "ranks", "api"), name="BatchNorm")
def _train(x, gamma, beta, mean, variance, momentum, eps, ranks, api):
    _check_features(api, x, ranks, gamma)
    return ops.batch_norm_train.fn(x, gamma, beta, mean, variance, 1.0 - momentum, eps)


@op(static=("eps", "ranks", "api"), name="BatchNorm")
def _infer(x, gamma, beta, mean, variance, eps, ranks, api):
    _check_features(api, x, ranks, gamma)
    return ops.batch_norm_infer.fn(x, gamma, beta, mean, variance, eps)


class _Affine(Cell):
    """The parameters of BatchNorm and InstanceNorm, and how they print."""

    def _set_up(self, num_features, eps, momentum, affine, gamma_init, beta_init, mean_init, var_init, dtype) -> None:
        api = type(self).__name__
        if isinstance(num_features, bool) or not isinstance(num_features, int):
            raise TypeError(
                f"For '{api}', the type of 'num_features' should be 'int', but got type "
                f"'{type(num_features).__name__}'."
            )
        check_at_least(api, "num_features", num_features, 1)
        if not 0 <= check_type(api, "momentum", momentum, (int, float)) <= 1:
            raise ValueError(f"For '{api}', the 'momentum' must be a number in range [0, 1], but got {momentum}.")
        self.num_features = num_features
        self.eps = eps
        self._kept, self.momentum = momentum, momentum
        for attribute, name, init, trained in (
            ("moving_mean", "mean", mean_init, False),
            ("moving_variance", "variance", var_init, False),
            ("gamma", "gamma", gamma_init, affine),
            ("beta", "beta", beta_init, affine),
        ):
            value = initial(init, (num_features,), dtype)
            setattr(self, attribute, Parameter(value, name=name, requires_grad=trained))

    def extend_repr(self):
        return (
            f"num_features={self.num_features}, eps={self.eps}, momentum={self._kept}, "
            f"gamma={self._params['gamma']}, "
            f"beta={self._params['beta']}, moving_mean={self._params['moving_mean']}, "
            f"moving_variance={self._params['moving_variance']}"
        )


class _BatchNorm(_Affine):
    _ranks: tuple[int, ...] = (4,)

    def __init__(
        self, num_features, eps=1e-5, momentum=0.9, affine=True, gamma_init="ones", beta_init="zeros",
        moving_mean_init="zeros", moving_var_init="ones", use_batch_statistics=None, data_format="NCHW",
        dtype=mstype.float32,
    ):  # fmt: skip
        super().__init__()
        api = type(self).__name__
        self._set_up(
            num_features, eps, momentum, check_bool(api, "affine", affine), gamma_init, beta_init, moving_mean_init,
            moving_var_init, dtype,
        )  # fmt: skip
        if use_batch_statistics is not None and not isinstance(use_batch_statistics, bool):
            raise ValueError(
                f"For '{api}', the 'use_batch_statistics' must be a boolean value or None, but got "
                f"{use_batch_statistics}."
            )
        self.momentum = 1.0 - momentum  # as MindSpore's has it: the share of the new statistics
        self.use_batch_statistics = use_batch_statistics
        check_choice(api, "data_format", data_format, ("NCHW", "NHWC"))
        if data_format == "NHWC":
            raise value_error(api, "data_format", "'NCHW' (MindSpore has 'NHWC' on GPU alone)", data_format)

    def construct(self, x):
        use = self.use_batch_statistics
        params = self._params
        mean, variance = params["moving_mean"], params["moving_variance"]
        api = self.__class__.__name__
        if use is None and self.training or use:
            out, new_mean, new_variance = _train(
                x, self.gamma, self.beta, mean, variance, self._kept, self.eps, self._ranks, api
            )
            write_barrier.assign(mean, new_mean._v)
            write_barrier.assign(variance, new_variance._v)
            return out
        return _infer(x, self.gamma, self.beta, mean, variance, self.eps, self._ranks, api)


@faces("nn nn.layer")
class BatchNorm1d(_BatchNorm):
    """Batch normalisation of [N, C] or [N, C, L]: per channel, (x - mean) / sqrt(variance + eps) * gamma + beta.

    Differs from PyTorch's: `momentum` is the share of the old statistics. Ioffe and Szegedy, arXiv:1502.03167.

    Args:
        num_features (int): C.
        eps (float): added to the variance.
        momentum (float): moving = momentum * moving + (1 - momentum) * batch, in [0, 1].
        affine (bool): whether gamma and beta are trained.
        gamma_init, beta_init, moving_mean_init, moving_var_init: initializers.
        use_batch_statistics (bool): None: the batch's statistics in training, the moving ones else; True or False:
            always.
        data_format (str): "NCHW".
        dtype: of the parameters.

    Raises:
        TypeError: an argument has another type.
        ValueError: a wrong value, or an input of another shape.

    >>> from ms_compat import Tensor, nn
    >>> net = nn.BatchNorm1d(1).set_train()
    >>> print(net(Tensor([[1.0], [3.0]])).asnumpy().round(3).tolist())
    [[-1.0], [1.0]]
    >>> print(net.moving_mean.asnumpy().round(3))
    [0.2]
    """

    _ranks = (2, 3)


@faces("nn nn.layer")
class BatchNorm2d(_BatchNorm):
    """Batch normalisation of [N, C, H, W]: per channel, (x - mean) / sqrt(variance + eps) * gamma + beta.

    Differs from PyTorch's: `momentum` is the share of the old statistics. Ioffe and Szegedy, arXiv:1502.03167.

    Args:
        num_features (int): C.
        eps (float): added to the variance.
        momentum (float): moving = momentum * moving + (1 - momentum) * batch, where the batch's variance is unbiased.
        affine (bool): whether gamma and beta are trained.
        gamma_init, beta_init, moving_mean_init, moving_var_init: initializers.
        use_batch_statistics (bool): None: the batch's statistics in training, the moving ones else; True or False:
            always.
        data_format (str): "NCHW".
        dtype: of the parameters.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: a wrong value.

    >>> import numpy as np
    >>> import ms_compat as ms
    >>> net = ms.nn.BatchNorm2d(2).set_train()
    >>> _ = net(ms.Tensor(np.ones((4, 2, 3, 3)), ms.float32))
    >>> print(net.moving_mean.asnumpy())
    [0.1 0.1]
    """


@faces("nn nn.layer")
class BatchNorm3d(Cell):
    """Batch normalisation of [N, C, D, H, W]: per channel, (x - mean) / sqrt(variance + eps) * gamma + beta.

    Its Parameters belong to its child `bn2d`, a `BatchNorm2d`. Ioffe and Szegedy, arXiv:1502.03167.

    Args:
        num_features (int): C.
        eps (float): added to the variance.
        momentum (float): moving = momentum * moving + (1 - momentum) * batch, in [0, 1].
        affine (bool): whether gamma and beta are trained.
        gamma_init, beta_init, moving_mean_init, moving_var_init: initializers.
        use_batch_statistics (bool): None: the batch's statistics in training, the moving ones else; True or False:
            always.
        dtype: of the parameters.

    Raises:
        TypeError: an argument has another type.
        ValueError: a wrong value, or an input of another shape.

    >>> import numpy as np
    >>> from ms_compat import Tensor, nn
    >>> x = Tensor(np.arange(8, dtype=np.float32).reshape(1, 1, 2, 2, 2))
    >>> round(nn.BatchNorm3d(1).set_train()(x).mean().item(), 4)
    0.0
    """

    def __init__(
        self, num_features, eps=1e-5, momentum=0.9, affine=True, gamma_init="ones", beta_init="zeros",
        moving_mean_init="zeros", moving_var_init="ones", use_batch_statistics=None, dtype=mstype.float32,
    ):  # fmt: skip
        super().__init__()
        self.bn2d = BatchNorm2d(
            num_features, eps, momentum, affine, gamma_init, beta_init, moving_mean_init, moving_var_init,
            use_batch_statistics, "NCHW", dtype,
        )  # fmt: skip

    def construct(self, x):
        shape = x.shape
        _check_features("BatchNorm3d", x, (5,), self.bn2d.gamma)
        return _reshape(self.bn2d(_reshape(x, (shape[0], shape[1], shape[2] * shape[3], shape[4]))), shape)


@op(static=("shape",), name="reshape")
def _reshape(x, shape):
    return x.reshape(shape)


@faces("nn nn.layer")
class SyncBatchNorm(_BatchNorm):
    """Batch normalisation with statistics over the batches of several processes.

    In a process alone it is `BatchNorm2d`: under a compiled function with sharded inputs XLA's reductions go over the
    whole global batch.

    Args: as for `BatchNorm2d`, with `process_groups` in place of `data_format`: a list of process lists, each
        with statistics of its own; None for one group of all.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: `process_groups` is not a list, or names a process twice or one that does not exist.

    >>> from ms_compat import Tensor, nn
    >>> net = nn.SyncBatchNorm(1).set_train()
    >>> print(net(Tensor([[1.0], [3.0]])).asnumpy().round(3).tolist())
    [[-1.0], [1.0]]
    """

    _ranks = (2, 4)

    def __init__(
        self, num_features, eps=1e-5, momentum=0.9, affine=True, gamma_init="ones", beta_init="zeros",
        moving_mean_init="zeros", moving_var_init="ones", use_batch_statistics=None, process_groups=None,
        dtype=mstype.float32,
    ):  # fmt: skip
        super().__init__(
            num_features, eps, momentum, affine, gamma_init, beta_init, moving_mean_init, moving_var_init,
            use_batch_statistics, "NCHW", dtype,
        )  # fmt: skip
        self.process_groups = process_groups
        self._processes = sync_norm.ranks_of(process_groups)

    def construct(self, x):
        use = self.use_batch_statistics
        if len(self._processes) == 1 or not (use is None and self.training or use):
            return super().construct(x)
        _check_features("SyncBatchNorm", x, self._ranks, self.gamma)
        mean, variance = self._params["moving_mean"], self._params["moving_variance"]
        out, new_mean, new_variance = sync_norm.train(
            self._processes, x, self.gamma, self.beta, mean, variance, 1.0 - self._kept, self.eps
        )
        write_barrier.assign(mean, new_mean._v)
        write_barrier.assign(variance, new_variance._v)
        return out


@op(static=("eps", "rank", "api"), name="InstanceNorm")
def _instance_norm(x, gamma, beta, eps, rank, api):
    _check_features(api, x, (rank,), gamma)
    return ops.instance_norm.fn(x, gamma, beta, eps)


class _InstanceNorm(_Affine):
    _rank = 4

    def __init__(
        self, num_features, eps=1e-5, momentum=0.1, affine=True, gamma_init="ones", beta_init="zeros",
        dtype=mstype.float32,
    ):  # fmt: skip
        super().__init__()
        api = type(self).__name__
        check_bool(api, "affine", affine)
        OfType(float)(api, "momentum", momentum)
        Range(0, 1, "(]", float)(api, "eps", eps)
        for name, init in (("gamma_init", gamma_init), ("beta_init", beta_init)):
            if isinstance(init, Tensor):
                check_dtype(api, name, init, dtype)
        self._set_up(num_features, eps, momentum, affine, gamma_init, beta_init, "zeros", "ones", dtype)

    def construct(self, x):
        return _instance_norm(x, self.gamma, self.beta, self.eps, self._rank, self.__class__.__name__)


@faces("nn nn.layer")
class InstanceNorm1d(_InstanceNorm):
    """Normalisation per sample and channel, for [N, C, L]. Ulyanov et al., arXiv:1607.08022.

    MindSpore has this layer on GPU alone.

    Args:
        num_features (int): C.
        eps (float): added to the variance, in (0, 1].
        momentum (float): of the moving statistics, which are not used.
        affine (bool): whether gamma and beta are trained.
        gamma_init, beta_init: initializers.
        dtype: of the parameters.

    Raises:
        TypeError: an argument has another type.
        ValueError: a wrong value, or an input of another shape.

    >>> from ms_compat import Tensor, nn
    >>> print(nn.InstanceNorm1d(1)(Tensor([[[1.0, 3.0]]])).asnumpy().round(3))
    [[[-1.  1.]]]
    """

    _rank = 3


@faces("nn nn.layer")
class InstanceNorm2d(_InstanceNorm):
    """Normalisation per sample and channel, for [N, C, H, W]. Ulyanov et al., arXiv:1607.08022.

    MindSpore has this layer on GPU alone.

    Args:
        num_features (int): C.
        eps (float): added to the variance.
        momentum (float): of the moving statistics, which are not used.
        affine (bool): whether gamma and beta are trained.
        gamma_init, beta_init: initializers.
        dtype: of the parameters.

    >>> from ms_compat import Tensor, nn
    >>> print(nn.InstanceNorm2d(1)(Tensor([[[[1.0, 3.0]]]])).asnumpy().round(3).tolist())
    [[[[-1.0, 1.0]]]]
    """


@faces("nn nn.layer")
class InstanceNorm3d(_InstanceNorm):
    """Normalisation per sample and channel, for [N, C, D, H, W]. Ulyanov et al., arXiv:1607.08022.

    MindSpore has this layer on GPU alone.

    Args:
        num_features (int): C.
        eps (float): added to the variance, in (0, 1].
        momentum (float): of the moving statistics, which are not used.
        affine (bool): whether gamma and beta are trained.
        gamma_init, beta_init: initializers.
        dtype: of the parameters.

    Raises:
        TypeError: an argument has another type.
        ValueError: a wrong value, or an input of another shape.

    >>> from ms_compat import Tensor, nn
    >>> x = Tensor([1.0, 3.0]).reshape((1, 1, 1, 1, 2))
    >>> print(nn.InstanceNorm3d(1)(x).flatten().asnumpy().round(3))
    [-1.  1.]
    """

    _rank = 5


@op(static=("begin_norm_axis", "begin_params_axis", "epsilon"), name="LayerNorm")
def _layer_norm(x, gamma, beta, begin_norm_axis, begin_params_axis, epsilon):
    first = begin_params_axis % x.ndim if -x.ndim <= begin_params_axis < x.ndim else x.ndim
    if x.shape[first:] != gamma.shape:
        raise ValueError(
            f"For 'LayerNorm', 'normalized_shape' is {gamma.shape}, but the sizes of x from axis {begin_params_axis} "
            f"on are {x.shape[first:]} (shape {x.shape})."
        )
    return ops.layer_norm_stats.fn(x, gamma, beta, begin_norm_axis, begin_params_axis, epsilon)[0]


@faces("nn nn.layer")
class LayerNorm(Cell):
    """Normalisation over the axes from `begin_norm_axis` on. Ba et al., arXiv:1607.06450.

    Differs from PyTorch's: `epsilon` is 1e-7, and a shape of several axes needs `begin_norm_axis` and
    `begin_params_axis`.

    Args:
        normalized_shape (Union[tuple, list]): the shape of gamma and beta.
        begin_norm_axis (int): the first axis to normalise over.
        begin_params_axis (int): the first axis of gamma and beta.
        gamma_init, beta_init: initializers.
        epsilon (float): added to the variance.
        dtype: of the parameters.

    Raises:
        TypeError: `normalized_shape` is neither a tuple nor a list of ints.

    >>> from ms_compat import Tensor, nn
    >>> print(nn.LayerNorm((2,))(Tensor([[1.0, 3.0], [4.0, 4.0]])).asnumpy().round(3))
    [[-1.  1.]
     [ 0.  0.]]
    """

    def __init__(
        self, normalized_shape, begin_norm_axis=-1, begin_params_axis=-1, gamma_init="ones", beta_init="zeros",
        epsilon=1e-7, dtype=mstype.float32,
    ):  # fmt: skip
        super().__init__()
        if not isinstance(normalized_shape, (tuple, list)):
            hint = f" Write ({normalized_shape},)." if isinstance(normalized_shape, int) else ""
            got = value_and_type(normalized_shape)
            raise TypeError(f"For 'LayerNorm', the 'normalized_shape' must be a tuple or list, but got {got}.{hint}")
        if not normalized_shape:
            raise ValueError("For 'LayerNorm', the 'normalized_shape' must not be empty.")
        self.normalized_shape = normalized_shape
        self.begin_norm_axis = begin_norm_axis
        self.begin_params_axis = begin_params_axis
        self.epsilon = epsilon
        self.gamma = Parameter(initial(gamma_init, tuple(normalized_shape), dtype), name="gamma")
        self.beta = Parameter(initial(beta_init, tuple(normalized_shape), dtype), name="beta")

    def construct(self, input_x):
        return _layer_norm(input_x, self.gamma, self.beta, self.begin_norm_axis, self.begin_params_axis, self.epsilon)

    def extend_repr(self):
        # without "=" after gamma, as MindSpore prints it
        return (
            f"normalized_shape={self.normalized_shape}, begin_norm_axis={self.begin_norm_axis}, "
            f"begin_params_axis={self.begin_params_axis}, gamma{self._params['gamma']}, beta={self._params['beta']}"
        )


@op(static=("num_groups", "eps"), name="group_norm")
def _group_norm(x, num_groups, gamma, beta, eps):
    channels_first("GroupNorm", x, (2, 3, 4, 5) if x.ndim < 6 else (x.ndim,), "num_channels", gamma.shape[0])
    return ops.group_norm.fn(x, num_groups, gamma, beta, eps)


@faces("nn nn.layer")
class GroupNorm(Cell):
    """Normalisation over each sample's channel groups, for [N, C, *]. Wu and He, arXiv:1803.08494.

    Args:
        num_groups (int): number of groups; divides `num_channels`.
        num_channels (int): C.
        eps (float): added to the variance.
        affine (bool): whether gamma and beta are trained.
        gamma_init, beta_init: initializers.
        dtype: of the parameters.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: `num_groups` does not divide `num_channels`.

    >>> from ms_compat import Tensor, nn
    >>> print(nn.GroupNorm(1, 2)(Tensor([[1.0, 3.0]])).asnumpy().round(3))
    [[-1.  1.]]
    """

    def __init__(
        self,
        num_groups,
        num_channels,
        eps=1e-5,
        affine=True,
        gamma_init="ones",
        beta_init="zeros",
        dtype=mstype.float32,
    ):
        super().__init__()
        self.num_groups = check_positive_int("GroupNorm", "num_groups", num_groups)
        self.num_channels = check_positive_int("GroupNorm", "num_channels", num_channels)
        if num_channels % num_groups:
            raise ValueError(
                f"For 'GroupNorm', the 'num_channels' must be divided by 'num_groups', but got 'num_channels': "
                f"{num_channels}, 'num_groups': {num_groups}."
            )
        self.eps = check_type("GroupNorm", "eps", eps, float)
        self.affine = check_bool("GroupNorm", "affine", affine)
        self.gamma = Parameter(initial(gamma_init, (num_channels,), dtype), name="gamma", requires_grad=affine)
        self.beta = Parameter(initial(beta_init, (num_channels,), dtype), name="beta", requires_grad=affine)

    def construct(self, x):
        return _group_norm(x, self.num_groups, self.gamma, self.beta, self.eps)

    def extend_repr(self):
        return f"num_groups={self.num_groups}, num_channels={self.num_channels}"
