"""Primitives of communication between processes: a table over `communication/collectives.py`.

A single process is a group of one, also without `communication.init`.
"""

from __future__ import annotations

import logging
import math
from typing import Any

import jax.numpy as jnp

from ms_compat._core.checks import check_choice
from ms_compat._core.dispatch.op import op
from ms_compat._core.dtype import Type, float32
from ms_compat._core.errors import check_type
from ms_compat._core.faces import table_faces
from ms_compat.communication import collectives, messages, uneven
from ms_compat.communication.management import HCCL_WORLD_COMM_GROUP, get_rank, members
from ms_compat.ops.function.shape.create import zeros
from ms_compat.ops.function.shape.join import concat
from ms_compat.ops.primitive import REQUIRED, Row, make_primitives

logger = logging.getLogger("ms_compat")


class ReduceOp:
    """How a collective combines its inputs; the names of the reductions.

    >>> from ms_compat import ops
    >>> ops.ReduceOp.SUM
    'sum'
    """

    SUM = "sum"
    MAX = "max"
    MIN = "min"
    PROD = "prod"


def _over(api: str, group: str) -> tuple[int, ...]:
    return members(api, group, needs_init=False)


def _check_op(api: str, op: str) -> str:
    check_choice(api, "op", op, collectives.OPS)
    return op


def root_in(api: str, name: str, rank: int, ranks: tuple[int, ...]) -> int:
    """A process's rank in the group, from its global rank.

    Raises:
        ValueError: it is not in the group.
    """
    check_choice(api, name, rank, ranks)
    return ranks.index(rank)


def _all_reduce(x, op, group):
    """Combine the processes' tensors elementwise."""
    return collectives.all_reduce(x, _over("AllReduce", group), _check_op("AllReduce", op))


def _all_gather(x, group):
    """Join the processes' tensors along the first dimension."""
    return collectives.all_gather(x, _over("AllGather", group))


def _all_gather_v(x, sizes, group):
    """Join the processes' 1-d tensors of different lengths."""
    return uneven.all_gather("AllGatherV", x, uneven.integers("AllGatherV", "output_split_sizes", sizes),
                             _over("AllGatherV", group))  # fmt: skip


def _reduce_scatter(x, op, group):
    """Combine the processes' tensors and give each process a part of equal size."""
    return collectives.reduce_scatter(x, _over("ReduceScatter", group), _check_op("ReduceScatter", op))


def _reduce_scatter_v(x, sizes, op, group):
    """Combine the processes' 1-d tensors and give each process a part with its own size."""
    sizes = uneven.integers("ReduceScatterV", "input_split_sizes", sizes)
    return uneven.reduce_scatter("ReduceScatterV", x, sizes, _over("ReduceScatterV", group),
                                 _check_op("ReduceScatterV", op))  # fmt: skip


def _broadcast(xs, root_rank, group):
    """Broadcast one process's tensors to all processes."""
    check_type("Broadcast", "input_x", xs, (tuple, list))
    ranks = _over("Broadcast", group)
    return collectives.broadcast(tuple(xs), ranks, root_in("Broadcast", "root_rank", root_rank, ranks))


def _all_to_all(x, split_count, split_dim, concat_dim, group):
    """Cut along one dimension, exchange the parts, and join them along another."""
    ranks = _over("AlltoAll", group)
    if split_count != len(ranks):
        raise ValueError(
            f"For 'AlltoAll', the 'split_count' must be the number of processes, {len(ranks)}, but got {split_count}."
        )
    return collectives.all_to_all(x, ranks, split_dim, concat_dim)


def _all_to_all_v(x, send, receive, group, block_size):
    """Send parts of a 1-d tensor, in different sizes, to each process."""
    api = "AlltoAllV"
    sizes = [n * block_size for n in uneven.integers(api, "send_numel_list", send)]
    expected = [n * block_size for n in uneven.integers(api, "recv_numel_list", receive)]
    return uneven.joined(uneven.exchange(api, uneven.split(x, sizes), expected, _over(api, group)))


def _all_to_all_v_c(x, matrix, group, block_size, transpose):
    """As `AlltoAllV`, with the sizes of all processes given as one matrix."""
    api = "AlltoAllVC"
    ranks = _over(api, group)
    counts = [n * block_size for n in uneven.integers(api, "send_count_matrix", matrix)]
    if len(counts) != len(ranks) ** 2:
        raise ValueError(f"For '{api}', the 'send_count_matrix' must have {len(ranks) ** 2} items.")
    me, count = ranks.index(get_rank()), len(ranks)
    sent, received = counts[me * count : (me + 1) * count], counts[me::count]
    if transpose:
        sent, received = received, sent
    return uneven.joined(uneven.exchange(api, uneven.split(x, sent), received, ranks, max(counts)))


