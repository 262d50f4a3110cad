"""Hooks: functions that are called around `construct`, on the gradients of a Cell, and around its state dict.

All hooks of a Cell are in one table, `_hooks[kind][number]`. A Cell with any is not `_plain`, so that Cells without
pay nothing. Backward hooks are called by `custom_grad.py`.
"""

from __future__ import annotations

import itertools
import logging
from collections.abc import Callable
from typing import Any, NamedTuple

from ms_compat._autograd.saved import check_hooks
from ms_compat._compile.jit import JitFunction
from ms_compat._core.tensor.parameter import Parameter
from ms_compat._core.trace import scopes
from ms_compat.nn._cell.part import Part

logger = logging.getLogger("ms_compat")
_numbers = itertools.count()


class Hook(NamedTuple):
    """A hook function and how it wants to be called."""

    fn: Callable
    with_kwargs: bool = False
    always_call: bool = False


class HookHandle:
    """What registering a hook returns; `remove()` takes the hook away, a second call does nothing."""

    def __init__(self, cell: Any, kind: str, number: int):
        self._cell = cell
        self._kind = kind
        self.handle_id = number

    def remove(self) -> None:
        """Take the hook away."""
        cell, self._cell = self._cell, None
        if cell is not None and cell._hooks[self._kind].pop(self.handle_id, None) is not None:
            scopes.structure_version += 1
            cell._refresh_plain()


def add_hook(cell: Any, kind: str, fn: Callable, prepend: bool = False, **options: bool) -> HookHandle:
    """Put a hook into a Cell's table.

    Raises:
        TypeError: `fn` is not callable, or a function under `jit`.
    """
    if not callable(fn):
        raise TypeError(f"Expected a callable hook function, but got {type(fn).__name__}.")
    if isinstance(fn, JitFunction):
        raise TypeError("A hook must be a plain function, but got one under 'jit': hooks run in Python.")
    table = cell.__dict__.setdefault("_hooks", {}).setdefault(kind, {})
    number = next(_numbers)
    if prepend:
        rest = dict(table)
        table.clear()
        table[number] = Hook(fn, **options)
        table.update(rest)
    else:
        table[number] = Hook(fn, **options)
    scopes.structure_version += 1
    cell._refresh_plain()
    return HookHandle(cell, kind, number)


def hooks_of(cell: Any, kind: str) -> list[Callable]:
    """The functions of one kind, in order."""
    return [hook.fn for hook in _table(cell, kind).values()]


def _parameter_hooks(item: Any) -> dict[int, Callable]:
    """One entry of `register_parameter_forward_hook`'s list, by the Parameters' ids."""
    if not isinstance(item, dict):
        raise TypeError(f"Each item in the hook list must be a dictionary, but got {type(item)}.")
    if "params" not in item or "hook" not in item:
        raise ValueError("Each dictionary in the hook list must contain both params and hook keys.")
    for parameter in item["params"]:
        if not isinstance(parameter, Parameter):
            raise TypeError(f"All items in params must be of type 'Parameter', but got {type(parameter)}.")
    if not callable(item["hook"]):
        raise TypeError(f"The hook value must be callable, but got {type(item['hook'])}.")
    return {id(parameter): item["hook"] for parameter in item["params"]}


class hooked_parameters:  # a context manager
    """For the time of `construct`, what the forward hooks of a Cell's own Parameters make of them."""

    __slots__ = ("_cell", "_shown")

    def __init__(self, cell: Any):
        self._cell = cell

    def __enter__(self) -> None:
        cell = self._cell
        self._shown = {name: hook(cell._params[name]) for name, hook in cell.__dict__["_parameter_hooks"].items()}
        cell.__dict__.update(self._shown)

    def __exit__(self, *exc) -> None:
        attributes, params = self._cell.__dict__, self._cell._params
        for name in self._shown:
            attributes[name] = params[name]


