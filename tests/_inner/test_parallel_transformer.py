"""The checks and settings of `mindspore.parallel._transformer`, an inner module of earlier versions."""

import importlib

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, UnsupportedError
from ms_compat import install as hook
from ms_compat._inner import parallel_transformer as ours


@pytest.fixture(autouse=True)
def _installed():
    hook.install()
    yield
    hook.uninstall()


def test_it_is_imported_by_its_paths():
    layers = importlib.import_module("mindspore.parallel._transformer.layers")
    from mindspore.parallel._transformer.moe import default_moe_config
    from mindspore.parallel._transformer.transformer import TransformerOpParallelConfig

    assert layers._LayerInputCheck is ours._LayerInputCheck and default_moe_config.expert_num == 1
    assert TransformerOpParallelConfig is ours.TransformerOpParallelConfig
    assert not hasattr(layers, "nothing")


def test_cells_are_refused_when_they_are_made():
    from mindspore.parallel._transformer.transformer import MultiHeadAttention

    with pytest.raises(UnsupportedError, match="MultiHeadAttention"):
        MultiHeadAttention(1, 2, 3, 4, 1)


def test_settings():
    config = ours.TransformerOpParallelConfig(data_parallel=2, model_parallel=4, expert_parallel=2)
    assert vars(config.dp_mp_config) == {"data_parallel": 2, "model_parallel": 4}
    assert vars(config.moe_parallel_config) == {"data_parallel": 2, "model_parallel": 4, "expert_parallel": 2}
    ours._check_config(config)  # nothing is cut in stand-alone mode
    ours._check_moe_config(ours.MoEConfig(expert_num=4), config)
    with pytest.raises(ValueError, match="data_parallel"):
        ours.OpParallelConfig(0)
    with pytest.raises(ValueError, match="num_experts_chosen"):
        ours.MoEConfig(2, num_experts_chosen=3)
    with pytest.raises(ValueError, match="dealt"):
        ours._check_moe_config(ours.MoEConfig(expert_num=3), config)
    with pytest.raises(TypeError):
        ours._check_moe_config(config, config)


def test_more_devices_than_there_are_are_refused():
    ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel")
    try:
        with pytest.raises(ValueError, match="devices"):
            ours._check_config(ours.OpParallelConfig(data_parallel=4096))
    finally:
        ms.reset_auto_parallel_context()


class _Layer:
    @ours._args_type_validator_check(
        size=ours._valid_type_checks([int], "_Layer"), kind=ours._valid_value_checks([ms.float32], "_Layer")
    )
    def __init__(self, size, kind=ms.float32):
        self.size = size


def test_arguments_are_checked_where_a_cell_is_made():
    assert _Layer(3).size == 3
    with pytest.raises(TypeError, match=r"'_Layer', 'size'"):
        _Layer("3")
    with pytest.raises(ValueError, match=r"'_Layer', 'kind'"):
        _Layer(3, kind=ms.float16)


@pytest.mark.parametrize(
    ("check", "error"),
    [
        (lambda: ours._LayerInputCheck.check_shape_length((2, 3), "x", "Net", [3, 4]), ValueError),
        (lambda: ours._LayerInputCheck.check_shape_equal((2, 3), "x", "Net", [[2, 4], [3, 3]]), ValueError),
        (lambda: ours._LayerInputCheck.check_shape_value_on_axis((2, 3), 1, "x", "Net", 4), ValueError),
        (lambda: ours._check_input_dtype(ms.float16, "x", [ms.float32], "Net"), TypeError),
        (lambda: ours._check_past_none_input_none(False, "x", "Net", None, True, False), TypeError),
        (lambda: ours._check_past_none_input_none(True, "x", "Net", None, False, True), TypeError),
    ],
)
def test_inputs_are_refused_with_their_names(check, error):
    with pytest.raises(error, match=r"'Net'.*'x'"):
        check()


def test_inputs_that_pass():
    assert ours._LayerInputCheck.check_shape_length((2, 3), "x", "Net", 2)
    assert ours._LayerInputCheck.check_shape_equal((2, 3), "x", "Net", [2, 3])
    assert ours._LayerInputCheck.check_shape_value_on_axis((2, 3), 1, "x", "Net", 3)
    ours._check_input_dtype(ms.float16, "x", [ms.float16], "Net")
    ours._check_past_none_input_none(True, "x", "Net", None, True, False)


def test_the_norm_has_the_epsilon_of_transformers():
    x = np.array([[1e-3, 3e-3]], np.float32)
    want = (x - x.mean()) / np.sqrt(x.var() + 1e-5)
    assert np.allclose(ours._LayerNorm((2,))(Tensor(x)).asnumpy(), want, rtol=1e-5)
