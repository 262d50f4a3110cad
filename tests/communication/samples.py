"""Expressions that each of two processes evaluates, and what they must give.

`x` is [0, 1, 2, 3] + 10 * R in process R of n; `xs` are both, as numpy arrays. RECORDED are also evaluated by MindSpore
(`conformance/record/communication.py`), whose CPU has kernels for few collectives; what COMPUTED expects is an
expression of numpy.
"""

import numpy as np

RECORDED = [
    "ops.AllReduce()(x)",
    "ops.AllReduce('sum')(Tensor(np.float32(1.0)))",
    "ops.AllReduce()(Tensor([1, 2], ms.float16))",
    "ops.AllGather()(x)",
    "ops.AllGather()(Tensor([[1, R]], ms.int32))",
    "ops.Broadcast(0)((x,))",
    "ops.Broadcast(1)((x,))",
    "ops.Broadcast(1)((x, x + 1))",
    "written(mint.distributed.all_reduce, x)",
    "written(mint.distributed.broadcast, x, 1)",
    "mint.distributed.all_gather(rooms, x), rooms",
    "mint.distributed.barrier()",
    "(mint.distributed.get_rank(), mint.distributed.get_world_size(), mint.distributed.is_initialized())",
    "mint.distributed.get_process_group_ranks()",
    "mint.distributed.get_process_group_ranks(mint.distributed.new_group([0, 1]))",
]

# MindSpore's CPU leaves all but the first tensor empty.
DIFFERENT = {"ops.Broadcast(1)((x, x + 1))": [10.0, 11.0, 12.0, 13.0]}

# tokens, experts and weights of two processes, with numbers that Float32 holds
TOKENS = np.arange(18, dtype=np.float32).reshape(2, 3, 3) - 8
EXPERTS = np.array([[[0, 3], [1, 2], [3, 2]], [[3, 1], [0, 0], [2, 1]]], np.int32)
WEIGHTS = np.array([[[0.5, 0.25], [1, 2], [4, 0.125]], [[1, 0.5], [2, 0.25], [0.5, 1]]], np.float32)

