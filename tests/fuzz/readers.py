"""Every reader of files: how a sound file is made, how it is read, and which errors the documentation names."""

import gzip
import json
import os
import pathlib
import pickle
import shutil
import zlib
from collections import OrderedDict
from contextlib import redirect_stdout
from types import SimpleNamespace

import numpy as np
from PIL import Image

import ms_compat as ms
import ms_compat.dataset as ds
from ms_compat import mindrecord
from ms_compat._formats import contents
from ms_compat._formats.checkpoint.convert import convert_file
from ms_compat._formats.checkpoint.torch_zip import TorchReader
from ms_compat._formats.sliced import schema
from ms_compat.cli import inspect
from ms_compat.cli._scan import examine
from ms_compat.dataset import config, text, vision
from ms_compat.mindrecord.exceptions import MRMInvalidSchemaError
from ms_compat.train._model import resuming
from tests._formats.sliced import strategy
from tests._formats.torch_files import state_dict
from tests.conformance import dataset_archives as archives
from tests.conformance.dataset_tfrecord import tfrecord
from tests.fuzz import damage

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
    writer.set_header_size(1 << 14)
    writer.set_page_size(1 << 15)
    writer.add_schema({"n": {"type": "int64"}, "s": {"type": "string"}, "d": {"type": "bytes"},
                       "a": {"type": "int32", "shape": [-1]}}, "x")  # fmt: skip
    writer.write_raw_data([{"n": k, "s": "é", "d": b"ab", "a": np.arange(k + 1, dtype=np.int32)} for k in range(3)])
    writer.commit()
    return folder / f"a.mindrecord{ending}"


def scanned(folder):
    path = mind(folder)
    os.unlink(f"{path}.db")
    return path


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
        source = os.path.join(up(up(__file__)), "conformance", "data", "mindir")
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


def inspected():
    def read(path):
        with contents.opened(path) as held:
            return [inspect.statistics(entry.read()) for entry in held.entries if entry.read is not None]

    return read


def from_torch(path):
    target = f"{path}.out.ckpt"
    convert_file(path, target, api="convert")
    return ms.load_checkpoint(target)


def torch_state(folder):
    return state_dict(folder / "a.pt")


def legacy(folder):
    """What `torch.save` wrote before version 1.6: a magic number and pickles, one after the other."""
    data = b"".join(pickle.dumps(part, 2) for part in (0x1950A86A20F9469CFC6C, 1001, {"little_endian": True}))
    path = folder / "a.pt"
    path.write_bytes(data + pickle.dumps(OrderedDict(w=[1.0, 2.0]), 2) + pickle.dumps(["0"], 2) + b"\1" * 16)
    return path


def refused(path):
    """The whole file is refused, too."""
    try:
        TorchReader(path)
    except ValueError:
        return
    raise AssertionError("a pickle was read")


def arrays(save, ending):
    def make(folder):
        path = folder / f"a.{ending}"
        save(path)
        return path

    return make


ARRAYS = {"w": np.arange(6, dtype=np.float32).reshape(2, 3), "n": np.int64(3), "c": np.array([1 + 2j])}


def resumable(folder):
    """A checkpoint with the state of a training."""
    data = ds.NumpySlicesDataset({"x": np.ones((4, 2), np.float32), "y": np.ones((4, 1), np.float32)}, shuffle=False)
    net = ms.nn.Dense(2, 1)
    model = ms.Model(net, ms.nn.MSELoss(), ms.nn.Momentum(net.trainable_params(), 0.1, 0.9))
    config = ms.train.CheckpointConfig(2, resumable=True)
    with redirect_stdout(None):
        model.train(1, data.batch(2), [ms.train.ModelCheckpoint("a", str(folder), config), ms.train.EarlyStopping()])
    path = folder / "a-1_2.ckpt"
    path.chmod(0o600)
    return path


def mindrecord_rows(path):
    reader = mindrecord.FileReader(path)
    try:
        return list(reader.get_next())
    finally:
        reader.close()


