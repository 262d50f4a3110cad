"""What mindyolo has besides nets: its layers, losses of boxes, data, and its Trainer on made pictures.

Pictures and labels are drawn once, written as its data set reads them (pictures, text of classes and outlines) and
augmented by its own functions under a fixed seed, by one worker.
"""

import functools
import pathlib
import random
import tempfile
import time

import numpy as np

try:
    from tests.ecosystem import cells, mindyolo_models, recorded
except ImportError:  # under MindSpore the file runs alone
    import cells
    import mindyolo_models
    import recorded

SIZE, CLASSES = 64, mindyolo_models.CLASSES
# Of each layer: its arguments, and the shapes of its inputs.
LAYERS = {
    "ConvNormAct": ((4, 6, 3, 2), [(2, 4, 9, 9)]),
    "RepConv": ((4, 4), [(2, 4, 6, 6)]),
    "DownC": ((4, 6), [(2, 4, 8, 8)]),
    "Focus": ((3, 6, 3), [(2, 3, 8, 8)]),
    "DWConvNormAct": ((4, 6, 3), [(2, 4, 6, 6)]),
    "AConv": ((4, 6), [(2, 4, 8, 8)]),
    "ELAN1": ((4, 6, 8, 4), [(2, 4, 6, 6)]),
    "SPPELAN": ((4, 6, 4), [(2, 4, 9, 9)]),
    "CBLinear": ((4, [3, 5]), [(2, 4, 6, 6)]),
    "ADown": ((4, 6), [(2, 4, 8, 8)]),
    "DWConv": ((4, 6, 3), [(2, 4, 6, 6)]),
    "Bottleneck": ((4, 4), [(2, 4, 6, 6)]),
    "Residualblock": ((4, 4), [(2, 4, 6, 6)]),
    "C3": ((4, 6, 2), [(2, 4, 6, 6)]),
    "C2f": ((4, 6, 2, True), [(2, 4, 6, 6)]),
    "DWBottleneck": ((4, 4), [(2, 4, 6, 6)]),
    "DWC3": ((4, 6), [(2, 4, 6, 6)]),
    "RepNBottleneck": ((4, 4), [(2, 4, 6, 6)]),
    "RepNCSP": ((4, 6), [(2, 4, 6, 6)]),
    "RepNCSPELAN4": ((4, 6, 8, 4), [(2, 4, 6, 6)]),
    "SCDown": ((4, 6, 3, 2), [(2, 4, 8, 8)]),
    "Attention": ((16, 2), [(2, 16, 4, 4)]),
    "PSA": ((128, 128), [(2, 128, 3, 3)]),
    "RepVGGDW": ((4,), [(2, 4, 8, 8)]),
    "CIB": ((4, 4), [(2, 4, 6, 6)]),
    "C2fCIB": ((4, 6, 1, True, True), [(2, 4, 6, 6)]),
    "C3k2": ((4, 6, 1, True), [(2, 4, 6, 6)]),
    "C3k": ((4, 6), [(2, 4, 6, 6)]),
    "PSABlock": ((16, 0.5, 2), [(2, 16, 4, 4)]),
    "C2PSA": ((128, 128), [(2, 128, 3, 3)]),
    "Shortcut": ((), [[(2, 4, 3, 3), (2, 4, 3, 3)]]),
    "Concat": ((), [[(2, 4, 3, 3), (2, 1, 3, 3)]]),
    "ReOrg": ((), [(2, 3, 8, 8)]),
    "MP": ((), [(2, 3, 8, 8)]),
    "SP": ((), [(2, 3, 8, 8)]),
    "MaxPool2d": ((3, 2, 1), [(2, 3, 8, 8)]),
    "SPPCSPC": ((4, 6), [(2, 4, 9, 9)]),
    "SPPF": ((4, 6), [(2, 4, 9, 9)]),
    "Upsample": ((None, 2), [(2, 3, 4, 4)]),
    "ImplicitA": ((3,), [(2, 3, 4, 4)]),
    "ImplicitM": ((3,), [(2, 3, 4, 4)]),
}
OVERLAPS = {"IoU": {}, "GIoU": {"GIoU": True}, "DIoU": {"DIoU": True}, "CIoU": {"CIoU": True}}
LETTERBOX = {"func_name": "letterbox", "scaleup": False}
FINISH = [
    {"func_name": "label_norm", "xyxy2xywh_": True},
    {"func_name": "label_pad", "padding_size": 20, "padding_value": -1},
    {"func_name": "image_norm", "scale": 255.0},
    {"func_name": "image_transpose", "bgr2rgb": True, "hwc2chw": True},
]
MASKS = {"func_name": "segment_poly2mask", "mask_overlap": True, "mask_ratio": 4}
BENT = {"func_name": "random_perspective", "degrees": 5.0, "translate": 0.1, "scale": 0.5, "shear": 2.0}
COLOURED = {"func_name": "hsv_augment", "hgain": 0.015, "sgain": 0.7, "vgain": 0.4}
OUTLINES = {"func_name": "resample_segments"}
DATA = {
    "plain": [LETTERBOX, *FINISH],
    "mosaic": [
        {"func_name": "mosaic", "mosaic9_prob": 0.0},
        OUTLINES,
        BENT,
        COLOURED,
        {"func_name": "fliplr"},
        *FINISH,
    ],
    "mosaic of nine": [{"func_name": "mosaic", "mosaic9_prob": 1.0}, OUTLINES, BENT, *FINISH],
    "mixup": [
        OUTLINES,
        {"func_name": "letterbox", "scaleup": True},
        {"func_name": "mixup", "alpha": 8.0, "beta": 8.0, "pre_transform": [OUTLINES, LETTERBOX]},
        *FINISH,
    ],
    "masks": [OUTLINES, LETTERBOX, MASKS, *FINISH],
}
TRAINERS = {"yolov7": {"accumulate": 2}}
STEPS, EPOCHS = 3, 2
RESUMED = ("yolov3",)


