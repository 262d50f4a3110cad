"""Data sets that loaders read."""

import pytest

import ms_compat as ms
from ms_compat.dataset import dataloader
from tests.dataset import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_a_tensor_dataset_slices():
    data = dataloader.TensorDataset(ms.Tensor([1, 2, 3]), ms.Tensor([[1.0], [2.0], [3.0]]))
    (batch,) = dataloader.DataLoader(data, 3)
    assert batch[1].shape == (3, 1) and batch[0].dtype == ms.int64
