"""`DataLoader`: threads, order, errors; what it returns is replayed in test_recorded.py."""

import threading
import time

import numpy as np
import pytest

import ms_compat as ms
import ms_compat.dataset as ds
from ms_compat.dataset import dataloader


class Squares(dataloader.Dataset):
    def __init__(self, count, pause=0.0):
        self.count, self.pause = count, pause

    def __getitem__(self, index):
        time.sleep(self.pause)
        return np.float32(index**2), {"index": index}

    def __len__(self):
        return self.count


def values(loader):
    return [batch[0].asnumpy().tolist() for batch in loader]


def threads():
    return [thread for thread in threading.enumerate() if thread.name.startswith("ms_compat")]


@pytest.mark.parametrize("workers", [0, 3])
def test_workers_keep_the_order_and_end_with_the_epoch(workers):
    loader = dataloader.DataLoader(Squares(20, 0.001), 3, num_workers=workers)
    expected = [[float(k * k) for k in range(at, min(at + 3, 20))] for at in range(0, 20, 3)]
    assert values(loader) == expected
    assert values(loader) == expected
    assert not threads()


def test_leaving_a_loop_ends_the_threads():
    for number, _ in enumerate(dataloader.DataLoader(Squares(90, 0.001), 2, num_workers=2)):
        if number == 8:
            break
    assert not threads()


def test_a_seed_repeats_the_order_and_epochs_differ():
    ds.config.set_seed(3)
    loader, again = (dataloader.DataLoader(Squares(30), 30, True) for _ in range(2))
    first = values(loader)
    assert first == values(again)
    assert first != values(loader)


def test_a_generator_of_numpy_gives_the_order():
    one, two = (dataloader.DataLoader(Squares(30), 30, True, generator=np.random.default_rng(5)) for _ in range(2))
    assert values(one) == values(two)


def test_dicts_are_collated_by_key():
    _, second = next(iter(dataloader.DataLoader(Squares(4), 4)))
    assert isinstance(second["index"], ms.Tensor) and second["index"].asnumpy().tolist() == [0, 1, 2, 3]


def test_an_error_of_a_row_comes_out_as_it_is():
    class Broken(Squares):
        def __getitem__(self, index):
            raise KeyError("no such row")

    with pytest.raises(KeyError, match="no such row"):
        next(iter(dataloader.DataLoader(Broken(3), num_workers=2)))


def test_shards_cover_all_rows():
    data = Squares(11)
    for shuffle in (True, False):
        shards = [list(dataloader.DistributedSampler(data, 3, rank, shuffle)) for rank in range(3)]
        assert {len(shard) for shard in shards} == {4}
        assert set(sum(shards, [])) == set(range(11))
    sampler = dataloader.DistributedSampler(data, 3, 0)
    first = list(sampler)
    sampler.set_epoch(1)
    assert list(sampler) != first


def test_a_tensor_dataset_slices():
    data = dataloader.TensorDataset(ms.Tensor([1, 2, 3]), ms.Tensor([[1.0], [2.0], [3.0]]))
    (batch,) = dataloader.DataLoader(data, 3)
    assert batch[1].shape == (3, 1) and batch[0].dtype == ms.int64
