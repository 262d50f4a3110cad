"""`COOTensor`, `CSRTensor`, `RowTensor`, `SparseTensor`: the parts of a sparse tensor as dense Tensors, and its shape.

A sparse tensor is a Python object around two or three Tensors, whose sizes are the number of elements that are kept.
Compiled functions and gradients flatten it with `_parts` and unflatten it with `_of`, with the shape as a constant
(`_core/tensor/tree.py`); JAX does the same, since each class is a pytree. The computations are in packages above this
one (`ops/function/sparse`); `_tensor/sparse.py` passes them in.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import numpy as np

from ms_compat._core.checks import check_rank
from ms_compat._core.errors import check_type
from ms_compat._core.settings import context
from ms_compat._core.tensor import Tensor, wrap
from ms_compat._core.tensor.printing import _head, tensor_repr
from ms_compat._core.trace import scopes

_INDEX_TYPES = (np.int16, np.int32, np.int64)
_PRINTED = 30  # a part of as many elements or more is shown as [...]


def _ops() -> Any:
    """The operations by their names."""
    return Sparse._operations()


def _text(tensor: Tensor) -> str:
    """One part as MindSpore prints it: the `repr` of a Tensor without commas between the elements."""
    head = _head(tensor)
    if tensor.size >= _PRINTED:
        return f"{head}[...])"
    text = tensor_repr(tensor)
    return head + text[len(head) :].lstrip(" ").replace(",", "")


class Sparse:
    """The base of the sparse classes. `_names` are the attributes that hold Tensors, in the constructor's order."""

    _names: tuple[str, ...] = ()
    _kind = ""
    _shape: tuple[int, ...]
    _operations: Callable[[], Any]

    def _parts(self) -> tuple[Tensor, ...]:
        return tuple([self.__dict__[f"_{name}"] for name in self._names])

    @classmethod
    def _of(cls, parts: Any, shape: tuple[int, ...]) -> Any:
        """A sparse tensor from parts that are known to fit."""
        made = object.__new__(cls)
        for name, part in zip(cls._names, parts, strict=True):
            made.__dict__[f"_{name}"] = part
        made._shape = shape
        return made

    def _with_values(self, values: Tensor) -> Any:
        """The same places with other values."""
        made = self._of((*self._parts()[:-1], values), self._shape)
        if "_rows" in self.__dict__:
            made.__dict__["_rows"] = self.__dict__["_rows"]
        return made

    def _take(self, other: Any, cls: type, argument: str, given: tuple) -> None:
        """Become a copy of another sparse tensor."""
        if not isinstance(other, cls):
            raise TypeError(
                f"For '{self._kind}', the '{argument}' must be a {cls.__name__}, but got {type(other).__name__}."
            )
        if any(item is not None for item in given):
            raise TypeError(f"For '{self._kind}', with '{argument}' all other arguments must be None.")
        self.__dict__.update(other.__dict__)

    def _set(self, shape: tuple[int, ...], *parts: Tensor) -> None:
        if context.state.mode == context.GRAPH_MODE:  # no gradient goes to the places
            parts = (*[wrap(part._v) if type(part) is Tensor else part for part in parts[:-1]], parts[-1])
        for name, part in zip(self._names, parts, strict=True):
            self.__dict__[f"_{name}"] = part
        self._shape = shape

    @property
    def indices(self) -> Any:
        """The positions of the elements (of a RowTensor: the rows)."""
        return self.__dict__["_indices"]

    @property
    def values(self) -> Any:
        """The elements that are kept."""
        return self.__dict__["_values"]

    def __repr__(self) -> str:
        parts = ", ".join(f"{name}={_text(part)}" for name, part in zip(self._names, self._parts(), strict=True))
        return f"{self._kind}(shape={list(self._shape)}, dtype={self.values.dtype}, {parts})"