# {expression: what numpy expects}
COMPUTED = {
    "exit_requested([1, 1])": "np.array(True)",
    "exit_requested([1, 0])": "np.array(False)",
    "ops.AllReduce()(Tensor([1, 2 + R], ms.int32))": "np.array([2, 5], np.int32)",
    "ops.AllReduce('max')(x)": "np.maximum(*xs)",
    "ops.AllReduce('min')(x)": "np.minimum(*xs)",
    "ops.AllReduce('prod')(x)": "xs[0] * xs[1]",
    "ops.AllReduce(ops.ReduceOp.SUM)(Tensor([R == 0, False]))": "np.array([True, False])",
    "ops.AllReduce()(Tensor([1, R], ms.int8))": "np.array([2, 1], np.int8)",
    "ops.AllReduce()(Tensor([1.5, R], ms.bfloat16)).astype(ms.float32)": "np.array([3, 1], np.float32)",
    "ops.AllReduce()(Tensor([1 + 2j * R], ms.complex64))": "np.array([2 + 2j], np.complex64)",
    "ops.AllGather()(Tensor(np.float32(R)))": "np.array([0, 1], np.float32)",
    "ops.AllGatherV()(x[: R + 1], [1, 2])": "np.float32([0, 10, 11])",
    "ops.ReduceScatter()(x)": "(xs[0] + xs[1])[2 * R : 2 * R + 2]",
    "ops.ReduceScatter('max')(x)": "xs[1][2 * R : 2 * R + 2]",
    "ops.ReduceScatterV()(x, [1, 3])": "np.split(xs[0] + xs[1], [1])[R]",
    "ops.Broadcast(1)((Tensor([-0.0, np.nan, R]),))[0]": "np.float32([-0.0, np.nan, 1])",
    "ops.AlltoAll(2, 0, 0)(x)": "np.concatenate([v[2 * R : 2 * R + 2] for v in xs])",
    "ops.AlltoAll(2, 0, 1)(x.reshape(2, 2))": "np.concatenate([v.reshape(2, 2)[R : R + 1] for v in xs], 1)",
    "ops.AlltoAllV()(*[(x, [1, 3], [1, 1]), (x[:2], [1, 1], [3, 1])][R])": "np.float32([[0, 10], [1, 2, 3, 11]][R])",
    "ops.AlltoAllV(block_size=2)(x, [1, 1], [1, 1])": "np.concatenate([v[2 * R : 2 * R + 2] for v in xs])",
    "ops.AlltoAllVC()([x, x[:2]][R], [1, 3, 1, 1])": "np.float32([[0, 10], [1, 2, 3, 11]][R])",
    "ops.AlltoAllVC(transpose=True)([x[:2], x][R], [1, 3, 1, 1])": "np.float32([[0, 10, 11, 12], [1, 13]][R])",
    "ops.Barrier()()": "None",
    "ops.CollectiveGather(0)(x)": "np.concatenate(xs) if R == 0 else np.zeros(1, np.float32)",
    "ops.CollectiveScatter(1)(x)": "xs[1][2 * R : 2 * R + 2]",
    "ops.Reduce(1)(x)": "xs[0] + xs[1] if R == 1 else np.zeros(1, np.float32)",
    "ops.Send(3, 1)(x) if R == 0 else ops.Receive(3, 0, [4], ms.float32)()": "xs[0]",
    "ops.BatchISendIRecv(['isend', 'irecv'], [1 - R] * 2, [[4]], [ms.float32])((x,))[1]": "xs[1 - R]",
    "ops.NeighborExchange([1 - R], [1 - R], ([4],), ([4],), ms.float32)((x,))[0]": "xs[1 - R]",
    "edges(x.reshape(1, 1, 2, 2))": (
        "np.float32([[[[[0, 1], [2, 3], [10, 11]]]], [[[[2, 3], [10, 11], [12, 13]]]]][R])"
    ),
    # compiled gradients whose cotangent is a constant of the process's own
    "compiled(lambda v: (ops.AllReduce()(v * v) * (R + 1)).sum(), x)": "6 * xs[R]",
    "compiled(lambda v: (ops.AllGather()(v) * (R + 1)).sum(), x)": "np.full(4, 3, np.float32)",
    "compiled(lambda v: (ops.ReduceScatter()(v) * (R + 1)).sum(), x)": "np.float32([1, 1, 2, 2])",
    "compiled(lambda v: (ops.AlltoAll(2, 0, 0)(v) * (R + 1)).sum(), x)": "np.float32([1, 1, 2, 2])",
    # sums that are equal in one process alone
    "compiled(lambda v: (ops.AllReduce()(v) * v * (R + 1)).sum(), x)": "xs[0] + 2 * xs[1] + (xs[0] + xs[1]) * (R + 1)",
    "compiled(lambda v: (ops.AllReduce()(v * v) * v * (R + 1)).sum(), x)": (
        "2 * xs[R] * (xs[0] + 2 * xs[1]) + (xs[0] ** 2 + xs[1] ** 2) * (R + 1)"
    ),
    "compiled(lambda v: ops.AllReduce()(v * 0 + R + 1) * v, x)": "np.full(4, 3, np.float32)",
    # gradients: process R's loss counts (R + 1) times
    "ms.grad(lambda a: (ops.AllReduce()(a) * (R + 1)).sum())(x)": "np.full(4, 3, np.float32)",
    "ms.grad(lambda a: (ops.AllReduce('max')(a) * (R + 1)).sum())(x)": "np.full(4, 3 * R, np.float32)",
    "ms.grad(lambda a: (ops.AllReduce('prod')(a) * (R + 1)).sum())(x + 1)": "3 * (xs[1 - R] + 1)",
    "ms.grad(lambda a: (ops.AllGather()(a) * (R + 1)).sum())(x)": "np.full(4, 3, np.float32)",
    "ms.grad(lambda a: (ops.ReduceScatter()(a) * (R + 1)).sum())(x)": "np.float32([1, 1, 2, 2])",
    "ms.grad(lambda a: (ops.Broadcast(0)((a,))[0] * (R + 1)).sum())(x)": "np.full(4, R + 1, np.float32)",
    "ms.grad(lambda a: (ops.AlltoAll(2, 0, 0)(a) * weight * (R + 1)).sum())(x)": (
        "np.float32([[1, 2, 2, 4], [3, 4, 6, 8]][R])"
    ),
    "ms.grad(lambda a: (ops.Reduce(1)(a) * (R + 1)).sum())(x)": "np.full(4, 2, np.float32)",
    "ms.grad(lambda a: (ops.CollectiveGather(1)(a) * (R + 1)).sum())(x)": "np.full(4, 2, np.float32)",
    "ms.grad(lambda a: (ops.CollectiveScatter(1)(a) * (R + 1)).sum())(x)": "R * np.float32([1, 1, 2, 2])",
    "ms.grad(lambda b: ms.grad(lambda a: (ops.AllReduce()(a) ** 3).sum())(b).sum())(x)": "24 * (xs[0] + xs[1])",
    # compiled
    "ms.jit(lambda a: ops.AllReduce()(a) + a)(x)": "xs[0] + xs[1] + xs[R]",
    "ms.jit(lambda a: (ops.AllGather()(a), ops.AllReduce('max')(a)))(x)": "(np.concatenate(xs), xs[1])",
    "ms.jit(lambda a: ops.AlltoAll(2, 0, 0)(ops.Broadcast(1)((a,))[0]))(x)": "np.tile(xs[1][2 * R : 2 * R + 2], 2)",
    "ms.jit(ms.grad(lambda a: (ops.AllReduce()(a) * weight).sum()))(x)": "np.float32([2, 4, 6, 8])",
    "ms.grad(ms.jit(lambda a: (ops.ReduceScatter()(a) * a[:2]).sum()))(x)": "reduce_scatter_gradient(xs, R)",
    "ms.jit(lambda a: ops.AllReduce(group=alone)(ops.AllReduce()(a)))(x)": "xs[0] + xs[1]",
    "twice(ms.jit(lambda a: ops.AllReduce()(a * 2)), x)": "(2 * (xs[0] + xs[1]), np.float32([4]))",
    # groups
    "ops.AllReduce(group=alone)(x)": "xs[R]",
    "(ms.communication.get_rank(alone), ms.communication.get_group_size(alone), ms.communication.get_local_rank())": (
        "(0, 1, R)"
    ),
    "mint.distributed.get_rank(mint.distributed.new_group([1]))": "[-1, 0][R]",
    "mint.distributed.get_world_size(mint.distributed.new_group([0]))": "[1, -1][R]",
    "mint.distributed.get_global_rank(alone, 0), mint.distributed.get_group_rank(alone, R)": "(R, 0)",
    "mint.distributed.get_backend()": "'hccl'",
    # mint.distributed writes into the tensors given
    "written(mint.distributed.all_reduce, x, 'avg')": "(None, (xs[0] + xs[1]) / 2)",
    "waited(mint.distributed.all_reduce, x)": "xs[0] + xs[1]",
    "written(mint.distributed.reduce, x, 1)": "(None, xs[0] + xs[1] if R else xs[0])",
    "into((8,), mint.distributed.all_gather_into_tensor, x)": "np.concatenate(xs)",
    "into((3,), mint.distributed.all_gather_into_tensor_uneven, x[: R + 1], [1, 2])": "np.float32([0, 10, 11])",
    "into((2,), mint.distributed.reduce_scatter_tensor, x)": "(xs[0] + xs[1])[2 * R : 2 * R + 2]",
    "into((1 + 2 * R,), mint.distributed.reduce_scatter_tensor_uneven, x, [1, 3])": "np.split(xs[0] + xs[1], [1])[R]",
    "into((4,), mint.distributed.reduce_scatter, [x, x + 1])": "xs[0] + xs[1] + 2 * R",
    "into((4,), mint.distributed.scatter, [x, x + 1], 1)": "xs[1] + R",
    "mint.distributed.gather(x, rooms, 1), rooms": "(None, list(xs) if R else [0 * xs[0]] * 2)",
    "mint.distributed.all_to_all(rooms, [x, x + 1]), rooms": "(None, [v + R for v in xs])",
    "into((4,), mint.distributed.all_to_all_single, x)": "np.concatenate([v[2 * R : 2 * R + 2] for v in xs])",
    "into((2 + 2 * R,), mint.distributed.all_to_all_single, [x, x[:2]][R], [[1, 1], [3, 1]][R], [[1, 3], [1, 1]][R])": (
        "np.float32([[0, 10], [1, 2, 3, 11]][R])"
    ),
    "mint.distributed.send(x, 1) if R == 0 else mint.distributed.recv(rooms[0], 0), rooms[0]": "(0, xs[0] * R)",
    "(mint.distributed.isend(x, 1 - R), mint.distributed.irecv(rooms[0], 1 - R).wait())[1], rooms[0]": (
        "(None, xs[1 - R])"
    ),
    "mint.distributed.batch_isend_irecv([mint.distributed.P2POp('isend', x, 1 - R), mint.distributed.P2POp("
    "mint.distributed.irecv, rooms[1], 1 - R)])[0].wait(), rooms[1]": "(None, xs[1 - R])",
    "filled([0, 0], mint.distributed.all_gather_object, {'rank': R})": "[{'rank': 0}, {'rank': 1}]",
    "filled([R, 'of', R], mint.distributed.broadcast_object_list, 1, after=True)": "[1, 'of', 1]",
    "filled([0, 0], lambda out: mint.distributed.gather_object(R, out if R == 0 else None))": "[[0, 1], [0, 0]][R]",
    "filled([0], lambda out: mint.distributed.scatter_object_list(out, ['a', 'b'], 1))": "['ab'[R]]",
    "filled([0], mint.distributed.recv_object_list, 0) if R else mint.distributed.send_object_list(['m'], 1)": (
        "['m'] if R else 0"
    ),
    # ops.communication returns new tensors; comm_func, too
    "ops.communication.all_reduce(x)": "(xs[0] + xs[1], None)",
    "ops.all_reduce(x, async_op=True)[0]": "xs[0] + xs[1]",
    "ops.all_gather_into_tensor(Tensor(np.zeros(8, np.float32)), x)[0]": "np.concatenate(xs)",
    "ops.all_to_all_single((4,), x)[0]": "np.concatenate([v[2 * R : 2 * R + 2] for v in xs])",
    "ops.all_to_all([(4,), (4,)], [x, x + 1])[0]": "tuple([v + R for v in xs])",
    "into((2 + 2 * R,), ms.communication.comm_func.all_to_all_v_c, [x, x[:2]][R], [1, 3, 1, 1])": (
        "np.float32([[0, 10], [1, 2, 3, 11]][R])"
    ),
    "ops.all_to_all_v_c(Tensor(np.zeros(2 + 2 * R, np.float32)), [x, x[:2]][R], [1, 3, 1, 1])[0]": (
        "np.float32([[0, 10], [1, 2, 3, 11]][R])"
    ),
    "ops.scatter_tensor(Tensor(np.zeros(2, np.float32)), x, 1)[0]": "xs[1][2 * R : 2 * R + 2]",
    "ops.gather_into_tensor(Tensor(np.zeros(8, np.float32)), x, 1)[0]": "np.concatenate(xs) if R else ()",
    "inplace('all_reduce', lambda: (ops.all_reduce(x), x))": "(None, xs[0] + xs[1])",
    "ops.isend(x, 1 - R) and 0, ops.recv(x, 1 - R)": "(0, xs[1 - R])",
    "ops.send(x, 1 - R), ops.irecv(x, 1 - R)[1].wait()": "(0, None)",
    "ops.batch_isend_irecv([ops.P2POp('isend', x, 1 - R), ops.P2POp('irecv', x, 1 - R)])[1]": "xs[1 - R]",
    "ms.communication.comm_func.all_reduce(x)": "(xs[0] + xs[1], None)",
    "ms.communication.comm_func.all_gather_into_tensor(x)[0]": "np.concatenate(xs)",
    "ms.communication.comm_func.reduce_scatter_tensor(x, 'max')[0]": "xs[1][2 * R : 2 * R + 2]",
    "ms.communication.comm_func.all_to_all_with_output_shape([(4,), (4,)], [x, x + 1])[0]": (
        "tuple([v + R for v in xs])"
    ),
    "ms.communication.comm_func.all_to_all_single_with_output_shape((4,), x)[0]": (
        "np.concatenate([v[2 * R : 2 * R + 2] for v in xs])"
    ),
    "ms.communication.comm_func.broadcast(x, 1)": "xs[1]",
    "ms.communication.comm_func.reduce(x, 1)": "xs[0] + xs[1] if R else np.zeros(1, np.float32)",
    "ms.communication.comm_func.gather_into_tensor(x, 1)": "np.concatenate(xs) if R else np.zeros(1, np.float32)",
    "ms.communication.comm_func.scatter_tensor(x, 1)": "xs[1][2 * R : 2 * R + 2]",
    "ms.communication.comm_func.barrier()": "None",
    "ms.communication.comm_func.send(x, 1) if R == 0 else ms.communication.comm_func.recv(x, 0)": (
        "xs[0] if R else None"
    ),
    "ms.communication.comm_func.isend(x, 1 - R).wait(), waited_pair(ms.communication.comm_func.irecv(x, 1 - R))": (
        "(None, xs[1 - R])"
    ),
    "ms.communication.comm_func.batch_isend_irecv([ms.communication.comm_func.P2POp('isend', x, 1 - R), "
    "ms.communication.comm_func.P2POp('irecv', x, 1 - R)])[1]": ("xs[1 - R]"),
    "ms.communication.comm_func.P2POp('irecv', (4,), 1 - R, recv_dtype=ms.int32).tensor.dtype == ms.int32": "True",
    # batch normalisation over both batches: output, moving statistics, gradient; equal to that of one big batch
    "normalised(nn.SyncBatchNorm(3, momentum=0.8))": "True",
    "normalised(mint.nn.SyncBatchNorm(3, momentum=0.2))": "True",
    "normalised(mint.nn.SyncBatchNorm(3, momentum=None, affine=False))": "True",
    "normalised(nn.SyncBatchNorm(3, process_groups=[[0, 1]]), True)": "True",
    "different(nn.SyncBatchNorm(3, process_groups=[[0], [1]]))": "True",
    # products with a collective: EYE is the unit matrix times R + 1
    "ops.all_gather_matmul(x.reshape(2, 2), EYE, W, 2)": "(np.concatenate([v.reshape(2, 2) for v in xs]) * (R + 1), "
    "np.concatenate([v.reshape(2, 2) for v in xs]))",
    "ops.matmul_reduce_scatter(x.reshape(2, 2), EYE, W, 2)": "(xs[0] + 2 * xs[1]).reshape(2, 2)[R : R + 1]",
    "ms.jit(lambda a: ops.matmul_reduce_scatter(a, EYE, W, 2))(x.reshape(2, 2))": (
        "(xs[0] + 2 * xs[1]).reshape(2, 2)[R : R + 1]"
    ),
    # experts of both processes: expert e multiplies by e + 1
    "dispatched()": "dispatched(R)",
    "mixed(MOE[0][R], MOE[2][R])": "mixture(R)",
    "mixed(MOE[0][R, : R + 1], MOE[2][R, : R + 1], 6)": "mixture(R)[: R + 1]",
    "ms.jit(mixed)(MOE[0][R], MOE[2][R])": "mixture(R)",
    "ms.grad(lambda a, b: (mixed(a, b) * (R + 1)).sum(), (0, 1))(MOE[0][R], MOE[2][R])": "mixture_gradients(R, R + 1)",
    "ms.jit(ms.grad(lambda a, b: mixed(a, b).sum(), (0, 1)))(MOE[0][R], MOE[2][R])": "mixture_gradients(R, 1)",
    # a parameter server's Parameters: the first process's values, and the mean of the gradients
    "served(0)": "served(xs)",
    "served(1)": "served(xs)",
    "served(1, rows=True)": "np.float32([[0.5, 1, 1, 0], [2, 2, 3, 2.5]]).reshape(4, 2)",
    # inner primitives
    "waited_pair(prims.DistCommAllReduce()(x, 'sum', W)), x": "(xs[0] + xs[1],) * 2",
    "placed([(4,), (4,)], lambda o: prims.DistCommAllGather()(o, x, 2, W))": "xs",
    "placed((8,), lambda o: prims.DistCommAllGatherIntoTensor()(o, x, 2, W))": "np.concatenate(xs)",
    "placed((3,), lambda o: prims.DistCommAllGatherIntoTensorUneven()(o, x[: R + 1], [1, 2], 2, W))": (
        "np.float32([0, 10, 11])"
    ),
    "placed((4,), lambda o: prims.DistCommReduceScatter()(o, [x, x + 1], 2, 'sum', W))": "xs[0] + xs[1] + 2 * R",
    "placed((2,), lambda o: prims.DistCommReduceScatterTensor()(o, x, 2, 'max', W))": "xs[1][2 * R : 2 * R + 2]",
    "placed((1 + 2 * R,), lambda o: prims.DistCommReduceScatterTensorUneven()(o, x, [1, 3], 2, 'sum', W))": (
        "np.split(xs[0] + xs[1], [1])[R]"
    ),
    "waited_pair(prims.DistCommReduce()(x, 'sum', 1, W))": "xs[0] + xs[1] if R else xs[0]",
    "waited_pair(prims.DistCommBroadcast()(x, 1, R, W))": "xs[1]",
    "prims.DistCommGather()(x, rooms, 2, 1, R, W)[1].wait(), rooms[0]": "(None, xs[0] * R)",
    "prims.DistCommScatter()(rooms[0], [x, x + 1], 2, 1, R, W)[1].wait(), rooms[0]": "(None, xs[1] + R)",
    "placed((8,), lambda o: prims.DistCommGatherIntoTensor()(o, x, 2, 0, R, W))": "np.concatenate(xs) * (1 - R)",
    "placed((2,), lambda o: prims.DistCommScatterTensor()(o, x, 2, 1, R, W))": "xs[1][2 * R : 2 * R + 2]",
    "placed([(1 + R,), (1 + R,)], lambda o: prims.DistCommAllToAllV()(o, x[:3], W, [1, 2], [1 + R] * 2, 2))": (
        "[v[R : 2 * R + 1] for v in xs]"
    ),
    "placed((2, 2), lambda o: prims.DistCommAllToAllVSingle()(o, x, W, [2, 2], [2, 2], 2, True))": (
        "np.stack([v[2 * R : 2 * R + 2] for v in xs])"
    ),
    "placed((2 + 2 * R,), lambda o: prims.DistCommAllToAllVC()(o, [x, x[:2]][R], W, [1, 3, 1, 1], 2, R))": (
        "np.float32([[0, 10], [1, 2, 3, 11]][R])"
    ),
    "prims.DistCommBarrier()(W)[1].wait()": "None",
    "prims.DistCommIsend()(x, 1 - R, W, 5)[1].wait(), waited_pair(prims.DistCommIrecv()(rooms[0], 5, 1 - R, W))": (
        "(None, xs[1 - R])"
    ),
    "waited_pair(prims.DistCommBatchIsendIrecv()([x, rooms[0]], W, [0, 1], [1 - R] * 2))[1]": "xs[1 - R]",
    "waited_pair(prims.InnerCommAllReduce()(x, 'sum', W)), x": "(xs[0] + xs[1], xs[R])",
    "waited_pair(prims.InnerCommAllGather()(x, 2, W))": "np.concatenate(xs)",
    "waited_pair(prims.InnerCommReduceScatter()(x, 2, 'sum', W))": "(xs[0] + xs[1])[2 * R : 2 * R + 2]",
    "waited_pair(prims.InnerCommAllToAllV()(x, W, [2, 2], [2, 2], 2, True))": (
        "np.concatenate([v[2 * R : 2 * R + 2] for v in xs])"
    ),
    "prims.InnerCommIsend()(x, 1 - R, W, 0)[1].wait(), "
    "waited_pair(prims.InnerCommIrecv()(0, 1 - R, (4,), W, ms.float32))": "(None, xs[1 - R])",
    "prims.AllGatherMatmul()(x.reshape(2, 2), EYE, W, 2, None, 0, False)[1]": "np.zeros(0, np.float32)",
    "prims.MatmulReduceScatter()(x.reshape(2, 2), EYE, W, 2)": "(xs[0] + 2 * xs[1]).reshape(2, 2)[R : R + 1]",
    # adaptive summation
    **{
        f"adaptively(nn.{cell}, {mode}), {mode}": f"(np.round(1000 - 500 * adaptive_sum(xs)), {mode})"
        for cell in ("AdaSumByGradWrapCell", "AdaSumByDeltaWeightWrapCell")
        for mode in (0, 1)
    },
    **{f"boosted({mode}), {mode}": f"(np.round(1000 - 500 * adaptive_sum(xs)), {mode})" for mode in (0, 1)},
    # Parameters
    "broadcast_parameter(R)": "np.float32([0, 0])",
}

