"""The Parameters of optimizers and training Cells in many settings. Imports neither MindSpore nor ms_compat.

`told(case, ms)` gives a hash of name, shape, dtype and `requires_grad` of each in order, or the exception's class.
"""

import hashlib

REQUIRED = {
    "Lamb": {"learning_rate": 0.1},
    "Momentum": {"learning_rate": 0.1, "momentum": 0.9},
    "SGD": {"momentum": 0.9},
}
OPTIMIZERS = (
    "ASGD AdaFactor AdaMax Adadelta Adagrad Adam AdamOffload AdamWeightDecay FTRL Lamb LazyAdam Momentum "
    "ProximalAdagrad RMSProp Rprop SGD"
).split()
SETTINGS = {
    "plain": lambda ms, p: (p, {}),
    "rates": lambda ms, p: (p, {"learning_rate": [0.1, 0.2, 0.3]}),
    "schedule": lambda ms, p: (p, {"learning_rate": ms.nn.CosineDecayLR(0.01, 0.1, 4)}),
    "groups": lambda ms, p: (
        [{"params": p[:2], "lr": 0.2, "weight_decay": 0.01}, {"params": p[2:]}, {"order_params": p}],
        {},
    ),
    "groups of schedules": lambda ms, p: (
        [{"params": p[:2], "lr": ms.nn.CosineDecayLR(0.01, 0.1, 4)}, {"params": p[2:]}],
        {},
    ),
    "groups of rates": lambda ms, p: ([{"params": p[:2], "lr": [0.1, 0.2]}, {"params": p[2:], "lr": [0.2, 0.3]}], {}),
    "amsgrad": lambda ms, p: (p, {"use_amsgrad": True}),
    "centered": lambda ms, p: (p, {"centered": True}),
    "decay": lambda ms, p: (p, {"weight_decay": _decay(ms)}),
    "step": lambda ms, p: (p, {}),
    "step with scale": lambda ms, p: (p, {}),
}
CASES = [f"{optimizer} {setting}" for optimizer in OPTIMIZERS for setting in SETTINGS]


def _decay(ms):
    class Decay(ms.nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = ms.Parameter(ms.Tensor(0.1), name="given")

        def construct(self, step):
            return self.w

    return Decay()


def told(case, ms):
    name, _, setting = case.partition(" ")
    net = ms.nn.SequentialCell(ms.nn.Dense(3, 4), ms.nn.BatchNorm1d(4), ms.nn.Dense(4, 2, has_bias=False))
    try:
        parameters, settings = SETTINGS[setting](ms, net.trainable_params())
        found = getattr(ms.nn, name)(parameters, **{**REQUIRED.get(name, {}), **settings})
        if setting.startswith("step"):
            net = ms.nn.WithLossCell(net, ms.nn.MSELoss())
            scaled = setting == "step with scale"
            scale = (ms.nn.DynamicLossScaleUpdateCell(2.0, 2, 2),) if scaled else ()
            found = (ms.nn.TrainOneStepWithLossScaleCell if scaled else ms.nn.TrainOneStepCell)(net, found, *scale)
    except Exception as error:
        return type(error).__name__
    rows = [f"{p.name} {tuple(p.shape)} {p.dtype} {p.requires_grad}" for p in found.get_parameters()]
    return f"{len(rows)} {rows[-1]} {hashlib.sha256(chr(10).join(rows).encode()).hexdigest()[:8]}"
