"""Converters of public datasets to MindRecord: each names its rows and their schema, a shared loop writes them.

MindSpore's need OpenCV, pandas or TensorFlow; these only need Pillow, for CIFAR's and MNIST's images. JPEG bytes may
differ from OpenCV's, and pixels decoded from them by a level or two.
"""

import csv
import gzip
import io
import os
import string
import zlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ms_compat._core.faces import faces
from ms_compat._core.untrusted import is_whole, reading
from ms_compat.mindrecord.exceptions import ParamValueError
from ms_compat.mindrecord.pickles import read_arrays
from ms_compat.mindrecord.writer import FileWriter

SUCCESS = 0
_FREE_BYTES = 1 << 16
_MOST_UNPACKED = 20  # bytes for each byte of a packed file; images of digits have 5
_LOT = 256  # rows written at a time

Rows = Iterator[dict[str, Any]]


def _check_path(name: str, value: Any, folder: bool | None = None) -> str:
    """Checks a path; with `folder`, that it exists as a folder (or as a file)."""
    if not isinstance(value, str):
        raise ValueError(f"The '{name}' must be str, but got {value!r} of type '{type(value).__name__}'.")
    if not value:
        raise ParamValueError(f"The '{name}' must be a path, but is empty.")
    if folder is not None and not (os.path.isdir if folder else os.path.isfile)(value):
        raise ValueError(f"The '{name}' must be a {'folder' if folder else 'file'} that exists, but got {value!r}.")
    return value


def _check_parts(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(f"The 'partition_number' must be int, but got {value!r}.")
    return value


def _jpeg(image: np.ndarray) -> bytes:
    from PIL import Image

    out = io.BytesIO()
    Image.fromarray(image).save(out, "JPEG", quality=95)
    return out.getvalue()


def _write(path: str, parts: int, schema: dict[str, Any], what: str, index: list[str], rows: Rows) -> None:
    """Writes rows to a new file, in lots; removes the file after an exception."""
    writer = FileWriter(path, parts)
    writer.add_schema(schema, what)
    if index:
        writer.add_index(index)
    lot: list[dict[str, Any]] = []
    for row in rows:
        lot.append(row)
        if len(lot) == _LOT:
            writer.write_raw_data(lot)
            lot = []
    if lot:
        writer.write_raw_data(lot)
    writer.commit()


def _labels_of(value: Any) -> list[int]:
    if isinstance(value, np.ndarray) and value.ndim == 1 and value.dtype.kind in "iu":
        return value.tolist()
    if not isinstance(value, list) or not all(type(label) is int for label in value):
        raise ValueError("the labels must be a list of int")
    return value


@faces("mindrecord")
class Cifar10ToMR:
    """Converts the Python version of CIFAR-10, `data_batch_1` and so on, to `destination` and `destination_test`.

    The columns are "id" and "label" of int64 and "data", JPEG bytes. The files are pickles; the reader only makes
    arrays, lists and strings from them.

    Args:
        source: the folder.
        destination: the file to write.

    Raises:
        ValueError: for an argument of another type, or if the folder lacks the files.
    """

    _labels: tuple[tuple[str, str], ...] = (("label", "labels"),)
    _parts = (("data_batch_", "", "img_train"), ("test_batch", "_test", "img_test"))

    def __init__(self, source: str, destination: str) -> None:
        self.source = _check_path("source", source, True)
        self.destination = _check_path("destination", destination)
        for prefix, _, _ in self._parts:
            if not self._files(prefix):
                raise ValueError(f"The 'source' must hold files {prefix!r}..., but {source!r} has none.")

    def _files(self, prefix: str) -> list[str]:
        found = sorted(name for name in os.listdir(self.source) if name.startswith(prefix))
        return [os.path.join(self.source, name) for name in found]

    def _rows(self, prefix: str) -> Rows:
        number = 0
        for path in self._files(prefix):
            try:
                with open(path, "rb") as file:
                    held = read_arrays(file.read())
                missing = {"data", *(key for _, key in self._labels)} - set(held)
                if missing or not isinstance(held["data"], np.ndarray):
                    raise ValueError(f"it lacks {sorted(missing) or 'an array of images'}")
                images = held["data"].astype(np.uint8).reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1)
                table = list(zip(images, *[_labels_of(held[key]) for _, key in self._labels], strict=True))
            except ValueError as error:
                raise ValueError(f"{path!r} must be a file of CIFAR's Python version, but gave: {error}") from error
            for image, *numbers in table:
                names = [name for name, _ in self._labels]
                yield {"id": number, **dict(zip(names, numbers, strict=True)), "data": _jpeg(image)}
                number += 1

    def run(self, fields: list[str] | None = None) -> int:
        """Does the work of `transform` and returns 0."""
        if fields and not isinstance(fields, list):
            raise ValueError(f"The 'fields' must be None or a list, but got {fields!r}.")
        schema: dict[str, Any] = {"id": {"type": "int64"}, **{name: {"type": "int64"} for name, _ in self._labels}}
        schema["data"] = {"type": "bytes"}
        for prefix, ending, what in self._parts:
            _write(
                self.destination + ending,
                1,
                schema | {"data": {"type": "bytes"}},
                what,
                fields or [],
                self._rows(prefix),
            )
        return SUCCESS

    def transform(self, fields: list[str] | None = None) -> None:
        """Writes the files.

        Args:
            fields: columns to index.

        Raises:
            ValueError: if `fields` is not a list, or a file is not CIFAR's.
        """
        self.run(fields)


