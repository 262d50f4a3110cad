"""`jvp`, `jacfwd`, `jacrev` and `vmap`: JAX's own transformations on the lifted function.

Lifting turns a function of Tensors into a pure function of jax arrays: the Tensors of its inputs hold tracers while it
runs, what it changed (a moving mean) comes back as an output and is assigned afterwards. In GRAPH_MODE the whole
transformation is compiled; in PYNATIVE_MODE the user's Python runs on every call.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ms_compat._autograd import under_tape
from ms_compat._autograd.closures import held_by, reached_by
from ms_compat._autograd.select import ALL, check_function, check_position, select_inputs
from ms_compat._autograd.transformed import compiled_or_run
from ms_compat._compile import control_flow
from ms_compat._compile.control_flow.branches import wrap_noted
from ms_compat._core import tape
from ms_compat._core.compiled import integer_grad
from ms_compat._core.dispatch import written_arguments
from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import IntegerGradientError, check_bool
from ms_compat._core.faces import faces
from ms_compat._core.jax_compat import CONCRETIZATION_ERRORS, float0, is_mapped, require
from ms_compat._core.tape import INEXACT
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._core.tensor.sparse import Sparse
from ms_compat._core.tensor.tree import as_tensors, flatten, leaf_count, unflatten
from ms_compat._core.trace import scopes, write_barrier


class Lifted:
    """A pure function of `tensors`' arrays, made from `fn(*args)`; `spec` is the outputs' after a run."""

    def __init__(self, fn: Callable, args: tuple, kwargs: dict, tensors: Sequence[Tensor], forward_mode: bool = False):
        self.fn = fn
        self.args = args
        self.kwargs = kwargs
        self.tensors = tensors
        self.spec: Any = None
        self.forward_mode = forward_mode
        self.changed: list[Tensor] = []
        self.mapped: list[bool] = []  # by `vmap`, which of those
        self.mapped_outputs: list[bool] = []
        self.rewriting = scopes.Rewriting()  # of control flow on Tensors
        self.reads_casts = False  # in forward mode: whether a derivative passes through integers cast from floats

    def __call__(self, *values):
        """Arrays of the outputs and, as auxiliary output, of what was changed."""
        return self.rewriting(lambda: self._traced(values))

    def _traced(self, values: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        with scopes.TraceScope() as scope:
            scope.swap(self.tensors, values)
            scope.forward_mode = self.forward_mode
            self.rewriting.enter(scope)
            differentiated = scope.outer is not None and scope.outer.trace is not None
            if self.forward_mode or differentiated:
                scope.casts = integer_grad.Casts()
            out = as_tensors(control_flow.converted(self.fn)(*self.args, **self.kwargs), [])
            leaves: list[Any] = []
            self.spec = flatten(out, leaves)
            values_out = [leaf._v if isinstance(leaf, Tensor) else Tensor(leaf)._v for leaf in leaves]
            written_arguments.end(scope)
            self.changed = scope.changed()
            self.reads_casts = self.forward_mode and scope.casts.read
            if differentiated and not self.forward_mode and scope.casts.read:
                raise IntegerGradientError("A transformation passes on the gradient of integers, which XLA has not.")
            self.mapped = [is_mapped(t._v) for t in self.changed]
            self.mapped_outputs = [is_mapped(v) for v in values_out]
            return values_out, [t._v for t in self.changed]

    def apply_changes(self, values: Sequence[Any]) -> None:
        """Assign what the function changed."""
        write_barrier.assign_all(self.changed, values)

    def rebuild(self, arrays: Sequence[Any]) -> Any:
        """The function's output structure around other arrays."""
        return unflatten(self.spec, iter([wrap_noted(a) for a in arrays]))


def _apart(fn: Any, args: tuple) -> tuple:
    """The arguments with a separate Tensor at every position, and apart from the closure of the function.

    A Tensor at two places would hold one tracer.
    """
    reached = reached_by if any(isinstance(value, Parameter) for value in args) else held_by
    return _separate(args, set(reached(fn)))


