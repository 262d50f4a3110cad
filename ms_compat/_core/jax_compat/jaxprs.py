"""Jaxprs: their equations, what their outputs depend on, and functions made of them."""

from __future__ import annotations

from typing import Any

import jax

from ms_compat._core.jax_compat.capabilities import HAS_DCE, dce_jaxpr

if jax.__version_info__ >= (0, 11):
    # `jax.extend` imports Pallas, whose settings JAX adds to the keys by which it finds programs. Imported later, it
    # would make JAX compile again what it has compiled before.
    import jax.extend.core


def jaxpr_as_fun(closed: Any) -> Any:
    """The function that a closed jaxpr is. `jax.extend` takes 30 ms to import: with JAX 0.10 it waits for this call."""
    from jax.extend import core

    return core.jaxpr_as_fun(closed)


def closed_jaxpr(jaxpr: Any, consts: list[Any]) -> Any:
    """A jaxpr together with the values of its constants."""
    from jax.extend import core

    return core.ClosedJaxpr(jaxpr, consts)


def bind_equation(eqn: Any, inputs: Any, params: dict[str, Any]) -> list[Any]:
    """Evaluate one equation of a jaxpr on other inputs, with other parameters; its outputs."""
    found = eqn.primitive.get_bind_params(params)
    functions, params = found if isinstance(found, tuple) else ((), found)
    out = eqn.primitive.bind(*functions, *inputs, **params)
    return list(out) if eqn.primitive.multiple_results else [out]


def inputs_read(function: Any, *inputs: Any) -> list[bool]:
    """Which of the arrays (or shapes with dtypes) among its inputs the outputs of a function depend on."""
    return _live(jax.make_jaxpr(function)(*inputs).jaxpr)[1]


def live_equations(jaxpr: Any) -> list[Any]:
    """The equations of a jaxpr that its outputs depend on, or that have effects."""
    return _live(jaxpr)[0]


def _live(jaxpr: Any) -> tuple[list[Any], list[bool]]:
    """The equations that the outputs need, and which inputs are read."""
    if HAS_DCE:
        found, read = dce_jaxpr(jaxpr, [True] * len(jaxpr.outvars))
        return found.eqns, read
    needed = {id(var) for var in jaxpr.outvars}
    live: list[Any] = []
    for eqn in reversed(jaxpr.eqns):
        if eqn.effects or any(id(var) in needed for var in eqn.outvars):
            live.append(eqn)
            needed.update(map(id, eqn.invars))
    return live[::-1], [id(var) in needed for var in jaxpr.invars]


def is_recomputed(eqn: Any) -> bool:
    """Whether `jax.checkpoint` computes an equation again for a gradient."""
    return "rematted_computation" in str(getattr(getattr(eqn, "source_info", None), "name_stack", ""))


def traceback_of(eqn: Any) -> Any:
    """The Python frames that an equation of a jaxpr comes from; None where JAX kept none."""
    return getattr(getattr(eqn, "source_info", None), "traceback", None)


def scan_counts(params: dict[str, Any]) -> tuple[int, int]:
    """How many operands of a `scan` with these parameters are constants of the loop, and how many are carried."""
    if "num_consts" in params:
        return params["num_consts"], params["num_carry"]
    consts, carried, _ = params["ft_in"].unpack()  # JAX 0.12
    return len(list(consts)), len(list(carried))