class _Matrix(Sparse):
    """The common base of COOTensor and CSRTensor."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Sizes of the dense tensor."""
        return self._shape

    @property
    def dtype(self) -> Any:
        """The dtype of the values."""
        return self.values.dtype

    @property
    def size(self) -> int:
        """The number of values that are kept."""
        return self.values.size

    @property
    def itemsize(self) -> int:
        """Bytes of one value."""
        return self.values.itemsize

    @property
    def ndim(self) -> int:
        """The dense tensor's number of dimensions."""
        return len(self._shape)

    def to_tuple(self) -> tuple:
        """The parts, in the constructor's order, and the shape."""
        return (*self._parts(), self._shape)

    def abs(self):
        """The absolute values at the same places."""
        return self._with_values(_ops().abs(self.values))

    def astype(self, dtype):
        """The values in another dtype.

        Args:
            dtype: a mindspore dtype, or its name.
        """
        return self._with_values(self.values.astype(dtype))

    def __neg__(self):
        return self._with_values(-self.values)

    def _same_shape(self, other: Any, what: str) -> None:
        shape = getattr(other, "shape", None)
        if shape is None:
            raise TypeError(f"{self._kind} {what} with {type(other)} is not supported.")
        if tuple(shape) != self._shape:
            raise ValueError(
                f"For '{self._kind}' {what}, both operands must have one shape, but got {self._shape} and {shape}."
            )

    def _refuse(self, other: Any, what: str) -> TypeError:
        return TypeError(f"{self._kind} {what} with {type(other)} is not supported.")


def _without_gradient(indices: Tensor) -> Tensor:
    """Indices as MindSpore's compiler takes them: as positions, which have no gradient."""
    if context.state.mode == context.GRAPH_MODE:
        return _ops().stop_gradient(indices)
    return indices


def _check_shape(kind: str, shape: Any, count: int) -> None:
    check_type(kind, "shape", shape, tuple)
    for n in shape:
        if not isinstance(n, (int, np.integer)) or isinstance(n, bool):
            raise TypeError(f"For '{kind}', each element of 'shape' must be an int, but got {shape}.")
        if n <= 0:
            raise ValueError(f"For '{kind}', each element of 'shape' must be positive, but got {shape}.")
    if int(np.prod(shape, dtype=np.int64)) < count:
        raise ValueError(f"For '{kind}', the 'shape' {shape} is too small to hold {count} values.")


def _check_index_type(kind: str, name: str, value: Tensor) -> None:
    if value.dtype.np_dtype not in _INDEX_TYPES:
        raise TypeError(f"For '{kind}', the '{name}' must have the dtype Int16, Int32 or Int64, but got {value.dtype}.")


class COOTensor(_Matrix):
    """A sparse matrix as a list of coordinates and their values.

    Args:
        indices (Tensor): [N, 2] of Int16, Int32 or Int64. They are kept as they are: neither sorted nor made unique.
        values (Tensor): [N].
        shape (tuple): the two sizes of the dense matrix.
        coo_tensor (COOTensor): another one to copy, in place of the three.

    Raises:
        TypeError: an argument of another type, indices of another dtype.
        ValueError: shapes that do not fit.

    >>> import ms_compat as ms
    >>> x = ms.COOTensor(ms.Tensor([[0, 1], [1, 2]], ms.int32), ms.Tensor([1.0, 2.0]), (2, 3))
    >>> print(x.to_dense())
    [[0. 1. 0.]
     [0. 0. 2.]]
    """

    _names = ("indices", "values")
    _kind = "COOTensor"

    def __init__(self, indices=None, values=None, shape=None, coo_tensor=None):
        if coo_tensor is not None:
            self._take(coo_tensor, COOTensor, "coo_tensor", (indices, values, shape))
            return
        kind = self._kind
        check_type(kind, "indices", indices, Tensor)
        check_type(kind, "values", values, Tensor)
        _check_shape(kind, shape, values.size)
        if len(shape) != 2:
            error = TypeError if scopes.tracing else ValueError  # MindSpore's compiler raises another class
            raise error(f"For '{kind}', the 'shape' must have 2 elements, but got {shape}.")
        check_rank(kind, "indices", indices, 2)
        check_rank(kind, "values", values, 1)
        if indices.shape != (values.shape[0], 2):
            raise ValueError(
                f"For '{kind}', the 'indices' must have the shape {(values.shape[0], 2)} for values of shape "
                f"{values.shape}, but got {indices.shape}."
            )
        _check_index_type(kind, "indices", indices)
        self._set(shape, _without_gradient(indices), values)

    def coalesce(self) -> COOTensor:
        """The coordinates in order, each once, with the sum of its values. Not inside compiled functions."""
        return _ops().coalesce_coo(self)

    def to_csr(self) -> CSRTensor:
        """The matrix as a CSRTensor; the values of a row stay in their order."""
        return _ops().coo_to_csr(self)

    def to_dense(self) -> Tensor:
        """The matrix as a Tensor; values at one place are added."""
        return _ops().coo_to_dense(self)

    def add(self, other: COOTensor, thresh: Tensor) -> COOTensor:
        """The sum; see `ops.coo_add`.

        Args:
            other: another COOTensor of the same shape.
            thresh: a 0-d Tensor; a sum of two values that is smaller in size is left out.
        """
        return _ops().coo_add(self, other, thresh)

    def __add__(self, other):
        self._same_shape(other, "add")
        if isinstance(other, Tensor):
            return _ops().tensor_scatter_add(other, self.indices, self.values)
        if isinstance(other, COOTensor):
            return _ops().coo_add(self, other, Tensor(0, self.dtype))
        raise self._refuse(other, "add")

    def __radd__(self, other):
        return self + other if isinstance(other, Tensor) else NotImplemented

    def __sub__(self, other):
        self._same_shape(other, "subtract")
        if isinstance(other, Tensor):
            return _ops().tensor_scatter_add(_ops().neg(other), self.indices, self.values)
        if isinstance(other, COOTensor):
            return self + -other
        raise self._refuse(other, "subtract")

    def __rsub__(self, other):
        return -self + other if isinstance(other, Tensor) else NotImplemented

    def _picked(self, other: Any, what: str) -> Any:
        self._same_shape(other, what)
        if not isinstance(other, Tensor):
            raise self._refuse(other, what)
        return _ops().gather_nd(other, self.indices)

    def __mul__(self, other):
        return self._with_values(self.values * self._picked(other, "multiply"))

    def __rmul__(self, other):
        return self * other if isinstance(other, Tensor) else NotImplemented

    def __truediv__(self, other):
        return self._with_values(self.values / self._picked(other, "divide"))


