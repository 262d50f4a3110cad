"""What to do instead of names that are not served, where the nearest spelling would mislead.

A row holds for the name and for all below it: "mindspore.rewrite" also for `mindspore.rewrite.SymbolTree`.
"""

from ms_compat._names import habits

_SPLIT = "'mindspore.load' reads a whole graph for 'nn.GraphCell'; distribute a Cell with 'Cell.shard'."
_PIPELINE = (
    "It is a step of MindSpore's pipeline in C++. 'Dataset.create_tuple_iterator()' runs a pipeline here, and "
    "'Dataset.get_batch_size()' and 'Dataset.get_dataset_size()' tell its sizes."
)
_DOWNLOAD = (
    "It waits for files from a cloud's storage, which is not read. Processes wait for each other in 'ops.Barrier()()'."
)
_LIBRARY = (
    "It calls a library for MindSpore's pipeline. 'Dataset.map(f)' calls a Python function, which may use ctypes."
)
_ADDRESS = "The address would be an Ascend's; 'x.data = y' replaces values."
_ORDER = "Ascend's runtime writes the order of collectives; XLA's programs have one order on all processes."
_NETWORK = "'mindspore.rewrite.SymbolTree' finds and changes the statements of a network."
_STRATEGIES = "XLA keeps no strategies of operators; say layouts with 'Cell.shard' or 'mindspore.parallel.Layout'."
_INDEXING = "Index the Tensor: 'x[index]' and 'x[index] = value'."
_BRANCH = "Write 'if', or 'ops.cond(condition, f, g, *inputs)': compiled functions know both."
_QUEUE = "Iterate over the dataset: 'for data in dataset.create_tuple_iterator()', or 'mindspore.data_sink'."
_PYTHON = "'ops.Custom(f, out_shape, out_dtype, \"pyfunc\")' runs a Python function, in compiled functions too."

_STEPS = (
    "copy_batch_size", "create_ir_tree", "get_sync_notifiers", "iterator_bootstrap", "parse", "parse_tree",
    "post_parse", "pre_parse", "pre_process", "recv", "send",
)  # fmt: skip

TABLE = {
    "mindspore.export_split_mindir": _SPLIT,
    "mindspore.train.export_split_mindir": _SPLIT,
    "mindspore.dataset.sync_wait_for_dataset": _DOWNLOAD,
    "mindspore.dataset.transforms.Plugin": _LIBRARY,
    **{f"mindspore.dataset.Dataset.{name}": _PIPELINE for name in _STEPS},
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