def _barrier(group):
    """Wait for all processes."""
    collectives.barrier(_over("Barrier", group))


@op
def _nothing(result):
    """What processes get that a result does not concern; part of the graph, so that they take part in its gradient."""
    return jnp.where(False, jnp.ravel(result)[:1], jnp.zeros((1,), result.dtype))


def _collective_gather(x, dest_rank, group):
    """Gather the processes' tensors, joined, in one process; the others get a tensor of shape (1,)."""
    ranks = _over("CollectiveGather", group)
    out = collectives.gather(x, ranks, root_in("CollectiveGather", "dest_rank", dest_rank, ranks))
    return out if get_rank() == dest_rank else _nothing(out)


def _collective_scatter(x, src_rank, group):
    """Cut the tensor of one process into parts, one for each process."""
    ranks = _over("CollectiveScatter", group)
    return collectives.scatter(x, ranks, root_in("CollectiveScatter", "src_rank", src_rank, ranks))


def _reduce(x, dest_rank, op, group):
    """Reduce the processes' tensors in one process; the others get a tensor of shape (1,)."""
    ranks = _over("Reduce", group)
    root = root_in("Reduce", "dest_rank", ranks[dest_rank] if 0 <= dest_rank < len(ranks) else dest_rank, ranks)
    out = collectives.reduce(x, ranks, _check_op("Reduce", op), root)
    return out if get_rank(group) == dest_rank else _nothing(out)


def peer_of(api: str, name: str, rank: int, ranks: tuple[int, ...]) -> int:
    """The global rank of another process in a group.

    Raises:
        ValueError: there is no such process, or it is this one.
    """
    if not 0 <= rank < len(ranks) or ranks[rank] == get_rank():
        raise ValueError(f"For '{api}', the '{name}' must be another process of {list(ranks)}, but got {rank}.")
    return ranks[rank]


def _send(x, sr_tag, dest_rank, group, group_back):
    """Send a tensor to another process; returns it."""
    logger.debug("Send: group_back=%s has no effect: messages have no gradients", group_back)
    messages.send(x, peer_of("Send", "dest_rank", dest_rank, _over("Send", group)), group, sr_tag)
    return x


def _receive(_order, sr_tag, src_rank, shape, dtype, group, group_back):
    """Receive a tensor from another process; an input only sets the order of execution."""
    logger.debug("Receive: group_back=%s has no effect: messages have no gradients", group_back)
    peer = peer_of("Receive", "src_rank", src_rank, _over("Receive", group))
    return messages.Receipt("Receive", peer, group, sr_tag, tuple(shape), dtype).take()


def _batch(xs, op_types, remote_ranks, receive_shapes, receive_dtypes, group):
    """Send and receive several tensors; the result for a sent tensor is a meaningless number."""
    api = "BatchISendIRecv"
    ranks = _over(api, group)
    xs = list(xs)
    if len(xs) != op_types.count("isend"):
        raise RuntimeError(f"For '{api}', there must be a tensor for each 'isend', but got {len(xs)}.")
    to_come = list(zip(receive_shapes, receive_dtypes, strict=True))
    out: list[Any] = []
    for kind, remote in zip(op_types, remote_ranks, strict=True):
        peer = peer_of(api, "remote_ranks", remote, ranks)
        if kind == "isend":
            messages.send(xs.pop(0), peer, group)
            out.append(zeros((), float32))
        else:
            shape, dtype = to_come.pop(0)
            out.append(messages.Receipt(api, peer, group, 0, tuple(shape), dtype))
    return tuple([found.take() if isinstance(found, messages.Receipt) else found for found in out])


def _neighbor_exchange(xs, send_rank_ids, recv_rank_ids, recv_shapes, send_shapes, recv_type, group):
    """Send one tensor to each of some processes and receive one from each of others."""
    api = "NeighborExchange"
    ranks = _over(api, group)
    if [tuple(x.shape) for x in xs] != [tuple(shape) for shape in send_shapes]:
        raise ValueError(f"For '{api}', the inputs must have the shapes {send_shapes}.")
    sent = dict(zip(send_rank_ids, xs, strict=True))
    shapes = dict(zip(recv_rank_ids, recv_shapes, strict=True))
    dtype = xs[0].dtype if xs else recv_type
    parts = [sent[r].reshape(-1) if r in sent else zeros((0,), dtype) for r in ranks]
    out = uneven.exchange(api, parts, [math.prod(shapes[r]) if r in shapes else 0 for r in ranks], ranks)
    return tuple([out[ranks.index(r)].reshape(tuple(shapes[r])) for r in recv_rank_ids])


