"""A training that its driver breaks off, and that goes on when it is started again; see `test_chaos.py`.

`python -m tests.chaos.training NET MODE FOLDER [SEED]` trains NET ("conv", "recurrent" or "ranks") and writes its final
weights and its optimizer's state to FOLDER. It prints a line for each step, which the driver takes its bearings from.
With a SEED, "recurrent" attacks itself.
"""

import os
import pathlib
import random
import re
import resource
import signal
import sys
import time

import numpy as np

import ms_compat as ms
from ms_compat import nn, ops
from ms_compat.communication import get_rank, init
from ms_compat.mint.distributed import all_gather_object

STEPS = 48  # of Model.train
RECURRENT_STEPS = 120


class Conv(nn.Cell):
    """Running statistics and random numbers beside the weights."""

    def __init__(self):
        super().__init__()
        self.conv, self.norm = nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4)
        self.drop, self.dense = nn.Dropout(p=0.3), nn.Dense(4 * 8 * 8, 3)

    def construct(self, x):
        x = ops.relu(self.norm(self.conv(x)))
        return self.dense(self.drop(x.reshape(x.shape[0], -1)))


class Recurrent(nn.Cell):
    """A scan, and running statistics."""

    def __init__(self):
        super().__init__()
        self.lstm, self.dense = nn.LSTM(5, 6, batch_first=True), nn.Dense(6, 3)
        self.norm = nn.BatchNorm1d(6)

    def construct(self, x):
        return self.dense(self.norm(self.lstm(x)[0][:, -1]))


class Report(ms.train.Callback):
    """Prints the number of each step that is done."""

    def on_train_step_end(self, run_context):
        print("step", run_context.original_args().cur_step_num, flush=True)


def write(cell, folder):
    arrays = {parameter.name: parameter.asnumpy() for parameter in cell.get_parameters()}
    temporary = folder / "weights.tmp.npz"
    np.savez(temporary, **arrays)
    os.replace(temporary, folder / "weights.npz")


def newest(folder):
    """The checkpoints by their steps (epoch, step in it), ascending. A training that goes on writes under new names."""
    found = {path: re.search(r"-(\d+)_(\d+)\.ckpt$", path.name) for path in folder.glob("net*.ckpt")}
    return dict(sorted(((int(match[1]), int(match[2])), path) for path, match in found.items() if match))