class Hooks(Part):
    """Registration of hooks."""

    def register_forward_pre_hook(self, hook_fn, *, prepend=False, with_kwargs=False) -> HookHandle:
        """Call `hook_fn(cell, inputs)` before `construct`; what it returns, if not None, replaces the inputs.

        Args:
            hook_fn: the function; with `with_kwargs` called as `hook_fn(cell, args, kwargs)`, to return None or both.
            prepend: whether it comes before the hooks there are.
            with_kwargs: see `hook_fn`.

        Raises:
            TypeError: `hook_fn` is not callable.

        >>> from ms_compat import Tensor, nn
        >>> net = nn.Identity()
        >>> handle = net.register_forward_pre_hook(lambda cell, inputs: (inputs[0] * 2,))
        >>> print(net(Tensor([1])))
        [2]
        """
        return add_hook(self, "forward_pre", hook_fn, prepend, with_kwargs=bool(with_kwargs))

    def register_forward_hook(self, hook_fn, *, prepend=False, with_kwargs=False, always_call=False) -> HookHandle:
        """Call `hook_fn(cell, inputs, output)` after `construct`; what it returns, if not None, replaces the output.

        Args:
            hook_fn: the function; with `with_kwargs` called as `hook_fn(cell, args, kwargs, output)`.
            prepend: whether it comes before the hooks there are.
            with_kwargs: see `hook_fn`.
            always_call: whether it is called, with None as output, when `construct` raises.

        A Cell with a `bprop` method takes no such hook, as in MindSpore: the hook is never called, which one line of
        the debug log says.

        Raises:
            TypeError: `hook_fn` is not callable.

        >>> from ms_compat import Tensor, nn
        >>> net = nn.ReLU()
        >>> handle = net.register_forward_hook(lambda cell, inputs, output: output + 1)
        >>> print(net(Tensor([-1.0, 2.0])))
        [1. 3.]
        >>> handle.remove()
        """
        if self._has_bprop:
            logger.debug("%s has a bprop method: its forward hooks are not called.", type(self).__name__)
            return HookHandle(None, "forward", next(_numbers))
        options = {"with_kwargs": bool(with_kwargs), "always_call": bool(always_call)}
        return add_hook(self, "forward", hook_fn, prepend, **options)

    def register_backward_hook(self, hook_fn) -> HookHandle:
        """Call `hook_fn(cell, grad_input, grad_output)` when the gradients of the Cell's inputs are known.

        What it returns, if not None, replaces the gradients of the inputs. Both are tuples of Tensors, None where
        there is no gradient.

        Raises:
            TypeError: `hook_fn` is not callable.

        >>> from ms_compat import Tensor, grad, nn
        >>> net = nn.ReLU()
        >>> handle = net.register_backward_hook(lambda cell, grad_input, grad_output: (grad_input[0] * 10,))
        >>> print(grad(net)(Tensor([-1.0, 2.0])))
        [ 0. 10.]
        """
        return add_hook(self, "backward", hook_fn)

    def register_backward_pre_hook(self, hook_fn) -> HookHandle:
        """Call `hook_fn(cell, grad_output)` when the gradients of the outputs are known; it may return others.

        Raises:
            TypeError: `hook_fn` is not callable.

        >>> from ms_compat import Tensor, grad, nn
        >>> net = nn.ReLU()
        >>> handle = net.register_backward_pre_hook(lambda cell, grad_output: (grad_output[0] * 10,))
        >>> print(grad(net)(Tensor([-1.0, 2.0])))
        [ 0. 10.]
        """
        return add_hook(self, "backward_pre", hook_fn)

    def register_saved_tensors_hooks(self, pack_hook, unpack_hook) -> None:
        """Let hooks see what `construct` keeps for the backward pass; a second pair replaces the first.

        Args:
            pack_hook: takes a Tensor that is to be kept; returns what is kept in its place: of any kind in
                PYNATIVE_MODE, a Tensor in compiled code.
            unpack_hook: takes what was kept; returns the Tensor that the backward pass works with.

        Raises:
            TypeError: a hook is not a function.
        """
        check_hooks("Cell.register_saved_tensors_hooks", pack_hook, unpack_hook)
        self.__dict__["_saved_hooks"] = (pack_hook, unpack_hook)
        scopes.structure_version += 1
        self._refresh_plain()

    def register_parameter_forward_hook(self, hook) -> None:
        """In compiled calls let `construct` see `fn(parameter)` in place of a Parameter, which stays as it is.

        Gradients go through the function. As in MindSpore it has no effect in PYNATIVE_MODE, and a second one replaces
        the first.

        Args:
            hook: a function for every Parameter of the tree, or a list of dicts with "params", a list of Parameters,
                and "hook", their function.

        Raises:
            TypeError: `hook` is neither, an item is not a dict, or holds something else.
            ValueError: a dict lacks one of the keys.

        >>> import ms_compat as ms
        >>> net = ms.nn.Dense(1, 1, weight_init="ones", has_bias=False)
        >>> net.register_parameter_forward_hook(lambda p: p * 10)
        >>> print(ms.jit(net)(ms.Tensor([[3.0]])))
        [[30.]]
        """
        chosen: dict[int, Callable] = {}
        if callable(hook):
            chosen = {id(p): hook for p in self.get_parameters()}
        elif isinstance(hook, list):
            for item in hook:
                chosen.update(_parameter_hooks(item))
        else:
            raise TypeError(f"Hook must be a callable function or a list of dictionaries, but got {type(hook)}.")
        for _, cell in self.cells_and_names():
            own = {name: chosen[id(p)] for name, p in cell._params.items() if id(p) in chosen}
            if own:
                cell.__dict__.setdefault("_parameter_hooks", {}).update(own)
                cell._refresh_plain()
        scopes.structure_version += 1


