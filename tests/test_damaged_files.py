"""Every reader of files, given damaged ones: it succeeds or raises what its documentation names, in bounded time.

The damage is random but seeded: bytes and words changed, cut, doubled, put elsewhere. `FUZZ_ROUNDS` makes the search
longer (20 a reader here).
"""

import gzip
import json
import os
import pathlib
import pickle
import random
import shutil
import time
import zlib
from types import SimpleNamespace

import numpy as np
import pytest

import ms_compat as ms
import ms_compat.dataset as ds
from ms_compat import mindrecord
from ms_compat._formats.sliced import schema
from ms_compat.cli._scan import examine
from ms_compat.dataset import config, text, vision
from ms_compat.mindrecord.exceptions import MRMInvalidSchemaError
from tests._formats.sliced import strategy
from tests.conformance import dataset_archives as archives
from tests.conformance.dataset_tfrecord import tfrecord

ROUNDS = int(os.environ.get("FUZZ_ROUNDS", "20"))
SECONDS = 10.0  # for one damaged file; sound ones take milliseconds
WORDS = [b"NaN", b"Infinity", b"-1", b"1e999", b"[" * 3000, b"9" * 5000, b'"', b"\xff\xfe", b"\x00", b"{}", b"null"]


up = os.path.dirname


def rows(data):
    return [len(row) for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]


def written(folder, name, files):
    """The files of a data set as the conformance tests have them; the path of one."""
    for place, data in files.items():
        path = folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.replace(b"{root}", str(folder).encode()) if place.endswith(".manifest") else data)
    return folder / name


def archive(kind, name):
    return lambda folder: written(folder, name, archives.FILES[kind]())


def single(name, data):
    return lambda folder: written(folder, name, {name: data})


def mind(folder, ending=""):
    path = folder / "a.mindrecord"
    writer = mindrecord.FileWriter(str(path))
    writer.add_schema({"n": {"type": "int64"}, "s": {"type": "string"}, "d": {"type": "bytes"},
                       "a": {"type": "int32", "shape": [-1]}}, "x")  # fmt: skip
    writer.write_raw_data([{"n": k, "s": "é", "d": b"ab", "a": np.arange(k + 1, dtype=np.int32)} for k in range(3)])
    writer.commit()
    return folder / f"a.mindrecord{ending}"


def scanned(folder):
    path = mind(folder)
    os.unlink(f"{path}.db")
    return path


def header_only(data, change):
    """Damage at the start of a MindRecord file, which is empty pages for the most part."""
    return change(data[:1500]) + data[1500:]


EXAMPLES = tfrecord([{"a": [1, 2], "b": [b"text"], "c": [1.5]} for _ in range(3)])
VALUES = {"w": ms.Tensor(np.arange(6, dtype=np.float32).reshape(2, 3)), "b": ms.Tensor(np.ones(3, np.int8))}


def checkpoint(format, **options):
    def make(folder):
        ms.save_checkpoint(VALUES, str(folder / f"a.{format}"), format=format, append_dict={"epoch": 3}, **options)
        path = folder / f"a.{format}"
        path.chmod(0o600)
        return path

    return make


def mindir(name):
    def make(folder):
        source = os.path.join(os.path.dirname(__file__), "conformance", "data", "mindir")
        shutil.copytree(source, folder, dirs_exist_ok=True)
        return folder / name

    return make


def pipeline(folder):
    data = ds.NumpySlicesDataset({"a": np.arange(4), "t": ["a", "b", "c", "d"]}, shuffle=False)
    data = data.map(vision.Resize((2, 2)), "a").batch(2).repeat(2)
    ds.serialize(data, str(folder / "a.json"))
    return folder / "a.json"


def mnist_gz(folder):
    files = archives.mnist_like("{}-{}-ubyte.gz", {"train": 3, "t10k": 2})
    return written(folder, "train-images-idx3-ubyte.gz", {name: gzip.compress(data) for name, data in files.items()})


def cifar(folder):
    return written(folder, "data_batch_1.bin", {"data_batch_1.bin": bytes(3073 * 2), "test_batch.bin": bytes(3073)})


