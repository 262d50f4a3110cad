"""The recorded cases of operations: what MindSpore answered to the samples, and how close the answers have to be.

A family is the samples of one file (`*_samples.py`), which share the tensors that they use. Where ms_compat departs on
purpose, the sample stands in `departures.py` with the reason, and `check` makes sure that it still departs.
"""

import functools
import re
from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple

import jax
import numpy as np
import pytest

import ms_compat as ms
from ms_compat._core.tensor import wrap
from tests.conformance import departures, nn_cases, owners, replay
from tests.ops import (
    argument_samples,
    counting_samples,
    face_samples,
    member_samples,
    network_samples,
    numpy_samples,
    primitive_samples,
    samples,
    science_samples,
)

NUMPY = "\nimport ms_compat.numpy as mnp"


def _has_values(case: dict) -> bool:
    return case.get("result", {}).get("type") != "DType"


# -- operations: kernels differ in the order of summation and in their approximations of exp, log and the like ---------
_OPS = {"acosh": 1e-4, "atanh": 1e-4, "log2": 1e-4, "inverse": 1e-3, "pinv": 1e-3, "cholesky": 1e-3, "slogdet": 1e-4}
_OPS |= {"det(": 1e-4, "logdet": 1e-4, "erf": 1e-4, "lgamma": 1e-4, "digamma": 1e-4, "tan(": 1e-4, "sinc": 1e-4}
_OPS |= {"polar": 1e-4, "sin(": 1e-4, "cos(": 1e-4, "log10": 1e-4, "logit": 1e-4, "logaddexp": 1e-4, "renorm": 1e-4}


def _check_ops(case: dict) -> None:
    case = {**case, "setup": samples.SETUP + NUMPY}
    if _has_values(case):
        case["rtol"] = max([2e-5, *[rtol for name, rtol in _OPS.items() if name in case["expr"]]])
    replay.check_stated(case, replay.evaluate(case, ms), departures.OPS, departures.OPS_WIDER)


def _check_arguments(case: dict) -> None:
    case = {**case, "setup": argument_samples.SETUP}
    if "'DType'" not in str(case.get("result")):
        case["rtol"] = 1e-3 if "loat16" in str(case.get("result")) else 1e-4
    replay.check_stated(case, replay.evaluate(case, ms), {})


def _check_science(case: dict) -> None:
    case = {**case, "setup": science_samples.SETUP + NUMPY}
    if _has_values(case):
        case["rtol"] = 3e-5
    replay.check_stated(case, replay.evaluate(case, ms), departures.OPS_SCIENCE, departures.OPS_SCIENCE_WIDER)


def _check_counting(case: dict) -> None:
    case = {**case, "setup": counting_samples.SETUP}
    if _has_values(case):
        case["rtol"] = 3e-5
    replay.check_stated(case, replay.evaluate(case, ms), departures.OPS_COUNTING, departures.OPS_COUNTING_WIDER)


# -- primitives and members --------------------------------------------------------------------------------------------
# What writes into a tensor of the setup, which is made anew before it; the other samples share one.
_WRITES = re.compile(r"_\(|Scatter|IndexAdd|Inplace|Assign|put|after|__i")
_REFUSALS = ("TypeError", "ValueError", "RuntimeError", "NotImplementedError")


def namespace(group: ModuleType) -> dict[str, Any]:
    """The names that the samples of a group see, made anew."""
    found = replay.namespace(ms)
    exec(group.SETUP + NUMPY, found)
    return found


_shared_namespace = functools.cache(namespace)


def _evaluate_face(expression: str, group: ModuleType) -> dict:
    found = namespace(group) if _WRITES.search(expression) else _shared_namespace(group)
    try:
        return {"result": replay.describe(eval(expression, found))}
    except Exception as error:
        return {"error": type(error).__name__, "message": str(error)[:300]}


def _is_wider(case: dict) -> bool:
    """Whether MindSpore refuses what ms_compat may take."""
    expression = case["expr"]
    if "error" not in case:
        return False
    return any(part in expression for part in departures.FACES_WIDER)


def _check_face(case: dict, group: ModuleType = face_samples) -> None:
    case = dict(case)
    text = str(case.get("result", ""))
    if re.search("'dtype': '(Float|Complex)", text):  # both round elementary functions of half precision
        case |= {"rtol": 6e-3 if "Float16" in text else 1e-4, "atol": 3e-6}
    outcome = _evaluate_face(case["expr"], group)
    if case["expr"] in departures.FACES:
        assert replay.differences(case, outcome), "no longer different"
    elif case.get("kernel"):  # MindSpore's CPU backend has no kernel: there is no answer to compare with
        assert outcome.get("error") in (None, case["error"], *_REFUSALS), outcome
    elif _is_wider(case):
        assert outcome.get("error") in (None, *_REFUSALS), outcome
    else:
        assert not replay.differences(case, outcome)


def _check_primitive(case: dict) -> None:
    case = {**case, "setup": primitive_samples.SETUP, "rtol": 1e-4}
    assert not replay.differences(case, replay.evaluate(case, ms))


# -- networks ----------------------------------------------------------------------------------------------------------
def _without_noise(result: dict, half: bool) -> dict:
    """The description with numbers near zero made zero, which a relative tolerance would compare by their noise."""
    if "items" in result:
        return {**result, "items": [_without_noise(item, half) for item in result["items"]]}
    if str(result.get("dtype", "")).startswith("Float") and isinstance(result.get("value"), list):
        value = np.array(result["value"], dtype=object)
        flat = [0.0 if isinstance(v, float) and abs(v) < (2e-2 if half else 1e-5) else v for v in value.reshape(-1)]
        return {**result, "value": np.array(flat, dtype=object).reshape(value.shape).tolist()}
    return result


