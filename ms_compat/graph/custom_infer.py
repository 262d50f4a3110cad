"""Functions of the program that are called while a compiled function is traced, for calls of primitives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from ms_compat._core.dispatch import interception

F = TypeVar("F", bound=Callable[..., Any])


def _check_name(api: str, argument: str, value: Any) -> None:
    if not isinstance(value, str) or not value:
        raise ValueError(f"For '{api}', the '{argument}' must be a str that is not empty, but got {value!r}.")


def _check_function(api: str, function: Any) -> None:
    if not callable(function):
        raise TypeError(f"For '{api}', the decorated object must be a function, but got {type(function).__name__}.")


def register_op_infer(op_name: str, infer_name: str) -> Callable[[F], F]:
    """Decorator of a function that computes an attribute of an operation's results while a function is compiled.

    It is called with the operation's inputs: Tensors have the shapes, dtypes and attributes that are known, and zeros
    as values. What it returns is an attribute of the results for functions that are registered for later operations;
    `construct` itself does not see it. An error in it is logged, and the attribute is then missing.

    Args:
        op_name (str): the primitive's name, such as "Add".
        infer_name (str): the attribute's name.

    Returns:
        The decorator, which returns the function.

    Raises:
        ValueError: a name is empty or not a str.
        RuntimeError: the attribute of this operation has a function already.
        TypeError: what is decorated is not a function.

    >>> import ms_compat as ms
    >>> from ms_compat import graph, ops
    >>> @graph.register_op_infer("Add", "layout")
    ... def layout_of_sum(x, y):
    ...     return x.shape + y.shape
    >>> @graph.register_op_infer("Mul", "layout")
    ... def layout_of_product(x, y):
    ...     print(x.layout)
    >>> @ms.jit
    ... def f(x, y):
    ...     return ops.Mul()(ops.Add()(x, y), x)
    >>> print(f(ms.Tensor([1.0, 2.0]), ms.Tensor([3.0, 4.0])))
    (2, 2)
    [ 4. 12.]
    >>> graph.clear_op_infer()
    """
    _check_name("register_op_infer", "op_name", op_name)
    _check_name("register_op_infer", "infer_name", infer_name)

    def register(function: F) -> F:
        _check_function("register_op_infer", function)
        known = interception.inferences.setdefault(op_name, {})
        if infer_name in known:
            raise RuntimeError(f"For 'register_op_infer', '{infer_name}' of {op_name} is registered already.")
        known[infer_name] = function
        interception.count(1)
        return function

    return register


def clear_op_infer() -> None:
    """Forget what `register_op_infer` registered; compiled functions do not change.

    >>> from ms_compat import graph
    >>> graph.clear_op_infer()
    """
    interception.count(-sum(map(len, interception.inferences.values())))
    interception.inferences.clear()


def register_op_wrapper(op_name: str) -> Callable[[F], F]:
    """Decorator of a function that replaces calls of a primitive in compiled functions.

    It is called with the inputs while a function is compiled; Tensors have zeros as values. It returns the function
    that replaces the primitive. A result that is not callable is ignored. As in MindSpore, objects of primitive classes
    (`ops.Add()`) are replaced, and functions (`ops.add`) and operators are not. Inside the replacement, the primitive
    itself is called.

    Args:
        op_name (str): the primitive's name, such as "Add".

    Returns:
        The decorator, which returns the function.

    Raises:
        ValueError: the name is empty or not a str.
        RuntimeError: the primitive has a function already.
        TypeError: what is decorated is not a function.

    >>> import ms_compat as ms
    >>> from ms_compat import graph, ops
    >>> @graph.register_op_wrapper("Add")
    ... def weighted(x, y):
    ...     return lambda x, y: x + 2 * y
    >>> print(ms.jit(lambda x, y: ops.Add()(x, y))(ms.Tensor([1.0, 2.0]), ms.Tensor([3.0, 4.0])))
    [ 7. 10.]
    >>> graph.clear_op_wrapper()
    """
    _check_name("register_op_wrapper", "op_name", op_name)

    def register(function: F) -> F:
        _check_function("register_op_wrapper", function)
        if op_name in interception.wrappers:
            raise RuntimeError(f"For 'register_op_wrapper', {op_name} has a wrapper already.")
        interception.wrappers[op_name] = function
        interception.count(1)
        return function

    return register


def clear_op_wrapper() -> None:
    """Forget what `register_op_wrapper` registered; compiled functions do not change.

    >>> from ms_compat import graph
    >>> graph.clear_op_wrapper()
    """
    interception.count(-len(interception.wrappers))
    interception.wrappers.clear()
