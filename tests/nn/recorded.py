"""The recorded programs of layers, losses and optimizers, in both modes, and how close the answers have to be.

Where ms_compat departs on purpose, the case stands in `departures.py` with the reason, and `check` makes sure that it
still departs.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest

import ms_compat as ms
from tests.conformance import departures, owners, programs, replay
from tests.nn import layer_samples, probability_samples

ALIASES = owners.ALIASES | {
    "optim": "experimental.optim",
    "L": "experimental.optim.lr_scheduler",
    "msd": "nn.probability.distribution",
    "msb": "nn.probability.bijector",
}


class Family(NamedTuple):
    """Recordings that are compared in one way."""

    files: tuple[str, ...]
    check: Callable[[dict], None]
    adjusted: Callable[[dict], dict | None] = dict  # the case as it is compared, or None


# -- layers and losses -------------------------------------------------------------------------------------------------
# Names of layers and optimizers in the recordings of cells that recordings of their own test.
_OTHER_RECORDINGS = (
    "RNN", "LSTM", "GRU", "Transformer", "Multihead", "opt", "Optim", "Momentum", "Adam", "SGD", "LossCell", "TrainOne"
)  # fmt: skip
# MindSpore computes the Float64 kernels and these with approximations.
_APPROXIMATE = {"float64": 1e-7, "nn.Tanh()": 3e-5, "nn.Tanhshrink()": 2e-5, "nn.Mish()": 1e-4}


def _layer(case: dict) -> dict | None:
    plain = case["id"].rpartition("[")[0]
    text = case["expr"] + case["setup"].rpartition("\n\n")[2]
    if any(word in text for word in _OTHER_RECORDINGS):
        return None
    close = [rtol for key, rtol in _APPROXIMATE.items() if plain == key or plain.endswith("/" + key)]
    return {**case, "rtol": close[-1]} if close else case


def _check_layer(case: dict) -> None:
    programs.judge(case, ms, departures.LAYERS, programs.LAYERS)


def _special(case: dict) -> dict | None:
    plain = case["id"].rpartition("[")[0]
    if plain == "recompute" and case["graph"]:
        return None  # MindSpore can not compile its own function
    if case.get("error") == "ValueError" and "ScalarCast" in case["message"]:
        return None  # SSIM and similar layers: MindSpore fails on CPU in this mode
    return {**case, "rtol": 0.02} if plain.endswith("Gamma()/half") else case  # MindSpore computes in half precision


def _check_special(case: dict) -> None:
    programs.judge(case, ms, departures.SPECIAL_LAYERS, programs.LAYERS)


def _check_rnn(case: dict) -> None:
    departures.judge(case["id"], programs.differences(case, replay.evaluate(case, ms)), departures.RNN)


def _check_face(case: dict) -> None:
    case = {**case, "setup": layer_samples.SETUP}
    if case.get("result", {}).get("type") not in ("DType", "str"):
        case |= {"rtol": 1e-4, "atol": 3e-6}
    outcome = replay.evaluate(case, ms)
    if case["expr"] in departures.LAYER_FACES:
        assert replay.differences(case, outcome), "no longer different"
    elif case.get("kernel"):  # MindSpore's CPU backend has no kernel: there is no answer to compare with
        assert outcome.get("error") in (None, case["error"], "TypeError", "ValueError"), outcome
    elif "error" in case and any(part in case["expr"] for part in departures.LAYER_FACES_WIDER):
        assert "error" not in outcome
    else:
        assert not replay.differences(case, outcome)


# -- optimizers and learning rates -------------------------------------------------------------------------------------
def _check_optimizer(case: dict) -> None:
    case = {"rtol": 1e-6 if "'float'" in str(case.get("result")) else None, **case}
    departures.judge(case["id"], programs.differences(case, replay.evaluate(case, ms)), departures.OPTIMIZERS)


def _check_experimental(case: dict) -> None:
    if case["expr"] in departures.SCHEDULERS:
        assert case["error"] == departures.SCHEDULERS[case["expr"]] and "error" not in replay.evaluate(case, ms)
    else:
        programs.check(case, ms)


# -- distributions -----------------------------------------------------------------------------------------------------
_COARSE = {"Float16": 4e-3, "Beta": 2e-4, "kl_loss": 2e-4, "cdf": 1e-4}


def _check_probability(case: dict) -> None:
    outcome = replay.evaluate({**case, "setup": probability_samples.SETUP}, ms)
    texts = (case["expr"], str(case.get("result")))
    case = {**case, "rtol": max([3e-5, *[rtol for k, rtol in _COARSE.items() if any(k in text for text in texts)]])}
    if any(part in case["expr"] for part in departures.PROBABILITY):
        assert "error" not in outcome and replay.differences(case, outcome)
    elif case.get("kernel"):
        assert "error" not in outcome
    else:
        assert not replay.differences(case, outcome)


# Families of single expressions, which share a setup; the others are of programs.
_EXPRESSIONS = ("face", "probability")
FAMILIES = {
    "layer": Family(
        ("nn_cells.json", "nn_activations.json", "nn_layers.json", "nn_pools.json", "nn_losses.json"),
        _check_layer,
        _layer,
    ),
    "special": Family(("nn_special.json",), _check_special, _special),
    "rnn": Family(("nn_rnn.json",), _check_rnn),
    "optim": Family(("optim_steps.json", "optim_rates.json", "optim_half.json"), _check_optimizer),
    "experimental": Family(("experimental_optim.json",), _check_experimental),
    "probability": Family(
        tuple(f"probability_{topic}.json" for topic in probability_samples.TOPICS), _check_probability
    ),
    "face": Family(tuple(f"nn_face_{topic}.json" for topic in layer_samples.TOPICS), _check_face),
}


def recordings(family: str) -> Iterator[dict]:
    """The cases of a family, as they are compared."""
    for file in FAMILIES[family].files:
        for case in replay.load(file) if family in _EXPRESSIONS else programs.load(file):
            adjusted = FAMILIES[family].adjusted(case)
            if adjusted is not None:
                yield adjusted


def _params() -> list:
    return [
        pytest.param((family, case), id=f"{family}: {case.get('id', case['expr'])}")
        for family in FAMILIES
        for case in recordings(family)
    ]


def _owner(pair: tuple[str, dict]) -> str | None:
    family, case = pair
    if family in _EXPRESSIONS:
        found = owners.owner(case["expr"], ALIASES, methods=False)
    else:
        found = owners.program_owner(case, ALIASES)
    return found if found and found.startswith(("nn/", "experimental/")) else None


_CASES = owners.Cases("recorded.cases(", _params, _owner)
cases = _CASES.of
rest = _CASES.rest
by_file = _CASES.by_file


def check(pair: tuple[str, dict]) -> None:
    """Fail where ms_compat answers otherwise than recorded, and where a stated departure is none."""
    family, case = pair
    FAMILIES[family].check(case)
