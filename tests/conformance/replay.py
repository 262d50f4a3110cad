"""Replay recorded cases: one expression, evaluated under MindSpore when recording and under ms_compat when testing.

A *case* is a JSON object:
- `expr`: a Python expression; its value is what is compared. `setup` (optional): statements executed before it. Both
  see `ms`, `np`, `Tensor`, `Parameter`, `ParameterTuple`, `ops`, `nn`, `mint`, `copy`, `pickle`, `operator`, `math`.
- `rtol` (optional): relative tolerance in place of the dtype's own. `atol` (optional): what may be missing besides it.
  `graph` (optional, true): evaluate in GRAPH_MODE; `@ms.jit` functions may stand in `setup` without it.
and the *outcome* recorded with it, in the same object, is one of
- `error` (the name of the exception class) and `message` (MindSpore's text, for the reader, not compared);
  `"error": "ABORT"` says that MindSpore's process died, `"unstable": true` that it answers differently every time;
  nothing is compared then, nor where the message tells that only the CPU kernel was missing;
- `result`: what `describe` makes of the value: `type` and, where they apply, `dtype`, `shape`, `value`, `items`,
  `keys`. To compare a text, make it the value: `repr(t)`. Aliasing is a value too: `y = t.view(-1); y[0] = 9` in
  `setup`, `t` in `expr`.
Names that MindSpore numbers (`Parameter#7`) are stored as `Parameter#N`. Floats that JSON lacks and complex numbers
are stored as text ("nan", "-inf", "(1+2j)"); arrays of more than 4096 elements without `value`.

For a test module::

    CASES = load("tensor_repr.json")

    @pytest.mark.parametrize("case", CASES, ids=case_id)
    def test_repr(case):
        check(case, ms_compat)

For a recorder see `record/tensor_runner.py` and `record/tensor.py`. This file imports neither MindSpore nor
ms_compat, so both can use it.
"""

import copy
import json
import linecache
import math
import operator
import pickle
import re
import sys
import types
from collections.abc import Iterable
from pathlib import Path

import numpy as np

DATA = Path(__file__).resolve().parent / "data"
LARGEST = 4096
KERNEL_GAPS = (
    "unregistered",
    "Select CPU operator",
    "Kernel select failed",
    "Launch kernel failed",
    "not supported on this device",
    "Unsupported op [",
)
RTOL = {
    "float16": 1e-3,
    "bfloat16": 1e-2,
    "float32": 1e-6,
    "float64": 1e-12,
    "complex64": 1e-6,
    "complex128": 1e-12,
    "float": 1e-6,
    "complex": 1e-6,
}


def namespace(ms) -> dict:
    """The names that expressions see; `ms` is the mindspore (or ms_compat) module. Make a fresh one for each case."""
    # A module of its own, because MindSpore's compiler looks names up in the module that a function says it is from.
    module = sys.modules["replay_case"] = types.ModuleType("replay_case")
    names = vars(module)
    names |= {"ms": ms, "np": np, "copy": copy, "pickle": pickle, "operator": operator, "math": math}
    for name in ("Tensor", "Parameter", "ParameterTuple", "ops", "nn", "mint"):
        if hasattr(ms, name):
            names[name] = getattr(ms, name)
    return names


def describe(value) -> dict:
    """What is compared of a value, as JSON can hold it."""
    kind = type(value).__name__
    if value is None or value is NotImplemented or value is Ellipsis:
        return {"type": kind}
    if isinstance(value, type):
        return {"type": "type", "value": "bool" if value is np.bool_ else value.__name__}  # numpy 1 says bool_
    if type(value).__module__ in ("mindspore._c_expression.typing", "ms_compat._core.dtype"):
        return {"type": "DType", "value": str(value)}
    if isinstance(value, (bool, int, str)) and kind in ("bool", "int", "str"):
        return {"type": kind, "value": re.sub(r"Parameter#\d+", "Parameter#N", value) if kind == "str" else value}
    if kind in ("float", "complex"):
        return {"type": kind, "value": _plain(value)}
    if kind == "bytes":
        return {"type": kind, "value": value.hex()}
    if isinstance(value, (np.ndarray, np.generic)):
        kind = kind if isinstance(value, np.ndarray) else "np.generic"  # numpy 1 says longlong where numpy 2 says int64
        return {"type": kind, "dtype": str(value.dtype), "shape": list(value.shape), **_values(value)}
    if hasattr(value, "asnumpy") and hasattr(value, "dtype"):
        array = value.asnumpy()
        return {"type": kind, "dtype": str(value.dtype), "shape": list(value.shape), **_values(array)}
    if isinstance(value, dict):
        return {"type": kind, "keys": [str(key) for key in value], "items": [describe(item) for item in value.values()]}
    if isinstance(value, (set, frozenset)):
        return {"type": kind, "value": len(value)}
    if isinstance(value, (tuple, list)):
        return {"type": kind, "items": [describe(item) for item in value]}
    return {"type": kind}


def _values(array) -> dict:
    if array.size > LARGEST:
        return {}
    if array.dtype.name == "bfloat16":
        array = array.astype(np.float32)
    if array.dtype.kind not in "biufc":
        return {"value": str(array.tolist())}
    return {"value": _plain(array.tolist())}


def _plain(value):
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, complex):
        return str(value)
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


