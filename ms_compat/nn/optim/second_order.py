"""The second-order optimizer THOR.

The layers of `layer/thor_layer.py` measure the second moments of their inputs and their outputs' gradients, A and G;
a step whose attribute `thor` is True inverts them (`kronecker.py`), and every step multiplies gradients by what was
inverted last. MindSpore has kernels for it on Ascend and GPU alone; this is the optimizer of its GPU version.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import jax.numpy as jnp
import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.checks import check_at_least
from ms_compat._core.errors import check_bool, check_number, check_type, type_error
from ms_compat._core.faces import faces
from ms_compat._core.no_op_arguments import no_effect
from ms_compat._core.settings.parallel_context import get_auto_parallel_context
from ms_compat._core.tensor import Tensor, wrap
from ms_compat._core.tensor.parameter import Parameter, ParameterTuple
from ms_compat._core.trace import write_barrier
from ms_compat._optim import rules
from ms_compat._optim.transform import transformation
from ms_compat.nn.cell import Cell
from ms_compat.nn.layer.clip import ClipByNorm
from ms_compat.nn.layer.normalization import LayerNorm
from ms_compat.nn.layer.thor_convert import ConvertNetUtils, convertible
from ms_compat.nn.layer.thor_layer import Conv2dThor, DenseThor, EmbeddingLookupThor, EmbeddingThor
from ms_compat.nn.optim import kronecker
from ms_compat.nn.optim.base import Optimizer

__all__ = ["ThorGpu", "thor"]

_CLIP_NORM = 1.0
_TABLES = (EmbeddingThor, EmbeddingLookupThor)


@faces("nn nn.optim")
def thor(
    net, learning_rate, damping, momentum, weight_decay=0.0, loss_scale=1.0, batch_size=32, use_nesterov=False,
    decay_filter=lambda x: x.name not in [], split_indices=None, enable_clip_grad=False, frequency=100,
):  # fmt: skip
    """THOR: momentum on gradients that are multiplied by the inverses of a Kronecker-factored Fisher information.

    For a weight W [out, in] with the moments A of its layer's inputs and G of its outputs' gradients, as
    `nn.DenseThor` and `nn.Conv2dThor` measure them, damping d, batch size B, loss scale s and for convolutions the
    layer's normalizers a and g (else 1)::

        A' = (A + sqrt(d / a) I)^-1 / sqrt(a),    G' = (B^2 / s^2 G + sqrt(d / g) I)^-1 / sqrt(a)
        grad = G' (grad / s) A' + weight_decay W
        v = momentum v + grad,    W = W - learning_rate v

    Inverses are taken in blocks of 128 along the diagonals. The gradient of a table is divided row by row by counts / B
    + sqrt(d) in place of A. Scales and shifts of `nn.LayerNorm` have their gradient g divided by g^2 / B + sqrt(d).
    All other Parameters are trained by momentum alone.

    `Dense`, `Conv2d`, `Embedding` and `EmbeddingLookup` in `net` become their THOR layers, see
    `train.ConvertNetUtils`. Every step measures and inverts; with `train.ConvertModelUtils` it is one step of
    `frequency`. A hand-written loop does that itself: it calls `add_flags_recursive(thor=False)` on the network and
    `add_flags(thor=False)` on the optimizer where inverses are to be kept, and with True where they are renewed.

    Args:
        net (Cell): the network; it is changed. Its trainable Parameters are updated.
        learning_rate (Tensor): one for all steps, or [steps]; the last one is held.
        damping (Tensor): d, [steps]; the last one is held.
        momentum (float): the factor of the velocity, >= 0.
        weight_decay (Union[int, float]): the factor of the weight in its own gradient, >= 0.
        loss_scale (float): what the loss was multiplied by, > 0; the gradients and G that come are divided by it, so
            that it must be fixed.
        batch_size (int): rows of a batch.
        use_nesterov (bool): look ahead along the velocity.
        decay_filter (Callable): whether a Parameter is decayed.
        split_indices (list): MindSpore's groups of messages between devices; XLA decides.
        enable_clip_grad (bool): whether each gradient, as the velocity takes it, is cut to the norm 1.
        frequency (int): measure and invert every so many steps in a converted Model, >= 2.

    Returns:
        The optimizer.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: a negative momentum or weight decay, a `frequency` below 2, a loss scale that is not positive, or a
            learning rate or damping of the wrong rank.
        IndexError: `net` is itself a layer that has to be converted.

    Source: Chen et al., "THOR, Trace-based Hardware-driven Layer-Oriented Natural Gradient Descent Computation", 2021,
    with the normalisations of MindSpore 2.10 on a GPU.

    >>> import ms_compat as ms
    >>> net = ms.nn.SequentialCell(ms.nn.Dense(2, 1, "ones", has_bias=False))
    >>> rate = ms.Tensor([0.1, 0.1, 0.1, 0.1], ms.float32)
    >>> optimizer = ms.nn.thor(net, rate, rate, 0.9, batch_size=2)
    >>> step = ms.nn.TrainOneStepCell(ms.nn.WithLossCell(net, ms.nn.MSELoss()), optimizer)
    >>> x, y = ms.Tensor([[1.0, 0.0], [0.0, 1.0]]), ms.Tensor([[0.0], [0.0]])
    >>> print([round(float(step(x, y)), 3) for _ in range(4)])
    [1.0, 0.944, 0.841, 0.701]
    """
    if isinstance(net, Cell) and convertible(net):
        raise IndexError(f"For 'thor', the 'net' is itself a {type(net).__name__}: put it into a Cell.")
    ConvertNetUtils().convert_to_thor_net(net)
    return ThorGpu(
        net, learning_rate, damping, momentum, weight_decay, loss_scale, batch_size, use_nesterov, decay_filter,
        split_indices, enable_clip_grad, frequency,
    )  # fmt: skip


def _check(momentum: Any, frequency: Any, learning_rate: Any, damping: Any) -> None:
    check_type("ThorGpu", "momentum", momentum, float)
    check_at_least("thor", "momentum", momentum, 0.0)
    check_type("ThorGpu", "frequency", frequency, int)
    check_at_least("thor", "frequency", frequency, 2)
    check_type("ThorGpu", "learning rate", learning_rate, Tensor)
    check_type("ThorGpu", "damping", damping, Tensor)
    if damping.ndim != 1 or not damping.size:
        raise ValueError(f"For 'thor', the 'damping' must be a Tensor of one axis, but got shape {damping.shape}.")


def _layers(net: Cell) -> dict[int, Cell]:
    """The layer of each Parameter that is not trained by momentum alone, by the Parameter's id."""
    found: dict[int, Cell] = {}
    for _, cell in net.cells_and_names():
        if isinstance(cell, DenseThor) or (isinstance(cell, Conv2dThor) and cell.group == 1):
            names: tuple[str, ...] = ("weight",)
        elif isinstance(cell, _TABLES):
            names = ("embedding_table",)
        elif isinstance(cell, LayerNorm):
            names = ("gamma", "beta")
        else:
            continue
        found.update({id(cell._params[name]): cell for name in names})
    return found


