"""`Tensor`: MindSpore's tensor as a thin, mutable holder of one jax array.

`_v` is the array (or a tracer while JAX traces). All other attributes have a class-level default, so that making a
Tensor costs two attribute writes (0.1 us). In-place changes replace `_v` through `write_barrier.assign`; `_node` is the
tape's record of the value's computation (`tape/`), `_alias`/`_views` link tensors that share storage in
PYNATIVE_MODE (`dispatch/shared_storage.py`), and `_parent` is the source of a copy by index (`index/views.py`).
Methods and operators that are operations are attached from the table in `methods.py`; this file holds construction and
Python's own protocols. A Tensor is a pytree with its array as the only leaf.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

import jax
import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.errors import AmbiguousTruthError
from ms_compat._core.jax_compat import (
    ArrayImpl,
    Tracer,
    array_of_size,
    eval_context,
    from_host,
    is_mapped,
    is_symbolic_size,
    primal_of,
)
from ms_compat._core.no_op_arguments import no_effect
from ms_compat._core.promotion import compiled_number
from ms_compat._core.settings.memory_limits import settled, values_of, when_held
from ms_compat._core.tensor import no_init
from ms_compat._core.tensor.traced_array import TracedArray
from ms_compat._core.trace import concurrency, scopes, write_barrier

_DYNAMIC = "a shape that is not known yet"  # as `init`: the tensor represents an input of a compiled function

_MAYBE_TEXT = frozenset((np.ndarray, np.str_, np.bytes_))


def _to_numpy(data: Any, dtype: np.dtype | None) -> np.ndarray:
    """The data of a user's `Tensor(...)` as a numpy array, with MindSpore's default dtype for Python numbers."""
    if isinstance(data, (np.ndarray, np.generic)):
        array = np.asarray(data)
        if array.dtype.kind in "OSUMm":
            raise TypeError(
                "For 'Tensor', the argument 'input_data' must hold numbers, but got a numpy array of dtype "
                f"{array.dtype}."
            )
    else:
        try:
            array = np.asarray(_strip(data))
        except ValueError as error:
            raise TypeError(f"For 'Tensor', the nested sequence 'input_data' has unequal lengths: {error}") from None
        if array.dtype.kind == "O":
            if isinstance(data, int):
                raise RuntimeError(f"For 'Tensor', the integer {data} does not fit into 64 bits.")
            raise TypeError("For 'Tensor', 'input_data' must hold numbers, in sequences of equal length.")
        if array.dtype.kind in "SU":
            raise TypeError("For 'Tensor', 'input_data' must hold numbers, but got strings.")
        if array.dtype == np.float64 and dtype is None and not _has_float64(data):
            dtype = np.dtype(np.float32)
    if dtype is None or array.dtype == dtype:
        return array
    if array.dtype.kind == "c" and dtype.kind not in "cb":
        array = array.real
    with np.errstate(all="ignore"):  # out of range wraps or becomes infinite, as in C
        return array.astype(dtype)


def _strip(data: Any) -> Any:
    """Nested sequences with their Tensors converted to numpy arrays and NumPy's numbers to Python's."""
    if isinstance(data, (list, tuple)):
        return [_strip(item) for item in data]
    if isinstance(data, Tensor):
        return data.asnumpy()
    return data.item() if isinstance(data, np.generic) else data


def _has_float64(data: Any) -> bool:
    """Whether a nested sequence holds float64 arrays or tensors, whose dtype is kept, unlike a number's dtype."""
    while isinstance(data, (list, tuple)) and data:
        data = data[0]
    return isinstance(data, (np.ndarray, Tensor)) and data.dtype in (np.float64, mstype.float64)


def to_device(array: np.ndarray, fresh: bool = False) -> jax.Array:
    """A concrete jax array of a numpy array: a copy, as MindSpore's Tensor shares no memory with it, if not `fresh`."""
    if scopes.tracing:
        with eval_context():
            return from_host(array, fresh)
    return from_host(array, fresh)


FOREIGN: set[str] = set()  # members that say what MindSpore has in their place; `dir` should not list them


