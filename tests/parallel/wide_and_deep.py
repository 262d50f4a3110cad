"""A wide and deep network whose tables a parameter server would have; losses and weights as JSON.

    python -m tests.parallel.wide_and_deep OUT

Run by `test_parameter_server.py` as several processes, of which each trains on its part of the batch.
"""

import json
import sys

import numpy as np

import ms_compat

ms_compat.install()

import mindspore as ms  # noqa: E402
from mindspore import Tensor, context, nn, ops  # noqa: E402
from mindspore.communication import get_group_size, get_rank, init  # noqa: E402

ROWS, FIELDS, WIDTH, STEPS = 24, 3, 4, 3
RANDOM = np.random.default_rng(5)
IDS = RANDOM.integers(0, ROWS, size=(STEPS, 8, FIELDS)).astype(np.int32)
VALUES = RANDOM.uniform(0.5, 1, size=(STEPS, 8, FIELDS)).astype(np.float32)
LABELS = RANDOM.integers(0, 2, size=(STEPS, 8, 1)).astype(np.float32)


class WideAndDeep(nn.Cell):
    def __init__(self, server, cache, slice_mode, seed):
        super().__init__()
        random = np.random.default_rng(seed)
        draw = lambda *shape: Tensor(random.normal(size=shape).astype(np.float32) / 4)  # noqa: E731
        how = {"target": "DEVICE" if cache else "CPU", "vocab_cache_size": cache}
        self.deep_table = nn.EmbeddingLookup(ROWS, WIDTH, draw(ROWS, WIDTH), slice_mode=slice_mode, **how)
        wide = "batch_slice" if slice_mode == "table_column_slice" else slice_mode  # it has one column
        self.wide_table = nn.EmbeddingLookup(ROWS, 1, draw(ROWS, 1), slice_mode=wide, **how)
        same = np.random.default_rng(9)  # data parallelism expects equal weights
        weight = Tensor(same.normal(size=(1, FIELDS * WIDTH)).astype(np.float32) / 4)
        self.dense = nn.Dense(FIELDS * WIDTH, 1, weight_init=weight, bias_init="zeros")
        if server:
            self.deep_table.embedding_table.set_param_ps()
            self.wide_table.embedding_table.set_param_ps()

    def construct(self, ids, values):
        wide = (self.wide_table(ids) * values.expand_dims(2)).sum(1)
        deep = self.deep_table(ids) * values.expand_dims(2)
        return wide + self.dense(deep.reshape(-1, FIELDS * WIDTH))


class Loss(nn.Cell):
    def __init__(self, net):
        super().__init__()
        self.net, self.loss = net, nn.BCEWithLogitsLoss()

    def construct(self, ids, values, label):
        return self.loss(self.net(ids, values), label)


class Step(nn.Cell):
    """Two optimizers, as the model's scripts have them: FTRL for the wide part, lazy Adam for the deep one."""

    def __init__(self, net, scale=16.0):
        super().__init__(auto_prefix=False)
        self.net, self.scale = net, scale
        weights = net.trainable_params()
        self.wide = ms.ParameterTuple([p for p in weights if "wide" in p.name])
        self.deep = ms.ParameterTuple([p for p in weights if "wide" not in p.name])
        self.ftrl = nn.FTRL(self.wide, learning_rate=0.05, l1=1e-8, l2=1e-8, initial_accum=1.0, loss_scale=scale)
        self.adam = nn.LazyAdam(self.deep, learning_rate=0.01, eps=1e-8, loss_scale=scale)
        self.ftrl.target = self.adam.target = "CPU"
        self.gradient = ops.GradOperation(get_by_list=True, sens_param=True)
        self.reduces = ms.get_auto_parallel_context("parallel_mode") == "data_parallel"
        if self.reduces:
            self.reduce_wide = nn.DistributedGradReducer(self.ftrl.parameters, True, get_group_size())
            self.reduce_deep = nn.DistributedGradReducer(self.adam.parameters, True, get_group_size())

    def construct(self, ids, values, label):
        loss = self.net(ids, values, label)
        sens = ops.fill(loss.dtype, loss.shape, self.scale)
        wide = self.gradient(self.net, self.wide)(ids, values, label, sens)
        deep = self.gradient(self.net, self.deep)(ids, values, label, sens)
        if self.reduces:
            wide, deep = self.reduce_wide(wide), self.reduce_deep(deep)
        return ops.depend(loss, (self.ftrl(wide), self.adam(deep)))


def by_step(net):
    return Step(Loss(net))


def by_momentum(net):
    return nn.TrainOneStepCell(Loss(net), nn.Momentum(net.trainable_params(), 0.5, 0.9))


DATA = {"parallel_mode": "data_parallel", "gradients_mean": True}
SEMI = {"parallel_mode": "semi_auto_parallel", "dataset_strategy": "full_batch"}

# the mode, the settings, the network's arguments, whether all Parameters are the server's, and the step
VARIANTS = {
    "alone": (0, {}, (False, 0, "batch_slice"), False, by_step),
    "alone, momentum": (0, {}, (False, 0, "batch_slice"), False, by_momentum),
    "server": (0, DATA, (True, 0, "batch_slice"), False, by_step),
    "server, pynative": (1, DATA, (True, 0, "batch_slice"), False, by_step),
    "cache": (0, DATA, (True, 6, "batch_slice"), False, by_step),
    "server, momentum": (0, DATA, (True, 0, "batch_slice"), False, by_momentum),
    "server alone": (0, {}, (True, 0, "batch_slice"), True, by_step),
    "server alone, pynative, momentum": (1, {}, (True, 0, "batch_slice"), True, by_momentum),
    "rows": (0, SEMI, (True, 6, "table_row_slice"), False, by_step),
    "columns": (0, SEMI, (True, 6, "table_column_slice"), False, by_momentum),
}


def run(name):
    mode, settings, (server, cache, slice_mode), everything, step = VARIANTS[name]
    ms.set_context(mode=mode)
    context.reset_auto_parallel_context()
    context.set_auto_parallel_context(**settings)
    context.set_ps_context(enable_ps=server)
    whole = not server or settings is SEMI
    net = WideAndDeep(server, cache, slice_mode, get_rank() if server else 0)  # the first process's values count
    if everything:
        net.set_param_ps()
    train, losses = step(net), []
    train.set_train()
    part = 8 // get_group_size()
    own = slice(None) if whole else slice(get_rank() * part, (get_rank() + 1) * part)
    for ids, values, labels in zip(IDS, VALUES, LABELS, strict=True):
        losses.append(float(train(Tensor(ids[own]), Tensor(values[own]), Tensor(labels[own])).asnumpy()))
    return {
        "losses": losses,
        "weights": [p.asnumpy().tolist() for p in net.get_parameters()],
        "cached": [p.cache_enable for p in net.get_parameters()],
    }


def main(out):
    context.set_ps_context(enable_ps=True)  # before `init`, as scripts have it
    init()
    results = {name: run(name) for name in VARIANTS}
    with open(f"{out}.{get_rank()}", "w", encoding="utf-8") as file:
        json.dump(results, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
