"""One process of a job of several: evaluates expressions and writes what they give as JSON.

Started with the environment variables that MindSpore's msrun sets; the arguments are a file with
`[[expression, ...], ...]`-like lists and the file for the results.
"""

import json
import sys

import jax
import numpy as np

import ms_compat as ms
from ms_compat import Tensor, boost, mint, nn, ops, utils  # for the expressions
from ms_compat import communication as comm
from ms_compat._inner.generated import primitives as prims  # noqa: F401
from ms_compat.communication import comm_func  # noqa: F401
from tests.communication.samples import EXPERTS, TOKENS, WEIGHTS

comm.init()
R, n = comm.get_rank(), comm.get_group_size()
alone = f"alone{R}"
comm.create_group(alone, [R])
weight = Tensor([1.0, 2.0, 3.0, 4.0])


def written(call, x, *args):
    return call(x, *args), x


def waited(call, x):
    call(x, async_op=True).wait()
    return x


def waited_pair(pair):
    pair[1].wait()
    return pair[0]


def into(shape, call, *args):
    out = Tensor(np.zeros(shape, np.float32))
    if call(out, *args) is not None:
        raise AssertionError(call)
    return out


def filled(out, call, *args, after=False):
    call(out, *args)
    return out


def compiled(function, x):
    """The gradient of a function, compiled."""
    return ms.jit(lambda value: ms.grad(function)(value))(x)


def twice(call, x):
    return call(x), call(Tensor([1.0]))


def inplace(name, call):
    ops.set_comm_ops_inplace(True, [name])
    try:
        return call()
    finally:
        ops.set_comm_ops_inplace(False)


def exit_requested(requests):
    """Whether all processes agree to end, when these are their requests."""
    stop = ms.Parameter(Tensor(False), name="stop")
    utils.ExitByRequest().exit_by_request(None, ms.Parameter(Tensor([requests[R]], ms.int32), name="request"), stop)
    return stop


def edges(image):
    """Process 0 lies above process 1; each sends one row to the other."""
    around = [[-1, -1, -1, -1, 1, -1, -1, -1], [0, -1, -1, -1, -1, -1, -1, -1]][R]
    lens = [[0, 1, 0, 0], [1, 0, 0, 0]][R]
    return ops.NeighborExchangeV2(around, lens, around, lens, "NCHW")(image)


def broadcast_parameter(value):
    weights = [ms.Parameter(Tensor([value, value], ms.float32), name="w")]
    nn.wrap.cell_wrapper.broadcast_parameters(weights)
    return weights[0]


def step(net=None, size=2):
    net = net or nn.Dense(2, 1, weight_init="ones")
    return nn.TrainOneStepCell(net, nn.SGD(net.trainable_params(), 0.1))(Tensor(np.ones((size, 2), np.float32)))


IMAGES = np.random.default_rng(1).normal(size=(2, 4, 3, 2, 2)).astype(np.float32)


def _run(layer, images):
    layer.set_train()
    gradient = ms.grad(lambda x: (layer(x) ** 3).sum())(Tensor(images))
    statistics = [p.asnumpy() for p in layer.get_parameters() if not p.requires_grad and p.size > 1]
    return [layer(Tensor(images)).asnumpy(), gradient.asnumpy(), *statistics]


def _plain_layer(layer):
    """The layer of one process with the same settings."""
    if isinstance(layer, nn.SyncBatchNorm):
        return nn.BatchNorm2d(3, momentum=1.0 - layer.momentum)  # the attribute is the share of the new statistics
    return mint.nn.BatchNorm2d(3, momentum=layer.momentum, affine=layer.affine)


def normalised(layer, graph=False):
    """Whether both processes together compute what one process computes of the joined batch."""
    other = _plain_layer(layer)
    ms.set_context(mode=ms.GRAPH_MODE if graph else ms.PYNATIVE_MODE)
    found, whole = _run(layer, IMAGES[R]), _run(other, IMAGES.reshape(8, 3, 2, 2))
    ms.set_context(mode=ms.PYNATIVE_MODE)
    whole[:2] = [part[4 * R : 4 * R + 4] for part in whole[:2]]
    return all(np.allclose(a, b, rtol=1e-4, atol=1e-5) for a, b in zip(found, whole, strict=True))


def different(layer):
    """Whether each process has its own statistics."""
    return bool(np.allclose(layer.set_train()(Tensor(IMAGES[R])).mean().asnumpy(), 0, atol=1e-6))


DATA = np.random.default_rng(0).normal(size=(2, 8, 3)).astype(np.float32)


def trained(mode, parallel, scaled):
    """The weights after four steps on this process's half of the batch, or on the whole batch."""
    ms.set_context(mode=mode)
    ms.reset_auto_parallel_context()
    if parallel:
        ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True, parameter_broadcast=True)
    other = R if parallel else 0  # the broadcast makes process 1 begin as process 0 does
    first = Tensor(np.full((4, 3), 0.1 * (1 + other), np.float32))
    second = Tensor(np.full((3, 4), 0.1, np.float32))
    dense = nn.Dense(3, 4, weight_init=first, bias_init="zeros")
    net = nn.SequentialCell(dense, nn.ReLU(), nn.Dense(4, 3, weight_init=second, bias_init="ones"))
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    loss = nn.WithLossCell(net, nn.MSELoss())
    if scaled:
        train = nn.TrainOneStepWithLossScaleCell(loss, optimizer, nn.DynamicLossScaleUpdateCell(16, 2, 2))
    else:
        train = nn.TrainOneStepCell(loss, optimizer)
    train.set_train()
    x, y = DATA[:, 4 * R : 4 * R + 4] if parallel else DATA
    for _ in range(4):
        train(Tensor(x), Tensor(y))
    ms.set_context(mode=ms.PYNATIVE_MODE)
    ms.reset_auto_parallel_context()
    return [p.asnumpy() for p in net.get_parameters()]


