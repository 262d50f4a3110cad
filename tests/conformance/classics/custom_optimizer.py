"""Optimizers of one's own: subclasses of `nn.Optimizer` with map_, HyperMap, `get_lr`, decay and groups."""

import mindspore as ms
import mindspore.ops as ops
import numpy as np
from mindspore import Parameter, Tensor, nn
from mindspore.common.initializer import initializer
from mindspore.nn.optim.optimizer import Optimizer

_lars_opt = ops.MultitypeFuncGraph("lars_opt")


@_lars_opt.register("Number", "Tensor", "Tensor", "Tensor", "Tensor")
def _lars(eps, lr, weight, grad, moment):
    norm, grad_norm = ops.norm(weight), ops.norm(grad)
    ratio = ops.select(norm > 0, norm / (grad_norm + eps), ops.ones_like(norm))
    new = moment * 0.9 + grad * ratio * lr
    ops.assign(moment, new)
    ops.assign_sub(weight, new)
    return True


class Momentum(nn.Optimizer):
    """In the style of the tutorial on optimizers of one's own."""

    def __init__(self, params, learning_rate, momentum=0.9):
        super(Momentum, self).__init__(learning_rate, params)
        self.momentum = Parameter(Tensor(momentum, ms.float32), name="momentum")
        self.moments = self.parameters.clone(prefix="moments", init="zeros")
        self.assign = ops.Assign()

    def construct(self, gradients):
        lr = self.get_lr()
        params = self.parameters
        for i in range(len(params)):
            self.assign(self.moments[i], self.moments[i] * self.momentum + gradients[i])
            update = params[i] - self.moments[i] * lr
            self.assign(params[i], update)
        return params


class Lars(Optimizer):
    """HyperMap over weights, gradients and state, weight decay and gradient scale of the base class."""

    def __init__(self, params, learning_rate=0.1, eps=1e-5, weight_decay=0.0, loss_scale=1.0):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self.eps = eps
        self.moments = self.parameters.clone(prefix="lars", init="zeros")
        self.hyper_map = ops.HyperMap()

    def construct(self, gradients):
        gradients = self.flatten_gradients(gradients)
        gradients = self.decay_weight(gradients)
        gradients = self.gradients_centralization(gradients)
        gradients = self.scale_grad(gradients)
        lr = self.get_lr()
        if self.is_group_lr:
            return self.hyper_map(ops.partial(_lars_opt, self.eps), lr, self.parameters, gradients, self.moments)
        return self.hyper_map(ops.partial(_lars_opt, self.eps, lr), self.parameters, gradients, self.moments)


class Lookahead(nn.Cell):
    """Wraps another optimizer; every k steps the slow weights move towards the fast ones."""

    def __init__(self, inner, k=2, alpha=0.5):
        super().__init__(auto_prefix=False)
        self.inner = inner
        self.parameters = inner.parameters
        self.slow = self.parameters.clone(prefix="slow")
        self.step = Parameter(initializer(0, [1], ms.int32), name="lookahead_step")
        self.k, self.alpha = k, alpha

    def construct(self, grads):
        self.inner(grads)
        self.step += 1
        if self.step % self.k == 0:
            for fast, slow in zip(self.parameters, self.slow):
                ops.assign_add(slow, (fast - slow) * self.alpha)
                ops.assign(fast, slow)
        return self.step


def make(kind, net):
    if kind == "momentum":
        return Momentum(net.trainable_params(), nn.exponential_decay_lr(0.1, 0.5, 8, 2, 1))
    if kind == "lars":
        return Lars(net.trainable_params(), nn.CosineDecayLR(0.01, 0.1, 4), weight_decay=0.1, loss_scale=2.0)
    if kind == "lars groups":
        groups = [
            {"params": [p for p in net.trainable_params() if "bias" in p.name], "lr": 0.2},
            {"params": [p for p in net.trainable_params() if "bias" not in p.name], "weight_decay": 0.01},
        ]
        return Lars(groups, 0.05)
    return Lookahead(nn.SGD(net.trainable_params(), 0.1))


def program(fill):
    out = []
    for kind in ("momentum", "lars", "lars groups", "lookahead"):
        rng = np.random.default_rng(0)
        net = fill(nn.SequentialCell(nn.Dense(3, 4), nn.Tanh(), nn.Dense(4, 2)))
        optimizer = make(kind, net)
        with_loss = nn.WithLossCell(net, nn.L1Loss())
        grad_fn = ops.value_and_grad(with_loss, None, optimizer.parameters)
        for _ in range(4):
            x, y = rng.standard_normal((4, 3)), rng.standard_normal((4, 2))
            loss, grads = grad_fn(Tensor(x, ms.float32), Tensor(y, ms.float32))
            optimizer(grads)
            out.append((kind, loss))
        out.append({p.name: p for p in optimizer.get_parameters()})
    return out