def given(*shape, seed=0):
    """A Tensor of fixed numbers."""
    import mindspore as ms

    return ms.Tensor(np.random.RandomState(seed).randn(*shape).astype(np.float32))


def layer(name: str, mode: str) -> dict:
    """A layer's outputs, and a step of it if it has weights."""
    from mindyolo.models import layers
    from mindyolo.models.layers import bottleneck, common, conv

    kind = next(getattr(part, name) for part in (layers, bottleneck, common, conv) if hasattr(part, name))
    arguments, shapes = LAYERS[name]
    inputs = [
        [given(*part, seed=k) for k, part in enumerate(shape)] if isinstance(shape, list) else given(*shape)
        for shape in shapes
    ]
    found = cells.forward(kind(*arguments), inputs, mode)
    net = kind(*arguments)
    return {**found, **cells.step(net, inputs, mode)} if net.trainable_params() else found


def overlap(name: str, mode: str) -> dict:
    """How far boxes overlap, one by one and all with all, and the gradient of it."""
    import mindspore as ms
    from mindyolo.models.losses.iou_loss import batch_box_iou, bbox_iou, box_iou

    ms.set_context(mode=getattr(ms, mode))
    rng = np.random.RandomState(0)
    first, second = (np.sort(rng.rand(6, 2, 2), 1).reshape(6, 4).astype(np.float32) for _ in range(2))
    first, second = ms.Tensor(first), ms.Tensor(second)

    def total(first, second):
        return bbox_iou(first, second, xywh=False, **OVERLAPS[name]).sum()

    values = bbox_iou(first, second, xywh=False, **OVERLAPS[name])
    batches = batch_box_iou(first.reshape(2, 3, 4), second.reshape(2, 3, 4))
    gradients = ms.grad(total, (0, 1))(first, second)
    return cells.shown([values, box_iou(first, second), batches, *gradients])


