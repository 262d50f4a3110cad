"""A jaxpr as a list of NumPy steps.

`prepare` goes over the equations once. It inlines nested programs (`jit`, custom gradients), leaves out equations that
no output needs, in nested programs, too, and gets a step for each equation from its rule. One equation without a rule,
or work that XLA would do faster than it compiles, leaves the whole jaxpr to XLA. Python's `cond` and counted loops are
separate steps.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ms_compat._core.compiled.interpreter import (
    blas,
    elementwise,
    indexed,
    products,
    random_bits,
    reductions,
    shapes,
    windows,
)
from ms_compat._core.compiled.interpreter.rules import DTYPES, RULES, Aval, Equation, Left
from ms_compat._core.convolution import lowering
from ms_compat._core.jax_compat import is_symbolic_size, scan_counts

# imported for the rules that they enter
TABLES = (elementwise, indexed, products, random_bits, reductions, shapes, windows)

_NANOSECONDS_A_STEP = 3_000.0  # a call of NumPy
# XLA takes SHARE times this to compile a program: nanoseconds for each operation, and how many are added for any
# program. An operation's program has 20 at least.
SHARE = 5
_WORTH = 500_000.0
_ADDED = 20
_FEWEST = 20
_AGAIN = 0.25  # of a convolution's operations, where the program has an equal one: its kernels are compiled once
# Primitives that call another program, and the parameter that holds it.
CALLS = {
    "jit": "jaxpr", "pjit": "jaxpr", "closed_call": "call_jaxpr", "core_call": "call_jaxpr",
    "custom_jvp_call": "call_jaxpr", "custom_vjp_call": "call_jaxpr", "custom_vjp_call_jaxpr": "fun_jaxpr",
    "remat": "jaxpr", "checkpoint": "jaxpr", "remat2": "jaxpr",
}  # fmt: skip
_CONTROL = ("cond", "scan")
_OF_KEYS = ("random_seed", "random_fold_in", "random_wrap", "random_unwrap", "random_bits")
_KEY = "key<fry>"  # the dtype of JAX's keys for Threefry
_COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
# what may be done to floating-point values of random bits before they are compared
_EXACT = (
    "bitcast_convert_type", "convert_element_type", "add", "sub", "mul", "max", "min", "neg", "reshape",
    "broadcast_in_dim", "squeeze", "transpose", "slice", "copy",
)  # fmt: skip


def _is_key(v: Any) -> bool:
    return str(getattr(v.aval, "dtype", None)) == _KEY


def _is_inexact(v: Any) -> bool:
    dtype = getattr(v.aval, "dtype", None)
    return isinstance(dtype, np.dtype) and dtype.kind not in "biu"


class _NotInterpretable(Exception):
    """An equation has no rule."""


class NumpyProgram:
    """A prepared jaxpr; a call takes and gives NumPy arrays.

    `cost` is an estimate of its nanoseconds, `budget` the most that it may be, and `product` how often its largest
    product multiplies.
    """

    __slots__ = ("budget", "cost", "inputs", "outputs", "product", "steps", "values")

    def __init__(self, budget: float) -> None:
        self.budget = budget
        self.values: list[Any] = []  # the values that are known before the call, by slot
        self.inputs: list[int] = []
        self.outputs: list[int] = []
        self.steps: list[tuple[Callable, tuple[int, ...], Any, tuple[int, ...]]] = []
        self.cost = 0.0
        self.product = 0

    def __call__(self, inputs: Sequence[Any]) -> list[Any]:
        values = self.values.copy()
        for slot, value in zip(self.inputs, inputs, strict=True):
            values[slot] = value
        for step, given, out, dead in self.steps:
            found = step(*[values[i] for i in given])
            if out.__class__ is int:
                values[out] = found
            else:
                for slot, value in zip(out, found, strict=True):
                    values[slot] = value
            for slot in dead:
                values[slot] = None
        return [values[slot] for slot in self.outputs]


def prepare(closed: Any, sizes: Any = None, budget: float | None = None, most: float = 1) -> NumpyProgram | None:
    """The NumPy program of a closed jaxpr; None if it is left to XLA.

    Args:
        closed: the jaxpr with its constants.
        sizes: a function that gives the numbers in place of symbolic sizes; None where there are none.
        budget: the nanoseconds that it should take at most, by default those for an operation.
        most: how many times the budget it may take.
    """
    if budget is None:
        budget = budget_of(max(operations(closed.jaxpr, sizes), _FEWEST))
    try:
        return _Preparation(sizes, budget, most).prepared(closed)
    except _NotInterpretable:
        return None


def budget_of(count: int) -> float:
    """The nanoseconds that a program of so many operations may take: a fraction of what XLA takes to compile it."""
    return _WORTH * (count + _ADDED)


def operations(jaxpr: Any, sizes: Any = None) -> int:
    """How many operations XLA is given to compile: nested programs are written out, the bodies of loops count once.

    Args:
        jaxpr: the program.
        sizes: as for `prepare`.
    """
    return round(_operations(jaxpr, sizes, {}))


def _operations(jaxpr: Any, sizes: Any, convolutions: dict[Any, int]) -> float:
    """As `operations`; `convolutions` has the numbers by kind, for earlier ones."""
    count = 0.0
    for eqn in jaxpr.eqns:
        name = eqn.primitive.name
        if name in CALLS:
            inner = [eqn.params[CALLS[name]]]
        elif name in _CONTROL:
            inner = eqn.params["branches"] if name == "cond" else [eqn.params["jaxpr"]]
        elif name == "conv_general_dilated":
            count += _of_convolution(eqn, sizes, convolutions)
            continue
        else:
            count += 1
            continue
        count += sum(_operations(getattr(program, "jaxpr", program), sizes, convolutions) for program in inner)
    return count


def _of_convolution(eqn: Any, sizes: Any, convolutions: dict[Any, int]) -> float:
    values = [v.aval for v in (*eqn.invars, *eqn.outvars)]
    params = eqn.params
    if sizes:
        values = [Aval(tuple([sizes(n) for n in a.shape]), a.dtype) for a in values]
        params = {key: _substituted(value, sizes) for key, value in params.items()}
    kind = (*[(a.shape, a.dtype) for a in values], *params.items())
    if kind in convolutions:
        return max(1, convolutions[kind] * _AGAIN)
    *operands, out = values
    convolutions[kind] = count = lowering.operations(operands, out, params)
    return count


def _substituted(value: Any, sizes: Any) -> Any:
    """A parameter with numbers for its symbolic sizes."""
    if type(value) is tuple or type(value) is list:
        return type(value)([_substituted(item, sizes) for item in value])
    return sizes(value) if is_symbolic_size(value) else value


class _Preparation:
    """The state while one jaxpr is prepared."""

    def __init__(self, sizes: Any, budget: float, most: float = 1):
        self.program = NumpyProgram(budget)
        self.limit = budget * most
        self.drawn: set[int] = set()  # the slots of values that come from random bits
        self.sizes = sizes

    def prepared(self, closed: Any) -> NumpyProgram:
        jaxpr, program = closed.jaxpr, self.program
        if jaxpr.effects or any(map(_is_key, (*jaxpr.invars, *jaxpr.outvars))):
            raise _NotInterpretable
        slots = {v: self.constant(value) for v, value in zip(jaxpr.constvars, closed.consts, strict=True)}
        for v in jaxpr.invars:
            slots[v] = self.fresh()
            program.inputs.append(slots[v])
        self.equations(jaxpr, slots, jaxpr.outvars)
        program.outputs = [self.read(v, slots) for v in jaxpr.outvars]
        if any(slot in self.drawn and _is_inexact(v) for slot, v in zip(program.outputs, jaxpr.outvars, strict=True)):
            raise _NotInterpretable
        self.free()
        return program

    def fresh(self) -> int:
        self.program.values.append(None)
        return len(self.program.values) - 1

    def constant(self, value: Any) -> int:
        array = np.asarray(value)
        if array.dtype not in DTYPES:
            raise _NotInterpretable
        self.program.values.append(array)
        return len(self.program.values) - 1

    def read(self, v: Any, slots: dict) -> int:
        if hasattr(v, "val"):
            return self.constant(np.asarray(v.val, self.aval(v).dtype))
        return slots[v]

    def aval(self, v: Any) -> Aval:
        dtype = getattr(v.aval, "dtype", None)
        if dtype not in DTYPES:
            raise _NotInterpretable
        shape = v.aval.shape
        return Aval(tuple([self.sizes(n) for n in shape]) if self.sizes else shape, dtype)

    def aval_or_key(self, v: Any) -> Aval:
        """As `aval`; a key is a pair of integers."""
        return Aval((*v.aval.shape, 2), np.uint32) if _is_key(v) else self.aval(v)

    def equations(self, jaxpr: Any, slots: dict, results: Sequence[Any]) -> None:
        """Add steps for the equations that some results of a jaxpr need."""
        needed = {v for v in results if not hasattr(v, "val")}
        live = []
        for eqn in reversed(jaxpr.eqns):
            read = [v in needed for v in eqn.outvars]
            if any(read):
                live.append((eqn, read))
                needed.update(v for v in eqn.invars if not hasattr(v, "val"))
        for eqn, read in reversed(live):
            self.equation(eqn, slots, read)

    def equation(self, eqn: Any, slots: dict, read: Sequence[bool]) -> None:
        """Add the steps of one equation; `read` says for each result whether anything needs it."""
        name, params, program = eqn.primitive.name, eqn.params, self.program
        if name == "dim_as_value":  # a size as an array
            slots[eqn.outvars[0]] = self.constant(np.asarray(self.sizes(params["dim"]), eqn.outvars[0].aval.dtype))
            return
        given = [self.read(v, slots) for v in eqn.invars]
        if name in CALLS:
            inner = params[CALLS[name]]
            consts = getattr(inner, "consts", ())
            inner = getattr(inner, "jaxpr", inner)
            within = {v: self.constant(value) for v, value in zip(inner.constvars, consts, strict=True)}
            within.update(zip(inner.invars, given, strict=True))
            results = [(v, o) for v, o, is_read in zip(eqn.outvars, inner.outvars, read, strict=True) if is_read]
            self.equations(inner, within, [o for _, o in results])
            slots.update((v, self.read(o, within)) for v, o in results)
            return
        outs = [self.fresh() for _ in eqn.outvars]
        slots.update(zip(eqn.outvars, outs, strict=True))
        self.follow_draws(eqn, given, outs)
        if name in _CONTROL:
            step, cost = self.control(name, params)
        else:
            if name not in RULES:
                raise _NotInterpretable
            if self.sizes:
                params = {key: _substituted(value, self.sizes) for key, value in params.items()}
            aval = self.aval_or_key if name in _OF_KEYS else self.aval
            equation = Equation(name, params, [aval(v) for v in eqn.invars], [aval(v) for v in eqn.outvars])
            made = RULES[name](equation)
            if made is None:
                raise _NotInterpretable
            step, cost = made, equation.cost
            program.product = max(program.product, equation.product)
        program.cost += cost + _NANOSECONDS_A_STEP
        if program.cost > self.limit:
            raise _NotInterpretable
        program.steps.append((step, tuple(given), outs if eqn.primitive.multiple_results else outs[0], ()))

    def follow_draws(self, eqn: Any, given: Sequence[int], outs: Sequence[int]) -> None:
        """Note which values come from random bits, and leave floating-point ones to XLA, unless they are compared.

        One seed must give the same numbers in each call. Bits, integers and masks (dropout) are equal, interpreted or
        compiled. A normal distribution's numbers are not in their last bits: they go through a logarithm.
        """
        name = eqn.primitive.name
        if name in _COMPARISONS or (name != "random_bits" and self.drawn.isdisjoint(given)):
            return
        if name in _CONTROL or (name not in _EXACT and any(map(_is_inexact, (*eqn.invars, *eqn.outvars)))):
            raise _NotInterpretable
        self.drawn.update(outs)

    def inner(self, closed: Any) -> NumpyProgram:
        preparation = _Preparation(self.sizes, self.limit)
        program = preparation.prepared(closed)
        if not preparation.drawn.isdisjoint(program.outputs):  # they are not followed further
            raise _NotInterpretable
        self.program.product = max(self.program.product, program.product)
        return program

    def control(self, name: str, params: dict) -> tuple[Callable, float]:
        if name == "cond":
            branches = [self.inner(branch) for branch in params["branches"]]
            last = len(branches) - 1

            def chosen(index: Any, *values: Any) -> list[Any]:
                return branches[min(max(int(index), 0), last)](values)

            return chosen, max(branch.cost for branch in branches)
        length = params["length"]
        consts, carried = scan_counts(params)
        if self.sizes:
            length = self.sizes(length)
        body = self.inner(params["jaxpr"])
        order = range(length - 1, -1, -1) if params["reverse"] else range(length)
        stacked = [self.aval(v) for v in params["jaxpr"].jaxpr.outvars[carried:]]

        def scanned(*values: Any) -> list[Any]:
            fixed, state, along = values[:consts], list(values[consts : consts + carried]), values[consts + carried :]
            outs = [np.empty((length, *aval.shape), aval.dtype) for aval in stacked]
            for i in order:
                found = body([*fixed, *state, *[xs[i] for xs in along]])
                state = found[:carried]
                for out, value in zip(outs, found[carried:], strict=True):
                    out[i] = value
            return [*state, *outs]

        return scanned, (body.cost + 2_000) * length

    def free(self) -> None:
        """Let go of every value after its last use."""
        program = self.program
        kept = {*program.outputs, *program.inputs}
        kept.update(slot for slot, value in enumerate(program.values) if value is not None)
        steps = []
        for step, given, out, _ in reversed(program.steps):
            dead = tuple({slot for slot in given if slot not in kept})
            kept.update(dead)
            steps.append((step, given, out, dead))
        program.steps = steps[::-1]


def run(program: NumpyProgram, inputs: Sequence[Any]) -> list[Any] | None:
    """The results of a program, without NumPy's warnings; None where a step leaves its values to XLA."""
    threads = blas.one_thread() if program.product >= blas.LEAST_SHARED else contextlib.nullcontext()
    with np.errstate(all="ignore"), contextlib.suppress(Left), threads:
        return program(inputs)
    return None
