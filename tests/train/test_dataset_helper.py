"""Helpers that give batches."""

import pytest

import ms_compat as ms
from ms_compat import nn, train
from ms_compat.train import DatasetHelper
from tests.train.callback.trainings import rows


def test_a_helper_gives_the_batches_of_each_epoch():
    helper = DatasetHelper(rows(), dataset_sink_mode=False, epoch_num=2)
    batches = list(helper)
    assert [type(batch) for batch in batches] == [list] * 4
    assert [[column.shape for column in batch] for batch in batches] == [[(2, 3), (2, 2)]] * 4
    assert all(isinstance(column, ms.Tensor) for batch in batches for column in batch)
    assert len(list(helper)) == 4
    with pytest.raises(RuntimeError, match="num_epochs"):
        list(helper)
    assert (DatasetHelper(rows()).sink_size(), DatasetHelper(rows(), True, 3).sink_size()) == (4, 3)


def test_a_helper_can_be_stopped():
    helper = DatasetHelper(rows(), False, epoch_num=-1)
    helper.continue_send()
    assert next(iter(helper))[0].shape == (2, 3)
    helper.stop_send()
    helper.release()


@pytest.mark.parametrize(
    ("args", "error"),
    (
        (("x",), AttributeError),
        ((rows(), 1), TypeError),
        ((rows(), False, 0), ValueError),
        ((rows(), False, -2), ValueError),
        ((rows(), False, 1.5), TypeError),
        ((rows(), False, -1, "a"), TypeError),
        ((rows(), False, -1, 0), RuntimeError),
    ),
)
def test_a_helper_refuses_what_mindspore_refuses(args, error):
    with pytest.raises(error):
        DatasetHelper(*args)


def test_a_network_is_not_connected_with_a_dataset():
    helper = train.DatasetHelper(rows(), False)
    with pytest.raises(ms.UnsupportedError, match="Iterate the DatasetHelper"):
        train.connect_network_with_dataset(nn.Dense(3, 2), helper)
