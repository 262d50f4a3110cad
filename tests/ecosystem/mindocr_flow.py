"""mindocr from pictures to metrics, as its scripts go: training with evaluations, then on from its checkpoints."""

import functools
import pathlib
import tempfile

import numpy as np

try:
    from tests.ecosystem import cells, mindocr_nets, mindocr_training, recorded
except ImportError:  # under MindSpore the file runs alone
    import cells
    import mindocr_nets
    import mindocr_training
    import recorded

EPOCHS = 3
FOUND = ["image", "polys", "ignore_tags", "shape_list"]
READ = [mindocr_training.DECODE, {"RecCTCLabelEncode": mindocr_training.READ}, mindocr_training.NARROW]
READ += mindocr_training.FINISH
# Of each task: data to train with and to evaluate with, columns of inputs and labels of either, loss, what is made of
# outputs, metric.
TASKS = {
    "DBNet": {
        "data": mindocr_training.DATA["found"],
        "evaluated": ("DetDataset", mindocr_training.DATA["found by EAST"][1], FOUND),
        "labels": ([1, 2, 3, 4], [1, 2]),
        "made": {"name": "DBPostprocess", "box_thresh": 0.05, "binary_thresh": 0.05},
        "metric": ({"name": "DetMetric"}, "f-score"),
        "rate": 2e-4,
    },
    "CRNN": {
        "data": ("RecDataset", READ, ["image", "text_seq"]),
        "evaluated": ("RecDataset", READ, ["image", "text_padded", "text_length"]),
        "labels": ([1], [1, 2]),
        "made": {"name": "RecCTCLabelDecode"},
        "metric": ({"name": "RecMetric"}, "acc"),
        "rate": 0.02,
    },
}
# What a flow settles differently of its training.
FLOWS = {
    "plain": {},
    "averaged": {"ema": True, "clip_grad": True, "clip_norm": 1.0, "scaler": {"type": "dynamic", "loss_scale": 64}},
    "accumulated": {"gradient_accumulation_steps": 2, "scaler": {"type": "static", "loss_scale": 8.0}},
}


class Settings(dict):
    """Settings that are read as items and as attributes."""

    __getattr__ = dict.__getitem__


def net(name: str, checkpoint: str | None):
    """A small net, from a checkpoint or as it begins."""
    from mindocr.models import build_model

    parts = mindocr_nets.NETS[name][0]
    if name == "CRNN":
        parts = {**parts, "head": {"name": "CTCHead", "out_channels": 37}}
    model = build_model({part: dict(given) for part, given in parts.items()}, ckpt_load_path=checkpoint)
    return model if checkpoint else cells.fixed(model)


def task_loss(name: str):
    """The loss of a task."""
    from mindocr.losses import build_loss

    return (
        build_loss("DBLoss")
        if name == "DBNet"
        else build_loss("CTCLoss", pred_seq_len=11, max_label_len=6, batch_size=2)
    )


def evaluating(name: str):
    """Data to evaluate with, and what mindocr is told of them and of outputs."""
    from mindocr.metrics import build_metric
    from mindocr.postprocess import build_postprocess

    task = TASKS[name]
    told = {
        "postprocessor": build_postprocess(dict(task["made"])),
        "metrics": [build_metric(dict(task["metric"][0]))],
        "loader_output_columns": task["evaluated"][2],
        "input_indices": [0],
        "label_indices": task["labels"][1],
    }
    return mindocr_training.loader(*task["evaluated"], training=False), told


