"""`OBSMindDataset`: MindRecord files in an object storage, which are not read here."""

from typing import Any

from ms_compat._core.errors import UnsupportedError, value_error
from ms_compat._core.faces import faces
from ms_compat.dataset import samplers
from ms_compat.dataset._support import checks
from ms_compat.dataset._support.arguments import check_bool, check_type
from ms_compat.dataset.sources.generator import GeneratorDataset

_API = "OBSMindDataset"
_WAY_OUT = "Copy the files from the object storage first, and read them with 'mindspore.dataset.MindDataset'."


@faces("dataset")
class OBSMindDataset(GeneratorDataset):
    """Refuses MindRecord files in an object storage, because ms_compat does not use the network.

    The arguments are checked as in MindSpore, and then the constructor raises. Copy the files first, and read them with
    `MindDataset`.

    Args:
        dataset_files: a list of addresses "s3://bucket/key".
        server: the address of the storage, which begins with "http://" or "https://".
        ak: the key's name.
        sk: the key.
        sync_obs_path: the address of a folder where processes wait for each other.
        columns_list: the columns.
        shuffle: a bool or a `Shuffle`.
        num_shards: number of shards.
        shard_id: this shard.
        shard_equal_rows: gives each shard as many rows.

    Raises:
        TypeError: for an argument of another type.
        ValueError: if `server` or a shard is out of range.
        RuntimeError: if only one of `num_shards` and `shard_id` is given.
        UnsupportedError: otherwise.
    """

    def __init__(
        self,
        dataset_files: list[str],
        server: str,
        ak: str,
        sk: str,
        sync_obs_path: str,
        columns_list: list[str] | None = None,
        shuffle: Any = samplers.Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        shard_equal_rows: bool = True,
    ) -> None:
        for k, file in enumerate(check_type(_API, "dataset_files", dataset_files, list)):
            check_type(_API, f"dataset_files[{k}]", file, str)
        given = {"server": server, "ak": ak, "sk": sk, "sync_obs_path": sync_obs_path}
        for name, value in given.items():
            check_type(_API, name, value, str)
        for k, column in enumerate(check_type(_API, "columns_list", columns_list, (list, type(None))) or []):
            check_type(_API, f"columns_list[{k}]", column, str)
        check_bool(_API, "shard_equal_rows", shard_equal_rows)
        for name, number in {"num_shards": num_shards, "shard_id": shard_id}.items():
            check_type(_API, name, number, (int, type(None)))
        if not server.startswith(("http://", "https://")):
            raise value_error(_API, "server", "an address that begins with 'http://' or 'https://'", server)
        check_type(_API, "shuffle", shuffle, (bool, samplers.Shuffle))
        checks.shard(_API, num_shards, shard_id)
        raise UnsupportedError("mindspore.dataset.OBSMindDataset", _WAY_OUT)
