"""The primitive that steps a pair (seed, offset) of Tensors, which libraries make their own generators of."""

from __future__ import annotations

from typing import Any

import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.dispatch import random
from ms_compat._core.tensor import Tensor
from ms_compat.ops.primitive import Primitive

_STATE_SIZE = 16
# command -> its name and the number of its inputs
_COMMANDS = {
    0: ("STEP", 3),
    1: ("SEED", 2),
    2: ("GET_STATE", 2),
    3: ("SET_STATE", 3),
    4: ("MANUAL_SEED", 3),
    5: ("INITIAL_SEED", 2),
}


class Generator(Primitive):
    """`Generator(seed, offset)(command, (seed, offset, ...))` reads or writes a seed and the offset behind it.

    Commands: 0 returns both and adds the third input to the offset; 1 draws a seed from the operating system; 2 and 3
    return and take a state of 16 bytes; 4 takes a seed; 5 returns it. A new seed sets the offset to 0.

    Args:
        seed (Tensor): Int64, written in place. Without it, as in MindSpore 2.7, the inputs' seed is used.
        offset (Tensor): likewise.

    Returns:
        At the call, (seed, offset, None), (None, None, state), (seed,), or None where something was set.

    Raises:
        RuntimeError: at the call, for another command, or inputs that it does not take.

    >>> import ms_compat as ms
    >>> seed, offset = ms.Tensor(0), ms.Tensor(0)
    >>> generator = Generator(seed, offset)
    >>> generator(4, (seed, offset, ms.Tensor(5)))
    >>> print(*generator(0, (seed, offset, ms.Tensor(3))), offset)
    5 0 None 3
    """

    def __init__(self, seed: Any = None, offset: Any = None):
        super().__init__("Generator")
        self.add_prim_attr("side_effect_mem", True)
        self._own = (seed, offset)

    def __call__(self, cmd: int, inputs: Any) -> tuple | None:
        if cmd not in _COMMANDS:
            raise RuntimeError(f"For 'Generator', the command must be one of 0 to 5, but got {cmd}.")
        name, count = _COMMANDS[cmd]
        if len(inputs) != count:
            raise RuntimeError(f"For 'Generator', {name} expects {count} inputs, but got {len(inputs)}.")
        seed, offset = [given if own is None else own for own, given in zip(self._own, inputs[:2], strict=True)]
        value = np.empty(0)
        if count == 3:
            value = _checked(inputs[2], name, mstype.uint8 if name == "SET_STATE" else mstype.int64)
        now = int(seed.asnumpy()), int(offset.asnumpy())
        if name == "STEP":
            offset.assign_value(Tensor(now[1] + int(value), mstype.int64))
            return Tensor(now[0], mstype.int64), Tensor(now[1], mstype.int64), None
        if name == "INITIAL_SEED":
            return (Tensor(now[0], mstype.int64),)
        if name == "GET_STATE":
            return None, None, Tensor(np.frombuffer(np.array(now, np.int64).tobytes(), np.uint8).copy())
        if name == "SET_STATE":
            if value.size != _STATE_SIZE:
                raise RuntimeError(f"For 'Generator', a state has {_STATE_SIZE} bytes, but got {value.size}.")
            drawn, start = np.frombuffer(value.tobytes(), np.int64).tolist()
        else:
            drawn, start = (random.RandomStream().seed if name == "SEED" else int(value)), 0
        seed.assign_value(Tensor(drawn, mstype.int64))
        offset.assign_value(Tensor(start, mstype.int64))
        return (Tensor(drawn, mstype.int64),) if name == "SEED" else None


def _checked(value: Any, name: str, dtype: Any) -> np.ndarray:
    if not isinstance(value, Tensor) or value.dtype != dtype:
        got = value.dtype if isinstance(value, Tensor) else type(value).__name__
        raise RuntimeError(f"For 'Generator', the third input of {name} must be a Tensor of {dtype}, but got {got}.")
    return value.asnumpy()
