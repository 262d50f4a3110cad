"""Shuffles, samplers and random transforms: one seed repeats, epochs differ, parts never overlap."""

import numpy as np
import pytest

import ms_compat as ms
import ms_compat.dataset as ds

V, T = ds.vision, ds.transforms


def flat(data):
    return [row[0].tolist() for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]


def epochs(data, count):
    iterator = data.create_tuple_iterator(num_epochs=count, output_numpy=True)
    return [[row[0].tolist() for row in iterator] for _ in range(count)]


def generated(count=40):
    return ds.GeneratorDataset(list(range(count)), ["x"], shuffle=False)


def sliced(count=40):
    return ds.NumpySlicesDataset(list(range(count)), ["x"], shuffle=False)


IMAGES = np.arange(12 * 10 * 10 * 3).reshape(12, 10, 10, 3).astype(np.uint8)
CROPS = [V.RandomCrop(6), V.RandomHorizontalFlip(), V.RandomColorAdjust(0.4, 0.4, 0.4, 0.1), V.RandomRotation(20)]
PIPELINES = {
    "buffer over rows": lambda: generated().shuffle(16),
    "buffer over arrays": lambda: sliced().shuffle(16),
    "full buffer": lambda: sliced().shuffle(40),
    "source": lambda: ds.NumpySlicesDataset(list(range(40)), ["x"]),
    "generator source": lambda: ds.GeneratorDataset(list(range(40)), ["x"]),
    "weights": lambda: ds.NumpySlicesDataset(list(range(40)), sampler=ds.WeightedRandomSampler([1] * 40)),
    "replacement": lambda: ds.NumpySlicesDataset(list(range(40)), sampler=ds.RandomSampler(True)),
    "subset": lambda: ds.NumpySlicesDataset(list(range(40)), sampler=ds.SubsetRandomSampler(list(range(20)))),
    "crops": lambda: ds.NumpySlicesDataset(IMAGES, ["x"], shuffle=False).map(CROPS, "x"),
    "choice": lambda: sliced().map(T.RandomChoice([lambda x: x, lambda x: x + 100, lambda x: -x])),
    "python function": lambda: sliced().map(lambda x: T.RandomApply([lambda x: x + 100])(x)),
}


@pytest.mark.parametrize("name", PIPELINES)
def test_one_seed_repeats_its_epochs_and_they_differ(name):
    ds.config.set_seed(3)
    first = epochs(PIPELINES[name](), 2)
    again = epochs(PIPELINES[name](), 2)
    ds.config.set_seed(4)
    other = epochs(PIPELINES[name](), 2)
    assert first == again
    assert first[0] != first[1]
    assert first != other


@pytest.mark.parametrize("name", PIPELINES)
def test_without_a_seed_iterators_differ(name):
    assert epochs(PIPELINES[name](), 2) != epochs(PIPELINES[name](), 2)


def test_every_repetition_is_an_epoch_of_its_own():
    ds.config.set_seed(3)
    joined = flat(sliced().shuffle(40).repeat(2))
    assert [joined[:40], joined[40:]] == epochs(sliced().shuffle(40), 2)


def test_the_seed_of_the_framework_is_taken():
    ms.set_seed(8)
    first = flat(sliced().shuffle(40))
    assert ds.config.get_seed() == 8
    ds.config.set_seed(9)
    assert ds.config.get_seed() == 9 and flat(sliced().shuffle(40)) != first
    ms.set_seed(10)
    assert ds.config.get_seed() == 10
    ds.config.set_seed(8)
    assert flat(sliced().shuffle(40)) == first


@pytest.mark.parametrize("make", [generated, sliced])
@pytest.mark.parametrize("size", [2, 7, 40, 100])
def test_a_shuffle_keeps_every_row_and_moves_it_by_less_than_its_buffer_forward(make, size):
    order = flat(make().shuffle(size))
    assert sorted(order) == list(range(40))
    assert all(value < place + size for place, value in enumerate(order))


def test_rows_and_arrays_are_shuffled_alike_over_a_full_buffer():
    ds.config.set_seed(1)
    assert flat(generated().shuffle(40)) == flat(sliced().shuffle(40))


def test_shards_of_one_seed_share_no_row():
    ds.config.set_seed(5)
    shards = [flat(ds.NumpySlicesDataset(list(range(40)), num_shards=4, shard_id=k)) for k in range(4)]
    assert sorted(sum(shards, [])) == list(range(40))


@pytest.mark.parametrize("randomize", [True, False])
@pytest.mark.parametrize(
    "make",
    [
        lambda: ds.NumpySlicesDataset(list(range(20)), ["x"]),
        lambda: ds.GeneratorDataset(list(range(20)), ["x"]),
        sliced,
        lambda: ds.NumpySlicesDataset(list(range(20)), ["x"]).map(lambda x: x),
        lambda: ds.GeneratorDataset(lambda: iter(range(20)), ["x"]).shuffle(20),
        lambda: ds.GeneratorDataset(list(range(20)), ["x"]).shuffle(9).map(lambda x: x).repeat(1),
    ],
)
def test_parts_of_a_split_never_overlap(make, randomize):
    data = make()
    total = data.get_dataset_size()
    parts = data.split([0.7, 0.3], randomize)
    seen = [[set(epoch) for epoch in epochs(part, 3)] for part in parts]
    for part in seen:
        assert part[0] == part[1] == part[2]
    assert not seen[0][0] & seen[1][0]
    assert seen[0][0] | seen[1][0] == set(range(total))


