"""Evaluate one recorded case of a neural-network operation: its value, or its gradients, under either module.

A case has `inputs` (name -> text such as "f4[2,3]" or a Python expression), `expr`, and optionally `wrt` (the names
of the inputs to differentiate by). Inputs are drawn from one stream of numpy in the order they are listed, so that
recorder and test see the same numbers. The gradient is that of `sum(output * cos(0, 1, 2, ...))` over all floating
outputs, so that a wrong axis or a transposed index shows. Outcomes have the form of `replay.describe`, with floats
rounded to what their dtype holds, or `{"error": class}`. Imports neither MindSpore nor ms_compat.
"""

import re

import numpy as np

from tests.conformance import replay

_SPEC = re.compile(r"(f2|f4|f8|bf16|i4|i8|u1|p4|s4|k4)\[([\d, ]*)\]$")
_DIGITS = {"float16": 4, "bfloat16": 3, "float32": 7, "float64": 12}


def inputs(case: dict, ms) -> dict:
    """The case's inputs as Tensors; p4 is positive float32, s4 in (0, 1), k4 a permutation (no ties)."""
    stream = np.random.RandomState(7)
    out = {}
    for name, text in case.get("inputs", {}).items():
        found = _SPEC.match(text)
        if not found:
            out[name] = eval(text, {"ms": ms, "np": np, "Tensor": ms.Tensor, "r": stream})
            continue
        kind, sizes = found.groups()
        shape = tuple(int(n) for n in sizes.split(",") if n.strip())
        out[name] = _draw(ms, stream, kind, shape)
    return out


def _draw(ms, stream, kind, shape):
    if kind in ("i4", "i8", "u1"):
        return ms.Tensor(stream.randint(0, 4, shape).astype(kind))
    if kind == "p4":
        return ms.Tensor((stream.rand(*shape) + 0.1).astype(np.float32))
    if kind == "s4":
        return ms.Tensor((stream.rand(*shape) * 0.9 + 0.05).astype(np.float32))
    if kind == "k4":
        return ms.Tensor(stream.permutation(int(np.prod(shape))).reshape(shape).astype(np.float32))
    array = np.asarray(stream.randn(*shape) * 2)
    if kind == "bf16":
        return ms.Tensor(array.astype(np.float32), ms.bfloat16)
    return ms.Tensor(array.astype(kind))


def outcome(case: dict, ms, gradient) -> dict:
    """What the case gives under `ms`; `gradient(fn, tensors)` returns the gradients of a scalar function."""
    names = {**replay.namespace(ms), "ops": ms.ops, "F": ms.mint.nn.functional}
    try:
        given = inputs(case, ms)
        if "wrt" not in case:
            return {"result": shorten(replay.describe(eval(case["expr"], {**names, **given})))}
        wrt = case["wrt"]

        def weighted(*values):
            out = eval(case["expr"], {**names, **given, **dict(zip(wrt, values, strict=True))})
            total = None
            for part in out if isinstance(out, tuple) else (out,):
                if str(part.dtype).startswith(("Float", "BFloat")):
                    weight = np.cos(np.arange(int(np.prod(part.shape)))).reshape(part.shape).astype(np.float32)
                    term = ms.ops.reduce_sum(ms.ops.mul(ms.ops.cast(part, ms.float32), ms.Tensor(weight)))
                    total = term if total is None else ms.ops.add(total, term)
            return total

        grads = gradient(weighted, [given[name] for name in wrt])
        return {"result": shorten(replay.describe(tuple(grads)))}
    except Exception as error:
        return {"error": type(error).__name__, "message": str(error).split("\n\n----")[0].strip()[:160]}


def shorten(result: dict) -> dict:
    """The description with floats of as many digits as their dtype holds."""
    if "items" in result:
        return {**result, "items": [shorten(item) for item in result["items"]]}
    digits = _DIGITS.get(str(result.get("dtype", "float32")).lower())
    if digits is None or "value" not in result or result["type"] in ("bool", "int", "str"):
        return result
    return {**result, "value": _round(result["value"], digits)}


def _round(value, digits):
    if isinstance(value, list):
        return [_round(item, digits) for item in value]
    return float(f"{value:.{digits}g}") if isinstance(value, float) else value


def disagreements(case: dict, got: dict) -> str:
    """Where an outcome departs from the recorded one, as text; empty if nowhere."""
    if "error" in case or "error" in got:
        return "" if case.get("error") == got.get("error") else f"expected {_brief(case)}; got {_brief(got)}"
    return _compare(case["result"], got["result"], case)


def _compare(wanted, got, case) -> str:
    if "items" in wanted:
        if wanted["type"] != got["type"] or len(wanted["items"]) != len(got.get("items", ())):
            return f"expected {wanted['type']} of {len(wanted['items'])}; got {_brief({'result': got})}"
        return "; ".join(
            filter(None, (_compare(a, b, case) for a, b in zip(wanted["items"], got["items"], strict=True)))
        )
    for key in ("dtype", "shape"):
        if wanted.get(key) != got.get(key):
            return f"{key}: expected {wanted.get(key)}; got {got.get(key)}"
    if "value" not in wanted:
        return ""
    if wanted.get("dtype") is None:
        return "" if wanted["value"] == got.get("value") else f"expected {wanted['value']}; got {got.get('value')}"
    # MindSpore computes several float64 operations with float32 constants or altogether in float32
    rtol = {"Float16": 4e-3, "BFloat16": 2e-2, "Float64": 2e-6}.get(wanted["dtype"], 2e-5)
    a, b = (np.array(part["value"], dtype=np.float64) for part in (wanted, got))
    scale = float(np.max(np.abs(a[np.isfinite(a)]), initial=1e-3))
    if np.allclose(b, a, rtol=case.get("rtol", rtol), atol=case.get("rtol", rtol) * scale, equal_nan=True):
        return ""
    return f"value: expected {str(a.ravel()[:12])}; got {str(b.ravel()[:12])}"


def _brief(result: dict) -> str:
    if "error" in result:
        return f"{result['error']}({result.get('message', '')[:150]})"
    return f"a value {str(result['result'])[:150]}"
