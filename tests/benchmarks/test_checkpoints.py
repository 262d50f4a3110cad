"""Reading a checkpoint until all of its values are in a net, beside reading the file's bytes once."""

import os

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, ParameterTuple, Tensor, nn
from tests.benchmarks.measure import check_ratio

COUNT, SIZE = 32, 1 << 20


class Net(nn.Cell):
    """32 Parameters of 4 MB."""

    def __init__(self):
        super().__init__()
        values = np.random.default_rng(0).normal(size=(COUNT, SIZE)).astype(np.float32)
        self.parts = ParameterTuple([Parameter(Tensor(v), name=f"w{i}") for i, v in enumerate(values)])


@pytest.mark.parametrize("kind", ["ckpt", "safetensors"])
def test_a_load_into_a_net_takes_no_longer_than_one_read_of_the_file(kind, tmp_path):
    net, path = Net(), str(tmp_path / f"a.{kind}")
    ms.save_checkpoint(net, path, format=kind)
    buffer = memoryview(bytearray(os.path.getsize(path)))

    def load():
        assert ms.load_param_into_net(net, ms.load_checkpoint(path, format=kind)) == ([], [])

    def read():  # by one thread, into memory that is there
        with open(path, "rb", buffering=0) as file:
            assert file.readinto(buffer) == len(buffer)

    check_ratio(f"load_checkpoint into a net, 128 MB, {kind}", load, read, 1.0, calls=1, rounds=10)
