"""What is refused for its dtype or because a flag is no bool: the recorded exception classes."""

import sys
from pathlib import Path

import pytest

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "conformance")]
import refusal_samples  # noqa: E402
import replay  # noqa: E402

import ms_compat  # noqa: E402


@pytest.mark.parametrize("topic", refusal_samples.TOPICS)
def test_classes_as_recorded(topic):
    wrong = []
    for case in replay.load(f"ops_refused_{topic}.json"):
        outcome = replay.evaluate({**case, "setup": refusal_samples.SETUP}, ms_compat)
        assert "error" in case, case["expr"]
        if outcome.get("error") != case["error"] and not case.get("kernel"):
            wrong.append(f"{case['expr']}: expected {case['error']} ({case['message']}); got {outcome}"[:300])
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("way", ("add", "sub", "mul", "div", "max", "min"))
def test_narrow_coordinates_are_refused(way):
    x, at = ms_compat.Tensor([[1.0, 2.0]]), ms_compat.Tensor([[0, 1]], ms_compat.int16)
    with pytest.raises(TypeError, match="'indices'"):
        getattr(ms_compat.ops, f"tensor_scatter_{way}")(x, at, ms_compat.Tensor([1.0]))
