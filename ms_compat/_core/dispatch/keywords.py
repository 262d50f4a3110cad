"""What to write instead of a keyword argument that a function does not take.

PyTorch, Keras and NumPy have other names for the arguments of the same operation, and MindSpore itself has several
(`axis` and `dim`, `keep_dims` and `keepdim`). The errors are Python's or MindSpore's; a sentence of this module ends
their messages.
"""

from __future__ import annotations

import difflib
import inspect
import re
import sys
import types
from collections.abc import Iterable
from typing import Any

# Each row holds names of one argument. A function that takes one of a row is called with that one.
_SAME = (
    "axis dim dims axes",
    "keep_dims keepdim keepdims",
    "learning_rate lr",
    "has_bias bias use_bias",
    "eps epsilon",
    "in_channels in_features in_dim input_dim",
    "out_channels out_features out_dim units filters",
    "vocab_size num_embeddings",
    "embedding_size embedding_dim",
    "kernel_size pool_size",
    "stride strides",
    "group groups",
    "num_features num_channels",
    "p drop_prob rate",
    "depth num_classes",
    "epoch epochs num_epochs",
    "batch_size batchsize",
    "drop_remainder drop_last",
    "num_parallel_workers num_workers num_parallel_calls",
    "column_names columns columns_names",
    "loss_fn loss criterion",
    "optimizer optim opt",
    "label_smoothing smoothing",
    "reduction size_average reduce",
    "use_batch_statistics track_running_stats",
    "use_amsgrad amsgrad",
    "use_nesterov nesterov",
    "padding_idx padding_index",
    "activation act",
    "weight_init kernel_initializer",
    "bias_init bias_initializer",
    "dropout dropout_rate",
    "valid_dataset validation_data",
    "train_dataset dataset",
    "params parameters",
    "save_checkpoint_steps save_checkpoint_step save_every",
    "keep_checkpoint_max max_to_keep",
    "input x input_x a self",
    "other y",
    "decay alpha rho",
)
_DEVICE = 'Values live on the device of \'mindspore.set_device("CPU")\' (or "GPU", "Ascend"); nothing is moved by hand.'
_REQUIRES_GRAD = (
    "Tensors do not record gradients: 'mindspore.grad(function, position)(*inputs)' computes them for inputs, and "
    "a weight is a 'mindspore.Parameter(tensor, requires_grad=True)'."
)
# Sentences for arguments that have no name of their own in MindSpore.
_SENTENCES = {
    "device": _DEVICE,
    "requires_grad": _REQUIRES_GRAD,
    "inplace": "MindSpore has no 'inplace' here; leave it out.",
    "padding_mode": "Padding is 0 here; pad the input with 'mindspore.ops.pad(x, padding, mode)' for another mode.",
    "batch_size": "Batches are a step of their own: 'dataset.batch(32)'.",
    "from_logits": "This loss takes logits, before any softmax.",
    "ignore_index": "'nn.CrossEntropyLoss' has 'ignore_index'.",
    "verbose": "'mindspore.train.LossMonitor()' in 'callbacks' prints the loss.",
    "shuffle": "Shuffle the dataset: 'dataset.shuffle(buffer_size)', or 'shuffle=True' where it is made.",
    "collate_fn": "'dataset.batch(32, per_batch_map=function)' makes batches by a function.",
    "pin_memory": "MindSpore copies batches to the device by itself; leave it out.",
    "lr_scheduler": "The 'learning_rate' of an optimizer can be a list of values or a 'nn.LearningRateSchedule'.",
    "betas": "They are called 'beta1' and 'beta2' here.",
    "elementwise_affine": "MindSpore's layer always has 'gamma' and 'beta'; 'mindspore.mint.nn' has this argument.",
    "max_norm": "'mindspore.mint.nn.Embedding' has this argument.",
    "return_sequences": "The layer returns all steps and the last state: 'output, hidden = layer(x)'.",
    "non_blocking": "MindSpore runs asynchronously by itself; leave it out.",
}
_UNEXPECTED = re.compile(
    r"(?P<callee>[\w.]+)\(\) got an unexpected keyword argument '(?P<name>\w+)'\.?(?: Did you mean '\w+'\?)?"
)


