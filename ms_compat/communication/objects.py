"""Python objects between processes, and batches of messages, for `mint.distributed` and `ops.communication`.

Objects travel as data, in the types that `encoding.py` lists; it refuses instances of a program's classes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ms_compat._core import dtype as mstype
from ms_compat._core.errors import check_int, check_type
from ms_compat._core.tensor import Tensor
from ms_compat.communication import functional, messages
from ms_compat.communication.functional import CommHandle, group_of, root_of
from ms_compat.communication.management import GlobalComm, get_group_size, get_rank
from ms_compat.ops.function.shape.create import zeros


def _named(api: str, group: Any) -> tuple[str, tuple[int, ...]]:
    ranks = group_of(api, group)
    return GlobalComm.WORLD_COMM_GROUP if group is None else group, ranks


def _check_room(api: str, name: str, found: Any, count: int) -> None:
    check_type(api, name, found, list)
    if len(found) != count:
        raise TypeError(f"For '{api}', the len of argument '{name}' must be {count}, but got {len(found)}.")


def all_gather_object(object_list, obj, group=None):
    """Gathers the objects of all processes in each process.

    Args:
        object_list (list): for the results, one a process.
        obj (Any): this process's object, of a type in `encoding.py`.
        group (str): the group's name; None for all processes.

    Raises:
        TypeError: `object_list` has another length, or `group` is not a str.
        RuntimeError: `mindspore.communication.init` was not called.
    """
    api = "all_gather_object"
    check_type(api, "group", group, (str, type(None)))
    _check_room(api, "object_list", object_list, get_group_size(group or GlobalComm.WORLD_COMM_GROUP))
    name, ranks = _named(api, group)
    object_list[:] = messages.gather_objects(api, obj, ranks, name)


def broadcast_object_list(object_list, src=0, group=None, device=None):
    """Copies one process's objects to each process.

    Args:
        object_list (list): what `src` sends; overwritten elsewhere.
        src (int): the number among all processes of the one that sends.
        group (str): the group's name; None for all processes.
        device (str): reserved.

    Raises:
        TypeError: an argument of a wrong type.
        ValueError: `src` is not in the group.
    """
    api = "broadcast_object_list"
    if isinstance(src, bool) or not isinstance(src, int):
        raise TypeError(f"For '{api}', the src must be int, but got {type(src).__name__}.")
    check_type(api, "object_list", object_list, list)
    check_type(api, "device", device, (str, type(None)))
    name, ranks = _named(api, group)
    root_of(api, "src", src, ranks)
    if get_rank() == src:
        for peer in ranks:
            if peer != src:
                messages.send_object(api, object_list, peer, name)
    else:
        object_list[:] = messages.receive_object(api, src, name)


def gather_object(obj, object_gather_list=None, dst=0, group=None):
    """Gathers the objects of all processes in one process.

    Args:
        obj (Any): this process's object, of a type in `encoding.py`.
        object_gather_list (list): in the process `dst`, for the results.
        dst (int): the number among all processes of the one that gets them.
        group (str): the group's name; None for all processes.
    """
    api = "gather_object"
    name, ranks = _named(api, group)
    root_of(api, "dst", dst, ranks)
    if get_rank() != dst:
        messages.send_object(api, obj, dst, name)
        return
    _check_room(api, "object_gather_list", object_gather_list, len(ranks))
    object_gather_list[:] = [obj if peer == dst else messages.receive_object(api, peer, name) for peer in ranks]


def scatter_object_list(scatter_object_output_list, scatter_object_input_list, src=0, group=None):
    """Scatters one process's objects, one to each process.

    Args:
        scatter_object_output_list (list): its first item is overwritten.
        scatter_object_input_list (list): in the process `src`, one object a process.
        src (int): the number among all processes of the one that sends.
        group (str): the group's name; None for all processes.
    """
    api = "scatter_object_list"
    name, ranks = _named(api, group)
    root_of(api, "src", src, ranks)
    check_type(api, "scatter_object_output_list", scatter_object_output_list, list)
    if not scatter_object_output_list:
        raise TypeError(f"For '{api}', the 'scatter_object_output_list' can not be empty.")
    if get_rank() == src:
        _check_room(api, "scatter_object_input_list", scatter_object_input_list, len(ranks))
        for peer, value in zip(ranks, scatter_object_input_list, strict=True):
            if peer == src:
                scatter_object_output_list[0] = value
            else:
                messages.send_object(api, value, peer, name)
    else:
        scatter_object_output_list[0] = messages.receive_object(api, src, name)


def _other(api: str, name: str, peer: Any, ranks: tuple[int, ...]) -> None:
    root_of(api, name, peer, ranks)
    if peer == get_rank():
        raise ValueError(f"For '{api}', the '{name}' must be another process than this one, {peer}.")


def send_object_list(object_list, dst=0, group=None, device=None):
    """Sends a list of objects to a process; returns 0. Arguments as of `broadcast_object_list`."""
    api = "send_object_list"
    check_type(api, "object_list", object_list, list)
    check_type(api, "device", device, (str, type(None)))
    name, ranks = _named(api, group)
    _other(api, "dst", dst, ranks)
    messages.send_object(api, object_list, dst, name)
    return 0


def recv_object_list(object_list, src=0, group=None, device=None):
    """Receives a list of objects from a process into one of that length; returns 0."""
    api = "recv_object_list"
    check_type(api, "object_list", object_list, list)
    check_type(api, "device", device, (str, type(None)))
    name, ranks = _named(api, group)
    _other(api, "src", src, ranks)
    object_list[:] = messages.receive_object(api, src, name)
    return 0


class P2POp:
    """One message in a batch.

    Args:
        op: "isend" or "irecv", or a function with one of these names.
        tensor (Tensor): what is sent, or of the shape and dtype that is received.
        peer (int): the other process's number among all.
        group (str): the group's name; None for all processes.
        tag (int): must be 0.

    Raises:
        TypeError: an argument of a wrong type, or another `op`.
        NotImplementedError: `tag` is not 0.
    """

    def __init__(self, op, tensor, peer, group=None, tag=0):
        name = op if isinstance(op, str) else getattr(op, "__name__", op)
        if name not in ("isend", "irecv"):
            raise TypeError(f"For 'P2POp', the 'op' must be isend or irecv, but got {op!r}.")
        check_type("P2POp", "tensor", tensor, Tensor)
        check_int("P2POp", "peer", peer)
        check_type("P2POp", "group", group, (str, type(None)))
        if tag != 0:
            raise NotImplementedError(f"For 'P2POp', a 'tag' is not supported, but got {tag}.")
        self.op, self.tensor, self.peer, self.group, self.tag = op, tensor, peer, group, tag
        self.kind = name


def run_batch(p2p_op_list: Any) -> list[tuple[Tensor, messages.Receipt | None]]:
    """Sends a batch's outgoing messages; returns the tensors, with what they will receive.

    Raises:
        TypeError: the batch is empty, or holds something else, or several groups.
    """
    api = "batch_isend_irecv"
    if not isinstance(p2p_op_list, (list, tuple)) or not p2p_op_list:
        raise TypeError(f"For '{api}', the p2p_op_list can not be empty list, but got {p2p_op_list!r:.80}.")
    if any(not isinstance(item, P2POp) for item in p2p_op_list):
        raise TypeError(f"For '{api}', the elements in p2p_op_list must be type of P2POp.")
    if len({item.group for item in p2p_op_list}) > 1:
        raise TypeError(f"For '{api}', the group name in p2p_op_list must be one.")
    out: list[tuple[Tensor, messages.Receipt | None]] = []
    for item in p2p_op_list:
        if item.kind == "isend":
            functional.isend(item.tensor, item.peer, item.group)
            out.append((item.tensor, None))
        else:
            out.append((item.tensor, functional.receipt(api, item.tensor, item.peer, item.group, 0)))
    return out


def batch_isend_irecv(p2p_op_list):
    """Sends and receives several tensors; received ones are complete after the handle's `wait`.

    Args:
        p2p_op_list (list[P2POp]): the messages.

    Returns:
        A list of one handle.
    """
    batch = run_batch(p2p_op_list)

    def finish() -> None:
        for tensor, coming in batch:
            if coming is not None:
                functional._write(tensor, coming.take())

    return [CommHandle([tensor for tensor, _ in batch], finish)]


def batch_isend_irecv_out(p2p_op_list: Sequence[P2POp]) -> tuple[Tensor, ...]:
    """As `batch_isend_irecv`, with the received tensors returned; a number without meaning for each that was sent."""
    return tuple(
        [zeros((), mstype.float32) if coming is None else coming.take() for _, coming in run_batch(p2p_op_list)]
    )
