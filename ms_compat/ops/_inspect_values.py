"""Primitives that look at values: checks for NaN, tensors written to files, Python functions on the host.

A check of values raises at once in PYNATIVE_MODE. In compiled code it raises after the program has run, as
`ops.Assert` does.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ms_compat._compile.control_flow import checks
from ms_compat._compile.control_flow.branches import is_traced
from ms_compat._core import dtype as mstype
from ms_compat._core.dispatch.op import op
from ms_compat._core.errors import check_bool, check_type, type_error, value_error
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat.ops._custom import Custom
from ms_compat.ops._debug import InsertGradientOf
from ms_compat.ops.function.shape.create import identity_cast
from ms_compat.ops.primitive import Primitive


def require(holds: Tensor, message: str, error: type[Exception]) -> None:
    """Raise `error(message)` if a 0-d Bool Tensor is false.

    Args:
        holds: the condition.
        message: what is wrong.
        error: the class.
    """
    if is_traced(holds):
        checks.check_at_run_time(holds._v, message, error)
    elif not holds:
        raise error(message)


@op
def _problems(x):
    return jnp.any(jnp.isnan(x)), jnp.any(jnp.isinf(x))


@op
def _not(x):
    return ~x


@faces(primitive="CheckNumerics()(x)")
def check_numerics(x):
    """A copy of the tensor, if it holds neither NaN nor infinity.

    Args:
        x: Tensor of Float16, Float32 or Float64.

    Raises:
        TypeError: another dtype.
        RuntimeError: NaN or infinity; from compiled code after the program has run.
    """
    if not isinstance(x, Tensor) or x.dtype not in (mstype.float16, mstype.float32, mstype.float64):
        raise TypeError(f"For 'CheckNumerics', the 'x' must be a Tensor of a float type, but got {x!r:.80}.")
    nan, inf = _problems(x)
    require(_not(nan), "For 'CheckNumerics', the 'x' has NaN values.", RuntimeError)
    require(_not(inf), "For 'CheckNumerics', the 'x' has Inf values.", RuntimeError)
    return identity_cast(x, x.dtype)


@op(name="UnravelIndex")
def _unravel(indices, dims):
    steps = jnp.concatenate([jnp.cumprod(dims[::-1])[::-1][1:], jnp.ones(1, dims.dtype)])
    shape = (-1,) + (1,) * indices.ndim
    out = indices[None] // steps.reshape(shape) % dims.reshape(shape)
    inside = jnp.all((indices >= 0) & (indices < jnp.prod(dims)))
    return out.astype(indices.dtype), inside


@faces(primitive="UnravelIndex()(indices, dims)")
def unravel_index(indices, dims):
    """The coordinates of flat indices in an array of a shape.

    Args:
        indices: 0-d or 1-d Tensor of Int32 or Int64.
        dims: the shape, a 1-d Tensor of the same type.

    Returns:
        Tensor [len(dims)] or [len(dims), len(indices)]: a row for each dimension.

    Raises:
        TypeError: other types.
        ValueError: other ranks, or an index outside the array (from compiled code after the program has run).
    """
    api = "UnravelIndex"
    for name, value, ranks in (("indices", indices, (0, 1)), ("dims", dims, (1,))):
        if not isinstance(value, Tensor) or value.dtype not in (mstype.int32, mstype.int64):
            raise TypeError(f"For '{api}', the '{name}' must be a Tensor of Int32 or Int64, but got {value!r:.80}.")
        if len(value.shape) not in ranks:
            raise ValueError(f"For '{api}', the '{name}' must be of rank {ranks}, but got shape {value.shape}.")
    if indices.dtype is not dims.dtype:
        raise TypeError(f"For '{api}', the types must be the same, but got {indices.dtype} and {dims.dtype}.")
    out, inside = _unravel(indices, dims)
    require(inside, f"For '{api}', each index must be in [0, the product of 'dims').", ValueError)
    return out


_dumped = itertools.count()


def _dump(path: str, array: Any) -> None:
    array = np.asarray(array)
    name = array.dtype.name
    if array.dtype == mstype.bfloat16.np_dtype:
        array = array.astype(np.float32)  # NumPy's format has no bfloat16
    folder = os.path.dirname(path)
    if folder:
        os.makedirs(folder, exist_ok=True)
    np.save(f"{path}_{name}_{next(_dumped)}.npy", array)


@faces("ops")
def tensordump(file_name, tensor, mode="out"):
    """Write a tensor to `<file_name>_<dtype>_<number>.npy`; the number counts the tensors written.

    Args:
        file_name (str): the path; a suffix ".npy" is left out. Its folder is made.
        tensor (Tensor): the tensor; BFloat16 is written as float32.
        mode (str): 'in' or 'out', of which MindSpore writes one device's slice before or after a redistribution. JAX's
            arrays are global, so both write the whole; 'in' also stands in the name.

    Raises:
        TypeError: `file_name` is not a str, `tensor` is not a Tensor.
        ValueError: another `mode`.
    """
    check_type("tensordump", "file_name", file_name, str)
    check_type("tensordump", "tensor", tensor, Tensor)
    if mode not in ("in", "out"):
        raise value_error("tensordump", "mode", "one of ['in', 'out']", mode)
    path = file_name.removesuffix(".npy") + ("_in" if mode == "in" else "")
    if is_traced(tensor):
        jax.debug.callback(lambda array: _dump(path, array), tensor._v, ordered=True)
    else:
        _dump(path, tensor.asnumpy())


@faces("ops")
class TensorDump(Primitive):
    """Write tensors to files; call it with (file, input_x), see `tensordump`.

    Args:
        input_output (str): 'in' or 'out'.

    Raises:
        ValueError: another `input_output`.
    """

    def __init__(self, input_output: str = "out"):
        super().__init__("TensorDump")
        if input_output not in ("in", "out"):
            raise value_error("TensorDump", "input_output", "one of ['in', 'out']", input_output)
        self.input_output = input_output
        self.add_prim_attr("input_output", input_output)

    def __call__(self, file, input_x) -> None:
        tensordump(file, input_x, self.input_output)


@faces("ops")
class DumpGradient(Primitive):
    """Write a gradient to a file on its way; call it with (path, x, input_output), see `tensordump`.

    Returns:
        At the call, x.

    >>> import os, tempfile
    >>> import ms_compat as ms
    >>> dump = ms.ops.DumpGradient()
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     gradient = ms.grad(lambda x: dump(f"{folder}/dx", x, "out") ** 2)(ms.Tensor(3.0))
    ...     print(gradient, len(os.listdir(folder)))
    6.0 1
    """

    def __init__(self):
        super().__init__("DumpGradient")

    def __call__(self, path, x, input_output) -> Any:
        def dump(grad):
            tensordump(path, grad, input_output)
            return grad

        return InsertGradientOf(dump)(x)


@faces("ops")
class PyFunc(Primitive):
    """A Python function of numpy arrays as an operation that compiled code may contain; it has no gradient.

    Args:
        fn (function): takes and returns numpy arrays or numbers.
        in_types (list): the inputs' dtypes.
        in_shapes (list): the inputs' shapes.
        out_types (list): the results' dtypes.
        out_shapes (list): the results' shapes.
        stateful (bool): whether the function must run each time and in order; pure functions may run once for several
            calls with the same inputs.

    Returns:
        At the call with the inputs, or one tuple of them, the tuple of results.

    Raises:
        TypeError: an argument of a wrong type; at the call, an input of another dtype or shape.

    >>> import ms_compat as ms
    >>> add = ms.ops.PyFunc(lambda a, b: a + b, [ms.float32] * 2, [(2,)] * 2, [ms.float32], [(2,)])
    >>> print(add(ms.Tensor([1.0, 2.0]), ms.Tensor([3.0, 4.0]))[0])
    [4. 6.]
    """

    def __init__(self, fn: Callable, in_types, in_shapes, out_types, out_shapes, stateful: bool = True):
        super().__init__("PyFunc")
        if not callable(fn):
            raise type_error("PyFunc", "fn", "a function", fn)
        for name, value in (("in_types", in_types), ("in_shapes", in_shapes), ("out_types", out_types)):
            check_type("PyFunc", name, value, (list, tuple))
        check_type("PyFunc", "out_shapes", out_shapes, (list, tuple))
        check_bool("PyFunc", "stateful", stateful)
        self.fn = fn
        self.in_types, self.in_shapes, self.out_types = in_types, in_shapes, out_types
        for name, value in (
            ("in_types", in_types),
            ("in_shapes", in_shapes),
            ("out_types", out_types),
            ("out_shapes", out_shapes),
            ("stateful", stateful),
        ):
            self.add_prim_attr(name, value)
        self._custom = Custom(self._run, tuple([tuple(s) for s in out_shapes]), tuple(out_types), func_type="pyfunc")

    def _run(self, *arrays) -> list[np.ndarray]:
        out = self.fn(*arrays)
        out = out if isinstance(out, (tuple, list)) else [out]
        if len(out) != len(self.out_types):
            raise TypeError(f"For 'PyFunc', {len(self.out_types)} results were promised, but got {len(out)}.")
        return [np.asarray(o, t.np_dtype) for o, t in zip(out, self.out_types, strict=True)]

    def __call__(self, *inputs) -> tuple:
        if len(inputs) == 1 and isinstance(inputs[0], (tuple, list)):
            inputs = tuple(inputs[0])
        if len(inputs) != len(self.in_types):
            raise TypeError(f"For 'PyFunc', {len(self.in_types)} inputs are taken, but got {len(inputs)}.")
        for i, (value, kind, shape) in enumerate(zip(inputs, self.in_types, self.in_shapes, strict=True)):
            if not isinstance(value, Tensor) or value.dtype is not kind or value.shape != tuple(shape):
                got = f"{value.dtype} {value.shape}" if isinstance(value, Tensor) else type(value).__name__
                raise TypeError(f"For 'PyFunc', input {i} must be a Tensor of {kind} {tuple(shape)}, but got {got}.")
        return self._custom(*inputs)
