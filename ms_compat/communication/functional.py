"""The functions of `mint.distributed` and `ops.communication`: one body, two interfaces.

A body returns an `Outcome`: the tensors that the caller gave for the results, the results, and whether the call is
asynchronous. `mint.distributed` writes the results into these tensors and returns a handle or None; `ops.communication`
writes them after `set_comm_ops_inplace(True)`, and otherwise returns `(result, handle)`. JAX computes asynchronously
anyway, so a handle only has to wait.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ms_compat._core.checks import check_choice
from ms_compat._core.dispatch import shared_storage
from ms_compat._core.errors import check_bool, check_type
from ms_compat._core.tensor import Tensor
from ms_compat.communication import collectives, messages, uneven
from ms_compat.communication.management import GlobalComm, get_group_size, get_rank, members


class CommHandle:
    """The result of an asynchronous call.

    Args:
        tensors: the tensors to wait for.
        finish: receives what is missing; the first `wait` calls it.
    """

    def __init__(self, tensors: Sequence[Tensor] = (), finish: Callable[[], None] | None = None) -> None:
        self._tensors = tuple(tensors)
        self._finish = finish

    def wait(self) -> None:
        """Returns when the results are there."""
        if self._finish is not None:
            finish, self._finish = self._finish, None
            finish()
        collectives.complete(self._tensors)


class Outcome(NamedTuple):
    """What a body returns; see the module's docstring."""

    targets: Any
    results: Any
    asynchronous: bool


def _write(target: Tensor, result: Any) -> None:
    if target.shape != result.shape:
        result = result.reshape(target.shape)
    shared_storage.write(target, result if result.dtype == target.dtype else result.astype(target.dtype))


def in_place(body: Callable) -> Callable:
    """The interface that writes into the caller's tensors, and returns a handle or None."""

    @functools.wraps(body)
    def call(*args: Any, **kwargs: Any) -> CommHandle | None:
        return _deliver(body(*args, **kwargs))

    return call


def _deliver(outcome: Outcome) -> CommHandle | None:
    many = isinstance(outcome.targets, (list, tuple))
    targets = outcome.targets if many else (outcome.targets,)
    for target, result in zip(targets, outcome.results if many else (outcome.results,), strict=True):
        _write(target, result)
    return CommHandle(targets) if outcome.asynchronous else None


_inplace: dict[str, bool] = {}


def as_set(body: Callable) -> Callable:
    """The interface that follows `set_comm_ops_inplace`."""
    name = body.__name__
    _inplace[name] = False

    @functools.wraps(body)
    def call(*args: Any, **kwargs: Any) -> Any:
        outcome = body(*args, **kwargs)
        if _inplace[name]:
            return _deliver(outcome)
        results = outcome.results
        awaited = results if isinstance(results, tuple) else (results,)
        handle = CommHandle(awaited) if outcome.asynchronous else None
        return results, handle

    return call


def set_comm_ops_inplace(is_enable: bool, func_list: Sequence[str] | None = None) -> None:
    """Sets whether `ops.communication` functions write into the caller's tensors, or return new ones (the default).

    Args:
        is_enable: whether they write.
        func_list: the functions' names; None for all.

    Raises:
        TypeError: `is_enable` is not a bool, or `func_list` is not a list.
        ValueError: there is no such function.
    """
    check_bool("set_comm_ops_inplace", "is_enable", is_enable)
    check_type("set_comm_ops_inplace", "func_list", func_list, (list, tuple, type(None)))
    for name in func_list or ():
        if name not in _inplace:
            raise ValueError(
                f"For 'set_comm_ops_inplace', the names in 'func_list' must be of {sorted(_inplace)}, but got {name!r}."
            )
    for name in list(_inplace) if func_list is None else func_list:
        _inplace[name] = is_enable


def writes(name: str) -> bool:
    """Whether `set_comm_ops_inplace` makes a function of `ops.communication` write into its arguments."""
    return _inplace.setdefault(name, False)


# -- checks ----------------------------------------------------------------------------------------------------------
def _tensor(api: str, value: Any, name: str = "tensor") -> Any:
    check_type(api, name, value, Tensor)
    return value


def _tensors(api: str, value: Any, name: str, count: int | None = None) -> Sequence[Any]:
    check_type(api, name, value, (list, tuple))
    if count is not None and len(value) != count:
        raise TypeError(f"For '{api}', the '{name}' must have {count} items, one a process, but got {len(value)}.")
    for item in value:
        _tensor(api, item, f"item of {name}")
    return value


