"""From a jaxpr to the nodes of a MindIR graph.

Each primitive of JAX has a rule in a table, `RULES`, which the files `lowering_*.py` fill by theme. A value on the way
is one of three things: a numpy array, if it depends neither on inputs nor on Parameters (what is computed from such
alone is computed here, once); a `Ref`, a tensor of the graph; or a `Broadcast`, a Ref that is repeated along axes of
length one when a node needs it so, for MindSpore's element-wise primitives broadcast by themselves.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import jax
import numpy as np

from ms_compat._compile.control_flow.convert import written_at
from ms_compat._compile.control_flow.numpy_calls import refuses_open_size
from ms_compat._core.diagnostics.source_lines import users_lines
from ms_compat._core.errors import UnsupportedError
from ms_compat._core.jax_compat import is_symbolic_size
from ms_compat._formats.mindir.arguments import DTYPE, encoded
from ms_compat._formats.mindir.sizes import common, count, whole
from ms_compat._formats.mindir.values import NUMBERS_OF_NUMPY, TYPES
from ms_compat._formats.mindir.writing import Ref

MAX_UNROLLED = 2048  # iterations of one loop
API = "mindspore.export"
RULES: dict[str, Callable[..., Any]] = {}
logger = logging.getLogger("ms_compat")


class Broadcast:
    """A Ref of the same rank whose axes of length one represent longer ones; an array, if sizes are not known."""

    __slots__ = ("dtype", "shape", "source")

    def __init__(self, source: Ref | np.ndarray, shape: tuple[Any, ...]):
        self.source, self.shape, self.dtype = source, tuple(shape), source.dtype

    @property
    def ndim(self) -> int:
        return len(self.shape)


Value = Any  # a Ref, a Broadcast or an array: `is_constant` checks several at once, which types cannot follow


def rule(*names: str) -> Callable:
    """Enter a function into RULES: it is given the Lowering, the equation and its inputs, and returns the output or
    outputs."""

    def enter(fn: Callable) -> Callable:
        RULES.update(dict.fromkeys(names, fn))
        return fn

    return enter


def type_number(dtype: Any) -> int:
    """The number of a numpy dtype among MindSpore's types, which primitives such as Cast are given."""
    return encoded(DTYPE, TYPES[NUMBERS_OF_NUMPY[np.dtype(dtype)]])


def is_constant(*values: Value) -> bool:
    """Whether all the values are known."""
    return all(isinstance(v, np.ndarray) for v in values)


def known_values(value: Value) -> np.ndarray | None:
    """A constant's values, which are repeated where it is a Broadcast; None if it is not a constant."""
    source = value.source if isinstance(value, Broadcast) else value
    return source if isinstance(source, np.ndarray) else None


