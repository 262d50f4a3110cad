"""Generated primitives of communication, which MindSpore's functions are made of; see `primitives.py`.

`DistComm...` write into the tensors given, `InnerComm...` return new ones; processes are named by their numbers in the
group, and `rank_size` and `rank_id` say what the group's name says already. Each returns the result and a handle.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ms_compat import ops
from ms_compat.communication import functional as f
from ms_compat.communication import uneven
from ms_compat.communication.functional import CommHandle, Outcome
from ms_compat.ops.function.shape.create import zeros

_ISEND = 0  # in `op_types`; 1 is irecv


def _rank(group: str, number: int) -> int:
    """The number among all processes of one that is named by its number in a group."""
    return f.group_of("communication", group)[number]


def _written(outcome: Outcome, given: Any = None) -> tuple[Any, CommHandle]:
    """The tensors that were written; `given` where processes without a result have none in the outcome."""
    targets = outcome.targets if isinstance(outcome.targets, (list, tuple)) else (outcome.targets,)
    handle = f.in_place(lambda: outcome)() or CommHandle(targets)
    return outcome.targets if given is None else given, handle


def _returned(outcome: Outcome) -> tuple[Any, CommHandle]:
    results = outcome.results if isinstance(outcome.results, tuple) else (outcome.results,)
    return outcome.results, CommHandle(results)


def _exchanged(input: Any, group: str, sends: Any, receives: Any) -> list[Any]:
    """Flat parts of a tensor to each process, and what comes from each."""
    parts = uneven.split(input.reshape(-1), list(sends))
    return uneven.exchange("AllToAllV", parts, list(receives), f.group_of("AllToAllV", group))


def _scattered_apart(other: list, input: Any, group: str, sends: Any, receives: Any, rank_size: int,
                     async_op: bool = True) -> Any:  # fmt: skip
    return _written(Outcome(other, tuple(_exchanged(input, group, sends, receives)), async_op))


def _flat(input: Any, group: str, sends: Any, receives: Any) -> Any:
    return uneven.joined(_exchanged(input, group, sends, receives))


def _batch(input: Any, group: str, op_types: Any, remotes_ranks: Any) -> Any:
    handles = []
    for tensor, kind, peer in zip(input, op_types, remotes_ranks, strict=True):
        handles.append((f.isend if kind == _ISEND else f.irecv)(tensor, _rank(group, peer), group))

    def finish() -> None:
        for handle in handles:
            handle.wait()

    return list(input), CommHandle((), finish)


def _received(tag: int, src: int, shape: Any, group: str, dtype: Any) -> Any:
    out = zeros(tuple(shape), dtype)
    return out, f.irecv(out, _rank(group, src), group, tag)


def _gathered_rows(input: Any, rank_size: int, group: str, async_op: bool = True) -> Any:
    shape = (rank_size * input.shape[0], *input.shape[1:]) if input.shape else (rank_size,)
    return _returned(f.all_gather_into_tensor(zeros(shape, input.dtype), input, group, async_op))


def _scattered_rows(input: Any, rank_size: int, op_type: str, group: str, async_op: bool = True) -> Any:
    out = zeros((input.shape[0] // rank_size, *input.shape[1:]), input.dtype)
    return _returned(f.reduce_scatter_tensor(out, input, op_type, group, async_op))


COMMUNICATION: dict[str, Callable] = {
    "DistCommAllReduce": lambda input, op_type, group, async_op=True: _written(
        f.all_reduce(input, op_type, group, async_op)
    ),
    "DistCommAllGather": lambda tensor_list, input, rank_size, group, async_op=True: _written(
        f.all_gather(tensor_list, input, group, async_op)
    ),
    "DistCommAllGatherIntoTensor": lambda other, input, rank_size, group, async_op=True: _written(
        f.all_gather_into_tensor(other, input, group, async_op)
    ),
    "DistCommAllGatherIntoTensorUneven": lambda other, input, output_split_sizes, rank_size, group, async_op=True: (
        _written(f.all_gather_into_tensor_uneven(other, input, output_split_sizes, group, async_op))
    ),
    "DistCommReduceScatter": lambda other, input_list, rank_size, op_type, group, async_op=True: _written(
        f.reduce_scatter(other, input_list, op_type, group, async_op)
    ),
    "DistCommReduceScatterTensor": lambda other, input, rank_size, op_type, group, async_op=True: _written(
        f.reduce_scatter_tensor(other, input, op_type, group, async_op)
    ),
    "DistCommReduceScatterTensorUneven": (
        lambda other, input, input_split_size, rank_size, op_type, group, async_op=True: _written(
            f.reduce_scatter_tensor_uneven(other, input, input_split_size, op_type, group, async_op)
        )
    ),
    "DistCommReduce": lambda input, op_type, dst, group, async_op=True: _written(
        f.reduce(input, _rank(group, dst), op_type, group, async_op)
    ),
    "DistCommBroadcast": lambda input, src, rank_id, group, async_op=True: _written(
        f.broadcast(input, _rank(group, src), group, async_op)
    ),
    "DistCommGather": lambda input, gather_list, rank_size, dst, rank_id, group, async_op=True: _written(
        f.gather(input, gather_list, _rank(group, dst), group, async_op), gather_list
    ),
    "DistCommGatherIntoTensor": lambda other, input, rank_size, dst, rank_id, group, async_op=True: _written(
        f.gather_into_tensor(other, input, _rank(group, dst), group, async_op), other
    ),
    "DistCommScatter": lambda other, scatter_list, rank_size, src, rank_id, group, async_op=True: _written(
        f.scatter(other, scatter_list, _rank(group, src), group, async_op)
    ),
    "DistCommScatterTensor": lambda other, input, rank_size, src, rank_id, group, async_op=True: _written(
        f.scatter_tensor(other, input, _rank(group, src), group, async_op)
    ),
    "DistCommAllToAllV": _scattered_apart,
    "DistCommAllToAllVSingle": (
        lambda other, input, group, send_numel_list, recv_numel_list, rank_size, split_sizes_empty, async_op=True: (
            _written(Outcome(other, _flat(input, group, send_numel_list, recv_numel_list), async_op))
        )
    ),
    "DistCommAllToAllVC": lambda other, input, group, send_count_matrix, rank_size, rank_id, async_op=True: _written(
        f.all_to_all_v_c(other, input.reshape(-1), send_count_matrix, group, async_op)
    ),
    "DistCommBarrier": lambda group, async_op=True: (None, f.barrier(group, True)),
    "DistCommIsend": lambda input, dst, group, tag: (input, f.isend(input, _rank(group, dst), group, tag)),
    "DistCommIrecv": lambda input, tag, src, group: (input, f.irecv(input, _rank(group, src), group, tag)),
    "DistCommBatchIsendIrecv": _batch,
    "InnerCommAllReduce": lambda input, op_type, group, async_op=True: _returned(
        f.all_reduce(input, op_type, group, async_op)
    ),
    "InnerCommAllGather": _gathered_rows,
    "InnerCommReduceScatter": _scattered_rows,
    "InnerCommAllToAllV": (
        lambda input, group, send_numel_list, recv_numel_list, rank_size, split_sizes_empty, async_op=True: _returned(
            Outcome((), _flat(input, group, send_numel_list, recv_numel_list), async_op)
        )
    ),
    "InnerCommIsend": lambda input, dst, group, tag: (input, f.isend(input, _rank(group, dst), group, tag)),
    "InnerCommIrecv": _received,
    "AllGatherMatmul": (
        lambda input, x2, group, world_size, bias=None, gather_index=0, gather_output=True, comm_turn=0, trans_input=False, trans_x2=False: (  # noqa: E501
            ops.all_gather_matmul(
                input, x2, group, world_size, bias=bias, gather_index=gather_index, gather_output=gather_output,
                comm_turn=comm_turn, trans_input=trans_input, trans_x2=trans_x2,
            )
        )
    ),
    "MatmulReduceScatter": (
        lambda input, x2, group, world_size, reduce_op="sum", bias=None, comm_turn=0, trans_input=False, trans_x2=False: (  # noqa: E501
            ops.matmul_reduce_scatter(
                input, x2, group, world_size, reduce_op=reduce_op, bias=bias, comm_turn=comm_turn,
                trans_input=trans_input, trans_x2=trans_x2,
            )
        )
    ),
}  # fmt: skip
