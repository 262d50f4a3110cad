"""`mindspore.communication.comm_func`: collectives that return their results, as MindSpore had them before 2.9.

The functions call the bodies in `functional.py`, with a new tensor in place of the one that is written.
"""

from ms_compat._core import dtype as mstype
from ms_compat._core.errors import check_type
from ms_compat._names.resolve import unsupported_getattr
from ms_compat.communication import functional, objects
from ms_compat.communication.functional import CommHandle
from ms_compat.communication.management import HCCL_WORLD_COMM_GROUP as _WORLD
from ms_compat.communication.management import get_group_size, get_rank
from ms_compat.communication.objects import batch_isend_irecv_out as batch_isend_irecv
from ms_compat.ops.function.shape.create import zeros

__all__ = [
    "all_reduce",
    "all_gather_into_tensor",
    "all_to_all_with_output_shape",
    "all_to_all_single_with_output_shape",
    "barrier",
    "broadcast",
    "gather_into_tensor",
    "isend",
    "irecv",
    "reduce_scatter_tensor",
    "reduce",
    "scatter_tensor",
    "send",
    "recv",
    "P2POp",
    "batch_isend_irecv",
    "all_to_all_v_c",
]


def _pair(outcome):
    results = outcome.results
    awaited = results if isinstance(results, tuple) else (results,)
    handle = CommHandle(awaited) if outcome.asynchronous else None
    return results, handle


def _nothing(tensor):
    return zeros((1,), tensor.dtype)


def all_reduce(tensor, op="sum", group=_WORLD, async_op=False):
    """The combined tensor of all processes.

    Args:
        tensor (Tensor): of the same shape and dtype everywhere.
        op (str): "sum", "prod", "max" or "min".
        group (str): the group's name.
        async_op (bool): whether to return a handle to wait for.

    Returns:
        (tensor, handle or None).

    Raises:
        TypeError: an argument of a wrong type, or another `op`.
        RuntimeError: `mindspore.communication.init` was not called.
    """
    return _pair(functional.all_reduce(tensor, op, group, async_op))


def all_gather_into_tensor(tensor, group=_WORLD, async_op=False):
    """The tensors of all processes joined along the first dimension; returns (tensor, handle or None)."""
    functional._tensor("all_gather_into_tensor", tensor)
    count = get_group_size(group)
    shape = (count * tensor.shape[0], *tensor.shape[1:]) if tensor.shape else (count,)
    return _pair(functional.all_gather_into_tensor(zeros(shape, tensor.dtype), tensor, group, async_op))


