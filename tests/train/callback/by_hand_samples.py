"""Callbacks that a program drives itself: the hooks are called with a RunContext of hand-made parameters.

`CASES` are functions of the package's module; each gives what the callback holds after every epoch. The recorder and
the test call them through `run`, which adds what was printed.
"""

import contextlib
import io
import re

import numpy as np

LOSSES = (1.0, 0.8, 0.9, 0.85, 0.85, 0.7, 0.9, 1.0)
CASES = {}


def plain(value):
    """A result as JSON has it."""
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if hasattr(value, "asnumpy"):
        value = value.asnumpy()
    return np.asarray(value).tolist() if isinstance(value, (np.ndarray, np.generic)) else value


def run(ms, name):
    """[what a case gives or the class of its error, what it printed without times]."""
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            result = plain(CASES[name](ms))
    except Exception as error:  # the class is compared
        result = {"error": type(error).__name__}
    return [result, re.sub(r"\d+\.\d+ ms", "... ms", printed.getvalue())]


def begun(ms, **values):
    """Parameters of a run, and their RunContext."""
    params = ms.train.callback._InternalCallbackParam()
    for name, value in values.items():
        setattr(params, name, value)
    return params, ms.train.RunContext(params)


def early_stopping(ms, key, begin, restore, settings):
    """Stop by hand: wait, best value and stop request after each epoch, and the weights."""
    callback = ms.train.EarlyStopping(restore_best_weights=restore, **settings)
    params, context = begun(ms)
    net = ms.nn.Dense(2, 1)
    if restore:
        params.train_network = net
    if begin:
        callback.on_train_begin(context)
    log = []
    for epoch, loss in enumerate(LOSSES, 1):
        callback.on_train_epoch_begin(context)
        if key == "loss":
            params.net_outputs = ms.Tensor(loss, ms.float32)
        else:
            params.eval_results = {key: loss}
        params.cur_epoch_num = epoch
        net.weight.set_data(ms.Tensor(np.full((1, 2), epoch), ms.float32))
        callback.on_train_epoch_end(context)
        log.append([callback.best, callback.wait, callback.stopped_epoch, context.get_stop_requested()])
        if context.get_stop_requested():
            break
    callback.on_train_end(context)
    return log, net.weight


def reduce_rate(ms, key, begin, settings):
    """The rate, the count and the pause after each epoch."""
    callback = ms.train.ReduceLROnPlateau(**settings)
    optimizer = ms.nn.Momentum(ms.nn.Dense(2, 1).trainable_params(), 0.1, 0.9)
    params, context = begun(ms, optimizer=optimizer)
    if begin:
        callback.on_train_begin(context)
    log = []
    for epoch, loss in enumerate(LOSSES, 1):
        callback.on_train_epoch_begin(context)
        params.eval_results, params.cur_epoch_num = {key: loss}, epoch
        callback.on_train_epoch_end(context)
        log.append([callback.best, callback.wait, callback.cooldown_counter, optimizer.learning_rate])
    callback.on_train_end(context)
    return log


def history(ms, outputs, metrics=None):
    """What History keeps of one epoch."""
    callback = ms.train.History()
    _, context = begun(ms, cur_epoch_num=1, net_outputs=outputs, **({"metrics": metrics} if metrics else {}))
    for hook in ("begin", "epoch_end", "end"):
        getattr(callback, hook)(context)
    return callback.epoch, callback.history


def loss_monitor(ms, every, steps, batches=2):
    """What LossMonitor prints for steps that may be far from each other."""
    callback = ms.train.LossMonitor(every)
    params, context = begun(ms, batch_num=batches, net_outputs=ms.Tensor(1.5))
    for step in steps:
        params.cur_step_num, params.cur_epoch_num = step, (step - 1) // batches + 1
        callback.step_end(context)


def time_monitor(ms, *settings, **values):
    """What TimeMonitor prints, and the steps it divides by."""
    callback = ms.train.TimeMonitor(*settings)
    _, context = begun(ms, **values)
    callback.epoch_begin(context)
    callback.epoch_end(context)


def scheduled(ms, function):
    """The rates that LearningRateScheduler sets."""
    callback = ms.train.LearningRateScheduler(function)
    optimizer = ms.nn.Momentum(ms.nn.Dense(2, 1).trainable_params(), 0.1, 0.9)
    params, context = begun(ms, optimizer=optimizer)
    log = []
    for step in range(1, 5):
        params.cur_step_num = step
        callback.step_end(context)
        log.append(float(optimizer.learning_rate.asnumpy()))
    return log


STOPS = (
    {"patience": 2},
    {"patience": 0},
    {"patience": 1, "min_delta": 0.1},
    {"patience": 2, "baseline": 0.75},
    {"patience": 2, "baseline": 0},
    {"mode": "max", "patience": 2, "verbose": True},
    {"monitor": "acc", "patience": 1},
    {"monitor": "loss", "patience": 1},
    {"monitor": "acc", "baseline": 0.3, "patience": 2},
    {"patience": 1, "min_delta": -0.2},
)
RATES = (
    {"patience": 1},
    {"patience": 2, "factor": 0.5},
    {"patience": 1, "cooldown": 2},
    {"patience": 1, "min_lr": 0.05},
    {"patience": 1, "min_lr": 0.05, "cooldown": 1},
    {"patience": 0, "verbose": True},
    {"patience": 1, "monitor": "acc"},
    {"patience": 1, "min_delta": 0.2},
    {"patience": 1, "monitor": "loss"},
)
for _begin in (True, False):
    for _row in STOPS:
        for _restore in (False, True):
            CASES[f"EarlyStopping({_row}, {_restore}) begun {_begin}"] = (
                lambda ms, row=_row, begin=_begin, restore=_restore: early_stopping(
                    ms, row.get("monitor", "eval_loss"), begin, restore, row
                )
            )
    for _row in RATES:
        CASES[f"ReduceLROnPlateau({_row}) begun {_begin}"] = lambda ms, row=_row, begin=_begin: reduce_rate(
            ms, row.get("monitor", "eval_loss"), begin, row
        )
CASES |= {
    "History of a number": lambda ms: history(ms, ms.Tensor(1.5)),
    "History of a tuple": lambda ms: history(ms, (ms.Tensor([1.0, 3.0]), ms.Tensor(2.0))),
    "History of metrics": lambda ms: history(ms, [ms.Tensor(1.0)], {"acc": 0.5}),
    "LossMonitor each step": lambda ms: loss_monitor(ms, 1, (1, 2, 3)),
    "LossMonitor with gaps": lambda ms: loss_monitor(ms, 3, (1, 2, 5, 6, 7, 20)),
    "TimeMonitor": lambda ms: time_monitor(ms, batch_num=2),
    "TimeMonitor without batches": lambda ms: time_monitor(ms, mode="train"),
    "TimeMonitor of no batches": lambda ms: time_monitor(ms, batch_num=0),
    "TimeMonitor of its own size": lambda ms: time_monitor(ms, 3, batch_num=0),
    "LearningRateScheduler": lambda ms: scheduled(ms, lambda rate, step: rate * 0.5 if step % 2 else rate),
}