class _Printed(type):
    """A class that prints under its name in MindSpore, which scripts show; it is found and pickled under its own.

    `isinstance(x, Tensor)` costs 40 ns more with a metaclass, unless `x` is exactly of the class.
    """

    def __repr__(cls) -> str:
        public = cls.__dict__.get("_printed")
        return f"<class '{public}'>" if public else super().__repr__()

    def __dir__(cls) -> list[str]:
        return [name for name in super().__dir__() if name not in FOREIGN]


if TYPE_CHECKING:  # what `methods.attach` gives the class, for editors
    from ms_compat._core.tensor.tensor_methods import TensorMethods
else:
    TensorMethods = object


class Tensor(TensorMethods, metaclass=_Printed):
    """A multi-dimensional array with MindSpore's interface, held by JAX.

    Args:
        input_data: a number, nested list or tuple, numpy array, jax array or Tensor. It is copied. A numpy array of
            strings gives a Tensor of dtype String, which can be kept and printed and with which nothing is computed.
        dtype: a mindspore dtype; by default the data's dtype (Python int -> Int64, float -> Float32).
        shape: in place of data, with `dtype`: the shape of a zero tensor, or with `init` of a tensor that `init_data`
            fills. With None or -1 for an unknown size the tensor only describes an input.
        init: an initializer for `shape` and `dtype`.
        const_arg: whether the tensor is a constant of a compiled function's key instead of a variable.
        device: "CPU", or "GPU" or "TPU" where JAX has one; by default where JAX puts it.

    A Tensor made from a Tensor with the same dtype shares the storage; the gradient goes on to what that was made of,
    not to a Parameter.

    Raises:
        TypeError: the data is not numeric, a nested sequence has unequal lengths, `dtype` is not a mindspore dtype, or
            neither data nor `shape` and `dtype` are given.
        ValueError: both data and `shape` or `init`; a `device` that JAX does not have.
        RuntimeError: an integer of more than 64 bits.

    >>> from ms_compat import Tensor
    >>> Tensor([[1, 2], [3, 4]]).shape
    (2, 2)
    """

    _printed = "mindspore.common.tensor.Tensor"
    _v: Any = None
    _node: Any = None
    _alias: Any = None
    _views: Any = None
    _checked: Any = None  # of an index tensor: which value is within which sizes (ops/function/indexing/gather.py)
    _parent: Any = None
    _leaf_hooks: Any = None  # by their numbers (hooks.py)
    _made_of_numpy: Any = None  # True, or the array that NumPy's was copied to: as long as it is held, NumPy prints it
    _mutable = False
    _is_parameter = False
    init: Any = None
    const_arg = False
    # Members from modules above this file; `_tensor/methods.py` gives them to the class when it builds the namespace.
    _share: ClassVar[Callable[[Tensor, Tensor], None]]  # index/views.py: hold the array of another, and its storage
    param_info: Any  # parameter_like.py
    _cast: ClassVar[Callable[[Tensor, Any], Tensor]]  # `ops.cast`, which is recorded
    _traced_item: ClassVar[Callable[[Tensor], Any]]  # traced_number.py
    _over: ClassVar[Callable[[np.ndarray], Tensor]]  # over_array.py
    __array_priority__ = 100  # numpy_array + tensor calls the Tensor's __radd__

    def __init__(self, input_data=None, dtype=None, shape=None, init=None, const_arg=False, device=None):
        # A case for each thing that a Tensor is made from. No helpers around them: making a Tensor is a hot path, and
        # the one thing the cases share is that each leaves `value` as the array, or is finished and returns.
        if const_arg is not False:
            if const_arg is not True:
                came = type(const_arg).__name__
                raise TypeError(f"For 'Tensor', the type of 'const_arg' should be 'bool', but got type '{came}'.")
            self.const_arg = True
        if input_data is None:
            self._init_later(dtype, shape, init)
            return
        if shape is not None or init is not None:
            raise ValueError(
                "For 'Tensor', 'shape' and 'init' go with 'dtype' in place of 'input_data', not along with it."
            )
        if input_data.__class__ in _MAYBE_TEXT and np.asarray(input_data).dtype.kind in "SU":
            self._hold_texts(np.asarray(input_data))
            return
        np_dtype = None if dtype is None else _np_dtype(dtype)
        source = None
        if isinstance(input_data, Tensor):
            if input_data.init is not None:
                self._init_later(dtype or input_data.dtype, input_data.shape, input_data.init)
                if self.has_init:  # the copy waits for nothing; in MindSpore its values are what was in the memory
                    no_init.filled_now(self)
                return
            value = input_data._v
            if value.__class__ is np.ndarray:
                self._hold_texts(value)
                return
            source = input_data
            if input_data._node is not None and input_data.param_info is None:
                if np_dtype is not None and value.dtype != np_dtype:
                    source = Tensor._cast(input_data, dtype)
                    value = source._v
                self._node = source._node
        elif isinstance(input_data, (jax.Array, Tracer)):
            value = input_data
        elif isinstance(input_data, TracedArray):
            value = input_data._value
        elif is_symbolic_size(input_data):
            value = array_of_size(input_data)
        elif isinstance(input_data, (int, float, complex, bool, list, tuple, np.ndarray, np.generic)):
            value = to_device(_to_numpy(compiled_number(input_data) if scopes.compiling() else input_data, np_dtype))
        else:
            raise _bad_data(input_data)
        if (np_dtype is not None and value.dtype != np_dtype) or getattr(value, "weak_type", False):
            value = _converted(value, np_dtype or value.dtype)
            source = None
        if device is not None:
            value = _placed(value, device)
        self._v = value
        if scopes.tracing:
            scope = scopes.current_scope()
            if scope is not None:
                scope.created[id(self)] = self
        elif source is not None and value.__class__ is ArrayImpl:
            self._share(source)

    def _hold_texts(self, array: np.ndarray) -> None:
        """Hold strings, as NumPy does; no operation takes them, and compiled functions see a constant."""
        self._v = array.copy()
        self.const_arg = True
        self._made_of_numpy = True

    def _init_later(self, dtype, shape, init) -> None:
        if dtype is None and (init is not None or (isinstance(shape, (tuple, list)) and None in shape)):
            raise ValueError(
                "For 'Tensor', 'dtype' must be given with 'init' and with sizes that are None, but got None."
            )
        if dtype is None or (shape is None and init is not None):
            raise _bad_data(None)
        np_dtype = _np_dtype(dtype)
        if shape is None:
            shape = (-2,)
        elif isinstance(shape, int):
            shape = (shape,)
        else:
            if hasattr(shape, "accepts"):  # a Symbol
                shape = (shape,)
            if any(hasattr(n, "accepts") for n in shape):
                self._sizes = tuple(shape)  # what `set_inputs` checks beside the shape
            shape = tuple([-1 if n is None else int(n) for n in shape])
        if any(n < 0 for n in shape):
            if init is not None:
                raise ValueError(
                    f"For 'Tensor', every size in 'shape' must be known where there is 'init', but got {shape}."
                )
            init = _DYNAMIC
        if init is None:
            self._v = to_device(np.zeros(shape, np_dtype))
            return
        self.init = init
        self._pending = (shape, dtype)

    # -- construction later ------------------------------------------------------------------------------------------
    @property
    def has_init(self) -> bool:
        """Whether the tensor still waits for `init_data`."""
        return self.init is not None and self.init is not _DYNAMIC

    def init_data(self, slice_index=None, shape=None, opt_shard_group=None) -> Tensor:
        """Fill a tensor that was made from `shape`, `dtype` and `init`; returns the tensor.

        Args:
            slice_index: number of the slice when each device holds one (mixed into the random stream).
            shape: shape of that slice; by default the full one.
            opt_shard_group: the group of an optimizer shard; nothing to do in JAX's sharding.

        Raises:
            TypeError: the tensor has no `init`, or that is not an initializer.
        """
        if not hasattr(self.init, "fill"):
            raise TypeError(f"For 'Tensor.init_data', 'init' must be an initializer, but got {self.init!r:.80}.")
        no_effect("Tensor.init_data", "a sharding says how an array is distributed", opt_shard_group=opt_shard_group)
        full_shape, dtype = self._pending
        value = self.init.fill(tuple(shape or full_shape), dtype, slice_index or 0)
        self._v = value
        self.init = None
        return self

    @staticmethod
    def from_numpy(array: np.ndarray) -> Tensor:
        """A Tensor over the memory of a numpy array: what is written into one is seen in the other.

        Each use copies the array; for one that nobody will write to, `Tensor(array)` copies once.

        Raises:
            TypeError: `array` is not a numpy array of numbers.

        >>> import numpy as np
        >>> from ms_compat import Tensor
        >>> array = np.zeros(2, np.float32)
        >>> tensor = Tensor.from_numpy(array)
        >>> array[0] = 9
        >>> print(tensor)
        [9. 0.]
        """
        if isinstance(array, TracedArray):
            return Tensor(array)
        if not isinstance(array, np.ndarray):
            raise TypeError(
                f"For 'Tensor.from_numpy', the input must be a numpy.ndarray, but got {type(array).__name__}."
            )
        if array.dtype not in mstype._FROM_NUMPY:
            raise TypeError(f"For 'Tensor.from_numpy', an array of dtype {array.dtype} cannot be a Tensor.")
        return Tensor._over(array)

    # -- what it is --------------------------------------------------------------------------------------------------
    @property
    def shape(self) -> tuple[int, ...]:
        """Sizes of the dimensions.

        >>> from ms_compat import Tensor
        >>> print(Tensor([[1, 2, 3]]).shape)
        (1, 3)
        """
        return self._pending[0] if self.init is not None else self._v.shape

    @property
    def dtype(self) -> mstype.Type:
        """The mindspore dtype.

        >>> from ms_compat import Tensor
        >>> print(Tensor([1.0]).dtype, Tensor([1]).dtype)
        Float32 Int64
        """
        return self._pending[1] if self.init is not None else mstype._FROM_NUMPY[self._v.dtype]

    def set_dtype(self, dtype) -> mstype.Type:
        """Change the dtype in place; returns it.

        Args:
            dtype: a mindspore dtype.

        >>> from ms_compat import Tensor, int32
        >>> x = Tensor([1.7])
        >>> print(x.set_dtype(int32), x)
        Int32 [1]
        """
        if dtype is not self.dtype:
            self._rebind(_converted(self._v, mstype.to_np_dtype(dtype, "Tensor.set_dtype")))
        return dtype

    @property
    def ndim(self) -> int:
        """Number of dimensions.

        >>> from ms_compat import Tensor
        >>> print(Tensor([[1, 2, 3]]).ndim)
        2
        """
        return len(self.shape)

    @property
    def size(self) -> int:
        """Number of elements; 0 for a tensor that describes an input of unknown size.

        >>> from ms_compat import Tensor
        >>> print(Tensor([[1, 2, 3]]).size)
        3
        """
        return 0 if self.init is _DYNAMIC else math.prod(self.shape)

    @property
    def itemsize(self) -> int:
        """Bytes of one element.

        >>> from ms_compat import Tensor
        >>> print(Tensor([1.0]).itemsize)
        4
        """
        return self.dtype.np_dtype.itemsize

    @property
    def nbytes(self) -> int:
        """Bytes of all elements.

        >>> from ms_compat import Tensor
        >>> print(Tensor([1.0, 2.0]).nbytes)
        8
        """
        return self.size * self.itemsize

    @property
    def strides(self) -> tuple[int, ...]:
        """Bytes to step in each dimension of the row-major layout that MindSpore presents.

        >>> from ms_compat import Tensor
        >>> print(Tensor([[1.0, 2.0]]).strides)
        (8, 4)
        """
        return _strides(self.shape, self.itemsize)

    @property
    def device(self) -> str:
        """Where the data lives: "CPU" or "GPU:0".

        >>> from ms_compat import Tensor
        >>> print(type(Tensor([1.0]).device))
        <class 'str'>
        """
        device = next(iter(self._v.devices()))
        return "CPU" if device.platform == "cpu" else f"{device.platform.upper()}:{device.id}"

    @property
    def virtual_flag(self) -> bool:
        """MindSpore's mark of a tensor without storage; never the case here."""
        return False

    def _rebind(self, value) -> None:
        write_barrier.overwrite(self, value)

    # -- to the host -------------------------------------------------------------------------------------------------
    def asnumpy(self) -> np.ndarray:
        """The values as a numpy array; a tensor that waits for `init_data` is filled first.

        The array is a writable copy: unlike in MindSpore, a change of the array does not change the tensor, nor the
        other way round. Inside a compiled function it has a shape and a dtype, and makes Tensors (`traced_array.py`).

        Raises:
            ValueError: the tensor only describes an input, its shape is not known.

        >>> from ms_compat import Tensor
        >>> array = Tensor([[1, 2], [3, 4]]).asnumpy()
        >>> print(type(array).__name__, array.sum())
        ndarray 10
        """
        if self.init is not None:
            if self.init is _DYNAMIC:
                raise ValueError(f"For 'Tensor.asnumpy', the shape {self.shape} is not known, so there are no values.")
            self.init_data()
        if scopes.tracing and isinstance(self._v, Tracer) and (scope := scopes.current_scope()) is not None:
            scope.note_host_array()
            return TracedArray(self._v)  # type: ignore[return-value]
        found = when_held(self, _copied)
        return found.astype(np.int8) if self.dtype is mstype.qint4x2 else found

    def numpy(self) -> np.ndarray:
        """Same as `asnumpy`.

        >>> from ms_compat import Tensor
        >>> print(Tensor([1, 2]).numpy())
        [1 2]
        """
        return self.asnumpy()

    def tolist(self) -> Any:
        """Nested lists of Python numbers; a number for a 0-d tensor.

        >>> from ms_compat import Tensor
        >>> Tensor([[1, 2], [3, 4]]).tolist()
        [[1, 2], [3, 4]]
        """
        return self.asnumpy().tolist()

    def item(self) -> Any:
        """The only element as a Python number.

        Raises:
            ValueError: there are more or fewer.

        >>> from ms_compat import Tensor
        >>> Tensor([2.5]).item()
        2.5
        """
        if self.size != 1:
            raise ValueError(f"For 'Tensor.item', the tensor must have one element, but has shape {self.shape}.")
        if scopes.tracing and isinstance(self._v, Tracer) and scopes.current_scope() is not None:
            return self._traced_item()
        return self.asnumpy().item()

    def __array__(self, dtype=None, copy=None):
        array = values_of(self)
        return array if dtype is None or array.dtype == dtype else array.astype(dtype)

    def __jax_array__(self):
        return self._v

    def __dlpack__(self, **kwargs):
        return when_held(self, lambda value: settled(value).__dlpack__(**kwargs))

    def __dlpack_device__(self):
        return self._v.__dlpack_device__()

    # -- Python protocols --------------------------------------------------------------------------------------------
    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if name not in FOREIGN]

    def __format__(self, form: str) -> str:
        if form:
            raise TypeError(
                "unsupported format string passed to Tensor.__format__: format a number, 'x.item()', or 'x.asnumpy()'."
            )
        return str(self)

    def __bool__(self) -> bool:
        value = self._v
        if scopes.tracing and isinstance(value, Tracer):
            scopes.note_concretization()
            if is_mapped(value):
                raise AmbiguousTruthError(
                    f"'vmap' runs one program for all elements, and this condition (shape {self.shape}) may differ "
                    "between them: use 'ops.where(condition, a, b)', which selects element by element."
                )
        if value.size != 1:
            raise (AmbiguousTruthError if scopes.compiling() else ValueError)(
                "The truth value of an array with several elements is ambiguous; use ops.all or ops.any. "
                f"The tensor has shape {self.shape}."
            )
        return bool(when_held(self, _number))

    def _scalar(self, kind: str):
        if self.size != 1:
            raise ValueError(f"Only a tensor of one element can become a Python {kind}, but got shape {self.shape}.")
        if scopes.tracing and isinstance(self._v, Tracer):
            scopes.note_concretization()
        return when_held(self, _number)

    def __int__(self) -> int:
        return int(self._scalar("int"))

    def __float__(self) -> float:
        return _python_number(float, self._scalar("float"))

    def __complex__(self) -> complex:
        return _python_number(complex, self._scalar("complex"))

    def __index__(self) -> int:
        if self._v.dtype.kind not in "iub":
            raise ValueError(f"Only a tensor of one integer can be an index, but got {self.dtype}.")
        return int(self._scalar("index"))

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("Not support len of a 0-D tensor.")
        return self.shape[0]

    def __hash__(self) -> int:
        return id(self) >> 4

    def __contains__(self, item) -> bool:
        found: Any = self == item
        return not isinstance(found, bool) and bool(found.any())

    def __copy__(self):
        return Tensor(self) if self._v.__class__ is np.ndarray else wrap(concurrency.held_value(self))

    def __deepcopy__(self, memo):
        copied = Tensor.__new__(Tensor)
        memo[id(self)] = copied
        copied.__dict__.update(_detached(self), _node=self._node)  # the copy has the gradient
        return copied

    def __reduce__(self):
        if self.init is not None:
            return (_unpickle_pending, (*self._pending, self.init))
        array = values_of(self)
        if array.dtype.kind in "SU":
            return (Tensor, (array,))
        return (_unpickle, (array.tobytes(), self.dtype._label, array.shape))

    def __repr__(self) -> str:
        from ms_compat._core.tensor.printing import tensor_repr

        return tensor_repr(self)

    def __str__(self) -> str:
        from ms_compat._core.tensor.printing import tensor_str

        return tensor_str(self)


