"""The loops of `Model`: over epochs and steps with callbacks, and over the batches of an evaluation.

Nothing here reads a training step's result: `net_outputs` is handed to the callbacks as it was dispatched.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from ms_compat._core import interrupts
from ms_compat._core.compiled.interpreter import tier
from ms_compat._core.diagnostics import progress as bars
from ms_compat._core.settings.parallel_context import get_auto_parallel_context
from ms_compat._core.tensor import Tensor
from ms_compat._formats.checkpoint.save import saved_or_raise
from ms_compat.train._model import resuming
from ms_compat.train._model.arguments import built_in, check_batch, check_columns, naming_columns, size_of
from ms_compat.train._model.feed import Epochs, rewind
from ms_compat.train._model.resuming import Progress, Start
from ms_compat.train.callback._callback import Callback, CallbackList, InternalCallbackParam, RunContext
from ms_compat.train.callback._checkpoint import ModelCheckpoint
from ms_compat.train.callback._time_monitor import TimeMonitor
from ms_compat.train.metrics.loss import Loss


class ValidPlan:
    """When `fit` evaluates, and on what.

    Args:
        dataset: the dataset.
        frequency: every so many epochs, or a list of epochs.
    """

    def __init__(self, dataset: Any, frequency: int | list[int]):
        self.dataset = dataset
        self._frequency = frequency

    def due(self, epoch: int) -> bool:
        """Whether an epoch, counted from 1, is followed by an evaluation."""
        if isinstance(self._frequency, list):
            return epoch in self._frequency
        return epoch % self._frequency == 0


def train_params(
    model: Any, epochs: int, initial: int, dataset: Any, callbacks: list[Callback]
) -> InternalCallbackParam:
    """What a training's callbacks receive at its begin."""
    params = InternalCallbackParam()
    params.cur_step_num = 0
    params.train_network = model._train_network
    params.epoch_num = epochs - initial
    params.batch_num = size_of("Model.train", "train_dataset", dataset)
    params.mode = "train"
    params.loss_fn = model._loss_fn
    params.optimizer = model._optimizer
    params.parallel_mode = get_auto_parallel_context("parallel_mode")
    params.device_number = get_auto_parallel_context("device_num")
    params.train_dataset = dataset
    params.list_callback = callbacks
    params.train_dataset_element = None
    params.network = model._network
    params.last_save_ckpt_step = None
    params.latest_ckpt_file = None
    params.loss_scale_mananger = model._loss_scale_manager  # MindSpore's spelling
    params.initial_step = None
    params.dataset_sink_mode = False  # each step is dispatched by the host
    return params


def train(
    model: Any,
    epochs: int,
    dataset: Any,
    callbacks: list[Callback],
    initial: int,
    valid: ValidPlan | None,
    start: Start | None = None,
) -> None:
    """Run the epochs `initial + 1` to `epochs`; after `start`, the rest of its epoch first.

    Where a training may be resumed all steps run compiled programs: a resumed one must not begin with interpreted
    steps again.
    """
    with tier.compiled_only(start is not None or any(map(_makes_resumable, callbacks))):
        try:
            _train(model, epochs, dataset, callbacks, initial, valid, start)
        except KeyboardInterrupt:
            _print_how_to_continue(callbacks, start)
            raise


def _print_how_to_continue(callbacks: list[Callback], start: Start | None) -> None:
    savers = [c for c in callbacks if isinstance(c, ModelCheckpoint) and c._config.resumable]
    written = [saver.latest_ckpt_file_name for saver in savers if saver.latest_ckpt_file_name]
    if source := written[-1] if written else start and start.path:
        print(resuming.how_to_continue(source, start is not None), file=sys.stderr)


def _makes_resumable(callback: Callback) -> bool:
    return isinstance(callback, ModelCheckpoint) and callback._config.resumable


