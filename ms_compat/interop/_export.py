"""`interop.jax.export`: a Cell as an artifact of `jax.export`, which JAX runs without this package."""

from __future__ import annotations

import os
import re
import traceback
from collections.abc import Sequence
from typing import Any

import numpy as np

from ms_compat._compile.control_flow.convert import written_at
from ms_compat._core.checks import check_choice
from ms_compat._core.diagnostics.extras import needed
from ms_compat._core.diagnostics.source_lines import is_users_file
from ms_compat._core.errors import UnsupportedError, value_error
from ms_compat._core.jax_compat import jaxpr_as_fun
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.tree import unflatten
from ms_compat._formats.atomic import replaced
from ms_compat._formats.mindir.sizes import Place, free_sizes, opened, tensors_in
from ms_compat._formats.mindir.tracing import TracedNet, checked_inputs, watched, with_free_sizes
from ms_compat.nn.cell import Cell

SUFFIX = ".stablehlo"
_NAME = re.compile(r"[A-Za-z_]\w*")
_MODE = 0o644
_API = "interop.jax.export"


def export(
    cell: Cell,
    inputs: Any,
    file_name: str | None = None,
    *,
    platforms: Sequence[str] = ("cpu", "cuda", "tpu"),
    sizes: str | Sequence[str | None] | None = None,
    vjp: int = 0,
    weights: str = "beside",
) -> Any:
    """Write a Cell as StableHLO that plain JAX runs, without this package.

    The Cell is traced as GRAPH_MODE does, in the phase that its `set_train` says. The function of the artifact takes
    the weights, a dict of arrays by the Parameters' names, and then the inputs' arrays one by one:

        net = jax.export.deserialize(open("net.stablehlo", "rb").read())
        y = net.call(safetensors.flax.load_file("net.safetensors"), x)

    JAX needs the package `flatbuffers` to write and to read artifacts (`pip install ms-compat[stablehlo]`).

    Args:
        cell: what to write.
        inputs: an input, or a tuple or list of inputs, by position. Tensors and arrays are inputs of the function;
            numbers, texts and None are constants.
        file_name: the file; ".stablehlo" is appended if it is missing. None writes nothing.
        platforms: what the function is lowered for; no such device is needed. Default: CPUs, CUDA's GPUs and TPUs.
        sizes: the open sizes, such as "b, 3, h, w": a text for each input that is an array, or one text for one input.
            A name is an open size, the same wherever it stands; a number must be the input's; "_" keeps the input's
            size, and None the whole shape. Default: all sizes are the inputs'.
        vjp: how often the function can be differentiated after it is loaded. Default: 0.
        weights: "beside" writes them next to the file as `<file_name>.safetensors`; "inside" makes them constants of
            the function, which then takes the inputs alone.

    Returns:
        `jax.export.Exported`.

    Raises:
        TypeError: `cell` is not a Cell.
        ValueError: `sizes` does not fit the inputs, `weights` or a platform is not one of those, `vjp` is negative.
        ImportError: the package `flatbuffers` is not installed.
        UnsupportedError: random numbers; a Cell that changes Parameters, compares an open size with another, or
            computes with Python on the host.

    >>> import tempfile, jax.numpy as jnp
    >>> from ms_compat import nn
    >>> net = nn.Dense(3, 2)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     exported = export(net, jnp.ones((4, 3), jnp.float32), f"{folder}/net", sizes="b, 3", vjp=1)
    ...     sorted(os.listdir(folder))
    ['net.safetensors', 'net.stablehlo']
    >>> exported.call({p.name: jnp.asarray(p) for p in net.get_parameters()}, jnp.ones((7, 3), jnp.float32)).shape
    (7, 2)
    """
    if not isinstance(cell, Cell):
        raise TypeError(f"For '{_API}', a Cell is needed, but got {type(cell).__name__}.")
    check_choice(_API, "weights", weights, ["beside", "inside"])
    if isinstance(vjp, bool) or not isinstance(vjp, int) or vjp < 0:
        raise value_error(_API, "vjp", "an int that is not negative", vjp)
    needed("flatbuffers", "stablehlo", "Writing StableHLO artifacts")  # JAX imports it when it writes
    given = tuple(inputs) if isinstance(inputs, (tuple, list)) else (inputs,)
    given = tuple(_as_tensors(value) for value in given)
    given = checked_inputs(cell, given)
    named = _named_sizes(tensors_in(given), sizes)
    given, examples = opened(given, named)
    free = free_sizes(given, named, open_batch=False, as_symbols=True, examples=examples)
    found: dict[str, np.ndarray] = {}

    def lowered(net: TracedNet) -> Any:
        found.update({tensor.name: np.asarray(tensor._v) for tensor in net.used})
        return _exported(net, tuple(platforms), None if weights == "beside" else found)

    exported = with_free_sizes(cell, given, free, lowered)
    if file_name is not None:
        _write(exported, found if weights == "beside" else None, file_name, vjp)
    return exported