def _like(api: str, one: Tensor, others: Sequence[Tensor]) -> None:
    for other in others:
        if other.shape != one.shape or other.dtype != one.dtype:
            raise TypeError(
                f"For '{api}', all tensors must have shape {one.shape} and dtype {one.dtype}, but one has "
                f"{other.shape} and {other.dtype}."
            )


def _op(api: str, op: Any, choices: Sequence[str] = collectives.OPS) -> str:
    if not isinstance(op, str):
        raise TypeError(f"For '{api}', the input op type must be str, but got {type(op).__name__}.")
    if op not in choices:
        raise TypeError(f"For '{api}', the input op value must be one of {list(choices)}, but got {op!r}.")
    return op


def _async(api: str, value: Any) -> bool:
    check_bool(api, "async_op", value)
    return value


def group_of(api: str, group: Any) -> tuple[int, ...]:
    """The processes in one of this process's groups.

    Raises:
        TypeError: the name is not a str.
        RuntimeError: `init` was not called.
    """
    check_type(api, "group", group, (str, type(None)))
    return members(api, group)


def root_of(api: str, name: str, root: Any, ranks: tuple[int, ...]) -> int:
    """Converts a process's number among all processes to its number in a group.

    Raises:
        TypeError: it is not an int.
        ValueError: it is not in the group.
    """
    if isinstance(root, bool) or not isinstance(root, int):
        raise TypeError(f"For '{api}', the {name} must be int, but got {type(root).__name__}.")
    check_choice(api, name, root, ranks)
    return ranks.index(root)


def _peer(api: str, name: str, peer: Any, group: Any) -> int:
    if isinstance(peer, bool) or not isinstance(peer, int):
        raise TypeError(f"For '{api}', the {name} must be int, but got {type(peer).__name__}.")
    if peer == get_rank():
        raise ValueError(f"For '{api}', the '{name}' must be another process than this one, {peer}.")
    ranks = group_of(api, group)
    root_of(api, name, peer, ranks)
    return peer


def _world(group: str | None) -> str:
    return GlobalComm.WORLD_COMM_GROUP if group is None else group


# -- collectives -----------------------------------------------------------------------------------------------------
def all_reduce(tensor, op="sum", group=None, async_op=False):
    """Combines the tensors of all processes, in each process.

    Args:
        tensor (Tensor): of the same shape and dtype everywhere.
        op (str): "sum", "prod", "max", "min" or "avg".
        group (str): the group's name; None for all processes.
        async_op (bool): whether to return a handle to wait for.

    Raises:
        TypeError: an argument of a wrong type, or another `op`.
        RuntimeError: `mindspore.communication.init` was not called.
    """
    api = "all_reduce"
    _tensor(api, tensor), _op(api, op), _async(api, async_op)
    return Outcome(tensor, collectives.all_reduce(tensor, group_of(api, group), op), async_op)


def all_gather_into_tensor(output_tensor, input_tensor, group=None, async_op=False):
    """Joins the tensors of all processes along the first dimension; arguments as of `all_reduce`."""
    api = "all_gather_into_tensor"
    _tensor(api, output_tensor, "output_tensor"), _tensor(api, input_tensor, "input_tensor"), _async(api, async_op)
    out = collectives.all_gather(input_tensor, group_of(api, group))
    _check_room(api, output_tensor, out.size)
    return Outcome(output_tensor, out, async_op)


def _check_room(api: str, output: Tensor, size: int) -> None:
    if output.size != size:
        raise ValueError(f"For '{api}', the output must have {size} elements, but its shape is {output.shape}.")


def all_gather_into_tensor_uneven(output, input, output_split_sizes=None, group=None, async_op=False):
    """Joins tensors of different lengths along the first dimension.

    Args:
        output (Tensor): for the result.
        input (Tensor): this process's tensor.
        output_split_sizes (list[int]): the length of each process's; None if they are equal.
        group, async_op: as of `all_reduce`.
    """
    api = "all_gather_into_tensor_uneven"
    _tensor(api, output, "output"), _tensor(api, input, "input"), _async(api, async_op)
    ranks = group_of(api, group)
    sizes = _split_sizes(api, "output_split_sizes", output_split_sizes, output, len(ranks))
    return Outcome(output, uneven.all_gather(api, input, sizes, ranks), async_op)