def layout(folder):
    path = folder / "strategy.json"
    item = {"dev_matrix": [2], "tensor_map": [0, -1], "tensor_shape": [2, 3], "opt_weight_shard_step": 0,
            "opt_weight_shard_size": 0, "field": 0, "param_split_shape": [], "indices_offset": []}  # fmt: skip
    path.write_text(json.dumps({"current_stage": 0, "parallel_strategy_item": {}, "parallel_layout_item": {"w": item}}))
    return path


def converted(kind, *arguments):
    def read(path):
        folder = os.path.dirname(path)
        given = [folder if argument is None else argument for argument in arguments]
        kind(*[item.format(path=path) if isinstance(item, str) else item for item in given]).transform()

    return read


def strategies(folder):
    path = folder / "a.ckpt"
    path.write_bytes(strategy(schema, [2, 4], {"w": ([0, -1], 0, 0)}))
    return path


KEY = b"0123456789abcdef"
FEATURES = {"a": SimpleNamespace(shape=[2], dtype="int64"), "b": SimpleNamespace(shape=[], dtype="string")}
CIFAR = pickle.dumps({b"data": np.zeros((2, 3072), np.uint8), b"labels": [1, 2]}, 2)
OF_DATA = (RuntimeError, ms.UnsupportedError)
# reader: (makes the sound file, reads it, what its documentation names)
READERS = {
    "MindDataset": (mind, lambda p: rows(ds.MindDataset(p, shuffle=False)), OF_DATA),
    "MindDataset, scanned": (scanned, lambda p: rows(ds.MindDataset(p, shuffle=False)), OF_DATA),
    "MindDataset, index": (lambda f: mind(f, ".db"), lambda p: rows(ds.MindDataset(p[:-3], shuffle=False)), OF_DATA),
    "TFRecord": (single("a.tfrecord", EXAMPLES), lambda p: rows(ds.TFRecordDataset(p, shuffle=False)), OF_DATA),
    "TFRecord, GZIP": (
        single("a.tfrecord", gzip.compress(EXAMPLES)),
        lambda p: rows(ds.TFRecordDataset(p, shuffle=False, compression_type="GZIP")), OF_DATA),
    "TFRecord, ZLIB": (
        single("a.tfrecord", zlib.compress(EXAMPLES)),
        lambda p: rows(ds.TFRecordDataset(p, shuffle=False, compression_type="ZLIB")), OF_DATA),
    "CSV": (single("a.csv", b'a,b\n1,"x y"\n2,z\n'), lambda p: rows(ds.CSVDataset(p, shuffle=False)), OF_DATA),
    "text": (single("a.txt", b"one\ntwo\n\xc3\xa9\n"), lambda p: rows(ds.TextFileDataset(p, shuffle=False)), OF_DATA),
    "CLUE": (
        single("a.json", b'{"sentence1": "a", "sentence2": "b", "label": "0"}\n' * 3),
        lambda p: rows(ds.CLUEDataset(p, task="AFQMC", usage="train", shuffle=False)), OF_DATA),
    "Manifest": (
        archive("manifest", "all.manifest"),
        lambda p: rows(ds.ManifestDataset(p, shuffle=False)), (*OF_DATA, FileNotFoundError, ValueError)),
    "COCO": (
        archive("coco", "instances.json"),
        lambda p: rows(ds.CocoDataset(os.path.join(up(p), "images"), p, shuffle=False)), OF_DATA),
    "COCO, panoptic": (
        archive("coco", "panoptic.json"),
        lambda p: rows(ds.CocoDataset(os.path.join(up(p), "images"), p, "Panoptic", shuffle=False)), OF_DATA),
    "VOC": (
        archive("voc", "Annotations/1.xml"),
        lambda p: rows(ds.VOCDataset(up(up(p)), "Detection", "train", shuffle=False)), OF_DATA),
    "VOC, list": (
        archive("voc", "ImageSets/Main/train.txt"),
        lambda p: rows(ds.VOCDataset(p.partition("/ImageSets")[0], "Detection", "train", shuffle=False)), OF_DATA),
    "KMnist": (
        archive("kmnist", "train-images-idx3-ubyte"),
        lambda p: rows(ds.KMnistDataset(up(p), "train", shuffle=False)), OF_DATA),
    "Cifar10": (cifar, lambda p: rows(ds.Cifar10Dataset(up(p), "train", shuffle=False)), OF_DATA),
    "Semeion": (
        archive("semeion", "semeion.data"), lambda p: rows(ds.SemeionDataset(up(p), shuffle=False)), OF_DATA),
    "USPS": (archive("usps", "usps"), lambda p: rows(ds.USPSDataset(up(p), "train", shuffle=False)), OF_DATA),
    "SVHN": (
        archive("svhn", "train_32x32.mat"),
        lambda p: rows(ds.SVHNDataset(up(p), "train", shuffle=False)), OF_DATA),
    "Schema": (
        single("s.json", b'{"columns": {"a": {"type": "int32", "rank": 1, "shape": [2]}, "b": {"type": "string"}}}'),
        ds.Schema, (RuntimeError, TypeError, ValueError)),
    "deserialize": (
        pipeline, lambda p: ds.deserialize(json_filepath=p), (RuntimeError, TypeError, ms.UnsupportedError)),
    "config": (single("c.json", b'{"prefetch_size": 8, "num_parallel_workers": 2}'), config.load,
               (RuntimeError, TypeError, ValueError)),
    "Vocab": (single("v.txt", b"one\ntwo\nthree\n\xc3\xa9\n"), text.Vocab.from_file, RuntimeError),
    "Vectors": (archive("vectors", "glove.6B.3d.txt"), text.GloVe.from_file, RuntimeError),
    "image": (single("a.png", archives.png(archives.values(5, 6, 3))),
              lambda p: vision.Decode()(np.fromfile(p, np.uint8)), (RuntimeError, TypeError, ValueError)),
    "JPEG": (single("a.jpg", archives.jpeg(archives.values(5, 6, 3))), vision.read_image, RuntimeError),
    "MnistToMR": (mnist_gz, converted(mindrecord.MnistToMR, None, "{path}.out"), ValueError),
    "CsvToMR": (single("a.csv", b"a,b\n1,x\n2,y\n"), converted(mindrecord.CsvToMR, "{path}", "{path}.out"),
                (RuntimeError, ValueError, MRMInvalidSchemaError)),
    "ckpt": (checkpoint("ckpt"), ms.load_checkpoint, (ValueError, ms.UnsupportedError)),
    "ckpt, checksum": (
        checkpoint("ckpt", crc_check=True), lambda p: ms.load_checkpoint(p, crc_check=True),
        (ValueError, ms.UnsupportedError)),
    "safetensors": (
        checkpoint("safetensors"), lambda p: ms.load_checkpoint(p, format="safetensors"),
        (ValueError, ms.UnsupportedError)),
    "MindIR": (mindir("if.mindir"), ms.load, OF_DATA),
    "MindIR, block": (mindir("block.mindir"), ms.load, OF_DATA),
    "MindIR, encrypted": (
        mindir("AES-GCM.mindir"), lambda p: ms.load(p, dec_key=b"0123456789abcdef", dec_mode="AES-GCM"), OF_DATA),
    "MindIR, Parameters": (
        mindir("large_variables/data_0"),
        lambda p: ms.load(os.path.join(up(up(p)), "large_graph.mindir")), OF_DATA),
    "strategy, protobuf": (
        strategies, lambda p: ms.build_searched_strategy(p), (ValueError, TypeError)),
    "ckpt, encrypted": (
        checkpoint("ckpt", enc_key=KEY), lambda p: ms.load_checkpoint(p, dec_key=KEY, dec_mode="AES-GCM"),
        (ValueError, ms.UnsupportedError)),
    "STL10": (archive("stl10", "train_y.bin"), lambda p: rows(ds.STL10Dataset(up(p), "train", shuffle=False)), OF_DATA),
    "WAV": (
        archive("speech", "yesno/0_1_1_0_1_0_1_1.wav"), lambda p: rows(ds.YesNoDataset(up(p), shuffle=False)), OF_DATA),
    "LJSpeech": (
        archive("speech", "lj/metadata.csv"), lambda p: rows(ds.LJSpeechDataset(up(p), shuffle=False)), OF_DATA),
    "SpeechCommands": (
        archive("speech", "commands/testing_list.txt"),
        lambda p: rows(ds.SpeechCommandsDataset(up(p), "test", shuffle=False)), OF_DATA),
    "CelebA": (
        archive("folders", "celeba/list_attr_celeba.txt"),
        lambda p: rows(ds.CelebADataset(up(p), shuffle=False)), OF_DATA),
    "Cityscapes": (
        archive("folders", "city/gtFine/train/bonn/bonn_0_1_gtFine_polygons.json"),
        lambda p: rows(ds.CityscapesDataset(p.partition("/gtFine")[0], "train", "fine", "polygon", shuffle=False)),
        OF_DATA),
    "AGNews": (
        archive("news", "three/train.csv"), lambda p: rows(ds.AGNewsDataset(up(p), "train", shuffle=False)), OF_DATA),
    "SST2": (archive("lines", "train.tsv"), lambda p: rows(ds.SST2Dataset(up(p), "train", shuffle=False)), OF_DATA),
    "PennTreebank": (
        archive("lines", "ptb.train.txt"),
        lambda p: rows(ds.PennTreebankDataset(up(p), "train", shuffle=False)), OF_DATA),
    "IMDB": (
        archive("lines", "train/pos/0_3.txt"),
        lambda p: rows(ds.IMDBDataset(up(up(up(p))), "train", shuffle=False)), OF_DATA),
    "TFRecordToMR": (
        single("a.tfrecord", EXAMPLES),
        converted(mindrecord.TFRecordToMR, "{path}", "{path}.out", FEATURES), (ValueError, RuntimeError)),
    "ImageNetToMR": (
        lambda f: written(f, "map.txt", {"map.txt": b"x 1\ny 2\n", "x/a.jpg": b"j", "y/b.JPEG": b"k"}),
        converted(mindrecord.ImageNetToMR, "{path}", None, "{path}.out"), (ValueError, RuntimeError)),
    "Cifar10ToMR": (
        lambda f: written(f, "data_batch_1", dict.fromkeys(("data_batch_1", "test_batch"), CIFAR)),
        converted(mindrecord.Cifar10ToMR, None, "{path}.out"), ValueError),
    "a program": (
        single("a.py", b"import mindspore as ms\nfrom mindspore import ops\nprint(ops.relu(ms.Tensor([1.0])))\n"),
        lambda p: examine([pathlib.Path(p)]), ()),
    "a notebook": (
        single("a.ipynb", b'{"cells": [{"cell_type": "code", "source": ["%time x = 1\\n", "!ls\\n"]}]}'),
        lambda p: examine([pathlib.Path(p)]), ()),
    "strategy": (layout, lambda p: ms.build_searched_strategy(p), (ValueError, TypeError)),
}  # fmt: skip


