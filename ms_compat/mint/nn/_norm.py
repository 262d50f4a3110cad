"""`mint.nn`'s normalisation layers, with PyTorch's names for parameters and statistics and its sense of `momentum`.

The running statistics and the number of batches are Parameters without gradient, so that they are saved with the
others. In training `write_barrier.assign` replaces them: on the tape, in a trace and inside a gradient alike.
"""

from __future__ import annotations

from typing import Any

from jax import lax

from ms_compat._core import dtype as mstype
from ms_compat._core.checks import check_rank
from ms_compat._core.errors import check_type
from ms_compat._core.faces import faces, table_faces
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._core.trace import write_barrier
from ms_compat.communication.management import members
from ms_compat.mint.nn import functional as F
from ms_compat.nn.cell import Cell
from ms_compat.nn.layer import sync_norm
from ms_compat.nn.layer._initial import initial
from ms_compat.ops.function.nn import normalization as ops


class _BatchNorm(Cell):
    _ranks: tuple[int, ...] = ()
    _processes: tuple[int, ...] = (0,)

    def __init__(
        self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, dtype=None
    ):  # fmt: skip
        super().__init__()
        check_type(type(self).__name__, "num_features", num_features, int)
        kind = dtype or mstype.float32
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, self.track_running_stats = affine, track_running_stats
        for name, start, wanted, trained in (
            ("weight", "ones", affine, True),
            ("bias", "zeros", affine, True),
            ("running_mean", "zeros", track_running_stats, False),
            ("running_var", "ones", track_running_stats, False),
        ):
            value = initial(start, (num_features,), kind) if wanted else None
            setattr(self, name, None if value is None else Parameter(value, name=name, requires_grad=trained))
        self.num_batches_tracked: Any = None  # a Parameter where statistics are tracked
        if track_running_stats:
            count = Tensor(0, mstype.int64)
            self.num_batches_tracked = Parameter(count, name="num_batches_tracked", requires_grad=False)

    def construct(self, input):
        if self._ranks:
            check_rank(type(self).__name__, "input", input, *self._ranks)
        mean, variance = self.running_mean, self.running_var
        if mean is not None and not self.training:
            return ops.batch_norm_infer(input, self.weight, self.bias, mean, variance, self.eps)
        if mean is None:
            return self._normalised(input, self.weight, self.bias, None, None, 0.0, self.eps)[0]
        write_barrier.assign(self.num_batches_tracked, self.num_batches_tracked._v + 1)
        if self.momentum is not None:
            out, new_mean, new_variance = self._normalised(
                input, self.weight, self.bias, mean, variance, self.momentum, self.eps
            )
            write_barrier.assign(mean, new_mean._v)
            write_barrier.assign(variance, new_variance._v)
            return out
        out, *found = self._normalised(input, self.weight, self.bias, None, None, 0.0, self.eps)
        count = input.size // input.shape[1] * len(self._processes)
        for statistic, value, factor in zip((mean, variance), found, (1, count / max(count - 1, 1)), strict=True):
            old = statistic._v
            new = lax.stop_gradient(value._v).astype(old.dtype) * factor  # the plain average over all batches
            write_barrier.assign(statistic, old + (new - old) / self.num_batches_tracked._v.astype(old.dtype))
        return out

    def _normalised(self, *args):
        return ops.batch_norm_train(*args)

    def extend_repr(self):
        return (
            f"num_features={self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"track_running_stats={self.track_running_stats}"
        )


@faces("mint.nn")
class BatchNorm1d(_BatchNorm):
    """Batch normalisation of [N, C] or [N, C, L]; see `BatchNorm2d`."""

    _ranks = (2, 3)


@faces("mint.nn")
class BatchNorm2d(_BatchNorm):
    """Batch normalisation of [N, C, H, W]. Ioffe and Szegedy, arXiv:1502.03167.

    Differs from `mindspore.nn`'s: `momentum` is the share of the new batch.

    Args:
        num_features (int): C.
        eps (float): added to the variance.
        momentum (float): running = (1 - momentum) * running + momentum * batch; None is the average of all batches.
        affine (bool): whether there are a weight and a bias.
        track_running_stats (bool): keep running statistics, for inference.
        dtype: of the parameters; Float32 by default.

    >>> import numpy as np
    >>> import ms_compat as ms
    >>> net = ms.mint.nn.BatchNorm2d(2).set_train()
    >>> _ = net(ms.Tensor(np.ones((4, 2, 3, 3)), ms.float32))
    >>> print(net.running_mean.asnumpy())
    [0.1 0.1]
    """

    _ranks = (4,)


