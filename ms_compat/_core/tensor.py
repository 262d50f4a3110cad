"""`Tensor`: MindSpore's tensor as a thin, mutable holder of one jax array.

`_v` is the array (or a tracer while JAX traces); everything else a Tensor carries has a class-level default, so that making
one costs two attribute writes (0.1 us). In-place changes replace `_v` through `state.assign`; `_node` is the tape's record of
how the value came about (`tape.py`), `_alias`/`_views` link tensors that share storage in PYNATIVE_MODE (`alias.py`).
Methods and operators that are operations are attached from the table in `methods.py`; this file holds construction and
Python's own protocols. A Tensor is a pytree with its array as the only leaf.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core import state
from ms_compat._core.jax_compat import ArrayImpl, Tracer

_PY_DEFAULT = {bool: np.bool_, int: np.int64, float: np.float32, complex: np.complex64}


def _to_numpy(data: Any, dtype: np.dtype | None) -> np.ndarray:
    """A numpy array of what a user hands to `Tensor(...)`, with MindSpore's default dtype for Python numbers."""
    if isinstance(data, (np.ndarray, np.generic)):
        array = np.asarray(data)
        if array.dtype.kind in "OSUMm":
            raise TypeError(
                "For 'Tensor', the argument 'input_data' must hold numbers, but got a numpy array of dtype "
                f"{array.dtype}."
            )
    else:
        plain = _strip(data)
        try:
            array = np.asarray(plain)
        except ValueError as error:
            raise ValueError(f"For 'Tensor', the nested sequence 'input_data' has unequal lengths: {error}") from None
        if array.dtype.kind == "O":
            raise TypeError("For 'Tensor', 'input_data' holds elements that are not numbers or of unequal length.")
        if array.dtype.kind in "SU":
            raise TypeError("For 'Tensor', 'input_data' must hold numbers, but got strings.")
        if array.dtype == np.float64 and not _has_np64(data):
            array = array.astype(np.float32) if dtype is None else array
        elif array.dtype == np.complex128 and dtype is None and not _has_np64(data):
            array = array.astype(np.complex64) if isinstance(data, complex) else array
    return array if dtype is None or array.dtype == dtype else array.astype(dtype)


def _strip(data: Any) -> Any:
    """Nested sequences with the Tensors in them turned into numpy arrays."""
    if isinstance(data, (list, tuple)):
        return [_strip(item) for item in data]
    if isinstance(data, Tensor):
        return data.asnumpy()
    return data


def _has_np64(data: Any) -> bool:
    """Whether the first scalar of a nested sequence is a numpy float64/complex128 (kept as such) and not Python's."""
    while isinstance(data, (list, tuple)) and data:
        data = data[0]
    if isinstance(data, Tensor):
        return data._v.dtype in (np.float64, np.complex128)
    return isinstance(data, (np.ndarray, np.generic)) and data.dtype in (np.float64, np.complex128)


def to_device(array: np.ndarray) -> jax.Array:
    """A concrete jax array of a numpy array; a copy, because MindSpore's `Tensor(ndarray)` does not share memory."""
    if state.tracing:
        with jax.ensure_compile_time_eval():
            return jnp.array(array)
    return jnp.array(array)