def test_a_part_of_a_shuffled_source_is_shuffled_each_epoch():
    part, _ = ds.NumpySlicesDataset(list(range(60)), ["x"]).split([0.9, 0.1])
    one, two = epochs(part, 2)
    assert one != two


def test_the_number_of_threads_changes_nothing(monkeypatch):
    monkeypatch.setattr("ms_compat.dataset._nodes.mapping._THREADS_FROM_S", 0.0)
    monkeypatch.setattr("ms_compat.dataset._support.checks.os.cpu_count", lambda: 4)
    ds.config.set_seed(2)
    data = [ds.NumpySlicesDataset(np.concatenate([IMAGES] * 5), ["x"], shuffle=False) for _ in range(2)]
    assert flat(data[0].map(CROPS, "x", num_parallel_workers=4)) == flat(data[1].map(CROPS, "x"))


def test_a_transform_alone_follows_the_seed():
    crop = V.RandomCrop(4)
    ds.config.set_seed(6)
    first = [crop(IMAGES[k]).tolist() for k in range(4)]
    ds.config.set_seed(6)
    assert [crop(IMAGES[k]).tolist() for k in range(4)] == first


def test_the_later_of_both_seeds_wins():
    ms.set_seed(8)
    ds.config.set_seed(9)
    assert ds.config.get_seed() == 9
    ms.set_seed(8)
    assert ds.config.get_seed() == 8


def test_shards_share_an_order_without_a_seed():
    """Each process deals the order for itself, so it is drawn from a fixed seed, as in MindSpore."""
    samplers = [ds.DistributedSampler(4, k) for k in range(4)]
    for makers in (
        [lambda k=k: ds.NumpySlicesDataset(np.arange(40), ["x"], num_shards=4, shard_id=k) for k in range(4)],
        [lambda k=k: ds.GeneratorDataset(list(range(40)), ["x"], sampler=samplers[k]) for k in range(4)],
    ):
        parts = [epochs(make(), 2) for make in makers]
        for epoch in range(2):
            assert sorted(sum((part[epoch] for part in parts), [])) == list(range(40))
        assert parts[0][0] != parts[0][1] and parts == [epochs(make(), 2) for make in makers]


def test_a_resumed_shard_goes_on_with_its_order():
    data = ds.NumpySlicesDataset(np.arange(40), ["x"], num_shards=4, shard_id=1)
    first, again = (data.create_tuple_iterator(num_epochs=2, output_numpy=True) for _ in range(2))
    again.go_on(first.seed, 1, 3)
    list(first)
    assert [row[0].item() for row in first][3:] == [row[0].item() for row in again]


@pytest.mark.parametrize("name", ["buffer over rows", "buffer over arrays", "source", "subset", "replacement"])
@pytest.mark.parametrize("seed", [None, 7])
def test_an_epoch_is_the_same_whether_the_earlier_ones_were_read(name, seed):
    if seed is not None:
        ds.config.set_seed(seed)
    first = PIPELINES[name]().create_tuple_iterator(num_epochs=4, output_numpy=True)
    whole = [[row[0].tolist() for row in first] for _ in range(3)]
    for epoch in (2, 1):
        again = PIPELINES[name]().create_tuple_iterator(num_epochs=4, output_numpy=True)
        again.go_on(first.seed, epoch, 0)
        assert [row[0].tolist() for row in again] == whole[epoch]


def test_rows_that_nobody_took_are_drawn_nevertheless():
    """As in MindSpore, which reads an epoch to its end."""
    ds.config.set_seed(7)
    whole = epochs(generated().shuffle(16), 3)
    assert epochs(generated().shuffle(16).take(3), 3) == [epoch[:3] for epoch in whole]


def test_rows_of_unknown_number_are_shuffled_in_every_epoch():
    def made():
        return generated().filter(lambda x: x < 30).shuffle(16)

    ds.config.set_seed(7)
    first = made().create_tuple_iterator(num_epochs=3, output_numpy=True)
    whole = [[row[0].tolist() for row in first] for _ in range(3)]
    assert all(sorted(epoch) == list(range(30)) for epoch in whole) and whole[0] != whole[1] != whole[2]
    again = made().create_tuple_iterator(num_epochs=3, output_numpy=True)
    again.go_on(first.seed, 2, 0)
    assert [row[0].tolist() for row in again] == whole[2]


def test_without_a_seed_each_node_has_its_own():
    both = ds.zip((sliced().shuffle(40), sliced().rename(["x"], ["y"]).shuffle(40)))
    rows = [[item.item() for item in row] for row in both.create_tuple_iterator(num_epochs=1, output_numpy=True)]
    assert any(x != y for x, y in rows)