def _as_tensors(value: Any) -> Any:
    if isinstance(value, (tuple, list)):
        return type(value)([_as_tensors(item) for item in value])
    is_array = hasattr(value, "shape") and hasattr(value, "dtype") and not isinstance(value, Tensor)
    return Tensor(value) if is_array else value


def _named_sizes(tensors: list[Tensor], sizes: Any) -> dict[Place, str]:
    """What `sizes` calls the Tensors' sizes."""
    count = len(tensors)
    texts = [sizes] if isinstance(sizes, str) else list(sizes or [None] * count)
    if len(texts) != count or not all(text is None or isinstance(text, str) for text in texts):
        raise value_error(_API, "sizes", f"a text or None for each of {count} arrays", sizes)
    named: dict[Place, str] = {}
    for number, (text, tensor) in enumerate(zip(texts, tensors, strict=True)):
        if text is None:
            continue
        parts = [part.strip() for part in text.strip("() ").split(",") if part.strip()]
        if len(parts) != tensor.ndim:
            raise ValueError(f"For '{_API}', 'sizes' says {text!r} of an input with the shape {tensor.shape}.")
        for axis, (part, size) in enumerate(zip(parts, tensor.shape, strict=True)):
            if part == "_" or part == str(size):
                continue
            if not _NAME.fullmatch(part):
                raise ValueError(
                    f"For '{_API}', each of 'sizes' must be a name, '_' or the size {size}, but got {part!r}."
                )
            named[number, axis] = part
    return named


def _exported(net: TracedNet, platforms: tuple[str, ...], constants: dict[str, np.ndarray] | None) -> Any:
    import jax
    from jax import export as jax_export

    traced = net.traced
    if traced.changed:
        changed = ", ".join(net.candidates[index].name for index in traced.changed)
        raise UnsupportedError(
            f"{_API} of a Cell that changes Parameters ({changed})", "Call set_train(False), or export 'pure(cell)'."
        )
    run = jaxpr_as_fun(traced.closed)

    def of_weights(weights: dict[str, Any], *leaves: Any) -> Any:
        state = net.state_values({id(tensor): weights[tensor.name] for tensor in net.used})
        outputs = run(*leaves, *state)[: traced.output_count]
        return _plain(unflatten(traced.meta.spec, iter(outputs)))

    def of_inputs(*leaves: Any) -> Any:
        return of_weights(constants or {}, *leaves)

    avals = traced.closed.in_avals[: net.leaves]
    arguments = [jax.ShapeDtypeStruct(aval.shape, aval.dtype) for aval in avals]
    arrays = {t.name: jax.ShapeDtypeStruct(t._v.shape, t._v.dtype) for t in net.used}
    try:
        with watched(net.free) as watch:
            if watch is not None and net.watch is not None:
                watch.assume(net.watch)
            if constants is not None:
                return jax_export.export(jax.jit(of_inputs), platforms=platforms)(*arguments)
            return jax_export.export(jax.jit(of_weights), platforms=platforms)(arrays, *arguments)
    except (NotImplementedError, TypeError, ValueError) as error:
        if isinstance(error, UnsupportedError):
            raise
        raise _refused(error) from error


def _refused(error: Exception) -> UnsupportedError:
    """The error for what JAX does not write, with the user's line, which is in the traceback of a cause."""
    places: list[tuple[str, int]] = []
    cause = error.__cause__
    while cause is not None:
        frames = traceback.walk_tb(cause.__traceback__)
        places += [
            (frame.f_code.co_filename, line) for frame, line in frames if is_users_file(frame.f_code.co_filename)
        ]
        cause = cause.__cause__
    line = next(filter(None, (written_at(*place) for place in reversed(places))), None)
    why = str(error).strip().partition("\n")[0]
    of = f" of the operation in {line[0]}:{line[1]}" if line else " of a Cell"
    return UnsupportedError(f"{_API}{of}", f"JAX does not write it: {why}")


def _plain(value: Any) -> Any:
    """A returned value in tuples, lists and dicts, which JAX can write."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return tuple([_plain(item) for item in value])
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if not (value is None or isinstance(value, (bool, int, float, complex)) or hasattr(value, "dtype")):
        raise UnsupportedError(
            f"{_API} of a Cell that returns a value of the type '{type(value).__name__}'",
            "Return Tensors, numbers or None.",
        )
    return value


def _write(exported: Any, weights: dict[str, np.ndarray] | None, file_name: str, vjp: int) -> None:
    path = os.fspath(file_name).removesuffix(SUFFIX)
    data = exported.serialize(vjp_order=vjp)
    with replaced(path + SUFFIX, _MODE) as temporary, open(temporary, "wb") as file:
        file.write(data)
    if weights is not None:
        from safetensors.numpy import save_file

        with replaced(path + ".safetensors", _MODE) as temporary:
            save_file({name: np.ascontiguousarray(array) for name, array in weights.items()}, temporary)