def evaluate(case: dict, ms) -> dict:
    """Evaluate a case under the module `ms`; returns its outcome (`result`, or `error` and `message`)."""
    names = namespace(ms)
    setup = case.get("setup", "")
    # Whoever compiles a function of `setup` asks inspect for its source.
    place = f"<replay {abs(hash(setup))}>"
    linecache.cache[place] = (len(setup), None, setup.splitlines(keepends=True), place)
    if case.get("graph"):
        ms.set_context(mode=0)
    try:
        exec(compile(setup, place, "exec"), names)
        return {"result": describe(eval(case["expr"], names))}
    except Exception as error:
        text = str(error).split("\n\n----")[0].strip()[:300]
        return {"error": type(error).__name__, "message": text}
    finally:
        if case.get("graph"):
            ms.set_context(mode=1)


def differences(case: dict, outcome: dict) -> list[str]:
    """Where `outcome` departs from the one recorded in `case`; an empty list is agreement."""
    if case.get("error") == "ABORT" or case.get("unstable") or is_kernel_gap(case):
        return []
    if "error" in case or "error" in outcome:
        if case.get("error") == outcome.get("error"):
            return []
        wanted = case.get("error") or f"a value, {_short(case['result'])}"
        got = (
            f"{outcome['error']}: {outcome['message']}"
            if "error" in outcome
            else f"a value, {_short(outcome['result'])}"
        )
        return [f"expected {wanted}; got {got}"]
    return list(_differ(case["result"], outcome["result"], case.get("rtol"), "", case.get("atol", 0.0)))


def is_kernel_gap(case: dict) -> bool:
    """Whether MindSpore refused only because its CPU build lacks the kernel, which an implementation may well have."""
    return "error" in case and any(phrase in case["message"] for phrase in KERNEL_GAPS)


def _differ(wanted: dict, got: dict, rtol, where: str, atol: float = 0.0):
    for key in ("type", "dtype", "shape", "keys"):
        if wanted.get(key) != got.get(key):
            yield f"{where}{key}: expected {wanted.get(key)}; got {got.get(key)}"
            return
    if "items" in wanted:
        if len(wanted["items"]) != len(got["items"]):
            yield f"{where}length: expected {len(wanted['items'])}; got {len(got['items'])}"
            return
        for index, (one, other) in enumerate(zip(wanted["items"], got["items"], strict=True)):
            yield from _differ(one, other, rtol, f"{where}[{index}] ", atol)
    elif "value" in wanted:
        kind = wanted.get("dtype", wanted["type"])
        tolerance = RTOL.get(kind.lower(), 0.0) if rtol is None else rtol
        if not _close(wanted["value"], got.get("value"), tolerance, kind, atol):
            yield f"{where}value: expected {_short(wanted['value'])}; got {_short(got.get('value'))}"


def _close(wanted, got, rtol: float, kind: str, atol: float = 0.0) -> bool:
    if isinstance(wanted, list) and isinstance(got, list):
        return len(wanted) == len(got) and all(_close(a, b, rtol, kind, atol) for a, b in zip(wanted, got, strict=True))
    if rtol and kind not in ("str", "type") and not isinstance(wanted, list) and not isinstance(got, list):
        a, b = complex(wanted), complex(got)
        return all(_close_float(x, y, rtol * abs(a) + atol) for x, y in ((a.real, b.real), (a.imag, b.imag)))
    return type(wanted) is type(got) and wanted == got


def _close_float(wanted: float, got: float, atol: float) -> bool:
    if math.isnan(wanted) or math.isnan(got):
        return math.isnan(wanted) and math.isnan(got)
    if math.isinf(wanted) or math.isinf(got):
        return wanted == got
    return abs(wanted - got) <= (atol if math.isfinite(atol) else 0.0)


def _short(value) -> str:
    text = json.dumps(value)
    return text if len(text) < 300 else text[:297] + "..."


def load(name: str, key: str = "cases") -> list[dict]:
    """The cases of a recording in tests/conformance/data."""
    return json.loads((DATA / name).read_text())[key]


def params(name: str, topics: Iterable[str]) -> list:
    """The recorded cases of several files as parameters of a test, shown by topic and expression.

    Args:
        name: of a file, with "{}" for the topic.
        topics: the topics.
    """
    import pytest  # recorders have none

    return [pytest.param(case, id=f"{topic}: {case['expr']}") for topic in topics for case in load(name.format(topic))]


def case_id(case: dict) -> str:
    """A readable parameter id for pytest."""
    text = f"{case['setup']}; {case['expr']}" if case.get("setup") else case["expr"]
    return text.replace("\n", "; ")[:200].encode("ascii", "replace").decode()


def check(case: dict, ms) -> None:
    """Fail with the differences between the recording and what the module `ms` does now."""
    found = differences(case, evaluate(case, ms))
    if found:
        source = f"{case['setup']}\n{case['expr']}" if case.get("setup") else case["expr"]
        raise AssertionError(f"{source}\n  " + "\n  ".join(found))


def check_stated(case: dict, outcome: dict, different: Iterable[str], wider: Iterable[str] = ()) -> None:
    """Fail unless the outcome is the recorded one, or departs from it where that is stated.

    Args:
        case: the recorded case; with `kernel` MindSpore's CPU backend has no kernel for it, so that there may be an
            answer, but there is none to compare with.
        outcome: what `evaluate` returned.
        different: the expressions whose outcome is another; it must still be.
        wider: parts of expressions that MindSpore refuses and the module answers.
    """
    found = differences(case, outcome)
    if case["expr"] in different:
        wrong = [] if found else ["no longer different"]
    elif case.get("kernel") and "error" in case:
        wrong = [] if outcome.get("error") in (None, case["error"]) else [str(outcome)]
    elif "error" in case and any(part in case["expr"] for part in wider):
        wrong = [str(outcome)] if "error" in outcome else []
    else:
        wrong = found
    if wrong:
        raise AssertionError(f"{case['expr']}\n  " + "\n  ".join(wrong))
