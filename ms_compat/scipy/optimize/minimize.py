"""`minimize`: BFGS and L-BFGS, run by SciPy on the host with compiled values and gradients.

The function is evaluated in Float64 where it takes Float64, because the line search needs more digits than Float32 has
near a minimum; results have the guess's dtype. JAX's own BFGS gives up on Rosenbrock's function.
"""

from __future__ import annotations

import logging
from typing import Any, NamedTuple

import jax
import numpy as np

from ms_compat._core.checks import check_rank
from ms_compat._core.errors import UnsupportedError, check_type, type_error, value_error
from ms_compat._core.jax_compat import Tracer
from ms_compat._core.tensor import Tensor
from ms_compat.scipy.optimize._callable import callable_module
from ms_compat.scipy.optimize._function import pure

logger = logging.getLogger("ms_compat")
_OPTIONS = {"bfgs": ("maxiter", "norm", "gtol"), "lbfgs": ("maxiter", "gtol", "history_size", "ftol")}
_STATUS = {0: 0, 1: 1, 2: 3}  # SciPy's number -> MindSpore's


class OptimizeResults(NamedTuple):
    """The result of `minimize`."""

    x: Any  # the minimum, a Tensor
    success: Any  # whether it converged
    status: Any  # 0 if it did, 1 after too many iterations, 3 if the line search failed
    fun: Any  # the value there
    jac: Any  # the gradient there, a Tensor
    hess_inv: Any  # estimate of the inverse Hessian, a Tensor; None for L-BFGS
    nfev: Any  # values of the function
    njev: Any  # gradients
    nit: Any  # iterations


def minimize(
    func,
    x0,
    args=(),
    method=None,
    jac=None,
    hess=None,
    hessp=None,
    bounds=None,
    constraints=(),
    tol=None,
    callback=None,
    options=None,
):
    """The minimum of a function.

    Args:
        func (Callable): func(x, *args), a number, of MindSpore operations.
        x0 (Tensor): first guess, a vector of floats.
        args (tuple): further arguments.
        method (str): "BFGS" or "LBFGS".
        jac (Callable): the gradient jac(x, *args); None differentiates `func`.
        hess, hessp, bounds, constraints, callback: not used by these methods; a warning is logged, as MindSpore leaves
            them out.
        tol (float): `gtol`, if that is not among the options.
        options (dict): maxiter (int), gtol (float, largest gradient at the end), for BFGS norm (of the gradient), for
            L-BFGS history_size (int) and ftol (float).

    Returns:
        OptimizeResults.

    Raises:
        TypeError: an argument of a wrong type, or an unknown option.
        ValueError: no method, or a guess that is not a vector.
        UnsupportedError: inside a compiled function, or for the method "LAGRANGE".

    >>> import ms_compat as ms
    >>> from ms_compat.scipy.optimize import minimize
    >>> found = minimize(lambda x: ((x - 1.0) ** 2).sum(), ms.Tensor([0.0, 3.0]), method="BFGS")
    >>> print(found.x, found.success)
    [1. 1.] True
    """
    if method is None:
        raise value_error("minimize", "method", "'BFGS' or 'LBFGS'", method)
    name = str(method).lower()
    if name == "lagrange":
        raise UnsupportedError("mindspore.scipy.optimize.minimize with method='LAGRANGE'", "Use 'BFGS' or 'LBFGS'.")
    if name not in _OPTIONS:
        raise value_error("minimize", "method", "'BFGS' or 'LBFGS'", method)
    check_type("minimize", "args", args, tuple)
    check_type("minimize", "x0", x0, Tensor)
    if x0._v.dtype.kind != "f":
        raise type_error("minimize", "x0", "a Tensor of floats", x0)
    check_rank("minimize", "x0", x0, 1)
    if isinstance(x0._v, Tracer):
        raise UnsupportedError("'minimize' loops over values of the function, so call it outside the compiled one.")
    for key, value in (("hess", hess), ("hessp", hessp), ("bounds", bounds), ("callback", callback)):
        if value is not None:
            logger.warning("minimize: '%s' is not used by the method %s", key, method)
    if constraints:
        logger.warning("minimize: 'constraints' are not used by the method %s", method)
    return _run(name, pure(func, args, jac), x0, _settings(name, tol, options))


def _settings(name: str, tol: Any, options: Any) -> dict[str, Any]:
    chosen = dict(options or {})
    unknown = [key for key in chosen if key not in (*_OPTIONS[name], "line_search_maxiter", "maxgrad", "maxls")]
    if unknown:
        raise TypeError(f"For 'minimize', the 'options' must be among {_OPTIONS[name]}, but got {unknown}.")
    settings: dict[str, Any] = {"gtol": chosen.get("gtol") or tol or 1e-5}
    if chosen.get("maxiter") is not None:
        settings["maxiter"] = int(chosen["maxiter"])
    if name == "bfgs":
        settings["norm"] = np.inf if chosen.get("norm") is None else chosen["norm"]
    else:
        settings |= {"maxcor": int(chosen.get("history_size") or 20), "ftol": chosen.get("ftol") or 0.0}
    return settings


def _run(name: str, function: Any, x0: Tensor, settings: dict[str, Any]) -> OptimizeResults:
    from scipy import optimize

    kind = x0._v.dtype
    wide = np.dtype(np.float64)
    start = x0.asnumpy()
    try:
        jax.eval_shape(function, jax.ShapeDtypeStruct(start.shape, wide))
    except (TypeError, ValueError):  # it holds arrays of another dtype
        wide = kind
    both = jax.jit(jax.value_and_grad(function))

    def evaluate(x):
        value, slope = both(x.astype(wide))
        return float(value), np.asarray(slope, np.float64)

    found = optimize.minimize(
        evaluate,
        start.astype(np.float64),
        jac=True,
        method="BFGS" if name == "bfgs" else "L-BFGS-B",
        options=settings,
    )
    inverse = Tensor(np.asarray(found.hess_inv, kind)) if name == "bfgs" else None
    return OptimizeResults(
        x=Tensor(np.asarray(found.x, kind)),
        success=bool(found.success),
        status=_STATUS.get(int(found.status), -1),
        fun=float(found.fun),
        jac=Tensor(np.asarray(found.jac, kind)),
        hess_inv=inverse,
        nfev=int(found.nfev),
        njev=int(found.njev),
        nit=int(found.nit),
    )


callable_module(__name__, "minimize")