def _separate(args: Any, seen: set[int]) -> Any:
    if type(args) in (tuple, list):
        return type(args)([_separate(item, seen) for item in args])
    if not isinstance(args, Tensor) or id(args) not in seen:
        seen.add(id(args))
        return args
    copy = wrap_noted(args._v)
    copy._node = args._node
    return copy


class _Transformed:
    """Base of the functions that the transformations return."""

    _transform: Any  # a method: the transformation of a function and its arguments

    def __init__(self, fn: Callable, api: str):
        self.fn = fn
        self.api = api
        self.__name__ = self.__qualname__ = f"{api}({getattr(fn, '__name__', type(fn).__name__)})"
        self.__module__ = getattr(fn, "__module__", __name__)
        self._compiled: Any = None  # a CompiledFunction, made at the first call in GRAPH_MODE

    def reachable(self) -> list[Any]:
        """What a trace of this function can touch."""
        return [self.fn]

    def __call__(self, *args, **kwargs):
        return compiled_or_run(self, args, kwargs)

    def _run(self, *args, **kwargs):
        return under_tape.call(self._transform, self.fn, args, kwargs)


def _values(x: Any) -> Any:
    return x.values if isinstance(x, Sparse) else x


def _of_values(fn: Callable, args: tuple) -> tuple[Callable, tuple]:
    """A function that takes sparse tensors' values in their place, and its arguments."""

    def function(*inputs):
        pairs = zip(args, inputs, strict=True)
        return fn(*[a._with_values(x) if isinstance(a, Sparse) else x for a, x in pairs])

    return function, tuple([_values(a) for a in args])


def _check_directions(inputs: Any, args: tuple, v: Any, directions: tuple) -> None:
    for value in (*args, *directions):
        if not isinstance(value, Tensor):
            raise TypeError(
                f"For 'jvp', 'inputs' and 'v' must be Tensors or tuples of them, but got {type(value).__name__}."
            )
    if len(args) != len(directions):
        raise ValueError(f"For 'jvp', {len(args)} inputs need as many tangents, but got {len(directions)}.")
    if isinstance(v, (tuple, list)) and isinstance(inputs, Tensor):
        raise TypeError("For 'jvp', the tangent 'v' of one Tensor must be a Tensor, but got a tuple.")
    for a, d in zip(args, directions, strict=True):
        _check_direction("jvp", a, d)


def _check_direction(api: str, given: Tensor, direction: Tensor) -> None:
    """Raise unless a tangent has the dtype of its input, and its shape or one that can be broadcast to it."""
    if given.dtype is not direction.dtype:
        raise TypeError(f"For '{api}', a tangent must have its input's dtype {given.dtype}, but got {direction.dtype}.")
    shape = _without_leading_ones(direction.shape, given.ndim)
    sizes = zip(reversed(shape), reversed(given.shape), strict=False)
    if len(shape) > given.ndim or any(n not in (1, m) for n, m in sizes):
        raise ValueError(
            f"For '{api}', a tangent must have its input's shape {given.shape}, but got {direction.shape}."
        )


def _directions(api: str, args: tuple, v: Any) -> tuple:
    """The arguments' tangents, checked."""
    directions = tuple(v) if isinstance(v, (tuple, list)) else (v,)
    for value in directions:
        if not isinstance(value, Tensor):
            raise TypeError(f"For '{api}', a tangent must be a Tensor, but got {type(value).__name__}.")
    if len(args) != len(directions):
        raise ValueError(f"For '{api}', {len(args)} inputs need as many tangents, but got {len(directions)}.")
    for a, d in zip(args, directions, strict=True):
        _check_direction(api, a, d)
    return directions


def _without_leading_ones(shape: tuple[int, ...], ndim: int) -> tuple[int, ...]:
    while len(shape) > ndim and shape[0] == 1:
        shape = shape[1:]
    return shape


