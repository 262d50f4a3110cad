"""The order in which a loader reads."""

import numpy as np
import pytest

import ms_compat.dataset as ds
from ms_compat.dataset import dataloader
from tests.dataset import recorded
from tests.dataset.dataloader.squares import Squares


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def values(loader):
    return [batch[0].asnumpy().tolist() for batch in loader]


def test_a_seed_repeats_the_order_and_epochs_differ():
    ds.config.set_seed(3)
    loader, again = (dataloader.DataLoader(Squares(30), 30, True) for _ in range(2))
    first = values(loader)
    assert first == values(again)
    assert first != values(loader)


def test_a_generator_of_numpy_gives_the_order():
    one, two = (dataloader.DataLoader(Squares(30), 30, True, generator=np.random.default_rng(5)) for _ in range(2))
    assert values(one) == values(two)


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
