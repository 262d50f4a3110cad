"""Records argument_types.json: which types the documentation of MindSpore names for arguments and results.

A fact a line: `"ops.add": {"input": "Union[Tensor, number.Number, bool]", ..., "return": "Tensor"}`. `tests/stubs`
makes the annotations of the stubs from them; arguments whose types differ from their neighbours' stand as they are.
"""

import inspect
import json
import pathlib
import re
import sys

import mindspore
from mindspore import Tensor, mint, nn, ops
from mindspore import numpy as mnp

SPACES = {
    "mindspore": mindspore,
    "ops": ops,
    "mint": mint,
    "mint.nn": mint.nn,
    "mint.nn.functional": mint.nn.functional,
    "mint.linalg": mint.linalg,
    "mint.special": mint.special,
    "numpy": mnp,
    "nn": nn,
    "Tensor": Tensor,
}
ARGUMENT = re.compile(r"^(?:- \*\*)?\*{0,2}([A-Za-z_]\w*(?: ?, ?[A-Za-z_]\w*)*)\*{0,2} ?\((.+?)\) ?(?::| -|$)")
SECTION = re.compile(r"^(Args|Keyword Args|Inputs|Outputs|Returns|Raises|Supported Platforms|Examples|Note|Yields)s?:")
RESULT = re.compile(
    r"^(?:A |a |The |the )?(?:- )?(?:\*\*\w+\*\* ?\()?"
    r"(Tensor|tuple|list|int|bool|float|None|str|Parameter|Cell|dict|Number|COOTensor|CSRTensor)",
    re.IGNORECASE,
)
ANOTHER = re.compile(
    r"Union|(\bor|\bOtherwise,?|\belse)\b.{0,30}?\b(tuple|list|Tensors?|scalar|None|int|float|bool|number)\b",
    re.IGNORECASE,
)


def kind(text):
    """The types of one argument: without roles, quotes and the word optional."""
    text = re.sub(r":\w+:`([^`]*)`", r"\1", text).replace("`", "").replace("~", "")
    return re.sub(r",? *optional$", "", text).strip().rstrip(",")


def of_doc(doc):
    """The arguments of a docstring by section, and the first words of what it says about the result."""
    found = {}
    section = ""
    results = []
    for line in doc.splitlines():
        head = SECTION.match(line)
        if head:
            section = head[1]
            continue
        stripped = line.strip()
        indent = len(line) - len(line.lstrip())
        if section in ("Args", "Keyword Args", "Inputs") and indent == 4:
            match = ARGUMENT.match(stripped)
            if match:
                for name in re.split(r" ?, ?", match[1]):
                    found.setdefault("inputs" if section == "Inputs" else "args", {}).setdefault(name, kind(match[2]))
        elif section in ("Returns", "Outputs") and stripped and indent == 4:
            results.append(stripped)
    if results:
        found["return"] = result(results)
    return found


def result(lines):
    """The types of the results: one, or one of each listed item."""
    items = [line for line in lines if line.startswith("- ")]
    if (
        len(items) > 1
        and not re.match(r"Tensor|If|When", lines[0])
        and all(re.match(r"- (\*\*)?\w+(\*\*)? ?\(Tensor", line) for line in items)
    ):
        return f"tuple({', '.join(['Tensor'] * len(items))})"
    first = lines[0]
    match = RESULT.match(first)
    if not match or ANOTHER.search(" ".join(lines)):
        return "?"
    return match[1]


def main():
    out = {}
    for space, module in SPACES.items():
        for name in sorted(n for n in dir(module) if not n.startswith("_")):
            value = getattr(module, name, None)
            doc = inspect.getdoc(value) if callable(value) else None
            if not doc:
                continue
            found = of_doc(doc)
            if found:
                out[f"{space}.{name}"] = found
    path = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2] / "stubs"
    lines = ",\n".join(f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in sorted(out.items()))
    text = f'{{"mindspore": "{mindspore.__version__}", "types": {{\n{lines}\n}}}}\n'
    (path / "argument_types.json").write_text(text, encoding="utf-8")


main()