def groups(folder):
    found = schema.ParallelGroupMap()
    found.ckpt_restore_rank_list.dim.extend([0, 4])
    return written(folder, "group_info.pb", {"group_info.pb": found.SerializeToString()})


FEATURES = {"a": SimpleNamespace(shape=[2], dtype="int64"), "b": SimpleNamespace(shape=[], dtype="string")}
CIFAR = pickle.dumps({b"data": np.zeros((2, 3072), np.uint8), b"labels": [1, 2]}, 2)
OF_DATA = (RuntimeError, ms.UnsupportedError)
OPTIONS = {"shuffle": False}
# a data set: (its name among the conformance tests' folders, the file that is damaged, how the folder is read)
FOLDERS = {
    "CMUArctic": ("arctic", "cmu_us_aew_arctic/etc/txt.done.data", lambda f: ds.CMUArcticDataset(f, "aew", **OPTIONS)),
    "Caltech101": ("caltech101", "Annotations/ant/annotation_0001.mat",
                   lambda f: ds.Caltech101Dataset(f, "annotation", **OPTIONS)),
    "CoNLL2000": ("tagged", "train.txt", lambda f: ds.CoNLL2000Dataset(f, "train", **OPTIONS)),
    "EMnist": ("emnist", "emnist-mnist-train-images-idx3-ubyte",
               lambda f: ds.EMnistDataset(f, "mnist", "train", **OPTIONS)),
    "Flickr": ("flickr", "good.token", lambda f: ds.FlickrDataset(f"{f}/images", f"{f}/good.token", **OPTIONS)),
    "Flowers102": ("flowers102", "setid.mat", lambda f: ds.Flowers102Dataset(f, "Classification", "train", **OPTIONS)),
    "Food101": ("food101", "meta/train.txt", lambda f: ds.Food101Dataset(f, "train", **OPTIONS)),
    "GTZAN": ("gtzan", "blues/blues.00000.wav", lambda f: ds.GTZANDataset(f, **OPTIONS)),
    "IWSLT2016": ("iwslt2016", "texts/de/en/de-en/IWSLT16.TED.tst2013.de-en.de.xml",
                  lambda f: ds.IWSLT2016Dataset(f, "valid", ["de", "en"], **OPTIONS)),
    "KITTI": ("kitti", "data_object_label_2/training/label_2/000000.txt",
              lambda f: ds.KITTIDataset(f, "train", **OPTIONS)),
    "LFW": ("lfw", "people.txt", lambda f: ds.LFWDataset(f, "people", "10fold", **OPTIONS)),
    "LibriTTS": ("libritts", "dev-clean/84/121123/84_121123.trans.tsv",
                 lambda f: ds.LibriTTSDataset(f, "dev-clean", **OPTIONS)),
    "Multi30k": ("multi30k", "training/train.de", lambda f: ds.Multi30kDataset(f, "train", **OPTIONS)),
    "PhotoTour": ("phototour", "liberty/info.txt", lambda f: ds.PhotoTourDataset(f, "liberty", "train", **OPTIONS)),
    "PhotoTour, pairs": ("phototour", "liberty/m50_100000_100000_0.txt",
                         lambda f: ds.PhotoTourDataset(f, "liberty", "test", **OPTIONS)),
    "Places365": ("places365", "places365_val.txt", lambda f: ds.Places365Dataset(f, "val", **OPTIONS)),
    "QMnist": ("qmnist", "qmnist-train-labels-idx2-int", lambda f: ds.QMnistDataset(f, "train", **OPTIONS)),
    "SBD": ("sbd", "cls/2008_000002.mat", lambda f: ds.SBDataset(f, "Segmentation", "all", **OPTIONS)),
    "SBD, boundaries": ("sbd", "cls/2008_000002.mat", lambda f: ds.SBDataset(f, "Boundaries", "all", **OPTIONS)),
    "SBU": ("sbu", "SBU_captioned_photo_dataset_urls.txt", lambda f: ds.SBUDataset(f, **OPTIONS)),
    "SQuAD": ("squad", "one/train-v1.1.json", lambda f: ds.SQuADDataset(f"{f}/one", "train", **OPTIONS)),
    "SUN397": ("sun397", "ClassName.txt", lambda f: ds.SUN397Dataset(f, **OPTIONS)),
    "Tedlium": ("tedlium", "one/dev/stm/Al_2009.stm",
                lambda f: ds.TedliumDataset(f"{f}/one", "release1", "dev", **OPTIONS)),
    "Tedlium, sound": ("tedlium", "one/dev/sph/Al_2009.sph",
                       lambda f: ds.TedliumDataset(f"{f}/one", "release1", "dev", **OPTIONS)),
    "UDPOS": ("tagged", "en-ud-tag.v2.train.txt", lambda f: ds.UDPOSDataset(f, "train", **OPTIONS)),
    "WIDERFace": ("widerface", "wider_face_split/wider_face_train_bbx_gt.txt",
                  lambda f: ds.WIDERFaceDataset(f, "train", **OPTIONS)),
}  # fmt: skip


