"""What mindocr has besides nets: data, what is made of outputs, metrics and schedules.

Pictures of made text are written once, as its data sets read them.
"""

import functools
import json
import pathlib
import random
import tempfile

import numpy as np

try:
    from tests.ecosystem import recorded
except ImportError:  # under MindSpore the file runs alone
    import recorded

WORDS = ("ab12", "hello", "w0rld", "xyz")
DECODE = {"DecodeImage": {"img_mode": "RGB", "to_float32": False}}
SMALL = {"DetResize": {"target_size": [64, 96], "keep_ratio": False, "limit_type": "none", "divisor": 32}}
NORMAL = {"NormalizeImage": {"bgr_to_rgb": False, "is_hwc": True, "mean": [123.675, 116.28, 103.53]}}
NORMAL["NormalizeImage"]["std"] = [58.395, 57.12, 57.375]
FINISH = [NORMAL, {"ToCHWImage": None}]
MAPS = [{"ShrinkBinaryMap": {"min_text_size": 4, "shrink_ratio": 0.4}}]
MAPS += [{"BorderMap": {"shrink_ratio": 0.4, "thresh_min": 0.3, "thresh_max": 0.7}}]
MAPPED = ["image", "binary_map", "mask", "thresh_map", "thresh_mask"]
NARROW = {"RecResizeImg": {"image_shape": [32, 48], "padding": True}}
READ = {"lower": True, "max_text_len": 6}
# Of each data set: its kind, its steps and its columns.
DATA = {
    "found": ("DetDataset", [DECODE, {"DetLabelEncode": None}, SMALL, *MAPS, *FINISH], MAPPED),
    "found by EAST": (
        "DetDataset",
        [DECODE, {"DetLabelEncode": None}, SMALL, *FINISH],
        ["image", "polys", "ignore_tags", "shape_list"],
    ),
    "read by CTC": (
        "RecDataset",
        [DECODE, {"RecCTCLabelEncode": READ}, NARROW],
        ["image", "text_seq", "length", "text_length"],
    ),
    "read by attention": (
        "RecDataset",
        [DECODE, {"RecAttnLabelEncode": READ}, NARROW],
        ["image", "text_seq"],
    ),
    "read by Master": ("RecDataset", [DECODE, {"RecMasterLabelEncode": READ}, NARROW], ["image", "text_seq"]),
    "read by VisionLAN": (
        "RecDataset",
        [DECODE, {"VisionLANLabelEncode": {**READ, "blank_at_last": False}}, NARROW],
        ["image", "label"],
    ),
}
AUGMENTED = {
    "scaled and cut": [
        {"RandomScale": {"scale_range": [1.0, 2.0], "p": 1.0}},
        {"RandomHorizontalFlip": {"p": 0.9}},
        {"RandomRotate": {"degrees": [-10, 10], "expand_canvas": False, "p": 1.0}},
        {"RandomCropWithBBox": {"max_tries": 20, "min_crop_ratio": 0.1, "crop_size": (64, 64), "p": 1.0}},
        {"ValidatePolygons": {}},
        *MAPS,
    ],
    "grown": [SMALL, {"PSEGtDecode": {"kernel_num": 4, "min_shortest_edge": 48}}],
}
SCHEDULES = {
    "constant": {},
    "warmup_cosine_decay": {},
    "cosine_decay": {},
    "exponential_decay": {"decay_rate": 0.9, "decay_epochs": 2},
    "polynomial_decay": {"decay_epochs": 4},
    "step_decay": {"decay_epochs": 2, "decay_rate": 0.5},
    "multi_step_decay": {"milestones": [2, 4], "decay_rate": 0.3},
}


@functools.cache
def pictures() -> pathlib.Path:
    """Pictures of words, with a file of what they read and one of where it stands."""
    import cv2

    folder, rng = pathlib.Path(tempfile.mkdtemp()), np.random.RandomState(5)
    read, found = [], []
    for k, word in enumerate(WORDS):
        picture = np.full((48, 100, 3), 255, np.uint8)
        cv2.rectangle(picture, (8 + k, 10), (70 + 5 * k, 34), (30 * k, 60, 90), -1)
        noise = rng.randint(0, 40, picture.shape).astype(np.uint8)
        cv2.imwrite(str(folder / f"{k}.png"), picture - noise)
        read.append(f"{k}.png\t{word}")
        box = [[8 + k, 10], [70 + 5 * k, 10], [70 + 5 * k, 34], [8 + k, 34]]
        told = [
            {"transcription": word, "points": box},
            {"transcription": "###", "points": [[80, 38], [95, 38], [95, 46], [80, 46]]},
        ]
        found.append(f"{k}.png\t{json.dumps(told)}")
    (folder / "read.txt").write_text("\n".join(read))
    (folder / "found.txt").write_text("\n".join(found))
    return folder