# the eight directions, clockwise from the top: which side of the rows and columns, -1 for the first ones
_DIRECTIONS = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))


def _edge(x: Any, rows: int, columns: int, lens: list[int]) -> Any:
    top, bottom, left, right = lens
    height, width = x.shape[2:]
    down = {-1: slice(0, top), 0: slice(0, height), 1: slice(height - bottom, height)}[rows]
    across = {-1: slice(0, left), 0: slice(0, width), 1: slice(width - right, width)}[columns]
    return x[:, :, down, across]


def _neighbor_exchange_v2(x, send_rank_ids, send_lens, recv_rank_ids, recv_lens, _data_format, group):
    """Exchange the edges of images with the processes around and put the received ones around the image."""
    api = "NeighborExchangeV2"
    ranks = _over(api, group)
    batch, channels, height, width = x.shape
    top, bottom, left, right = recv_lens
    down, across = {-1: top, 0: height, 1: bottom}, {-1: left, 0: width, 1: right}
    pieces = {rank: _edge(x, r, c, send_lens) for rank, (r, c) in zip(send_rank_ids, _DIRECTIONS, strict=True)}
    parts = [pieces[rank].reshape(-1) if rank in pieces else zeros((0,), x.dtype) for rank in ranks]
    shapes = {
        (r, c): (batch, channels, down[r], across[c]) for rank, (r, c) in zip(recv_rank_ids, _DIRECTIONS, strict=True)
    }
    senders = {rank: place for rank, place in zip(recv_rank_ids, _DIRECTIONS, strict=True) if rank >= 0}
    sizes = [math.prod(shapes[senders[rank]]) if rank in senders else 0 for rank in ranks]
    came = uneven.exchange(api, parts, sizes, ranks)
    around: dict[Any, Any] = {place: came[ranks.index(rank)].reshape(shapes[place]) for rank, place in senders.items()}
    around[0, 0] = x

    def piece(r: int, c: int) -> Any:
        found = around.get((r, c))
        return zeros((batch, channels, down[r], across[c]), x.dtype) if found is None else found

    rows = [concat([piece(r, c) for c in (-1, 0, 1) if across[c]], 3) for r in (-1, 0, 1) if down[r]]
    return concat(rows, 2)


_GROUP = {"group": HCCL_WORLD_COMM_GROUP}
_OP = {"op": ReduceOp.SUM}
_STR = {"op": (str,), "group": (str,)}
_LIST = (list, tuple)

