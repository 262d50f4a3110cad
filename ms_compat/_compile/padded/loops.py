"""The rule for `lax.scan` on padded arrays: padding steps leave the carried values unchanged."""

from __future__ import annotations

import functools
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from ms_compat._compile.padded.axes import Axis, PaddedArray, PaddedEvaluation, Unpaddable, common, normal, rule
from ms_compat._core.jax_compat import scan_counts


@rule("scan")
def _scan(run: PaddedEvaluation, eqn: Any, inputs: list[PaddedArray]) -> list[PaddedArray]:
    """Steps on padding may compute anything: their outputs are padding, and a select drops their carry.

    In a reverse scan these steps come first, and the carry begins after them. An axis that merges others has padding
    between its true elements; the mask of the axis says which steps count there, too.
    """
    params = eqn.params
    first, count = scan_counts(params)
    consts, carried, each = inputs[:first], inputs[first : first + count], inputs[first + count :]
    over: Axis = functools.reduce(common, [x.axes[0] for x in each]) if each else normal((params["length"],))
    axes = [x.axes for x in carried]
    for _ in range(len(carried) + 1):  # until the carry comes out as it goes in
        loop = _Loop(run, params["jaxpr"], consts, axes, [x.axes[1:] for x in each])
        scanned = (run.mask(over), [x.value for x in each])
        options = {"reverse": params["reverse"], "unroll": params["unroll"]}
        values, outputs = lax.scan(loop, [x.value for x in carried], scanned, **options)
        if loop.carried == axes:
            out = [(over, *axis) for axis in loop.outputs]
            return [PaddedArray(v, a) for v, a in zip([*values, *outputs], [*axes, *out], strict=True)]
        axes = [tuple(map(common, a, b)) for a, b in zip(axes, loop.carried, strict=True)]
    raise Unpaddable("the padding of a carried value moves from step to step")


class _Loop:
    """The body of the scan.

    Args:
        run: the evaluation.
        body: the closed jaxpr of a step.
        consts: its first inputs.
        carried: the axes of the carried values before a step.
        each: the axes of what is scanned over, without the first one.
    """

    def __init__(
        self, run: PaddedEvaluation, body: Any, consts: list[PaddedArray], carried: list[Any], each: list[Any]
    ) -> None:
        self.run, self.body, self.consts, self.before, self.each = run, body, consts, carried, each
        self.carried: list[Any] = []
        self.outputs: list[Any] = []

    def __call__(self, values: list[jax.Array], now: Any) -> tuple[list[jax.Array], list[jax.Array]]:
        keep, scanned = now
        given = [PaddedArray(v, a) for v, a in zip([*values, *scanned], [*self.before, *self.each], strict=True)]
        outs = self.run.closed(self.body, [*self.consts, *given])
        new, put_out = outs[: len(values)], outs[len(values) :]
        self.carried, self.outputs = [x.axes for x in new], [x.axes for x in put_out]
        return [jnp.where(keep, x.value, old) for x, old in zip(new, values, strict=True)], [x.value for x in put_out]