def loader(kind: str, steps, columns, training=True):
    """mindocr's loader of the pictures."""
    from mindocr.data import build_dataset

    label = "found.txt" if kind == "DetDataset" else "read.txt"
    settings = {"type": kind, "dataset_root": str(pictures()), "data_dir": ".", "label_file": label}
    settings |= {"sample_ratio": 1.0, "shuffle": False, "transform_pipeline": steps, "output_columns": columns}
    loading = {"shuffle": False, "batch_size": 2, "drop_remainder": training, "num_workers": 1}
    return build_dataset(settings, loading, num_shards=1, shard_id=0, is_train=training)


def data(name: str) -> dict:
    """What a loader gives."""
    rows = list(loader(*DATA[name]).create_tuple_iterator(output_numpy=True, num_epochs=1))
    columns = DATA[name][2]
    found = {"sizes": [np.linalg.norm(v.astype(np.float64)) for row in rows for v in row]}
    return {
        **found,
        "some": [x for row in rows for v in row for x in v.reshape(-1)[:: max(1, v.size // 50)]],
        "shapes": [size for v in rows[0] for size in v.shape],
        "columns": [len(columns)],
    }


def augmented(name: str) -> dict:
    """Steps that draw at random, under a seed."""
    from mindocr.data.transforms import create_transforms, run_transforms

    steps = create_transforms([DECODE, {"DetLabelEncode": None}, *AUGMENTED[name]], {"is_train": True})
    lines = (pictures() / "found.txt").read_text().splitlines()
    found = []
    for k, line in enumerate(lines):
        random.seed(k)
        np.random.seed(k)
        file, _, label = line.partition("\t")
        row = run_transforms({"img_path": str(pictures() / file), "label": label}, steps)
        found += [
            np.asarray(v, np.float64).sum() for v in row.values() if isinstance(v, np.ndarray) and v.dtype != object
        ]
    return {"sums": found}


def decoded(name: str) -> dict:
    """What is made of outputs, and the metric of it."""
    import mindspore as ms
    from mindocr.metrics import build_metric
    from mindocr.postprocess import build_postprocess

    rng, text = np.random.RandomState(1), lambda words: [ord(c) for word in words for c in word]
    if name == "DBPostprocess":
        rows = loader(*DATA["found"]).create_tuple_iterator(output_numpy=True, num_epochs=1)
        maps = np.concatenate([row[1] for row in rows]).reshape(4, 1, 64, 96)
        shapes = np.asarray([[48, 100, 64 / 48, 96 / 100]] * 4, np.float32)
        given = ms.Tensor((0.9 * maps).astype(np.float32))
        found = build_postprocess({"name": name, "box_thresh": 0.5})(given, shape_list=shapes)
        true = np.asarray([[[[8 + k, 10], [70 + 5 * k, 10], [70 + 5 * k, 34], [8 + k, 34]]] for k in range(4)])
        metric = build_metric({"name": "DetMetric"})
        metric.update(found, (ms.Tensor(true.astype(np.float32)), ms.Tensor(np.zeros((4, 1), bool))))
        boxes = [np.asarray(polys, np.float64).ravel() for polys in found["polys"]]
        values = metric.eval()
        return {"boxes": np.concatenate(boxes), "metric": [values[key] for key in sorted(values)]}
    classes = {"RecCTCLabelDecode": 37, "RecAttnLabelDecode": 38, "RecMasterLabelDecode": 40}.get(name, 37)
    outputs = np.exp(3 * rng.randn(3, 9, classes))
    outputs = ms.Tensor((outputs / outputs.sum(-1, keepdims=True)).astype(np.float32))
    found = build_postprocess({"name": name})(outputs)
    metric = build_metric({"name": "RecMetric"})
    metric.update(found, ([word.ljust(6) for word in WORDS[:3]], [len(word) for word in WORDS[:3]]))
    values = metric.eval()
    return {
        "texts": text(found["texts"]),
        "confidence": [np.mean(c) for c in found["confs"]],
        "metric": [np.asarray(values[key]).item() for key in sorted(values)],
    }


def schedule(name: str) -> dict:
    """Rates of twelve steps."""
    import mindspore as ms
    from mindocr.scheduler import create_scheduler

    rate = create_scheduler(
        2, name, lr=0.1, min_lr=1e-3, warmup_epochs=1, num_epochs=6, **{"decay_epochs": 5, **SCHEDULES[name]}
    )
    if isinstance(rate, (list, float)):
        return {"rates": np.ravel(rate)}
    return {"rates": [rate(ms.Tensor(step, ms.int32)).asnumpy().item() for step in range(12)]}


DECODED = ("DBPostprocess", "RecCTCLabelDecode", "RecAttnLabelDecode", "RecMasterLabelDecode")
CASES = {
    **{f"data {name}": functools.partial(data, name) for name in DATA},
    **{f"augmented {name}": functools.partial(augmented, name) for name in AUGMENTED},
    **{f"decoded {name}": functools.partial(decoded, name) for name in DECODED},
    **{f"schedule {name}": functools.partial(schedule, name) for name in SCHEDULES},
}

if __name__ == "__main__":
    recorded.main("mindocr_training", CASES)