TABLE = {
    "AllReduce": Row(_all_reduce, ("input_x",), {**_OP, **_GROUP}, _STR),
    "AllGather": Row(_all_gather, ("input_x",), _GROUP, _STR),
    "AllGatherV": Row(_all_gather_v, ("input_x", "output_split_sizes"), _GROUP, _STR),
    "ReduceScatter": Row(_reduce_scatter, ("input_x",), {**_OP, **_GROUP}, _STR),
    "ReduceScatterV": Row(_reduce_scatter_v, ("input_x", "input_split_sizes"), {**_OP, **_GROUP}, _STR),
    "Broadcast": Row(_broadcast, ("input_x",), {"root_rank": REQUIRED, **_GROUP}, {**_STR, "root_rank": (int,)}),
    "AlltoAll": Row(
        _all_to_all,
        ("input_x",),
        {"split_count": REQUIRED, "split_dim": REQUIRED, "concat_dim": REQUIRED, **_GROUP},
        {**_STR, "split_count": (int,), "split_dim": (int,), "concat_dim": (int,)},
    ),
    "AlltoAllV": Row(
        _all_to_all_v,
        ("input_x", "send_numel_list", "recv_numel_list"),
        {**_GROUP, "block_size": 1},
        {**_STR, "block_size": (int,)},
    ),
    "AlltoAllVC": Row(
        _all_to_all_v_c,
        ("input_x", "send_count_matrix"),
        {**_GROUP, "block_size": 1, "transpose": False},
        {**_STR, "block_size": (int,), "transpose": (bool,)},
    ),
    "Barrier": Row(_barrier, (), _GROUP, _STR),
    "CollectiveGather": Row(
        _collective_gather, ("input_x",), {"dest_rank": REQUIRED, **_GROUP}, {**_STR, "dest_rank": (int,)}
    ),
    "CollectiveScatter": Row(
        _collective_scatter, ("input_x",), {"src_rank": 0, **_GROUP}, {**_STR, "src_rank": (int,)}
    ),
    "Reduce": Row(_reduce, ("input_x",), {"dest_rank": REQUIRED, **_OP, **_GROUP}, {**_STR, "dest_rank": (int,)}),
    "Send": Row(
        _send,
        ("input_x",),
        {"sr_tag": REQUIRED, "dest_rank": REQUIRED, **_GROUP, "group_back": HCCL_WORLD_COMM_GROUP},
        {**_STR, "sr_tag": (int,), "dest_rank": (int,)},
    ),
    "Receive": Row(
        _receive,
        (("input_x", None),),
        {
            "sr_tag": REQUIRED,
            "src_rank": REQUIRED,
            "shape": REQUIRED,
            "dtype": REQUIRED,
            **_GROUP,
            "group_back": HCCL_WORLD_COMM_GROUP,
        },
        {**_STR, "sr_tag": (int,), "src_rank": (int,), "shape": _LIST, "dtype": (Type,)},
    ),
    "BatchISendIRecv": Row(
        _batch,
        ("input_x",),
        {"op_types": REQUIRED, "remote_ranks": REQUIRED, "receive_shapes": (), "receive_dtypes": (), **_GROUP},
        {
            **_STR,
            "op_types": _LIST,
            "remote_ranks": _LIST,
            "receive_shapes": _LIST,
            "receive_dtypes": _LIST,
        },
    ),
    "NeighborExchange": Row(
        _neighbor_exchange,
        ("input_x",),
        {
            "send_rank_ids": REQUIRED,
            "recv_rank_ids": REQUIRED,
            "recv_shapes": REQUIRED,
            "send_shapes": REQUIRED,
            "recv_type": REQUIRED,
            **_GROUP,
        },
        {**_STR, "send_rank_ids": _LIST, "recv_rank_ids": _LIST, "recv_shapes": _LIST, "send_shapes": _LIST},
    ),
    "NeighborExchangeV2": Row(
        _neighbor_exchange_v2,
        ("input_x",),
        {
            "send_rank_ids": REQUIRED,
            "send_lens": REQUIRED,
            "recv_rank_ids": REQUIRED,
            "recv_lens": REQUIRED,
            "data_format": REQUIRED,
            **_GROUP,
        },
        {**_STR, "send_rank_ids": (list,), "recv_rank_ids": (list,), "send_lens": (list,), "recv_lens": (list,)},
    ),
}
_made = make_primitives(TABLE, __name__)


class BatchISendIRecv(_made["BatchISendIRecv"]):  # type: ignore[misc,valid-type]
    """Send and receive several tensors at once; see the table.

    Raises:
        ValueError: lists of different lengths, or an operation that is neither "isend" nor "irecv".
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        if len(self.op_types) != len(self.remote_ranks) or len(self.receive_shapes) != len(self.receive_dtypes):
            raise ValueError(
                "For 'BatchISendIRecv', 'op_types' and 'remote_ranks' must be of one length, and so must "
                "'receive_shapes' and 'receive_dtypes'."
            )
        if any(kind not in ("isend", "irecv") for kind in self.op_types):
            raise ValueError(f"For 'BatchISendIRecv', 'op_types' must be 'isend' or 'irecv', but got {self.op_types}.")


class NeighborExchangeV2(_made["NeighborExchangeV2"]):  # type: ignore[misc,valid-type]
    """Exchange edges of images (N, C, H, W) with the processes around.

    Args:
        send_rank_ids, recv_rank_ids: eight processes, clockwise from the top; -1 for none.
        send_lens, recv_lens: rows and columns at the top, bottom, left and right.
        data_format: "NCHW".
        group: the group of processes.

    Raises:
        ValueError: a wrong number of items, a process twice, a negative length, another format.
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        for name in ("send_rank_ids", "recv_rank_ids"):
            ids = getattr(self, name)
            named = [rank for rank in ids if rank != -1]
            if len(ids) != 8 or any(rank < 0 for rank in named) or len(set(named)) != len(named):
                raise ValueError(
                    f"For 'NeighborExchangeV2', the '{name}' must be eight different processes or -1, but got {ids}."
                )
        for name in ("send_lens", "recv_lens"):
            lens = getattr(self, name)
            if len(lens) != 4 or any(n < 0 for n in lens):
                raise ValueError(f"For 'NeighborExchangeV2', the '{name}' must be four numbers >= 0, but got {lens}.")
        if self.data_format != "NCHW":
            raise ValueError(f"For 'NeighborExchangeV2', the 'data_format' must be NCHW, but got {self.data_format}.")


_made.update(BatchISendIRecv=BatchISendIRecv, NeighborExchangeV2=NeighborExchangeV2)
globals().update(_made)
__all__ = [*_made, "ReduceOp"]
table_faces(__name__, __all__, "ops")