@functools.cache
def pictures() -> pathlib.Path:
    """A data set in mindyolo's arrangement: six pictures with outlines of one to three things."""
    import cv2

    folder, rng = pathlib.Path(tempfile.mkdtemp()), np.random.RandomState(7)
    for part in ("images", "labels"):
        (folder / part / "train").mkdir(parents=True)
    names = []
    for k in range(6):
        small = rng.randint(0, 255, (6, 8, 3)).astype(np.uint8)
        file = folder / "images" / "train" / f"{k}.png"
        cv2.imwrite(str(file), cv2.resize(small, (80, 64 - 4 * (k % 2)), interpolation=cv2.INTER_CUBIC))
        names.append(str(file))
        lines = []
        for _ in range(1 + k % 3):
            x, y, w, h = *(0.3 + 0.4 * rng.rand(2)), *(0.1 + 0.2 * rng.rand(2))
            outline = [(x - w, y - h), (x + w, y - h), (x + w, y + h), (x, y + h / 2), (x - w, y + h)]
            corners = " ".join(f"{min(max(v, 0), 1):.6f}" for point in outline for v in point)
            lines.append(f"{rng.randint(CLASSES)} {corners}")
        (folder / "labels" / "train" / f"{k}.txt").write_text("\n".join(lines))
    (folder / "train.txt").write_text("\n".join(names))
    return folder


def loader(transforms, training=True, epochs=1, **settings):
    """mindyolo's loader of the pictures."""
    from mindyolo.data import COCODataset, create_loader

    random.seed(3)
    np.random.seed(3)
    data = COCODataset(
        str(pictures() / "train.txt"),
        SIZE,
        transforms,
        is_training=training,
        augment=training,
        batch_size=2,
        num_cls=CLASSES,
        **settings,
    )
    return create_loader(
        data,
        data.train_collate_fn if training else data.test_collate_fn,
        data.column_names_getitem,
        data.column_names_collate,
        2,
        epochs,
        num_parallel_workers=1,
        shuffle=False,
        drop_remainder=True,
    )


def data(name: str) -> dict:
    """What the loader gives for training."""
    made = loader(DATA[name], return_segments=name == "masks")
    rows = list(made.create_dict_iterator(output_numpy=True, num_epochs=1))
    return {
        "pictures": [row["images"][:, :, ::16, ::16] for row in rows],
        "labels": [row["labels"] for row in rows],
        "masks": [row["masks"].sum() for row in rows if "masks" in row],
    }


def evaluation() -> dict:
    """What the loader gives for evaluation, and boxes found in it laid back onto the pictures."""
    from mindyolo.utils.metrics import non_max_suppression, scale_coords, xyxy2xywh

    rows = list(loader([{**LETTERBOX, "only_image": True}, *FINISH[2:]], False).create_dict_iterator(output_numpy=True))
    found, rng = {"pictures": [row["images"][:, :, ::16, ::16] for row in rows], "boxes": []}, np.random.RandomState(0)
    for row in rows:
        raw = np.concatenate([SIZE * (0.3 + 0.4 * rng.rand(2, 30, 2)), 5 + 25 * rng.rand(2, 30, 2)], -1)
        raw = np.concatenate([raw, rng.rand(2, 30, 1 + CLASSES)], -1).astype(np.float32)
        kept = non_max_suppression(raw, conf_thres=0.2, iou_thres=0.5, time_limit=1000.0)
        for k, boxes in enumerate(kept):
            corners = scale_coords(
                row["images"].shape[2:], boxes[:, :4].copy(), row["hw_ori"][k], row["hw_scale"][k], row["pad"][k]
            )
            found["boxes"] += [np.concatenate([xyxy2xywh(corners), boxes[:, 4:]], 1)]
    found["boxes"] = np.concatenate(found["boxes"])
    found["sizes"] = [row[part] for row in rows for part in ("hw_ori", "hw_scale", "pad")]
    return found


