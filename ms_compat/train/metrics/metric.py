"""`Metric`: the base class, and the checks that metrics share. Everything is computed in numpy on the host."""

from __future__ import annotations

import functools
from abc import ABCMeta, abstractmethod
from typing import Any

import numpy as np

from ms_compat._core.faces import faces
from ms_compat._core.tensor import Tensor


@faces("nn train train.metrics")
def rearrange_inputs(func):
    """Decorator of `update`: the argument of `set_indexes` chooses and orders its inputs.

    Args:
        func: the method `update(self, *inputs)`.

    >>> from ms_compat.train import Accuracy, rearrange_inputs
    >>> import numpy as np
    >>> metric = Accuracy().set_indexes([1, 0])  # the label comes first
    >>> metric.update(np.array([1]), np.array([[0.1, 0.9]]))
    >>> print(metric.eval())
    1.0
    """

    @functools.wraps(func)
    def wrapper(self, *inputs):
        indexes = self.indexes
        return func(self, *(inputs if not indexes else [inputs[i] for i in indexes]))

    return wrapper


@faces("nn train train.metrics")
class Metric(metaclass=ABCMeta):
    """Base class of metrics: `clear` forgets, `update` takes a batch, and `eval` returns the value.

    Calling a metric clears it, updates it and returns its value. Values are computed with NumPy on the host.

    >>> import ms_compat as ms
    >>> from ms_compat.train import Metric
    >>> class Largest(Metric):
    ...     def clear(self):
    ...         self._found = 0.0
    ...     def update(self, logits, labels):
    ...         self._found = max(self._found, logits.asnumpy().max().item())
    ...     def eval(self):
    ...         return self._found
    >>> Largest()(ms.Tensor([1.0, 3.0]), ms.Tensor([0, 1]))
    3.0
    """

    def __init__(self):
        self._indexes = None

    @property
    def indexes(self):
        """The argument of `set_indexes`, or None."""
        return getattr(self, "_indexes", None)

    def set_indexes(self, indexes):
        """Choose and order the inputs of `update`; returns the metric.

        Args:
            indexes: list of positions.

        Raises:
            ValueError: it is not a list of int.

        >>> import numpy as np
        >>> from ms_compat.train import Accuracy
        >>> label, logits = np.array([1]), np.array([[0.1, 0.9]])
        >>> print(Accuracy().set_indexes([1, 0])(label, logits))
        1.0
        """
        if not isinstance(indexes, list) or not all(isinstance(i, int) for i in indexes):
            raise ValueError(
                "For 'set_indexes', the argument 'indexes' must be a list and all its elements must be int, please "
                f"check whether it is correct. Got {indexes}."
            )
        self._indexes = indexes
        return self

    def __call__(self, *inputs):
        self.clear()
        self.update(*inputs)
        return self.eval()

    def _convert_data(self, data):
        return to_numpy(data)

    @abstractmethod
    def clear(self):
        """Forget the batches that were seen. Every metric defines it.

        >>> import numpy as np
        >>> from ms_compat.train import MSE
        >>> metric = MSE()
        >>> metric.clear()
        >>> metric.update(np.array([1.0]), np.array([3.0]))
        >>> print(metric.eval())
        4.0
        """
        raise NotImplementedError("A metric must define 'clear'.")

    @abstractmethod
    def eval(self):
        """Return the metric's value for the batches since `clear`. Every metric defines it.

        Returns:
            A float or an array, as the metric says.

        Raises:
            RuntimeError: most metrics: there was no `update` yet.

        >>> import numpy as np
        >>> from ms_compat.train import MAE
        >>> metric = MAE()
        >>> metric.update(np.array([1.0, 2.0]), np.array([2.0, 4.0]))
        >>> print(metric.eval())
        1.5
        """
        raise NotImplementedError("A metric must define 'eval'.")

    @abstractmethod
    def update(self, *inputs):
        """Take a batch. Every metric defines it.

        Args:
            inputs: Tensors, lists or arrays, mostly predictions and labels; `set_indexes` chooses among them.

        Raises:
            TypeError, ValueError: most metrics: inputs of another type, number or shape.

        >>> import numpy as np
        >>> from ms_compat.train import Loss
        >>> metric = Loss()
        >>> for loss in (1.0, 3.0):
        ...     metric.update(np.array(loss))
        >>> print(metric.eval())
        2.0
        """
        raise NotImplementedError("A metric must define 'update'.")


