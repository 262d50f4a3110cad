"""What to do instead of names that are not served, where the nearest spelling would mislead.

A row holds for the name and for all below it: "mindspore.rewrite" also for `mindspore.rewrite.SymbolTree`.
"""

from ms_compat._names import habits

_SPLIT = "'mindspore.load' reads a whole graph for 'nn.GraphCell'; distribute a Cell with 'Cell.shard'."
_ADDRESS = "The address would be an Ascend's; 'x.data = y' replaces values."
_ORDER = "Ascend's runtime writes the order of collectives; XLA's programs have one order on all processes."
_NETWORK = "'mindspore.rewrite.SymbolTree' finds and changes the statements of a network."
_STRATEGIES = "XLA keeps no strategies of operators; say layouts with 'Cell.shard' or 'mindspore.parallel.Layout'."
_INDEXING = "Index the Tensor: 'x[index]' and 'x[index] = value'."
_BRANCH = "Write 'if', or 'ops.cond(condition, f, g, *inputs)': compiled functions know both."
_QUEUE = "Iterate over the dataset: 'for data in dataset.create_tuple_iterator()', or 'mindspore.data_sink'."
_PYTHON = "'ops.Custom(f, out_shape, out_dtype, \"pyfunc\")' runs a Python function, in compiled functions too."

TABLE = {
    "mindspore.train.export_split_mindir": _SPLIT,
    "mindspore.rewrite": _NETWORK,
    "mindspore.parallel.set_op_strategy_config": _STRATEGIES,
    "mindspore.common.api._cell_graph_executor": "'mindspore.jit' compiles; 'Cell.compile' does so ahead of the call.",
    "mindspore.Tensor.getitem_index_info": _INDEXING,
    "mindspore.Tensor.setitem_index_info": _INDEXING,
    "mindspore.Parameter.getitem_index_info": _INDEXING,
    "mindspore.Parameter.setitem_index_info": _INDEXING,
    "mindspore.Parameter.set_device_address": _ADDRESS,
    "mindspore.Tensor.set_device_address": _ADDRESS,
    "mindspore.utils._reuse_data_ptr": "JAX alone gives out memory; 'x[1:]' and 'x.view(...)' share a tensor's values.",
    "mindspore.utils.comm_exec_order_check": _ORDER,
    "mindspore.utils.runtime_execution_order_check": _ORDER,
    "mindspore.nn.GetNextSingleOp": _QUEUE,
    "mindspore.ops.GetNext": _QUEUE,
    "mindspore.ops.Merge": _BRANCH,
    "mindspore.ops.merge": _BRANCH,
    "mindspore.ops.GeSwitch": _BRANCH,
    "mindspore.ops.geswitch": _BRANCH,
    "mindspore.ops._ms_pyfunc": _PYTHON,
    "mindspore.ops._AllSwap": "'ops.AlltoAllV' sends parts of different sizes.",
    "mindspore.ops.J": "'mindspore.ops.vjp(f, *inputs)' gives the outputs and the pullback.",
    "mindspore.ops.make_map_parameter": "Keep the rows in a Parameter, and their numbers in a dict.",
    "mindspore.ops.Primitive.set_hook_fn": "'mindspore.ops.InsertGradientOf' and 'Tensor.register_hook' see gradients.",
}


def find(dotted: str) -> str | None:
    """Returns the sentence for a name or for what it is below, or `None`.

    >>> find("mindspore.rewrite.PatternEngine").startswith("'mindspore.rewrite.SymbolTree' finds")
    True
    """
    name = dotted.rpartition(".")[2]
    while "." in dotted:
        told = TABLE.get(dotted) or habits.NAMES.get(dotted)
        if told is not None:
            return told
        dotted = dotted.rpartition(".")[0]
    return habits.ANYWHERE.get(name)
