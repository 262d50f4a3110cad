"""MindRecord files in an object storage: the arguments are checked, and then the class says what to do."""

import pytest

import ms_compat as ms
import ms_compat.dataset as ds

FILES, SERVER = ["s3://bucket/key"], ("http://127.0.0.1:9", "name", "key", "s3://bucket/sync")
OTHERWISE = {
    "ds.OBSMindDataset(FILES, *SERVER)": "raises UnsupportedError, because ms_compat does not use the network; copy "
    "the files, and read them with MindDataset",
}


@pytest.mark.parametrize("call", OTHERWISE)
def test_a_storage_is_refused_with_the_way_out(call):
    with pytest.raises(ms.UnsupportedError, match="Copy the files .* 'mindspore.dataset.MindDataset'"):
        eval(call)
    assert issubclass(ds.OBSMindDataset, ds.GeneratorDataset)


@pytest.mark.parametrize(
    ("arguments", "options", "error"),
    [
        (("s3://bucket/key", *SERVER), {}, TypeError),
        (([3], *SERVER), {}, TypeError),
        ((FILES, 3, *SERVER[1:]), {}, TypeError),
        ((FILES, "127.0.0.1", *SERVER[1:]), {}, ValueError),
        ((FILES, *SERVER[:3], 3), {}, TypeError),
        ((FILES, *SERVER), {"columns_list": 3}, TypeError),
        ((FILES, *SERVER), {"shuffle": 3}, TypeError),
        ((FILES, *SERVER), {"num_shards": 2}, RuntimeError),
        ((FILES, *SERVER), {"shard_id": 2}, RuntimeError),
        ((FILES, *SERVER), {"num_shards": 2, "shard_id": 2}, ValueError),
        ((FILES, *SERVER), {"num_shards": 0, "shard_id": 0}, ValueError),
        ((FILES, *SERVER), {"num_shards": "2", "shard_id": 1}, TypeError),
        ((FILES, *SERVER), {"num_shards": 2, "shard_id": 1, "shard_equal_rows": 3}, TypeError),
    ],
)
def test_wrong_arguments_are_errors_of_mindspores_class(arguments, options, error):
    with pytest.raises(error) as raised:
        ds.OBSMindDataset(*arguments, **options)
    assert type(raised.value) is error
