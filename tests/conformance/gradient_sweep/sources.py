"""Where the sweep takes its expressions from: every recording of samples whose expressions compute with Tensors.

Imports neither MindSpore nor ms_compat, so that the recorder can use it.
"""

import ast
import functools
import hashlib
import importlib
import json
from typing import NamedTuple

from tests.conformance import replay

MAKERS = ("Tensor", "ms.Tensor", "Parameter", "ops.ones", "ops.zeros")
NUMPY = "import importlib; mnp = importlib.import_module(ms.__name__ + '.numpy')"
MINT = """
from tests.mint import torch_samples as given
FLOAT32, FLOAT64, INT64 = ms.float32, ms.float64, ms.int64
globals().update({name: Tensor(array) for name, array in given.ARRAYS.items()})
def layer(net):
    for p in net.get_parameters():
        p.set_data(Tensor(given.weight_of(p.shape) + (p.name == "weight"), p.dtype))
    return net
"""


class Family(NamedTuple):
    """Recordings that share names.

    Attributes:
        name: what the files of the sweep's own recording begin with.
        pattern: the recordings, a glob in `tests/conformance/data`.
        samples: the module whose SETUP makes the names, or "" if each recording holds its own `prelude`.
        setup: further statements; `ms` is the module.
        written: whether the cases' statements, which make Tensors and write into them, are part of the operation.
    """

    name: str
    pattern: str
    samples: str = ""
    setup: str = ""
    written: bool = False


FAMILIES = (
    Family("ops", "ops_a_*", "tests.ops.samples", NUMPY),
    Family("science", "ops_science_*", "tests.ops.science_samples", NUMPY),
    Family("arguments", "ops_arguments_*", "tests.ops.argument_samples"),
    Family("counting", "ops_counting_*", "tests.ops.counting_samples"),
    Family("faces", "ops_face_*", "tests.ops.face_samples", NUMPY),
    Family("members", "ops_member_*", "tests.ops.member_samples", NUMPY),
    Family("network", "ops_network_*", "tests.ops.network_samples"),
    Family("primitives", "ops_primitives", "tests.ops.primitive_samples"),
    Family("numpy", "ops_numpy_*", "tests.ops.numpy_samples", NUMPY),
    Family("nn_ops", "ops_nn_*", "", "F = mint.nn.functional"),
    Family("layers", "nn_face_layer", "tests.nn.layer_samples"),
    *[Family(f"nn_{name}", f"nn_{name}") for name in ("losses", "layers", "activations", "cells", "special", "rnn")],
    Family("scipy", "scipy_linalg", "tests.scipy.scipy_samples"),
    Family("distributions", "probability_*", "tests.nn.probability_samples"),
    Family("mint", "mint", "", MINT),
    Family("index", "tensor_getitem"),
    Family("pools", "nn_pools"),
    Family("fft", "scipy_fft", "tests.scipy.scipy_samples"),
    Family("sparse", "ops_sparse", "tests.ops.sparse_samples"),
    Family("inner", "inner_g*", "tests._inner.inner_samples"),
    Family("unexported", "unexported_*", "tests._inner.unexported_samples"),
    Family("compiled", "tensor_graph", written=True),
    Family("setitem", "tensor_setitem", written=True),
    Family("alias", "tensor_alias", written=True),
)


class Case(NamedTuple):
    """One expression.

    Attributes:
        key: names it in the sweep's recording.
        expr: the expression.
        setup: the statements before it.
        inputs: the inputs of a case of `nn_cases`, else empty.
        written: whether it writes into its Tensors.
    """

    key: str
    expr: str
    setup: str
    inputs: dict
    written: bool = False


def written(setup: str, expr: str) -> tuple[str, str]:
    """Statements that make Tensors and then write into them, and an expression, as a function of these Tensors.

    Returns:
        The statements that define the function and make the Tensors, and the call. The function writes into copies.
    """
    before, after = [], []
    made: dict[str, bool] = {}
    for node in ast.parse(setup).body:
        names = {name.id for name in ast.walk(node) if isinstance(name, ast.Name)}
        target = node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
        maker = ast.unparse(node.value.func) if target is not None and isinstance(node.value, ast.Call) else ""
        if not after and isinstance(target, ast.Name) and maker in MAKERS and not names & set(made):
            made[target.id] = maker != "Parameter"
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)) and not names & set(made):
            pass
        else:
            after.append(node)
            continue
        before.append(node)
    if not after or not made:
        return setup, expr
    lines = [f"{name} = {name}.copy()" for name, copied in made.items() if copied]
    lines += [line for node in after for line in ast.unparse(node).splitlines()]
    arguments = ", ".join(made)
    body = "".join(f"    {line}\n" for line in [*lines, f"return {expr}"])
    return "\n".join([*map(ast.unparse, before), f"def written({arguments}):\n{body}"]), f"written({arguments})"


def share(key: str, parts: int) -> int:
    """Which of `parts` equal shares a case belongs to."""
    return int(hashlib.sha256(key.encode()).hexdigest(), 16) % parts


@functools.cache
def cases(family: str) -> list[Case]:
    """The cases of a family, each expression once."""
    found: dict[str, Case] = {}
    [row] = [one for one in FAMILIES if one.name == family]
    for path in sorted(replay.DATA.glob(f"{row.pattern}.json")):
        body = json.loads(path.read_text(encoding="utf-8"))
        before = importlib.import_module(row.samples).SETUP if row.samples else body.get("prelude", "")
        for case in body["cases"]:
            if "error" in case and not case.get("kernel") or "wrt" in case:
                continue
            setup, expr = case.get("setup", ""), case["expr"]
            key = expr
            if row.written:
                key = f"{setup}; {expr}" if setup else expr
                setup, expr = written(setup, expr)
            setup = "\n".join((before, setup, row.setup))
            inputs = case.get("inputs", {})
            if key in found and (found[key].setup, found[key].inputs) != (setup, inputs):
                key += f"  # {json.dumps(inputs) if inputs else case['setup'] if 'setup' in case else path.stem}"
            found.setdefault(key, Case(key, expr, setup, inputs, row.written))
    return list(found.values())