def numbers(found: dict) -> dict:
    """Lists of arrays in one row, for what differs in shape."""
    return {
        what: np.concatenate([np.ravel(v) for v in values]) if isinstance(values, list) and values else values
        for what, values in found.items()
    }


class Training:
    """What a training by mindyolo's Trainer is put together of, and what it tells."""

    def __init__(self, version: str, mode: str):
        from mindyolo.models import create_loss
        from mindyolo.optim import (
            EMA,
            create_group_param,
            create_lr_scheduler,
            create_optimizer,
            create_warmup_momentum_scheduler,
        )
        from mindyolo.utils.train_step_factory import create_train_step_fn, get_gradreducer, get_loss_scaler

        *_, groups, loss = mindyolo_models.VERSIONS[version]
        self.version, self.compiled = version, mode == "GRAPH_MODE"
        self.net, average = mindyolo_models.made(version).set_train(True), mindyolo_models.made(version)
        # an epoch more than is trained: after its last step the trainer asks for the rate of the next
        schedule = {
            **mindyolo_models.SCHEDULE,
            "epochs": EPOCHS + 1,
            "steps_per_epoch": STEPS,
            "min_warmup_step": 2,
        }
        if groups:
            parameters = create_group_param(self.net.trainable_params(), 5e-4, group_param=groups, **schedule)
        else:
            rate = create_lr_scheduler(lr_scheduler="yolox", by_epoch=False, **schedule)
            parameters = [{"params": self.net.trainable_params(), "lr": rate}]
        self.momenta = create_warmup_momentum_scheduler(
            STEPS, momentum=0.9, warmup_momentum=0.8, warmup_epochs=1, min_warmup_step=2
        )
        self.optimizer = create_optimizer(parameters, "momentum", 0.01, momentum=0.9, nesterov=False)
        own = {"use_l1": False, "input_size": [SIZE, SIZE]} if version == "yolox" else {}
        kind = "YOLOXLoss" if version == "yolox" else f"YOLOv{version[5:]}Loss"
        self.loss = create_loss(kind, **{**loss, **own})
        self.ema, self.scaler = EMA(self.net, average, 0.9), get_loss_scaler("dynamic", 128, 2, 2)
        self.reducer = get_gradreducer(False, self.optimizer.parameters)
        self.step = create_train_step_fn(
            "detect",
            self.net,
            self.loss,
            self.optimizer,
            1.0,
            self.scaler,
            self.reducer,
            self.ema,
            ms_jit=self.compiled,
        )
        self.told: dict[str, list] = {"losses": [], "rates": [], "evaluated": []}

    def run(self, folder: str, epochs: int, accumulate: int = 1) -> None:
        """Train some epochs; files go into the folder."""
        import mindspore as ms
        from mindyolo.utils.callback import BaseCallback, create_callback
        from mindyolo.utils.trainer_factory import create_trainer

        told = self.told

        class Tell(BaseCallback):
            def on_train_step_end(self, run_context):
                told["losses"].append(run_context.loss.asnumpy())
                told["rates"].append(run_context.lr)

        def evaluated(network, cur_epoch):
            outputs = network(ms.Tensor(given(1, 3, SIZE, SIZE).asnumpy()))
            told["evaluated"].append(np.abs(cells.flat(outputs)[0].asnumpy()).mean())
            return [float(cur_epoch)]

        made = create_trainer(
            self.version,
            self.step,
            self.scaler,
            self.net,
            self.loss,
            self.ema,
            self.optimizer,
            loader(DATA["plain"], epochs=epochs),
            STEPS,
            [Tell(), *create_callback([{"name": "SummaryCallback"}])],
            self.reducer,
            False,
            None,
        )
        common = {"main_device": True, "log_interval": 1, "loss_item_name": [], "run_eval": True}
        common |= {"warmup_momentum": self.momenta, "ms_jit": self.compiled, "rank_size": 1, "keep_checkpoint_max": 1}
        common |= {"save_dir": folder, "test_fn": evaluated}
        made.train(epochs, warmup_step=2, accumulate=accumulate, **common)
        while ms.async_ckpt_thread_status():
            time.sleep(0.1)