class _Factors:
    """The moments of a layer and the Parameters that keep what was inverted."""

    def __init__(self, layer: Any, number: int):
        self.layer = layer
        self.table = isinstance(layer, _TABLES)
        names = ("matrix_a_cov", "matrix_g_cov") if isinstance(layer, Conv2dThor) else ("matrix_a", "matrix_g")
        self.a, self.g = [layer._params[name] for name in names]
        if self.table:
            a_shape: tuple[int, ...] = self.a.shape
            g_shape: tuple[int, ...] = self.g.shape
        else:
            (rows, high), (columns, wide) = map(kronecker.block_size, (len(self.g), len(self.a)))
            a_shape, g_shape = (rows, columns, wide, wide), (rows, high, high)
        self.a_inverse = _zeros(a_shape, f"matrix_a_inv_{number}")
        self.g_inverse = _zeros(g_shape, f"matrix_g_inv_{number}")

    def damped(self, damping: Any, batch_size: float, loss_scale: float) -> list[Any]:
        """What is to be inverted, as the moments are now: A and G, of a table G alone."""
        g = self.g._v.astype(jnp.float32) * (batch_size * batch_size / (loss_scale * loss_scale))
        if self.table:
            return [kronecker.damped(g, jnp.sqrt(damping))]
        pairs = zip((self.a._v.astype(jnp.float32), g), self._normalizers(), strict=True)
        return [kronecker.damped(matrix, jnp.sqrt(damping / places)) for matrix, places in pairs]

    def kept(self, inverses: list[Any], damping: Any, batch_size: float) -> list[Any]:
        """A' and G' in the shapes of the Parameters that keep them, from the inverses of what `damped` gave."""
        if self.table:
            return [1.0 / (self.a._v.astype(jnp.float32) / batch_size + jnp.sqrt(damping)), inverses[0][0]]
        scale = jnp.sqrt(1.0 / self._normalizers()[0])
        # MindSpore's shape: the blocks of A' once for every block of G'
        return [jnp.broadcast_to(inverses[0] * scale, self.a_inverse.shape), inverses[1] * scale]

    def _normalizers(self) -> list[Any]:
        if isinstance(self.layer, Conv2dThor):
            return [self.layer._params[name]._v[0] for name in ("a_normalizer", "g_normalizer")]
        return [jnp.ones((), jnp.float32)] * 2

    def precondition(self, gradient: Any) -> Any:
        """A gradient times the inverses that are kept."""
        if self.table:
            return kronecker.precondition_rows(gradient, self.g_inverse._v, self.a_inverse._v)
        return kronecker.precondition(gradient, self.g_inverse._v, self.a_inverse._v[0])


def _zeros(shape: Iterable[int], name: str) -> Parameter:
    return Parameter(Tensor(np.zeros(tuple(shape), np.float32)), name=name, requires_grad=False)


