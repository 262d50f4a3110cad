"""`TFRecordDataset`: rows of TFRecord files, which hold `tf.train.Example` messages.

A record is a u64 length, its masked CRC32C, the data and the data's CRC32C, all little endian. Like MindSpore 2.10,
this module checks the checksum of a file's first length, which identifies TFRecord files, but not the data's checksum.
It checks lengths against the file before it allocates memory; `example.py` reads the records' contents.
"""

import contextlib
import gzip
import itertools
import os
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from ms_compat._core.checks import check_choice
from ms_compat._core.crc32c import masked_crc as masked_crc
from ms_compat._core.faces import faces
from ms_compat._core.untrusted import reading
from ms_compat.dataset._base.schema import Schema
from ms_compat.dataset._support import checks, rows
from ms_compat.dataset._support.arguments import check_bool, check_type
from ms_compat.dataset.samplers import Shuffle
from ms_compat.dataset.sources.example import BYTES, INTS, Feature, parse_example
from ms_compat.dataset.sources.streams import StreamDataset

_FREE_BYTES = 1 << 24
_MOST_UNPACKED = 4  # bytes of one record for each byte of its packed file: it is in memory three times while it is read
_CHUNK = 1 << 16
_MOST_PADDED = 4  # bytes of a column for each byte of its record


class _Inflated:
    """Unpacks a file that `zlib.compress` packed, piece by piece."""

    def __init__(self, file: Any) -> None:
        self._file, self._unpack, self._packed = file, zlib.decompressobj(), b""

    def read(self, count: int) -> bytes:
        parts = []
        while count and not self._unpack.eof:
            self._packed = self._packed or self._file.read(_CHUNK)
            part = self._unpack.decompress(self._packed, count)
            if not part and not self._packed:
                break  # the file is cut off
            self._packed = self._unpack.unconsumed_tail
            parts.append(part)
            count -= len(part)
        return b"".join(parts)