def _tangents(directions: Any, values: Any) -> list[Any]:
    """The arrays of tangents in the shapes of their inputs."""
    return [
        jax.numpy.broadcast_to(d._v.reshape(_without_leading_ones(d._v.shape, v.ndim)), v.shape)
        for d, v in zip(directions, values, strict=True)
    ]


def _in_forward_mode(lifted: Lifted, transform: Callable) -> Any:
    """The result of transforming `lifted`; None if it has user-defined backward rules, from then on reverse."""
    try:
        return transform()
    except scopes.NoForwardMode:
        lifted.forward_mode = False
        return None


def _directional(lifted: Lifted, values: list[Any], tangents: list[Any]) -> tuple[Any, Any, Any]:
    """Outputs, their derivative along `tangents`, and what was changed.

    User-defined backward rules (`Cell.bprop`, hooks) have no forward mode. The pullback is linear in its cotangents,
    and its transpose is the derivative, which is how MindSpore computes it always.
    """
    found = _in_forward_mode(lifted, lambda: jax.jvp(lifted, values, tangents, has_aux=True))
    if found is not None:
        return found
    outputs, pull, changed = _staged_if_needed(lifted, lambda: jax.vjp(lifted, *values, has_aux=True))
    return outputs, integer_grad.pushed(pull, outputs, tangents), changed


def _directional_of_integers(lifted: Lifted, values: list[Any], tangents: list[Any]) -> tuple[list[Any], list[Any]]:
    """As `integer_grad.directional`, which traces the function; in reverse mode where `_directional` needs that."""

    def transform():
        return integer_grad.directional(lifted, values, tangents, not lifted.forward_mode)

    found = _in_forward_mode(lifted, lambda: _staged_if_needed(lifted, transform)) if lifted.forward_mode else None
    return _staged_if_needed(lifted, transform) if found is None else found


def _staged_if_needed(lifted: Lifted, transform: Callable) -> Any:
    """The result of transforming `lifted`, with control flow on values staged if it needs a value that is not known."""
    try:
        return transform()
    except CONCRETIZATION_ERRORS:
        if lifted.rewriting.needed:
            raise
        lifted.rewriting.needed = True
        return transform()


@faces("ops")
def jvp(fn, inputs, v, has_aux=False):
    """Run a function and return its outputs and their directional derivative along `v`.

    Args:
        fn: function or Cell of Tensors.
        inputs: a Tensor or a tuple or list of Tensors, the arguments; of a sparse tensor the values are differentiated.
        v: a tangent of the same structure and dtypes; each can be broadcast to its input's shape.
        has_aux: only the first output is differentiated; the others are returned as they are.

    Returns:
        `(outputs, tangents)`, or `(first output, its tangent, aux)` with `has_aux`.

    Raises:
        TypeError: `inputs` or `v` are not Tensors, `v` is a tuple for inputs that are none, or of another dtype.
        ValueError: a tangent cannot be broadcast to its input's shape, there are not as many, or `fn` is not callable.

    >>> import ms_compat as ms
    >>> print(ms.jvp(lambda x: x * x, ms.Tensor([3.0]), ms.Tensor([1.0]))[1])
    [6.]
    """
    check_function(fn, "jvp", ValueError)
    args = tuple(inputs) if isinstance(inputs, (tuple, list)) else (inputs,)
    directions = tuple(v) if isinstance(v, (tuple, list)) else (v,)
    if any(isinstance(a, Sparse) for a in args):
        return jvp(*_of_values(fn, args), tuple([_values(d) for d in directions]), has_aux)
    _check_directions(inputs, args, v, directions)

    def run(args, directions):
        args = _apart(fn, args)
        lifted = Lifted(fn, args, {}, args, forward_mode=True)
        values = [a._v for a in args]
        tangents = _tangents(directions, values)
        out_tangents: Any = None
        if all([v.dtype in INEXACT for v in values]):
            outputs, out_tangents, changed = _directional(lifted, values, tangents)
            out_tangents = [
                jnp.zeros_like(out) if out.dtype == np.bool_ else t
                for out, t in zip(outputs, out_tangents, strict=True)
            ]
        if out_tangents is None or lifted.reads_casts or any([t.dtype == float0 for t in out_tangents]):
            outputs, out_tangents = _directional_of_integers(lifted, values, tangents)
            split = len(outputs) - len(lifted.changed)
            outputs, out_tangents, changed = outputs[:split], out_tangents[:split], outputs[split:]
        lifted.apply_changes(changed)
        return lifted.rebuild(outputs), lifted.rebuild(out_tangents)

    out, tangent = under_tape.call(run, fn, (args, directions), {})
    if has_aux:
        _need_aux(out, "jvp")
        return out[0], tangent[0], out[1] if len(out) == 2 else out[1:]
    return out, tangent


