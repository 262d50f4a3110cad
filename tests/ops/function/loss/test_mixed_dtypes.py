"""Losses of Tensors of two dtypes, such as Float16 predictions and Float32 targets, beside MindSpore's."""

import json
from pathlib import Path

import numpy as np
import pytest

import ms_compat as ms
from tests.ops.function.loss import mixed_dtype_samples as samples

RECORDED = json.loads((Path(__file__).parents[3] / "conformance/data/loss_dtypes.json").read_text("utf-8"))["losses"]


@pytest.mark.parametrize("expression", samples.EXPRESSIONS)
def test_loss_has_the_recorded_dtype_and_values(expression):
    for dtypes, expected in zip(samples.DTYPES, RECORDED[expression], strict=True):
        found = samples.answer(ms, expression, dtypes)
        if isinstance(expected, str):
            assert found == expected, dtypes
            continue
        assert found[0] == expected[0], dtypes
        np.testing.assert_allclose(found[1], expected[1], rtol=4e-3)  # MindSpore rounds to Float16 in between
