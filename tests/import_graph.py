"""Which file of the package imports which, read from their text.

    python -m tests.import_graph      # prints files, arrows, circles, and arrows that point up

An import at the head of a file and one in a function are told apart: the first decides what `import ms_compat` needs
and in which order, the second may be there to save time. Both are arrows. What is imported by a name in a table (the
registry of `_names`, Tensor's methods) is none.
"""

from __future__ import annotations

import ast
import pathlib
from collections.abc import Iterator, Mapping
from typing import NamedTuple

ROOT = pathlib.Path(__file__).parents[1]
PACKAGE = "ms_compat"
Import = ast.Import | ast.ImportFrom
_PARALLEL = tuple(
    "parallel." + name for name in "_auto_parallel_context _utils algorithm auto_parallel function nn shard".split()
)

# Rooms from the ground up; each may import itself and those before it. A file that is named stands on the floor where
# it is named and not on its folder's: faces that only hand names on, and what needs a room above its folder.
LAYERS = (
    ("version", "_optim"),
    ("_core",),
    ("_names",),
    ("_compile",),
    ("_autograd",),
    ("log", "context", "common.dtype", "common.jit_config"),
    ("ops.function",),
    ("communication", "common", "runtime", "hal", "graph", "device_context", "multiprocessing"),
    (
        "ops",
        "ops.function.attention.distributed_moe",
        "ops.function.attention.flash",
        "ops.function.linalg.collective_matmul",
        "hal.contiguous_tensors_handle",
    ),
    ("numpy", "scipy"),
    ("_tensor",),
    ("nn", "mint", "amp.loss_scaler", "_checkparam", "experimental", "profiler", "utils", *_PARALLEL),
    ("rewrite", "dataset", "mindrecord"),
    ("_formats",),
    ("train", "amp", "boost", "onnx", "parallel", "safeguard", "dataset._sync_callback"),
    ("_inner", "_extends", "interop", "_targets"),
    ("install", "cli", "__main__", "_spawned", "pytest"),
)

# Arrows up that stay, all in functions: {(module, imported module): why}.
ARGUED = {
    ("ms_compat._autograd.function", "ms_compat.ops"): "`_Function` cuts gradients off with an operation",
    ("ms_compat.common.hints", "ms_compat.nn.cell"): "`recompute` and `run_check` are functions about Cells",
    ("ms_compat.common.hints", "ms_compat.ops.primitive"): "`set_dump` asks whether it is given a primitive",
    ("ms_compat.mindrecord.encryption", "ms_compat._formats.crypto"): "encrypted rows are those of checkpoints",
    ("ms_compat.nn", "ms_compat.train.metrics"): "MindSpore 1.x had the metrics in `nn`",
}


class Arrow(NamedTuple):
    """An import: the importing module, the imported one, the line, and whether it stands in a function."""

    source: str
    target: str
    line: int
    late: bool


def modules(root: pathlib.Path = ROOT) -> dict[str, pathlib.Path]:
    """The package's modules by their names."""
    found = {}
    for path in sorted((root / PACKAGE).rglob("*.py")):
        name = ".".join(path.relative_to(root).with_suffix("").parts)
        found[name.removesuffix(".__init__")] = path
    return found


def arrows(root: pathlib.Path = ROOT, typing: bool = False) -> list[Arrow]:
    """The imports of the package's modules by each other; with `typing`, also those that only type checkers read."""
    known = modules(root)
    return [
        arrow
        for module, path in known.items()
        for arrow in arrows_of(module, ast.parse(path.read_text("utf-8")), known, typing)
    ]


def arrows_of(module: str, tree: ast.Module, known: Mapping[str, object], typing: bool = False) -> list[Arrow]:
    """The imports of known modules by one of them, from its syntax tree."""
    found = []
    for node, late in imports(tree, typing):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            names = [
                f"{node.module}.{alias.name}" if f"{node.module}.{alias.name}" in known else str(node.module)
                for alias in node.names
            ]
        for name in dict.fromkeys(names):
            if name in known and name != module:
                found.append(Arrow(module, name, node.lineno, late))
    return found


def imports(tree: ast.AST, typing: bool = False, late: bool = False) -> Iterator[tuple[Import, bool]]:
    """The import statements of a syntax tree, and whether each stands in a function."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, Import):
            yield node, late
        elif isinstance(node, ast.expr):  # no statement is in an expression
            continue
        elif typing or not (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)):
            yield from imports(node, typing, late or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def circles(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """The circles of a graph, the largest first: sets of nodes from each of which every other can be reached.

    Tarjan's algorithm (SIAM J. Comput. 1, 1972).

    >>> circles({"a": {"b"}, "b": {"c"}, "c": {"b"}})
    [['b', 'c']]
    """
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    found = []

    def visit(node: str) -> None:
        order[node] = lowest[node] = len(order)
        stack.append(node)
        for other in sorted(graph.get(node, ())):
            if other not in order:
                visit(other)
                lowest[node] = min(lowest[node], lowest[other])
            elif other in stack:
                lowest[node] = min(lowest[node], order[other])
        if lowest[node] == order[node]:
            at = stack.index(node)
            if len(stack) - at > 1:
                found.append(sorted(stack[at:]))
            del stack[at:]

    for node in sorted(graph):
        if node not in order:
            visit(node)
    return sorted(found, key=len, reverse=True)


def graph_of(found: list[Arrow], late: bool = True) -> dict[str, set[str]]:
    """`{module: the modules it imports}`; without `late` only those at the heads of files."""
    graph: dict[str, set[str]] = {}
    for arrow in found:
        if late or not arrow.late:
            graph.setdefault(arrow.source, set()).add(arrow.target)
    return graph


def floor(module: str) -> int | None:
    """The rank of the layer of a module; None for the package itself, whose face is above and below all.

    >>> floor("ms_compat._core.dispatch.op") < floor("ms_compat.ops.function.shape.join") < floor("ms_compat.ops")
    True
    """
    parts = module.split(".")[1:]
    for length in range(len(parts), 0, -1):
        name = ".".join(parts[:length])
        for rank, members in enumerate(LAYERS):
            if name in members:
                return rank
    return None


def upward(found: list[Arrow]) -> list[Arrow]:
    """The arrows from a layer to a higher one."""
    ranks = {name: floor(name) for arrow in found for name in arrow[:2]}
    return [
        arrow
        for arrow in found
        if (own := ranks[arrow.source]) is not None and (other := ranks[arrow.target]) is not None and other > own
    ]


if __name__ == "__main__":
    everything = arrows()
    print(
        len(modules()), "files,", len(everything), "imports,", sum(arrow.late for arrow in everything), "in functions"
    )
    for kind, late in (("at the heads of files", False), ("with those in functions", True)):
        print(f"circles {kind}:", circles(graph_of(everything, late)) or "none")
    for up in upward(everything):
        print(f"up{' in a function' if up.late else ''}: {up.source}:{up.line} -> {up.target}")