def _need_aux(out: Any, api: str) -> None:
    if not isinstance(out, tuple) or len(out) < 2:
        raise ValueError(f"For '{api}', with 'has_aux' the function must return at least two outputs.")


@faces("ops")
def linearize(fn, inputs):
    """Run a function and return its outputs and its Jacobian-vector product, for many tangents at one point.

    Args:
        fn: function or Cell of Tensors.
        inputs: a Tensor or a tuple or list of Tensors, the arguments.

    Returns:
        `(outputs, jvp_fn)`; `jvp_fn(v)` takes a tangent of the inputs' structure and returns the outputs' tangent.

    Raises:
        TypeError: an input or a tangent is not a Tensor.

    >>> from ms_compat import Tensor, ops
    >>> out, jvp_fn = ops.linearize(lambda x: x * x, Tensor([3.0]))
    >>> print(out, jvp_fn(Tensor([1.0])))
    [9.] [6.]
    """
    check_function(fn, "linearize")
    args = tuple(inputs) if isinstance(inputs, (tuple, list)) else (inputs,)
    for value in args:
        if not isinstance(value, Tensor):
            raise TypeError(f"For 'linearize', the inputs must be Tensors, but got {type(value).__name__}.")
    if tape.recording() and not tape.paused() and scopes.current_scope() is None:
        return fn(*args), lambda v: jvp(fn, inputs, v)[1]
    point = tuple([wrap_noted(a._v) for a in args])  # the current values, whatever is written into the inputs later
    if any([v._v.dtype not in INEXACT for v in point]):
        return fn(*args), lambda v: jvp(fn, point, v)[1]
    args = _apart(fn, args)
    lifted = Lifted(fn, args, {}, args, forward_mode=True)
    found = _in_forward_mode(lifted, lambda: jax.linearize(lifted, *[a._v for a in args], has_aux=True))
    if found is None:
        return fn(*args), lambda v: jvp(fn, point, v)[1]
    outputs, run, changed = found
    lifted.apply_changes(changed)
    if any([o.dtype not in INEXACT for o in outputs]):  # JAX has no tangents of integers
        return lifted.rebuild(outputs), lambda v: jvp(fn, point, v)[1]

    def jvp_fn(v):
        return lifted.rebuild(run(*_tangents(_directions("linearize", point, v), [a._v for a in point])))

    return lifted.rebuild(outputs), jvp_fn


