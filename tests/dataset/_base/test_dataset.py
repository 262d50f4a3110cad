"""Sizes, columns and consumers of pipelines."""

import copy

import pytest

from ms_compat import dataset as ds
from tests.dataset import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def source():
    return ds.NumpySlicesDataset([1, 2, 3, 4], ["x"], shuffle=False)


def count(data):
    return sum(1 for _ in data.create_tuple_iterator(num_epochs=1))


USES = {
    "iterating": count,
    "size": ds.Dataset.get_dataset_size,
    "columns": ds.Dataset.get_col_names,
    "shapes": ds.Dataset.output_shapes,
    "types": ds.Dataset.output_types,
    "batch size": lambda data: data.get_batch_size(),
    "repeat count": lambda data: data.get_repeat_count(),
    "classes": lambda data: data.num_classes(),
    "json": lambda data: data.to_json(),
    "queue": lambda data: data.device_que(),
}


@pytest.mark.parametrize("use", USES)
def test_a_second_consumer_is_refused(use):
    data = source()
    data.batch(4)
    with pytest.raises(ValueError, match="must be a tree.*2 consumers"):
        USES[use](data.batch(2))


@pytest.mark.parametrize(
    "make",
    [
        lambda data: data + data,
        lambda data: data.concat([data]),
        lambda data: ds.zip((data.rename("x", "a"), data.rename("x", "b"))),
        lambda data: (data.take(-1), data.repeat(1))[1],
        lambda data: (data.map(lambda x: x), data.filter(lambda x: True).batch(2))[1],
        lambda data: (data.batch(1), data.split([2, 2])[0].batch(2))[1],
    ],
)
def test_a_node_that_is_joined_or_used_twice_is_refused(make):
    with pytest.raises(ValueError, match="must be a tree"):
        count(make(source()))


def test_the_last_node_may_have_consumers():
    data = source()
    once, twice = data.batch(2), data.batch(4)
    assert count(data) == 4 and data.get_dataset_size() == 4
    for refused in (once, twice):
        with pytest.raises(ValueError, match="must be a tree"):
            count(refused)


@pytest.mark.parametrize("make", [source, lambda: source().map(lambda x: x)])
def test_parts_of_a_split_are_pipelines_of_their_own(make):
    data = make()
    first, second = data.split([2, 2])
    assert [count(part.batch(2)) for part in (first, second)] == [1, 1]
    assert count(second) == 2 and count(data.batch(2)) == 2


def test_a_copy_is_a_pipeline_of_its_own():
    data = source().map(lambda x: x)
    other = copy.deepcopy(data)
    assert count(data.batch(2)) == count(other.batch(2)) == 2
