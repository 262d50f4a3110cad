"""`Model`: training, evaluation and prediction of a network.

A step is one compiled program in GRAPH_MODE (`nn.TrainOneStepCell`), dispatched without waiting for it: the next
batch is fetched meanwhile, and a loss travels to the host only when a callback reads it. As measured on MindSpore's
CPU backend, `dataset_sink_mode` does not change when callbacks are called: each step has its own.
"""

from __future__ import annotations

import logging
from typing import Any

from ms_compat._core.errors import UnsupportedError, check_bool, check_type, type_error, value_and_type
from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor
from ms_compat._names import habits
from ms_compat._names.resolve import unsupported_method
from ms_compat.train._model import arguments, loops, networks, resuming
from ms_compat.train.amp import check_level
from ms_compat.train.metrics._by_name import get_metrics

logger = logging.getLogger("ms_compat")


@faces("train")
class Model:
    """A network with its loss, optimizer and metrics.

    Args:
        network: the Cell; without `loss_fn` it returns the loss itself, without `optimizer` it is the whole step.
        loss_fn: the loss, of (output, label).
        optimizer: updates the Parameters.
        metrics: a dict of name and Metric, or a set of names.
        eval_network: the Cell that evaluates; by default `network` with the loss.
        eval_indexes: positions of loss, prediction and label in what `eval_network` returns; None hands everything to
            each metric.
        amp_level: precision, "O0" to "O3"; see `train.amp`.
        boost_level: "O0", or "O1" and "O2" for the ways of `mindspore.boost.AutoBoost`.
        kwargs: `loss_scale_manager`, `keep_batchnorm_fp32`, `boost_config_dict` for `AutoBoost`, and `acc_level`, the
            earlier name of `boost_level`.

    Raises:
        TypeError, ValueError: a wrong argument.

    >>> import numpy as np
    >>> from ms_compat import dataset, nn
    >>> from ms_compat.train import LossMonitor, Model
    >>> rows = {"x": np.ones((4, 3), np.float32), "y": np.zeros((4, 2), np.float32)}
    >>> net = nn.Dense(3, 2, weight_init="ones", bias_init="zeros")
    >>> model = Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1), metrics={"mse"})
    >>> model.train(2, dataset.NumpySlicesDataset(rows).batch(4), callbacks=LossMonitor())
    epoch: 1 step: 1, loss is 9.0
    epoch: 2 step: 1, loss is 3.239999771118164
    """

    def __init__(
        self,
        network,
        loss_fn=None,
        optimizer=None,
        metrics=None,
        eval_network=None,
        eval_indexes=None,
        amp_level="O0",
        boost_level="O0",
        **kwargs,
    ):
        networks.check_arguments(network, loss_fn, optimizer, amp_level, kwargs)
        boost_level = kwargs.get("acc_level", boost_level)
        check_level("Model", "amp_level", amp_level, boost_level)
        if boost_level != "O0" or kwargs.get("boost_config_dict"):
            network, optimizer, eval_network = networks.boosted(
                network, optimizer, eval_network, metrics, boost_level, kwargs.get("boost_config_dict", "")
            )
        self._network = network
        self._loss_fn = loss_fn
        self._optimizer = optimizer
        self._amp_level = amp_level
        self._boost_level = boost_level
        self._loss_scale_manager = kwargs.get("loss_scale_manager")
        self._metric_fns = get_metrics(metrics)
        self._eval_network, self._eval_indexes = eval_network, eval_indexes
        if metrics is not None:
            self._eval_network, self._eval_indexes = networks.eval_step(
                network, loss_fn, eval_network, eval_indexes, amp_level
            )
        self._train_network = networks.train_step(network, loss_fn, optimizer, amp_level, boost_level, kwargs)
        self._predict_network = network
        self._is_training = True  # the last mode of the networks, which share Cells

    def __repr__(self) -> str:
        from ms_compat.train._model.notebook_html import model_text

        return model_text(self)

    def _repr_html_(self) -> str:
        from ms_compat.train._model.notebook_html import model_html

        return model_html(self)

    @property
    def train_network(self):
        """The Cell of a training step."""
        return self._train_network

    @property
    def eval_network(self):
        """The Cell of an evaluation step, or None."""
        return self._eval_network

    @property
    def predict_network(self):
        """The Cell that `predict` calls."""
        return self._predict_network

    def train(
        self, epoch, train_dataset, callbacks=None, dataset_sink_mode=False, sink_size=-1, initial_epoch=0, *,
        resume=None,
    ):  # fmt: skip
        """Train the network: one step for every batch of every epoch.

        Args:
            epoch: the last epoch, an int counted from 1.
            train_dataset: gives (data, label), or what the network takes.
            callbacks: a Callback or a list of them.
            dataset_sink_mode, sink_size: accepted; every step is dispatched, with the next batch on its way.
            initial_epoch: how many epochs are done already.
            resume: path of a checkpoint written with `CheckpointConfig(resumable=True)`, what `load_checkpoint` returns
                for it, or a directory, whose newest such file is taken (without one the training starts over). The
                training goes on with the numbers that it would have had without the break: Parameters, optimizer, loss
                    scale, random numbers
                and the order of the data. What a generator of the user's own draws is not kept. MindSpore has no such
                argument.

        Raises:
            TypeError: an argument has another type.
            ValueError: an argument has a wrong value; a batch has another number of columns; `resume` belongs to
                another network, or does not say where its training was.
            RuntimeError: another Model trained on the dataset.

        >>> import numpy as np
        >>> from ms_compat import dataset, nn
        >>> from ms_compat.train import LossMonitor, Model
        >>> rows = (np.ones((2, 3), np.float32), np.zeros((2, 1), np.float32))
        >>> data = dataset.NumpySlicesDataset(rows, shuffle=False)
        >>> net = nn.Dense(3, 1, weight_init="ones", bias_init="zeros")
        >>> model = Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.125))
        >>> model.train(2, data.batch(2), callbacks=LossMonitor())
        epoch: 1 step: 1, loss is 9.0
        epoch: 2 step: 1, loss is 0.0
        """
        api = "Model.train"
        check_bool(api, "dataset_sink_mode", dataset_sink_mode)
        arguments.check_epochs(api, epoch, initial_epoch)
        arguments.check_sink(api, dataset_sink_mode, sink_size)
        found = arguments.checked_callbacks(api, callbacks)
        arguments.size_of(api, "train_dataset", train_dataset)
        arguments.claim(train_dataset, self)
        loops.train(self, epoch, train_dataset, found, initial_epoch, None, resuming.find(resume))

    def fit(
        self,
        epoch,
        train_dataset,
        valid_dataset=None,
        valid_frequency=1,
        callbacks=None,
        dataset_sink_mode=False,
        valid_dataset_sink_mode=False,
        sink_size=-1,
        initial_epoch=0,
        *,
        resume=None,
    ):
        """Train, and evaluate after epochs.

        Args:
            epoch: the last epoch, counted from 1.
            train_dataset: what `train` takes.
            valid_dataset: what `eval` takes; None does not evaluate.
            valid_frequency: evaluate every so many epochs, or after the epochs in a list.
            callbacks: a Callback or a list of them.
            dataset_sink_mode, valid_dataset_sink_mode, sink_size: accepted; see `train`.
            initial_epoch: how many epochs are done already.
            resume: see `train`.

        Raises:
            TypeError, ValueError: a wrong argument, or no metrics.
            RuntimeError: another Model trained on the dataset.

        >>> import numpy as np
        >>> from ms_compat import dataset, nn
        >>> from ms_compat.train import Model
        >>> rows = (np.ones((2, 3), np.float32), np.zeros((2, 1), np.float32))
        >>> train, valid = (dataset.NumpySlicesDataset(rows, shuffle=False).batch(2) for _ in range(2))
        >>> net = nn.Dense(3, 1, weight_init="ones", bias_init="zeros")
        >>> model = Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.125), metrics={"mae"})
        >>> model.fit(1, train, valid)
        """
        api = "Model.fit"
        check_bool(api, "dataset_sink_mode", dataset_sink_mode)
        check_bool(api, "valid_dataset_sink_mode", valid_dataset_sink_mode)
        arguments.check_epochs(api, epoch, initial_epoch)
        arguments.check_sink(api, dataset_sink_mode, sink_size)
        found = arguments.checked_callbacks(api, callbacks)
        arguments.size_of(api, "train_dataset", train_dataset)
        plan = None
        check_type(api, "valid_frequency", valid_frequency, (int, list))
        if valid_dataset is not None:
            self._need_metrics(api)
            arguments.size_of(api, "valid_dataset", valid_dataset)
            if valid_frequency == 0:
                raise ZeroDivisionError(f"For '{api}', the 'valid_frequency' must not be 0.")
            plan = loops.ValidPlan(valid_dataset, valid_frequency)
        arguments.claim(train_dataset, self)
        loops.train(self, epoch, train_dataset, found, initial_epoch, plan, resuming.find(resume))

    def eval(self, valid_dataset, callbacks=None, dataset_sink_mode=False):
        """Evaluate the network: call `eval_network` on every batch, in inference mode, and update the metrics.

        Args:
            valid_dataset: gives (data, label), or what the `eval_network` takes.
            callbacks: a Callback or a list of them.
            dataset_sink_mode: accepted; see `train`.

        Returns:
            A dict with the name and value of each metric.

        Raises:
            TypeError: an argument has another type.
            ValueError: the Model has no metrics.

        >>> import numpy as np
        >>> from ms_compat import dataset, nn
        >>> from ms_compat.train import Model
        >>> rows = (np.ones((2, 3), np.float32), np.zeros((2, 1), np.float32))
        >>> data = dataset.NumpySlicesDataset(rows, shuffle=False)
        >>> net = nn.Dense(3, 1, weight_init="ones", bias_init="zeros")
        >>> model = Model(net, nn.MSELoss(), metrics={"mae"})
        >>> {name: float(value) for name, value in model.eval(data.batch(2)).items()}
        {'mae': 3.0}
        """
        api = "Model.eval"
        check_bool(api, "dataset_sink_mode", dataset_sink_mode)
        self._need_metrics(api)
        found = arguments.checked_callbacks(api, callbacks)
        return loops.evaluate(self, valid_dataset, found)

    def _run_step(self, batch) -> Any:
        """One training step; returns what its network does."""
        return self._train_network(*batch)

    def _need_metrics(self, api: str) -> None:
        if not self._metric_fns:
            raise ValueError(f"For '{api}', the Model has no metrics: give it 'metrics' to evaluate.")

    def predict(self, *predict_data, backend=None, config=None):
        """Call the network in inference mode.

        Args:
            predict_data: the network's inputs: Tensors, numbers, strings or None.
            backend: None; "lite" (MindSpore Lite) falls back to this.
            config: of MindSpore Lite; no effect.

        Returns:
            What the network returns.

        Raises:
            TypeError: an input of another type.
            ValueError: another backend.

        >>> import ms_compat as ms
        >>> net = ms.nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
        >>> print(ms.train.Model(net).predict(ms.Tensor([[1.0, 2.0]])))
        [[3.]]
        """
        if backend not in (None, "lite"):
            raise ValueError(
                f"For 'Model.predict', the 'backend' must be 'lite' or None, but got {value_and_type(backend)}."
            )
        if backend is not None or config is not None:
            logger.debug("Model.predict: MindSpore Lite is not there; the network itself is called")
        for value in predict_data:
            if value is not None and not isinstance(value, (Tensor, int, float, str)):
                raise type_error("Model.predict", "predict_data", "Tensor, int, float, str or None", value)
        loops.keep_mode(self, self._predict_network, False)
        return self._predict_network(*predict_data)

    def build(self, train_dataset=None, valid_dataset=None, sink_size=-1, epoch=1, sink_mode=True):
        """Compile the steps ahead, which MindSpore does on Ascend only.

        Raises:
            RuntimeError: always, as on MindSpore's CPU backend. The first step compiles.

        >>> from ms_compat import nn
        >>> from ms_compat.train import Model
        >>> Model(nn.ReLU()).build()
        Traceback (most recent call last):
            ...
        RuntimeError: For 'Model.build', compiling ahead is for Ascend. Leave the call out: the first step compiles.
        """
        raise RuntimeError(
            "For 'Model.build', compiling ahead is for Ascend. Leave the call out: the first step compiles."
        )

    def infer_train_layout(self, train_dataset, dataset_sink_mode=True, sink_size=-1):
        """Layouts of parallel Parameters, which MindSpore derives in its automatic parallel modes.

        Raises:
            RuntimeError: the parallel mode is "stand_alone" or "data_parallel".
            UnsupportedError: otherwise.
        """
        return self._layout("infer_train_layout")

    def infer_predict_layout(self, *predict_data, skip_backend_compile=False):
        """Layouts of parallel Parameters, which MindSpore derives in its automatic parallel modes.

        Raises:
            RuntimeError: the parallel mode is "stand_alone" or "data_parallel".
            UnsupportedError: otherwise.
        """
        return self._layout("infer_predict_layout")

    def _layout(self, name: str) -> Any:
        mode = loops.get_auto_parallel_context("parallel_mode")
        if mode not in ("semi_auto_parallel", "auto_parallel"):
            raise RuntimeError(f"For 'Model.{name}', the parallel mode must be automatic, but it is '{mode}'.")
        raise UnsupportedError(f"mindspore.train.Model.{name}", "Read the sharding of each Parameter's jax array.")

    __getattr__ = unsupported_method("mindspore.train.Model", habits.MODEL)
