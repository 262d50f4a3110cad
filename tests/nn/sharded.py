"""Run by `_cell/test_parallel.py` in a process of its own with eight devices; prints one JSON object."""

import json

import numpy as np

import ms_compat as ms
from ms_compat import Tensor, nn, ops


class Block(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense1 = nn.Dense(8, 16)
        self.relu = nn.ReLU()
        self.dense2 = nn.Dense(16, 8)

    def construct(self, x):
        return self.relu(self.dense2(self.relu(self.dense1(x))))


class Example(nn.Cell):
    def __init__(self, plan=None):
        super().__init__()
        self.block1 = Block()
        self.block2 = Block()
        random = np.random.default_rng(0)
        for parameter in self.get_parameters():
            parameter.set_data(Tensor(random.standard_normal(parameter.shape).astype(np.float32)))
        if plan is not None:
            self.block2_shard = self.block2.shard(((2, 1),), ((4, 1),), parameter_plan=plan)

    def construct(self, x):
        x = self.block1(x)
        return self.block2_shard(x) if hasattr(self, "block2_shard") else self.block2(x)


def run(net, mode):
    ms.set_context(mode=mode)
    x = Tensor(np.random.default_rng(1).standard_normal((8, 8)).astype(np.float32))
    weights = net.trainable_params()
    gradient = ms.value_and_grad(lambda x: ops.square(net(x)).sum(), 0, weights)
    loss, (dx, dw) = (ms.jit(gradient) if mode == ms.GRAPH_MODE else gradient)(x)
    out = net(x)
    return out, [np.asarray(loss._v), np.asarray(dx._v), *[np.asarray(g._v) for g in dw], np.asarray(out._v)]


PLAN = {"self.block2.dense1.weight": (4, 1), "self.block2.shard.dense2.weight": (1, 8), "nobody.weight": (8, 1)}
report = {}
plain, sharded = Example(), Example(PLAN)
for name, mode in (("pynative", ms.PYNATIVE_MODE), ("graph", ms.GRAPH_MODE)):
    _, expected = run(plain, mode)
    out, got = run(sharded, mode)
    report[name] = max(
        float(np.abs(a - b).max() / (1e-6 + np.abs(a).max())) for a, b in zip(expected, got, strict=True)
    )
    report[name + " output"] = [list(out._v.sharding.shard_shape(out._v.shape)), len(out._v.sharding.device_set)]
report["layout"] = sorted(sharded.block2.parameter_layout_dict)
report["shards"] = {p.name: list(p._v.sharding.shard_shape(p._v.shape)) for p in sharded.block2.get_parameters()}
report["places"] = len({s.device for s in sharded.block2.dense1.weight._v.addressable_shards})
errors = []
for arguments in (
    (((3, 1),),), (((16, 1),),), (((0, 1),),), ((("a", 1),),), (1,), (((1, 1),), None, 1),
    (((1, 1),), None, {"weight": (8, 1)}), (((1, 1),), None, {"weight": (2,)}), (((1, 1),), None, {1: (1, 1)}),
):  # fmt: skip
    try:
        nn.Dense(4, 4).shard(*arguments)
        errors.append(None)
    except (TypeError, ValueError) as error:
        errors.append(type(error).__name__)
report["errors"] = errors
net = nn.Dense(4, 4)
net.shard(((4, 2),))
try:
    net(Tensor(np.ones((6, 4), np.float32)))
except ValueError as error:
    report["input"] = str(error)
print(json.dumps(report))
