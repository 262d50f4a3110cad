"""Training scripts for MindSpore's parallel modes; each variant's losses, weights and places as JSON.

    python -m tests.parallel.training OUT DEVICES [VARIANT ...]

Run by `test_training.py` with one device, with eight, and as several processes.
"""

import json
import sys

import numpy as np

import ms_compat

ms_compat.install()

import mindspore as ms  # noqa: E402
from mindspore import Parameter, Tensor, nn, ops  # noqa: E402
from mindspore.communication import get_group_size, get_rank, init  # noqa: E402
from mindspore.parallel import Layout  # noqa: E402
from mindspore.parallel.auto_parallel import AutoParallel  # noqa: E402

DEVICES = int(sys.argv[2])
CUTS = (2, DEVICES // 2)
BATCHES = np.random.default_rng(1).normal(size=(3, 16, 8)).astype(np.float32)


class Block(nn.Cell):
    def __init__(self, seed, cuts=None):
        super().__init__()
        random = np.random.default_rng(seed)
        self.up = Parameter(Tensor(random.normal(size=(32, 8)).astype(np.float32) / 4), name="up")
        self.bias = Parameter(Tensor(np.zeros(32, np.float32)), name="bias")
        self.down = Parameter(Tensor(random.normal(size=(32, 8)).astype(np.float32) / 4), name="down")
        self.first, self.add, self.relu = ops.MatMul(transpose_b=True), ops.Add(), ops.ReLU()
        self.second = ops.MatMul()
        if cuts is not None:
            dp, mp = cuts
            self.first.shard(((dp, 1), (mp, 1)))
            self.add.shard(((dp, mp), (mp,)))
            self.relu.shard(((dp, mp),))
            self.second.shard(((dp, mp), (mp, 1)), ((dp * mp, 1),))

    def construct(self, x):
        hidden = self.relu(self.add(self.first(x, self.up), self.bias))
        return x + self.second(hidden, self.down)


class Net(nn.Cell):
    def __init__(self, cuts=None):
        super().__init__()
        self.blocks = nn.CellList([Block(seed, cuts) for seed in range(2)])
        self.head = nn.Dense(8, 8, weight_init=Tensor(np.eye(8, dtype=np.float32)), bias_init="zeros")

    def construct(self, x):
        for block in self.blocks:
            x = block(x)
        return self.head(x)


def of_this_process(batch, full):
    """The rows that MindSpore gives a process: its share, or all."""
    if full:
        return Tensor(batch)
    part = len(batch) // get_group_size()
    return Tensor(batch[get_rank() * part : (get_rank() + 1) * part])


def train(net, parts=1, wrap=None, full=True):
    """By TrainOneStepCell."""
    loss = nn.WithLossCell(net, nn.MSELoss())
    if parts > 1:
        loss = nn.PipelineCell(loss, parts)
    optimizer = nn.Momentum(net.trainable_params(), 0.05, 0.9)
    step = nn.TrainOneStepCell(loss, optimizer, sens=1 / parts)
    step.set_train()
    step = step if wrap is None else wrap(step)
    losses = [step(*[of_this_process(b, full)] * 2).asnumpy() / parts for b in BATCHES]
    return losses, optimizer


class OwnLoss(nn.Cell):
    """A Cell that renames the Parameters of its net."""

    def __init__(self, net):
        super().__init__()
        self.net = net

    def construct(self, x, label):
        return ((self.net(x) - label) ** 2).mean()


def renamed():
    """The optimizer is there before the Parameters have the names that they are trained by."""
    net = Net(CUTS)
    optimizer = nn.Momentum(net.trainable_params(), 0.05, 0.9)
    step = nn.TrainOneStepCell(OwnLoss(net), optimizer)
    step.set_train()
    return ([step(Tensor(b), Tensor(b)).asnumpy() for b in BATCHES], optimizer), net


def by_hand(net, full=True):
    """By a step that the script writes."""
    optimizer = nn.Momentum(net.trainable_params(), 0.05, 0.9)
    loss_fn = nn.MSELoss()
    grad_fn = ms.value_and_grad(lambda x: loss_fn(net(x), x), None, optimizer.parameters)
    by_processes = ms.get_auto_parallel_context("parallel_mode") == "data_parallel"
    reducer = nn.DistributedGradReducer(optimizer.parameters) if by_processes else nn.Identity()

    @ms.jit
    def step(x):
        loss, grads = grad_fn(x)
        optimizer(reducer(grads))
        return loss

    return [step(of_this_process(b, full)).asnumpy() for b in BATCHES], optimizer


def by_model(net, full=True):
    """By Model.train, which makes the step itself."""
    losses, optimizer = [], nn.Momentum(net.trainable_params(), 0.05, 0.9)
    model = ms.Model(net, nn.MSELoss(), optimizer)
    rows = [(of_this_process(b, full).asnumpy(),) * 2 for b in BATCHES]

    class Note(ms.Callback):
        def on_train_step_end(self, run_context):
            losses.append(np.asarray(run_context.original_args().net_outputs.asnumpy()))

    model.train(1, ms.dataset.GeneratorDataset(rows, ["x", "y"], shuffle=False), [Note()], dataset_sink_mode=False)
    return losses, optimizer


SEMI = {"parallel_mode": "semi_auto_parallel", "dataset_strategy": "full_batch"}
SMALL = {"parallel_optimizer_threshold": 0}
CUT = {"parallel_mode": "data_parallel", "gradients_mean": True}


def recomputed():
    net = Net(CUTS)
    for block in net.blocks:
        block.recompute()
    return train(net), net


def staged():
    net = Net((2, DEVICES // 4))
    for stage, block in enumerate(net.blocks):
        block.pipeline_stage = stage
    return train(net, parts=4), net


def laid_out():
    """Strategies as Layouts."""
    net, layout = Net(), Layout(CUTS, ("dp", "mp"))
    for block in net.blocks:
        block.first.shard((layout("dp", "None"), layout("mp", "None")), (layout("dp", "mp"),))
        block.second.shard((layout("dp", "mp"), layout("mp", "None")))
    return train(net), net


def wrapped(cuts, full=False, pieces=None):
    def wrap(step):
        parallel = AutoParallel(step)
        if full:
            parallel.dataset_strategy("full_batch")
        if pieces is not None:
            parallel.hsdp(pieces, 0)
        return parallel

    net = Net(cuts)
    return train(net, wrap=wrap), net


def cells():
    """By Cell.shard."""
    net = Net()
    for block in net.blocks:
        block.shard(((2, 1),), ((DEVICES, 1),), parameter_plan={"up": (DEVICES // 2, 1), "down": (DEVICES // 2, 1)})
    return train(net), net


def plain(run=train, cuts=None, **how):
    net = Net(cuts)
    return run(net, **how), net


def refused(mode):
    """In which processes would not compute what one device does."""
    ms.set_context(mode=mode)
    try:
        if mode == ms.GRAPH_MODE:  # a reducer beside gradients of the whole batch
            net = Net()
            reducer = nn.DistributedGradReducer(net.trainable_params())
            gradient = ms.value_and_grad(lambda x: net(x).sum(), None, net.trainable_params())
            ms.jit(lambda x: reducer(gradient(x)[1]))(Tensor(BATCHES[0]))
        return plain(by_hand if mode == ms.GRAPH_MODE else train)
    finally:
        ms.set_context(mode=ms.GRAPH_MODE)


# the settings of the parallel context, and the training
VARIANTS = {
    "alone": ({}, plain),
    "strategies": (SEMI, lambda: plain(cuts=CUTS)),
    "batch": ({**SEMI, "dataset_strategy": "data_parallel"}, lambda: plain(full=False)),
    "batch and strategies": ({**SEMI, "dataset_strategy": "data_parallel"}, lambda: plain(cuts=(2, 2), full=False)),
    "renamed": (SEMI, renamed),
    "inputs": ({**SEMI, "dataset_strategy": ((DEVICES, 1),) * 2}, lambda: plain(cuts=(4, 1), full=False)),
    "parts of inputs": ({**SEMI, "dataset_strategy": ((2, 1),) * 2}, lambda: plain(cuts=(4, 1), full=False)),
    "auto": ({**SEMI, "parallel_mode": "auto_parallel", "search_mode": "sharding_propagation"}, plain),
    "optimizer": (
        {**SEMI, "enable_parallel_optimizer": True, "parallel_optimizer_config": SMALL},
        lambda: plain(cuts=CUTS),
    ),
    "by hand": (SEMI, lambda: plain(by_hand, CUTS)),
    "model": (SEMI, lambda: plain(by_model, CUTS)),
    "recomputed": (SEMI, recomputed),
    "stages": ({**SEMI, "pipeline_stages": 2, "parallel_optimizer_config": SMALL}, staged),
    "layouts": (SEMI, laid_out),
    "cells": (SEMI, cells),
    "cells of each process": ({}, cells),
    "wrapped": ({}, lambda: wrapped(CUTS)),
    "wrapped optimizer": ({}, lambda: wrapped(None, full=True, pieces=-1)),
    "wrapped optimizer of two": ({}, lambda: wrapped(None, full=True, pieces=2)),
    "reducer": (SEMI, lambda: refused(ms.GRAPH_MODE)),
    "pynative": (SEMI, lambda: refused(ms.PYNATIVE_MODE)),
    "data parallel": (CUT, lambda: plain(full=False)),
    "data parallel, by hand": (CUT, lambda: plain(by_hand, full=False)),
    "data parallel, model": (CUT, lambda: plain(by_model, full=False)),
}


def shards(parameters):
    return {p.name: list(p._v.sharding.shard_shape(p.shape)) for p in parameters}


def run(name):
    settings, training = VARIANTS[name]
    ms.reset_auto_parallel_context()
    ms.set_auto_parallel_context(**settings)
    (losses, optimizer), net = training()
    weights = [p.asnumpy().tolist() for p in net.get_parameters()]
    moments = getattr(optimizer, "moments", ())
    return {"losses": [float(x) for x in losses], "weights": weights, "shards": shards(net.get_parameters()),
            "moments": shards(moments)}  # fmt: skip


def main(out, _, *names):
    ms.set_context(mode=ms.GRAPH_MODE)
    init()
    results = {}
    for name in names or VARIANTS:
        try:
            results[name] = run(name)
        except ms.UnsupportedError as error:
            results[name] = {"refused": str(error)}
    with open(f"{out}.{get_rank()}", "w", encoding="utf-8") as file:
        json.dump(results, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
