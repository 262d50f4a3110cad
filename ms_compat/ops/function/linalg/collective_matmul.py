"""Matrix products with a collective before or after them; XLA overlaps the two where it can."""

from __future__ import annotations

from typing import Any

from ms_compat._core.errors import check_bool, check_int, check_type
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat.communication import collectives
from ms_compat.communication.management import members
from ms_compat.ops.function.linalg.basic import mm
from ms_compat.ops.function.shape.create import zeros
from ms_compat.ops.function.shape.views import swapaxes


def _checked(api: str, input: Any, x2: Any, group: Any, world_size: Any, trans_x2: Any, fixed: dict[str, tuple]) -> Any:
    """The second matrix as it is multiplied, and the processes; `fixed` are arguments with the only value they take."""
    for name, x in (("input", input), ("x2", x2)):
        check_type(api, name, x, Tensor)
        if x.ndim != 2:
            raise RuntimeError(f"For '{api}', '{name}' must have 2 dimensions, but its shape is {x.shape}.")
    check_type(api, "group", group, str)
    check_int(api, "world_size", world_size)
    check_bool(api, "trans_x2", trans_x2)
    for name, (value, only) in fixed.items():
        if value != only:
            raise RuntimeError(f"For '{api}', '{name}' must be {only!r}, but got {value!r:.80}.")
    if input.dtype != x2.dtype:
        raise RuntimeError(f"For '{api}', the dtypes must be the same, but got {input.dtype} and {x2.dtype}.")
    right = swapaxes(x2, 0, 1) if trans_x2 else x2
    if input.shape[1] != right.shape[0]:
        raise RuntimeError(f"For '{api}', the shapes {input.shape} and {right.shape} cannot be multiplied.")
    ranks = members(api, group)
    if world_size != len(ranks):
        raise RuntimeError(f"For '{api}', 'world_size' must be the group's {len(ranks)}, but got {world_size}.")
    return right, ranks


@faces("ops")
def all_gather_matmul(
    input, x2, group, world_size, *, bias=None, gather_index=0, gather_output=True, comm_turn=0, trans_input=False,
    trans_x2=False,
):  # fmt: skip
    """The rows of all processes times a matrix. MindSpore's takes half precision and 256 columns at least.

    Args:
        input (Tensor): [m, k], of the same shape in each process.
        x2 (Tensor): [k, n], or [n, k] with `trans_x2`; with `input`'s dtype.
        group (str): the group's name.
        world_size (int): the number of its processes.
        bias, gather_index, comm_turn, trans_input: None, 0, 0 and False, as in MindSpore.
        gather_output (bool): whether to return the gathered rows; otherwise a Tensor of shape (0,).
        trans_x2 (bool): whether `x2` is transposed.

    Returns:
        Tuple of the product [m * world_size, n] and the gathered rows [m * world_size, k].

    Raises:
        TypeError: an argument of a wrong type.
        RuntimeError: another value of an argument, unequal dtypes, shapes that cannot be multiplied, or
            `mindspore.communication.init` was not called.

    >>> import ms_compat as ms
    >>> ms.communication.init()
    >>> out, rows = ms.ops.all_gather_matmul(ms.Tensor([[1.0, 2.0]]), ms.Tensor([[3.0], [4.0]]), "hccl_world_group", 1)
    >>> print(out, rows)
    [[11.]] [[1. 2.]]
    >>> ms.communication.release()
    """
    api = "all_gather_matmul"
    check_bool(api, "gather_output", gather_output)
    fixed = {"bias": (bias, None), "gather_index": (gather_index, 0), "comm_turn": (comm_turn, 0)}
    fixed["trans_input"] = (trans_input, False)
    right, ranks = _checked(api, input, x2, group, world_size, trans_x2, fixed)
    rows = collectives.all_gather(input, ranks)
    return mm(rows, right), rows if gather_output else zeros((0,), input.dtype)


@faces("ops")
def matmul_reduce_scatter(
    input, x2, group, world_size, *, reduce_op="sum", bias=None, comm_turn=0, trans_input=False, trans_x2=False
):
    """The product added up over the processes, of which each gets a part of the rows.

    Args:
        input (Tensor): [m, k], where `world_size` divides m.
        x2, group, world_size, bias, comm_turn, trans_input, trans_x2: as of `all_gather_matmul`.
        reduce_op (str): "sum".

    Returns:
        Tensor [m / world_size, n].

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: another `reduce_op`, or rows that cannot be divided.
        RuntimeError: as of `all_gather_matmul`.
    """
    api = "matmul_reduce_scatter"
    if check_type(api, "reduce_op", reduce_op, str) != "sum":
        raise ValueError(f"For '{api}', 'reduce_op' must be 'sum', but got {reduce_op!r}.")
    fixed = {"bias": (bias, None), "comm_turn": (comm_turn, 0), "trans_input": (trans_input, False)}
    right, ranks = _checked(api, input, x2, group, world_size, trans_x2, fixed)
    return collectives.reduce_scatter(mm(input, right), ranks, "sum")
