"""Small trainings for tests of callbacks."""

import numpy as np

import ms_compat as ms
from ms_compat import nn, train
from ms_compat.train import Callback


def rows(size=8, batch=2):
    r = np.random.RandomState(0)
    columns = {"x": r.randn(size, 3).astype(np.float32), "y": r.randn(size, 2).astype(np.float32)}
    return ms.dataset.NumpySlicesDataset(columns, shuffle=False).batch(batch)


def model():
    net = nn.Dense(3, 2, weight_init="ones", bias_init="zeros")
    return train.Model(net, nn.MSELoss(), nn.Momentum(net.trainable_params(), 0.1, 0.9), metrics={"mse"}), net


class After(Callback):
    """Calls a function after one step and notes all steps."""

    def __init__(self, step=None, function=None):
        super().__init__()
        self.step, self.function, self.seen = step, function, []

    def on_train_step_end(self, run_context):
        number = run_context.original_args().cur_step_num
        self.seen.append(number)
        if number == self.step:
            self.function()


def files(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def fail():
    raise KeyError("step")