# {expression: the class of the error}
REFUSED = {
    "ops.ReduceScatter()(x[:3])": "ValueError",
    "ops.AllReduce('nope')(x)": "ValueError",
    "ops.AlltoAll(3, 0, 0)(x)": "ValueError",
    "ops.AlltoAllVC()(x, [1, 2])": "ValueError",
    "ops.AllGatherV()(x, [1, 2])": "ValueError",
    "ops.Broadcast(2)((x,))": "ValueError",
    "ops.Send(0, R)(x)": "ValueError",
    "ops.NeighborExchange([1 - R], [1 - R], ([3],), ([3],), ms.float32)((x,))": "ValueError",
    "ops.AllReduce(group='nope')(x)": "ValueError",
    "mint.distributed.all_gather([x], x)": "TypeError",
    "mint.distributed.send(x, R)": "ValueError",
    "mint.distributed.broadcast(x, 2)": "ValueError",
    "ms.jit(lambda a: ops.Send(0, 1 - R)(a), fullgraph=True)(x)": "UnsupportedError",
    "ms.jit(lambda a: ops.AlltoAllV()(a, [2, 2], [2, 2]), fullgraph=True)(x)": "UnsupportedError",
    "ms.jit(lambda a: ops.ReduceScatterV()(a, [1, 3]), fullgraph=True)(x)": "UnsupportedError",
    "jax.jit(lambda a: ops.AllReduce()(Tensor(a))._v)(x._v)": "NeedsProcesses",
    "ms.set_auto_parallel_context(parallel_mode='semi_auto_parallel') or step()": "UnsupportedError",
    "ops.all_gather_matmul(x.reshape(2, 2), EYE, W, 1)": "RuntimeError",
    "ms.reset_auto_parallel_context() or nn.AdaSumByGradWrapCell(nn.SGD([ms.Parameter(x)]))": "RuntimeError",
    "boost.AdaSum(0, 8, 2, (weight,))": "ValueError",
    "boost.AdaSum(0, 1, 3, (weight,))": "ValueError",
    "nn.SyncBatchNorm(3, process_groups=[[0, 2]])": "ValueError",
    "ms.communication.create_group('three', [0, 2])": "ValueError",
}