def train(net, data, folder, resume):
    optimizer = nn.Momentum(net.trainable_params(), 0.05, 0.9)
    model = ms.train.Model(net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"), optimizer)
    config = ms.train.CheckpointConfig(save_checkpoint_steps=5, keep_checkpoint_max=4, resumable=True)
    epochs = STEPS // data.get_dataset_size()
    callbacks = [ms.train.ModelCheckpoint("net", str(folder), config), Report()]
    try:
        model.train(epochs, data, callbacks, resume=resume)
    except ValueError as error:
        if "was written in epoch" not in str(error):  # it was broken off after its last checkpoint
            raise
        ms.load_param_into_net(model.train_network, ms.load_checkpoint(str(list(newest(folder).values())[-1])))
    write(model.train_network, folder)


def rows(shape, **shards):
    x = np.random.default_rng(0).normal(size=(48, *shape)).astype(np.float32)
    y = (np.arange(48) % 3).astype(np.int32)
    return ms.dataset.NumpySlicesDataset((x, y), shuffle=True, **shards)


def conv(folder):
    folder.mkdir(exist_ok=True)
    train(Conv(), rows((1, 8, 8)).batch(8), folder, str(folder) if newest(folder) else None)


def ranks(folder):
    """Each rank goes on from the newest step that all of them have written."""
    init()
    ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
    folder = folder / f"rank{get_rank()}"
    folder.mkdir(exist_ok=True)
    print("process", get_rank(), os.getpid(), flush=True)
    own = newest(folder)
    steps = [None, None]
    all_gather_object(steps, list(own))
    common = sorted(set(map(tuple, steps[0])) & set(map(tuple, steps[1])))
    train(
        nn.SequentialCell(nn.Flatten(), nn.Dense(64, 8), nn.Dropout(p=0.3), nn.ReLU(), nn.Dense(8, 3)),
        rows((1, 8, 8), num_shards=2, shard_id=get_rank()).batch(4),
        folder,
        str(own[common[-1]]) if common else None,
    )


# -- a training that attacks itself


class Interrupt(Exception):
    """What Ctrl-C raises while `armed`."""


class Attacks:
    """Interrupts, forks and full disks at random moments of the steps; all of them leave the training as it was."""

    def __init__(self, seed, cell, folder):
        self.random = random.Random(seed)
        self.cell, self.file = cell, folder / "by_hand.ckpt"
        self.armed = False
        self.counts = {"interrupt": 0, "fork": 0, "disk": 0}
        signal.signal(signal.SIGALRM, self._interrupt)

    def _interrupt(self, number, frame):
        if self.armed:
            self.armed = False
            self.counts["interrupt"] += 1
            raise Interrupt

    def arm(self, typical):
        """Before a step: perhaps an interrupt during it."""
        if self.random.random() < 0.5:
            self.armed = True
            signal.setitimer(signal.ITIMER_REAL, self.random.uniform(1e-6, 1.5 * typical))

    def disarm(self):
        self.armed = False
        signal.setitimer(signal.ITIMER_REAL, 0)

    def between(self):
        """Between two steps: perhaps another process, or a full disk."""
        chance = self.random.random()
        if chance < 0.08:
            self.counts["fork"] += 1
            self._fork()
        elif chance < 0.2:
            self.counts["disk"] += 1
            self._fill()

    def _fork(self):
        child = os.fork()
        if not child:
            status = 0
            try:
                signal.alarm(0)
                size = self.random.choice([10, 1000, 300_000])
                print("child", float(ops.exp(ms.Tensor(np.zeros(size, np.float32))).sum().asnumpy()) / size, flush=True)
            except RuntimeError as error:
                status = 0 if "forked" in str(error) else 1
            finally:
                os._exit(status)
        end = time.monotonic() + 60
        while (done := os.waitpid(child, os.WNOHANG)) == (0, 0):
            if time.monotonic() > end:
                os.kill(child, signal.SIGKILL)
                raise SystemExit("a forked process hangs")
            time.sleep(0.01)
        if done[1]:
            raise SystemExit(f"a forked process ended with {done[1]}")

    def _fill(self):
        """A save that fails leaves the last file whole, and nothing beside it."""
        ms.save_checkpoint(self.cell, str(self.file))
        before = self.file.read_bytes()
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (self.random.randrange(len(before)), limits[1]))
        try:
            ms.save_checkpoint(self.cell, str(self.file))
        except OSError:
            pass
        else:
            raise SystemExit("a full disk went unnoticed")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        beside = sorted(path.name for path in self.file.parent.iterdir())
        if self.file.read_bytes() != before or beside != [self.file.name]:
            raise SystemExit("a full disk left something else than the last file")
        ms.load_param_into_net(self.cell, ms.load_checkpoint(str(self.file)))


def recurrent(folder, seed=None):
    folder.mkdir(exist_ok=True)
    net = Recurrent()
    optimizer = nn.Adam(net.trainable_params(), 0.01)
    loss = nn.WithLossCell(net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"))
    step = nn.TrainOneStepCell(loss, optimizer).set_train()
    draws = np.random.default_rng(1)
    batches = [ms.Tensor(draws.normal(size=(4, 7, 5)).astype(np.float32)) for _ in range(6)]
    labels = ms.Tensor(np.array([0, 1, 2, 1], np.int32))
    step(batches[-1], labels)  # compiles
    attacks = None if seed is None else Attacks(seed, step, folder)
    typical = 0.01
    while (done := int(optimizer.global_step.asnumpy()[0])) < RECURRENT_STEPS:
        begin = time.monotonic()
        try:
            try:
                if attacks is not None:
                    attacks.arm(typical)
                step(batches[done % 6], labels).asnumpy()
            finally:
                if attacks is not None:
                    attacks.disarm()
        except Interrupt:  # from within `disarm`, too; the number of steps says whether the step was done
            continue
        typical = 0.9 * typical + 0.1 * (time.monotonic() - begin)
        if attacks is not None:
            attacks.between()
    if attacks is not None:
        print("attacks", attacks.counts)
    write(step, folder)


def main():
    net, mode, folder, *seed = sys.argv[1:]
    ms.set_context(mode=getattr(ms, mode))
    ms.set_seed(1)
    ms.set_deterministic(True)
    ms.dataset.config.set_seed(2)
    {"conv": conv, "recurrent": recurrent, "ranks": ranks}[net](pathlib.Path(folder), *map(int, seed))


if __name__ == "__main__":
    main()
