"""Pipelines that are zipped or concatenated, and columns that are chosen or renamed."""

import pytest

import ms_compat.dataset as ds
from tests.dataset import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


@pytest.mark.parametrize("change, how", [(1, "more"), (-1, "fewer")])
def test_rows_at_random_from_a_dataset_of_another_size_are_an_error(change, how):
    """As in MindSpore, which finds the number of rows before it reads them."""
    sizes = iter([6, 6 + change])
    changing = ds.GeneratorDataset(lambda: iter(range(next(sizes))), ["x"], shuffle=False)
    data = ds.NumpySlicesDataset(list(range(4)), ["x"], shuffle=False) + changing
    data.use_sampler(ds.RandomSampler())
    with pytest.raises(RuntimeError, match=f"dataset 1 must have equally many rows.* got {how} than 6"):
        list(data.create_tuple_iterator(num_epochs=1, output_numpy=True))