def trainer(name: str) -> dict:
    """Two epochs of mindyolo's Trainer: losses, rates, evaluations, its files, and what is in them."""
    import mindspore as ms

    settings = {"mode": "GRAPH_MODE", **TRAINERS[name]}
    ms.set_context(mode=getattr(ms, settings["mode"]))
    training = Training(name.split()[0], settings["mode"])
    with tempfile.TemporaryDirectory() as folder:
        training.run(folder, EPOCHS, settings.get("accumulate", 1))
        files = sorted(
            file.name for file in (pathlib.Path(folder) / "weights").glob("*.ckpt") if "optim" not in file.name
        )
        kept = [ms.load_checkpoint(str(pathlib.Path(folder) / "weights" / file)) for file in files]
    told = dict(training.told)
    told["files"] = [len(files), *(len(file) for file in files)]
    told["kept"] = [np.sqrt(sum((p.asnumpy().astype(np.float64) ** 2).sum() for p in one.values())) for one in kept]
    told["scale"] = [training.scaler.scale_value.asnumpy()]
    return told


def resumed(version: str) -> dict:
    """Two epochs, and one more of new objects that read the weights, their averages and the optimizer's state."""
    import mindspore as ms
    from mindyolo.utils.metrics import non_max_suppression
    from mindyolo.utils.utils import load_pretrain

    ms.set_context(mode=ms.GRAPH_MODE)
    with tempfile.TemporaryDirectory() as folder:
        first = Training(version, "GRAPH_MODE")
        first.run(folder, EPOCHS)
        weights, again = f"{folder}/weights", Training(version, "GRAPH_MODE")
        last = f"{version}-{EPOCHS}_{STEPS}.ckpt"
        load_pretrain(again.net, f"{weights}/{last}", again.ema, f"{weights}/EMA_{last}")
        state = ms.load_checkpoint(f"{weights}/optim_{version}.ckpt")
        left, _ = ms.load_param_into_net(again.optimizer, state)
        again.run(f"{folder}/again", 1)
    again.ema.ema.set_train(False)
    rows = loader([{**LETTERBOX, "only_image": True}, *FINISH[2:]], False).create_dict_iterator(output_numpy=True)
    scores = []
    for row in rows:
        raw = cells.flat(again.ema.ema(ms.Tensor(row["images"])))[0].asnumpy()
        found = non_max_suppression(raw, conf_thres=1e-6, iou_thres=0.6, multi_label=True, time_limit=1000.0)
        scores += [np.sort(boxes[:, 4])[::-1][:5] for boxes in found]
    return {
        "losses": first.told["losses"] + again.told["losses"],
        "rates": again.told["rates"],
        "evaluated": first.told["evaluated"] + again.told["evaluated"],
        "left": [len(left), len(state)],
        "scores": np.concatenate(scores),
    }


CASES = {
    **{f"layer {name} {mode}": functools.partial(layer, name, mode) for name in LAYERS for mode in cells.MODES},
    **{f"overlap {name} {mode}": functools.partial(overlap, name, mode) for name in OVERLAPS for mode in cells.MODES},
    **{f"data {name}": functools.partial(data, name) for name in DATA},
    "evaluation": lambda: numbers(evaluation()),
    **{f"trainer {name}": functools.partial(trainer, name) for name in TRAINERS},
    **{f"resumed {name}": functools.partial(resumed, name) for name in RESUMED},
}

if __name__ == "__main__":
    recorded.main("mindyolo_training", CASES)