class _Jacobian(_Transformed):
    """`jacfwd` and `jacrev`: one Jacobian per output and chosen input, output dimensions first."""

    def __init__(self, fn, position, has_aux, forward, api):
        super().__init__(fn, api)
        check_bool(api, "has_aux", has_aux)
        self.position = position
        self.has_aux = has_aux
        self.forward = forward

    def _transform(self, *args, **kwargs):
        args, position = _apart(self.fn, args), self.position
        at = position if isinstance(position, tuple) else (position,)
        if position is None:
            at = ()
        if any(i >= len(args) for i in at):
            raise ValueError(
                f"For '{self.api}', there is no input {max(at)}: the function was called with {len(args)}."
            )
        selection = select_inputs(args, ALL if position is None else position, self.api)
        tensors = selection.tensors
        for t in tensors:
            if t._v.dtype not in INEXACT:
                raise TypeError(f"For '{self.api}', the inputs must have floating-point dtypes, but got {t.dtype}.")
        lifted = Lifted(self.fn, args, kwargs, tensors, forward_mode=self.forward)

        def outputs_only(*values):
            outputs, changed = lifted(*values)
            count = leaf_count(lifted.spec.items[0]) if self.has_aux else len(outputs)
            return outputs[:count], (outputs, changed)

        numbers = tuple(range(len(tensors)))
        values = [t._v for t in tensors]
        backward = functools.partial(jax.jacrev(outputs_only, argnums=numbers, has_aux=True), *values)
        found = None
        if self.forward:
            forward = functools.partial(jax.jacfwd(outputs_only, argnums=numbers, has_aux=True), *values)
            found = _in_forward_mode(lifted, forward)
        jacobians, (outputs, changed) = backward() if found is None else found
        lifted.apply_changes(changed)
        single = position is not None and len(tensors) == 1
        per_output = [wrap_noted(j[0]) if single else tuple([wrap_noted(x) for x in j]) for j in jacobians]
        whole = lifted.rebuild(outputs)
        if self.has_aux:
            _need_aux(whole, self.api)
            first = per_output[0] if not isinstance(whole[0], (tuple, list)) else tuple(per_output)
            return first, whole[1] if len(whole) == 2 else whole[1:]
        return per_output[0] if isinstance(whole, Tensor) else tuple(per_output)


@faces("ops")
def jacfwd(fn, grad_position=0, has_aux=False):
    """The Jacobian of a function by forward mode: cheap where there are few inputs.

    Args:
        fn: function or Cell of Tensors.
        grad_position: the input, or a tuple of inputs, to differentiate.
        has_aux: only the first output is differentiated; the others are returned beside the Jacobian.

    Returns:
        A function of the same inputs. An output of shape `s` and an input of shape `t` give a Jacobian of shape `s +
        t`.

    >>> import ms_compat as ms
    >>> print(ms.jacfwd(lambda x: x * x)(ms.Tensor([1.0, 2.0])))
    [[2. 0.]
     [0. 4.]]
    """
    check_function(fn, "jacfwd", ValueError)
    return _Jacobian(fn, check_position(grad_position, "jacfwd"), has_aux, True, "jacfwd")


@faces("ops")
def jacrev(fn, grad_position=0, has_aux=False):
    """The Jacobian of a function by reverse mode: cheap where there are few outputs. Arguments as for `jacfwd`.

    >>> import ms_compat as ms
    >>> print(ms.jacrev(lambda x: x * x)(ms.Tensor([1.0, 2.0])))
    [[2. 0.]
     [0. 4.]]
    """
    check_function(fn, "jacrev", ValueError)
    return _Jacobian(fn, check_position(grad_position, "jacrev"), has_aux, False, "jacrev")


