"""Transformations of JAX's under a gradient's tape: a call of `vmap`, `jvp` or a Jacobian is one node of it.

In PYNATIVE_MODE a transformation runs on arrays, which the tape does not see. So a call that is recorded is traced as a
whole, with tracers in all Tensors of the tape that it reads: its arguments, Parameters and Tensors of closures. The
node's pullback is JAX's of that trace; for higher orders it is an operation of its own, as every pullback is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax

from ms_compat._compile.analysis import inspection
from ms_compat._core import tape
from ms_compat._core.compiled import integer_grad
from ms_compat._core.compiled.compiled_op import conjugated
from ms_compat._core.errors import UnsupportedError
from ms_compat._core.jax_compat import jaxpr_as_fun
from ms_compat._core.tape import INEXACT
from ms_compat._core.tensor import Tensor, wrap
from ms_compat._core.tensor.tree import as_tensors, flatten, unflatten
from ms_compat._core.trace import scopes, write_barrier


def call(run: Callable, fn: Any, args: tuple, kwargs: dict) -> Any:
    """`run(*args, **kwargs)`, which applies a transformation of JAX's to `fn`, recorded where a tape is open."""
    if scopes.current_scope() is not None or not tape.recording() or tape.paused():
        return run(*args, **kwargs)
    inputs: list[Any] = []
    spec = flatten((args, kwargs), inputs)
    reached = [*inputs, *inspection.reachable_parameters(fn, None, spec)]
    taped = {id(t): t for t in reached if isinstance(t, Tensor) and tape.live_node(t) is not None}
    while True:
        traced = _Traced(run, args, kwargs, list(taped.values()))
        missing = {key: t for key, t in traced.met.items() if key not in taped}
        if not missing:
            return traced.recorded()
        taped.update(missing)


class _Traced:
    """A call as a pure function of `tensors`' values.

    Attributes:
        met: the Tensors of the tape that it used without their being among those, by their ids.
        reads_casts: whether the gradient passes through integers that are cast from floats.
    """

    def __init__(self, run: Callable, args: tuple, kwargs: dict, tensors: list[Tensor]):
        self.tensors = tensors
        self.met: dict[int, Tensor] = {}
        self.changed: list[Tensor] = []
        self.spec: Any = None
        self.count = 0
        self.reads_casts = False

        def body(*values):
            with scopes.TraceScope() as scope:
                scope.taped_reads = self.met
                scope.casts = integer_grad.Casts()
                scope.swap(tensors, values)
                out = as_tensors(run(*args, **kwargs), [])
                leaves: list[Any] = []
                self.spec = flatten(out, leaves)
                self.count = len(leaves)
                self.changed = scope.changed()
                self.reads_casts = scope.casts.read
                return [t._v if isinstance(t, Tensor) else t for t in (*leaves, *self.changed)]

        self.values = [t._v for t in tensors]
        self.closed = jax.make_jaxpr(body)(*self.values)

    def recorded(self) -> Any:
        """Compute the outputs and put the node on the tape."""
        run = jaxpr_as_fun(self.closed)
        links = [tape.live_node(t) for t in self.tensors]
        mask = tuple([i for i, v in enumerate(self.values) if v.dtype in INEXACT])

        def of_inexact(*inexact):
            full = list(self.values)
            for i, value in zip(mask, inexact, strict=True):
                full[i] = value
            return tuple(run(*full))

        if mask and self.reads_casts:
            found, pull_jax = run(*self.values), self._pullback_of_casts(of_inexact, mask)
        elif mask:
            found, pull_jax = jax.vjp(of_inexact, *[self.values[i] for i in mask])
        else:
            found, pull_jax = run(*self.values), None
        outputs = [wrap(v) for v in found]
        for t, new in zip(self.changed, outputs[self.count :], strict=True):
            write_barrier.assign(t, new._v)
        if pull_jax is not None and outputs:
            entry = tape.CompiledOp(lambda *values: tuple(run(*values)), "transformation")

            def pull(*cts: Any) -> Sequence[Any]:
                if tape.recording() and not tape.paused():
                    if self.reads_casts:
                        raise UnsupportedError(
                            "A transformation of a function that casts to integers has a first derivative only. "
                            "Use 'ops.stop_gradient' for the integers."
                        )
                    present = tuple([i for i, ct in enumerate(cts) if ct is not None])
                    given = [cts[i] for i in present]
                    return tape.run(
                        entry.pullback(mask, present),
                        [*[ct._v for ct in given], *self.values],
                        [*[ct._node for ct in given], *links],
                    )
                filled = tuple(
                    [
                        tape.zero_cotangent(v) if ct is None else conjugated(ct._v)
                        for v, ct in zip(found, cts, strict=True)
                    ]
                )
                return [wrap(conjugated(g)) for g in pull_jax(filled)]

            tape.record_custom_vjp(outputs, [links[i] for i in mask], pull)
        return unflatten(self.spec, iter(outputs[: self.count]))

    def _pullback_of_casts(self, of_inexact: Callable, mask: Sequence[int]) -> Callable:
        """The pullback that casts to integers pass on, where JAX's gives zeros."""

        def pull(cotangents: Sequence[Any]) -> Sequence[Any]:
            given = [ct if ct.dtype in INEXACT else None for ct in cotangents]
            return integer_grad.gradients(of_inexact, "Cast", [self.values[i] for i in mask], given, False)

        return pull