def of_folder(kind, name, read):
    return archive(kind, name), lambda path: rows(read(path[: -len(name) - 1])), OF_DATA


class Branch(ms.nn.Cell):
    """A condition, a matrix and an open size, for exported files."""

    def __init__(self):
        super().__init__()
        self.dense = ms.nn.Dense(2, 3)

    def construct(self, x):
        return self.dense(x * 2 if x.sum() > 0 else x)


def picture(format):
    def make(folder):
        path = folder / f"a.{format.lower()}"
        Image.fromarray(archives.values(5, 6, 3)).save(path, format)
        return path

    return make


def onnx_file(folder):
    ms.onnx.export(Branch(), ms.Tensor(shape=[None, 2], dtype=ms.float32), file_name=str(folder / "a"))
    return folder / "a.onnx"


def stablehlo_file(folder):
    ms.interop.jax.export(Branch(), ms.Tensor(np.ones((2, 2), np.float32)), str(folder / "a"), sizes="b, 2")
    return folder / "a.stablehlo"


def sentence_model(folder):
    kinds = text.SentencePieceModel
    corpus = written(folder, "corpus.txt", archives.FILES["sentences"]())
    vocab = text.SentencePieceVocab.from_file([str(corpus)], 40, 0.9995, kinds.UNIGRAM, {})
    text.SentencePieceVocab.save_model(vocab, str(folder), "a.model")
    return folder / "a.model"


