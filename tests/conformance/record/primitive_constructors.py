"""Records which constructor arguments MindSpore's primitives take, in `../data/primitive_constructors.json`.

Run with an interpreter that has MindSpore: `python -m tests.conformance.record primitive_constructors`. Each primitive
is built as some sample of tests/ops builds it, with one argument after the other replaced by each of `VALUES`. A row
holds the arguments of the sample and, for every parameter, one letter for each value: what happened (`LETTERS`).
"""

import ast
import importlib
import inspect
import json
from pathlib import Path
from typing import Any

from tests.conformance.record.tensor_runner import header

DATA = Path(__file__).resolve().parent.parent / "data"
FAMILIES = {
    "ops_a": "samples",
    "ops_arguments": "argument_samples",
    "ops_face": "face_samples",
    "ops_member": "member_samples",
    "ops_science": "science_samples",
    "ops_network": "network_samples",
    "ops_counting": "counting_samples",
}
VALUES = ("1 0 -1 None 'zz' True 1.5 -0.5 (1,) [0] (1,1) (-1,) (1.5,) Tensor(1) np.int64(1) ms.float32 ()").split()
LETTERS = {None: ".", "TypeError": "T", "ValueError": "V", "KeyError": "K", "RuntimeError": "R"}


def constructions() -> dict[str, str]:
    """One working construction for each primitive class that the samples build, as source text."""
    found: dict[str, str] = {}
    for family, module in FAMILIES.items():
        for topic in importlib.import_module(f"tests.ops.{module}").TOPICS:
            for case in json.loads((DATA / f"{family}_{topic}.json").read_text())["cases"]:
                if "result" in case:
                    for name, text in _calls(case["expr"]):
                        found.setdefault(name, text)
    return found


def _calls(expression: str) -> list[tuple[str, str]]:
    calls = []
    for node in ast.walk(ast.parse(expression, mode="eval")):
        function = node.func if isinstance(node, ast.Call) else None
        if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.value.id == "ops":
            if function.attr[0].isupper():
                calls.append((function.attr, ast.unparse(node)))
    return calls


def outcome(name: str, arguments: dict[str, str], names: dict[str, Any]) -> str:
    """One letter for the construction of a primitive with arguments given as source text."""
    text = ", ".join(f"{key}={value}" for key, value in arguments.items())
    try:
        eval(f"ops.{name}({text})", dict(names))
    except Exception as error:
        return LETTERS.get(type(error).__name__, "?")
    return LETTERS[None]


def main() -> None:
    """Write the recording."""
    import mindspore as ms
    import numpy as np
    from mindspore import Tensor, ops

    names = {"ms": ms, "np": np, "Tensor": Tensor, "ops": ops}
    rows = {}
    for name, text in sorted(constructions().items()):
        kind = getattr(ops, name)
        if not (isinstance(kind, type) and issubclass(kind, ops.Primitive)):
            continue
        parameters = [
            p.name
            for p in list(inspect.signature(kind.__init__).parameters.values())[1:]
            if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)
        ]
        call: Any = ast.parse(text, mode="eval").body
        given = dict(zip(parameters, map(ast.unparse, call.args), strict=False))
        given.update({k.arg: ast.unparse(k.value) for k in call.keywords})
        if parameters and outcome(name, given, names) == LETTERS[None]:
            rows[name] = [
                given,
                {p: "".join(outcome(name, {**given, p: v}, names) for v in VALUES) for p in parameters},
            ]
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(row)}" for name, row in rows.items())
    path = DATA / "primitive_constructors.json"
    path.write_text(f'{{"header": {json.dumps(header())}, "rows": {{\n{lines}\n}}}}\n')


if __name__ == "__main__":
    main()
