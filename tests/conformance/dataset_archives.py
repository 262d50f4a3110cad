"""Tiny datasets in the file formats of public ones: functions that return {file name: bytes}.

The recorder and the tests see them as `archive("voc")`, a folder with the files of `FILES["voc"]()`.
"""

import json
from pathlib import Path

import numpy as np

from tests.conformance.dataset_corpora import CORPORA
from tests.conformance.dataset_encoded import jpeg, mat, png, values, wav
from tests.conformance.dataset_pictures import PICTURES


def idx(array):
    """An IDX file: of big-endian int32, or else of bytes."""
    kind = 12 if array.dtype == np.int32 else 8
    head = bytes([0, 0, kind, array.ndim]) + b"".join(size.to_bytes(4, "big") for size in array.shape)
    return head + array.astype(np.uint8 if kind == 8 else ">i4").tobytes()


def mnist_like(pattern, parts):
    """Images and labels under names that `pattern` makes of each part and its count."""
    files = {}
    for part, count in parts.items():
        files[pattern.format(part, "images-idx3")] = idx(values(count, 28, 28) // (1 + count))
        files[pattern.format(part, "labels-idx1")] = idx((np.arange(count) % 10).astype(np.uint8))
    return files


def qmnist():
    """QMNIST: labels of eight numbers; test files hold 10,000 rows and more."""
    files = {}
    for name, count in (("qmnist-train", 3), ("qmnist-test", 10003), ("xnist", 2)):
        files[f"{name}-images-idx3-ubyte"] = idx(values(count, 28, 28))
        rows = np.arange(count * 8, dtype=np.int32).reshape(count, 8)
        rows[:, 0] %= 10
        files[f"{name}-labels-idx2-int"] = idx(rows)
    return files


def usps():
    """USPS in the text form of LIBSVM: a label from 1 on, then index:value with values in [-1, 1]."""

    def lines(labels):
        made = []
        for k, label in enumerate(labels):
            numbers = (values(256) + k).astype(np.float64) / 127.5 - 1
            numbers = np.clip(numbers, -1, 1)
            made.append(f"{label} " + " ".join(f"{i + 1}:{x:.6f}" for i, x in enumerate(numbers)) + " ")
        return ("\n".join(made) + "\n").encode()

    return {"usps": lines([1, 10, 3]), "usps.t": lines([7, 2])}


def stl10():
    """STL-10: 3 x 96 x 96 bytes an image, column by column; labels from 1 on."""
    files = {}
    for part, count in (("train", 2), ("test", 1), ("unlabeled", 2)):
        files[f"{part}_X.bin"] = values(count, 3, 96, 96).tobytes()
        if part != "unlabeled":
            files[f"{part}_y.bin"] = bytes(range(1, count + 1))
    return files


def semeion():
    """Semeion: 256 zeros and ones, then ten of which one is 1."""
    rows = []
    for k in (3, 0):
        pixels = " ".join(f"{x:.4f}" for x in (values(256) + k) % 2)
        rows.append(pixels + " " + " ".join("1" if j == k else "0" for j in range(10)) + " ")
    return {"semeion.data": ("\n".join(rows) + "\n").encode()}


def svhn():
    """SVHN: MATLAB's file of X (32, 32, 3, images) and y, where 10 stands for 0."""
    return {
        f"{part}_32x32.mat": mat(X=values(32, 32, 3, count), y=np.array([[10 - k] for k in range(count)], np.uint8))
        for part, count in (("train", 3), ("test", 1), ("extra", 2))
    }


def voc():
    """Pascal VOC: two images for detection, one for segmentation."""

    def xml(name, objects):
        parts = [f"<annotation><filename>{name}.jpg</filename><size><width>6</width><height>5</height></size>"]
        for kind, box, flags in objects:
            left, top, right, bottom = box
            parts.append(
                f"<object><name>{kind}</name><truncated>{flags[0]}</truncated><difficult>{flags[1]}</difficult>"
                f"<bndbox><xmin>{left}</xmin><ymin>{top}</ymin><xmax>{right}</xmax><ymax>{bottom}</ymax></bndbox>"
                "</object>"
            )
        return ("".join(parts) + "</annotation>").encode()

    return {
        "JPEGImages/1.jpg": jpeg(values(5, 6, 3)),
        "JPEGImages/2.jpg": jpeg(values(4, 7, 3)),
        "SegmentationClass/1.png": png(values(5, 6, 3)),
        "Annotations/1.xml": xml("1", [("dog", (1, 2, 4, 5), (0, 1)), ("cat", (2, 2, 3, 3), (1, 0))]),
        "Annotations/2.xml": xml("2", [("cat", (1, 1, 7, 4), (0, 0))]),
        "ImageSets/Main/train.txt": b"1\n2\n",
        "ImageSets/Main/val.txt": b"2\n",
        "ImageSets/Segmentation/train.txt": b"1\n",
    }


def coco():
    """COCO: three images, one of them without objects."""
    images = [{"id": k, "file_name": f"{k}.jpg", "width": 6, "height": 5} for k in (7, 3, 9)]
    categories = [{"id": k, "name": name, "isthing": k % 2} for k, name in ((1, "dog"), (5, "cat"))]
    objects = [
        {"id": 1, "image_id": 7, "category_id": 1, "bbox": [1, 2, 3, 4], "iscrowd": 0, "area": 12},
        {"id": 2, "image_id": 3, "category_id": 5, "bbox": [0, 0, 2.5, 2], "iscrowd": 1, "area": 5},
        {"id": 3, "image_id": 7, "category_id": 5, "bbox": [2, 2, 1, 1], "iscrowd": 0, "area": 1},
    ]
    for k, item in enumerate(objects):
        item["segmentation"] = [[1.0, 2.0, 3.5, 4.0, 5.0, 6.0]] + [[1.0, 1.0, 2.0, 2.0]] * k
        item["keypoints"] = [k + 1, 2, 2] * (17 if k else 17)
        item["num_keypoints"] = 17
    stuff = [
        {**item, "segmentation": item["segmentation"] if not item["iscrowd"] else {"counts": [3, 4, 2], "size": [5, 6]}}
        for item in objects
    ]
    captions = [
        {"id": k, "image_id": image, "caption": text}
        for k, (image, text) in enumerate(((7, "a dog"), (7, "dog and cat"), (3, "one cat"), (9, "nothing")))
    ]
    panoptic = [
        {
            "image_id": 7,
            "file_name": "7.png",
            "segments_info": [
                {"id": 1, "category_id": 1, "bbox": [1, 2, 3, 4], "iscrowd": 0, "area": 12},
                {"id": 2, "category_id": 5, "bbox": [2, 2, 1, 1], "iscrowd": 1, "area": 1},
            ],
        },
        {
            "image_id": 3,
            "file_name": "3.png",
            "segments_info": [{"id": 1, "category_id": 5, "bbox": [0, 0, 2, 2], "iscrowd": 0, "area": 4}],
        },
    ]

    def dump(annotations):
        return json.dumps({"images": images, "categories": categories, "annotations": annotations}).encode()

    return {
        **{f"images/{k}.jpg": jpeg(values(5, 6, 3) // k) for k in (7, 3, 9)},
        "instances.json": dump(objects),
        "stuff.json": dump(stuff),
        "captions.json": dump(captions),
        "panoptic.json": dump(panoptic),
        "orphan.json": dump([{**objects[0], "image_id": 99}]),
        "bad.json": b"{",
    }


def manifest():
    """ModelArts' manifest: a JSON object a line, naming images below the folder {root}."""
    rows = [
        {"source": "{root}/1.png", "usage": "train", "annotation": [{"name": "dog"}], "id": "a"},
        {"source": "{root}/2.png", "usage": "eval", "annotation": [{"name": "cat"}]},
        {"source": "{root}/3.png", "usage": "train", "annotation": [{"name": "cat"}, {"name": "dog"}]},
    ]
    files = {f"{k}.png": png(values(2, 3, 3) // k) for k in range(1, 5)}
    lacking = json.dumps({"source": "{root}/4.png", "usage": "train"}).encode()
    return files | {"all.manifest": "\n".join(json.dumps(row) for row in rows).encode(), "bad.manifest": lacking}


def clue():
    """CLUE: a JSON object a line for each task."""
    rows = {
        "afqmc": {"sentence1": "一", "sentence2": "two", "label": "0"},
        "afqmc_test": {"id": 4, "sentence1": "a", "sentence2": "b"},
        "tnews": {"label": "102", "label_desc": "news", "sentence": "s", "keywords": "k,l"},
        "tnews_test": {"id": 3, "sentence": "s", "keywords": "k"},
        "iflytek": {"label": "11", "label_des": "d", "sentence": "s"},
        "iflytek_test": {"id": 2, "sentence": "s"},
        "cmnli": {"sentence1": "a", "sentence2": "b", "label": "neutral"},
        "cmnli_test": {"id": 1, "sentence1": "a", "sentence2": "b"},
        "wsc": {
            "target": {"span1_index": 3, "span2_index": 5, "span1_text": "x", "span2_text": "y"},
            "idx": 0,
            "text": "t",
            "label": "true",
        },
        "wsc_test": {
            "target": {"span1_index": 3, "span2_index": 5, "span1_text": "x", "span2_text": "y"},
            "idx": 0,
            "text": "t",
        },
        "csl": {"id": 1, "abst": "a", "keyword": ["k", "l"], "label": "1"},
        "csl_test": {"id": 1, "abst": "a", "keyword": ["k", "l"]},
    }
    files = {
        f"{name}.json": "\n".join(json.dumps(row, ensure_ascii=False) for _ in range(2)).encode()
        for name, row in rows.items()
    }
    return files | {"bad.json": b"{no json}\n", "lacking.json": b'{"sentence1": "a"}\n'}


def news():
    """Classified texts as CSV without a header."""
    three = '"3","A title","Some ""quoted"" text, with a comma"\n"1","B","C"\n'
    four = '"5","question","more","answer"\n"2","q","","a"\n'
    two = '"2","nice place"\n"1","bad, place"\n'
    return {
        **{f"three/{part}.csv": (three * n).encode() for part, n in (("train", 2), ("test", 1))},
        **{f"four/{part}.csv": (four * n).encode() for part, n in (("train", 2), ("test", 1))},
        **{f"two/{part}.csv": (two * n).encode() for part, n in (("train", 2), ("test", 1))},
    }


def lines():
    """Plain texts, and SST-2's tables."""
    files = {}
    for name in ("ptb.{}.txt", "wiki.{}.tokens"):
        for part, count in (("train", 3), ("valid", 2), ("test", 1)):
            files[name.format(part)] = "".join(f" {part} {k} \n\n" for k in range(count)).encode()
    files["enwik9"] = b"one\n\ntwo\n"
    files["train.tsv"] = b"sentence\tlabel\nfine film \t1\nbad one \t0\n"
    files["dev.tsv"] = b"sentence\tlabel\nso so\t1\n"
    files["test.tsv"] = b"index\tsentence\n0\tunknown\n1\tother\n"
    for part in ("train", "test"):
        for kind in ("pos", "neg"):
            for k in range(2):
                files[f"{part}/{kind}/{k}_{k + 3}.txt"] = f"{part} {kind} {k}".encode()
    return files


def speech():
    """YesNo, Speech Commands and LJSpeech, in folders of their own."""
    sound = [0, 100, -100, 32767, -32768, 5]
    return {
        "yesno/0_1_1_0_1_0_1_1.wav": wav(sound, 8000),
        "yesno/1_1_1_1_0_0_0_0.wav": wav(sound[:3], 16000),
        "commands/bed/a_nohash_0.wav": wav(sound, 16000),
        "commands/bed/b_nohash_1.wav": wav(sound[:2], 16000),
        "commands/cat/c_nohash_0.wav": wav(sound[:1], 16000),
        "commands/_background_noise_/n.wav": wav(sound, 16000),
        "commands/testing_list.txt": b"bed/b_nohash_1.wav\n",
        "commands/validation_list.txt": b"cat/c_nohash_0.wav\n",
        "lj/wavs/LJ001-0001.wav": wav(sound, 22050),
        "lj/wavs/LJ001-0002.wav": wav(sound[:2], 22050),
        "lj/metadata.csv": b"LJ001-0001|Text 1, a|Text one, a\nLJ001-0002|B|b\n",
    }


def folders():
    """Caltech-256, CelebA and Cityscapes, in folders of their own."""
    files = {
        "caltech/001.ak47/001_0001.jpg": jpeg(values(2, 3, 3)),
        "caltech/001.ak47/001_0002.jpg": jpeg(values(3, 3, 3)),
        "caltech/002.flag/002_0001.jpg": jpeg(values(2, 2, 3)),
    }
    names = " ".join(f"Attribute_{k}" for k in range(40))
    lines = ["3", names]
    for k in range(3):
        files[f"celeba/00000{k + 1}.jpg"] = jpeg(values(2 + k, 3, 3))
        lines.append(f"00000{k + 1}.jpg " + " ".join(str(1 if (j + k) % 3 == 0 else -1) for j in range(40)))
    files["celeba/list_attr_celeba.txt"] = ("\n".join(lines) + "\n").encode()
    files["celeba/list_eval_partition.txt"] = b"000001.jpg 0\n000002.jpg 2\n000003.jpg 1\n"
    for part, name in (("train", "bonn_0_1"), ("val", "ulm_0_1")):
        city = name.split("_")[0]
        files[f"city/leftImg8bit/{part}/{city}/{name}_leftImg8bit.png"] = png(values(2, 3, 3))
        for task, ending in (("instance", "instanceIds.png"), ("semantic", "labelIds.png"), ("color", "color.png")):
            shape = (2, 3, 3) if task == "color" else (2, 3)
            files[f"city/gtFine/{part}/{city}/{name}_gtFine_{ending}"] = png(values(*shape) // len(task))
        files[f"city/gtFine/{part}/{city}/{name}_gtFine_polygons.json"] = b'{"a": 1}'
    return files


def vectors():
    """Word vectors, as text."""
    words = b"ok 0.1 0.2 0.3\n! 1 2 3\nhome -1 0 2.5\nok 9 9 9\n"
    grams = b"1gram-a 1 0 0\n2gram-ab 0 0 4\n3gram-abc 5 5 5\n2gram-#BEGIN#a 2 2 2\n3gram-#BEGIN#ab 3 3 3\n"
    return {
        "words.txt": words,
        "glove.6B.3d.txt": words,
        "a.vec": b"4 3\n" + words,
        "grams.txt": grams + b"2gram-b#END# 7 7 7\n",
        "ragged.txt": b"ok 0.1 0.2\nno 0.1\n",
        "narrow.txt": b"ok 0.1\nno 0.2\n",
        "empty.txt": b"",
    }


def sentences():
    """A corpus of few words."""
    words = (
        "the cat sat on a mat and the dog ran to the big old house with red doors while birds sang loud songs".split()
    )
    lines = [" ".join(words[(k * place + k) % len(words)] for place in range(7)) for k in range(1, 60)]
    return {"corpus.txt": ("\n".join(lines) + "\n").encode()}


def videos():
    """Eight frames of 16 x 32 pixels at ten a second, and a tone; FFmpeg wrote them as MPEG-4 and MP2."""
    return {
        "clip.avi": (Path(__file__).parent / "data" / "clip.avi").read_bytes(),
        "cut.avi": b"RIFF",
    }


def jieba():
    """A small dictionary and a hidden Markov model over its characters, in the format of cppjieba."""
    words = "床 10,前 20,明月 30,明月光 5,月光 12,今天 100,天气 80,天 50,气 20,今 9,太好 3,好 90,了 300,我们 200"
    words = f"{words},一起 60,去 70,外面 30,玩 20,吧 40,男 10,女 10,a 2,ab 3"
    lines = ["-0.25 -3.14e+100 -3.14e+100 -1.5", "-3.14e+100 -0.5 -0.9 -3.14e+100", "-0.6 -3.14e+100 -3.14e+100 -0.8"]
    lines += ["-3.14e+100 -0.3 -1.2 -3.14e+100", "-0.7 -3.14e+100 -3.14e+100 -0.65"]
    characters = sorted({character for character in words if character > "\x7f"} | set("默泪世界人"))
    for state in range(4):  # made up, without a random generator
        known = [(c, -1.5 - (7 * k + 13 * state + k * k) % 23 / 4) for k, c in enumerate(characters) if (k + state) % 5]
        lines.append(",".join(f"{character}:{number}" for character, number in known))
    return {
        "words": "".join(f"{word} n\n" for word in words.split(",")).encode(),
        "model": "\n".join(["# begin, end, middle, single", "", *lines]).encode(),
    }


FILES = {
    "videos": videos,
    "sentences": sentences,
    "jieba": jieba,
    "kmnist": lambda: mnist_like("{}-{}-ubyte", {"train": 3, "t10k": 2}),
    "emnist": lambda: (
        mnist_like("emnist-mnist-{}-{}-ubyte", {"train": 3, "test": 2})
        | mnist_like("emnist-letters-{}-{}-ubyte", {"train": 2, "test": 1})
    ),
    "qmnist": qmnist,
    "usps": usps,
    "stl10": stl10,
    "svhn": svhn,
    "semeion": semeion,
    "voc": voc,
    "coco": coco,
    "manifest": manifest,
    "clue": clue,
    "news": news,
    "lines": lines,
    "vectors": vectors,
    "speech": speech,
    "folders": folders,
    **PICTURES,
    **CORPORA,
}