def _split_sizes(api: str, name: str, sizes: Any, tensor: Tensor, count: int) -> list[int]:
    if sizes:
        return uneven.integers(api, name, sizes)
    if not tensor.shape or tensor.shape[0] % count:
        raise ValueError(
            f"For '{api}', without '{name}' the first dimension must be divisible by {count}, but got {tensor.shape}."
        )
    return [tensor.shape[0] // count] * count


def reduce_scatter_tensor(output, input, op="sum", group=None, async_op=False):
    """Combines the tensors of all processes and gives each a part of equal size.

    Args:
        output (Tensor): for the result.
        input (Tensor): its first dimension is divisible by the number of processes.
        op, group, async_op: as of `all_reduce`.
    """
    api = "reduce_scatter_tensor"
    _tensor(api, output, "output"), _tensor(api, input, "input"), _op(api, op), _async(api, async_op)
    out = collectives.reduce_scatter(input, group_of(api, group), op)
    _check_room(api, output, out.size)
    return Outcome(output, out, async_op)


def reduce_scatter_tensor_uneven(output, input, input_split_sizes=None, op="sum", group=None, async_op=False):
    """Combines the tensors of all processes and gives each a part of its own size; see `reduce_scatter_tensor`."""
    api = "reduce_scatter_tensor_uneven"
    _tensor(api, output, "output"), _tensor(api, input, "input"), _op(api, op), _async(api, async_op)
    ranks = group_of(api, group)
    sizes = _split_sizes(api, "input_split_sizes", input_split_sizes, input, len(ranks))
    return Outcome(output, uneven.reduce_scatter(api, input, sizes, ranks, op), async_op)


def broadcast(tensor, src, group=None, async_op=False):
    """Copies one process's tensor to each process.

    Args:
        tensor (Tensor): what `src` sends; of the same shape and dtype everywhere.
        src (int): the number among all processes of the one that sends.
        group, async_op: as of `all_reduce`.
    """
    api = "broadcast"
    _tensor(api, tensor), _async(api, async_op)
    if isinstance(src, bool) or not isinstance(src, int):
        raise TypeError(f"For '{api}', the src must be int, but got {type(src).__name__}.")
    ranks = group_of(api, group)
    return Outcome(tensor, collectives.broadcast((tensor,), ranks, root_of(api, "src", src, ranks))[0], async_op)


def reduce(tensor, dst, op="sum", group=None, async_op=False):
    """Combines the tensors of all processes in one process; the others keep theirs.

    Args:
        tensor (Tensor): of the same shape and dtype everywhere.
        dst (int): the number among all processes of the one that gets the result.
        op, group, async_op: as of `all_reduce`.
    """
    api = "reduce"
    _tensor(api, tensor), _op(api, op), _async(api, async_op)
    ranks = group_of(api, group)
    out = collectives.reduce(tensor, ranks, op, root_of(api, "dst", dst, ranks))
    return Outcome(tensor, out if get_rank() == dst else tensor, async_op)


def all_gather(tensor_list, tensor, group=None, async_op=False):
    """The tensors of all processes, as a list.

    Args:
        tensor_list (list[Tensor]): for the results, one a process.
        tensor (Tensor): this process's tensor.
        group, async_op: as of `all_reduce`.
    """
    api = "all_gather"
    check_type(api, "group", group, (str, type(None)))
    count = get_group_size(_world(group))
    _tensors(api, tensor_list, "tensor_list", count), _tensor(api, tensor), _async(api, async_op)
    _like(api, tensor, tensor_list)
    out = collectives.all_gather(tensor[None], group_of(api, group))
    return Outcome(tensor_list, tuple([out[i] for i in range(count)]), async_op)


def reduce_scatter(output, input_list, op="sum", group=None, async_op=False):
    """Combines lists of tensors item by item and gives each process the item of its number.

    Args:
        output (Tensor): for the result.
        input_list (list[Tensor]): one tensor a process.
        op, group, async_op: as of `all_reduce`.
    """
    api = "reduce_scatter"
    ranks = group_of(api, group)
    _tensor(api, output, "output"), _op(api, op), _async(api, async_op)
    _like(api, output, _tensors(api, input_list, "input_list", len(ranks)))
    out = collectives.reduce_scatter(uneven.joined([x[None] for x in input_list]), ranks, op)
    return Outcome(output, out[0], async_op)


def gather(tensor, gather_list, dst=0, group=None, async_op=False):
    """The tensors of all processes as a list, in one process.

    Args:
        tensor (Tensor): this process's tensor.
        gather_list (list[Tensor]): in the process `dst`, for the results.
        dst, group, async_op: as of `reduce`.
    """
    api = "gather"
    ranks = group_of(api, group)
    _tensor(api, tensor), _async(api, async_op)
    root = root_of(api, "dst", dst, ranks)
    mine = get_rank() == dst
    if mine:
        _like(api, tensor, _tensors(api, gather_list, "gather_list", len(ranks)))
    out = collectives.gather(tensor[None], ranks, root)
    return Outcome(list(gather_list) if mine else [], tuple([out[i] for i in range(len(ranks))] if mine else ()),
                   async_op)  # fmt: skip


def scatter(tensor, scatter_list, src=0, group=None, async_op=False):
    """Sends each process one item from one process's list.

    Args:
        tensor (Tensor): for the result.
        scatter_list (list[Tensor]): in the process `src`, one tensor a process.
        src, group, async_op: as of `broadcast`.
    """
    api = "scatter"
    ranks = group_of(api, group)
    _tensor(api, tensor), _async(api, async_op)
    root = root_of(api, "src", src, ranks)
    items = _tensors(api, scatter_list, "scatter_list", len(ranks)) if get_rank() == src else [tensor] * len(ranks)
    _like(api, tensor, items)
    return Outcome(tensor, collectives.scatter(uneven.joined([x[None] for x in items]), ranks, root)[0], async_op)


def gather_into_tensor(output_tensor, input_tensor, dst=0, group=None, async_op=False):
    """Joins the tensors of all processes along the first dimension, in one process; see `gather`."""
    api = "gather_into_tensor"
    ranks = group_of(api, group)
    _tensor(api, input_tensor, "input_tensor"), _async(api, async_op)
    out = collectives.gather(input_tensor, ranks, root_of(api, "dst", dst, ranks))
    if get_rank() != dst:
        return Outcome((), (), async_op)
    _check_room(api, _tensor(api, output_tensor, "output_tensor"), out.size)
    return Outcome(output_tensor, out, async_op)


def scatter_tensor(output_tensor, input_tensor, src=0, group=None, async_op=False):
    """Cuts the tensor of one process along the first dimension, a part for each process; see `scatter`."""
    api = "scatter_tensor"
    ranks = group_of(api, group)
    _tensor(api, output_tensor, "output_tensor"), _tensor(api, input_tensor, "input_tensor"), _async(api, async_op)
    out = collectives.scatter(input_tensor, ranks, root_of(api, "src", src, ranks))
    _check_room(api, output_tensor, out.size)
    return Outcome(output_tensor, out, async_op)


def all_to_all(output_tensor_list, input_tensor_list, group=None, async_op=False):
    """Sends tensor i to process i; shapes may differ.

    Args:
        output_tensor_list (list[Tensor]): for the results, one a process; shapes (tuples) will do where new tensors are
            returned.
        input_tensor_list (list[Tensor]): one a process, of one dtype.
        group, async_op: as of `all_reduce`.
    """
    api = "all_to_all"
    check_type(api, "output_tensor_list", output_tensor_list, (list, tuple))
    ranks = group_of(api, group)
    _tensors(api, input_tensor_list, "input_tensor_list", len(ranks)), _async(api, async_op)
    if len({x.dtype for x in input_tensor_list}) > 1:
        raise TypeError(f"For '{api}', the tensors in 'input_tensor_list' must have one dtype.")
    shapes = [tuple(x.shape) if isinstance(x, Tensor) else tuple(x) for x in output_tensor_list]
    parts = [x.reshape(-1) for x in input_tensor_list]
    came = uneven.exchange(api, parts, [math.prod(shape) for shape in shapes], ranks)
    results = tuple([x.reshape(shape) for x, shape in zip(came, shapes, strict=True)])
    return Outcome(output_tensor_list, results, async_op)


def all_to_all_single(output, input, output_split_sizes=None, input_split_sizes=None, group=None, async_op=False):
    """Cuts a tensor along the first dimension, sends part i to process i, and joins the received parts.

    Args:
        output (Tensor): for the result; its shape (a tuple) will do where a new tensor is returned.
        input (Tensor): what is sent.
        output_split_sizes, input_split_sizes (list[int]): the lengths of the parts; None if they are equal.
        group, async_op: as of `all_reduce`.
    """
    api = "all_to_all_single"
    _tensor(api, input, "input"), _async(api, async_op)
    check_type(api, "output", output, (Tensor, tuple, list))
    ranks = group_of(api, group)
    shape = tuple(output.shape) if isinstance(output, Tensor) else tuple(output)
    sent = _split_sizes(api, "input_split_sizes", input_split_sizes, input, len(ranks))
    if output_split_sizes:
        came = uneven.integers(api, "output_split_sizes", output_split_sizes)
    elif shape and shape[0] % len(ranks) == 0:
        came = [shape[0] // len(ranks)] * len(ranks)
    else:
        raise ValueError(f"For '{api}', the first dimension of 'output' must be divisible by {len(ranks)}.")
    row = math.prod(input.shape[1:])
    parts = [part.reshape(-1) for part in uneven.split(input, sent)]
    out = uneven.joined(uneven.exchange(api, parts, [n * row for n in came], ranks))
    return Outcome(output, out.reshape(shape), async_op)


def all_to_all_v_c(output, input, send_count_matrix, group=None, async_op=False):
    """As `all_to_all_single`, with the lengths of all processes' parts given as one matrix.

    Args:
        output, input (Tensor): for the result, and what is sent.
        send_count_matrix (list[int]): item `i * n + j` is what process i sends to process j.
        group, async_op: as of `all_reduce`.
    """
    api = "all_to_all_v_c"
    _tensor(api, output, "output"), _tensor(api, input, "input"), _async(api, async_op)
    ranks = group_of(api, group)
    matrix = uneven.integers(api, "send_count_matrix", send_count_matrix)
    me, count, row = ranks.index(get_rank()), len(ranks), math.prod(input.shape[1:])
    if len(matrix) != count * count:
        raise ValueError(f"For '{api}', the 'send_count_matrix' must have {count * count} items, but got {matrix}.")
    parts = [part.reshape(-1) for part in uneven.split(input, matrix[me * count : (me + 1) * count])]
    out = uneven.exchange(api, parts, [n * row for n in matrix[me::count]], ranks, max(matrix) * row)
    return Outcome(output, uneven.joined(out).reshape(output.shape), async_op)


def barrier(group=None, async_op=False, device_ids=None):
    """Returns when all processes of a group have come here.

    Args:
        group (str): the group's name; None for all processes.
        async_op (bool): whether to return a handle.
        device_ids (list[int]): reserved.
    """
    _async("barrier", async_op)
    check_type("barrier", "device_ids", device_ids, (list, tuple, type(None)))
    collectives.barrier(group_of("barrier", group))
    return CommHandle() if async_op else None


# -- messages --------------------------------------------------------------------------------------------------------
def isend(tensor, dst=0, group=None, tag=0):
    """Sends a tensor and does not wait.

    Args:
        tensor (Tensor): what to send.
        dst (int): the receiver's number among all processes.
        group (str): the group's name; None for all processes.
        tag (int): distinguishes messages between the same processes.

    Returns:
        A handle.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: `dst` is this process, or not in the group.
    """
    _tensor("isend", tensor)
    messages.send(tensor, _peer("isend", "dst", dst, group), _world(group), tag)
    return CommHandle()


def send(tensor, dst=0, group=None, tag=0):
    """Sends a tensor; returns 0. Arguments as of `isend`."""
    _tensor("send", tensor)
    messages.send(tensor, _peer("send", "dst", dst, group), _world(group), tag)
    return 0


def receipt(api: str, tensor: Any, src: Any, group: Any, tag: int) -> messages.Receipt:
    """An expected message with a tensor's shape and dtype."""
    _tensor(api, tensor)
    return messages.Receipt(api, _peer(api, "src", src, group), _world(group), tag, tensor.shape, tensor.dtype)


def irecv(tensor, src=0, group=None, tag=0):
    """Receives into a tensor; the result is complete after the returned handle's `wait`. Arguments as of `isend`."""
    coming = receipt("irecv", tensor, src, group, tag)
    return CommHandle((tensor,), lambda: _write(tensor, coming.take()))


def recv(tensor, src=0, group=None, tag=0):
    """Receives into a tensor; returns 0. Arguments as of `isend`."""
    _write(tensor, receipt("recv", tensor, src, group, tag).take())
    return 0
