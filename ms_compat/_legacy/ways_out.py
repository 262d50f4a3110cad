"""What to do instead of names that are not served, where the nearest spelling would mislead.

A row holds for the name and for all below it: "mindspore.rewrite" also for `mindspore.rewrite.SymbolTree`.
"""

_MINDIR = (
    "MindIR graphs are neither read nor written. Save weights with 'mindspore.save_checkpoint'; for a graph that runs "
    "without the Python code pass the function of 'ms_compat.interop.jax.pure(net)' to 'jax.export'."
)
_COMPILER = "XLA compiles the operations; write a new one with 'mindspore.ops', 'jax.numpy' or 'mindspore.ops.Custom'."
_NETWORK = "Change the network in Python: set attributes of the Cell, or derive a class from it."
_LANDSCAPE = "Compute the losses around the weights and plot them; MindInsight alone shows its files."
_FLOPS = "'jax.jit(f).lower(...).compile().cost_analysis()' counts the floating-point operations of a program."
_FAULTS = "Use 'train.ModelCheckpoint' with exception_save=True, or 'train.BackupAndRestore'."
_INDEXING = "Index the Tensor: 'x[index]' and 'x[index] = value'."
_OFFLOAD = "'x.move_to(\"CPU\")' moves the values to the host; 'numpy.save(path, x.asnumpy())' writes them into a file."

TABLE = {
    "mindspore.load_mindir": _MINDIR,
    "mindspore.save_mindir": _MINDIR,
    "mindspore.nn.GraphCell": _MINDIR,
    "mindspore.train.export_split_mindir": _MINDIR,
    "mindspore.graph": _COMPILER,
    "mindspore.ops.CustomOpBuilder": _COMPILER,
    "mindspore.train.SummaryLandscape": _LANDSCAPE,
    "mindspore.SummaryLandscape": _LANDSCAPE,
    "mindspore.train.FlopsUtilizationCollector": _FLOPS,
    "mindspore.FlopsUtilizationCollector": _FLOPS,
    "mindspore.flops_collection": _FLOPS,
    "mindspore.train.TrainFaultTolerance": _FAULTS,
    "mindspore.TrainFaultTolerance": _FAULTS,
    "mindspore.rewrite": _NETWORK,
    "mindspore.SymbolTree": _NETWORK,
    "mindspore.Node": _NETWORK,
    "mindspore.NodeType": _NETWORK,
    "mindspore.ScopedValue": _NETWORK,
    "mindspore.boost": "'mindspore.amp' gives mixed precision, 'Cell.recompute()' larger batches.",
    "mindspore.common.api._cell_graph_executor": "'mindspore.jit' compiles; 'Cell.compile' does so ahead of the call.",
    "mindspore.Tensor.getitem_index_info": _INDEXING,
    "mindspore.Tensor.setitem_index_info": _INDEXING,
    "mindspore.Tensor.offload": _OFFLOAD,
    "mindspore.Tensor.offload_file_path": _OFFLOAD,
    "mindspore.Tensor.delete_": "JAX frees the values with the last Tensor that refers to them: 'del x'.",
    "mindspore.Tensor.set_device_address": "JAX alone places values; 'x.set_data(y)' or 'x.copy_(y)' replaces them.",
    "mindspore.Tensor.set_param_info": "Set the properties of the Parameter: 'name', 'requires_grad', 'comm_fusion'.",
    "mindspore.ops.Primitive.set_hook_fn": "'mindspore.ops.InsertGradientOf' and 'Tensor.register_hook' see gradients.",
}


def find(dotted: str) -> str | None:
    """Returns the sentence for a name or for what it is below, or `None`.

    >>> find("mindspore.rewrite.Node").startswith("Change the network")
    True
    """
    while "." in dotted:
        if dotted in TABLE:
            return TABLE[dotted]
        dotted = dotted.rpartition(".")[0]
    return None
