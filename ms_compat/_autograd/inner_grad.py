"""`ops._Grad`: the gradient functions of MindSpore's inner modules, with all options in one class."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ms_compat._autograd.grad import GradFunction, Packing, cached_function, class_in_mode
from ms_compat._autograd.select import ALL, check_function, check_position, check_weights
from ms_compat._core.errors import check_bool
from ms_compat._core.faces import faces


@faces("ops._Grad")
class _Grad:
    """A higher-order function that makes gradient functions; `ops.GradOperation` and `grad` are it for programs.

    Args:
        get_all (bool): gradients of all inputs, as a tuple; otherwise of the first one.
        get_by_list (bool): gradients of weights; with `get_all` or `get_by_position`, of inputs as well.
        sens_param (bool): the last input of the gradient function is the cotangent of the output.
        get_by_position (bool): gradients of the inputs at the positions given.
        has_aux (bool): only the first output is differentiated; the others are returned beside the gradients.
        get_value (bool): return the outputs, too, before the gradients.
        return_ids (bool): with `get_by_position`, pairs of a position and a gradient.
        merge_forward (bool): how MindSpore compiles; the results are the same.

    Raises:
        TypeError: an argument is not a bool.

    >>> from ms_compat import Tensor, ops
    >>> gradient = ops._Grad(get_by_position=True, return_ids=True)(lambda x, y: x * y, None, (1,))
    >>> print(gradient(Tensor([3.0]), Tensor([5.0])))
    (1, Tensor(shape=[1], dtype=Float32, value= [ 3.00000000e+00]))
    """

    def __init__(
        self,
        get_all: bool = False,
        get_by_list: bool = False,
        sens_param: bool = False,
        get_by_position: bool = False,
        has_aux: bool = False,
        get_value: bool = False,
        return_ids: bool = False,
        merge_forward: bool = False,
    ) -> None:
        self.get_all = check_bool("_Grad", "get_all", get_all)
        self.get_by_list = check_bool("_Grad", "get_by_list", get_by_list)
        self.sens_param = check_bool("_Grad", "sens_param", sens_param)
        self.get_by_position = check_bool("_Grad", "get_by_position", get_by_position)
        self.has_aux = check_bool("_Grad", "has_aux", has_aux)
        self.get_value = check_bool("_Grad", "get_value", get_value)
        self.return_ids = check_bool("_Grad", "return_ids", return_ids)
        self.merge_forward = check_bool("_Grad", "merge_forward", merge_forward)

    def __call__(self, fn: Callable, weights: Any = None, grad_position: Any = 0) -> Callable:
        """The gradient function of `fn`.

        Args:
            fn: a function or Cell of Tensors.
            weights: with `get_by_list`, a Parameter or several; by default all that `fn` trains.
            grad_position: with `get_by_position`, a tuple of ints.

        Raises:
            TypeError: `fn` is not callable.
            RuntimeError: `grad_position` is not a tuple.
        """
        check_function(fn, "_Grad", class_in_mode(TypeError))
        chosen: list[Any] = []
        single = False
        if self.get_by_list:
            if weights is None:
                weights = fn.trainable_params() if hasattr(fn, "trainable_params") else []
            chosen, single = check_weights(weights, "_Grad")
        position: Any = 0
        if self.get_by_position:
            if not isinstance(grad_position, tuple):
                raise RuntimeError(f"For '_Grad', the 'grad_position' must be a tuple, but got {grad_position!r}.")
            position = check_position(grad_position, "_Grad")
        elif self.get_all:
            position = ALL
        elif self.get_by_list:
            position = None
        ids = self.return_ids and self.get_by_position
        packing = Packing(position, self.get_by_list, single, ids, self.get_value)
        key = ("_Grad", position, self.has_aux, self.sens_param, ids, self.get_value, self.get_by_list, single,
               tuple(map(id, chosen)))  # fmt: skip
        return cached_function(
            fn, key, lambda: GradFunction(fn, position, chosen, self.has_aux, self.sens_param, packing, "_Grad")
        )
