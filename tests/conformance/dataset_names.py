"""The names that recorded dataset cases see: the recorder gives MindSpore, the tests ms_compat.

This file imports neither. Cases are evaluated by `evaluate`, compared by `replay.differences`.
"""

import base64
import gzip
import hashlib
import io
import json
import math
import re
import tempfile
import zlib
from pathlib import Path

import numpy as np

from tests.conformance import dataset_archives, replay
from tests.conformance.dataset_tfrecord import tfrecord


def img(height, width, channels=3, dtype=np.uint8):
    """An image of scattered values, made without a random generator."""
    n = np.arange(height * width * (channels or 1), dtype=np.int64)
    shape = (height, width, channels) if channels else (height, width)
    return ((n * 37 + n * n * 11) % 256).reshape(shape).astype(dtype)


def photo(height, width, channels=3):
    """An image of smooth values."""
    y, x = np.mgrid[0:height, 0:width]
    planes = [127 + 90 * np.sin(x / (3.0 + k) + k) + 37 * np.cos(y / (2.0 + k)) for k in range(channels)]
    return np.clip(np.stack(planes, -1), 0, 255).astype(np.uint8)


def ramp(*shape, dtype="float32"):
    """An array of 0, 1, 2, ..."""
    return np.arange(math.prod(shape)).reshape(shape).astype(dtype)


def noise(*shape, dtype="uint8"):
    """An image of noise over the whole range of an integer dtype; of a float dtype, of bytes."""
    made = np.random.RandomState(0).randint(0, 256, shape)
    wide = {"uint16": 257 * made, "int16": 250 * (made - 128), "int32": 2**23 * (made - 128), "bool": made > 127}
    return wide.get(dtype, made).astype(dtype)


def digest(array):
    """What tells whether two arrays are equal to the last bit."""
    return f"{array.dtype}{array.shape} {hashlib.sha1(np.ascontiguousarray(array).tobytes()).hexdigest()[:16]}"


IMAGES = {
    name: img(4, 5).astype(name)
    for name in "bool int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 float32 float64".split()
} | {
    "str": np.array([["a", "b"]]),
    "rank 2": img(4, 5, 0),
    "1 channel": img(4, 5, 1),
    "2 channels": img(4, 5, 2),
    "4 channels": img(4, 5, 4),
    "batch": np.stack([img(4, 5)] * 2),
    "rank 1": np.arange(5, dtype=np.uint8),
    "rank 0": np.array(3, np.uint8),
}


def wave(*shape, dtype=np.float64):
    """A waveform inside of [-1, 1], made without a random generator."""
    n = np.arange(math.prod(shape))
    return (0.6 * np.sin(0.35 * n) + 0.3 * np.cos(0.013 * n * n)).reshape(shape).astype(dtype)


def spec(*shape, dtype=np.float64):
    """A spectrogram: positive values of different size."""
    n = np.arange(math.prod(shape))
    return (1.1 + np.sin(1.7 * n) + 0.5 * (n % 7)).reshape(shape).astype(dtype)


