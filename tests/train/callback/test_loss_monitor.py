"""Printed losses."""

import io
import sys

import pytest

from ms_compat import train
from tests.train import recorded
from tests.train.callback.trainings import model, rows


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_the_metrics_of_fit_stay_in_a_stream_that_forgets_what_is_flushed(monkeypatch):
    class Stream(io.StringIO):
        def flush(self):
            self.truncate(self.seek(0))

    monkeypatch.setattr(sys, "stdout", Stream())
    model()[0].fit(1, rows(), rows(), callbacks=train.LossMonitor())
    assert sys.stdout.getvalue().startswith("Eval result: epoch 1, metrics: {'mse': ")
