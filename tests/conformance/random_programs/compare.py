"""Compare the outcomes of a program under MindSpore and under this package.

Numbers are compared by the coarser floating dtype that the program names: with Float16 in it everything may be off by
half precision's rounding. Integers and truths are equal. A program with chaotic values, where a change of its inputs in
the seventh digit changes its results by more than the tolerance, proves nothing and is left out (`perturbed`).
"""

import ast
import math
import random as chance
import re

from tests.conformance import replay

HALF, SINGLE = 2e-2, 1e-4


def tolerance(text: str) -> float:
    """How far a program's numbers may be off, as a part of the largest in each array (and of one)."""
    return HALF if re.search(r"float16|half\(", text) else SINGLE


def difference(text: str, wanted: dict, got: dict, part: float = 1.0) -> tuple[str, str] | None:
    """The first difference between two outcomes: its sort and a line that tells it; None where they agree.

    The sorts, from the worst: `value`, `dtype`, `shape`, `type`, `accepts` (MindSpore raises), `refuses` (MindSpore
    gives a value), `error` (another class of exception), `crash`. Only a `part` of the tolerance is granted.
    """
    rtol = tolerance(text) * part
    for at, (one, other) in enumerate(zip(wanted["shown"], got["shown"], strict=False)):
        found = _differ(one, other, rtol)
        if found:
            return found[0], f"show {at}{found[1]}"
    if "crash" in wanted or "crash" in got:
        if "crash" in got and "crash" not in wanted:
            return "crash", f"crashed: {got['crash']}"
        return None
    short = len(got["shown"]) < len(wanted["shown"])
    if "error" in wanted and "error" in got and len(wanted["shown"]) == len(got["shown"]):
        if wanted["error"] not in got["bases"]:
            return (
                "error",
                f"expected {wanted['error']} ({wanted['message'][:150]}); got {got['error']}: {got['message'][:150]}",
            )
        return None
    if "error" in got and (short or "error" not in wanted):
        return "refuses", f"after {len(got['shown'])} shows {got['error']}: {got['message'][:200]}"
    if "error" in wanted:
        return (
            "accepts",
            f"after {len(wanted['shown'])} shows MindSpore raises {wanted['error']}: {wanted['message'][:200]}",
        )
    if len(wanted["shown"]) != len(got["shown"]):
        return "value", f"expected {len(wanted['shown'])} shows; got {len(got['shown'])}"
    return None


def _differ(one: dict, other: dict, rtol: float) -> tuple[str, str] | None:
    for key in ("type", "dtype", "shape", "keys"):
        if one.get(key) != other.get(key) and sorted(map(str, (one.get(key), other.get(key)))) != [
            "Parameter",
            "Tensor",
        ]:
            return ("type" if key == "keys" else key), f" {key}: expected {one.get(key)}; got {other.get(key)}"
    if "items" in one:
        if len(one["items"]) != len(other["items"]):
            return "type", f" length: expected {len(one['items'])}; got {len(other['items'])}"
        for at, (a, b) in enumerate(zip(one["items"], other["items"], strict=True)):
            found = _differ(a, b, rtol)
            if found:
                return found[0], f"[{at}]{found[1]}"
        return None
    if "value" not in one:
        return None
    a, b = one["value"], other.get("value")
    kind = one.get("dtype", one["type"]).lower()
    if kind not in replay.RTOL:
        return None if a == b else ("value", f" {kind}: expected {str(a)[:150]}; got {str(b)[:150]}")
    if _near(a, b, rtol):
        return None
    return "value", f" {kind}: expected {str(a)[:150]}; got {str(b)[:150]}"


def _near(a, b, rtol: float) -> bool:
    one, other = list(_leaves(a)), list(_leaves(b))
    if len(one) != len(other):
        return False
    finite = [abs(v) for v in one if math.isfinite(abs(v))]
    atol = rtol * max([1.0, *finite])
    return all(
        _close(v, w, atol) for x, y in zip(one, other, strict=True) for v, w in ((x.real, y.real), (x.imag, y.imag))
    )


def _close(a: float, b: float, atol: float) -> bool:
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    if math.isinf(a) or math.isinf(b):
        return a == b
    return abs(a - b) <= atol


def _leaves(value):
    if isinstance(value, list):
        for item in value:
            yield from _leaves(item)
    else:
        yield complex(value)


def perturbed(text: str, seed: int = 0) -> str:
    """The program with the floating numbers of its Tensors changed in the seventh digit."""
    random = chance.Random(seed)
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Tensor" and node.args:
            for leaf in ast.walk(node.args[0]):
                if isinstance(leaf, ast.Constant) and isinstance(leaf.value, float):
                    leaf.value *= 1 + random.choice((-1, 1)) * random.uniform(2e-7, 6e-7)
    return ast.unparse(tree)