def trained(name: str, settings: dict, folder: str, resumed: bool):
    """Some epochs of a task: the losses, and the net."""
    import mindspore as ms
    from mindocr.optim import create_group_params, create_optimizer
    from mindocr.scheduler import create_scheduler
    from mindocr.utils.callbacks import EvalSaveCallback
    from mindocr.utils.checkpoint import resume_train_network
    from mindocr.utils.ema import EMA
    from mindocr.utils.loss_scaler import get_loss_scales
    from mindocr.utils.model_wrapper import NetWithLossWrapper
    from mindocr.utils.train_step_wrapper import TrainOneStepWrapper

    own, task = dict(settings), TASKS[name]
    scaler, averaged = own.pop("scaler", None), own.pop("ema", False)
    data = mindocr_training.loader(*task["data"])
    model = net(name, None)
    with_loss = NetWithLossWrapper(model, task_loss(name), input_indices=[0], label_indices=task["labels"][0])
    config = Settings(train=own, **({"loss_scaler": Settings(scaler)} if scaler else {}))
    scales, scale = get_loss_scales(config)
    rates = create_scheduler(
        2, "polynomial_decay", lr=task["rate"], num_epochs=2 * EPOCHS, decay_epochs=2 * EPOCHS - 1, warmup_epochs=1
    )
    groups = create_group_params(model.trainable_params(), 1e-4, "filter_norm_and_bias")
    optimizer = create_optimizer(groups, "momentum", lr=rates, loss_scale=scale, momentum=0.9)
    first = 0
    if resumed:
        first, value, step, overflow = resume_train_network(model, optimizer, f"{folder}/train_resume.ckpt")
        scales.loss_scale_value = value
        if scaler and scaler["type"] == "dynamic":
            scales.cur_iter, scales.last_overflow_iter = step, overflow
    average = EMA(model, ema_decay=0.9) if averaged else None
    step = TrainOneStepWrapper(with_loss, optimizer, scales, ema=average, drop_overflow_update=True, **own)
    loader, told = evaluating(name)
    monitor = EvalSaveCallback(
        model,
        loader,
        batch_size=2,
        ckpt_save_dir=folder,
        main_indicator=task["metric"][1],
        ema=average,
        ckpt_max_keep=2,
        start_epoch=first,
        **told,
    )
    losses = []

    class Tell(ms.train.Callback):
        def on_train_step_end(self, run_context):
            losses.append(monitor._loss_avg_meter.val.asnumpy())

    epochs = EPOCHS + first
    ms.Model(step).train(epochs, data, callbacks=[monitor, Tell()], dataset_sink_mode=False, initial_epoch=first)
    return losses, model


def worth(name: str, checkpoint: str) -> list:
    """The metrics of a checkpoint, of which mindocr makes a net again."""
    from mindocr.utils.evaluator import Evaluator

    model = net(name, checkpoint)
    loader, told = evaluating(name)
    found = Evaluator(model, loader, **told).eval()
    return [float(found[key]) for key in sorted(found)]


def log_of(folder: str) -> list:
    """The numbers of mindocr's log but for times."""
    lines = (pathlib.Path(folder) / "result.log").read_text().splitlines()[1:]
    return [float(word) for line in lines for word in line.split("\t")[:-2]]


def flow(name: str, settled: str, mode: str) -> dict:
    """Three epochs, three more from the checkpoints, and what these are worth."""
    import mindspore as ms

    ms.set_context(mode=getattr(ms, mode))
    with tempfile.TemporaryDirectory() as folder:
        losses, _ = trained(name, FLOWS[settled], folder, False)
        files = sorted(path.name for path in pathlib.Path(folder).iterdir())
        best = worth(name, f"{folder}/best.ckpt")
        kept = ms.load_checkpoint(f"{folder}/train_resume.ckpt")
        again, model = trained(name, FLOWS[settled], folder, True)
        log, end = log_of(folder), worth(name, f"{folder}/best.ckpt")
        files += sorted(path.name for path in pathlib.Path(folder).iterdir())
    values = [p.asnumpy().astype(np.float64) for p in model.get_parameters()]
    return {
        "losses": losses,
        "again": again,
        "log": log,
        "files": [len(file) for file in files],
        "kept": [len(kept), *(np.linalg.norm(kept[key].asnumpy()) for key in ("epoch_num", "loss_scale"))],
        "worth": best + end,
        "weights": [np.linalg.norm(value) for value in values[:: max(1, len(values) // 16)]],
    }


CASES = {
    f"{name} {settled} {mode}": functools.partial(flow, name, settled, mode)
    for name in TASKS
    for settled in FLOWS
    for mode in cells.MODES
}


def limit(case: str) -> float:
    """How far a case may be off: DBNet's loss picks the hardest pixels, of which rounding puts some before others."""
    return 2e-2 if case.startswith("DBNet plain") else 1e-3


if __name__ == "__main__":
    recorded.main("mindocr_flow", CASES)