class Lowering:
    """One graph being written; the methods here are the building blocks of rules, and compute on constants at once.

    Args:
        writer: of a MindIR graph, or of one with the same interface.
        rules: the table that is used in the place of `RULES`.
    """

    def __init__(self, writer: Any, rules: dict[str, Callable[..., Any]] | None = None):
        self.writer: Any = writer
        self._rules = RULES if rules is None else rules
        self._open: list[Any] = []  # the equations being lowered, outermost first

    # -- walking -----------------------------------------------------------------------------------------------------
    def run(self, jaxpr: Any, consts: list[Any], values: list[Value]) -> list[Value]:
        """The outputs of a jaxpr for these inputs."""
        env: dict[Any, Value] = {}
        env.update(zip(jaxpr.constvars, [_array(c) for c in consts], strict=True))
        env.update(zip(jaxpr.invars, values, strict=True))

        def read(var: Any) -> Value:
            if hasattr(var, "val"):
                return _array(var.val)
            return env[var] if var in env else self.zeros(var.aval.shape, var.aval.dtype)  # nothing inside reads it

        if any(eqn.effects and not eqn.outvars for eqn in jaxpr.eqns):
            logger.warning("export: what the net prints is not in the file.")
        for eqn in _live(jaxpr)[0]:
            outs = self.apply(eqn, [read(v) for v in eqn.invars])
            env.update(zip(eqn.outvars, outs, strict=True))
        return [read(v) for v in jaxpr.outvars]

    def run_closed(self, closed: Any, values: list[Value]) -> list[Value]:
        """`run` for a jaxpr that holds its constants."""
        return self.run(closed.jaxpr, closed.consts, values)

    def apply(self, eqn: Any, values: list[Value]) -> list[Value]:
        """The outputs of one equation."""
        self._open.append(eqn)
        # tensors without elements stay out of the file, where MindSpore's kernels would read what is not there
        values = [self.zeros(v.shape, v.dtype) if 0 in v.shape else v for v in values]
        empty = [self.zeros(v.aval.shape, v.aval.dtype) if 0 in v.aval.shape else None for v in eqn.outvars]
        found = empty
        if any(e is None for e in empty):
            lowered = self._applied(eqn, values)
            found = [v if e is None else e for v, e in zip(lowered, empty, strict=True)]
        self._open.pop()
        return found

    def _applied(self, eqn: Any, values: list[Value]) -> list[Value]:
        name = eqn.primitive.name
        lower = self._rules.get(name)
        known = is_constant(*values) and not any(map(is_symbolic_size, sum([v.aval.shape for v in eqn.outvars], ())))
        if lower is not None and getattr(lower, "walks", False):
            return lower(self, eqn, *values)
        if name in _ALWAYS or not known:
            if lower is None:
                raise self.unsupported(eqn, "has no counterpart among the primitives that are written")
            try:
                out = lower(self, eqn, *values)
            except Exception as error:
                if not refuses_open_size(error):
                    raise
                raise self.unsupported(eqn, "needs a size as a number that is open") from error
        else:
            out = _computed(eqn, values)
        out = out if isinstance(out, list) else [out]
        for var, value in zip(eqn.outvars, out, strict=True):
            if value.shape != var.aval.shape or value.dtype != np.dtype(var.aval.dtype):
                raise RuntimeError(f"For 'export', '{name}' was written as {value.dtype}{value.shape}, not {var.aval}.")
        return out

    def of_graph(self, writer: Any) -> Lowering:
        """The lowering of a graph that this one calls."""
        low = Lowering(writer, self._rules)
        low._open = self._open
        return low

    def unsupported(self, eqn: Any, why: str) -> UnsupportedError:
        """The error for an equation that cannot be written, with the line of the user's program if it is known."""
        # JAX keeps the programs of inner functions, with the lines of their first use: the outermost equation is right
        places = (place for open_eqn in self._open for place in users_lines(open_eqn))
        line = next(filter(None, (written_at(*place) for place in places)), None)
        return UnsupportedError(
            f"{API} of the operation '{eqn.primitive.name}'" + (f" ({line[0]}:{line[1]})" if line else ""),
            f"It {why}. Take the operation out of the net and apply it to the net's outputs; or save the weights with "
            "mindspore.save_checkpoint.",
        )

    # -- building blocks ---------------------------------------------------------------------------------------------
    def ref(self, value: Value) -> Any:
        """What can be an input of a node: Broadcasts repeated, constants as they are."""
        if isinstance(value, Broadcast):
            sizes = tuple(
                -1 if size == wanted and is_symbolic_size(wanted) else wanted
                for size, wanted in zip(value.source.shape, value.shape, strict=True)
            )
            return self.writer.call("BroadcastTo", (value.source, sizes), value.shape, value.dtype)
        return value

    def zeros(self, shape: tuple[Any, ...], dtype: Any) -> Value:
        """A constant of zeros."""
        return self.broadcast(np.zeros([0 if size == 0 else 1 for size in shape], dtype), shape)

    def number(self, size: Any, dtype: Any) -> Value:
        """A size as a tensor without axes."""
        if not is_symbolic_size(size):
            return np.asarray(size, dtype)
        scalar = self.call("ScalarToTensor", (size, type_number(np.int64)), (), np.int64)
        return self.cast(scalar, dtype)

    def iota(self, length: Any, dtype: Any = np.int64) -> Value:
        """0, 1, 2, ... up to a size."""
        if not is_symbolic_size(length):
            return np.arange(length, dtype=dtype)
        return self.cast(self.call("Range", (0, length, 1, _MOST_IN_RANGE), (length,), np.int64), dtype)

    def call(self, op: str, inputs: tuple[Any, ...], shape: tuple[int, ...], dtype: Any, **attributes: Any) -> Ref:
        """A node with one output; Broadcasts among its inputs are repeated."""
        return self.writer.call(op, tuple(self.ref(v) for v in inputs), tuple(shape), dtype, **attributes)

    def unary(self, op: str, value: Value, dtype: Any = None) -> Value:
        """An element-wise primitive of one tensor."""
        if isinstance(value, Broadcast):
            return Broadcast(self.unary(op, value.source, dtype), value.shape)
        return self.writer.call(op, (value,), value.shape, dtype or value.dtype)

    def elementwise(self, op: str, values: tuple[Value, ...], shape: tuple[int, ...], dtype: Any) -> Value:
        """An element-wise primitive of several tensors that broadcasts them to `shape`."""
        if is_constant(*values) and op in _NUMPY:
            return np.asarray(_NUMPY[op](*values)).astype(dtype, copy=False)
        small = [_compact(v) for v in values]
        if is_constant(*small) and op in _NUMPY:  # of sizes that are not known
            return self.broadcast(self.elementwise(op, tuple(small), (), dtype), shape)
        wide = common([v.shape for v in small])
        if len(wide) < len(shape):
            wide = (1,) * (len(shape) - len(wide)) + wide
            index = next((i for i, v in enumerate(small) if isinstance(v, Ref)), 0)
            small[index] = self.reshape(small[index], (1,) * (len(shape) - small[index].ndim) + small[index].shape)
        out = self.writer.call(op, tuple(small), wide, dtype)
        return out if wide == tuple(shape) else Broadcast(out, shape)

    def binary(self, op: str, a: Value, b: Any, dtype: Any = None) -> Value:
        """An element-wise primitive of two tensors; a number takes the dtype of `a`."""
        b = b if isinstance(b, (Ref, Broadcast, np.ndarray)) else self.number(b, a.dtype)
        return self.elementwise(op, (a, b), common([a.shape, b.shape]), dtype or a.dtype)

    def select(self, condition: Value, yes: Value, no: Value, shape: tuple[int, ...]) -> Value:
        """`yes` where the condition holds."""
        if is_constant(condition, yes, no):
            return np.where(condition, yes, no)
        return self.elementwise("Select", (condition, yes, no), shape, yes.dtype)

    def cast(self, value: Value, dtype: Any) -> Value:
        """Another dtype."""
        dtype = np.dtype(dtype)
        if value.dtype == dtype:
            return value
        if isinstance(value, np.ndarray):
            return np.asarray(jax.lax.convert_element_type(value, dtype))
        if isinstance(value, Broadcast):
            return Broadcast(self.cast(value.source, dtype), value.shape)
        return self.call("Cast", (value, type_number(dtype)), value.shape, dtype)

    def reshape(self, value: Value, shape: Any) -> Value:
        """The same elements in another shape; chains of reshapes become one."""
        shape = tuple(whole(d) for d in shape)
        if value.shape == shape:
            return value
        if isinstance(value, np.ndarray):
            return value.reshape(shape)
        if isinstance(value, Broadcast):
            kept = _without_ones(value.shape) == _without_ones(shape)
            if kept:  # only axes of length one come or go
                lengths = iter([s for s, d in zip(value.source.shape, value.shape, strict=True) if d != 1])
                inner = self.reshape(value.source, [1 if d == 1 else next(lengths) for d in shape])
                return Broadcast(inner, shape)
            value = self.ref(value)
        if value.call and value.call.op == "Reshape":
            return self.reshape(value.call.inputs[0], shape)
        open_axes = [axis for axis, size in enumerate(shape) if is_symbolic_size(size)]
        target = tuple(-1 if open_axes == [axis] else size for axis, size in enumerate(shape))
        return self.call("Reshape", (value, target), shape, value.dtype)

    def transpose(self, value: Value, permutation: Any) -> Value:
        """Axes in another order; where only axes of length one move, a reshape does."""
        permutation = tuple(int(p) for p in permutation)
        if permutation == tuple(range(value.ndim)):
            return value
        shape = tuple(value.shape[p] for p in permutation)
        if isinstance(value, np.ndarray):
            return value.transpose(permutation)
        if isinstance(value, Broadcast):
            return Broadcast(self.transpose(value.source, permutation), shape)
        if [p for p in permutation if value.shape[p] != 1] == [i for i, d in enumerate(value.shape) if d != 1]:
            return self.reshape(value, shape)
        if value.call and value.call.op == "Transpose":
            source, before = value.call.inputs
            return self.transpose(source, [before[p] for p in permutation])
        return self.call("Transpose", (value, permutation), shape, value.dtype)

    def broadcast(self, value: Value, shape: tuple[int, ...]) -> Value:
        """`value`, whose axes have the lengths of `shape` or one, in that shape."""
        if value.shape == tuple(shape):
            return value
        if isinstance(value, np.ndarray):
            if not any(map(is_symbolic_size, shape)):
                return np.broadcast_to(value, shape)
            value = value.reshape((1,) * (len(shape) - value.ndim) + value.shape)
        return Broadcast(value.source if isinstance(value, Broadcast) else value, shape)

    def slice(self, value: Value, begin: Any, end: Any, strides: Any = None) -> Value:
        """`value[begin:end:strides]` along every axis; strides are positive."""
        begin, end = tuple(whole(b) for b in begin), tuple(whole(e) for e in end)
        strides = (1,) * value.ndim if strides is None else tuple(int(s) for s in strides)
        shape = tuple(_length(b, e, s) for b, e, s in zip(begin, end, strides, strict=True))
        if shape == value.shape:
            return value
        if isinstance(value, np.ndarray):
            return value[tuple(slice(b, e, s) for b, e, s in zip(begin, end, strides, strict=True))]
        if isinstance(value, Broadcast):
            one = [d == 1 for d in value.source.shape]
            inner = self.slice(
                value.source,
                [0 if o else b for o, b in zip(one, begin, strict=True)],
                [1 if o else e for o, e in zip(one, end, strict=True)],
                [1 if o else s for o, s in zip(one, strides, strict=True)],
            )
            return Broadcast(inner, shape)
        full = [e == d and is_symbolic_size(d) for e, d in zip(end, value.shape, strict=True)]
        to_end = sum(1 << axis for axis, is_full in enumerate(full) if is_full)
        end = tuple(1 if is_full else e for is_full, e in zip(full, end, strict=True))
        out = self.call("StridedSlice", (value, begin, end, strides, 0, to_end, 0, 0, 0), shape, value.dtype)
        if not any(map(_may_be_cut, value.shape, begin, end)):
            return out
        # a kernel cuts what is too short without an error, but does not reshape it
        whole_part = self.call("Reshape", (out, shape), shape, value.dtype)
        return Ref(whole_part.name, shape, value.dtype)

    def concatenate(self, values: list[Value], axis: int) -> Value:
        """The values one after the other along an axis."""
        values = [v for v in values if v.shape[axis]] or values[:1]
        if len(values) == 1:
            return values[0]
        if is_constant(*values):
            return np.concatenate(values, axis)
        shape = list(values[0].shape)
        shape[axis] = sum(v.shape[axis] for v in values)
        parts = self.writer.sequence(tuple(self.ref(v) for v in values))
        return self.call("Concat", (parts, axis), tuple(shape), values[0].dtype)

    def pad(self, value: Value, low: Any, high: Any, fill: Any) -> Value:
        """Pad with `fill`; negative widths cut off."""
        low, high = [int(w) for w in low], [int(w) for w in high]
        if any(w < 0 for w in (*low, *high)):
            end = [d + min(w, 0) for d, w in zip(value.shape, high, strict=True)]
            value = self.slice(value, [max(-w, 0) for w in low], end)
            low, high = [max(w, 0) for w in low], [max(w, 0) for w in high]
        if not any((*low, *high)):
            return value
        shape = tuple(d + a + b for d, a, b in zip(value.shape, low, high, strict=True))
        if is_constant(value, fill):
            out = np.full(shape, fill, value.dtype)
            out[tuple(slice(a, a + d) for a, d in zip(low, value.shape, strict=True))] = value
            return out
        for axis, (before, after) in enumerate(zip(low, high, strict=True)):
            parts = []
            for width in (before, after):
                around = (*value.shape[:axis], width, *value.shape[axis + 1 :])
                parts.append(self.broadcast(self.reshape(fill, (1,) * value.ndim), around))
            value = self.concatenate([parts[0], value, parts[1]], axis)
        return value

    def take_flat(self, value: Value, index: Value) -> Value:
        """Elements of the flattened value at the given positions, which must be within it."""
        flat = self.reshape(value, (-1 if 0 in value.shape else count(value.shape),))
        if is_constant(flat, index):
            return flat[index]
        return self.call("Gather", (flat, index, 0, 0), index.shape, value.dtype)