def _train(
    model: Any,
    epochs: int,
    dataset: Any,
    callbacks: list[Callback],
    initial: int,
    valid: ValidPlan | None,
    start: Start | None,
) -> None:
    network = model._train_network
    if start is not None:
        start.check(epochs, size_of("Model.train", "train_dataset", dataset))
        start.load(network, model._loss_scale_manager)
        initial = start.epoch
    params = train_params(model, epochs, initial, dataset, callbacks)
    context = RunContext(params)
    progress = context._progress = Progress(model, callbacks, params.batch_num, start)
    params.cur_step_num = progress.total
    if start is not None:
        params.net_outputs = start.outputs  # the end of an epoch whose batches are all done reads them
    overflow = progress.overflow = _Overflow(model._loss_scale_manager, start.overflow if start else None)
    told = CallbackList([c for c in callbacks if not built_in(c) or isinstance(c, TimeMonitor)])
    size = params.batch_num if params.batch_num is not None and params.batch_num > 0 else None
    done = (size or 0) * initial + progress.steps
    bar = bars.Progress("training", size and size * epochs, "steps", done)
    with CallbackList(callbacks) as hooks, bar:
        set_mode(model, network, True)
        hooks.on_train_begin(context)
        feed = progress.feed = Epochs(dataset, epochs - initial, start)
        if start is not None:
            start.load_callbacks(callbacks)
            start.load_streams()

        def run_epochs() -> None:  # a function, so that an interrupt between two epochs closes the feed
            for epoch in range(initial, epochs):
                params.cur_epoch_num = epoch + 1
                progress.begin_epoch(epoch, feed.done)
                hooks.on_train_epoch_begin(context)
                _train_epoch(model, feed.epoch(), hooks, context, overflow, bar)
                if valid is not None and valid.due(epoch + 1):
                    _eval_within(model, valid.dataset, told, context)
                rewind(dataset)
                hooks.on_train_epoch_end(context)
                params.pop("metrics", None)
                params.pop("eval_results", None)
                if context.get_stop_requested():
                    return

        try:
            run_epochs()
        finally:
            feed.close()
        hooks.on_train_end(context)
        saved_or_raise()  # what the program's own callbacks save in threads


def _train_epoch(model, batches, hooks, context, overflow, bar) -> None:
    params = context.original_args()
    progress = context._progress
    while (batch := batches.take()) is not None:
        check_batch(batch, model._loss_fn)
        if not params.cur_step_num and model._loss_fn is None:
            check_columns(batch, model._network)
        params.train_dataset_element = batch
        params.cur_step_num += 1
        hooks.on_train_step_begin(context)
        keep_mode(model, model._train_network, True)
        with interrupts.whole_step():
            try:
                with naming_columns("Model.train", params.train_dataset, batch):
                    outputs = model._run_step(batch)
                progress.end_step(outputs)
                overflow.add(outputs)
                params.net_outputs = outputs
            finally:
                interrupts.end_step()
        batches.fetch()
        overflow.tell()
        bar.advance(label=f"epoch {params.cur_epoch_num}")
        hooks.on_train_step_end(context)
        if context.get_stop_requested():
            return


class _Overflow:
    """Reports overflows to the loss scale manager, each after the dispatch of the following step."""

    def __init__(self, manager: Any, waiting: bool | None = None):
        drops = getattr(manager, "get_drop_overflow_update", None)
        self._manager: Any = manager if drops is not None and drops() else None
        self._waiting: list[Any] = [] if waiting is None else [Tensor(waiting)]

    def pending(self) -> bool | None:
        """Whether the last step overflowed, if the manager does not know yet; waits for the step."""
        self.tell()
        return bool(np.all(self._waiting[0].asnumpy())) if self._waiting else None

    def add(self, outputs: Any) -> None:
        """A step was dispatched."""
        if self._manager is not None and isinstance(outputs, tuple) and len(outputs) > 1:
            self._waiting.append(outputs[1])

    def tell(self) -> None:
        """Report all steps but the last to the manager."""
        while len(self._waiting) > 1:
            overflowed = bool(np.all(self._waiting[0].asnumpy()))
            del self._waiting[0]
            self._manager.update_loss_scale(overflowed)


def set_mode(model: Any, network: Any, training: bool) -> None:
    """Put a network into training or inference; skip one in that mode, as a change costs a new check."""
    cells = network.cells_and_names() if hasattr(network, "set_train") else ()
    if any(cell.training is not training for _, cell in cells):
        network.set_train(training)
    model._is_training = training


def keep_mode(model: Any, network: Any, training: bool) -> None:
    """Put a network into training or inference if the model's networks, which share Cells, went to the other."""
    if model._is_training is not training:
        set_mode(model, network, training)


