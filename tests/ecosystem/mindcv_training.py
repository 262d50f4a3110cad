"""What mindcv has besides models: optimizers, trainers, losses, schedulers, transforms and loaders."""

import functools
import pathlib
import tempfile

import numpy as np

try:
    from tests.ecosystem import recorded
except ImportError:  # under MindSpore the file runs alone
    import recorded

OPTIMIZERS = ("sgd", "nesterov", "momentum", "adam", "adamw", "lion", "nadam", "adan", "rmsprop", "adagrad", "lamb")
LOSSES = {
    "CE": {},
    "CE smoothed": {"name": "CE", "label_smoothing": 0.1},
    "CE with a second output": {"name": "CE", "aux_factor": 0.4},
    "BCE": {"name": "BCE", "label_smoothing": 0.1},
    "asl_single_label": {"name": "asl_single_label", "label_smoothing": 0.1},
    "asl_multi_label": {"name": "asl_multi_label"},
    "JSD": {"name": "jsd", "label_smoothing": 0.1},
}
SCHEDULERS = {
    "constant": {},
    "cosine_decay": {"decay_epochs": 6, "num_cycles": 2, "cycle_decay": 0.5},
    "exponential_decay": {},
    "polynomial_decay": {},
    "step_decay": {"decay_epochs": 3},
    "multi_step_decay": {"milestones": [4, 7]},
    "one_cycle": {"warmup_epochs": 0},
    "cyclic": {"warmup_epochs": 0, "num_cycles": 2},
}
AUGMENTATIONS = ("randaug-m7-mstd0.5", "autoaug", "autoaugr", "3a", "trivialaugwide", "augmix-m5-w4-d2")
TRAINERS = {
    "plain": {},
    "clipped": {"clip_grad": True, "clip_value": 0.5},
    "averaged": {"ema": True, "ema_decay": 0.9},
    "accumulated": {"gradient_accumulation_steps": 2},
    "all of them": {"clip_grad": True, "clip_value": 0.5, "ema": True, "gradient_accumulation_steps": 2},
    "scaled": {"loss_scale": 1024.0},
    "O2": {"amp_level": "O2", "clip_grad": True, "loss_scale": 256.0},
}


def net():
    """A small classifier whose weights are fixed."""
    import mindspore as ms
    from mindspore import nn

    made = nn.SequentialCell(
        nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.AdaptiveAvgPool2d(2), nn.Flatten(), nn.Dense(16, 5)
    )
    rng = np.random.RandomState(0)
    for parameter in made.trainable_params():
        parameter.set_data(ms.Tensor((0.3 * rng.randn(*parameter.shape)).astype(np.float32)))
    return made


def batches(steps: int = 4):
    """Images and labels."""
    rng = np.random.RandomState(1)
    return rng.randn(steps, 6, 3, 8, 8).astype(np.float32), rng.randint(0, 5, (steps, 6)).astype(np.int32)


def ends(net) -> dict:
    """Mean and norm of each Parameter."""
    values = [p.asnumpy().astype(np.float64) for p in net.get_parameters()]
    return {"norms": [np.linalg.norm(v) for v in values], "means": [v.mean() for v in values]}


def optimizer(name: str, mode: str, filtered: str) -> dict:
    """Four steps of `create_optimizer`'s optimizer with a learning rate a step."""
    import mindspore as ms
    from mindcv.optim import create_optimizer
    from mindspore import nn

    ms.set_context(mode=getattr(ms, mode))
    made = net()
    opt = create_optimizer(
        made.trainable_params(),
        name,
        [0.01, 0.02, 0.01, 0.005],
        weight_decay=0.01,
        weight_decay_filter=filtered,
        eps=1e-6,
    )
    step = nn.TrainOneStepCell(nn.WithLossCell(made, nn.SoftmaxCrossEntropyWithLogits(True, "mean")), opt).set_train()
    losses = [float(step(ms.Tensor(x), ms.Tensor(y)).asnumpy()) for x, y in zip(*batches(), strict=True)]
    return {"losses": losses, **ends(made)}


def trainer(name: str, mode: str) -> dict:
    """An epoch of `create_trainer`'s Model, and what it then says of the data."""
    import mindspore as ms
    from mindcv.loss import create_loss
    from mindcv.optim import create_optimizer
    from mindcv.utils.trainer_factory import create_trainer, get_metrics
    from mindspore.dataset import NumpySlicesDataset

    ms.set_context(mode=getattr(ms, mode))
    made, (x, y) = net(), batches()
    data = NumpySlicesDataset((x.reshape(-1, 3, 8, 8), y.reshape(-1)), ["x", "y"], shuffle=False).batch(6)
    settings = {
        "metrics": get_metrics(5),
        "amp_level": "O0",
        "amp_cast_list": None,
        "loss_scale_type": "fixed",
        "loss_scale": 1.0,
        **TRAINERS[name],
    }
    opt = create_optimizer(made.trainable_params(), "momentum", 0.05, 1e-4, loss_scale=settings["loss_scale"])
    model = create_trainer(made, create_loss(label_smoothing=0.1), opt, **settings)
    model.train(2, data, dataset_sink_mode=False)
    evaluated = model.eval(data, dataset_sink_mode=False)
    averages = model.train_network.ema_weight if TRAINERS[name].get("ema") else ()
    return {
        "evaluated": [evaluated[key] for key in sorted(evaluated)],
        "averages": [np.linalg.norm(p.asnumpy()) for p in averages],
        **ends(made),
    }