class _Vmapped(_Transformed):
    def __init__(self, fn, in_axes, out_axes):
        require("HAS_BATCH_TRACER", "mindspore.vmap")
        super().__init__(fn, "vmap")
        self.in_axes = in_axes
        self.out_axes = out_axes

    def _transform(self, *args, **kwargs):
        if hasattr(type(self.fn), "_row"):  # a Primitive, whose class this room cannot import
            raise RuntimeError(f"For 'vmap', 'fn' must be a function or a Cell, but got the primitive {self.fn!r}.")
        args = _apart(self.fn, args)
        leaves: list[Any] = []
        axes: list[Any] = []
        in_axes = self.in_axes
        if not isinstance(in_axes, (tuple, list)):
            in_axes = (in_axes,) * len(args)
        if len(in_axes) != len(args):
            _check_arguments(self.fn, args, kwargs)
            raise RuntimeError(f"For 'vmap', 'in_axes' has {len(in_axes)} entries for {len(args)} inputs.")
        for value, axis in zip(args, in_axes, strict=True):
            _axes_of(value, axis, leaves, axes)
        if all(axis is None for axis in axes) or _is_nowhere(self.out_axes):
            _refuse_nothing_mapped(args, self.in_axes, self.out_axes)
        sizes = _sizes(leaves, axes)
        lifted = Lifted(self.fn, args, kwargs, leaves)
        outputs, changed = jax.vmap(lifted, in_axes=axes, out_axes=(0, 0))(*[t._v for t in leaves])
        for t, value, mapped in zip(lifted.changed, changed, lifted.mapped, strict=True):
            at = next((axis for leaf, axis in zip(leaves, axes, strict=True) if leaf is t), None)
            if at is None and mapped and t._is_parameter:
                raise RuntimeError("For 'vmap', a Parameter that is not mapped cannot take the values of each slice.")
            if write_barrier.is_failure(t):
                write_barrier.note_failure(value.any())
                continue
            write_barrier.overwrite(t, value[0] if at is None else jax.numpy.moveaxis(value, 0, at))
        whole = {id(v) for v, mapped in zip(outputs, lifted.mapped_outputs, strict=True) if not mapped}
        return _placed(lifted.rebuild(outputs), self.out_axes, sizes.pop(), whole)


class _Ensemble(_Transformed):
    """Several Cells of one kind, each on its own slice of the inputs, or on all of those that are not mapped."""

    def __init__(self, cells: Any, in_axes: Any, out_axes: Any):
        super().__init__(cells, "vmap")
        self.cells = cells
        self.in_axes = in_axes
        self.out_axes = out_axes

    def _run(self, *args, **kwargs):
        if len(self.cells) < 2:
            raise RuntimeError(
                "In the model ensembling parallel training scenario ('VmapOperation' arg0 is a 'CellList'), "
                f"the size of 'CellList' must be greater than 1, but got {len(self.cells)}."
            )
        for cell in self.cells:
            if not _fits(cell, args, kwargs):
                raise RuntimeError(
                    "'VmapOperation' arg0 is a CellList, whose elements's inputs should be consistent. "
                    f"{type(cell).__name__} takes other arguments than {len(args)} inputs."
                )
        in_axes = self.in_axes if isinstance(self.in_axes, (tuple, list)) else (self.in_axes,) * len(args)
        leaves: list[Any] = []
        axes: list[Any] = []
        _axes_of(tuple(args), in_axes, leaves, axes)
        sizes = _sizes(leaves, axes)
        if sizes and sizes != {len(self.cells)}:  # where no input is mapped, every Cell gets the same
            raise ValueError(
                "If you want to execute the model ensembling parallel training, please make sure the 'axis_size' in "
                "the scope of vmap consistent with the cell size of the input 'CellList', otherwise, please do not "
                f"enter 'CellList' as the first argument, but we get axis_size: {sizes.pop()} and the cell size: "
                f"{len(self.cells)}."
            )
        _check_parameters(self.cells)
        outputs = [cell(*_slices(args, in_axes, i), **kwargs) for i, cell in enumerate(self.cells)]
        return _stacked(outputs, self.out_axes)


def _refuse_nothing_mapped(args: tuple, in_axes: Any, out_axes: Any) -> None:
    """Raise RuntimeError for a call that maps no input or no output."""
    if not args or not (_is_nowhere(in_axes) or _is_nowhere(out_axes)):
        raise RuntimeError("Failed to get 'axis_size' within the scope of vmap. The function has no input to map.")
    argument, axes = ("in_axes", in_axes) if _is_nowhere(in_axes) else ("out_axes", out_axes)
    if axes is None:
        raise RuntimeError(f"The '{argument}' of 'vmap' cannot be a single None while 'fn' is not a 'CellList'.")
    raise RuntimeError(f"The '{argument}' of 'vmap' cannot be all None while 'fn' is not a 'CellList', but got {axes}.")


