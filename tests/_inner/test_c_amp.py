"""Strategies of mixed precision."""

import pytest

import ms_compat as ms
from ms_compat._names import resolve


def test_strategies_of_mixed_precision_are_described():
    amp = resolve.inner_module("mindspore._c_expression.amp")
    strategy = amp.create_amp_strategy(amp.AmpLevel.AmpO1, ms.float16, [("MatMul", [])], [])
    assert (strategy.get_amp_level(), strategy.get_amp_dtype()) == (amp.AmpLevel.AmpO1, ms.float16)
    assert (strategy.get_white_list(), strategy.get_black_list()) == ([("MatMul", [])], [])
    assert [level.name for level in amp.AmpLevel] == ["AmpO0", "AmpO1", "AmpO2", "AmpO3", "AmpAuto"]
    with pytest.raises(TypeError, match="level"):
        amp.create_amp_strategy("O1", ms.float16, [], [])
    with pytest.raises(ms.UnsupportedError, match="custom_mixed_precision"):
        amp.push_amp_strategy(amp.AmpLevel.AmpO1, ms.float16, [], [])
    with pytest.raises(ms.UnsupportedError, match="custom_mixed_precision"):
        amp.pop_amp_strategy()
