"""`Model.train` with callbacks, a metric and an evaluation callback of one's own, rates by step and loss scaling."""

import math
import os

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import Model, Tensor, nn
from mindspore.nn.metrics import Accuracy, Loss
from mindspore.train.callback import Callback, CheckpointConfig, LossMonitor, ModelCheckpoint
from mindspore.train.loss_scale_manager import FixedLossScaleManager
from mindspore.train.serialization import load_checkpoint, load_param_into_net


def cosine_lr(base, warmup, total):
    rates = []
    for i in range(total):
        if i < warmup:
            rates.append(base * (i + 1) / warmup)
        else:
            rates.append(0.5 * base * (1 + math.cos(math.pi * (i - warmup) / (total - warmup))))
    return rates


class RightShare(nn.Metric):
    """A metric of one's own."""

    def __init__(self):
        super().__init__()
        self.clear()

    def clear(self):
        self._right, self._seen = 0, 0

    def update(self, *inputs):
        scores, labels = self._convert_data(inputs[0]), self._convert_data(inputs[1])
        self._right += int((scores.argmax(1) == labels).sum())
        self._seen += labels.shape[0]

    def eval(self):
        if self._seen == 0:
            raise RuntimeError("nothing seen")
        return self._right / self._seen


class EvalCallBack(Callback):
    """Evaluates every epoch, keeps the best, and stops when it gets worse."""

    def __init__(self, model, dataset, path):
        super().__init__()
        self.model, self.dataset, self.path = model, dataset, path
        self.best, self.history = 0.0, []

    def epoch_end(self, run_context):
        params = run_context.original_args()
        result = self.model.eval(self.dataset, dataset_sink_mode=False)
        self.history.append((params.cur_epoch_num, float(params.net_outputs.asnumpy()), result["share"]))
        if result["share"] >= self.best:
            self.best = result["share"]
            ms.save_checkpoint(params.train_network, self.path)
        elif len(self.history) > 4:
            run_context.request_stop()


class LrMonitor(Callback):
    def __init__(self):
        super().__init__()
        self.rates = []

    def step_end(self, run_context):
        optimizer = run_context.original_args().optimizer
        step = int(optimizer.global_step.asnumpy()[0]) - 1
        self.rates.append(float(optimizer.learning_rate(Tensor(step, ms.int32)).asnumpy()))


def dataset(seed, size=24, batch=8):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((size, 4)).astype(np.float32)
    y = (x.sum(1) > 0).astype(np.int32)
    data = ds.NumpySlicesDataset({"data": x, "label": y}, shuffle=False)
    return data.batch(batch, drop_remainder=True)


def program(fill):
    train, test = dataset(0), dataset(1, 16)
    net = fill(nn.SequentialCell(nn.Dense(4, 8), nn.ReLU(), nn.Dense(8, 2)))
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    rates = cosine_lr(0.3, 2, 3 * train.get_dataset_size())
    groups = [
        {"params": [p for p in net.trainable_params() if "bias" in p.name], "weight_decay": 0.0},
        {"params": [p for p in net.trainable_params() if "bias" not in p.name]},
        {"order_params": net.trainable_params()},
    ]
    optimizer = nn.Momentum(groups, Tensor(rates, ms.float32), 0.9, weight_decay=1e-3, loss_scale=8.0)
    manager = FixedLossScaleManager(8.0, drop_overflow_update=False)
    metrics = {"acc": Accuracy(), "share": RightShare(), "loss": Loss()}
    model = Model(net, loss_fn=loss, optimizer=optimizer, metrics=metrics, loss_scale_manager=manager, amp_level="O0")
    config = CheckpointConfig(save_checkpoint_steps=train.get_dataset_size(), keep_checkpoint_max=2)
    saver = ModelCheckpoint(prefix="net", directory="./ckpt", config=config)
    evaluation, monitor = EvalCallBack(model, test, "best.ckpt"), LrMonitor()
    model.train(3, train, callbacks=[LossMonitor(2), saver, evaluation, monitor], dataset_sink_mode=False)
    names = sorted(name for name in os.listdir("ckpt") if name.endswith(".ckpt"))
    fresh = nn.SequentialCell(nn.Dense(4, 8), nn.ReLU(), nn.Dense(8, 2))
    missing = load_param_into_net(fresh, load_checkpoint(os.path.join("ckpt", names[-1])))
    other = Model(fresh, loss, metrics=metrics)
    return (
        evaluation.history,
        monitor.rates,
        names,
        missing,
        other.eval(test),
        model.predict(Tensor(np.ones((2, 4)), ms.float32)),
        sorted(load_checkpoint("best.ckpt")),
        model.eval(test)["acc"],
        model.train_network.cls_name,
    )