class Tensor:
    """A multi-dimensional array with MindSpore's interface, held by JAX.

    Args:
        input_data: a number, nested list or tuple, numpy array, jax array or Tensor. It is copied.
        dtype: a mindspore dtype; by default that of the data (Python int -> Int64, float -> Float32).
        shape: with `init`, the shape of a tensor that is filled later by `init_data`.
        init: an initializer for `shape` and `dtype`.
        const_arg: whether the tensor is a constant of a compiled function's key instead of a variable.

    Raises:
        TypeError: the data is not numeric or `dtype` is not a mindspore dtype.
        ValueError: nested sequences of unequal length, or neither data nor `shape`, `dtype` and `init`.

    >>> from ms_compat import Tensor
    >>> Tensor([[1, 2], [3, 4]]).shape
    (2, 2)
    """

    _v: Any = None
    _node: Any = None
    _alias: Any = None
    _views: Any = None
    _parent: Any = None
    _mutable = False
    init: Any = None
    const_arg = False
    __array_priority__ = 100  # numpy_array + tensor calls the Tensor's __radd__

    def __init__(self, input_data=None, dtype=None, shape=None, init=None, const_arg=False, device=None):
        if const_arg:
            self.const_arg = True
        if input_data is None:
            self._init_later(dtype, shape, init)
            return
        np_dtype = None if dtype is None else mstype.to_np_dtype(dtype, "Tensor")
        if isinstance(input_data, Tensor):
            if input_data.init is not None:
                self._init_later(dtype or input_data.dtype, input_data.shape, input_data.init)
                return
            value = input_data._v
        elif isinstance(input_data, (jax.Array, Tracer)):
            value = input_data
        elif isinstance(input_data, (int, float, complex, bool, list, tuple, np.ndarray, np.generic)):
            value = to_device(_to_numpy(input_data, np_dtype))
        else:
            raise TypeError(
                "For 'Tensor', the argument 'input_data' must be a number, list, tuple, numpy.ndarray, jax.Array or "
                f"Tensor, but got {input_data!r:.80} of type {type(input_data).__name__}."
            )
        if (np_dtype is not None and value.dtype != np_dtype) or getattr(value, "weak_type", False):
            value = jax.lax.convert_element_type(value, np_dtype or value.dtype)
        self._v = value
        if state.tracing:
            scope = state.current_scope()
            if scope is not None:
                scope.created[id(self)] = self

    def _init_later(self, dtype, shape, init) -> None:
        if shape is None or dtype is None or init is None:
            raise ValueError(
                "For 'Tensor', give 'input_data', or all of 'shape', 'dtype' and 'init'; got "
                f"shape={shape}, dtype={dtype}, init={init}."
            )
        shape = (shape,) if isinstance(shape, int) else tuple(int(n) for n in shape)
        if any(n < 0 for n in shape):
            raise ValueError(f"For 'Tensor', every size in 'shape' must be positive, but got {shape}.")
        mstype.to_np_dtype(dtype, "Tensor")
        self.init = init
        self._pending = (shape, dtype)

    # -- construction later ------------------------------------------------------------------------------------------
    @property
    def has_init(self) -> bool:
        """Whether the tensor still waits for `init_data`."""
        return self.init is not None

    def init_data(self, slice_index=None, shape=None, opt_shard_group=None) -> Tensor:
        """Fill a tensor that was made from `shape`, `dtype` and `init`; returns a Tensor that holds the data.

        Args:
            slice_index: number of the slice when each device holds one (mixed into the random stream).
            shape: shape of that slice; by default the full one.
            opt_shard_group: the group of an optimizer shard; nothing to do in JAX's sharding.
        """
        if self.init is None:
            return self
        full_shape, dtype = self._pending
        value = self.init.fill(tuple(shape or full_shape), dtype, slice_index or 0)
        self._v = value
        self.init = None
        return self

    @staticmethod
    def from_numpy(array: np.ndarray) -> Tensor:
        """A Tensor of a numpy array. JAX arrays are immutable, so later writes to `array` may or may not be seen: do not.

        Raises:
            TypeError: `array` is not a numpy array.
        """
        if not isinstance(array, np.ndarray):
            raise TypeError(
                f"For 'Tensor.from_numpy', the input must be a numpy.ndarray, but got {type(array).__name__}."
            )
        return wrap(to_device(array))

    # -- what it is --------------------------------------------------------------------------------------------------
    @property
    def shape(self) -> tuple[int, ...]:
        """Sizes of the dimensions."""
        return self._pending[0] if self.init is not None else self._v.shape

    @property
    def dtype(self) -> mstype.Type:
        """The mindspore dtype."""
        return self._pending[1] if self.init is not None else mstype._FROM_NUMPY[self._v.dtype]

    @dtype.setter
    def dtype(self, dtype) -> None:
        if dtype is not self.dtype:
            self._rebind(jax.lax.convert_element_type(self._v, mstype.to_np_dtype(dtype, "Tensor.dtype")))

    def set_dtype(self, dtype) -> Tensor:
        """Change the dtype in place and return the tensor."""
        self.dtype = dtype
        return self

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """Number of elements."""
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def itemsize(self) -> int:
        """Bytes of one element."""
        return self.dtype.np_dtype.itemsize

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return self.size * self.itemsize

    @property
    def strides(self) -> tuple[int, ...]:
        """Bytes to step in each dimension of the row-major layout that MindSpore presents."""
        return _strides(self.shape, self.itemsize)

    @property
    def device(self) -> str:
        """Where the data lives: "CPU" or "GPU:0"."""
        device = next(iter(self._v.devices()))
        return "CPU" if device.platform == "cpu" else f"{device.platform.upper()}:{device.id}"

    @property
    def virtual_flag(self) -> bool:
        """MindSpore's mark of a tensor without storage; never the case here."""
        return False

    def _rebind(self, value) -> None:
        state.assign(self, value)

    # -- to the host -------------------------------------------------------------------------------------------------
    def asnumpy(self) -> np.ndarray:
        """The values as a numpy array. Unlike MindSpore's it is read-only where it shares the array's memory.

        Raises:
            RuntimeError: the tensor waits for `init_data`.
        """
        if self.init is not None:
            raise RuntimeError("Tensor.asnumpy: the tensor has no data yet; call init_data() first.")
        return np.asarray(self._v)

    def numpy(self) -> np.ndarray:
        """Same as `asnumpy`."""
        return np.asarray(self._v)

    def tolist(self) -> Any:
        """Nested lists of Python numbers; a number for a 0-d tensor."""
        return np.asarray(self._v).tolist()

    def item(self, index=None) -> Any:
        """The element at a flat or tuple `index`, or the only one, as a Python number.

        Raises:
            ValueError: no index and more than one element.
            IndexError: `index` is out of range.
        """
        array = np.asarray(self._v)
        if index is None:
            if array.size != 1:
                raise ValueError(
                    f"For 'Tensor.item', a tensor of one element is needed without 'index', but got shape {self.shape}."
                )
            return array.item()
        return array.item(index)

    def __array__(self, dtype=None, copy=None):
        array = np.asarray(self._v)
        return array if dtype is None or array.dtype == dtype else array.astype(dtype)

    def __jax_array__(self):
        return self._v

    def __dlpack__(self, **kwargs):
        return self._v.__dlpack__(**kwargs)

    def __dlpack_device__(self):
        return self._v.__dlpack_device__()

    # -- Python protocols --------------------------------------------------------------------------------------------
    def __bool__(self) -> bool:
        value = self._v
        if value.size != 1:
            raise ValueError(
                "The truth value of an array with several elements is ambiguous; use ops.all or ops.any. "
                f"The tensor has shape {self.shape}."
            )
        return bool(value.reshape(())) if value.shape else bool(value)

    def _scalar(self, kind: str):
        if self.size != 1:
            raise ValueError(f"Only a tensor of one element can become a Python {kind}, but got shape {self.shape}.")
        return self._v.reshape(()) if self._v.shape else self._v

    def __int__(self) -> int:
        return int(self._scalar("int"))

    def __float__(self) -> float:
        return float(self._scalar("float"))

    def __complex__(self) -> complex:
        return complex(self._scalar("complex"))

    def __index__(self) -> int:
        if self._v.dtype.kind not in "iub":
            raise TypeError(f"Only a tensor of integers can be an index, but got {self.dtype}.")
        return int(self._scalar("index"))

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("Not support len of a 0-D tensor.")
        return self.shape[0]

    def __hash__(self) -> int:
        return id(self) >> 4

    def __contains__(self, item) -> bool:
        return bool((self == item).any())

    def __copy__(self):
        return wrap(self._v)

    def __deepcopy__(self, memo):
        copied = Tensor.__new__(Tensor)
        memo[id(self)] = copied
        copied.__dict__.update(_detached(self.__dict__))
        return copied

    def __reduce__(self):
        if self.init is not None:
            return (_unpickle_pending, (*self._pending, self.init))
        array = np.asarray(self._v)
        return (_unpickle, (array.tobytes(), str(self.dtype), array.shape))

    def __repr__(self) -> str:
        from ms_compat._core.printing import tensor_repr

        return tensor_repr(self)

    def __str__(self) -> str:
        from ms_compat._core.printing import tensor_str

        return tensor_str(self)

    # -- gradients ---------------------------------------------------------------------------------------------------
    def register_hook(self, hook):
        """Call `hook(grad)` when this tensor's gradient is known; what it returns (if not None) replaces the gradient.

        Args:
            hook: function of one Tensor.

        Returns:
            A handle whose `remove()` takes the hook away.
        """
        from ms_compat._core.tape import register_tensor_hook

        return register_tensor_hook(self, hook)