def reduce_scatter_tensor(tensor, op="sum", group=_WORLD, async_op=False):
    """This process's part of the combined tensor; returns (tensor, handle or None).

    Raises:
        ValueError: the first dimension cannot be divided by the number of processes.
    """
    functional._tensor("reduce_scatter_tensor", tensor)
    count = get_group_size(group)
    if not tensor.shape or tensor.shape[0] % count:
        raise ValueError(
            f"For 'reduce_scatter_tensor', the first dimension must be divisible by {count}, but got {tensor.shape}."
        )
    room = zeros((tensor.shape[0] // count, *tensor.shape[1:]), tensor.dtype)
    return _pair(functional.reduce_scatter_tensor(room, tensor, op, group, async_op))


def all_to_all_with_output_shape(output_shape_list, input_tensor_list, group=None, async_op=False):
    """Sends tensor i to process i; returns the received tensors.

    Args:
        output_shape_list (list): the shapes that come, or tensors of them.
        input_tensor_list (list[Tensor]): one a process.
        group, async_op: as of `all_reduce`.

    Returns:
        (tuple of tensors, handle or None).
    """
    return _pair(functional.all_to_all(output_shape_list, input_tensor_list, group, async_op))


def all_to_all_single_with_output_shape(
    output_shape, tensor, output_split_sizes=None, input_split_sizes=None, group=None, async_op=False
):
    """Sends a part of a tensor to each process; joins the received parts along the first dimension.

    Args:
        output_shape (tuple): the result's shape, or a tensor of it.
        tensor (Tensor): what is sent.
        output_split_sizes, input_split_sizes (list[int]): the lengths of the parts; None if they are equal.
        group, async_op: as of `all_reduce`.

    Returns:
        (tensor, handle or None).
    """
    return _pair(
        functional.all_to_all_single(output_shape, tensor, output_split_sizes, input_split_sizes, group, async_op)
    )


def barrier(group=_WORLD):
    """Returns when all processes of a group have come here."""
    functional.barrier(group)


def broadcast(tensor, src=0, group=_WORLD):
    """Process `src`'s tensor, in each process of the group."""
    return functional.broadcast(tensor, src, group).results


def reduce(tensor, dst, op="sum", group=_WORLD):
    """The combined tensor in the process `dst`; a tensor of shape (1,) without meaning in the others."""
    out = functional.reduce(tensor, dst, op, group).results
    return out if get_rank() == dst else _nothing(tensor)


def gather_into_tensor(tensor, dst=0, group=_WORLD):
    """The tensors of all processes joined, in the process `dst`; one of shape (1,) without meaning in the others."""
    functional._tensor("gather_into_tensor", tensor)
    count = get_group_size(group)
    shape = (count * tensor.shape[0], *tensor.shape[1:]) if tensor.shape else (count,)
    out = functional.gather_into_tensor(zeros(shape, tensor.dtype), tensor, dst, group).results
    return out if get_rank() == dst else _nothing(tensor)


def scatter_tensor(tensor, src=0, group=_WORLD):
    """This process's part of process `src`'s tensor."""
    functional._tensor("scatter_tensor", tensor)
    count = get_group_size(group)
    room = zeros((tensor.shape[0] // count, *tensor.shape[1:]) if tensor.shape else (), tensor.dtype)
    return functional.scatter_tensor(room, tensor, src, group).results


def isend(tensor, dst=0, group=_WORLD, tag=0):
    """Sends a tensor to the process `dst`; returns a handle."""
    return functional.isend(tensor, dst, group, tag)


def send(tensor, dst=0, group=_WORLD, tag=0):
    """Sends a tensor to the process `dst`."""
    functional.send(tensor, dst, group, tag)


def irecv(tensor, src=0, group=_WORLD, tag=0):
    """A tensor of the shape and dtype of `tensor` that comes from the process `src`.

    Returns:
        (tensor, handle): the tensor is there when the handle has waited.
    """
    functional._tensor("irecv", tensor)
    room = zeros(tensor.shape, tensor.dtype)
    return room, functional.irecv(room, src, group, tag)


def recv(tensor, src=0, group=_WORLD, tag=0):
    """A tensor of the shape and dtype of `tensor` that comes from the process `src`."""
    return functional.receipt("recv", tensor, src, group, tag).take()


class P2POp(objects.P2POp):
    """One message in a batch.

    Args:
        op: "isend" or "irecv", or a function with one of these names.
        tensor (Tensor): what is sent; or of the shape that is received, or that shape.
        peer (int): the other process's number among all.
        group (str): the group's name; None for all processes.
        tag (int): must be 0.
        recv_dtype: the dtype that is received, where `tensor` is a shape.

    Raises:
        TypeError: an argument of a wrong type.
        NotImplementedError: `tag` is not 0.
    """

    def __init__(self, op, tensor, peer, group=None, tag=0, recv_dtype=None):
        check_type("P2POp", "recv_dtype", recv_dtype, (mstype.Type, type(None)))
        if isinstance(tensor, (tuple, list)) and recv_dtype is not None:
            tensor = zeros(tuple(tensor), recv_dtype)
        super().__init__(op, tensor, peer, group, tag)
        self.recv_dtype = recv_dtype


all_to_all_v_c = functional.in_place(functional.all_to_all_v_c)
__getattr__ = unsupported_getattr(__name__)
