"""The samples of tests/ops as operations of a program: an expression, its operands' kinds, and its recorded result's.

A sample's operands are Tensors that the samples' setup names (`x`, `i`, `h`, ...). In a program other variables of the
same dtype and shape stand in for them, and the result is as recorded: so what an operation gives is known without a
rule for each.
"""

import ast
import functools
import json
import random as chance
import re
from typing import NamedTuple

from tests.conformance import replay
from tests.ops import argument_samples, face_samples, member_samples, numpy_samples, samples, science_samples

from .kinds import COMPLEX, FLOATS, INTEGERS, Kind

_FAMILIES = {
    "ops_a_": samples,
    "ops_arguments_": argument_samples,
    "ops_face_": face_samples,
    "ops_member_": member_samples,
    "ops_science_": science_samples,
    "ops_numpy_": numpy_samples,
}
_MODULES = {"ops", "mint", "ms", "np", "mnp", "Tensor", "nn", "F"}
# What draws at random, has a result whose shape depends on the values, or is no function of its operands' values; then
# what `known_faults.LEFT_OUT` says of MindSpore, and decompositions whose signs are free.
_LEFT_OUT = re.compile(
    "|".join(
        (
            r"[rR]and|[dD]ropout|normal|multinomial|[sS]huffle|uniform|[gG]amma\(|poisson|bernoulli|initializer",
            r"Cauchy|[sS]eed",
            r"[nN]on_?[zZ]ero|[uU]nique|setdiff|union1d|intersect1d|in1d|trim_zeros",
            r"[mM]asked_?[sS]elect|argwhere|where\(b\)",
            r"empty|hash| is |grad|slope|__|[pP]rint|[sS]ampl|asnumpy|tolist|repr|\.device|id\(|set_|view_as",
            r"_like\(.*dtype",
            r"masked_fill_|\bany\([a-z]|\ball\([a-z]|remainder_|_\(x\)|[hH]eaviside|Dot\(",
            r"svd|eig|qr\(|lu_|orgqr|ormqr|pinv|lstsq",
        )
    )
)
_NAMES = (*FLOATS, *INTEGERS, *COMPLEX, "bool")
DTYPES = {name.capitalize().replace("Uint", "UInt"): name for name in _NAMES}
# The Tensors of the setups in tests/ops that other variables can stand in for.
_OPERANDS = {
    "x": Kind("float32", (2, 3)),
    "y": Kind("float32", (2, 3)),
    "i": Kind("int32", (2, 3)),
    "j": Kind("int32", (2, 3)),
    "b": Kind("bool", (2, 3)),
    "h": Kind("float16", (2, 3)),
    "d": Kind("float64", (2, 3)),
    "l": Kind("int64", (2, 3)),
    "c": Kind("complex64", (2, 3)),
    "q": Kind("float32", (2, 3, 4)),
    "v": Kind("float32", (3,)),
    "u": Kind("uint8", (3,)),
}


class Sample(NamedTuple):
    """A recorded expression.

    Attributes:
        expression: as in tests/ops.
        operands: the names in it that other variables may replace, and their kinds.
        gives: the kind of its result.
    """

    expression: str
    operands: dict[str, Kind]
    gives: Kind


def _values(setup: str) -> dict[str, Kind]:
    """The Tensors that a setup names; found by reading, since neither framework is loaded here."""
    named = {name for name in _OPERANDS if re.search(rf"^{name} = |^h, d, l = ", setup, re.M)}
    if "reshape(2, 3, 4)" not in setup:
        named.discard("q")
    return {name: _OPERANDS[name] for name in named}


@functools.cache
def table() -> tuple[Sample, ...]:
    """Every recorded sample that a program may use, in the order of its expressions."""
    found: dict[str, Sample] = {}
    for prefix, family in _FAMILIES.items():
        names = _values(family.SETUP)
        for path in sorted(replay.DATA.glob(prefix + "*.json")):
            for case in json.loads(path.read_text(encoding="utf-8"))["cases"]:
                sample = _sample(case, names)
                if sample is not None:
                    found.setdefault(sample.expression, sample)
    return tuple(found[expression] for expression in sorted(found))


def _sample(case: dict, names: dict[str, Kind]) -> Sample | None:
    expression, result = case["expr"].strip(), case.get("result")
    if result is None or result["type"] != "Tensor" or case.get("unstable") or len(expression) > 90:
        return None
    if _LEFT_OUT.search(expression) or result["dtype"] not in DTYPES or any(n > 6 or n == 0 for n in result["shape"]):
        return None
    try:
        tree = ast.parse(expression, mode="eval")
    except SyntaxError:
        return None
    if any(isinstance(node, (ast.Lambda, ast.comprehension, ast.NamedExpr, ast.Compare)) for node in ast.walk(tree)):
        return None
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} - _MODULES
    if not used or not used <= names.keys():
        return None
    values = [v for v in _flat(result.get("value")) if isinstance(v, (int, float))]
    if not values or not all(abs(v) < 300 for v in values):
        return None
    kind = Kind(DTYPES[result["dtype"]], tuple(result["shape"]), max(20.0, max(abs(v) for v in values) * 2))
    return Sample(expression, {name: names[name] for name in sorted(used)}, kind)


def _flat(value) -> list:
    if isinstance(value, list):
        return [leaf for item in value for leaf in _flat(item)]
    return [value]


def choose(random: chance.Random, pool: dict[tuple[str, tuple[int, ...]], list[str]]) -> tuple[str, Kind] | None:
    """A sample whose operands are all among the variables, `pool` from dtype and shape; with them in their places."""
    for _ in range(12):
        sample = random.choice(table())
        places = {name: pool.get((kind.dtype, kind.shape)) for name, kind in sample.operands.items()}
        if all(places.values()):
            chosen = {name: random.choice(options) for name, options in places.items()}
            return _with(sample.expression, chosen), sample.gives
    return None


def _with(expression: str, chosen: dict[str, str]) -> str:
    """The expression with other names for its operands, which have one letter; names of arguments stay."""
    return re.sub(r"(?<![\w.'\"])([a-z])\b(?!\s*=[^=])", lambda found: chosen.get(found[1], found[1]), expression)