def damaged(data, chance):
    """The bytes with one to three kinds of damage."""
    data = bytearray(data)
    for _ in range(chance.randint(1, 3)):
        at, count = chance.randrange(len(data) + 1), chance.choice([1, 1, 2, 8, 40])
        kind = chance.randrange(6)
        if kind == 0:
            data[at : at + count] = chance.randbytes(len(data[at : at + count]))
        elif kind == 1:
            del data[at:]
        elif kind == 2:
            del data[at : at + count]
        elif kind == 3:
            data[at:at] = data[at : at + count]
        elif kind == 4:
            data[at : at + chance.choice([0, 1])] = chance.choice(WORDS)
        elif data:
            data[at % len(data)] = chance.choice([0, 1, 127, 128, 255])
    return bytes(data)


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.filterwarnings("ignore")
def test_a_damaged_file_gives_a_documented_error(reader, tmp_path):
    make, read, documented = READERS[reader]
    path = make(tmp_path)
    whole = path.read_bytes()
    read(str(path))
    for number in range(ROUNDS):
        chance = random.Random(f"{reader} {number}")
        if path.suffix == ".mindrecord" and number % 2:  # the pages are empty for the most part: damage the header
            data = header_only(whole, lambda part, chance=chance: damaged(part, chance))
        else:
            data = damaged(whole, chance)
        path.write_bytes(data)
        for left in tmp_path.glob("*.out*"):
            left.unlink()
        begin = time.monotonic()
        try:
            read(str(path))
        except documented as error:
            assert type(error) is not RecursionError, number
        except OSError as error:
            assert error.filename is not None, (number, error)  # the system's own, about a file that is named
        except Exception as error:
            raise AssertionError(f"round {number}: {type(error).__name__}: {error}") from error
        assert time.monotonic() - begin < SECONDS, number
