"""Callbacks that save and end a run, and `DatasetHelper`: files, clocks, signals, refusals."""

import pytest

import ms_compat as ms
from ms_compat.train import Callback
from ms_compat.train.callback._callback import CallbackList
from tests.train import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_a_list_of_callbacks_calls_the_old_hooks_too():
    called = []

    class Old(Callback):
        def begin(self, run_context):
            called.append(run_context)

    with CallbackList([Old(), Old()]) as callbacks:
        callbacks.begin("a")
        callbacks.on_train_begin("b")
    assert called == ["a", "a", "b", "b"]


def test_callbacks_of_the_base_class_do_nothing():
    class Counting(ms.train.Callback):
        seen = 0

        def on_train_step_end(self, run_context):
            Counting.seen += 1

    names = "begin end epoch_begin epoch_end step_begin step_end".split()
    for name in names:
        assert getattr(ms.train.Callback(), name)(None) is None
    assert Counting().on_train_step_begin(None) is None and Counting.seen == 0
    Counting().on_train_step_end(None)
    assert Counting.seen == 1