_ALWAYS = ("broadcast_in_dim", "dim_as_value")  # rules that are followed for constants, too
_CALLED = ("jaxpr", "call_jaxpr", "fun_jaxpr")  # parameters of equations that call a function
_MOST_IN_RANGE = 1_000_000  # MindSpore's own limit

_NUMPY: dict[str, Callable] = {
    "Add": np.add, "Sub": np.subtract, "Mul": np.multiply, "Maximum": np.maximum, "Minimum": np.minimum,
    "Less": np.less, "LessEqual": np.less_equal, "Greater": np.greater, "GreaterEqual": np.greater_equal,
    "Equal": np.equal, "LogicalAnd": np.logical_and,
}  # fmt: skip


def _may_be_cut(size: Any, begin: Any, end: Any) -> bool:
    """Whether a slice of known length may have fewer elements, as the size is open, which is at least one."""
    if not is_symbolic_size(size) or is_symbolic_size(end - begin):
        return False
    return end - begin > 1 if is_symbolic_size(end) else end > 1


def _length(begin: Any, end: Any, stride: int) -> Any:
    """The length of a slice."""
    found = -(-(end - begin) // stride)
    return found if is_symbolic_size(found) else max(0, found)


def _array(value: Any) -> np.ndarray:
    return np.asarray(value)


def _without_ones(shape: tuple[int, ...]) -> list[int]:
    return [d for d in shape if d != 1]


def _compact(value: Value) -> Ref | np.ndarray:
    """What an element-wise primitive broadcasts to the value: Broadcasts and repeated constants without repetition."""
    if isinstance(value, Broadcast):
        return value.source
    if isinstance(value, np.ndarray):
        repeated = zip(value.strides, value.shape, strict=True)
        value = value[(..., *[slice(0, 1) if step == 0 and length else slice(None) for step, length in repeated])]
        while value.ndim and value.shape[0] == 1:
            value = value[0, ...]
    return value


def _computed(eqn: Any, values: list[Value]) -> list[np.ndarray]:
    """The outputs of an equation over constants."""
    out = eqn.primitive.bind(*[jax.numpy.asarray(v) for v in values], **eqn.params)
    return [np.asarray(v) for v in (out if eqn.primitive.multiple_results else [out])]


def _live(jaxpr: Any) -> tuple[list[Any], set[Any]]:
    """The equations that outputs depend on, and the variables that they read."""
    needed = {v for v in jaxpr.outvars if not hasattr(v, "val")}
    found = []
    for eqn in reversed(jaxpr.eqns):
        if any(v in needed for v in eqn.outvars):
            found.append(eqn)
            needed.update(v for v in _read_by(eqn) if not hasattr(v, "val"))
    return found[::-1], needed


def _read_by(eqn: Any) -> list[Any]:
    """The inputs of an equation that something in it reads, such as no random key where a loop draws no numbers."""
    params = eqn.params
    if eqn.primitive.name == "while":
        condition, body = params["cond_jaxpr"].jaxpr, params["body_jaxpr"].jaxpr
        of_condition, of_body = params["cond_nconsts"], params["body_nconsts"]
        inner = [*condition.invars[:of_condition], *body.invars[:of_body]]
        read = _live(condition)[1] | _live(body)[1] | {*body.invars[of_body:]}
        inner += body.invars[of_body:]
    else:
        held = [getattr(params[key], "jaxpr", params[key]) for key in _CALLED if key in params]
        if not held or len(held[0].invars) != len(eqn.invars):
            return eqn.invars
        inner, read = held[0].invars, _live(held[0])[1]
    return [outer for outer, var in zip(eqn.invars, inner, strict=True) if var in read]