def hint(name: str, known: Iterable[str]) -> str:
    """The sentence for an argument that a function does not take.

    Args:
        name: as it was written.
        known: the names that the function takes.

    >>> hint("dim", ("input", "axis"))
    "It is called 'axis' here."
    >>> hint("learning_rat", ("params", "learning_rate"))
    "Did you mean 'learning_rate'?"
    >>> hint("colour", ("input", "axis"))
    'It takes: input, axis.'
    """
    known = [each for each in known if each != "self" and not each.startswith("_")]
    for row in _SAME:
        names = row.split()
        if name in names:
            found = next((each for each in names if each in known), None)
            if found is not None:
                return f"It is called '{found}' here."
    if name in _SENTENCES:
        if name == "betas" and "beta1" not in known:
            return _list(known)
        return _SENTENCES[name]
    close = difflib.get_close_matches(name, known, 1, 0.7)
    return f"Did you mean '{close[0]}'?" if close else _list(known)


def _list(known: list[str]) -> str:
    return f"It takes: {', '.join(known)}." if known else "It takes no arguments."


def taken_by(function: Any) -> tuple[str, ...] | None:
    """The names that a Python function takes by keyword; None if it takes any.

    >>> taken_by(lambda x, *, axis=0: x)
    ('x', 'axis')
    """
    code = getattr(function, "__code__", None)
    if code is None or code.co_flags & 0x08:  # **kwargs
        return None
    return code.co_varnames[code.co_posonlyargcount : code.co_argcount + code.co_kwonlyargcount]


def check(callee: str, function: Any, given: Iterable[str]) -> None:
    """Raise the TypeError of a call with a keyword that a function does not take, with a hint.

    Args:
        callee: the name that the message has for the function.
        function: a Python function; one with `**kwargs` takes all.
        given: the keywords of the call.

    Raises:
        TypeError: a keyword that it does not take.
    """
    known = taken_by(function)
    if known is None:
        return
    for name in given:
        if name not in known:
            raise TypeError(f"{callee}() got an unexpected keyword argument '{name}'. {hint(name, known)}")


def completed(message: str) -> str | None:
    """Python's message about an unknown keyword, with a hint for functions in this package; None for other messages.

    Python raises this error in the caller, before the function runs, and gives its qualified name alone.

    >>> from ms_compat.ops import concat
    >>> completed("concat() got an unexpected keyword argument 'dim'")
    "concat() got an unexpected keyword argument 'dim'. It is called 'axis' here."
    """
    found = _UNEXPECTED.fullmatch(message)
    if found is None:
        return None
    hints: dict[str, str] = {}  # with the shortest path of a function that it is for
    for path, names in sorted(_parameters(found["callee"]), key=lambda item: len(item[0])):
        if found["name"] not in names:
            hints.setdefault(hint(found["name"], names), path)
    start = f"{found['callee']}() got an unexpected keyword argument '{found['name']}'."
    if len(hints) == 1:
        return f"{start} {next(iter(hints))}"
    # Functions that differ have this name, and the message does not say which one was called.
    several = [f"If it was '{path}': {text}" for text, path in hints.items() if not text.startswith("It takes")]
    return f"{start} {' '.join(several)}" if several else None


def _parameters(callee: str) -> list[tuple[str, tuple[str, ...]]]:
    """The package's functions with a qualified name, and what they take; private ones only if none is public."""
    package = __name__.partition(".")[0]
    first, *rest = callee.split(".")
    public: list[tuple[str, tuple[str, ...]]] = []
    private: list[tuple[str, tuple[str, ...]]] = []
    for path, module in list(sys.modules.items()):
        root, *folders = path.split(".")
        if root != package:
            continue
        found = vars(module).get(first)
        for part in rest:
            found = getattr(found, part, None) if isinstance(found, type) else None
        if not isinstance(found, types.FunctionType) or found.__qualname__ != callee:
            continue
        names = taken_by(inspect.unwrap(found))
        if names is not None:
            known = ".".join(["mindspore", *folders, callee]), names
            (private if any(folder.startswith("_") for folder in folders) else public).append(known)
    return public or private
