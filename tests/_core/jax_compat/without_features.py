"""Import the package without single names of JAX, compute, and print what went wrong.

    python -m tests._core.jax_compat.without_features jax._src.core.trace_ctx ...

JAX is imported once. Each name is hidden from the package in a fork of this process, which has no threads yet.
"""

import builtins
import os
import sys
import traceback
import types

import jax
import jax.export
import jax.extend.core
import numpy as np
import optax  # noqa: F401

DOOR = "ms_compat._core.jax_compat.capabilities"
_import = builtins.__import__


class Without:
    """`__import__` with one name hidden from the modules in `hidden_from`; JAX itself has all its names."""

    def __init__(self, path, hidden_from=(DOOR,)):
        self.path = path
        self.hidden_from = hidden_from

    def __call__(self, name, globals=None, locals=None, fromlist=(), level=0):
        module = _import(name, globals, locals, fromlist, level)
        hides = fromlist and self.path.startswith(f"{name}.") and (globals or {}).get("__name__") in self.hidden_from
        return self._hidden(module, self.path[len(name) + 1 :].split(".")) if hides else module

    def _hidden(self, value, path):
        """A stand-in for a module or an object, without the name at the end of the path."""
        name, *rest = path
        if not hasattr(value, name):
            return value
        stand_in = types.SimpleNamespace(**{n: getattr(value, n) for n in dir(value) if not n.startswith("__")})
        if rest:
            setattr(stand_in, name, self._hidden(getattr(value, name), rest))
        else:
            delattr(stand_in, name)
        return stand_in


def compute():
    """Import, `add`, `jit` and `grad`, in all ways that depend on an optional feature: many shapes, donated state."""
    import ms_compat as ms
    from ms_compat import nn, ops

    x = ms.Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    assert ops.add(x, 1).asnumpy().tolist() == [[1, 2, 3], [4, 5, 6]]

    @ms.jit
    def square_mean(x):
        total = ms.Tensor(0, ms.float32)
        for row in range(x.shape[0]):
            total = total + (x[row] * x[row]).sum()
        return total / x.size

    @ms.jit
    def scaled(x):
        return (x * x.shape[0]).sum()

    for _ in range(2):
        assert abs(float(square_mean(x)) - 55 / 6) < 1e-6
    for rows in range(1, 8):  # more shapes than are compiled one by one
        assert float(scaled(ms.ops.ones((rows, 3)))) == 3 * rows * rows
    assert ms.grad(square_mean)(x).asnumpy().round(4).tolist() == (x.asnumpy() / 3).round(4).tolist()

    net = nn.Dense(3, 2)
    optimizer = nn.SGD(net.trainable_params(), 0.1)
    step = ms.value_and_grad(lambda x: net(x).sum(), None, optimizer.parameters)
    before = net.weight.asnumpy()
    for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
        ms.set_context(mode=mode)
        optimizer(step(x)[1])
    np.testing.assert_allclose(net.weight.asnumpy(), before - 0.2 * x.asnumpy().sum(0), rtol=1e-5)


def check_consequences():
    """What the features that are missing promise in `WITHOUT`: an UnsupportedError, or another way to the same."""
    import ms_compat as ms
    from ms_compat._core import jax_compat
    from ms_compat._core.jax_compat import capabilities

    refused = {
        "HAS_BATCH_TRACER": lambda: ms.vmap(lambda x: x)(ms.ops.ones((2, 3))),
        "HAS_OFFLOAD": lambda: ms.nn.Dense(2, 2).offload(),
        "HAS_JOB_STATE": jax_compat.coordination_client,
        "HAS_CUDNN_CHECK": lambda: jax_compat.with_cudnn().__enter__(),
        "HAS_SYMBOLIC_SIZES": lambda: jax_compat.SizeWatch({}).__enter__(),
    }
    missing = capabilities.missing_features()
    assert missing, "nothing was hidden"
    for flag in set(refused) & set(missing):
        try:
            refused[flag]()
        except ms.UnsupportedError as error:
            assert f"JAX {jax.__version__}" in str(error), error
        else:
            raise AssertionError(f"{flag} is False, and its API does not say so")


def run(path):
    """0 if a fork of this process computes without a name."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    try:
        builtins.__import__ = Without(path)
        compute()
        check_consequences()
    except BaseException:
        print(f"without {path}:")
        traceback.print_exc(file=sys.stdout)
        sys.stdout.flush()
        os._exit(1)
    os._exit(0)


if __name__ == "__main__":
    sys.exit(sum(run(path) for path in sys.argv[1:]))