def _slices(value: Any, axis: Any, index: int) -> Any:
    """One slice of each input Tensor."""
    if isinstance(value, (tuple, list)):
        axes = axis if isinstance(axis, (tuple, list)) else (axis,) * len(value)
        return type(value)([_slices(item, a, index) for item, a in zip(value, axes, strict=True)])
    return _slice_of(value, index, axis) if isinstance(value, Tensor) and axis is not None else value


def _stacked(outputs: Sequence[Any], axis: Any) -> Any:
    """Several calls' outputs as one, each Tensor stacked along its axis in `out_axes`."""
    first = outputs[0]
    if isinstance(first, (tuple, list)):
        axes = axis if isinstance(axis, (tuple, list)) else (axis,) * len(first)
        return type(first)([_stacked(items, a) for items, a in zip(zip(*outputs, strict=True), axes, strict=True)])
    axis = _single(axis)
    return _stack(tuple(outputs), axis) if isinstance(first, Tensor) and axis is not None else first


@op(static=("axis",))
def _slice_of(x, index, axis):
    return jax.lax.dynamic_index_in_dim(x, index, axis, keepdims=False)


@op(static=("axis",))
def _stack(items, axis):
    return jax.numpy.stack(items, axis)


def _is_nowhere(axes: Any) -> bool:
    return all(map(_is_nowhere, axes)) if isinstance(axes, (tuple, list)) else axes is None


def _signature(fn: Any) -> inspect.Signature | None:
    try:
        return inspect.signature(getattr(fn, "construct", fn))
    except (TypeError, ValueError):  # a function of C
        return None


def _fits(fn: Any, args: tuple, kwargs: dict) -> bool:
    """Whether a function takes these arguments."""
    signature = _signature(fn)
    if signature is not None:
        try:
            signature.bind(*args, **kwargs)
        except TypeError:
            return False
    return True


def _check_arguments(fn: Any, args: tuple, kwargs: dict) -> None:
    """Raise TypeError if the function takes another number of arguments."""
    signature = None if _fits(fn, args, kwargs) else _signature(fn)
    if signature is not None:
        raise TypeError(
            f"For 'vmap': The parameters number of the function is {len(signature.parameters)}, but the number of "
            f"provided arguments is {len(args) + len(kwargs)}."
        )


def _check_parameters(cells: Any) -> None:
    """Raise unless the Parameters of the Cells have the same shapes."""
    shapes = [[tuple(p.shape) for p in cell.get_parameters()] for cell in cells]
    for other in shapes[1:]:
        if len(other) != len(shapes[0]):
            raise ValueError(
                f"For 'vmap', the Cells of a CellList must have as many Parameters, but got {len(shapes[0])} and "
                f"{len(other)}."
            )
        if other != shapes[0]:
            raise RuntimeError(
                f"For 'vmap', the Parameters of the Cells must have the same shapes, but got {shapes[0]} and {other}."
            )


def _placed(value: Any, axis: Any, size: int, whole: set[int]) -> Any:
    """An output, mapped over dimension 0, with that dimension at its axis in `out_axes`; a number is repeated.

    `whole` are the ids of the arrays that are the same for all slices.
    """
    if isinstance(value, (tuple, list)):
        axes = axis if isinstance(axis, (tuple, list)) else (axis,) * len(value)
        if len(axes) != len(value):
            raise RuntimeError(
                f"For 'vmap', 'out_axes' must have an axis for each of {len(value)} results, but has {len(axes)}."
            )
        return type(value)([_placed(item, a, size, whole) for item, a in zip(value, axes, strict=True)])
    if isinstance(value, (bool, int, float)) and axis is not None:
        out = Tensor([value] * size)
        _check_axis(out, _single(axis), "out_axes")
        return out
    if not isinstance(value, Tensor):
        return value
    axis = _single(axis)
    _check_axis(value, axis, "out_axes")
    if axis is None:
        if id(value._v) not in whole:
            raise RuntimeError(
                "For 'vmap': It is invalid that source is not None and dst is None. An output that differs from slice "
                "to slice needs an axis in 'out_axes'."
            )
        return wrap_noted(value._v[0])
    return value if axis == 0 else wrap_noted(jax.numpy.moveaxis(value._v, 0, axis))


