"""Programs over all devices, for MindSpore's parallel modes and `AutoParallel`.

Such a program computes what it would on one device. What the modes request becomes sharding constraints in its trace:
the strategies of primitives, and how inputs are cut. The Parameters are then placed as the trace uses them: if a
strategy cuts a Parameter, it and its optimizer state are stored in these pieces from the start. With the optimizer's
parallelism whole Parameters are sharded along their first dimension, over the devices that would hold copies.

Where several processes compute such a program (`processes.whole`), each has whole Parameters between two calls, and the
rows that MindSpore would give it.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from jax.sharding import NamedSharding, PartitionSpec

from ms_compat._core.errors import UnsupportedError
from ms_compat._core.jax_compat import ArrayImpl
from ms_compat._core.parallel import sharding
from ms_compat._core.parallel.sharding import laid_out, mesh, named_axes, sharding_of
from ms_compat._core.settings import device
from ms_compat._core.settings.parallel_context import get_auto_parallel_context, optimizer_threshold
from ms_compat._core.tensor import Tensor, abstract
from ms_compat._core.tensor.parameter import Parameter, cloned_from
from ms_compat._core.trace import scopes

_PLANNED = ("semi_auto_parallel", "auto_parallel")
_DATA = ("data_parallel", "hybrid_parallel")
_SAME_ARRAY = ("convert_element_type", "copy")  # an array with the same places


class Settings(NamedTuple):
    """The settings of a program over all devices.

    Attributes:
        inputs: "data_parallel", "full_batch", or a tuple with a layout for each input.
        strategies: whether the strategies of primitives count.
        optimizer_pieces: into how many pieces the optimizer's parallelism cuts Parameters: 0 for none, -1 for as many
            as there are copies.
        threshold: the bytes of the smallest Parameter that it cuts.
    """

    inputs: Any = "full_batch"
    strategies: bool = True
    optimizer_pieces: int = 0
    threshold: int = 0


class _Here(threading.local):
    region: Settings | None = None
    noted: Settings | None = None


_here = _Here()


def settings() -> Settings | None:
    """The settings of the program that is traced now; None if it runs on one device, or where its arrays are."""
    found = _here.region or _of_mode()
    if found is not None:
        _here.noted = found
    return found


def _of_mode() -> Settings | None:
    mode = get_auto_parallel_context("parallel_mode")
    if mode not in _PLANNED and mode not in _DATA or len(device.everywhere()) == 1:
        return None
    if mode in _DATA and device.several_processes():  # each computes a program of its own
        return None
    strategy = get_auto_parallel_context("dataset_strategy")
    if mode in _DATA:
        strategy = "data_parallel"
    elif get_auto_parallel_context("full_batch"):
        strategy = "full_batch"
    inputs = strategy if isinstance(strategy, str) else tuple([tuple(layout) for layout in strategy])
    return Settings(inputs, mode in _PLANNED, _optimizer_pieces(mode), optimizer_threshold())


def _optimizer_pieces(mode: str) -> int:
    if get_auto_parallel_context("enable_parallel_optimizer"):
        return get_auto_parallel_context("optimizer_weight_shard_size")
    return pieces_of_stages(get_auto_parallel_context("pipeline_stages")) if mode in _PLANNED else 0


def pieces_of_stages(stages: int) -> int:
    """The number of pieces into which Parameters are cut for a pipeline's stages.

    One program for all devices has no stages of its own: each device holds its share of every stage's Parameters, as
    much as all Parameters of one stage.
    """
    return stages if stages > 1 else 0


def of_processes(cell: Any) -> Settings | None:
    """The settings of a program that several processes compute together; None where each computes its own.

    Args:
        cell: the Cell that is compiled, or None.
    """
    return getattr(cell, "_over_devices", _of_mode)() if device.several_processes() else None


def brings_rows(asked: Settings) -> bool:
    """Whether each of several processes brings its own rows of a program's inputs, or all bring the same.

    Raises:
        UnsupportedError: they bring other parts.
    """
    if isinstance(asked.inputs, str):
        return asked.inputs == "data_parallel"
    count = len(device.everywhere())
    cuts = {layout if isinstance(layout, tuple) else (0,) for layout in asked.inputs}
    if all(set(layout) <= {1} for layout in cuts):
        return False
    if all(layout[:1] == (count,) and set(layout[1:]) <= {1} for layout in cuts):
        return True
    raise UnsupportedError(
        f"The dataset_strategy {asked.inputs} over several processes",
        "Cut the first dimension over all devices, or use 'full_batch'.",
    )


@contextlib.contextmanager
def region(asked: Settings) -> Iterator[None]:
    """A region whose programs are over all devices, whatever the mode.

    Raises:
        UnsupportedError: several processes compute, each a program of its own.
    """
    if device.several_processes() and not sharding.joint.program:
        raise UnsupportedError(
            "AutoParallel over several processes inside of another compiled function, or in PYNATIVE_MODE",
            "Make it the outermost Cell, in GRAPH_MODE.",
        )
    before, _here.region = _here.region, asked
    _here.noted = asked
    try:
        yield
    finally:
        _here.region = before


@contextlib.contextmanager
def noting() -> Iterator[None]:
    """The region of a trace, after which `noted` gives its settings."""
    before, _here.noted = _here.noted, None
    try:
        yield
    finally:
        _here.noted = before


def noted() -> Settings | None:
    """The settings that this region of `noting` used."""
    return _here.noted


def cut(tensors: Sequence[Any], inputs: Any) -> list[Any]:
    """The inputs of a program under sharding constraints; what a number of devices does not divide stays whole.

    Args:
        tensors: the inputs.
        inputs: see `Settings`.

    Raises:
        ValueError: a layout does not fit its input or the devices.
    """
    if inputs == "full_batch":
        return list(tensors)
    if inputs == "data_parallel":
        return [_batch_cut(t) for t in tensors]
    api, out = "dataset_strategy", list(tensors)
    places = [i for i, t in enumerate(tensors) if isinstance(t, Tensor)]
    for i, layout in zip(places, inputs, strict=False):
        out[i] = laid_out(out[i], sharding_of(layout, out[i].shape, "an input", api))
    return out


def _batch_cut(value: Any) -> Any:
    """The batch over all devices, where it can be divided so."""
    how = _over_all(value) if isinstance(value, Tensor) else None
    return value if how is None else laid_out(value, how)


def _over_all(value: Any) -> NamedSharding | None:
    """The layout of an array whose first dimension is sharded over all devices; None where it cannot be divided so."""
    count = len(device.everywhere())
    size = value.shape[0] if value.shape else None
    if count == 1 or not isinstance(size, int) or size % count:
        return None
    return NamedSharding(mesh(), PartitionSpec(tuple(mesh().axis_names)))


def batch_cut(value: Any) -> NamedSharding | None:
    """The sharding of an array, samples first, in the program being traced, if its batch is sharded over all devices.

    Args:
        value: with a shape.
    """
    asked = settings() if scopes.current_scope() is not None and not device.several_processes() else None
    return _over_all(value) if asked is not None and asked.inputs == "data_parallel" else None


# -- Parameters ------------------------------------------------------------------------------------------------------
def is_cut(sharding: Any) -> bool:
    """Whether an array with this sharding is on several devices."""
    return isinstance(sharding, NamedSharding) and len(sharding.device_set) > 1


def place(asked: Settings, closed: Any, first: int, tensors: Sequence[Any], changed: Sequence[int]) -> None:
    """Place a program's Parameters as it uses them. A Parameter that is on several devices already stays.

    Args:
        asked: what was asked of the program.
        closed: its jaxpr.
        first: the number of its inputs before the Parameters.
        tensors: the Parameters, and other Tensors, which stay where they are.
        changed: the places of those that it changes.
    """
    if len(device.everywhere()) == 1 or device.several_processes():
        return
    variables = closed.jaxpr.invars[first : first + len(tensors)]
    constraints = _constraints(closed.jaxpr, {variable: i for i, variable in enumerate(variables)})
    whole = NamedSharding(mesh(), PartitionSpec())
    planned: dict[int, Any] = {}
    for i, tensor in enumerate(tensors):
        if isinstance(tensor, Parameter) and isinstance(tensor._v, (ArrayImpl, abstract.AbstractArray)):
            here = getattr(tensor._v, "sharding", None)
            planned[i] = here if is_cut(here) else constraints.get(i)
    places, by_name = {id(tensors[i]): i for i in planned}, {tensors[i].name: i for i in planned}
    owners = {i: places.get(id(cloned_from(tensors[i])), _trained(tensors[i].name, by_name)) for i in planned}
    kept = {i: of for i, of in owners.items() if of is not None and tensors[of].shape == tensors[i].shape}
    if asked.optimizer_pieces:
        for i in set(changed) & planned.keys() - kept.keys():
            tensor = tensors[i]
            if tensor.requires_grad and tensor.parallel_optimizer and tensor._v.nbytes >= asked.threshold:
                planned[i] = _cut_further(planned[i] or whole, tensor.shape, asked.optimizer_pieces)
    for i, tensor in ((i, tensors[i]) for i in planned):
        how = planned[i] or planned[kept.get(i, i)] or whole
        if getattr(tensor._v, "sharding", None) != how:
            tensor._rebind(abstract.device_put(tensor._v, how))


def _trained(name: str, by_name: dict[str, int]) -> int | None:
    """The place of the Parameter that "moments.net.weight" is kept of: "net.weight"."""
    while "." in name:
        name = name.partition(".")[2]
        if name in by_name:
            return by_name[name]
    return None


def _cut_further(sharding: NamedSharding, shape: tuple[int, ...], pieces: int) -> NamedSharding:
    """A sharding that also divides the first dimension over the devices that hold copies."""
    if not shape:
        return sharding
    spec = [*sharding.spec, *[None] * (len(shape) - len(sharding.spec))]
    used = [name for part in spec for name in named_axes(part)]
    sizes = dict(sharding.mesh.shape)
    axes, count = list(named_axes(spec[0])), 1
    cuts = 1
    for name in axes:
        cuts *= sizes[name]
    for name, size in sizes.items():
        if name not in used and shape[0] % (cuts * size) == 0 and (pieces < 0 or count * size <= pieces):
            axes.append(name)
            cuts, count = cuts * size, count * size
    return NamedSharding(sharding.mesh, PartitionSpec(tuple(axes) or None, *spec[1:]))


def _constraints(jaxpr: Any, origins: dict[Any, int]) -> dict[int, NamedSharding]:
    """The first sharding constraint on each of some variables, as such or in another dtype."""
    found: dict[int, NamedSharding] = {}
    for equation in jaxpr.eqns:
        inputs = [None if hasattr(v, "val") else origins.get(v) for v in equation.invars]
        name, first = equation.primitive.name, next((origin for origin in inputs if origin is not None), None)
        if first is None:
            continue
        if name == "sharding_constraint":
            found.setdefault(first, equation.params["sharding"])
        elif name in _SAME_ARRAY:
            origins[equation.outvars[0]] = first
        for inner in _inner(equation):
            within = {
                variable: origin
                for variable, outer, origin in zip(inner.invars, equation.invars, inputs, strict=True)
                if origin is not None and variable.aval.shape == outer.aval.shape
            }
            for origin, how in _constraints(inner, within).items():
                found.setdefault(origin, how)
            for outer, variable in zip(equation.outvars, inner.outvars, strict=False):
                if not hasattr(variable, "val") and variable in within:
                    origins[outer] = within[variable]
    return {origin: how for origin, how in found.items() if isinstance(how, NamedSharding)}


def _inner(equation: Any) -> list[Any]:
    """The jaxprs within an equation that take what it takes."""
    held = [getattr(value, "jaxpr", value) for value in equation.params.values()]
    return [j for j in held if hasattr(j, "eqns") and len(j.invars) == len(equation.invars)]
