"""MindSpore's equivalents of PyTorch habits: methods and names that MindSpore lacks.

The errors are MindSpore's; a sentence of these tables ends their messages.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn

from ms_compat._core.errors import attribute_error

_GRADIENT = "Gradients are functions here: 'loss, grads = mindspore.value_and_grad(forward, None, weights)(*inputs)'."
_DEVICE = 'Values live on the device of \'mindspore.set_device("CPU")\' (or "GPU", "Ascend"); nothing is moved by hand.'
_NO_GRAD = (
    "Nothing records gradients outside of 'mindspore.grad' and 'mindspore.value_and_grad'. Within their function "
    "'mindspore.ops.stop_gradient(x)' makes x a constant."
)
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
    "mindspore.no_grad": _NO_GRAD,
    "mindspore.enable_grad": _NO_GRAD,
    "mindspore.set_grad_enabled": _NO_GRAD,
    "mindspore.inference_mode": _NO_GRAD,
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
    "mindspore.FloatTensor": "Use 'mindspore.Tensor(values, mindspore.float32)'.",
    "mindspore.DoubleTensor": "Use 'mindspore.Tensor(values, mindspore.float64)'.",
    "mindspore.HalfTensor": "Use 'mindspore.Tensor(values, mindspore.float16)'.",
    "mindspore.IntTensor": "Use 'mindspore.Tensor(values, mindspore.int32)'.",
    "mindspore.LongTensor": "Use 'mindspore.Tensor(values, mindspore.int64)'.",
    "mindspore.BoolTensor": "Use 'mindspore.Tensor(values, mindspore.bool_)'.",
    "mindspore.nn.AdamW": "Use 'mindspore.nn.AdamWeightDecay'; 'mindspore.mint.optim.AdamW' has PyTorch's arguments.",
    "mindspore.nn.CosineAnnealingLR": "Use 'mindspore.nn.CosineDecayLR' as the 'learning_rate' of an optimizer.",
    "mindspore.utils.data": "Datasets are in 'mindspore.dataset', and are iterated themselves.",
    "mindspore.dataset.DataLoader": "A dataset is iterated itself: 'GeneratorDataset(source, columns).batch(32)'.",
}
# PyTorch's names that are looked for in any module.
ANYWHERE: Mapping[str, str] = {
    name.rpartition(".")[2]: NAMES[name]
    for name in (
        "mindspore.no_grad", "mindspore.enable_grad", "mindspore.set_grad_enabled", "mindspore.inference_mode",
        "mindspore.nn.Module", "mindspore.nn.ModuleList", "mindspore.nn.ModuleDict", "mindspore.nn.ParameterList",
        "mindspore.nn.Sequential", "mindspore.dataset.DataLoader",
    )
}  # fmt: skip
MODEL: Mapping[str, str] = {
    "compile": "The loss, the optimizer and the metrics are arguments: 'Model(network, loss_fn, optimizer, metrics)'.",
    "evaluate": "It is called 'eval' here: 'model.eval(dataset)'.",
    "save": "'mindspore.save_checkpoint(network, \"net.ckpt\")' writes the Parameters.",
    "load": "'mindspore.load_checkpoint(\"net.ckpt\", network)' reads the Parameters.",
    "load_weights": "'mindspore.load_checkpoint(\"net.ckpt\", network)' reads the Parameters.",
    "save_weights": "'mindspore.save_checkpoint(network, \"net.ckpt\")' writes the Parameters.",
    "summary": "'print(network)' shows the layers.",
    "parameters": "'network.trainable_params()' lists the Parameters that are trained.",
    "to": _DEVICE,
    "cuda": _DEVICE,
}
DATASET: Mapping[str, str] = {
    "prefetch": "Pipelines prefetch by themselves: 'mindspore.dataset.config.set_prefetch_size(4)'.",
    "cache": "'mindspore.dataset.DatasetCache' is given to the dataset that reads the files, as 'cache'.",
    "size": "'dataset.get_dataset_size()' counts the rows, or the batches after 'batch'.",
    "length": "'dataset.get_dataset_size()' counts the rows, or the batches after 'batch'.",
    "shape": "'dataset.output_shapes()' lists the shapes of the columns.",
    "columns": "'dataset.get_col_names()' lists the columns.",
    "column_names": "'dataset.get_col_names()' lists the columns.",
    "as_numpy_iterator": "'dataset.create_tuple_iterator(output_numpy=True)' gives rows of arrays.",
    "dataloader": "A dataset is iterated itself: 'for data in dataset.create_tuple_iterator()'.",
    "unbatch": "Leave out 'batch', or cut the rows with 'map'.",
}


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
        message = f"'{type(instance).__name__}' object has no attribute '{self._name}'. {self._hint}"
        raise attribute_error(message, self._name)