def to_numpy(data: Any) -> np.ndarray:
    """A numpy array of a Tensor, list or array.

    Raises:
        TypeError: it is something else.
    """
    if isinstance(data, Tensor):
        return data.asnumpy()
    if isinstance(data, list):
        return np.array(data)
    if isinstance(data, np.ndarray):
        return data
    raise TypeError(
        f"For 'Metric' and its derived classes, the input must be a Tensor, list or numpy.ndarray, but got "
        f"{type(data).__name__}."
    )


def take(api: str, inputs: tuple, count: int) -> tuple:
    """The inputs of `update`, if there are as many as it needs."""
    if len(inputs) != count:
        raise ValueError(f"For '{api}.update', it needs {count} input(s), but got {len(inputs)}.")
    return inputs


def need_samples(api: str, seen: Any) -> None:
    """Raise `RuntimeError` if nothing was seen yet."""
    if not seen:
        raise RuntimeError(f"For '{api}', there is nothing to evaluate: call 'update' with samples first.")


def is_one_hot(array: np.ndarray) -> bool:
    """Whether every row along the last axis has a single 1 among zeros."""
    if array.ndim < 2 or not np.array_equiv(array**2, array):
        return False
    return bool(np.all(array.sum(-1) == 1))


class EvaluationBase(Metric):
    """Base class of classification metrics: `eval_type` says whether a sample has one class or several.

    Args:
        eval_type: "classification" or "multilabel".

    Raises:
        TypeError: another `eval_type`.
    """

    def __init__(self, eval_type):
        super().__init__()
        if eval_type not in ("classification", "multilabel"):
            raise TypeError(
                f"For '{type(self).__name__}', the 'eval_type' must be 'classification' or 'multilabel', but got "
                f"{eval_type}."
            )
        self._type = eval_type

    def _check_shape(self, y_pred: np.ndarray, y: np.ndarray) -> None:
        api = type(self).__name__
        if self._type == "classification":
            if y_pred.ndim != y.ndim + 1:
                raise ValueError(
                    f"For '{api}', in classification the prediction must have one dimension more than the label, but "
                    f"got shapes {y_pred.shape} and {y.shape}."
                )
            if y.shape != (y_pred.shape[0], *y_pred.shape[2:]):
                raise ValueError(
                    f"For '{api}', in classification the label must have the prediction's shape without the "
                    f"classes, but got {y_pred.shape} and {y.shape}."
                )
        elif y_pred.shape != y.shape:
            raise ValueError(
                f"For '{api}', in multilabel the prediction and the label must have one shape, but got {y_pred.shape} "
                f"and {y.shape}."
            )

    def _check_value(self, y_pred: np.ndarray, y: np.ndarray) -> None:
        if self._type == "multilabel" and not (np.array_equiv(y_pred**2, y_pred) and np.array_equiv(y**2, y)):
            raise ValueError(f"For '{type(self).__name__}', in multilabel all elements must be 0 or 1.")

    def _classes(self, inputs: tuple, known: int) -> tuple[np.ndarray, np.ndarray]:
        """The two inputs of `update`, checked; a one-hot label is reduced to class numbers."""
        api = type(self).__name__
        y_pred, y = map(to_numpy, take(api, inputs, 2))
        if self._type == "classification" and y_pred.ndim == y.ndim and is_one_hot(y):
            y = y.argmax(axis=1)
        self._check_shape(y_pred, y)
        self._check_value(y_pred, y)
        if known and y_pred.shape[1] != known:
            raise ValueError(
                f"For '{api}.update', the predictions had {known} classes so far, but now {y_pred.shape[1]}."
            )
        return y_pred, y

    @abstractmethod
    def clear(self):
        """Forget what was seen."""

    @abstractmethod
    def update(self, *inputs):
        """Take a batch."""

    @abstractmethod
    def eval(self):
        """The value of the metric."""