def loss(name: str, mode: str) -> dict:
    """A loss and its gradient."""
    import mindspore as ms
    from mindcv.loss import create_loss

    ms.set_context(mode=getattr(ms, mode))
    made = create_loss(**{"name": name, **LOSSES[name]})
    rng = np.random.RandomState(2)
    logits = ms.Tensor(2 * rng.randn(6, 5).astype(np.float32))
    classes = rng.randint(0, 5, 6)
    dense = name in {"BCE", "asl_multi_label"}
    labels = ms.Tensor(np.eye(5, dtype=np.float32)[classes] if dense else classes.astype(np.int32))

    def of(logits):
        return made((logits, 0.5 * logits) if "second" in name else logits, labels)

    value, gradient = ms.value_and_grad(of)(logits)
    return {"value": value.asnumpy(), "gradient": gradient.asnumpy()}


def scheduler(name: str) -> dict:
    """The learning rates of ten epochs, by the step and by the epoch."""
    from mindcv.scheduler import create_scheduler

    found = {}
    for stair in (False, True):
        if stair and name in {"one_cycle", "cyclic"}:
            continue
        settings = {"warmup_epochs": 2, "warmup_factor": 0.1, "decay_epochs": 8, "num_epochs": 10, **SCHEDULERS[name]}
        rates = create_scheduler(3, name, 0.1, 1e-4, lr_epoch_stair=stair, **settings)
        found["by the epoch" if stair else "by the step"] = rates if isinstance(rates, list) else [rates]
    return found


@functools.cache
def pictures() -> str:
    """A folder of two classes of pictures."""
    from PIL import Image

    folder = pathlib.Path(tempfile.mkdtemp())
    rng = np.random.RandomState(3)
    for kind in ("one", "two"):
        (folder / "train" / kind).mkdir(parents=True)
        for k in range(4):
            small = Image.fromarray(rng.randint(0, 255, (6, 8, 3)).astype(np.uint8))
            small.resize((80, 60), Image.BICUBIC).save(folder / "train" / kind / f"{k}.png")
    return str(folder)


def loaded(training: bool = False, separate: bool = False, loading=None, **settings):
    """What a loader of the pictures gives."""
    import mindspore as ms
    from mindcv.data import create_dataset, create_loader, create_transforms

    ms.dataset.config.set_seed(4)
    np.random.seed(4)
    data = create_dataset("", pictures(), "train", shuffle=False)
    transform = create_transforms("", 32, training, separate=separate, **settings)
    loader = create_loader(
        data, 4, is_training=training, num_classes=2, transform=transform, separate=separate, **(loading or {})
    )
    return [(x, y) for x, y in loader.create_tuple_iterator(output_numpy=True, num_epochs=1)]


def evaluation(interpolation: str) -> dict:
    """The pictures as a model is evaluated with them."""
    found = loaded(interpolation=interpolation)
    return {"images": [x[:, :, ::8, ::8] for x, _ in found], "labels": [y for _, y in found]}


def augmented(policy: str | None, **settings) -> dict:
    """Shapes and labels of what is drawn at random, and that it is finite."""
    found = loaded(True, auto_augment=policy, **settings)
    return {
        "shapes": [x.shape for x, _ in found],
        "labels": [np.shape(y) for _, y in found],
        "finite": [np.isfinite(x).all() for x, _ in found],
    }


# What fails under MindSpore on a CPU as well, and so has no numbers.
UNRECORDED = {
    "optimizer lamb": "Lamb has no kernel on CPUs there",
    "trainer accumulated PYNATIVE_MODE": "its counter is a Parameter, to which it assigns a number",
    "trainer all of them PYNATIVE_MODE": "its counter is a Parameter, to which it assigns a number",
    "augmented apart": "it maps with `column_order`, which `Dataset.map` no longer takes",
}
MODES = ("PYNATIVE_MODE", "GRAPH_MODE")
CASES = {
    **{
        f"optimizer {name} {filtered} {mode}": functools.partial(optimizer, name, mode, filtered)
        for name in OPTIMIZERS
        for filtered in ("disable", "norm_and_bias")
        for mode in MODES
    },
    **{f"trainer {name} {mode}": functools.partial(trainer, name, mode) for name in TRAINERS for mode in MODES},
    **{f"loss {name} {mode}": functools.partial(loss, name, mode) for name in LOSSES for mode in MODES},
    **{f"scheduler {name}": functools.partial(scheduler, name) for name in SCHEDULERS},
    **{f"evaluation {name}": functools.partial(evaluation, name) for name in ("bilinear", "bicubic")},
    **{f"augmented {name}": functools.partial(augmented, name) for name in AUGMENTATIONS},
    "augmented colours": functools.partial(augmented, None, color_jitter=0.4, re_prob=1.0),
    "augmented apart": functools.partial(augmented, "randaug-m7-mstd0.5", separate=True),
    "augmented mixed": functools.partial(augmented, None, loading={"mixup": 0.8, "cutmix": 1.0, "cutmix_prob": 1.0}),
}


def limit(case):
    """Adan asks whether a gradient sums to 0.0. Those of the last layer do, but for rounding, which so decides."""
    return 1e-2 if case.startswith("optimizer adan") else 1e-4


if __name__ == "__main__":
    recorded.main("mindcv_training", CASES)
