"""A train-one-step Cell of one's own, with the sensitivity as an argument of the gradient function."""

import mindspore.nn as nn
import numpy as np
from mindspore import Tensor, context
from mindspore.common import dtype as mstype
from mindspore.common.parameter import ParameterTuple
from mindspore.communication.management import get_group_size
from mindspore.context import ParallelMode
from mindspore.nn.wrap.grad_reducer import DistributedGradReducer
from mindspore.ops import composite as C
from mindspore.ops import functional as F
from mindspore.ops import operations as P
from mindspore.parallel._auto_parallel_context import auto_parallel_context


class Net(nn.Cell):
    def __init__(self, in_channels, hidden, classes):
        super(Net, self).__init__()
        self.conv = nn.Conv2d(in_channels, hidden, 3, has_bias=False, pad_mode="same")
        self.bn = nn.BatchNorm2d(hidden)
        self.relu = nn.ReLU()
        self.mean = P.ReduceMean(keep_dims=False)
        self.fc = nn.Dense(hidden, classes)

    def construct(self, x):
        x = self.relu(self.bn(self.conv(x)))
        return self.fc(self.mean(x, (2, 3)))


class CrossEntropy(nn.Cell):
    def __init__(self, classes, smooth=0.1):
        super(CrossEntropy, self).__init__()
        self.onehot = P.OneHot()
        self.on_value = Tensor(1.0 - smooth, mstype.float32)
        self.off_value = Tensor(smooth / (classes - 1), mstype.float32)
        self.ce = nn.SoftmaxCrossEntropyWithLogits()
        self.mean = P.ReduceMean(False)

    def construct(self, logit, label):
        one_hot = self.onehot(label, F.shape(logit)[1], self.on_value, self.off_value)
        return self.mean(self.ce(logit, one_hot), 0)


class WithLoss(nn.Cell):
    def __init__(self, backbone, loss_fn):
        super(WithLoss, self).__init__(auto_prefix=False)
        self._backbone = backbone
        self._loss_fn = loss_fn

    def construct(self, data, label):
        return self._loss_fn(self._backbone(data), label)

    @property
    def backbone_network(self):
        return self._backbone


class TrainOneStep(nn.Cell):
    def __init__(self, network, optimizer, sens=1.0):
        super(TrainOneStep, self).__init__(auto_prefix=False)
        self.network = network
        self.network.set_grad()
        self.network.add_flags(defer_inline=True)
        self.weights = ParameterTuple(network.trainable_params())
        self.optimizer = optimizer
        self.grad = C.GradOperation(get_by_list=True, sens_param=True)
        self.sens = sens
        self.reducer_flag = False
        self.grad_reducer = None
        parallel_mode = context.get_auto_parallel_context("parallel_mode")
        if parallel_mode in (ParallelMode.DATA_PARALLEL, ParallelMode.HYBRID_PARALLEL):
            self.reducer_flag = True
        if self.reducer_flag:
            mean = context.get_auto_parallel_context("gradients_mean")
            if auto_parallel_context().get_device_num_is_set():
                degree = context.get_auto_parallel_context("device_num")
            else:
                degree = get_group_size()
            self.grad_reducer = DistributedGradReducer(optimizer.parameters, mean, degree)

    def construct(self, *inputs):
        weights = self.weights
        loss = self.network(*inputs)
        sens = P.Fill()(P.DType()(loss), P.Shape()(loss), self.sens)
        grads = self.grad(self.network, weights)(*inputs, sens)
        if self.reducer_flag:
            grads = self.grad_reducer(grads)
        return F.depend(loss, self.optimizer(grads))


def program(fill):
    rng = np.random.default_rng(0)
    net = fill(Net(2, 4, 3))
    opt = nn.Momentum(filter(lambda x: x.requires_grad, net.get_parameters()), 0.1, 0.9, weight_decay=1e-4)
    step = TrainOneStep(WithLoss(net, CrossEntropy(3)), opt, sens=2.0)
    step.set_train(True)
    losses = []
    for _ in range(4):
        data = Tensor(rng.standard_normal((4, 2, 5, 5)).astype(np.float32))
        label = Tensor(rng.integers(0, 3, 4).astype(np.int32))
        losses.append(step(data, label))
    for number, loss in enumerate(losses):
        print("step: {}, loss is {:.4f}".format(number, float(loss.asnumpy())))
    return losses, {p.name: p for p in net.get_parameters()}, [p.name for p in opt.moments]
