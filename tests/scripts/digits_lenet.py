"""LeNet on the scikit-learn digits in plain MindSpore: it must run unchanged on MindSpore and on ms_compat.

It walks the whole road of a training script: a dataset of Python objects, a network, a loss, an optimizer,
`Model.train` with callbacks (or a hand-written loop over `value_and_grad`), a checkpoint, and the evaluation of a
fresh network that was loaded from it. The last line printed is `accuracy: <float>`.
"""

import argparse
import json
import os
import tempfile
import time

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import nn
from mindspore.train import Accuracy, Callback, CheckpointConfig, LossMonitor, Model, ModelCheckpoint, TimeMonitor
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

BATCH = 16
LEARNING_RATE = 0.02  # of the first epoch; falls along a cosine, epoch by epoch
MOMENTUM = 0.9
WEIGHT_DECAY = 0.001


class LeNet(nn.Cell):
    """Two convolutions and three dense layers, for one 32x32 channel."""

    def __init__(self, num_classes=10):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5, pad_mode="same", has_bias=True)
        self.conv2 = nn.Conv2d(6, 16, 5, pad_mode="same", has_bias=True)
        self.relu = nn.ReLU()
        self.pool = nn.MaxPool2d(kernel_size=2, stride=2)
        self.flatten = nn.Flatten()
        self.fc1 = nn.Dense(16 * 8 * 8, 120)
        self.fc2 = nn.Dense(120, 84)
        self.fc3 = nn.Dense(84, num_classes)

    def construct(self, x):
        x = self.pool(self.relu(self.conv1(x)))
        x = self.pool(self.relu(self.conv2(x)))
        x = self.flatten(x)
        x = self.relu(self.fc1(x))
        x = self.relu(self.fc2(x))
        return self.fc3(x)


class Digits:
    """A random-access source of (8x8 image, label)."""

    def __init__(self, images, labels):
        self.images = images.astype(np.float32)
        self.labels = labels.astype(np.int32)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        return self.images[index], self.labels[index]


def upsample(image):
    """8x8 grey values 0..16 -> 1x32x32 values -1..1; every pixel becomes a 4x4 square."""
    return (np.kron(image, np.ones((4, 4), np.float32)) / 8.0 - 1.0)[None].astype(np.float32)


def jitter(image):
    """The image moved by up to two pixels each way."""
    down, right = np.random.randint(-2, 3, 2)
    return np.roll(image, (down, right), (1, 2))


def make_dataset(images, labels, shuffle):
    data = ds.GeneratorDataset(Digits(images, labels), column_names=["image", "label"], shuffle=False)
    data = data.map(operations=[upsample, jitter] if shuffle else upsample, input_columns=["image"])
    if shuffle:
        data = data.shuffle(buffer_size=len(labels))
    return data.batch(BATCH, drop_remainder=shuffle)


def set_initial_weights(net, path, seed):
    """Weights from a file by parameter name, or from a numpy generator, or as the framework made them."""
    if path:
        weights = np.load(path)
        for param in net.get_parameters():
            param.set_data(ms.Tensor(weights[param.name]))
    elif seed is not None:
        random = np.random.RandomState(seed)
        for param in net.get_parameters():
            bound = 1.0 / np.sqrt(np.prod(param.shape[1:])) if len(param.shape) > 1 else 0.0
            value = random.uniform(-1.0, 1.0, param.shape) * bound * np.sqrt(3.0)
            param.set_data(ms.Tensor(value.astype(np.float32)))


class History(Callback):
    """Keeps the loss of every step and the seconds of every epoch; stops after `limit` steps."""

    def __init__(self, limit):
        super().__init__()
        self.limit = limit
        self.losses = []
        self.seconds = []

    def on_train_epoch_begin(self, run_context):
        self.started = time.perf_counter()

    def on_train_step_end(self, run_context):
        self.losses.append(float(run_context.original_args().net_outputs.asnumpy()))
        if len(self.losses) == self.limit:
            run_context.request_stop()

    def on_train_epoch_end(self, run_context):
        self.seconds.append(time.perf_counter() - self.started)