class SparseTensor(COOTensor):
    """The name of `COOTensor` before MindSpore 1.7; the same thing, printed as one.

    Args:
        indices (Tensor): [N, 2].
        values (Tensor): [N].
        shape (tuple): the two sizes of the dense matrix.
    """

    def __init__(self, indices, values, shape):
        super().__init__(indices, values, shape)


class CSRTensor(_Matrix):
    """A sparse matrix (or tensor of slices) by rows.

    Row `i` has the elements `indptr[i]` to `indptr[i + 1]` of `indices`, which are its columns, and of `values`.

    Args:
        indptr (Tensor): [rows + 1] of Int16, Int32 or Int64, not falling.
        indices (Tensor): [N] of Int16, Int32 or Int64.
        values (Tensor): [N, *shape[2:]].
        shape (tuple): sizes of the dense tensor.
        csr_tensor (CSRTensor): another one to copy, in place of the four.

    Raises:
        TypeError: an argument of another type, indices of another dtype.
        ValueError: shapes that do not fit.

    >>> import ms_compat as ms
    >>> x = ms.CSRTensor(ms.Tensor([0, 1, 2]), ms.Tensor([1, 2]), ms.Tensor([1.0, 2.0]), (2, 3))
    >>> print(x.mv(ms.Tensor([[1.0], [10.0], [100.0]])))
    [[ 10.]
     [200.]]
    """

    _names = ("indptr", "indices", "values")
    _kind = "CSRTensor"

    def __init__(self, indptr=None, indices=None, values=None, shape=None, csr_tensor=None):
        if csr_tensor is not None:
            self._take(csr_tensor, CSRTensor, "csr_tensor", (indptr, indices, values, shape))
            return
        kind = self._kind
        for name, part in (("indptr", indptr), ("indices", indices), ("values", values)):
            check_type(kind, name, part, Tensor)
        _check_shape(kind, shape, values.size)
        check_rank(kind, "indptr", indptr, 1)
        check_rank(kind, "indices", indices, 1)
        if len(shape) < 2 or len(values.shape) != len(shape) - 1:
            raise ValueError(
                f"For '{kind}', the 'values' must have one dimension less than 'shape', but got the shapes "
                f"{values.shape} and {shape}."
            )
        if indptr.shape[0] != shape[0] + 1:
            raise ValueError(
                f"For '{kind}', the 'indptr' must have {shape[0] + 1} elements for {shape[0]} rows, but got "
                f"{indptr.shape[0]}."
            )
        if values.shape != (*indices.shape, *shape[2:]):
            raise ValueError(
                f"For '{kind}', the 'values' must have the shape {(*indices.shape, *shape[2:])} for indices of shape "
                f"{indices.shape} and shape {shape}, but got {values.shape}."
            )
        _check_index_type(kind, "indptr", indptr)
        _check_index_type(kind, "indices", indices)
        self._set(shape, indptr, indices, values)

    @property
    def indptr(self) -> Any:
        """Where each row starts in `indices` and `values`, and the end."""
        return self.__dict__["_indptr"]

    def to_coo(self) -> COOTensor:
        """The matrix as a COOTensor.

        Raises:
            ValueError: there are more than 2 dimensions.
        """
        return _ops().csr_to_coo(self)

    def to_dense(self) -> Tensor:
        """The matrix as a Tensor.

        Raises:
            ValueError: there are more than 2 dimensions.
        """
        return _ops().csr_to_dense(self)

    def mv(self, dense_vector: Tensor) -> Tensor:
        """The product with a vector.

        Args:
            dense_vector: [columns, 1].

        Returns:
            Tensor [rows, 1].
        """
        check_type("CSRTensor.mv", "dense_vector", dense_vector, Tensor)
        return _ops().csr_mv(self, dense_vector)

    def mm(self, matrix: Tensor | CSRTensor) -> Tensor | CSRTensor:
        """The product with a matrix.

        Args:
            matrix: [columns, K], a Tensor, or a CSRTensor (not inside compiled functions).

        Returns:
            [rows, K] in the format of `matrix`.
        """
        if isinstance(matrix, CSRTensor):
            return _ops().csr_mm(self, matrix)
        check_type("CSRTensor.mm", "matrix", matrix, (Tensor, CSRTensor))
        return _ops().csr_mm_dense(self, matrix)

    def sum(self, axis: int) -> Tensor:
        """The sums of the rows, as [rows, 1, ...].

        Args:
            axis: 1, the only one.

        Raises:
            ValueError: another axis.
        """
        return _ops().csr_reduce_sum(self, axis)

    def add(self, b: CSRTensor, alpha: Tensor, beta: Tensor) -> CSRTensor:
        """`alpha * self + beta * b`; see `ops.csr_add`."""
        return _ops().csr_add(self, b, alpha, beta)

    def __mul__(self, other):
        return _ops().csr_mul(self, other)

    def __rmul__(self, other):
        return self * other if isinstance(other, Tensor) else NotImplemented

    def __truediv__(self, other):
        return _ops().csr_div(self, other)

    def _combined(self, other: Any, what: str, sign: int) -> CSRTensor:
        self._same_shape(other, what)
        if not isinstance(other, CSRTensor):
            raise self._refuse(other, what)
        return self.add(other, Tensor(1, self.dtype), Tensor(sign, self.dtype))

    def __add__(self, other):
        return self._combined(other, "add", 1)

    def __sub__(self, other):
        return self._combined(other, "subtract", -1)