def _sizes(leaves: Sequence[Tensor], axes: Sequence[int | None]) -> set[int]:
    """The size of the mapped axes, which is none where no input is mapped; RuntimeError if there are several."""
    sizes = dict.fromkeys([t.shape[axis] for t, axis in zip(leaves, axes, strict=True) if axis is not None])
    if len(sizes) > 1:
        found = " and ".join(map(str, sizes))
        raise RuntimeError(f"The 'axis_size' of each argument in the scope of 'vmap' should be equal, but got {found}.")
    return set(sizes)


def _single(axis: Any) -> Any:
    """The axis of one output; `out_axes=(0,)` is 0."""
    return axis[0] if isinstance(axis, (tuple, list)) and len(axis) == 1 else axis


def _check_axis(value: Tensor, axis: Any, argument: str) -> None:
    if axis is not None and (isinstance(axis, bool) or not isinstance(axis, int)):
        shown = f"{axis:g}." if isinstance(axis, float) else f"{axis!r}"
        raise RuntimeError(
            f"The axis in vmap's '{argument}' should be a None or a scalar of type Int64Imm, but got a {shown}."
        )
    if axis is not None and not -value.ndim <= axis < value.ndim:
        raise RuntimeError(
            f"For 'vmap': The axis: {axis} in '{argument}' is out of bounds for array of dimension "
            f"[{-value.ndim},{value.ndim}). Its shape is {value.shape}."
        )


def _axes_of(value: Any, axis: Any, leaves: list[Any], axes: list[Any]) -> None:
    """Pair every Tensor of an argument with its axis; an int or None holds for all Tensors of a nesting."""
    if isinstance(value, Tensor):
        _check_axis(value, axis, "in_axes")
        leaves.append(value)
        axes.append(axis)
    elif isinstance(value, (tuple, list)):
        per_item = axis if isinstance(axis, (tuple, list)) else (axis,) * len(value)
        if len(per_item) != len(value):
            raise RuntimeError(f"For 'vmap', {len(per_item)} axes are given for a nesting of {len(value)}.")
        for item, item_axis in zip(value, per_item, strict=True):
            _axes_of(item, item_axis, leaves, axes)


@faces("ops")
def vmap(fn, in_axes=0, out_axes=0):
    """Map a function over an axis of its inputs.

    Args:
        fn: function or Cell of Tensors; or a CellList, whose Cells take one slice each.
        in_axes: the axis to map of each input: an int for all, or a nesting like the inputs; None leaves one unmapped.
        out_axes: where the mapped axis goes in the outputs.

    Returns:
        A function of the inputs with that axis.

    Raises:
        RuntimeError: `fn` is a primitive or not callable; no input is mapped, or the mapped axes differ in size; an
            axis is out of range, not an int or None, or None for an output that depends on mapped inputs; a CellList
            holds fewer than two Cells, or Cells whose Parameters have other shapes.
        TypeError: `fn` takes another number of arguments.
        ValueError: the mapped axes have another size than there are Cells in the CellList, or the Cells have another
            number of Parameters.

    >>> import ms_compat as ms
    >>> print(ms.vmap(lambda x, y: x + y)(ms.Tensor([1, 2]), ms.Tensor([3, 4])))
    [4 6]
    """
    check_function(fn, "vmap", RuntimeError)
    return (_Ensemble if getattr(type(fn), "_mapped_one_by_one", False) else _Vmapped)(fn, in_axes, out_axes)