def _strides(shape: tuple[int, ...], itemsize: int) -> tuple[int, ...]:
    out, step = [], itemsize
    for size in reversed(shape):
        out.append(step)
        step *= size
    return tuple(reversed(out))


def _detached(attributes: dict) -> dict:
    return {k: v for k, v in attributes.items() if k not in ("_node", "_alias", "_views", "_parent")}


def _unpickle(data: bytes, label: str, shape: tuple[int, ...]) -> Tensor:
    np_dtype = mstype._by_label(label).np_dtype
    return wrap(to_device(np.frombuffer(data, np_dtype).reshape(shape)))


def _unpickle_pending(shape, dtype, init) -> Tensor:
    return Tensor(shape=shape, dtype=dtype, init=init)


_new = object.__new__


def wrap(value: Any) -> Tensor:
    """A Tensor around a jax array, without checks or copies: the constructor that operations use."""
    tensor = _new(Tensor)
    tensor._v = value
    return tensor


def unwrap(value: Any) -> Any:
    """The jax array of a Tensor; anything else as it is."""
    return value._v if isinstance(value, Tensor) else value


def tensor(input_data=None, dtype=None, shape=None, init=None, const_arg=False) -> Tensor:
    """Same as `Tensor(...)`, as a function.

    >>> import ms_compat as ms
    >>> ms.tensor([1.0, 2.0]).dtype
    mindspore.float32
    """
    return Tensor(input_data, dtype, shape, init, const_arg)


def _unflatten(aux, children) -> Tensor:
    out = _new(Tensor)
    out._v = children[0]
    return out


jax.tree_util.register_pytree_node(Tensor, lambda t: ((t._v,), None), _unflatten)
