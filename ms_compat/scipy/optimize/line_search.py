"""`line_search`: JAX's search for a step that satisfies the strong Wolfe conditions."""

from __future__ import annotations

from typing import Any, NamedTuple

from ms_compat._core.errors import check_type
from ms_compat._core.jax_compat import Tracer, strong_wolfe_search
from ms_compat._core.tensor import Tensor, wrap
from ms_compat.scipy.optimize._callable import callable_module
from ms_compat.scipy.optimize._function import pure


class LineSearchResults(NamedTuple):
    """A line search's result: Tensors, or numbers where they are known."""

    failed: Any  # whether no step was found
    nit: Any  # iterations
    nfev: Any  # values of the function
    ngev: Any  # gradients
    k: Any  # iterations
    a_k: Any  # step size
    f_k: Any  # value there
    g_k: Any  # gradient there
    status: Any  # 0 if found


def _plain(value: Any) -> Any:
    """A Python number of a 0-d array that is known, else a Tensor."""
    return wrap(value) if isinstance(value, Tracer) or value.ndim else value.item()


def line_search(f, xk, pk, jac=None, gfk=None, old_fval=None, old_old_fval=None, c1=1e-4, c2=0.9, maxiter=20):
    """A step from `xk` along `pk` that satisfies the strong Wolfe conditions.

    Args:
        f (Callable): function of a vector to a number, of MindSpore operations.
        xk, pk (Tensor): where, and the direction.
        jac (Callable): its gradient; None differentiates `f`.
        gfk (Tensor): gradient at `xk`, if it is known.
        old_fval (Tensor): value at `xk`, if it is known.
        old_old_fval (Tensor): value before that, for the first guess of the step.
        c1, c2 (float): constants of the conditions.
        maxiter (int): most iterations.

    Returns:
        LineSearchResults.

    Raises:
        TypeError: `xk` or `pk` is not a Tensor.

    Source: Nocedal and Wright, Numerical Optimization, 1999, algorithm 3.5.

    >>> import ms_compat as ms
    >>> from ms_compat.scipy.optimize import line_search
    >>> line_search(lambda x: (x * x).sum(), ms.Tensor([1.0]), ms.Tensor([-1.0])).a_k
    1.0
    """
    for name, value in (("xk", xk), ("pk", pk)):
        check_type("line_search", name, value, Tensor)
    known = {"gfk": gfk, "old_fval": old_fval, "old_old_fval": old_old_fval}
    given = {name: getattr(value, "_v", value) for name, value in known.items() if value is not None}
    found = strong_wolfe_search(pure(f, (), jac), xk._v, pk._v, c1=c1, c2=c2, maxiter=maxiter, **given)
    return LineSearchResults(*[_plain(getattr(found, name)) for name in LineSearchResults._fields])


callable_module(__name__, "line_search")