class ThorGpu(Optimizer):
    """The optimizer that `nn.thor` makes, which says what the arguments are.

    Raises:
        TypeError, ValueError: as `thor`.
    """

    _state_names = ("moments",)

    def __init__(
        self, net, learning_rate, damping, momentum, weight_decay=0.0, loss_scale=1.0, batch_size=32,
        use_nesterov=False, decay_filter: Callable = lambda x: x.name not in [], split_indices=None,
        enable_clip_grad=False, frequency=100,
    ):  # fmt: skip
        super().__init__(learning_rate, [p for p in net.get_parameters() if p.requires_grad], weight_decay, loss_scale)
        _check(momentum, frequency, learning_rate, damping)
        check_bool("ThorGpu", "use_nesterov", use_nesterov)
        if isinstance(weight_decay, Cell):
            raise type_error("ThorGpu", "weight_decay", "a number", weight_decay)
        check_number("ThorGpu", "batch_size", batch_size)
        self.params = self.parameters
        self.weight_decay = weight_decay
        self.momentum = Parameter(Tensor(momentum, mstype.float32), name="momentum")
        self.moments = self.parameters.clone(prefix="moments", init="zeros")
        self.use_nesterov = use_nesterov
        self.damping = damping
        self.batch_size = batch_size
        self.frequency = frequency
        self.split_dim = kronecker.BLOCK
        self.enable_clip_grad = enable_clip_grad
        self.thor = True
        self._watch("thor")
        self.decay_flags = tuple([bool(decay_filter(p)) for p in self.parameters])
        self._transform = transformation(rules.momentum, nesterov=use_nesterov, starts=(0.0,))
        self._set_factors(net)
        no_effect("thor", "XLA combines messages between devices", split_indices=split_indices)
        self._reducer = None
        if get_auto_parallel_context("parallel_mode") != "stand_alone":
            from ms_compat.nn.wrap.micro_batch import DistributedGradReducer

            self._reducer = DistributedGradReducer([])

    def _set_factors(self, net: Cell) -> None:
        layers = _layers(net)
        own = [layers.get(id(p)) for p in self.parameters]
        found: list[_Factors] = []
        self._factors: dict[int, _Factors] = {}
        for i, layer in enumerate(own):
            if layer is not None and not isinstance(layer, LayerNorm):
                self._factors[i] = _Factors(layer, len(found))
                found.append(self._factors[i])
        self._normalised = tuple([isinstance(layer, LayerNorm) for layer in own])
        normalizers = [f.layer for f in found if isinstance(f.layer, Conv2dThor)]
        self.matrix_a_cov = ParameterTuple([f.a for f in found])
        self.matrix_g_cov = ParameterTuple([f.g for f in found])
        self.a_normalizer = ParameterTuple([layer._params["a_normalizer"] for layer in normalizers])
        self.g_normalizer = ParameterTuple([layer._params["g_normalizer"] for layer in normalizers])
        self.cov_step = Parameter(Tensor(np.zeros(1, np.int32)), name="cov_step", requires_grad=False)
        self.matrix_a = ParameterTuple([f.a_inverse for f in found])
        self.matrix_g = ParameterTuple([f.g_inverse for f in found])

    def get_frequency(self):
        """Every how many steps a converted Model measures and inverts."""
        return self.frequency

    def _extra(self):
        return {"momentum": self.momentum._v}

    def _renew(self, damping: Any) -> None:
        """Invert the moments as they are now."""
        found = list(self._factors.values())
        if not found:
            return
        batch_size = float(self.batch_size)
        damped = [f.damped(damping, batch_size, self.loss_scale) for f in found]
        whole = [f.table for f, matrices in zip(found, damped, strict=True) for _ in matrices]
        results = iter(kronecker.inverses([matrix for matrices in damped for matrix in matrices], whole))
        per_layer = [[next(results) for _ in matrices] for matrices in damped]
        values = [f.kept(own, damping, batch_size) for f, own in zip(found, per_layer, strict=True)]
        inverses = tuple([wrap(value) for pair in values for value in pair])
        if self._reducer is not None:
            inverses = self._reducer(inverses)
        for p, value in zip([p for f in found for p in (f.a_inverse, f.g_inverse)], inverses, strict=True):
            write_barrier.assign(p, value._v)

    def _adjusted(self, gradients, touched):
        at = jnp.minimum(self.cov_step._v[0], self.damping.size - 1)
        damping = self.damping._v.astype(jnp.float32)[at]
        if self.thor:
            self._renew(damping)
        write_barrier.assign(self.cov_step, self.cov_step._v + 1)
        out = []
        for i, (g, p) in enumerate(zip(self.scale_grad(gradients), self.parameters, strict=True)):
            value = g._v
            if i in self._factors:
                value = self._factors[i].precondition(value)
            elif self._normalised[i]:
                value = kronecker.precondition_diagonal(value, damping, float(self.batch_size))
            if self.exec_weight_decay and self.decay_flags[i]:
                value = value + p._v.astype(value.dtype) * self.weight_decay
            out.append(wrap(value))
        if self.enable_clip_grad:
            clip, norm = ClipByNorm(), Tensor(_CLIP_NORM, mstype.float32)
            out = [clip(g, norm) for g in out]
        return tuple(out)
