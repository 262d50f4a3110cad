"""MindSpore's equivalents of PyTorch habits: methods, arguments and names that MindSpore lacks.

The errors are MindSpore's; a sentence of these tables ends their messages.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any, NoReturn

_GRADIENT = "Gradients are functions here: 'loss, grads = mindspore.value_and_grad(forward, None, weights)(*inputs)'."
_DEVICE = 'Values live on the device of \'mindspore.set_device("CPU")\' (or "GPU", "Ascend"); nothing is moved by hand.'
_NO_ZERO = "There is nothing to reset: 'mindspore.value_and_grad' returns new gradients at every call."

TENSOR: Mapping[str, str] = {
    "backward": _GRADIENT,
    "grad": _GRADIENT,
    "grad_fn": _GRADIENT,
    "retain_grad": _GRADIENT,
    "zero_grad": _NO_ZERO,
    "cuda": _DEVICE,
    "npu": _DEVICE,
    "cpu": "'x.asnumpy()' gives the values to NumPy, 'x.move_to(\"CPU\")' a Tensor on the host.",
    "detach": "'mindspore.ops.stop_gradient(x)' cuts a Tensor off from gradients.",
}
CELL: Mapping[str, str] = {
    "backward": _GRADIENT,
    "cuda": _DEVICE,
    "cpu": _DEVICE,
    "parameters": "'trainable_params()' lists those that are trained, 'get_parameters()' all.",
    "named_parameters": "'parameters_and_names()' gives names and Parameters.",
    "named_modules": "'cells_and_names()' gives names and Cells.",
    "modules": "'cells_and_names()' gives names and Cells.",
    "children": "'cells()' lists them.",
    "named_children": "'name_cells()' gives names and Cells.",
    "train": "'set_train()' turns training on, 'set_train(False)' off.",
    "eval": "'set_train(False)' turns training off.",
    "zero_grad": _NO_ZERO,
    "step": "An optimizer is called with the gradients: 'optimizer(grads)'.",
    "param_groups": "The Parameters are in 'parameters'; 'get_lr_parameter' gives their learning rates.",
    "add_module": "'insert_child_to_cell(name, cell)' adds a Cell.",
    "register_parameter": "'insert_param_to_cell(name, parameter)' adds a Parameter; assigning it does the same.",
    "register_full_backward_hook": "'register_backward_hook(f)' is called with gradients.",
    "forward": "The computation is 'construct'; call the Cell.",
}
NAMES: Mapping[str, str] = {
    "mindspore.nn.Module": "The base class is 'mindspore.nn.Cell', its computation 'construct'.",
    "mindspore.nn.ModuleList": "Use 'mindspore.nn.CellList'.",
    "mindspore.nn.ModuleDict": "Use 'mindspore.nn.CellDict'.",
    "mindspore.nn.ParameterList": "Use 'mindspore.ParameterTuple'.",
    "mindspore.nn.Sequential": "Use 'mindspore.nn.SequentialCell'.",
    "mindspore.nn.Parameter": "Use 'mindspore.Parameter'.",
    "mindspore.nn.functional": "Use 'mindspore.ops'; 'mindspore.mint.nn.functional' has PyTorch's arguments.",
    "mindspore.nn.init": "Use 'mindspore.common.initializer'.",
    "mindspore.optim": "The optimizers are in 'mindspore.nn'; 'mindspore.mint.optim' has PyTorch's arguments.",
    "mindspore.no_grad": "Only 'mindspore.grad' records; within it 'mindspore.ops.stop_gradient(x)' cuts.",
    "mindspore.inference_mode": "Only 'mindspore.grad' records.",
    "mindspore.cuda": "'mindspore.set_device(\"GPU\")' chooses; 'mindspore.runtime' has memory and streams.",
    "mindspore.device": "'mindspore.set_device(\"GPU\")' chooses.",
    "mindspore.backends": "'mindspore.set_context' and 'mindspore.set_deterministic' set what the backend does.",
    "mindspore.autograd": "Use 'mindspore.grad', 'mindspore.value_and_grad' and 'mindspore.vjp'.",
    "mindspore.compile": "Use 'mindspore.jit'.",
    "mindspore.save": "Use 'mindspore.save_checkpoint'.",
    "mindspore.randn": "Use 'mindspore.ops.randn'.",
    "mindspore.zeros": "Use 'mindspore.ops.zeros'.",
    "mindspore.ones": "Use 'mindspore.ops.ones'.",
    "mindspore.manual_seed_all": "Use 'mindspore.set_seed'.",
    "mindspore.dataset.DataLoader": "A dataset is iterated itself: 'GeneratorDataset(source, columns).batch(32)'.",
}
# of constructors: what PyTorch calls an argument, and what MindSpore does
ARGUMENTS: Mapping[str, str] = {
    "bias": "has_bias",
    "lr": "learning_rate",
    "betas": "beta1' and 'beta2",
    "in_features": "in_channels",
    "out_features": "out_channels",
    "num_embeddings": "vocab_size",
    "embedding_dim": "embedding_size",
    "inplace": "",
    "device": "",
}


def after(message: str, hint: str | None) -> str:
    """A message and the sentence that follows it, if there is one."""
    return f"{message} {hint}" if hint else message


def argument(name: str, known: Any) -> str | None:
    """What a constructor's argument is called in MindSpore, as a sentence; None if nothing is known.

    Args:
        name: as it was written.
        known: the names that the constructor takes.

    >>> argument("lr", ("params", "learning_rate"))
    "It is called 'learning_rate' here."
    """
    ours = ARGUMENTS.get(name)
    if ours is None:
        return None
    if not ours:
        return _DEVICE if name == "device" else f"MindSpore has no '{name}' here; leave it out."
    return f"It is called '{ours}' here." if ours.partition("'")[0] in known else None


def check_arguments(cls: Any, given: Mapping[str, Any]) -> None:
    """Raise the TypeError of a call with an argument that a class does not take, if it is a PyTorch habit."""
    foreign = ARGUMENTS.keys() & given.keys()
    if not foreign:
        return
    parameters = inspect.signature(cls.__init__).parameters
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values()):
        return
    for name in sorted(foreign - parameters.keys()):
        hint = argument(name, parameters)
        raise TypeError(after(f"{cls.__name__}.__init__() got an unexpected keyword argument '{name}'.", hint))


class Habit:
    """A member that a class of MindSpore lacks, with a sentence that says what to do; `hasattr` is False.

    >>> cls = type("Tensor", (), {"cuda": Habit("Tensor", "cuda", "Use 'mindspore.set_device'.")})
    >>> hasattr(cls, "cuda"), hasattr(cls(), "cuda")
    (False, False)
    """

    __slots__ = ("_hint", "_name", "_owner")

    def __init__(self, owner: str, name: str, hint: str):
        self._owner, self._name, self._hint = owner, name, hint

    def __get__(self, instance: object, owner: type | None = None) -> NoReturn:
        if instance is None:
            raise AttributeError(f"type object '{self._owner}' has no attribute '{self._name}'")
        raise AttributeError(f"'{type(instance).__name__}' object has no attribute '{self._name}'. {self._hint}")