def bursts(count):
    """A quiet waveform with a loud half."""
    return wave(count) * np.where(np.arange(count) < count // 2, 0.001, 1.0)


FOLDER = tempfile.TemporaryDirectory()  # removed when the process ends


class Rows:
    """A random-access source of rows (i, [i, 10 i])."""

    def __init__(self, count=5):
        self.count = count

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        return np.array(index), np.array([index, index * 10], np.int32)


class Unsized:
    """A random-access source without a length."""

    def __getitem__(self, index):
        return index


class Again:
    """An iterable that starts over."""

    def __iter__(self):
        self.at = 0
        return self

    def __next__(self):
        self.at += 1
        if self.at > 3:
            raise StopIteration
        return (self.at,)


class Sized(Again):
    """An iterable that knows its length."""

    def __len__(self):
        return 3


def four():
    """A generator of four rows (int, float)."""
    for k in range(4):
        yield (k, k * 0.5)


def failing(*_):
    """A function that always fails."""
    raise KeyError("boom")


def namespace(ms):
    """The names for one case."""
    ds = ms.dataset
    generator = ds.GeneratorDataset

    def pairs(count=5):
        return generator(Rows(count), ["a", "b"], shuffle=False)

    def one(count=5, name="a"):
        return generator(list(range(count)), [name], shuffle=False)

    def rows(data):
        return list(data.create_dict_iterator(num_epochs=1, output_numpy=True))

    def lists(data):
        return [[item.tolist() for item in row] for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]

    def flat(data):
        return [row[0].tolist() for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]

    def value(item):
        return generator([(item,)], ["a"], shuffle=False)

    def sampled(sampler, count=6):
        return flat(generator(list(range(count)), ["a"], sampler=sampler))

    def size(sampler, count=6):
        return generator(list(range(count)), ["a"], sampler=sampler).get_dataset_size()

    class Backwards(ds.Sampler):
        def __iter__(self):
            yield from range(self.dataset_size - 1, -1, -2)

    def failing_rows(mode, bad):
        """A map that fails for some of four rows, under an `ErrorSamplesMode`."""

        def ten_times(x):
            if int(x) in bad:
                raise ValueError("bad")
            return x * 10

        ds.config.set_error_samples_mode(getattr(ds.config.ErrorSamplesMode, mode))
        try:
            return flat(one(4).map(ten_times, ["a"]))
        finally:
            ds.config.set_error_samples_mode(ds.config.ErrorSamplesMode.RETURN)

    class First(ds.Sampler):
        """The user's sampler of the first `count` rows."""

        def __init__(self, count, num_samples=None):
            super().__init__(num_samples)
            self.count = count

        def __iter__(self):
            yield from range(self.count)

    class Firsts(First):
        """The same with a length."""

        def __init__(self, count, length):
            self.length = length
            super().__init__(count)

        def __len__(self):
            return self.length

    class Wandering(ds.Sampler):
        """A sampler with a state: the first epoch takes one row, the next two."""

        taken = 0

        def __iter__(self):
            self.taken += 1
            yield from range(self.taken)

    class Loaded(ds.dataloader.Dataset):
        def __init__(self, count):
            self.count = count

        def __getitem__(self, index):
            return np.array([index, index * 2], np.float32), index

        def __len__(self):
            return self.count

    class Streamed(ds.dataloader.IterableDataset):
        def __iter__(self):
            return iter(range(5))

    def child(top, below):
        top.add_child(below)
        return top

    def adding(sampler):
        data = one(6)
        data.add_sampler(sampler)
        return flat(data)

    def using(sampler):
        data = one(6)
        data.use_sampler(sampler)
        return flat(data)

    def picture(array):
        from PIL import Image

        return Image.fromarray(array)

    def encoded(array, kind="PNG"):
        out = io.BytesIO()
        picture(array).save(out, kind)
        return np.frombuffer(out.getvalue(), np.uint8)

    def epochs(iterator, count):
        return [[row[0].tolist() for row in iterator] for _ in range(count)]

    def seeded(seed, make, count=3):
        """The epochs of a pipeline that is made under a seed."""
        before = ds.config.get_seed()
        ds.config.set_seed(seed)
        try:
            return epochs(make().create_tuple_iterator(num_epochs=count, output_numpy=True), count)
        finally:
            ds.config.set_seed(before)

    def shuffling(count=12, **how):
        return ds.NumpySlicesDataset(np.arange(count), ["x"], **how)

    def texts(**how):
        """Three files of lines, read by one thread."""
        files = folder({f"t{k}": "".join(f"{k}{i}\n" for i in range(3 + k)).encode() for k in range(3)})
        return ds.TextFileDataset([f"{files}/t{k}" for k in range(3)], num_parallel_workers=1, **how)

    def joined(sampler):
        data = shuffling(12, shuffle=False).concat(shuffling(6, shuffle=False).map(lambda x: x + 100))
        data.use_sampler(sampler)
        return data

    def after(statement):
        eval(statement, names)
        return names

    def folder(files):
        """A new folder with files, name to bytes; it goes with the process."""
        root = Path(tempfile.mkdtemp(dir=FOLDER.name))
        for name, data in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_bytes(data)
        return str(root)

    def archive(name):
        """A new folder with the files of one of the datasets in dataset_archives.py."""
        root = folder({})
        made = dataset_archives.FILES[name]()
        for file, data in made.items():
            path = Path(root) / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data.replace(b"{root}", root.encode()) if file.endswith(".manifest") else data)
        return root

    def pieces(kind, size, text, out="STRING", coverage=0.9995, options=None, from_file=False):
        """What a tokenizer makes of a text, with a model that is trained on few words."""
        path, model = archive("sentences") + "/corpus.txt", getattr(ds.text.SentencePieceModel, kind)
        vocab = ds.text.SentencePieceVocab.from_file([path], size, coverage, model, options or {})
        if from_file:
            ds.text.SentencePieceVocab.save_model(vocab, path[:-11], "a.model")
            vocab = path[:-11] + "/a.model"
        return ds.text.SentencePieceTokenizer(vocab, getattr(ds.text.SPieceTokenizerOutType, out))(text)

    def jieba(mode="MIX", *added, files=(), offsets=False):
        """A JiebaTokenizer of the small files, or of other contents of them, to which words were added."""
        made = {name: data.encode() if isinstance(data, str) else data for name, data in dict(files).items()}
        root = folder(dataset_archives.jieba() | made)
        names = ms.dataset.text
        tokenizer = names.JiebaTokenizer(root + "/model", root + "/words", getattr(names.JiebaMode, mode), offsets)
        for word in added:
            tokenizer.add_word(*word) if isinstance(word, tuple) else tokenizer.add_dict(word)
        return tokenizer

    def listed(text):
        """The path of a file."""
        return folder({"list": text.encode()}) + "/list"

    def model(*replaced):
        """The model's file with some of its lines replaced, or removed where the new line is None."""
        lines = dataset_archives.jieba()["model"].decode().split("\n")[2:]
        for place, line in replaced:
            lines[place] = line
        return {"model": "\n".join(line for line in lines if line is not None)}

    def manifested(*usages):
        """A manifest of one image a usage, of the classes a and b."""
        image = folder({"i.png": encoded(img(2, 3)).tobytes()}) + "/i.png"
        labels = [{"name": "b"}, {"name": "a"}]
        lines = [json.dumps({"source": image, "usage": usage, "annotation": labels}) for usage in usages]
        return folder({"m": "\n".join(lines).encode()}) + "/m"

    def packed(schema, *rows, shards=1, index=None, page=None, appended=()):
        """The path of a MindRecord file of some calls of `write_raw_data`."""
        path = folder({}) + "/m"
        writer = ms.mindrecord.FileWriter(path, shards)
        writer.add_schema(schema, "rows")
        if index is not None:
            writer.add_index(index)
        if page:
            writer.set_page_size(page)
        for part in rows:
            writer.write_raw_data(part)
        writer.commit()
        if appended:
            writer = ms.mindrecord.FileWriter.open_for_append(path)
            writer.write_raw_data(list(appended))
            writer.commit()
        return path + "0" * (shards > 1)

    def unpacked(*arguments, columns=None, **keywords):
        """What `MindDataset` reads from a file of `packed`, with the size, names, dtypes and shapes."""
        data = ds.MindDataset(packed(*arguments, **keywords), columns, shuffle=False)
        kinds = [str(kind) for kind in data.output_types()]
        return data.get_dataset_size(), data.get_col_names(), kinds, data.output_shapes(), rows(data)

    def ints(*arguments, count=6, **keywords):
        """The column of a MindRecord file of `count` rows, read by a `MindDataset` with these arguments."""
        path = packed({"a": {"type": "int32"}}, [{"a": k} for k in range(count)])
        return flat(ds.MindDataset(path, *arguments, **keywords))

    def writer():
        return ms.mindrecord.FileWriter(folder({}) + "/m")

    def boxes(*rows):
        return np.array(rows, np.float32)

    def written(kind, *arguments):
        """What `write_png` or `write_jpeg` left in a file."""
        path = folder({}) + "/image"
        getattr(ds.vision, f"write_{kind}")(path, *arguments)
        return ds.vision.read_image(path)

    idx = dataset_archives.idx

    def mnist(train=3, test=2):
        files = {}
        for name, count in (("train", train), ("t10k", test)):
            images = img(count * 28, 28, 0).reshape(count, 28, 28)
            files[f"{name}-images-idx3-ubyte"] = idx(images)
            files[f"{name}-labels-idx1-ubyte"] = idx(np.arange(count) % 10)
        return folder(files)

    def cifar(labels, count=2):
        names = ("data_batch_1.bin", "test_batch.bin") if labels == 1 else ("test.bin",)
        records = np.resize(img(7, 411, 0), (count, labels + 3072))
        return folder({name: (records + k).tobytes() for k, name in enumerate(names)})

    def images(note=False):
        files = {
            "cat/b.png": encoded(img(2, 3)).tobytes(),
            "cat/a.png": encoded(img(3, 2)).tobytes(),
            "dog/c.png": encoded(photo(2, 2)).tobytes(),
        }
        return folder(files | {"dog/note.txt": b"no image"} if note else files)

    def records(*names):
        """A new folder with recorded MindRecord files; `names` restricts them."""
        packed = json.loads((replay.DATA / "dataset_mindrecord_files.json").read_text())["files"]
        kept = {name: text for name, text in packed.items() if not names or name in names}
        return folder({name: zlib.decompress(base64.b64decode(text)) for name, text in kept.items()}) + "/"

    def examples(*names):
        """A new folder with TFRecord files."""

        def rows_of(first, count):
            return [
                {"label": [k], "x": [k * 0.5, 1.0, 2.0], "s": [b"n%d" % k], "ids": [k, -k, 2**40]}
                for k in range(first, first + count)
            ]

        files = {
            "a.tfrecord": tfrecord(rows_of(0, 5)),
            "b.tfrecord": tfrecord(rows_of(10, 3)),
            "v.tfrecord": tfrecord([{"v": list(range(k + 1)), "t": [b"a"] * (k + 1)} for k in range(3)]),
            "a.gz": gzip.compress(tfrecord(rows_of(0, 5))),
        }
        return folder(files) + "/"

    def flipped(place):
        """A TFRecord file of one row with one byte changed."""
        data = bytearray(tfrecord([{"label": [3]}]))
        data[place] ^= 255
        return bytes(data)

    def schema(*columns):
        made = ds.Schema()
        for column in columns:
            made.add_column(*column)
        return made

    def described(columns, **more):
        """The path of a schema file."""
        return folder({"s.json": json.dumps({"columns": columns} | more).encode()}) + "/s.json"

    def shards(count, *datasets):
        """What each shard reads of datasets one after the other."""
        joined, found = datasets[0].concat(list(datasets[1:])), []
        for k in range(count):
            joined.use_sampler(ds.DistributedSampler(count, k, shuffle=False))
            found.append((joined.get_dataset_size(), flat(joined)))
        return found

    def sums(data):
        return [
            [item.dtype.name, list(item.shape), int(item.astype(np.int64).sum())]
            for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)
            for item in row
        ]

    def brief(data):
        """The rows, by name: strings, and dtype, shape and sum of arrays of numbers."""
        return [
            {
                name: item.tolist()
                if item.dtype.kind in "SU"
                else [item.dtype.name, list(item.shape), int(item.astype(np.int64).sum())]
                for name, item in row.items()
            }
            for row in data.create_dict_iterator(num_epochs=1, output_numpy=True)
        ]

    def kinds(transform, without=()):
        """What a transform makes of images of each kind: dtype and shape, or the class of its error."""
        found = {}
        for kind, image in IMAGES.items():
            if kind not in without:
                try:
                    made = transform(image.copy())
                    found[kind] = f"{made.dtype}{made.shape}" if isinstance(made, np.ndarray) else type(made).__name__
                except Exception as error:
                    found[kind] = type(error).__name__
        return found

    def melkwargs(**changes):
        """The settings of `MFCC`, which demands all of them."""
        given = {"n_fft": 400, "win_length": 16, "hop_length": 8, "f_min": 0.0, "f_max": 4000.0, "pad": 0}
        given |= {"n_mels": 128, "window": audio.WindowType.HANN, "power": 2.0, "normalized": False, "center": True}
        given |= {"pad_mode": audio.BorderType.REFLECT, "onesided": True, "norm": audio.NormType.NONE}
        return given | {"mel_scale": audio.MelType.HTK} | changes

    def speckwargs(**changes):
        """The settings of `LFCC`, which demands all of them."""
        given = {"n_fft": 400, "win_length": 16, "hop_length": 8, "pad": 0, "window": audio.WindowType.HANN}
        given |= {"power": 2.0, "normalized": False, "center": True, "pad_mode": audio.BorderType.REFLECT}
        return given | {"onesided": True} | changes

    audio = ds.audio
    names = {
        "ms": ms,
        "np": np,
        "ds": ds,
        "T": ds.transforms,
        "V": ds.vision,
        "A": audio,
        "wave": wave,
        "spec": spec,
        "bursts": bursts,
        "X": ds.text,
        "G": generator,
        "N": ds.NumpySlicesDataset,
        "img": img,
        "photo": photo,
        "noise": noise,
        "ramp": ramp,
        "digest": digest,
        "Rows": Rows,
        "Again": Again,
        "Unsized": Unsized,
        "Sized": Sized,
        "four": four,
        "failing": failing,
    }
    local = locals()
    for name in (
        "pairs one rows lists flat value sampled size Backwards child adding using picture encoded epochs seeded after "
        "folder idx mnist cifar images records examples flipped schema sums Loaded Streamed "
        "pieces brief First Firsts Wandering described shards manifested failing_rows "
        "shuffling texts joined melkwargs speckwargs archive boxes written kinds packed unpacked ints writer jieba "
        "listed model"
    ).split():
        names[name] = local[name]
    return names


def evaluate(case, ms):
    """The outcome of a case: `result`, or `error` and `message`."""
    try:
        return {"result": replay.describe(eval(case["expr"], namespace(ms)))}
    except Exception as error:
        return {"error": type(error).__name__, "message": shorten(str(error))}


def shorten(text):
    """MindSpore's message without its call stacks and frames, for the reader."""
    text = re.sub(r"https?://\S+|/[\w./-]+", "<path>", text.split("- C++ Call Stack")[0])
    kept = [line.strip() for line in text.splitlines()]
    dropped = ("---", "- Python Call", "- Dataset", "Exception thrown", "Traceback", "File ", "^", "[ERROR] Execute")
    return " ".join(line for line in kept if line and not line.startswith(dropped))[:200]
