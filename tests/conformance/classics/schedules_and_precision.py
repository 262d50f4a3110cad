"""Learning rate schedules as lists and Cells, mixed precision, and a step with a dynamic loss scale."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, amp, nn, ops
from mindspore.nn.learning_rate_schedule import LearningRateSchedule


class WarmUpCosine(LearningRateSchedule):
    """A schedule of one's own, of two others."""

    def __init__(self, rate, end, warmup, steps):
        super().__init__()
        self.warmup = Tensor(warmup, ms.float32)
        self.warm, self.cosine = nn.WarmUpLR(rate, warmup), nn.CosineDecayLR(end, rate, steps)
        self.greater, self.one, self.cast = ops.Greater(), Tensor(np.array([1.0]).astype(np.float32)), ops.Cast()

    def construct(self, global_step):
        is_warm = self.cast(self.greater(self.warmup, global_step), ms.float32)
        warm, cosine = self.warm(global_step), self.cosine(global_step)
        return (self.one - is_warm) * cosine + is_warm * warm


def lists():
    return {
        "cosine": nn.cosine_decay_lr(0.01, 0.1, 6, 2, 3),
        "piecewise": nn.piecewise_constant_lr([2, 4], [0.1, 0.01]),
        "exponential": nn.exponential_decay_lr(0.1, 0.9, 6, 2, 1, is_stair=True),
        "polynomial": nn.polynomial_decay_lr(0.1, 0.01, 6, 2, 2, 0.5, update_decay_epoch=True),
        "warmup": nn.warmup_lr(0.1, 6, 2, 2),
        "inverse": nn.inverse_decay_lr(0.1, 0.5, 6, 2, 1, True),
        "natural": nn.natural_exp_decay_lr(0.1, 0.9, 6, 2, 2),
    }


def train(fill, make, level="O0", scaler=None):
    rng = np.random.default_rng(0)
    net = fill(nn.SequentialCell(nn.Dense(4, 6), nn.LayerNorm((6,)), nn.GELU(), nn.Dense(6, 2)))
    net = amp.auto_mixed_precision(net, level)
    optimizer = make(net.trainable_params())
    loss_fn = nn.CrossEntropyLoss(label_smoothing=0.1)

    def forward(x, y):
        logits = net(x).astype(ms.float32)
        loss = loss_fn(logits, y)
        return (loss if scaler is None else scaler.scale(loss)), logits

    grad_fn = ms.value_and_grad(forward, None, net.trainable_params(), has_aux=True)

    @ms.jit
    def step(x, y):
        (loss, logits), grads = grad_fn(x, y)
        if scaler is not None:
            loss = scaler.unscale(loss)
            finite = amp.all_finite(grads)
            grads = scaler.unscale(grads)
            if finite:
                optimizer(grads)
            scaler.adjust(finite)
        else:
            optimizer(ops.clip_by_global_norm(grads, 0.5))
        return loss, logits

    out = []
    for i in range(4):
        x = rng.standard_normal((4, 4)) * (1e30 if scaler is not None and i == 2 else 1)
        out.append(step(Tensor(x, ms.float32), Tensor(rng.integers(0, 2, 4), ms.int32))[0])
    if scaler is not None:
        out[2] = "overflow"
        out.append(scaler.scale_value)
    return out, [p.astype(ms.float32) for p in net.trainable_params()], optimizer.global_step


def program(fill):
    schedule = WarmUpCosine(0.1, 0.001, 2, 6)
    return (
        lists(),
        [schedule(Tensor(i, ms.int32)) for i in range(6)],
        train(fill, lambda p: nn.Adam(p, nn.piecewise_constant_lr([2, 4], [0.1, 0.01]))),
        train(fill, lambda p: nn.SGD(p, schedule, momentum=0.9)),
        train(fill, lambda p: nn.AdamWeightDecay(p, nn.PolynomialDecayLR(0.1, 0.01, 4, 1.0), weight_decay=0.01)),
        train(fill, lambda p: nn.Momentum(p, 0.1, 0.9), "O0", amp.DynamicLossScaler(1024, 2, 2)),
    )
