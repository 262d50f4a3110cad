"""Two hundred lines of MindSpore as people write it, for type checkers: nothing here may be called an error.

It also runs: `test_stubs.py` trains with it, so that what the checkers see is what works.
"""

import os
import tempfile

import numpy as np

import ms_compat as ms
import ms_compat.dataset as ds
from ms_compat import Parameter, ParameterTuple, Tensor, context, load_checkpoint, mint, nn, ops
from ms_compat import numpy as mnp
from ms_compat.common import dtype as mstype
from ms_compat.common.initializer import Normal, XavierUniform, initializer
from ms_compat.ops import functional as F
from ms_compat.ops import operations as P
from ms_compat.train import Callback, LossMonitor, Model

ms.set_seed(1)
context.set_context(mode=context.PYNATIVE_MODE, device_target="CPU")


class Samples:
    def __init__(self, count: int = 32) -> None:
        generator = np.random.default_rng(0)
        self.images = generator.normal(size=(count, 1, 12, 12)).astype(np.float32)
        self.labels = generator.integers(0, 4, count).astype(np.int32)

    def __getitem__(self, index: int):
        return self.images[index], self.labels[index]

    def __len__(self) -> int:
        return len(self.images)


class Attention(nn.Cell):
    def __init__(self, dim: int, heads: int = 2):
        super().__init__()
        self.heads = heads
        self.scale = (dim // heads) ** -0.5
        self.qkv = nn.Dense(dim, dim * 3, weight_init=XavierUniform(), has_bias=False)
        self.out = nn.Dense(dim, dim, weight_init=Normal(0.02), dtype=mstype.float32)
        self.position = nn.Embedding(64, dim, embedding_table=Normal(0.02))
        self.dropout = nn.Dropout(p=0.1)
        self.norm = nn.LayerNorm((dim,), epsilon=1e-6)
        self.softmax = P.Softmax(axis=-1)
        self.matmul = ops.BatchMatMul(transpose_b=True)

    def construct(self, x):
        b, n, c = x.shape
        qkv = self.qkv(self.norm(x)).reshape(b, n, 3, self.heads, c // self.heads).transpose(2, 0, 3, 1, 4)
        q, k, v = qkv[0], qkv[1], qkv[2]
        scores = self.softmax(self.matmul(q, k) * self.scale)
        y = ops.matmul(self.dropout(scores), v).swapaxes(1, 2).reshape((b, n, c))
        return x + self.out(y) + F.stop_gradient(self.position(ops.arange(n)))


class Net(nn.Cell):
    """A small convolutional network with attention."""

    def __init__(self, classes: int = 4):
        super().__init__(auto_prefix=True)
        self.conv = nn.Conv2d(1, 8, kernel_size=3, stride=2, pad_mode="pad", padding=1, weight_init="he_uniform")
        self.bn = nn.BatchNorm2d(8, momentum=0.9)
        self.relu = nn.ReLU()
        self.pool = nn.MaxPool2d(kernel_size=2, stride=2)
        self.blocks = nn.CellList([Attention(8) for _ in range(2)])
        self.flatten = nn.Flatten()
        self.head = nn.SequentialCell(nn.Dense(72, 16, activation="relu"), nn.Dense(16, classes))
        self.scale = Parameter(initializer("ones", (1,), ms.float32), name="scale", requires_grad=True)
        self.shape = ops.Shape()
        self.cast = ops.Cast()
        self.concat = ops.Concat(axis=1)
        self.reduce_mean = ops.ReduceMean(keep_dims=True)
        for _, cell in self.cells_and_names():
            if isinstance(cell, nn.Dense) and cell.has_bias:
                cell.bias.set_data(initializer("zeros", cell.bias.shape, cell.bias.dtype))

    def construct(self, x):
        x = self.pool(self.relu(self.bn(self.conv(x))))
        b, c, h, w = self.shape(x)
        x = ops.transpose(x.view(b, c, h * w), (0, 2, 1))
        for block in self.blocks:
            x = block(x)
        x = self.cast(x, ms.float32) - self.reduce_mean(x, 1)
        return self.head(self.flatten(x)) * self.scale


class WithLoss(nn.Cell):
    def __init__(self, backbone: nn.Cell, loss_fn: nn.Cell):
        super().__init__(auto_prefix=False)
        self.backbone = backbone
        self.loss_fn = loss_fn

    def construct(self, data, label):
        return self.loss_fn(self.backbone(data), label)


class TrainStep(nn.Cell):
    def __init__(self, network: nn.Cell, optimizer: nn.Optimizer, sens: float = 1.0):
        super().__init__(auto_prefix=False)
        self.network = network
        self.network.set_grad()
        self.optimizer = optimizer
        self.weights = ParameterTuple(network.trainable_params())
        self.grad = ops.GradOperation(get_by_list=True, sens_param=True)
        self.sens = sens

    def construct(self, *inputs):
        loss = self.network(*inputs)
        sens = ops.fill(loss.dtype, loss.shape, self.sens)
        grads = self.grad(self.network, self.weights)(*inputs, sens)
        grads = ops.clip_by_global_norm(grads, 1.0)
        loss = ops.depend(loss, self.optimizer(grads))
        return loss


class Stop(Callback):
    def __init__(self, steps: int):
        super().__init__()
        self.steps = steps

    def on_train_step_end(self, run_context):
        if run_context.original_args().cur_step_num >= self.steps:
            run_context.request_stop()


def tensors() -> Tensor:
    """The ways in which programs use tensors."""
    x = Tensor(np.arange(6).reshape(2, 3), ms.float32)
    y = Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], dtype=ms.float32)
    z = x + y * 2 - 1.0 / (y + 1)
    z = 2**x + x**2 + (-z) + abs(z) + x // 2 + x % 2
    z += x @ y.T @ x
    z[0, 1] = 0.5
    z[0] = x[1, :]
    mask = ops.logical_and(x > 1, y != 4.0)
    z = z.masked_fill(mask, 0.0).clip(0, 5)
    chosen = mnp.where(mask, x, y)
    values, indices = ops.topk(z, 2)
    largest = z.argmax(axis=1)
    total = z.sum(axis=0, keepdims=True) + z.mean() + z.max(axis=1).sum() + z.std()
    parts = ops.split(z, 1, axis=0)
    stacked = ops.stack((parts[0], parts[1]), axis=0).squeeze()
    joined = mint.cat([x, y], dim=0)
    tiled = ops.tile(x, (2, 1)).expand_dims(0).broadcast_to((3, 4, 3))
    one_hot = nn.OneHot(depth=3)(largest.astype(ms.int32))
    gathered = ops.gather(x, Tensor([0, 1], ms.int32), 0)
    low = x.astype(ms.float16).asnumpy().dtype == np.float16
    assert low and int(total.size) == 3 and float(x[0, 0]) == 0.0 and bool(mask.any())
    for row in x:
        assert row.shape == (3,) and len(row) == 3
    flat = [item for item in x.flatten().asnumpy().tolist() if item > 2]
    noise = ops.randn((2, 3)) + ops.uniform((2, 3), Tensor(0, ms.float32), Tensor(1, ms.float32), seed=1)
    grid = mnp.meshgrid(mnp.arange(2), mnp.arange(3))
    score = ops.softmax(values, axis=-1) + ops.cast(indices, ms.float32) * 0
    norm = ops.norm(gathered) + ops.zeros_like(x).sum() + len(flat) + len(grid) + noise.sum() * 0
    return norm + score.sum() + stacked.sum() + joined.sum() + tiled.sum() + one_hot.sum() + chosen.sum()


