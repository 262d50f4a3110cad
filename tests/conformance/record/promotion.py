"""Records MindSpore's result dtypes: every pair of tensor dtypes, every dtype with Python and NumPy operands.

Run with an interpreter that has MindSpore: `python promotion.py` writes `../data/promotion.json`:
- `dtypes`: the order of rows and columns.
- `pynative`/`graph`: "<operator> <form>" -> one string of words a row (left dtype), one word a column (right dtype).
  A word is the dtype, or the exception class. Forms: `11` both 1-d, `10` right is 0-d, `01` left is 0-d, `00` both.
  `i+` is `a += b`. `graph` holds only the cells that differ: {"left,right": word}.
- `scalars`: "<operator> <form> <operand>" -> a word a dtype; the form `ts` is tensor first, `st` is tensor last.
  Words like `ndarray:float64` tell that NumPy answered.
- `values`: replay cases (see tests/conformance/replay.py) on integer corner cases.
- `messages`: one sample text for each kind of refusal.
"""

import operator
import runpy
import sys
from pathlib import Path

from tests.conformance import replay
from tests.conformance.record import tensor_runner

INTEGERS = "int8 int16 int32 int64 uint8 uint16 uint32 uint64".split()
FLOATS = "float16 bfloat16 float32 float64".split()
NAMES = ["bool_", *INTEGERS, *FLOATS, "complex64", "complex128"]
OPS = {
    "+": operator.add, "*": operator.mul, "/": operator.truediv, "-": operator.sub, "//": operator.floordiv,
    "%": operator.mod, "**": operator.pow, "<": operator.lt, "==": operator.eq, "&": operator.and_, "|": operator.or_,
    "^": operator.xor, ">=": operator.ge, "!=": operator.ne,
    "i+": operator.iadd, "i-": operator.isub, "i*": operator.imul, "i/": operator.itruediv, "i//": operator.ifloordiv,
    "i%": operator.imod, "i**": operator.ipow,
}  # fmt: skip
FORMS = ("11", "10", "01")
SCALARS = [
    *("True", "2", "-1", "300", "2**40", "2.5", "1e300", "1j", "[1, 2]", "[1.5, 2.5]", "(1, 2)", "None", "'a'"),
    *("np.bool_(True)", "np.int8(1)", "np.int32(1)", "np.int64(1)", "np.uint8(1)"),
    *("np.float16(1)", "np.float32(1)", "np.float64(1)", "np.complex64(1)", "np.array([1, 2], np.int32)"),
    *("np.array([1, 2], np.float64)", "np.array(1.0, np.float32)", "np.array([1, 2], np.uint8)"),
]
SCALAR_OPS = "+ * / - // % ** < == & i+ i/".split()


