"""Rules for calls of functions, and for control flow that is known when the graph is written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ms_compat._core.jax_compat import scan_counts
from ms_compat._formats.mindir.lowering.rules import MAX_UNROLLED, Lowering, Value, is_constant, rule


def _walks(fn: Any) -> Any:
    """Mark a rule that is followed even where all inputs are constants."""
    fn.walks = True
    return fn


@rule("jit", "pjit", "closed_call", "core_call", "core_closed_call", "custom_jvp_call", "custom_vjp_call",
      "custom_vjp_call_jaxpr", "remat", "remat2", "checkpoint")  # fmt: skip
@_walks
def call(low: Lowering, eqn: Any, *values: Value) -> list[Value]:
    params = eqn.params
    inner = next(params[key] for key in ("jaxpr", "call_jaxpr", "fun_jaxpr") if key in params)
    if hasattr(inner, "consts"):
        return low.run_closed(inner, list(values))
    return low.run(inner, [], list(values))


@rule("platform_index")
@_walks
def platform_index(low: Lowering, eqn: Any) -> list[Value]:
    platforms = eqn.params["platforms"]
    chosen = next((i for i, names in enumerate(platforms) if names is None or "cpu" in names), None)
    if chosen is None:
        raise low.unsupported(eqn, "is written for other devices than CPUs")
    return [np.asarray(chosen, np.int32)]


@rule("scan")
def scan(low: Lowering, eqn: Any, *values: Value) -> list[Value]:
    params = eqn.params
    length = params["length"]
    consts, carries = scan_counts(params)
    if length > MAX_UNROLLED:
        raise low.unsupported(eqn, f"is a loop of {length} iterations; up to {MAX_UNROLLED} are written out")
    fixed, carry = list(values[:consts]), list(values[consts : consts + carries])
    sequences = values[consts + carries :]
    steps: list[list[Value]] = []
    for step in reversed(range(length)) if params["reverse"] else range(length):
        items = [_item(low, sequence, step) for sequence in sequences]
        out = low.run_closed(params["jaxpr"], [*fixed, *carry, *items])
        carry = out[:carries]
        steps.append(out[carries:])
    if params["reverse"]:
        steps.reverse()
    stacked = []
    for index, var in enumerate(eqn.outvars[carries:]):
        rows = [low.reshape(step[index], (1, *var.aval.shape[1:])) for step in steps]
        stacked.append(low.concatenate(rows, 0) if rows else np.zeros(var.aval.shape, var.aval.dtype))
    return [*carry, *stacked]


def _item(low: Lowering, sequence: Value, step: int) -> Value:
    begin = (step, *[0] * (sequence.ndim - 1))
    row = low.slice(sequence, begin, (step + 1, *sequence.shape[1:]))
    return low.reshape(row, sequence.shape[1:])


def while_operands(params: dict[str, Any], values: Sequence[Value]) -> tuple[list[Value], list[Value], list[Value]]:
    """The constants of a loop's condition, its body's constants, and the carried values."""
    of_condition, of_body = params["cond_nconsts"], params["body_nconsts"]
    rest = list(values[of_condition:])
    return list(values[:of_condition]), rest[:of_body], rest[of_body:]


@rule("while")
def while_(low: Lowering, eqn: Any, *values: Value) -> list[Value]:
    params = eqn.params
    condition_consts, body_consts, carry = while_operands(params, values)
    for _ in range(MAX_UNROLLED + 1):
        (more,) = low.run_closed(params["cond_jaxpr"], [*condition_consts, *carry])
        if not is_constant(more):
            raise low.unsupported(eqn, "is a loop whose number of iterations depends on the inputs")
        if not more:
            return carry
        carry = low.run_closed(params["body_jaxpr"], [*body_consts, *carry])
    raise low.unsupported(eqn, f"is a loop of more than {MAX_UNROLLED} iterations")


@rule("cond")
def cond(low: Lowering, eqn: Any, which: Value, *values: Value) -> list[Value]:
    branches = eqn.params["branches"]
    if is_constant(which):
        chosen = int(np.clip(int(which), 0, len(branches) - 1))
        return low.run_closed(branches[chosen], list(values))
    outs = [low.run_closed(branch, list(values)) for branch in branches]
    found = outs[-1]
    for index in reversed(range(len(branches) - 1)):
        here = low.binary("LessEqual", which, index, np.bool_)
        found = [low.select(here, a, b, a.shape) for a, b in zip(outs[index], found, strict=True)]
    return found