def _check_network(case: dict) -> None:
    half = "float16" in case["expr"]
    case = {**case, "setup": network_samples.SETUP}
    if ".dtype for" not in case["expr"]:
        case["rtol"] = 2e-2 if half else 2e-4
    outcome = replay.evaluate(case, ms)
    if "result" in case and "result" in outcome:
        case["result"], outcome["result"] = (_without_noise(one["result"], half) for one in (case, outcome))
    replay.check_stated(case, outcome, departures.OPS_NETWORK)


def traced_gradients(function: Callable, tensors: list) -> tuple:
    """The gradients by tracing: the function sees Tensors that hold tracers."""
    grads = jax.jit(jax.grad(lambda *v: function(*[wrap(x) for x in v])._v, tuple(range(len(tensors)))))(
        *[t._v for t in tensors]
    )
    return tuple(wrap(g) for g in grads)


def _check_nn(case: dict) -> None:
    if case.get("error") == "ABORT":
        return
    outcome = nn_cases.outcome(case, ms, traced_gradients)
    if case.get("wider"):
        assert "error" not in outcome, outcome
    else:
        found = nn_cases.disagreements(case, outcome)
        assert not found, found


# -- mindspore.numpy ---------------------------------------------------------------------------------------------------
# MindSpore refuses numbers, lists or dtypes by name in some functions and takes them in others; here all take them.
_NARROW = re.compile(
    r"[Ee]xpect Tensor|must be Tensor|has no attribute|hould be mindspore dtype|[Ee]xpect input to be|input argument|"
    r"not understood|only \[|must be array|input x' doesn|Failed calling|does not accept|input data must be|"
    r"must be mstype|should be tensor|must be scalar or Tensor|type must be same"
)
_NUMPY = {"x=h": 5e-3, "logaddexp": 1e-3, "(h": 5e-3, "mod(x1=p": 1e-4, "remainder(x1=p": 1e-4, "tanh(": 2e-5}


def _check_numpy(case: dict) -> None:
    case = {**case, "setup": numpy_samples.SETUP + NUMPY, "atol": 1e-6}
    if _has_values(case):
        case["rtol"] = max([3e-5, *[rtol for name, rtol in _NUMPY.items() if name in case["expr"]]])
    outcome = replay.evaluate(case, ms)
    narrow = _NARROW.search(case.get("message", ""))
    if not (narrow and outcome.get("error") in (None, "TypeError", "ValueError", "RuntimeError")):
        replay.check_stated(case, outcome, departures.NUMPY)


# -- all together ------------------------------------------------------------------------------------------------------
class Family(NamedTuple):
    """A file of samples: the pattern of its recordings' names, its topics, and the comparison of a case."""

    files: str
    topics: tuple[str, ...]
    check: Callable[[dict], None]


FAMILIES = {
    "ops": Family("ops_a_{}.json", tuple(samples.TOPICS), _check_ops),
    "arguments": Family("ops_arguments_{}.json", tuple(argument_samples.TOPICS), _check_arguments),
    "science": Family("ops_science_{}.json", tuple(science_samples.TOPICS), _check_science),
    "counting": Family("ops_counting_{}.json", tuple(counting_samples.TOPICS), _check_counting),
    "face": Family("ops_face_{}.json", tuple(face_samples.TOPICS), _check_face),
    "member": Family(
        "ops_member_{}.json", tuple(member_samples.TOPICS), functools.partial(_check_face, group=member_samples)
    ),
    "primitives": Family("ops_{}.json", ("primitives",), _check_primitive),
    "network": Family("ops_network_{}.json", tuple(network_samples.TOPICS), _check_network),
    "nn": Family(
        "ops_nn_{}.json",
        ("activation", "conv", "pool", "norm", "loss", "embedding", "interpolate", "clip", "random"),
        _check_nn,
    ),
    "numpy": Family("ops_numpy_{}.json", tuple(numpy_samples.TOPICS), _check_numpy),
}


def recordings(family: str) -> list[tuple[str, dict]]:
    """The cases of a family with their topics."""
    found = FAMILIES[family]
    return [(topic, case) for topic in found.topics for case in replay.load(found.files.format(topic))]


def case_id(family: str, topic: str, case: dict) -> str:
    """A readable id: a case of a network has its inputs."""
    text = case["expr"]
    if "inputs" in case:
        inputs = " ".join(f"{name}:{value}" for name, value in case["inputs"].items())[:40]
        text = f"{text[:70]} [{inputs}] {'grad' if 'wrt' in case else ''}"
    return f"{family} {topic}: {text}".encode("ascii", "replace").decode()


def _params() -> list:
    return [
        pytest.param((family, case), id=case_id(family, topic, case))
        for family in FAMILIES
        for topic, case in recordings(family)
    ]


_CASES = owners.Cases("recorded.cases(", _params, lambda pair: owners.owner(pair[1]["expr"]))
cases = _CASES.of
rest = _CASES.rest
by_file = _CASES.by_file


def check(pair: tuple[str, dict]) -> None:
    """Fail where ms_compat answers otherwise than recorded, and where a stated departure is none."""
    family, case = pair
    FAMILIES[family].check(case)