def corner_cases() -> list[dict]:
    cases = []
    for name in INTEGERS:
        signed = name.startswith("int")
        left = "[7, -7, 7, -7, 1, 0, -1]" if signed else "[7, 9, 250, 8, 1, 0, 3]"
        right = "[2, 2, -2, -2, 0, 0, 0]" if signed else "[2, 4, 3, 3, 0, 0, 0]"
        for symbol in ("//", "%", "/"):
            cases.append({"expr": f"Tensor({left}, ms.{name}) {symbol} Tensor({right}, ms.{name})"})
            for scalar in ("2", "0", "2.0", "0.0") + (("-2", "-2.0") if signed else ()):
                cases.append({"expr": f"Tensor({left}, ms.{name}) {symbol} {scalar}"})
                cases.append({"expr": f"{scalar} {symbol} Tensor({right}, ms.{name})"})
        cases.append({"expr": f"Tensor([2, 3, 0, 1], ms.{name}) ** Tensor([3, 2, 0, 5], ms.{name})"})
        cases.append({"expr": f"Tensor([2, 3, 0, 1], ms.{name}) ** 2"})
        cases.append({"expr": f"2 ** Tensor([2, 3, 0, 1], ms.{name})"})
        cases.append({"expr": f"Tensor([2, 3, 0, 1], ms.{name}) ** 0.5"})
        if signed:
            cases.append({"expr": f"Tensor([2, 3, 1], ms.{name}) ** -1"})
            cases.append({"expr": f"Tensor([2, 3, 1, -1], ms.{name}) ** Tensor([-1, -2, -1, -1], ms.{name})"})
        low, high = f"np.iinfo(np.{name}).min", f"np.iinfo(np.{name}).max"
        cases.append({"expr": f"Tensor(np.array([{low}, {high}, 1], np.{name})) + Tensor([1, 1, 1], ms.{name})"})
        cases.append({"expr": f"Tensor(np.array([{low}, {high}, 1], np.{name})) * 2"})
        cases.append({"expr": f"Tensor(np.array([{low}, {high}, 1], np.{name})) // 3"})
        cases.append({"expr": f"Tensor(np.array([{low}, {high}, 1], np.{name})) / 3"})
        cases.append({"expr": f"-Tensor(np.array([{low}, {high}, 1], np.{name}))"})
        cases.append({"expr": f"abs(Tensor(np.array([{low}, {high}, 1], np.{name})))"})
        cases.append({"expr": f"~Tensor([0, 1, 5], ms.{name})"})
        cases.append({"expr": f"Tensor([1, 2], ms.{name}) + 300"})
        cases.append({"expr": f"Tensor([1, 2], ms.{name}) - 3"})
        cases.append({"expr": f"Tensor([1, 2], ms.{name}) == 1.5"})
        cases.append({"expr": f"Tensor([1, 2], ms.{name}) < 300"})
        cases.append({"expr": f"Tensor([1, 2], ms.{name}) < -1"})
    for name in FLOATS:
        values = "[7.5, -7.5, 7.5, -7.5, 1.0, 0.0, -1.0]"
        for symbol in ("//", "%", "/", "**"):
            cases.append({"expr": f"Tensor({values}, ms.{name}) {symbol} Tensor([2, 2, -2, -2, 0, 0, 0], ms.{name})"})
            cases.append({"expr": f"Tensor({values}, ms.{name}) {symbol} 2"})
            cases.append({"expr": f"2 {symbol} Tensor({values}, ms.{name})"})
        cases.append({"expr": f"Tensor([float('nan'), float('inf'), -float('inf')], ms.{name}) // 2.0"})
        cases.append({"expr": f"Tensor([float('nan'), float('inf'), -float('inf')], ms.{name}) % 2.0"})
        cases.append({"expr": f"Tensor([float('nan'), 1.0], ms.{name}) == Tensor([float('nan'), 1.0], ms.{name})"})
    for symbol in ("+", "*", "-", "/", "//", "%", "**", "<", "==", "&", "|", "^"):
        cases.append({"expr": f"Tensor([True, True, False, False]) {symbol} Tensor([True, False, True, False])"})
        cases.append({"expr": f"Tensor([True, False]) {symbol} True"})
        cases.append({"expr": f"Tensor([True, False]) {symbol} 2"})
        cases.append({"expr": f"Tensor([16777217, 3], ms.int32) {symbol} Tensor([1.5, 2.5], ms.float32)"})
        cases.append({"expr": f"Tensor([1.5 + 2j, 2.0], ms.complex64) {symbol} Tensor([1.5, 2.5], ms.float32)"})
    cases.append({"expr": "~Tensor([True, False])"})
    cases.append({"expr": "-Tensor([True, False])"})
    cases.append({"expr": "abs(Tensor([True, False]))"})
    return cases


def jobs() -> list[dict]:
    out = []
    for mode in (1, 0):
        for symbol in OPS:
            if mode == 0 and symbol[0] == "i":
                continue
            forms = FORMS if mode or symbol in "+-*/" else FORMS[:1]
            for form in (*forms, "00") if symbol in "+-*/" else forms:
                out += [{"op": symbol, "form": form, "left": a, "right": b, "mode": mode} for a in NAMES for b in NAMES]
    for symbol in SCALAR_OPS:
        for form in ("ts", "st") if symbol[0] != "i" else ("ts",):
            out += [{"op": symbol, "form": form, "left": a, "scalar": s, "mode": 1} for s in SCALARS for a in NAMES]
    for scalar in ("True", "2", "2.5"):
        out += [{"op": "+", "form": "ts", "left": a, "scalar": scalar, "mode": 0} for a in NAMES]
    return out