@faces("mindrecord")
class Cifar100ToMR(Cifar10ToMR):
    """Converts the Python version of CIFAR-100, `train` and `test`, to `destination` and `destination_test`.

    The columns are "id", "fine_label" and "coarse_label" of int64 and "data", JPEG bytes; see `Cifar10ToMR`.

    Args:
        source: the folder.
        destination: the file to write.
    """

    _labels = (("fine_label", "fine_labels"), ("coarse_label", "coarse_labels"))
    _parts = (("train", "", "img_train"), ("test", "_test", "img_test"))


@faces("mindrecord")
class MnistToMR:
    """Converts MNIST's four `.gz` files to `destination_train.mindrecord` and `destination_test.mindrecord`.

    The columns are "label" of int64 and "data", JPEG bytes.

    Args:
        source: the folder.
        destination: how the names of the files to write begin.
        partition_number: how many files each is divided into.

    Raises:
        ValueError: for an argument of another type.
    """

    def __init__(self, source: str, destination: str, partition_number: int = 1) -> None:
        self.source = _check_path("source", source, True)
        self.destination = _check_path("destination", destination)
        self.partition_number = _check_parts(partition_number)

    def _read(self, name: str, head: int) -> np.ndarray:
        path = os.path.join(self.source, name)
        try:
            with gzip.open(path, "rb") as file:
                count = int.from_bytes(file.read(head)[4:8], "big")
                size = count * (28 * 28 if head == 16 else 1)
                if size > _FREE_BYTES + _MOST_UNPACKED * os.path.getsize(path):
                    raise ValueError(f"its header announces {count} rows")
                data = file.read(size + 1)  # no more than announced: a small file may unpack to any length
        except (OSError, EOFError, ValueError, zlib.error) as error:
            raise ValueError(f"{path!r} must be a file of MNIST, but gave: {error}") from error
        if len(data) != size:
            raise ValueError(f"{path!r} must be an MNIST file with {count} rows, but has {len(data)} bytes")
        return np.frombuffer(data, np.uint8)

    def _rows(self, part: str) -> Rows:
        images, labels = self._read(f"{part}-images-idx3-ubyte.gz", 16), self._read(f"{part}-labels-idx1-ubyte.gz", 8)
        if len(images) != 28 * 28 * len(labels):
            raise ValueError(
                f"The images and labels of {part!r} must have equal counts, but the images have {len(images)} bytes."
            )
        for image, label in zip(images.reshape(-1, 28, 28), labels, strict=True):
            yield {"label": int(label), "data": _jpeg(image)}

    def run(self) -> int:
        """Does the work of `transform` and returns 0."""
        schema = {"label": {"type": "int64"}, "data": {"type": "bytes"}}
        for part, ending in (("train", "train"), ("t10k", "test")):
            path = f"{self.destination}_{ending}.mindrecord"
            _write(path, self.partition_number, schema, "mnist_schema", ["label"], self._rows(part))
        return SUCCESS

    def transform(self) -> None:
        """Writes the files; `ValueError` if the files are not MNIST's."""
        self.run()


