"""Primitives of MindSpore's compiler for sequences and numbers: `ops.operations._sequence_ops` and `_scalar_ops`.

In MindSpore a compiled function computes with these on sequences of unknown length; here it does so in Python.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

from ms_compat._core import dtype as mstype
from ms_compat._core.tensor import Tensor
from ms_compat.ops.function.elementwise.arithmetic import addn
from ms_compat.ops.function.elementwise.compare import equal
from ms_compat.ops.function.shape.create import zeros_like
from ms_compat.ops.function.shape.dynamic_shape import tensor_to_tuple
from ms_compat.ops.function.shape.join import concat, stack
from ms_compat.ops.function.shape.views import unstack
from ms_compat.ops.primitive import Primitive, Row, make_primitives


def _same(x: Any, y: Any) -> bool:
    if isinstance(x, Tensor) and isinstance(y, Tensor):
        return x.shape == y.shape and bool(equal(x, y).all())
    return not isinstance(x, Tensor) and not isinstance(y, Tensor) and x == y


def _index(seq: Sequence, target: Any, start: int, end: int) -> int:
    """The place of the first element equal to `target`, from `start` to before `end`.

    Raises:
        ValueError: there is none.
    """
    for place in range(*slice(start, end).indices(len(seq))):
        if _same(seq[place], target):
            return place
    raise ValueError(f"For 'SequenceIndex', {target!r:.60} is not in the sequence.")


def _replaced(seq: Any, target: Sequence, start: int, stop: int, step: int) -> Any:
    """The sequence with a slice replaced."""
    out = list(seq)
    out[start:stop:step] = target
    return type(seq)(out)


def _inserted(seq: Any, index: int, target: Any) -> list:
    """A list of the sequence with an element more."""
    return [*seq[:index], target, *seq[index:]]


def _without(seq: Any, index: int) -> list:
    """A list of the sequence with an element less."""
    kept = list(seq)
    del kept[index]
    return kept


def _zeros(seq: Any) -> Any:
    """Zeros with the elements' types."""
    return type(seq)([zeros_like(x) if isinstance(x, Tensor) else type(x)(0) for x in seq])


def _as_tensor(seq: Sequence, dtype: Any) -> Tensor:
    """The elements in one Tensor, of Int64 or Float32 if no type is given."""
    if isinstance(seq[0], Tensor):
        return stack(seq).astype(dtype or seq[0].dtype)
    return Tensor(seq, dtype or (mstype.int64 if isinstance(seq[0], int) else mstype.float32))


_AXIS = {"axis": 0}
_SLICE = ("seq", "start", "stop", "step")

_TABLE = {
    "InSequence": Row(lambda target, seq: any(_same(target, x) for x in seq), ("target", "seq")),
    "ListAppend": Row(lambda seq, target: [*seq, target], ("seq", "target")),
    "ListAppendAndInsertGrad": Row(_without, ("seq", "index")),
    "ListInsert": Row(_inserted, ("seq", "index", "target")),
    "ListToTensor": Row(_as_tensor, ("seq", ("dtype", None))),
    "SequenceAdd": Row(operator.add, ("seq", "other")),
    "SequenceAddN": Row(addn, ("seq",)),
    "SequenceConcat": Row(lambda seq, axis: concat(list(seq), axis), ("seq",), _AXIS),
    "SequenceCount": Row(lambda seq, target: sum(_same(target, x) for x in seq), ("seq", "target")),
    "SequenceIndex": Row(_index, ("seq", "target", "start", "end")),
    "SequenceMax": Row(max, ("seq",)),
    "SequenceMin": Row(min, ("seq",)),
    "SequenceMul": Row(operator.mul, ("seq", "count")),
    "SequenceSlice": Row(lambda seq, start, stop, step: seq[start:stop:step], _SLICE),
    "SequenceSliceSetItem": Row(_replaced, ("seq", "target", *_SLICE[1:])),
    "SequenceStack": Row(lambda seq, axis: stack(list(seq), axis), ("seq",), _AXIS),
    "SequenceUnstack": Row(lambda x, num, axis: unstack(x, axis), ("input_x",), {"num": None, "axis": 0}),
    "SequenceZerosLike": Row(_zeros, ("seq",)),
    "TensorToList": Row(lambda x: list(tensor_to_tuple(x)), ("input_tensor",)),
    "TupleToTensor": Row(_as_tensor, ("seq", ("dtype", None))),
    # numbers
    "ScalarAdd": Row(operator.add, ("x", "y")),
    "ScalarBool": Row(bool, ("x",)),
    "ScalarDiv": Row(operator.truediv, ("x", "y")),
    "ScalarEq": Row(operator.eq, ("x", "y")),
    "ScalarFloorDiv": Row(operator.floordiv, ("x", "y")),
    "ScalarGe": Row(operator.ge, ("x", "y")),
    "ScalarGt": Row(operator.gt, ("x", "y")),
    "ScalarLe": Row(operator.le, ("x", "y")),
    "ScalarLog": Row(math.log, ("x",)),
    "ScalarLt": Row(operator.lt, ("x", "y")),
    "ScalarMax": Row(max, ("x", "y")),
    "ScalarMin": Row(min, ("x", "y")),
    "ScalarMod": Row(operator.mod, ("x", "y")),
    "ScalarMul": Row(operator.mul, ("x", "y")),
    "ScalarPow": Row(operator.pow, ("x", "y")),
    "ScalarSub": Row(operator.sub, ("x", "y")),
    "ScalarUadd": Row(operator.pos, ("x",)),
    "ScalarUsub": Row(operator.neg, ("x",)),
}


class _Named(Primitive):
    """A primitive that is there once, under the name of its function."""

    def __init__(self, name: str, fn: Callable) -> None:
        super().__init__(name)
        self._fn = fn

    def __call__(self, *args: Any) -> Any:
        return self._fn(*args)


_ORDER = {"lt": operator.lt, "le": operator.le, "greater_than": operator.gt, "greater_equal": operator.ge}
NAMED = {f"{kind}_{name}": _Named(f"{kind}_{name}", fn) for kind in ("tuple", "list") for name, fn in _ORDER.items()}
NAMED |= {
    "bit_and": _Named("bit_and", operator.and_),
    "bit_or": _Named("bit_or", operator.or_),
    "bit_xor": _Named("bit_xor", operator.xor),
    "bit_left_shift": _Named("bit_left_shift", operator.lshift),
    "bit_right_shift": _Named("bit_right_shift", operator.rshift),
    "sequence_len": _Named("sequence_len", len),
    "string_lt": _Named("string_lt", operator.lt),
    "string_le": _Named("string_le", operator.le),
    "string_gt": _Named("string_gt", operator.gt),
    "string_ge": _Named("string_ge", operator.ge),
    "string_not": _Named("string_not", operator.not_),
    "string_in": _Named("string_in", lambda part, whole: part in whole),
    "string_mul": _Named("string_mul", operator.mul),
    "string_getitem": _Named("string_getitem", operator.getitem),
}
PRIMITIVES = make_primitives(_TABLE, __name__)
globals().update(PRIMITIVES | NAMED)
__all__ = [*PRIMITIVES, *NAMED]