def child() -> None:
    import mindspore as ms
    import numpy as np

    # GRAPH_MODE reads a function's source from a file: write one into the worker's own folder.
    lines = [f"def f{i}(a, b):\n    return a {symbol} b\n" for i, symbol in enumerate(OPS) if symbol[0] != "i"]
    Path("graph_functions.py").write_text("\n\n".join(lines))
    functions = runpy.run_path("graph_functions.py", run_name=__name__)
    compiled = {symbol: ms.jit(functions[f"f{i}"]) for i, symbol in enumerate(OPS) if symbol[0] != "i"}

    def operand(name, form):
        return ms.Tensor(1 if name == "bool_" else 2 if form == "0" else [1, 2], getattr(ms, name))

    def evaluate(job):
        if "expr" in job:
            return replay.evaluate(job, ms)
        left = operand(job["left"], "1" if "scalar" in job else job["form"][0])
        if "scalar" in job:
            right = eval(job["scalar"], {"np": np})
        else:
            right = operand(job["right"], job["form"][1])
        if job["form"] == "st":
            left, right = right, left
        try:
            function = OPS[job["op"]] if job["mode"] else compiled[job["op"]]
            result = function(left, right)
            if isinstance(result, ms.Tensor):
                result.asnumpy()
                word = str(result.dtype)
            elif isinstance(result, (np.ndarray, np.generic)):
                word = f"{type(result).__name__}:{result.dtype}"
            else:
                word = type(result).__name__
            return {"word": word}
        except Exception as error:
            return {"word": type(error).__name__, "message": tensor_runner.one_line(error)}

    ms.set_context(pynative_synchronize=True)
    tensor_runner.serve(tensor_runner.stable(evaluate, ms))


def main() -> None:
    pairs, values = jobs(), corner_cases()
    outcomes = tensor_runner.run(__file__, pairs + values)
    grids: dict = {}
    scalars: dict = {}
    graph: dict = {}
    messages: dict = {}
    for job, outcome in zip(pairs, outcomes, strict=False):
        word = "UNSTABLE" if outcome.get("unstable") else outcome.get("word", "ABORT")
        if outcome.get("message"):
            kind = f"{word} {job['op']} {'scalar' if 'scalar' in job else 'tensor'}"
            messages.setdefault(kind, outcome["message"])
        if "scalar" in job:
            key = f"{job['op']} {job['form']} {job['scalar']}" + ("" if job["mode"] else " graph")
            scalars.setdefault(key, []).append(word)
        elif job["mode"]:
            grids.setdefault(f"{job['op']} {job['form']}", {}).setdefault(job["left"], []).append(word)
        else:
            row = grids[f"{job['op']} {job['form']}"][job["left"]].split()
            if row[NAMES.index(job["right"])] != word:
                graph.setdefault(f"{job['op']} {job['form']}", {})[f"{job['left']},{job['right']}"] = word
        if "scalar" not in job and job["mode"] and job["right"] == NAMES[-1]:
            rows = grids[f"{job['op']} {job['form']}"]
            rows[job["left"]] = " ".join(rows[job["left"]])
    body = {
        "dtypes": NAMES,
        "pynative": {key: list(rows.values()) for key, rows in grids.items()},
        "graph": graph,
        "scalars": {key: [" ".join(words)] for key, words in scalars.items()},
        "messages": messages,
        "values": [{**case, **outcome} for case, outcome in zip(values, outcomes[len(pairs) :], strict=True)],
    }
    tensor_runner.write(Path(__file__).resolve().parents[1] / "data" / "promotion.json", body)


if __name__ == "__main__":
    if "--worker" in sys.argv:
        child()
    else:
        main()