def train_model(net, loss_fn, optimizer, data, args, folder):
    """The high-level road: Model.train with callbacks. Returns losses, seconds per epoch and the checkpoint's path."""
    history = History(args.limit_steps)
    steps = data.get_dataset_size()
    saver = ModelCheckpoint("lenet", folder, CheckpointConfig(save_checkpoint_steps=steps, keep_checkpoint_max=2))
    model = Model(net, loss_fn, optimizer)
    model.train(
        args.epochs, data, callbacks=[LossMonitor(steps), TimeMonitor(), saver, history], dataset_sink_mode=False
    )
    return history.losses, history.seconds, saver.latest_ckpt_file_name


def train_functional(net, loss_fn, optimizer, data, args, folder):
    """The hand-written road: value_and_grad and a loop. Returns what `train_model` does."""

    def forward(image, label):
        logits = net(image)
        return loss_fn(logits, label), logits

    grad_fn = ms.value_and_grad(forward, None, optimizer.parameters, has_aux=True)

    def train_step(image, label):
        (loss, _), grads = grad_fn(image, label)
        optimizer(grads)
        return loss

    if args.mode == "graph":
        train_step = ms.jit(train_step)
    net.set_train()
    losses, seconds = [], []
    for epoch in range(args.epochs):
        started = time.perf_counter()
        for image, label in data.create_tuple_iterator():
            losses.append(float(train_step(image, label).asnumpy()))
            if len(losses) == args.limit_steps:
                break
        seconds.append(time.perf_counter() - started)
        print(f"epoch: {epoch + 1}, loss is {losses[-1]:.6f}, {seconds[-1]:.3f} s")
        if len(losses) == args.limit_steps:
            break
    path = os.path.join(folder, "lenet.ckpt")
    ms.save_checkpoint(net, path)
    return losses, seconds, path


def evaluate(path, loss_fn, data):
    net = LeNet()
    missing, unused = ms.load_param_into_net(net, ms.load_checkpoint(path))
    if missing:
        raise RuntimeError(f"the checkpoint lacks {missing} (and has {unused})")
    return float(Model(net, loss_fn, metrics={"accuracy": Accuracy()}).eval(data, dataset_sink_mode=False)["accuracy"])


def parse(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mode", choices=("graph", "pynative"), default="graph")
    parser.add_argument("--style", choices=("model", "functional"), default="model")
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1, help="seed of the framework: initial weights and shuffling")
    parser.add_argument("--init", metavar="FILE.npz", help="initial weights by parameter name")
    parser.add_argument("--init-seed", type=int, metavar="N", help="initial weights from numpy's RandomState(N)")
    parser.add_argument("--record", metavar="FILE.json", help="write losses, accuracy and times there")
    parser.add_argument("--limit-steps", type=int, metavar="N", help="stop after N steps")
    parser.add_argument("--no-shuffle", action="store_true")
    parser.add_argument("--ckpt-dir", help="folder for checkpoints (default: a temporary one)")
    return parser.parse_args(argv)


def run(args, folder):
    ms.set_context(mode=ms.GRAPH_MODE if args.mode == "graph" else ms.PYNATIVE_MODE)
    ms.set_seed(args.seed)
    digits = load_digits()
    split = train_test_split(digits.images, digits.target, test_size=0.2, random_state=0, stratify=digits.target)
    images, held_images, labels, held_labels = split

    net = LeNet()
    set_initial_weights(net, args.init, args.init_seed)
    loss_fn = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    data = make_dataset(images, labels, shuffle=not args.no_shuffle)
    steps = data.get_dataset_size()
    rates = nn.cosine_decay_lr(0.0, LEARNING_RATE, args.epochs * steps, steps, args.epochs)
    optimizer = nn.Momentum(net.trainable_params(), rates, MOMENTUM, weight_decay=WEIGHT_DECAY)
    train = train_model if args.style == "model" else train_functional
    losses, seconds, path = train(net, loss_fn, optimizer, data, args, folder)
    accuracy = evaluate(path, loss_fn, make_dataset(held_images, held_labels, shuffle=False))
    if args.record:
        with open(args.record, "w", encoding="utf-8") as file:
            json.dump({"losses": losses, "epoch_seconds": seconds, "accuracy": accuracy}, file)
    print(f"accuracy: {accuracy}")


def main():
    args = parse()
    if args.ckpt_dir:
        os.makedirs(args.ckpt_dir, exist_ok=True)
        run(args, args.ckpt_dir)
        return
    with tempfile.TemporaryDirectory() as folder:
        run(args, folder)


if __name__ == "__main__":
    main()
