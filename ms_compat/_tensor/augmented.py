"""Augmented assignments such as `x += y`.

In PYNATIVE_MODE they make a new tensor. In compiled code `+=`, `-=`, `*=`, `/=`, `//=` and `%=` write into `x`, as
MindSpore's compiler does: every other name of the tensor sees the new value, also the caller's, an attribute and a
Parameter, and the tensor keeps its dtype and shape; `y` is cast to its dtype first
(tests/conformance/data/augmented.json). `**=` and `@=` make a new tensor there, too.
"""

from __future__ import annotations

from collections.abc import Callable

from ms_compat._core.dispatch import shared_storage
from ms_compat._core.tensor import Tensor
from ms_compat._core.tensor.sparse import Sparse
from ms_compat._core.trace import scopes

# what MindSpore raises for a tensor on the left whose dtype has no such kernel, by the kind of the dtype
_REFUSED: dict[tuple[str, str], type[Exception]] = {
    ("+", "b"): TypeError,
    ("-", "b"): TypeError,
    ("/", "b"): TypeError,
    ("%", "b"): RuntimeError,
    ("%", "c"): RuntimeError,
}


def augmented(sign: str, plain: Callable) -> Callable:
    """The operator `sign=`, of the operator `sign` that gives a new tensor."""

    def operator(self, other, **alpha):
        if not scopes.as_compiled() or isinstance(other, (list, tuple, Sparse)):
            return plain(self, other, **alpha)
        kind = self._v.dtype.kind
        if (sign, kind) in _REFUSED:
            raise _REFUSED[sign, kind](
                f"'x {sign}= y' writes into 'x' in compiled code, and takes no {self.dtype} tensor 'x'. Write "
                f"'x = x {sign} y' for a new tensor."
            )
        if isinstance(other, Tensor):
            other = other if other.dtype is self.dtype else other.astype(self.dtype)
        elif kind == "b":
            other = bool(other)
        elif kind in "iu" and isinstance(other, float):
            other = int(other)
        return _written(sign, self, plain(self, other, **alpha))

    operator.__name__ = operator.__qualname__ = plain.__name__.replace("__", "__i", 1)
    return operator


def _written(sign: str, target: Tensor, new: Tensor) -> Tensor:
    if new.shape != target.shape:
        raise RuntimeError(
            f"'x {sign}= y' writes into 'x' in compiled code, so the result must have the shape of 'x', "
            f"{target.shape}, but has {new.shape}. Write 'x = x {sign} y' for a new tensor."
        )
    return shared_storage.write(target, new if new.dtype is target.dtype else new.astype(target.dtype))