# -- calls -----------------------------------------------------------------------------------------------------------
def _table(cell: Any, kind: str) -> dict[int, Hook]:
    return cell.__dict__.get("_hooks", {}).get(kind, {})


def has_pre_hooks(cell: Any) -> bool:
    """Whether a Cell's call has hooks before it."""
    return bool(_table(cell, "forward_pre"))


def call_after_pre_hooks(cell: Any, inner: Callable, args: tuple, kwargs: dict) -> Any:
    """A call of such a Cell."""
    args, kwargs = _run_pre_hooks(cell, args, kwargs)
    return inner(*args, **kwargs)


def has_forward_hooks(cell: Any) -> bool:
    """Whether a Cell's call has hooks after it."""
    return bool(_table(cell, "forward"))


def call_hooked(cell: Any, inner: Callable, args: tuple, kwargs: dict) -> Any:
    """A call of such a Cell."""
    try:
        output = inner(*args, **kwargs)
    except Exception:
        _run_always_called(cell, args, kwargs)
        raise
    return _run_forward_hooks(cell, args, kwargs, output)


def has_parameter_hooks(cell: Any) -> bool:
    """Whether a Cell's `construct` sees other Parameters in compiled calls."""
    return bool(cell.__dict__.get("_parameter_hooks"))


def call_with_parameters_hooked(cell: Any, inner: Callable, args: tuple, kwargs: dict) -> Any:
    """A call of such a Cell."""
    if not scopes.tracing or scopes.current_scope() is None:
        return inner(*args, **kwargs)
    with hooked_parameters(cell):
        return inner(*args, **kwargs)


def _run_pre_hooks(cell: Any, args: tuple, kwargs: dict) -> tuple[tuple, dict]:
    for hook in tuple(_table(cell, "forward_pre").values()):
        if hook.with_kwargs:
            result = hook.fn(cell, args, kwargs)
            if result is None:
                continue
            if not isinstance(result, tuple) or len(result) != 2 or not isinstance(result[1], dict):
                raise RuntimeError(
                    "forward pre hook with kwargs must return None or a tuple of (new_args, new_kwargs), but got "
                    f"{result!r:.200}"
                )
            args, kwargs = result
        else:
            result = hook.fn(cell, args)
            if result is None:
                continue
            args = result
        if not isinstance(args, tuple):
            args = (args,)
    return args, kwargs


def _run_forward_hooks(cell: Any, args: tuple, kwargs: dict, output: Any) -> Any:
    for hook in tuple(_table(cell, "forward").values()):
        result = hook.fn(cell, args, kwargs, output) if hook.with_kwargs else hook.fn(cell, args, output)
        if result is not None:
            output = result
    return output


def _run_always_called(cell: Any, args: tuple, kwargs: dict) -> None:
    """The forward hooks that are called when `construct` has raised."""
    for hook in tuple(_table(cell, "forward").values()):
        if hook.always_call:
            if hook.with_kwargs:
                hook.fn(cell, args, kwargs, None)
            else:
                hook.fn(cell, args, None)
