"""Loaders and their workers."""

import threading

import pytest

import ms_compat as ms
from ms_compat.dataset import dataloader
from tests.dataset import recorded
from tests.dataset.dataloader.squares import Squares


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


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


def test_dicts_are_collated_by_key():
    _, second = next(iter(dataloader.DataLoader(Squares(4), 4)))
    assert isinstance(second["index"], ms.Tensor) and second["index"].asnumpy().tolist() == [0, 1, 2, 3]


def test_an_error_of_a_row_comes_out_as_it_is():
    class Broken(Squares):
        def __getitem__(self, index):
            raise KeyError("no such row")

    with pytest.raises(KeyError, match="no such row"):
        next(iter(dataloader.DataLoader(Broken(3), num_workers=2)))
