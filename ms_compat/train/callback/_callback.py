"""`Callback`, `RunContext` and their caller: the hooks of `Model.train`, `fit` and `eval`.

The hooks `on_train_step_end` and `on_eval_step_end` fall back to the older `step_end` unless a class overrides them:
a callback written with the old names is called in training and in evaluation.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from typing import Any

from ms_compat._core.errors import check_type
from ms_compat._core.faces import faces

OLD_NAMES = ("begin", "epoch_begin", "epoch_end", "step_begin", "step_end", "end")


@faces("train train.callback")
class Callback:
    """Base class of callbacks: override the hooks that you need.

    Each hook gets a `RunContext`. A callback is also a context manager around the whole run; override `__enter__` and
    `__exit__` to hold resources (`__exit__` sees the exception that ended the run, if there is one).

    The hooks `on_train_*` and `on_eval_*` call the older ones (`begin`, `epoch_end`, `step_end`, ...) unless a class
    overrides them. A callback that overrides an older hook is therefore called in training and in evaluation.

    >>> import numpy as np
    >>> from ms_compat import dataset, nn
    >>> from ms_compat.train import Callback, Model
    >>> class Steps(Callback):
    ...     def on_train_step_end(self, run_context):
    ...         print("step", run_context.original_args().cur_step_num)
    >>> net = nn.Dense(2, 1)
    >>> data = dataset.NumpySlicesDataset((np.ones((2, 2), np.float32), np.ones((2, 1), np.float32)))
    >>> Model(net, nn.MSELoss(), nn.SGD(net.trainable_params())).train(1, data.batch(1), callbacks=Steps())
    step 1
    step 2
    """

    kept_state: tuple[str, ...] = ()
    """Names of the attributes that a resumable checkpoint keeps: numbers, strings, NumPy scalars, dicts of Tensors."""

    def __enter__(self):
        return self

    def __exit__(self, *err):
        return None

    def begin(self, run_context):
        """Do something before the first epoch.

        Args:
            run_context: the `RunContext`.

        >>> from ms_compat.train import Callback, RunContext
        >>> class Hello(Callback):
        ...     def begin(self, run_context):
        ...         print("epochs:", run_context.original_args()["epoch_num"])
        >>> Hello().on_train_begin(RunContext({"epoch_num": 3}))
        epochs: 3
        """

    def epoch_begin(self, run_context):
        """Do something before an epoch.

        Args:
            run_context: the `RunContext`.

        >>> from ms_compat.train import Callback, RunContext
        >>> class Count(Callback):
        ...     def epoch_begin(self, run_context):
        ...         print("epoch", run_context.original_args()["cur_epoch_num"])
        >>> Count().on_train_epoch_begin(RunContext({"cur_epoch_num": 2}))
        epoch 2
        """

    def epoch_end(self, run_context):
        """Do something after an epoch.

        Args:
            run_context: the `RunContext`.

        >>> from ms_compat.train import Callback, RunContext
        >>> class Done(Callback):
        ...     def epoch_end(self, run_context):
        ...         print("loss", run_context.original_args()["net_outputs"])
        >>> Done().on_train_epoch_end(RunContext({"net_outputs": 0.5}))
        loss 0.5
        """

    def step_begin(self, run_context):
        """Do something before a step.

        Args:
            run_context: the `RunContext`.

        >>> from ms_compat.train import Callback, RunContext
        >>> class Count(Callback):
        ...     def step_begin(self, run_context):
        ...         print("step", run_context.original_args()["cur_step_num"])
        >>> Count().on_train_step_begin(RunContext({"cur_step_num": 7}))
        step 7
        """

    def step_end(self, run_context):
        """Do something after a step.

        Args:
            run_context: the `RunContext`. Its `net_outputs` is the loss, which reaches the host when it is read.

        >>> from ms_compat.train import Callback, RunContext
        >>> class Stop(Callback):
        ...     def step_end(self, run_context):
        ...         if run_context.original_args()["net_outputs"] < 0.1:
        ...             run_context.request_stop()
        >>> context = RunContext({"net_outputs": 0.05})
        >>> Stop().on_train_step_end(context)
        >>> context.get_stop_requested()
        True
        """

    def end(self, run_context):
        """Do something after the last epoch.

        Args:
            run_context: the `RunContext`.

        >>> from ms_compat.train import Callback, RunContext
        >>> class Bye(Callback):
        ...     def end(self, run_context):
        ...         print("trained", run_context.original_args()["cur_step_num"], "steps")
        >>> Bye().on_train_end(RunContext({"cur_step_num": 10}))
        trained 10 steps
        """

    def on_train_begin(self, run_context):
        """Before the first epoch of a training.

        >>> from ms_compat.train import Callback, RunContext
        >>> class Hello(Callback):
        ...     def on_train_begin(self, run_context):
        ...         print("training")
        >>> Hello().on_train_begin(RunContext({}))
        training
        """
        self.begin(run_context)

    def on_train_epoch_begin(self, run_context):
        """Before an epoch of a training.

        >>> from ms_compat.train import Callback, RunContext
        >>> class Epochs(Callback):
        ...     def on_train_epoch_begin(self, run_context):
        ...         print("epoch", run_context.original_args()["cur_epoch_num"])
        >>> Epochs().on_train_epoch_begin(RunContext({"cur_epoch_num": 1}))
        epoch 1
        """
        self.epoch_begin(run_context)

    def on_train_epoch_end(self, run_context):
        """After an epoch of a training, and after the evaluation that `fit` does in it.

        >>> from ms_compat.train import Callback, RunContext
        >>> class Once(Callback):
        ...     def on_train_epoch_end(self, run_context):
        ...         run_context.request_stop()
        >>> context = RunContext({})
        >>> Once().on_train_epoch_end(context)
        >>> context.get_stop_requested()
        True
        """
        self.epoch_end(run_context)

    def on_train_step_begin(self, run_context):
        """Before a step of a training.

        >>> from ms_compat.train import Callback, RunContext
        >>> class Steps(Callback):
        ...     def on_train_step_begin(self, run_context):
        ...         print("step", run_context.original_args()["cur_step_num"])
        >>> Steps().on_train_step_begin(RunContext({"cur_step_num": 1}))
        step 1
        """
        self.step_begin(run_context)

    def on_train_step_end(self, run_context):
        """After a step of a training.

        >>> from ms_compat.train import Callback, RunContext
        >>> class Loss(Callback):
        ...     def on_train_step_end(self, run_context):
        ...         print("loss", run_context.original_args()["net_outputs"])
        >>> Loss().on_train_step_end(RunContext({"net_outputs": 0.5}))
        loss 0.5
        """
        self.step_end(run_context)

    def on_train_end(self, run_context):
        """After a training.

        >>> from ms_compat.train import Callback, RunContext
        >>> class Bye(Callback):
        ...     def on_train_end(self, run_context):
        ...         print("trained")
        >>> Bye().on_train_end(RunContext({}))
        trained
        """
        self.end(run_context)

    def on_eval_begin(self, run_context):
        """Before an evaluation.

        >>> from ms_compat.train import Callback, RunContext
        >>> class Hello(Callback):
        ...     def on_eval_begin(self, run_context):
        ...         print("evaluating")
        >>> Hello().on_eval_begin(RunContext({}))
        evaluating
        """
        self.begin(run_context)

    def on_eval_epoch_begin(self, run_context):
        """Before the pass over the data of an evaluation."""
        self.epoch_begin(run_context)

    def on_eval_epoch_end(self, run_context):
        """After the pass over the data of an evaluation."""
        self.epoch_end(run_context)

    def on_eval_step_begin(self, run_context):
        """Before a step of an evaluation."""
        self.step_begin(run_context)

    def on_eval_step_end(self, run_context):
        """After a step of an evaluation."""
        self.step_end(run_context)

    def on_eval_end(self, run_context):
        """After an evaluation; the metrics are known.

        >>> from ms_compat.train import Callback, RunContext
        >>> class Report(Callback):
        ...     def on_eval_end(self, run_context):
        ...         print(run_context.original_args()["metrics"])
        >>> Report().on_eval_end(RunContext({"metrics": {"mae": 0.5}}))
        {'mae': 0.5}
        """
        self.end(run_context)


HOOKS = tuple(name for name in vars(Callback) if name.startswith("on_"))


@faces("train.callback")
class InternalCallbackParam(dict):
    """A run's data for its callbacks: a dict whose items are attributes."""

    def __getattr__(self, name: str) -> Any:
        return self[name]

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


