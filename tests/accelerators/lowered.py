"""Operations lowered for accelerators: those that an expression runs, and the dtypes that they compute in."""

import contextlib
import re

import jax

from ms_compat._core.dispatch.op import Op
from ms_compat._core.settings import device
from ms_compat._core.tensor import wrap
from ms_compat._core.tensor.tree import arrays_of, flatten, unflatten
from ms_compat._targets.capture import as_variables
from ms_compat._targets.compiled import not_cached

PLATFORMS = {"cuda": "gpu", "tpu": "tpu"}
_WIDE = re.compile(r"tensor<(?:\d+x)+(f64|i64|ui64|complex<f64>)>")  # numbers alone cost nothing
_ATTRIBUTE = re.compile(r"dense<[^>]*> : tensor<[^>]*>")
_OPERATION = re.compile(r"stablehlo\.(\w+)|call @(\w+)")
_CALLBACK = re.compile(r"callback", re.I)
# No arithmetic: constants and what only moves numbers or turns them into others.
_FREE = frozenset("constant iota convert reshape broadcast_in_dim return transpose concatenate slice tuple".split())


@contextlib.contextmanager
def operations(found):
    """Adds (name, arguments, keyword arguments) of each call of an operation, made on Tensors, to a list."""
    call = Op.__call__

    def noted(self, *args, **kwargs):
        if device.platform() == "cpu":
            found.append((self, args, kwargs))
        return call(self, *args, **kwargs)

    Op.__call__ = noted
    try:
        yield
    finally:
        Op.__call__ = call


def _function(op, args, kwargs):
    """A call of an operation as a function of its arrays, and these."""
    tensors = []
    spec = flatten(as_variables((args, kwargs)), tensors)

    def run(values):
        a, k = unflatten(spec, iter([wrap(v) for v in values]))
        out = []
        flatten(op(*a, **k), out)
        return arrays_of(out)

    return run, arrays_of(tensors)


def signature(args, kwargs):
    """What the program of a call hangs on."""
    tensors = []
    spec = flatten(as_variables((args, kwargs)), tensors)
    return str(spec), tuple((getattr(v, "shape", ()), str(getattr(v, "dtype", type(v)))) for v in arrays_of(tensors))


def lowered(op, args, kwargs, platform):
    """The StableHLO of an operation's call for a platform, and the dtypes of what goes in and comes out."""
    run, arrays = _function(op, args, kwargs)
    with device.planned(PLATFORMS[platform], ()):
        traced = jax.jit(run).trace(arrays)
        text = traced.lower(lowering_platforms=(platform,)).as_text()
    types = [str(a.dtype) for a in jax.tree.leaves((arrays, traced.out_info)) if hasattr(a, "dtype")]
    return text, types


def compiled(op, args, kwargs, chip):
    """The call's program, compiled for a device of a target."""
    run, arrays = _function(op, args, kwargs)
    here = jax.sharding.SingleDeviceSharding(chip)
    shapes = [jax.ShapeDtypeStruct(a.shape, a.dtype, sharding=here) if hasattr(a, "dtype") else a for a in arrays]
    with device.planned(chip.platform, (chip,)), not_cached():
        return jax.jit(run, out_shardings=here).lower(shapes).compile()


def wide_arithmetic(text, types):
    """What computes with arrays in 64 bits although nothing that goes in or comes out is of that dtype."""
    found = set()
    named = {"f64": "float64", "i64": "int64", "ui64": "uint64", "complex<f64>": "complex128"}
    for line in text.splitlines():
        operation = _OPERATION.search(line)
        if operation is None or operation.group(1) in _FREE or not operation.group(1):
            continue
        for wide in _WIDE.findall(_ATTRIBUTE.sub("", line)):
            if named[wide] not in types:
                found.add(f"{operation.group(1)} in {named[wide]}")
    return found


def calls_host(text):
    """Whether a program calls Python."""
    return any("custom_call" in line and _CALLBACK.search(line) for line in text.splitlines())
