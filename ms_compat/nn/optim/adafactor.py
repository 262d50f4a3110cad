"""`AdaFactor`: second moments of matrices kept as row and column means, and a step size relative to the Parameter.

Source: Shazeer and Stern, Adafactor: Adaptive Learning Rates with Sublinear Memory Cost, 2018.
"""

from __future__ import annotations

from ms_compat._core import dtype as mstype
from ms_compat._core.checks import check_at_least, check_length, check_within
from ms_compat._core.errors import check_type, value_error
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.parameter import Parameter, ParameterTuple
from ms_compat._core.trace import write_barrier
from ms_compat._optim import layerwise
from ms_compat._optim.transform import transformation
from ms_compat.nn.optim.base import Optimizer
from ms_compat.nn.optim.by_rule import checked


@faces("nn nn.optim")
class AdaFactor(Optimizer):
    """Adafactor: Adam whose second moments of a matrix are means over its rows and columns.

    For each Parameter `p` with the gradient `g`, at step `t`::

        r = decay * r + (1 - decay) * mean_of_rows(g * g + eps[0])
        c = decay * c + (1 - decay) * mean_of_columns(g * g + eps[0])
        u = g / sqrt(outer(r, c) / mean(r))
        u = u / max(1, rms(u) / clip_threshold)
        p = p - rate * max(eps[1], rms(p)) * u

    The factor `max(eps[1], rms(p))` belongs to `scale_parameter`; with `relative_step` the rate falls with the
    steps. Source: Shazeer and Stern, 2018, algorithms 4 and 5.

    Args:
        params: see `Optimizer`.
        learning_rate: see `Optimizer`; None with `relative_step`. Parameters scale only a number.
        weight_decay (float): decoupled, the same for all groups; in [0, 1).
        loss_scale: has no effect, as in MindSpore.
        eps (tuple): added to the squares of the gradient; least scale of a Parameter.
        clip_threshold (float): largest root mean square of an update.
        decay_rate (float): the second moments' decay is 1 - step ** -decay_rate; in (0, 1).
        beta1 (float): decay of the mean update; None or 0 for none.
        scale_parameter (bool): scale the learning rate by the root mean square of the Parameter.
        relative_step (bool): take the learning rate from the step's number.
        warmup_init (bool): begin with small ones.
        compression (bool): keep the second moments that are not factored in Float16.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: a value out of range, or a learning rate together with `relative_step`.

    >>> from ms_compat import Parameter, Tensor, nn
    >>> w = Parameter(Tensor([1.0]), name="w")
    >>> optimizer = nn.AdaFactor([w], learning_rate=0.1, relative_step=False, scale_parameter=False)
    >>> _ = optimizer((Tensor([1.0]),))
    >>> print(w.asnumpy().round(3))
    [0.99]
    """

    _missing_error, _shape_error = ValueError, RuntimeError

    _gradient_dtypes = "any"
    _decoupled_decay = True

    def __init__(
        self,
        params,
        learning_rate=None,
        eps=(1e-30, 0.001),
        clip_threshold=1.0,
        decay_rate=0.8,
        beta1=0.9,
        weight_decay=0.0,
        scale_parameter=True,
        relative_step=True,
        warmup_init=False,
        compression=False,
        loss_scale=1.0,
    ):
        api = "AdaFactor"
        if learning_rate is not None and relative_step:
            raise value_error(api, "learning_rate", "None, because 'relative_step' is True", learning_rate)
        if learning_rate is None and not relative_step:
            raise value_error(api, "learning_rate", "given, because 'relative_step' is False", learning_rate)
        if warmup_init and not relative_step:
            raise value_error(api, "warmup_init", "False, because 'relative_step' is False", warmup_init)
        super().__init__(0.0 if learning_rate is None else learning_rate, params, weight_decay, loss_scale)
        check_type(api, "weight_decay", weight_decay, float)
        check_within(api, "weight_decay", weight_decay, 0, 1, "[)")
        object.__setattr__(self, "weight_decay", Tensor(weight_decay, mstype.float32))
        self.exec_weight_decay = weight_decay > 0
        self.decay_flags = (True,) * self.param_length  # as measured: gamma and beta are decayed too
        check_type(api, "eps", eps, (list, tuple))
        check_length(api, "eps", eps, 2)
        for number, value in enumerate(eps):
            checked(api, f"eps[{number}]", value, 0.0)
        checked(api, "clip_threshold", clip_threshold, 0.0)
        checked(api, "decay_rate", decay_rate, 0.0, open_=True, high=1.0)
        beta1 = 0.0 if beta1 is None else beta1
        check_type(api, "beta1", beta1, (int, float))
        check_at_least(api, "beta1", beta1, 0)
        for name, value in (
            ("scale_parameter", scale_parameter),
            ("relative_step", relative_step),
            ("compression", compression),
        ):
            check_type(api, name, value, bool)
        scale_parameter = scale_parameter and (learning_rate is None or isinstance(learning_rate, (int, float)))
        self.scale_parameter, self.relative_step = scale_parameter, relative_step
        self.warmup_init, self.compression = bool(warmup_init), compression
        self._make_state(beta1 > 0)
        moments = (layerwise.row_moment, layerwise.column_moment, layerwise.whole_moment)
        self._transform = transformation(
            layerwise.adafactor, tuple(eps), clip_threshold, beta1, layerwise.rising_decay(decay_rate),
            scale_parameter, layerwise.falling_rate(self.warmup_init) if relative_step else None,
            starts=(0.0, *moments) if beta1 > 0 else moments,
        )  # fmt: skip

    def _make_state(self, averaged: bool) -> None:
        if averaged:
            self.exp_avg = self.parameters.clone(prefix="exp_avg", init="zeros")
        else:
            self.exp_avg = ParameterTuple([Parameter(Tensor(0.0, mstype.float32))])
        names = ("exp_avg_sq_row", "exp_avg_sq_col", "exp_avg_sq")
        self._state_names = ("exp_avg", *names) if averaged else names

        def moment_parameters(prefix, start, dtype=None):
            kinds = [dtype if dtype and p.ndim < 2 else p.dtype for p in self.parameters]
            values = [Tensor(start(p._v), kind) for p, kind in zip(self.parameters, kinds, strict=True)]
            rows = zip(values, self.parameters, strict=True)
            return ParameterTuple([Parameter(value, name=prefix + p.name) for value, p in rows])

        self.exp_avg_sq_row = moment_parameters("exp_avg_sq_row_", layerwise.row_moment)
        self.exp_avg_sq_col = moment_parameters("exp_avg_sq_col_", layerwise.column_moment)
        small = mstype.float16 if self.compression else None
        self.exp_avg_sq = moment_parameters("exp_avg_sq_", layerwise.whole_moment, small)
        self.step = Parameter(Tensor([0.0], mstype.float32), name="afactor_step")

    def _adjusted(self, gradients, touched):
        return gradients

    def construct(self, gradients):
        done = super().construct(gradients)
        write_barrier.assign(self.step, self.step._v + 1.0)
        return done

    @property
    def supports_memory_efficient_fp16(self) -> bool:
        """True."""
        return True

    @property
    def supports_flat_params(self) -> bool:
        """False."""
        return False