@faces("train train.callback")
class RunContext:
    """A hook's argument: the run's data, and the way to stop it.

    Args:
        original_args: a dict of the run's data.

    Raises:
        TypeError: `original_args` is not a dict.

    >>> from ms_compat.train import RunContext
    >>> context = RunContext({"cur_step_num": 3})
    >>> context.request_stop()
    >>> context.original_args(), context.get_stop_requested()
    ({'cur_step_num': 3}, True)
    """

    def __init__(self, original_args):
        check_type("RunContext", "original_args", original_args, dict)
        self._original_args = original_args
        self._stop_requested = False
        self._progress: Any = None  # the training's progress, for resumable checkpoints

    def original_args(self):
        """The run's data, such as `cur_epoch_num`, `cur_step_num`, `net_outputs`, `train_network`.

        >>> from ms_compat.train import RunContext
        >>> RunContext({"cur_step_num": 3}).original_args()
        {'cur_step_num': 3}
        """
        return self._original_args

    def request_stop(self):
        """Ask the run to end after this step or epoch.

        >>> from ms_compat.train import RunContext
        >>> context = RunContext({})
        >>> context.request_stop()
        >>> context.get_stop_requested()
        True
        """
        self._stop_requested = True

    def get_stop_requested(self):
        """Whether a callback asked the run to end.

        >>> from ms_compat.train import RunContext
        >>> RunContext({}).get_stop_requested()
        False
        """
        return self._stop_requested


def to_list(callbacks: Any, api: str) -> list[Callback]:
    """The callbacks of an argument as a list.

    Raises:
        TypeError: something in it is not a `Callback`.
    """
    if callbacks is None:
        return []
    items = list(callbacks) if isinstance(callbacks, Iterable) else [callbacks]
    for item in items:
        if not isinstance(item, Callback):
            kind = item.__name__ if isinstance(item, type) else type(item).__name__
            raise TypeError(
                f"For '{api}', the 'callbacks' must be a Callback or a list of Callback objects, but got {kind}."
            )
    return items


class CallbackList(Callback):
    """Several callbacks as one, entered and left together.

    Args:
        callbacks: the callbacks; each hook calls them in this order.
    """

    def __init__(self, callbacks: list[Callback]):
        self.callbacks = callbacks
        self._stack: ExitStack | None = None

    def __enter__(self):
        with ExitStack() as stack:
            for callback in self.callbacks:
                stack.enter_context(callback)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *err):
        stack, self._stack = self._stack, None
        return stack.__exit__(*err) if stack is not None else None


def _fan_out(name: str):
    def hook(self, run_context):
        for callback in self.callbacks:
            getattr(callback, name)(run_context)

    hook.__name__ = name
    return hook


for _name in (*HOOKS, *OLD_NAMES):
    setattr(CallbackList, _name, _fan_out(_name))