@faces("mindrecord")
class ImageNetToMR:
    """Converts folders of JPEG files to MindRecord: "label" of int32, "image" and "file_name".

    Args:
        map_file: a text file with lines of a folder's name and its label.
        image_dir: the folder of these folders; those that are missing are left out.
        destination: the file to write.
        partition_number: how many files it is divided into.

    Raises:
        ValueError: for an argument of another type.
    """

    def __init__(self, map_file: str, image_dir: str, destination: str, partition_number: int = 1) -> None:
        self.map_file, self.image_dir = _check_path("map_file", map_file), _check_path("image_dir", image_dir)
        self.destination, self.partition_number = (
            _check_path("destination", destination),
            _check_parts(partition_number),
        )

    def _folders(self) -> list[tuple[str, int]]:
        with reading("ImageNetToMR", self.map_file), open(self.map_file, encoding="utf-8") as file:
            pairs = [line.split() for line in file if line.strip()]
        found = []
        for pair in pairs:
            if len(pair) != 2 or not is_whole(pair[1], 2**63 - 1):
                raise ValueError(f"The lines of {self.map_file!r} must be a folder and a number, but got {pair}.")
            path = os.path.join(self.image_dir, pair[0])
            if os.path.isdir(path):
                found.append((path, int(pair[1])))
        if not found:
            raise ValueError(f"The 'image_dir' must hold folders that {self.map_file!r} names, but has none.")
        return found

    def _rows(self) -> Rows:
        for folder, label in self._folders():
            for name in sorted(os.listdir(folder)):
                path = os.path.join(folder, name)
                if name.endswith(("JPEG", "jpg")) and os.path.getsize(path):
                    with open(path, "rb") as file:
                        yield {"file_name": path, "label": label, "image": file.read()}

    def run(self) -> int:
        """Does the work of `transform` and returns 0."""
        schema = {"label": {"type": "int32"}, "image": {"type": "bytes"}, "file_name": {"type": "string"}}
        _write(self.destination, self.partition_number, schema, "imagenet_schema", ["label", "file_name"], self._rows())
        return SUCCESS

    def transform(self) -> None:
        """Writes the file; `OSError` if there is no map file, `ValueError` if it names no folder."""
        self.run()


def _csv_type(values: list[str]) -> str:
    """A text column's type: "int64", "float64", "bool" or "string"."""
    for kind, convert in (("int64", int), ("float64", float)):
        try:
            for value in values:
                convert(value or "nan")
        except ValueError:
            continue
        return kind
    return "bool" if all(value in ("True", "False", "TRUE", "FALSE", "true", "false") for value in values) else "string"


_CSV_VALUES: dict[str, Callable[[str], Any]] = {
    "int64": int,
    "float64": lambda text: float(text or "nan"),
    "bool": lambda text: int(text.lower() == "true"),
    "string": str,
}


@faces("mindrecord")
class CsvToMR:
    r"""Converts a comma-separated file to MindRecord; its first line names the columns, which are indexed.

    A column is int64, float64, int32 (of True and False) or string, as its values are.

    Args:
        source: the file.
        destination: the file to write.
        columns_list: the columns wanted, all if None.
        partition_number: how many files it is divided into.

    Raises:
        ValueError: for an argument of another type.

    >>> import ms_compat.dataset as ds
    >>> from ms_compat.mindrecord import CsvToMR
    >>> with open("table.csv", "w") as file:
    ...     _ = file.write("a,b\n1,x\n2,y\n")
    >>> CsvToMR("table.csv", "table.mindrecord").transform()
    >>> ds.MindDataset("table.mindrecord").get_dataset_size()
    2
    """

    def __init__(
        self, source: str, destination: str, columns_list: list[str] | None = None, partition_number: int = 1
    ) -> None:
        self.source, self.destination = _check_path("source", source), _check_path("destination", destination)
        if columns_list and not (
            isinstance(columns_list, list) and all(isinstance(name, str) for name in columns_list)
        ):
            raise ValueError(f"The 'columns_list' must be a list of str, but got {columns_list!r}.")
        self.columns_list, self.partition_number = columns_list, _check_parts(partition_number)

    def run(self) -> int:
        """Does the work of `transform` and returns 0."""
        opened = open(self.source, encoding="utf-8-sig", newline="")
        with reading("CsvToMR", self.source), opened as file:
            names, *lines = [line for line in csv.reader(file) if line] or [[]]
        for line in lines:
            if len(line) != len(names):
                raise ValueError(f"The rows of {self.source!r} must have {len(names)} fields, but one has {len(line)}.")
        chosen = self.columns_list or names
        for name in chosen:
            if name not in names:
                raise RuntimeError(f"The 'columns_list' names {name!r}, but {self.source!r} has the columns {names}.")
            if name.isdigit():
                raise ValueError(f"The first line of {self.source!r} must name columns, but holds the number {name!r}.")
        if not chosen:
            raise RuntimeError(f"{self.source!r} must begin with the names of its columns, but it is empty.")
        places = [names.index(name) for name in chosen]
        kinds = [_csv_type([line[place] for line in lines]) for place in places]
        schema = {name: {"type": "int32" if kind == "bool" else kind} for name, kind in zip(chosen, kinds, strict=True)}
        rows = (
            {name: _CSV_VALUES[kind](line[place]) for name, kind, place in zip(chosen, kinds, places, strict=True)}
            for line in lines
        )
        _write(self.destination, self.partition_number, schema, "csv_schema", list(chosen), rows)
        return SUCCESS

    def transform(self) -> None:
        """Writes the file.

        Raises:
            OSError: there is no source.
            ValueError: its rows have other lengths than its first, or that names no columns.
            RuntimeError: it is not a comma-separated text, or lacks a column.
            MRMInvalidSchemaError: the name of a column has other characters than letters, digits and "_".
        """
        self.run()


