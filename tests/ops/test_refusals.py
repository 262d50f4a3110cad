"""What is refused for its dtype or because a flag is no bool: the recorded exception classes."""

import pytest

import ms_compat
from tests.conformance import replay
from tests.ops import refusal_samples


@pytest.mark.parametrize("topic", refusal_samples.TOPICS)
def test_classes_as_recorded(topic):
    wrong = []
    for case in replay.load(f"ops_refused_{topic}.json"):
        outcome = replay.evaluate({**case, "setup": refusal_samples.SETUP}, ms_compat)
        if "error" not in case:  # a neighbour that is taken
            wrong += replay.differences(case, outcome)
        elif outcome.get("error") != case["error"] and not case.get("kernel"):
            wrong.append(f"{case['expr']}: expected {case['error']} ({case['message']}); got {outcome}"[:300])
    assert not wrong, "\n".join(wrong)


def refused_arguments():
    ms, np_ones = ms_compat, ms_compat.numpy.ones
    from mindspore.ops import functional
    from mindspore.ops.operations import random_ops

    spectrum, square = np_ones((2, 1), ms.complex64), ms.Tensor([[0.0, 1.0], [2.0, 3.0]])
    mask = ms.Tensor([False, True])
    return [
        (ValueError, lambda: ms.ops.repeat_elements(np_ones((1,) * 8), 1)),
        (ValueError, lambda: ms.ops.FFTWithSize(2, True, True)(spectrum)),
        (RuntimeError, lambda: functional.tuple_div((8, 14), (2, 3))),
        (RuntimeError, lambda: functional.tuple_div((8, 14), (2, 2.0))),
        (RuntimeError, lambda: functional.tuple_div((8, 14), (2, 0))),
        (RuntimeError, lambda: functional.tuple_div((8, 14), (2,))),
        *[
            (TypeError, lambda kind=kind: random_ops.Uniform(1.0, 2.0)(np_ones((2,), kind)))
            for kind in (ms.int32, ms.int64, ms.bool_)
        ],
        (TypeError, lambda: square.min(0, False, initial=9, where=None)),
        (TypeError, lambda: square.max(0, False, initial=9, where=None)),
        (TypeError, lambda: square.min(0, False, initial=9, where=mask, return_indices=1)),
        (TypeError, lambda: square.max(0, False, initial=9, where=mask, return_indices=1)),
    ]


@pytest.mark.parametrize("at", range(13))
def test_arguments_that_mindspore_refuses(at):
    ms_compat.install()
    try:
        error, call = refused_arguments()[at]
        with pytest.raises(error) as caught:
            call()
        assert caught.type is error
    finally:
        ms_compat.uninstall()


def test_their_neighbours_are_taken():
    ms, spectrum = ms_compat, ms_compat.numpy.ones((2, 1), ms_compat.complex64)
    assert ms.ops.repeat_elements(ms.numpy.ones((1,) * 7), 2).shape == (2, 1, 1, 1, 1, 1, 1)
    for options in ((False,), (True, "backward", False), (True, "backward", True, (2, 1))):
        assert ms.ops.FFTWithSize(2, True, *options)(spectrum).shape == (2, 1)
    x = ms.ops.zeros((2, 3))
    x[...] = ms.ops.ones((1, 1, 2, 3))  # such dimensions are dropped for `...` alone
    assert x.sum() == 6
    with pytest.raises(ValueError):
        x[:2] = ms.ops.ones((1, 2, 3))
    with pytest.raises(ValueError):
        x[...] = ms.ops.ones((2, 2, 3))
