"""Inner functions of training: lists of mixed precision, and norms."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn
from ms_compat._names import aliases, resolve

RNG = np.random.default_rng(5)


def rand(*shape):
    return Tensor(RNG.normal(size=shape).astype(np.float32))


def test_listed_cells_compute_in_single_precision():
    net = nn.SequentialCell(nn.Dense(2, 2), nn.LayerNorm((2,)))
    assert aliases.find("mindspore.train.amp._auto_black_list")(net, [nn.LayerNorm], ms.float16) is net
    out = net(rand(3, 2))
    assert out.dtype is ms.float16 and net[0](rand(3, 2)).dtype is ms.float16


def test_the_lists_of_mixed_precision_are_lists_of_classes():
    from ms_compat.train import amp

    assert amp.AMP_WHITE_LIST == ms.amp.get_white_list() and amp.AMP_BLACK_LIST == ms.amp.get_black_list()
    assert amp.AMP_BLACK_LIST is amp.AMP_BLACK_LIST
    rewrite = aliases.find("mindspore.train.amp._auto_mixed_precision_rewrite")
    net = rewrite(nn.SequentialCell(nn.Dense(2, 2), nn.LayerNorm((2,))), ms.float16, white_list=[nn.Dense])
    assert net(rand(3, 2)).dtype is ms.float32 and net[0]._backbone(rand(3, 2)).dtype is ms.float16
    with pytest.raises(ValueError, match="one of"):
        rewrite(net, ms.float16)


def test_the_sum_of_local_norms_is_not_kept():
    ask = resolve.inner_module("mindspore.ops._grad_experimental.grad_comm_ops").get_squared_device_local_norm_param
    with pytest.raises(ValueError, match="dump_device_local_norm"):
        ask()
    ms.set_auto_parallel_context(dump_device_local_norm=True)
    try:
        with pytest.raises(ms.UnsupportedError, match="dump_device_local_norm"):
            ask()
    finally:
        ms.reset_auto_parallel_context()