class RowTensorInner(Sparse):
    """Some slices of a dense tensor along its first dimension: `dense[indices[i]] = values[i]`.

    Args:
        indices (Tensor): [N].
        values (Tensor): [N, *shape[1:]].
        shape (tuple): sizes of the dense tensor.
        row_tensor (RowTensor): another one to copy, in place of the three.

    Raises:
        TypeError: an argument of another type.
    """

    _names = ("indices", "values")
    _kind = "RowTensor"

    def __init__(self, indices=None, values=None, shape=None, row_tensor=None):
        if row_tensor is not None:
            self._take(row_tensor, RowTensorInner, "row_tensor", (indices, values, shape))
            return
        check_type("RowTensor", "indices", indices, Tensor)
        check_type("RowTensor", "values", values, Tensor)
        if not isinstance(shape, tuple):
            raise TypeError(f"For 'RowTensor', the 'shape' must be a tuple, but got {type(shape).__name__}.")
        self._set(shape, indices, values)

    @property
    def dense_shape(self) -> tuple[int, ...]:
        """Sizes of the dense tensor."""
        return self._shape


class RowTensor(RowTensorInner):
    """Some slices of a dense tensor along its first dimension: `dense[indices[i]] = values[i]`.

    Args:
        indices (Tensor): [N].
        values (Tensor): [N, *shape[1:]].
        shape (tuple): sizes of the dense tensor.
        row_tensor (RowTensor): another one to copy, in place of the three.

    Raises:
        TypeError: an argument of another type.

    >>> import ms_compat as ms
    >>> x = ms.RowTensor(ms.Tensor([2]), ms.Tensor([[1.0, 2.0]]), (3, 2))
    >>> print(x.indices, x.values, x.dense_shape)
    [2] [[1. 2.]] (3, 2)
    """


def _register(cls: type[Sparse]) -> None:
    jax.tree_util.register_pytree_node(
        cls, lambda x: (x._parts(), x._shape), lambda shape, parts: cls._of(parts, shape)
    )


for _cls in (COOTensor, SparseTensor, CSRTensor, RowTensorInner, RowTensor):
    _register(_cls)
