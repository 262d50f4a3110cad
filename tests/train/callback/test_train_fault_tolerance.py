"""Ascend's fault tolerance is refused as MindSpore refuses it on a CPU."""

import pytest

import ms_compat as ms
from ms_compat import Tensor, nn, train


@pytest.mark.parametrize("settings", [{}, {"ckpt_save_path": "a"}, {"ckpt_save_fn": print}])
def test_the_callback_is_refused(settings):
    with pytest.raises(ValueError, match="ckpt_save" if not settings else "exception_save=True"):
        train.TrainFaultTolerance(**settings)
    assert ms.TrainFaultTolerance is train.TrainFaultTolerance


def test_the_optimizers_wrapper_is_refused():
    optimizer = nn.SGD([ms.Parameter(Tensor([1.0]), name="w")])
    with pytest.raises(ValueError, match="exception_save=True"):
        nn.OptTFTWrapper(optimizer)
    with pytest.raises(TypeError, match="'opt'"):
        nn.OptTFTWrapper(3)


def test_a_wrapped_class_trains_as_before():
    weight = ms.Parameter(Tensor([1.0]), name="w")
    train.TrainFaultTolerance.get_optimizer_wrapper(nn.SGD)([weight], 0.5)((Tensor([1.0]),))
    assert weight.asnumpy().tolist() == [0.5]
    with pytest.raises(TypeError, match="origin_opt_cls"):
        train.TrainFaultTolerance.get_optimizer_wrapper(3)
