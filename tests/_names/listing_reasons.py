"""Why names of MindSpore 2.10's modules are not served, by what their path begins with; the names are in a file beside.

A name without an underscore in front gives a placeholder, which raises `UnsupportedError` when it is used.
"""

_CHECKS = "checks of MindSpore's own arguments; ours are made where the arguments are used"
_PARTS = "parts of how MindSpore is built, which are built otherwise here; their public results are served"
_ASCEND = "concerns Ascend's hardware or kernels, which a CPU cannot show the meaning of"
_PUBLIC = "public names that are not served: `python -m ms_compat check --coverage` says what becomes of each"

REASONS = {
    "mindspore": _PUBLIC + "; names beside them are private",
    "mindspore._c_expression": "the C++ side of MindSpore",
    "mindspore._checkparam": _CHECKS,
    "mindspore._extends": "MindSpore's server of kernels",
    "mindspore.boost": "'mindspore.amp' and 'Cell.recompute()' serve in its place",
    "mindspore.common": _PARTS,
    "mindspore.communication": _PARTS,
    "mindspore.context": _PARTS,
    "mindspore.dataset": _PARTS + "; datasets and transforms that cannot be had are public placeholders",
    "mindspore.device_context": _ASCEND,
    "mindspore.device_manager": _PARTS,
    "mindspore.experimental": _PARTS + "; a MapParameter is a table that grows, which XLA has not",
    "mindspore.graph": _PARTS + "; custom passes and backends are for MindSpore's compiler",
    "mindspore.hal": _PARTS,
    "mindspore.log": _PARTS,
    "mindspore.mindrecord": _PARTS,
    "mindspore.mint": _PARTS,
    "mindspore.multiprocessing": _PARTS,
    "mindspore.nn": _PARTS,
    "mindspore.numpy": _PARTS,
    "mindspore.ops": _PUBLIC + "; helpers of its files",
    "mindspore.ops._utils": "conversions for MindSpore's generated calls",
    "mindspore.ops.auto_generate": _ASCEND,
    "mindspore.ops.composite": "rules for the operators of MindSpore's compiler, where Tensor has methods",
    "mindspore.ops.operations": _ASCEND + ", or has no kernel for CPUs to compare with",
    "mindspore.parallel": _PARTS + "; JAX distributes",
    "mindspore.profiler": "reads and writes Ascend's profiles",
    "mindspore.rewrite": "parts of its parser; 'SymbolTree' is served",
    "mindspore.run_check": _PARTS,
    "mindspore.runtime": _PARTS,
    "mindspore.safeguard": "obfuscates networks by rewriting their source",
    "mindspore.scipy": _PARTS,
    "mindspore.train": _PARTS + "; fault tolerance and flops counters are Ascend's",
    "mindspore.utils": _ASCEND + ", or helps MindSpore's own tests",
}