def _converted(value: Any, np_dtype: np.dtype) -> Any:
    """An array in another dtype; complex to real drops the imaginary part."""
    if value.dtype.kind == "c" and np_dtype.kind != "c":
        value = value != 0 if np_dtype.kind == "b" else value.real
    return jax.lax.convert_element_type(value, np_dtype)


def _bad_data(data: Any) -> TypeError:
    return TypeError(
        "For 'Tensor', the argument 'input_data' must be a number, list, tuple, numpy.ndarray, jax.Array or Tensor (or "
        f"give 'shape' and 'dtype' in its place), but got {data!r:.80} of type {type(data).__name__}."
    )


def _np_dtype(dtype: Any) -> np.dtype:
    if not isinstance(dtype, mstype.Type):
        raise TypeError(
            f"For 'Tensor', the argument 'dtype' must be a mindspore dtype, but got {dtype!r:.80} of type "
            f"{type(dtype).__name__}."
        )
    return mstype.to_np_dtype(dtype, "Tensor")


def _device_kinds() -> list[str]:
    return sorted({device.platform.upper() for device in (*jax.devices(), *jax.devices("cpu"))})


def _placed(value: Any, device: Any, api: str = "Tensor") -> Any:
    """The array on the first device of a kind."""
    try:
        target = jax.devices(str(device).lower().partition(":")[0])[0]
    except RuntimeError:
        raise ValueError(
            f"For '{api}', the 'device' must be one that JAX has here ({', '.join(_device_kinds())}), but got "
            f"{device!r}. 'mindspore.set_device' chooses for all that follows."
        ) from None
    return jax.device_put(value, target)


def _strides(shape: tuple[int, ...], itemsize: int) -> tuple[int, ...]:
    out, step = [], itemsize
    for size in reversed(shape):
        out.append(step)
        step *= size
    return tuple(reversed(out))


_OWN = frozenset("_node _alias _views _checked _parent _chunk _place _leaf_hooks _param_info".split())


def _copied(value: Any) -> np.ndarray:
    return np.array(settled(value))


def _number(value: Any) -> Any:
    """An array of one element as one without axes, whose value is there if it has one."""
    number = value.reshape(()) if value.shape else value
    return np.asarray(number) if number.__class__ is ArrayImpl else number


def _python_number(kind: type, number: Any) -> Any:
    """A float or complex number from an array, or from a forward-mode tracer, which gives its value to `int` only."""
    while isinstance(number, Tracer) and (known := primal_of(number)) is not number:
        number = known
    return kind(number)


def _detached(tensor: Tensor) -> dict:
    """The attributes of a tensor that a copy has, too: not its record, its hooks, and what it shares storage with."""
    value = concurrency.held_value(tensor)
    return {k: v for k, v in vars(tensor).items() if k not in _OWN} | {"_v": value}


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