def served(mode, rows=False):
    """A Parameter after a step of 0.5; its gradient is `x` of each process, or ones in a row or two."""
    ms.set_context(mode=mode)
    ms.set_ps_context(enable_ps=True)
    value = np.arange(8, dtype=np.float32).reshape(4, 2) if rows else np.full(4, 3, np.float32)
    weight = ms.Parameter(Tensor(value // (2 if rows else 1) + R), name="w")
    try:
        weight.set_param_ps()
        optimizer = nn.SGD([weight], 0.5)
        if rows:
            indices = Tensor([0, 3] if R else [0, 1], ms.int32)
            values = Tensor(np.float32([[0, 0], [0, 2]] if R else [[-2, -4], [0, 4]]))
            optimizer((ms.RowTensor(indices, values, (4, 2)),))
        else:
            optimizer((Tensor(np.arange(4, dtype=np.float32) + 10 * R),))
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
        ms.reset_ps_context()
    return weight.value()


MOE = [Tensor(a) for a in (TOKENS, EXPERTS, WEIGHTS)]


def dispatched():
    """The rows that this process receives, and what the dispatch says of them; the first token of process 0 alone."""
    ids = MOE[1][R] if R else MOE[1][R, :1]
    rows, _, places, numbers, counts, _, shares = ops.moe_distribute_dispatch(
        MOE[0][R, : len(ids)], ids, 2, R, 4, MOE[2][R, : len(ids)], global_bs=6
    )
    return rows, places, numbers, counts, shares


def mixed(x, weights, global_bs=0):
    ids = MOE[1][R, : x.shape[0]]
    rows, _, places, numbers, counts, _, _ = ops.moe_distribute_dispatch(x, ids, 2, R, 4, global_bs=global_bs)
    expert = 2 * R + ops.searchsorted(numbers, ops.arange(rows.shape[0]), right=True)
    rows = rows * (expert + 1).reshape(-1, 1)
    return ops.moe_distribute_combine(rows, ids, places, counts, weights, 2, R, 4, global_bs=global_bs)


W = "hccl_world_group"
EYE = Tensor(np.eye(2, dtype=np.float32) * (R + 1))


def placed(shape, call, *args):
    """What a primitive writes into a new tensor, or into one for each shape of a list."""
    out = into_room(shape) if isinstance(shape, tuple) else [into_room(each) for each in shape]
    target, handle = call(out, *args)
    handle.wait()
    if target is not out:
        raise AssertionError(call)
    return out


def into_room(shape):
    return Tensor(np.zeros(shape, np.float32))


def adaptively(cell, mode):
    """The weights after a step whose gradient is `x` of each process, summed adaptively."""
    ms.set_context(mode=mode)
    ms.set_auto_parallel_context(parallel_mode="data_parallel")
    weight = ms.Parameter(Tensor(np.ones(4, np.float32)), name="w")
    net = nn.Cell()
    net.weight = weight
    net.construct = lambda x: (net.weight * x).sum()
    try:
        nn.TrainOneStepCell(net, cell(nn.SGD([weight], 0.5)))(Tensor(np.arange(4, dtype=np.float32) + 10 * R))
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
        ms.reset_auto_parallel_context()
    return (weight * 1000).round()  # the processes may differ in the last digit


def boosted(mode):
    """The weights after a step of `mindspore.boost` whose step in each process is half of `x`, summed adaptively."""
    ms.set_context(mode=mode)
    ms.set_auto_parallel_context(parallel_mode="data_parallel")
    weight = ms.Parameter(Tensor(np.ones(4, np.float32)), name="w")
    net = nn.Cell()
    net.weight = weight
    net.construct = lambda x: (net.weight * x).sum()
    optimizer = nn.SGD([weight], 0.5)
    optimizer.adasum = True
    boost.AutoBoost("O2", {"common": {"device_number": 1}})
    try:
        boost.BoostTrainOneStepCell(net, optimizer)(Tensor(np.arange(4, dtype=np.float32) + 10 * R))
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
        ms.reset_auto_parallel_context()
    return (weight * 1000).round()


def plain(value):
    if isinstance(value, Tensor):
        array = value.asnumpy()
        parts = [array.real.tolist(), array.imag.tolist()] if array.dtype.kind == "c" else array.tolist()
        return {"dtype": str(value.dtype), "value": parts}
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    return value


def evaluate(expression):
    x = Tensor(np.arange(4, dtype=np.float32) + 10 * R)
    rooms = [Tensor(np.zeros(4, np.float32)) for _ in range(n)]
    try:
        return plain(eval(expression, {**globals(), "x": x, "rooms": rooms, "jax": jax}))
    except Exception as error:
        return {"error": type(error).__name__, "message": str(error)}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        results = {expression: evaluate(expression) for expression in json.load(file)}
    ms.reset_auto_parallel_context()
    for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
        for scaled in (False, True):
            alone, shared = trained(mode, False, scaled), trained(mode, True, scaled)
            difference = max(float(np.abs(a - b).max()) for a, b in zip(alone, shared, strict=True))
            results[f"data parallel, mode {mode}, scaled {scaled}"] = difference
    with open(f"{sys.argv[2]}.{R}", "w", encoding="utf-8") as file:
        json.dump(results, file)
    comm.release()


if __name__ == "__main__":
    main()