_VALID = str.maketrans(dict.fromkeys(set(string.punctuation + " ") - {"_"}, "_"))


@faces("mindrecord")
class TFRecordToMR:
    """Converts a TFRecord file to MindRecord.

    TensorFlow is not needed: any object with the `shape` and `dtype` of `tf.io.FixedLenFeature` works instead.
    Characters that MindRecord does not allow in names become "_".

    Args:
        source: the file.
        destination: the file to write.
        feature_dict: name to feature: of shape [] or [n] and of dtype string (shape [] only), int64 or float32.
        bytes_fields: names of string features that hold bytes.

    Raises:
        ValueError: for an argument of another type or a feature of another shape or dtype.
    """

    def __init__(
        self, source: str, destination: str, feature_dict: dict[str, Any], bytes_fields: list[str] | None = None
    ) -> None:
        self.source, self.destination = _check_path("source", source), _check_path("destination", destination)
        if not isinstance(feature_dict, dict):
            raise ValueError(f"The 'feature_dict' must be a dict, but got {feature_dict!r}.")
        if bytes_fields is not None and not isinstance(bytes_fields, list):
            raise ValueError(f"The 'bytes_fields' must be a list of str, but got {bytes_fields!r}.")
        self.feature_dict, self.bytes_fields_list = feature_dict, list(bytes_fields or ())
        for name in self.bytes_fields_list:
            if name not in feature_dict or self._dtype(name) != "string":
                raise ValueError(f"The 'bytes_fields' must name string features, but got {name!r}.")
        self.mindrecord_schema = {name.translate(_VALID): self._column(name) for name in feature_dict}

    def _dtype(self, name: str) -> str:
        dtype = getattr(self.feature_dict[name], "dtype", None)
        return str(getattr(dtype, "name", dtype))

    def _column(self, name: str) -> dict[str, Any]:
        shape, dtype = getattr(self.feature_dict[name], "shape", None), self._dtype(name)
        valid = (
            isinstance(shape, (list, tuple)) and len(shape) <= 1 and all(isinstance(n, int) and n > 0 for n in shape)
        )
        if not valid or dtype not in ("string", "int64", "float32") or (shape and dtype == "string"):
            raise ValueError(
                f"The 'feature_dict' must map to features of shape [] or [n] and of dtype string (shape [] only), "
                f"int64 or float32, but {name!r} has {shape!r} and {dtype}."
            )
        kind = "bytes" if name in self.bytes_fields_list else dtype
        return {"type": kind, "shape": list(shape)} if shape else {"type": kind}

    def _rows(self) -> Rows:
        from ms_compat.dataset.sources.example import parse_example
        from ms_compat.dataset.sources.tfrecord import TFRecordDataset

        for data in TFRecordDataset(self.source, shuffle=False)._records(self.source):
            held, row = parse_example(data), {}
            for name, column in zip(self.feature_dict, self.mindrecord_schema.items(), strict=True):
                values = held[name][1] if name in held else ()
                wanted = column[1].get("shape", [1])[0]
                if len(values) != wanted:
                    raise ValueError(f"The feature {name!r} must have {wanted} values, but a row has {len(values)}.")
                row[column[0]] = self._value(values, column[1])
            yield row

    @staticmethod
    def _value(values: Any, column: dict[str, Any]) -> Any:
        kind = column["type"]
        if "shape" in column:
            return np.asarray(values, kind)
        if kind in ("bytes", "string"):
            return bytes(values[0]) if kind == "bytes" else bytes(values[0]).decode()
        return int(values[0]) if kind == "int64" else float(values[0])

    def run(self) -> int:
        """Does the work of `transform` and returns 0."""
        if not os.path.isfile(self.source):
            raise OSError(f"There is no file {self.source!r}.")
        _write(self.destination, 1, self.mindrecord_schema, "TFRecord to MindRecord", [], self._rows())
        return SUCCESS

    def transform(self) -> None:
        """Writes the file; `OSError` if there is no source, `ValueError` if a row lacks a feature."""
        self.run()