@faces("mint.nn")
class BatchNorm3d(_BatchNorm):
    """Batch normalisation of [N, C, D, H, W]; see `BatchNorm2d`."""

    _ranks = (5,)


@faces("mint.nn")
class SyncBatchNorm(_BatchNorm):
    """Batch normalisation with statistics over the batches of several processes; in a process alone `BatchNorm2d`.

    Args: as of `BatchNorm2d`, and `process_group`, the process group's name; None for all.

    Raises:
        TypeError: `process_group` is not a str.
        ValueError: there is no such group.
    """

    def __init__(
        self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, process_group=None,
        dtype=None,
    ):  # fmt: skip
        super().__init__(num_features, eps, momentum, affine, track_running_stats, dtype)
        self.process_group = process_group
        self._processes = members("SyncBatchNorm", process_group, needs_init=False)

    def _normalised(self, *args):
        return sync_norm.train(self._processes, *args)


@faces("mint.nn")
class GroupNorm(Cell):
    """Normalisation over channel groups in each sample of [N, C, *]. Wu and He, arXiv:1803.08494.

    Args:
        num_groups (int): number of groups; divides `num_channels`.
        num_channels (int): C.
        eps (float): added to the variance.
        affine (bool): whether weight and bias are trained.
        dtype: of the parameters; Float32 by default.

    Raises:
        ValueError: `num_groups` does not divide `num_channels`.
    """

    def __init__(self, num_groups, num_channels, eps=1e-5, affine=True, dtype=None):
        super().__init__()
        if num_channels % num_groups:
            raise ValueError(
                f"For 'GroupNorm', the 'num_channels' must be divided by 'num_groups', but got 'num_channels': "
                f"{num_channels}, 'num_groups': {num_groups}."
            )
        self.num_groups, self.num_channels, self.eps, self.affine = num_groups, num_channels, eps, affine
        kind = dtype or mstype.float32
        self.weight = Parameter(initial("ones", (num_channels,), kind), name="weight", requires_grad=affine)
        self.bias = Parameter(initial("zeros", (num_channels,), kind), name="bias", requires_grad=affine)

    def construct(self, input):
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extend_repr(self):
        return f"num_groups={self.num_groups}, num_channels={self.num_channels}, eps={self.eps}, affine={self.affine}"


class LayerNormExt(Cell):
    """Normalisation over the last axes. Ba et al., arXiv:1607.06450.

    Args:
        normalized_shape (Union[int, tuple, list]): the sizes of those axes.
        eps (float): added to the variance.
        elementwise_affine (bool): whether there is a weight.
        bias (bool): whether there is also a bias.
        dtype: of the parameters; Float32 by default.

    Raises:
        TypeError: `normalized_shape` is none of these.
    """

    def __init__(self, normalized_shape: Any, eps=1e-5, elementwise_affine=True, bias=True, dtype=None):
        super().__init__()
        if isinstance(normalized_shape, int) and not isinstance(normalized_shape, bool):
            normalized_shape = (normalized_shape,)
        check_type("LayerNormExt", "normalized_shape", normalized_shape, (int, tuple, list))
        self.normalized_shape, self.eps = tuple(normalized_shape), eps
        self.elementwise_affine = elementwise_affine
        kind = dtype or mstype.float32
        self.weight = self.bias = None
        if elementwise_affine:
            self.weight = Parameter(initial("ones", self.normalized_shape, kind), name="weight")
            if bias:
                self.bias = Parameter(initial("zeros", self.normalized_shape, kind), name="bias")

    def construct(self, input):
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extend_repr(self):
        return f"normalized_shape={self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"


LayerNorm = LayerNormExt

table_faces(__name__, "LayerNorm", "mint.nn")