def tokens(path):
    return text.SentencePieceTokenizer(path, text.SPieceTokenizerOutType.STRING)("one two")


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
        mindir("AES-GCM.mindir"), lambda p: ms.load(p, dec_key=damage.KEY, dec_mode="AES-GCM"), OF_DATA),
    "MindIR, Parameters": (
        mindir("large_variables/data_0"),
        lambda p: ms.load(os.path.join(up(up(p)), "large_graph.mindir")), OF_DATA),
    "strategy, protobuf": (
        strategies, lambda p: ms.build_searched_strategy(p), (ValueError, TypeError)),
    "ckpt, encrypted": (
        checkpoint("ckpt", enc_key=damage.KEY), lambda p: ms.load_checkpoint(p, dec_key=damage.KEY, dec_mode="AES-GCM"),
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
    "torch": (torch_state, inspected(), ValueError),
    "torch, convert": (torch_state, from_torch, (ValueError, TypeError)),
    "torch, older": (legacy, refused, ValueError),
    "npz": (arrays(lambda p: np.savez(p, **ARRAYS), "npz"), inspected(), ValueError),
    "npz, packed": (arrays(lambda p: np.savez_compressed(p, **ARRAYS), "npz"), inspected(), ValueError),
    "npy": (arrays(lambda p: np.save(p, np.arange(6.0)), "npy"), inspected(), ValueError),
    "inspect ckpt": (checkpoint("ckpt"), inspected(), (ValueError, ms.UnsupportedError)),
    "inspect safetensors": (checkpoint("safetensors"), inspected(), (ValueError, ms.UnsupportedError)),
    "inspect MindIR": (mindir("if.mindir"), inspected(), OF_DATA),
    "safetensors, checksum": (
        checkpoint("safetensors", crc_check=True),
        lambda p: ms.load_checkpoint(p, format="safetensors", crc_check=True),
        (ValueError, ms.UnsupportedError)),
    "safetensors to ckpt": (
        checkpoint("safetensors"),
        lambda p: convert_file(p, f"{p}.out.ckpt", api="convert"), (ValueError, ms.UnsupportedError)),
    "ckpt to safetensors": (
        checkpoint("ckpt"),
        lambda p: convert_file(p, f"{p}.out.safetensors", api="convert"), (ValueError, TypeError, ms.UnsupportedError)),
    "resume": (resumable, resuming.find, (ValueError, ms.UnsupportedError)),
    "load_mindir": (mindir("block.mindir"), ms.load_mindir, ValueError),
    "FileReader": (mind, mindrecord_rows, OF_DATA),
    "group info": (groups, ms.restore_group_info_list, (ValueError, TypeError)),
    "strategy": (layout, lambda p: ms.build_searched_strategy(p), (ValueError, TypeError)),
    "inspect ONNX": (onnx_file, inspected(), ValueError),
    "inspect StableHLO": (stablehlo_file, inspected(), ValueError),
    "SentencePiece": (sentence_model, tokens, RuntimeError),
    "video": (archive("videos", "clip.avi"), vision.read_video, RuntimeError),
    **{name: (picture(name), vision.read_image, RuntimeError) for name in ("BMP", "TIFF")},
    **{name: (picture(name), lambda p: np.asarray(vision.Decode(to_pil=True)(np.fromfile(p, np.uint8))),
              (ValueError, Image.DecompressionBombError)) for name in ("GIF", "WEBP")},
    **{f"{name}, Decode": (picture(name), lambda p: vision.Decode()(np.fromfile(p, np.uint8)), RuntimeError)
       for name in ("BMP", "JPEG", "TIFF")},
    **{name: of_folder(*given) for name, given in FOLDERS.items()},
}  # fmt: skip

_EXAMPLES = [damage.RECORDS, damage.LENGTHS]
# reader: the ways to take its file apart, damage a piece, and repair what goes around it
PARTS = {
    "torch": [damage.ZIP, damage.ZIP_DIRECTORY, damage.PICKLE],
    "torch, convert": [damage.ZIP, damage.ZIP_DIRECTORY, damage.PICKLE],
    "npz": [damage.ZIP, damage.ZIP_DIRECTORY],
    "npz, packed": [damage.ZIP_PACKED, damage.ZIP_DIRECTORY],
    "ckpt, checksum": [damage.CKPT_CRC],
    "ckpt, encrypted": [damage.ENCRYPTED],
    "MindIR, encrypted": [damage.ENCRYPTED],
    "resume": [damage.CKPT_CRC, damage.STATE, damage.STATE_JSON],
    "TFRecord": _EXAMPLES,
    "TFRecord, GZIP": [damage.GZIP, *(damage.within(damage.GZIP, part) for part in _EXAMPLES)],
    "TFRecord, ZLIB": [damage.ZLIB, *(damage.within(damage.ZLIB, part) for part in _EXAMPLES)],
    "TFRecordToMR": _EXAMPLES,
    "MnistToMR": [damage.GZIP],
    "image": [damage.PNG],
    **dict.fromkeys(["safetensors", "safetensors, checksum", "inspect safetensors", "safetensors to ckpt"],
                    [damage.SAFETENSORS, damage.SAFETENSORS_JSON]),
    **dict.fromkeys(["MindDataset", "MindDataset, scanned", "FileReader"], [damage.MINDRECORD, damage.MINDRECORD_JSON]),
    **dict.fromkeys(["Manifest", "COCO", "COCO, panoptic", "CLUE", "Schema", "deserialize", "config", "Cityscapes",
                     "strategy", "a notebook"], [damage.JSON]),
}  # fmt: skip
