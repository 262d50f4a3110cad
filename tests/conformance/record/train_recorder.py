"""The prelude of the training recordings: a small dataset, a model with exact losses, a callback that notes events."""

from tests.conformance.record.nn_recorder import Recorder

PRELUDE = r'''
import contextlib
import io
import os
import re
import tempfile

train = ms.train
nn = ms.nn


class Rows:
    """Rows of (x, y): integers as float32, so that losses are exact."""

    def __init__(self, size):
        self.size = size

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        return np.array([index, 1, -index], np.float32), np.array([index % 2, 2], np.float32)


def rows(size=12, batch=4):
    return ms.dataset.GeneratorDataset(Rows(size), ["x", "y"], shuffle=False).batch(batch)


def dense():
    return nn.Dense(3, 2, weight_init="ones", bias_init="zeros")


def model(lr=0.0, **options):
    net = dense()
    return train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), lr), **options)


def printed(function, *args, **options):
    """What is printed, line by line, with times as T."""
    stream = io.StringIO()
    with contextlib.redirect_stdout(stream):
        function(*args, **options)
    return [re.sub(r"\d+\.\d+ ms", "T ms", line) for line in stream.getvalue().splitlines()]


EVENTS = [f"on_{phase}_{what}" for phase in ("train", "eval") for what in
          ("begin", "epoch_begin", "step_begin", "step_end", "epoch_end", "end")]


def watcher(look=None, names=EVENTS, base=None):
    """A callback that writes down the events it is told of (with what `look` finds), and its notes."""
    notes = []

    def note(name):
        def method(self, run_context):
            notes.append(name if look is None else (name, look(run_context.original_args())))
        return method

    made = type("Watcher", (base or train.Callback,), {name: note(name) for name in names})
    return made(), notes


def files(folder):
    return sorted(os.listdir(folder))
'''


def recorder(script, name, about):
    return Recorder(script, name, about, PRELUDE.strip("\n") + "\n")
