"""Gradient clipping by a MultitypeFuncGraph under HyperMap, by `clip_by_global_norm`, and with loss scaling."""

import mindspore.nn as nn
import numpy as np
from mindspore import Parameter, Tensor
from mindspore import dtype as mstype
from mindspore.ops import composite as C
from mindspore.ops import functional as F
from mindspore.ops import operations as P

GRADIENT_CLIP_TYPE = 1
GRADIENT_CLIP_VALUE = 0.2
clip_grad = C.MultitypeFuncGraph("clip_grad")
grad_scale = C.MultitypeFuncGraph("grad_scale")
reciprocal = P.Reciprocal()


@clip_grad.register("Number", "Number", "Tensor")
def _clip_grad(clip_type, clip_value, grad):
    if clip_type not in (0, 1):
        return grad
    dt = F.dtype(grad)
    if clip_type == 0:
        new_grad = C.clip_by_value(
            grad, F.cast(F.tuple_to_array((-clip_value,)), dt), F.cast(F.tuple_to_array((clip_value,)), dt)
        )
    else:
        new_grad = nn.ClipByNorm()(grad, F.cast(F.tuple_to_array((clip_value,)), dt))
    return new_grad


@grad_scale.register("Tensor", "Tensor")
def tensor_grad_scale(scale, grad):
    return grad * F.cast(reciprocal(scale), F.dtype(grad))


class TrainAccumulate(nn.TrainOneStepWithLossScaleCell):
    def __init__(self, network, optimizer, scale_update_cell=None, clip="norm"):
        super().__init__(network, optimizer, scale_update_cell)
        self.cast = P.Cast()
        self.clip = clip
        self.reduce_all = P.ReduceAll()
        self.finite = P.IsFinite()
        self.degree = 1
        self.hyper_map = C.HyperMap()
        self.loss_scale = None
        self.loss_scaling_manager = scale_update_cell
        if scale_update_cell:
            self.loss_scale = Parameter(
                Tensor(scale_update_cell.get_loss_scale(), dtype=mstype.float32), name="loss_scale"
            )

    def any_overflow(self, grads):
        found = 0.0
        for grad in grads:
            found += 1.0 - self.cast(self.reduce_all(self.finite(grad)), mstype.float32)
        return found > 0

    def construct(self, x, y, sens=None):
        weights = self.weights
        loss = self.network(x, y)
        scaling_sens = self.loss_scale if sens is None else sens
        grads = self.grad(self.network, weights)(x, y, self.cast(scaling_sens, mstype.float32))
        grads = self.hyper_map(F.partial(grad_scale, scaling_sens * self.degree), grads)
        if self.clip == "norm":
            grads = self.hyper_map(F.partial(clip_grad, GRADIENT_CLIP_TYPE, GRADIENT_CLIP_VALUE), grads)
        elif self.clip == "value":
            grads = self.hyper_map(F.partial(clip_grad, 0, GRADIENT_CLIP_VALUE), grads)
        else:
            grads = C.clip_by_global_norm(grads, 0.3)
        cond = self.any_overflow(grads)
        overflow = cond
        if sens is None:
            overflow = self.loss_scaling_manager(self.loss_scale, cond)
        if not overflow:
            loss = F.depend(loss, self.optimizer(grads))
        return loss, cond, scaling_sens


class Regression(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense1 = nn.Dense(3, 4, activation="relu")
        self.dense2 = nn.Dense(4, 1)
        self.square = P.Square()
        self.mean = P.ReduceMean()

    def construct(self, x, y):
        return self.mean(self.square(self.dense2(self.dense1(x)) - y))


def program(fill):
    out = []
    for clip in ("norm", "value", "global"):
        rng = np.random.default_rng(1)
        net = fill(Regression())
        params = net.trainable_params()
        decay = list(filter(lambda p: "bias" not in p.name, params))
        others = list(filter(lambda p: "bias" in p.name, params))
        groups = [{"params": decay, "weight_decay": 0.01}, {"params": others}, {"order_params": params}]
        optimizer = nn.AdamWeightDecay(groups, learning_rate=0.02, eps=1e-6)
        manager = nn.DynamicLossScaleUpdateCell(loss_scale_value=2**10, scale_factor=2, scale_window=2)
        step = TrainAccumulate(net, optimizer, manager, clip)
        step.set_train()
        for i in range(4):
            x = rng.standard_normal((5, 3)).astype(np.float32)
            if i == 2:
                x[0] = 1e25  # an overflow: nothing is updated, the scale is halved
            out.append(step(Tensor(x), Tensor(np.ones((5, 1), np.float32))))
        out.append({p.name: p for p in step.get_parameters()})
    return out