@faces("dataset")
class TFRecordDataset(StreamDataset):
    """Reads TFRecord files.

    Without a schema, columns are the features of the first row in alphabetical order: int64, float32, and bytes as
    uint8.

    Args:
        dataset_files: a file, a pattern or a list of them.
        schema: a `Schema` or the path of its file: the columns, their dtypes (cast) and shapes.
        columns_list: the columns to read, in this order.
        num_samples: rows at most.
        num_parallel_workers: accepted.
        shuffle: a bool or a `Shuffle`.
        num_shards: number of shards.
        shard_id: this shard.
        shard_equal_rows: shards are ranges of rows; otherwise whole files.
        cache: None or a `DatasetCache`.
        compression_type: "", "GZIP" or "ZLIB".

    Raises:
        TypeError: for an argument of another type.
        ValueError: if a pattern matches no file.
        RuntimeError: while iterating, if a file is not a TFRecord file or a row does not fit the schema.

    >>> import numpy as np
    >>> import ms_compat.dataset as ds
    >>> open("empty.tfrecord", "wb").close()
    >>> ds.TFRecordDataset("empty.tfrecord", shuffle=False).get_batch_size()
    1
    """

    def __init__(
        self,
        dataset_files: Any,
        schema: Any = None,
        columns_list: list[str] | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: Any = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        shard_equal_rows: bool = False,
        cache: Any = None,
        compression_type: str | None = None,
    ) -> None:
        super().__init__(dataset_files, num_samples, num_parallel_workers, shuffle, num_shards, shard_id, cache)
        if schema is not None and not isinstance(schema, Schema):
            schema = Schema.of_file(check_type("TFRecordDataset", "schema", schema, (str, Schema)))
        self.schema = schema
        if schema is not None and self.num_samples is None:
            self.num_samples = schema.num_rows()
        self.columns_list = checks.column_list("TFRecordDataset", "columns_list", columns_list, none=True)
        self.shard_equal_rows = check_bool("TFRecordDataset", "shard_equal_rows", shard_equal_rows)
        check_type("TFRecordDataset", "compression_type", compression_type, (str, type(None)))
        check_choice("TFRecordDataset", "compression_type", compression_type, (None, "", "GZIP", "ZLIB"))
        self.compression_type = compression_type or ""
        self._names: list[str] | None = None

    def _own_files(self) -> list[str]:
        files = self.dataset_files
        if self.num_shards is None or self.shard_equal_rows:
            return files
        if len(files) < self.num_shards:
            raise RuntimeError(
                f"For 'TFRecordDataset', {len(files)} files cannot be dealt to {self.num_shards} "
                "shards; set 'shard_equal_rows'."
            )
        return files[self.shard_id :: self.num_shards]

    def _by_rows(self) -> bool:
        return self.num_shards is not None and self.shard_equal_rows

    def _broken(self, path: str, what: Any) -> RuntimeError:
        return RuntimeError(f"For 'TFRecordDataset', {path!r} is not a valid TFRecord file: {what}.")

    @contextlib.contextmanager
    def _opened(self, path: str) -> Iterator[Any]:
        if self.compression_type == "GZIP":
            with gzip.open(path) as file:
                yield file
        else:
            with open(path, "rb") as file:
                yield _Inflated(file) if self.compression_type == "ZLIB" else file

    def _check_head(self, path: str, head: bytes) -> None:
        """Checks the first twelve bytes of a file: a length and its checksum."""
        if len(head) < 12 or int.from_bytes(head[8:12], "little") != masked_crc(head[:8]):
            raise self._broken(path, "the checksum of its first length does not fit")

    def _records(self, path: str, skipped: int = 0) -> Iterator[bytes]:
        """The records of a file after the first `skipped` ones, which are not read unless the file is compressed."""
        limit = os.path.getsize(path)
        if self.compression_type:
            limit = _FREE_BYTES + _MOST_UNPACKED * limit
        with reading("TFRecordDataset", path), self._opened(path) as file:
            first = True
            while head := file.read(12):
                if first:
                    self._check_head(path, head)
                    first = False
                size = int.from_bytes(head[:8], "little")
                if len(head) < 12 or size > limit:
                    raise self._broken(path, f"a record of {size} bytes in a file of {limit}")
                if skipped:
                    skipped -= 1
                    file.seek(size + 4, os.SEEK_CUR) if not self.compression_type else file.read(size + 4)
                    continue
                data = file.read(size)
                if len(data) < size or len(file.read(4)) < 4:
                    raise self._broken(path, "its last record is cut off")
                yield data

    def _count(self, path: str) -> int:
        if self.compression_type:
            return sum(1 for _ in self._records(path))
        count, at, end = 0, 0, os.path.getsize(path)
        with open(path, "rb", buffering=0) as file:  # a buffer would read the records as well
            while at < end:
                file.seek(at)
                at += 16 + int.from_bytes(file.read(8), "little")
                count += 1
        if at != end:
            raise self._broken(path, "its last record is cut off")
        return count

    def _example(self, path: str, data: bytes) -> dict[str, Feature]:
        try:
            return parse_example(data)
        except ValueError as error:
            raise self._broken(path, error) from error

    def _columns(self) -> list[str]:
        if self._names is None:
            if self.schema is not None:
                names = [entry["name"] for entry in self.schema.columns]
            else:
                path = self._own_files()[0]
                records = self._records(path)
                first = next(records, None)
                records.close()  # type: ignore[attr-defined]
                if first is None:
                    raise self._broken(path, "it has no record")
                names = sorted(self._example(path, first))
            if self.columns_list is not None:
                checks.positions("TFRecordDataset", "columns_list", self.columns_list, names)
                names = self.columns_list
            self._names = names
        return self._names

    def _array(self, path: str, name: str, feature: Feature) -> np.ndarray:
        kind, values = feature
        entry = next((e for e in self.schema.columns if e["name"] == name), None) if self.schema else None
        wanted = None if entry is None else entry["type"]
        if kind == BYTES:
            if wanted == "string":
                with reading("TFRecordDataset", path):
                    array = np.array([value.decode() for value in values])
            elif wanted in (None, "uint8"):
                width = max((len(value) for value in values), default=0)
                if width * len(values) > _FREE_BYTES + _MOST_PADDED * sum(map(len, values)):
                    raise self._broken(
                        path, f"column {name!r} has {len(values)} values, of which one has {width} bytes"
                    )
                array = np.frombuffer(b"".join(value.ljust(width, b"\0") for value in values), np.uint8).copy()
            else:
                raise RuntimeError(f"For 'TFRecordDataset', column {name!r} holds bytes, but the schema says {wanted}.")
        elif wanted is None:
            array = np.array(values)
        elif wanted == "string" or (kind == INTS) != (np.dtype(wanted).kind in "iub"):
            held = "integers" if kind == INTS else "floats"
            raise RuntimeError(f"For 'TFRecordDataset', column {name!r} holds {held}, but the schema says {wanted}.")
        else:
            array = values.astype(wanted)
        shape = None if entry is None else entry.get("shape")
        try:
            return array if shape is None else array.reshape(shape)
        except ValueError as error:
            raise RuntimeError(
                f"For 'TFRecordDataset', column {name!r} of {path!r} must have shape {shape}, but "
                f"holds {array.size} values."
            ) from error

    def _read_part(self, path: str, start: int, stop: int) -> Iterator[rows.Row]:
        return itertools.islice(self._parsed(path, self._records(path, start)), stop - start)

    def _read(self, path: str) -> Iterator[rows.Row]:
        return self._parsed(path, self._records(path))

    def _parsed(self, path: str, records: Iterator[bytes]) -> Iterator[rows.Row]:
        names = self._columns()
        for data in records:
            features = self._example(path, data)
            missing = [name for name in names if name not in features]
            if missing:
                raise RuntimeError(
                    f"For 'TFRecordDataset', a row of {path!r} must have column {missing[0]!r}, but "
                    f"has {sorted(features)}."
                )
            yield tuple([self._array(path, name, features[name]) for name in names])