def _eval_within(model: Any, dataset: Any, hooks: CallbackList, context: RunContext) -> None:
    """The evaluation after an epoch of `fit`, with the training's parameters, reported to users' callbacks."""
    params = context.original_args()
    kept = {name: params[name] for name in ("cur_step_num", "batch_num", "net_outputs", "dataset_sink_mode")}
    params.eval_network = model._eval_network
    params.valid_dataset = dataset
    params.batch_num = size_of("Model.fit", "valid_dataset", dataset)
    params.mode = "eval"
    params.cur_step_num = 0
    loss = Loss()
    evaluated = RunContext(params)
    with CallbackList(hooks.callbacks) as entered:  # MindSpore enters them once more
        metrics = _evaluate(model, dataset, entered, evaluated, loss)
    params.update(kept)
    params.mode = "train"
    params.metrics = metrics
    if evaluated.get_stop_requested():
        context.request_stop()


def evaluate(model: Any, dataset: Any, callbacks: list[Callback]) -> dict[str, Any]:
    """Run an evaluation; returns name -> value."""
    params = InternalCallbackParam()
    params.eval_network = model._eval_network
    params.valid_dataset = dataset
    params.batch_num = size_of("Model.eval", "valid_dataset", dataset)
    params.mode = "eval"
    params.cur_step_num = 0
    params.list_callback = callbacks
    params.network = model._network
    params.dataset_sink_mode = False
    with CallbackList(callbacks) as hooks:
        return _evaluate(model, dataset, hooks, RunContext(params), None)


def _evaluate(model: Any, dataset: Any, hooks: CallbackList, context: RunContext, loss: Loss | None):
    params = context.original_args()
    network = model._eval_network
    for metric in model._metric_fns.values():
        metric.clear()
    hooks.on_eval_begin(context)
    set_mode(model, network, False)
    feed = Epochs(dataset, 1)
    steps = params.batch_num if params.batch_num and params.batch_num > 0 else None
    bar = bars.Progress("evaluating", steps, "steps")

    def run_steps() -> Any:  # a function, so that an interrupt between two steps closes the feed
        outputs = None
        batches = feed.epoch()
        hooks.on_eval_epoch_begin(context)
        while (batch := batches.take()) is not None:
            params.cur_step_num += 1
            params.eval_dataset_element = batch
            hooks.on_eval_step_begin(context)
            keep_mode(model, network, False)
            with naming_columns("Model.eval", params.valid_dataset, batch):
                outputs = network(*batch)
            params.net_outputs = outputs
            batches.fetch()
            hooks.on_eval_step_end(context)
            _update_metrics(model, outputs)
            bar.advance()
            if context.get_stop_requested():
                break
        return outputs

    try:
        last = run_steps()
    finally:
        bar.close()
        feed.close()
    rewind(dataset)
    hooks.on_eval_epoch_end(context)
    metrics = {name: metric.eval() for name, metric in model._metric_fns.items()}
    params.metrics = metrics
    if loss is not None:
        params.eval_results = dict(metrics)
        value = _loss_of(model, last)
        if value is not None:
            loss.update(value)
            params.eval_results["eval_loss"] = loss.eval()
    hooks.on_eval_end(context)
    return metrics


def _loss_of(model: Any, outputs: Any) -> Any:
    if outputs is None or model._eval_indexes is None:
        return None
    at = model._eval_indexes[0]
    return None if at == -1 else _part(outputs, at)


def _part(outputs: Any, at: int) -> Any:
    return outputs[at] if isinstance(outputs, (tuple, list)) else outputs


def _update_metrics(model: Any, outputs: Any) -> None:
    """Hand a step's outputs to the metrics: those at the `eval_indexes`, or all.

    Raises:
        ValueError: there are fewer outputs than `eval_indexes` needs.
    """
    indexes = model._eval_indexes
    if isinstance(outputs, Tensor):
        outputs = (outputs,)
    if indexes is not None and len(outputs) < 3:
        raise ValueError(f"For 'Model.eval', the 'eval_network' must give at least 3 outputs, but got {len(outputs)}.")
    for metric in model._metric_fns.values():
        if indexes is None:
            metric.update(*outputs)
        elif isinstance(metric, Loss):
            metric.update(outputs[indexes[0]])
        else:
            metric.update(outputs[indexes[1]], outputs[indexes[2]])
