"""Programs that must not write their new state over the old one.

On NVIDIA GPUs, XLA computed a wrong result for such a program: if several donated arrays get one value, and the old
ones are read, some of them keep their old values. It was seen with JAX 0.11.2 on an H100, in plain JAX::

    def step(states, x):
        new = jnp.sin(x)
        return [new for _ in states], [2 * s for s in states]

    jax.jit(step, donate_argnums=0)

XLA finds equal values by itself, so the states of `nn.ASGD` were concerned, which are the same numbers for all
Parameters. Without donation the results are right, and the state is in memory twice.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ms_compat._core.compiled.interpreter.numpy_program import CALLS
from ms_compat._core.settings import device


def is_safe(closed: Any, outputs: Iterable[int]) -> bool:
    """Whether a program may donate the state that it changes, on the chosen device.

    Args:
        closed: the program as a closed jaxpr.
        outputs: which of its outputs are the new state.
    """
    return device.platform() != "gpu" or not repeats(closed.jaxpr, outputs)


def repeats(jaxpr: Any, outputs: Iterable[int]) -> bool:
    """Whether two of the outputs have the same value because they are computed alike, or are the same constant.

    Args:
        jaxpr: the program.
        outputs: the outputs' positions.

    >>> import jax
    >>> def step(a, b, x):
    ...     return a + 1, a * 2 + x, a * 2 + x
    >>> jaxpr = jax.make_jaxpr(step)(1.0, 2.0, 3.0).jaxpr
    >>> repeats(jaxpr, (0, 1)), repeats(jaxpr, (1, 2))
    (False, True)
    """
    inputs = list(range(len(jaxpr.constvars) + len(jaxpr.invars)))
    values = _Numbering(len(inputs)).outputs(jaxpr, inputs)
    new = [values[i] for i in outputs]
    return len(set(new)) < len(new)


class _Numbering:
    """Gives the same number to what has the same value.

    Args:
        taken: the program's inputs have the numbers below it.
    """

    def __init__(self, taken: int) -> None:
        self._next = taken
        self._known: dict[Any, int] = {}

    def _number(self, computed: Any) -> int:
        found = self._known.get(computed)
        if found is None:
            found = self._known[computed] = self._next
            self._next += 1
        return found

    def outputs(self, jaxpr: Any, inputs: list[int]) -> list[int]:
        """The numbers of a jaxpr's outputs; its constants and inputs have the numbers `inputs`."""
        numbers = dict(zip((*jaxpr.constvars, *jaxpr.invars), inputs, strict=True))

        def number(atom: Any) -> int:
            return self._number((str(atom.aval), str(atom.val))) if hasattr(atom, "val") else numbers[atom]

        for equation in jaxpr.eqns:
            results = self._results(equation, list(map(number, equation.invars)))
            numbers.update(zip(equation.outvars, results, strict=True))
        return list(map(number, jaxpr.outvars))

    def _results(self, equation: Any, inputs: list[int]) -> list[int]:
        called = equation.params.get(CALLS.get(equation.primitive.name))
        if called is not None:
            constants = [self._number(id(value)) for value in getattr(called, "consts", ())]
            return self.outputs(getattr(called, "jaxpr", called), [*constants, *inputs])
        computed: Any = (equation.primitive, tuple(sorted(equation.params.items())), tuple(inputs))
        try:
            hash(computed)
        except TypeError:  # of a parameter
            computed = object()
        return [self._number((computed, i)) for i in range(len(equation.outvars))]
