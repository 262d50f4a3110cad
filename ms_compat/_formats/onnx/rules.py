"""Rules of ONNX's own, where it can say what MindIR cannot: loops, branches, padding, pooling over any axes."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from ms_compat._core.jax_compat import is_symbolic_size, scan_counts
from ms_compat._formats.mindir.lowering.control_flow import while_operands
from ms_compat._formats.mindir.lowering.elementwise import out_aval
from ms_compat._formats.mindir.lowering.pooling import pooling
from ms_compat._formats.mindir.lowering.rules import RULES, Lowering, Value, is_constant
from ms_compat._formats.mindir.sizes import count
from ms_compat._formats.mindir.writing import Ref
from ms_compat._formats.onnx import operations as _operations  # noqa: F401  (they register themselves)
from ms_compat._formats.onnx.types import NoCounterpartError
from ms_compat._formats.onnx.writing import OnnxWriter

OWN: dict[str, Any] = {}


def _rule(*names: str) -> Any:
    def enter(fn: Any) -> Any:
        OWN.update(dict.fromkeys(names, fn))
        return fn

    return enter


class OnnxLowering(Lowering):
    """The lowering of a jaxpr to the nodes of an ONNX graph."""

    writer: OnnxWriter

    def __init__(self, writer: OnnxWriter, around: OnnxLowering | None = None):
        super().__init__(writer, {**RULES, **OWN})
        if around is not None:
            self._open = around._open

    def apply(self, eqn: Any, values: list[Value]) -> list[Value]:
        try:
            return super().apply(eqn, values)
        except NoCounterpartError as error:
            raise self.unsupported(eqn, str(error)) from error

    def pad(self, value: Value, low: Any, high: Any, fill: Any) -> Value:
        low, high = [int(w) for w in low], [int(w) for w in high]
        if is_constant(value, fill) or not any((*low, *high)):
            return super().pad(value, low, high, fill)
        if any(w < 0 for w in (*low, *high)):
            end = [d + min(w, 0) for d, w in zip(value.shape, high, strict=True)]
            value = self.slice(value, [max(-w, 0) for w in low], end)
            low, high = [max(w, 0) for w in low], [max(w, 0) for w in high]
        shape = tuple(d + a + b for d, a, b in zip(value.shape, low, high, strict=True))
        return self.call("Pad", (value, (*low, *high), fill), shape, value.dtype)

    # -- graphs inside nodes -----------------------------------------------------------------------------------------
    def inside(self, name: str, inputs: list[Ref], compute: Any) -> tuple[Any, set[str]]:
        """A graph that computes `compute(lowering)`: its message, and what it reads from around it."""
        writer = self.writer.inner()
        low = OnnxLowering(writer, self)
        outs = [low.tensor(value) for value in compute(low)]
        return writer.graph(name, inputs, outs)

    def tensor(self, value: Value) -> Ref:
        """A value as a tensor of the graph."""
        return self.writer.tensor(self.ref(value))

    def input_like(self, name: str, aval: Any) -> Ref:
        """An input of a graph inside a node."""
        return Ref(self.writer.fresh(name), aval.shape, np.dtype(aval.dtype))


def _results(variables: Any) -> list[tuple[Any, Any]]:
    return [(var.aval.shape, np.dtype(var.aval.dtype)) for var in variables]


@_rule("cond")
def cond(low: OnnxLowering, eqn: Any, which: Value, *values: Value) -> list[Value]:
    branches = eqn.params["branches"]
    if is_constant(which):
        chosen = int(np.clip(int(which), 0, len(branches) - 1))
        return low.run_closed(branches[chosen], list(values))
    return _if(low, eqn, which, list(values), 0)


def _if(low: OnnxLowering, eqn: Any, which: Value, values: list[Value], first: int) -> list[Value]:
    """The branch of that number among those from the first."""
    branches = eqn.params["branches"]
    if first == len(branches) - 1:
        return low.run_closed(branches[first], values)
    here = low.tensor(low.binary("LessEqual", which, first, np.bool_))
    then, then_reads = low.inside("then", [], lambda inner: inner.run_closed(branches[first], values))
    otherwise, else_reads = low.inside("else", [], lambda inner: _if(inner, eqn, which, values, first + 1))
    return low.writer.nodes(
        "If", [here], _results(eqn.outvars), then_reads | else_reads, then_branch=then, else_branch=otherwise
    )


@_rule("while")
def while_(low: OnnxLowering, eqn: Any, *values: Value) -> list[Value]:
    params = eqn.params
    condition_consts, body_consts, carry = while_operands(params, values)
    (more,) = low.run_closed(params["cond_jaxpr"], [*condition_consts, *carry])
    if is_constant(more) and not more:
        return carry

    def step(inner: OnnxLowering, held: list[Value]) -> list[Value]:
        after = inner.run_closed(params["body_jaxpr"], [*body_consts, *held])
        return [*inner.run_closed(params["cond_jaxpr"], [*condition_consts, *after]), *after]

    return _loop(low, None, more, carry, eqn.outvars, [], step)


def _loop(
    low: OnnxLowering, length: Ref | None, more: Value, carry: list[Value], carried: Any, stacked: Any, step: Any
) -> list[Value]:  # fmt: skip
    """A Loop: `step(lowering, carry)` gives whether to go on, the new carry, and what is stacked."""
    held = [low.input_like("carry", var.aval) for var in carried]
    inputs = [Ref(low.writer.fresh("iteration"), (), np.int64), Ref(low.writer.fresh("more"), (), np.bool_), *held]
    body, reads = low.inside("body", inputs, lambda inner: step(inner, held))
    given = [length, low.tensor(more), *[low.tensor(value) for value in carry]]
    return low.writer.nodes("Loop", given, _results([*carried, *stacked]), reads, body=body)


@_rule("scan")
def scan(low: OnnxLowering, eqn: Any, *values: Value) -> list[Value]:
    params = eqn.params
    consts, carries = scan_counts(params)
    fixed, carry, sequences = list(values[:consts]), list(values[consts : consts + carries]), values[consts + carries :]
    length, backwards = params["length"], int(params["reverse"])
    if not is_symbolic_size(length) and length <= 1:
        return RULES["scan"](low, eqn, *values)
    carried, stacked = eqn.outvars[:carries], eqn.outvars[carries:]
    if not sequences:

        def step(inner: OnnxLowering, held: list[Value]) -> list[Value]:
            return [np.ones((), np.bool_), *inner.run_closed(params["jaxpr"], [*fixed, *held])]

        out = _loop(low, low.writer.size(length), np.ones((), np.bool_), carry, carried, stacked, step)
        if backwards:
            out[carries:] = [low.call("ReverseV2", (v, (0,)), v.shape, v.dtype) for v in out[carries:]]
        return out
    inner_inputs = params["jaxpr"].jaxpr.invars[consts:]
    inputs = [low.input_like("carry" if i < carries else "item", var.aval) for i, var in enumerate(inner_inputs)]
    body, reads = low.inside("body", inputs, lambda inner: inner.run_closed(params["jaxpr"], [*fixed, *inputs]))
    given = [low.tensor(value) for value in (*carry, *sequences)]
    return low.writer.nodes(
        "Scan", given, _results(eqn.outvars), reads, body=body, num_scan_inputs=len(sequences),
        scan_input_directions=[backwards] * len(sequences), scan_output_directions=[backwards] * len(stacked),
    )  # fmt: skip


@_rule("reduce_window_max")
def max_pooling(low: OnnxLowering, eqn: Any, x: Value) -> Value:
    """MaxPool over any axes but one, with padding and dilation."""
    params = eqn.params
    shape, dtype = out_aval(eqn)
    window, strides, padding = (list(params[key]) for key in ("window_dimensions", "window_strides", "padding"))
    holes = list(params["window_dilation"])
    axes = [a for a in range(x.ndim) if window[a] != 1 or strides[a] != 1 or tuple(padding[a]) != (0, 0)]
    plain = (
        jnp.issubdtype(dtype, np.floating)
        and all(d == 1 for d in params["base_dilation"])
        and 1 <= len(axes) <= 3
        and all(0 <= p < window[a] for a in axes for p in padding[a])
    )
    if not plain:
        return pooling(low, eqn, x)
    others = [a for a in range(x.ndim) if a not in axes]
    order = [*others, *axes]
    images = low.transpose(x, order)
    lead = [x.shape[a] for a in others]
    batch = (*lead, *[1] * (2 - len(lead))) if len(lead) <= 2 else (count(lead[:-1]), lead[-1])
    spatial, pooled = [x.shape[a] for a in axes], [shape[a] for a in axes]
    images = low.reshape(images, (*batch, *spatial))
    pads = tuple(int(padding[a][side]) for side in (0, 1) for a in axes)
    dilations = tuple(int(holes[a]) for a in axes)
    out = low.call(
        "MaxPool", (images,), (*batch, *pooled), dtype, kernel_size=(1, 1, *[int(window[a]) for a in axes]),
        strides=(1, 1, *[int(strides[a]) for a in axes]), pads=pads, dilations=dilations,
    )  # fmt: skip
    return low.transpose(low.reshape(out, [*lead, *pooled]), np.argsort(order))


@_rule("cumprod", "cummax", "cummin")
def cumulative(low: OnnxLowering, eqn: Any, x: Value) -> Value:
    """Combined with itself moved by 1, 2, 4, ... places."""
    axis, reverse = int(eqn.params["axis"]), bool(eqn.params["reverse"])
    name = eqn.primitive.name
    length = x.shape[axis]
    if is_symbolic_size(length):
        raise low.unsupported(eqn, "runs along an axis of unknown size, which ONNX has no operator for")
    op = {"cumprod": "Mul", "cummax": "Maximum", "cummin": "Minimum"}[name]

    def part(first: int, last: int) -> Value:
        begin, end = [0] * x.ndim, list(x.shape)
        begin[axis], end[axis] = first, last
        return low.slice(x, begin, end)

    by = 1
    while by < length:
        front, back = part(0, length - by), part(by, length)
        if reverse:
            x = low.concatenate([low.binary(op, front, back), part(length - by, length)], axis)
        else:
            x = low.concatenate([part(0, by), low.binary(op, back, front)], axis)
        by *= 2
    return x