def pipeline(batch: int = 8):
    source = ds.GeneratorDataset(Samples(), ["image", "label"], shuffle=True)
    data = source.map(operations=lambda image: image * 2, input_columns=["image"])
    return data.batch(batch, drop_remainder=True).repeat(1)


def functional_step(net: nn.Cell, loss_fn: nn.Cell, optimizer: nn.Optimizer):
    def forward(data, label):
        logits = net(data)
        return loss_fn(logits, label), logits

    grad_fn = ms.value_and_grad(forward, None, optimizer.parameters, has_aux=True)

    def step(data, label):
        (loss, _), grads = grad_fn(data, label)
        optimizer(grads)
        return loss

    return ms.jit(step)


def main(steps: int = 2) -> float:
    """Train in three ways; gives the last loss."""
    net = Net()
    loss_fn = nn.CrossEntropyLoss(reduction="mean")
    schedule = nn.cosine_decay_lr(0.0, 0.01, 8, 4, 2)
    decayed = list(filter(lambda p: "bias" not in p.name, net.trainable_params()))
    rest = [p for p in net.get_parameters() if "bias" in p.name]
    groups = [{"params": decayed, "weight_decay": 1e-4}, {"params": rest}, {"order_params": net.trainable_params()}]
    optimizer = nn.Momentum(groups, learning_rate=schedule, momentum=0.9)
    classic = TrainStep(WithLoss(net, loss_fn), optimizer)
    classic.set_train()
    step = functional_step(net, loss_fn, nn.AdamWeightDecay(net.trainable_params(), 1e-3, weight_decay=0.01))
    loss = Tensor(0.0)
    for number, row in enumerate(pipeline().create_dict_iterator()):
        loss = classic(row["image"], row["label"]) + step(row["image"], row["label"])
        if number + 1 == steps:
            break
    model = Model(net, loss_fn, nn.SGD(net.trainable_params(), learning_rate=0.01), metrics={"accuracy"})
    model.train(1, pipeline(), callbacks=[LossMonitor(100), Stop(steps)], dataset_sink_mode=False)
    metrics = model.eval(pipeline(), dataset_sink_mode=False)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "net.ckpt")
        ms.save_checkpoint(net, path)
        ms.load_param_into_net(net, load_checkpoint(path))
    net.set_train(False)
    assert net(Tensor(np.zeros((1, 1, 12, 12)), ms.float32)).shape == (1, 4)
    return float(loss) + metrics["accuracy"] * 0 + float(tensors()) * 0


if __name__ == "__main__":
    print(main())
