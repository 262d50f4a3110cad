"""mindcv from pictures in folders to accuracies, as its scripts go: training with evaluations, resuming, validating."""

import functools
import pathlib
import tempfile
import time

import numpy as np

try:
    from tests.ecosystem import cells, recorded
except ImportError:  # under MindSpore the file runs alone
    import cells
    import recorded

MODEL, SIZE, BATCH, EPOCHS, RATE = "small_of_a_user", 32, 4, 2, 0.02
# What a flow settles differently: of its trainer, and of how the data comes. Averages are not among it: the monitor
# hands Tensors to `load_param_into_net`, which takes Parameters, here and in MindSpore.
FLOWS = {
    "plain": {},
    "sunk": {"sink": True},
    "clipped": {"clip_grad": True, "clip_value": 1.0, "loss_scale": 8.0},
    "by adamw": {"by": "adamw"},
}
# The whole picture, resized: crops at random are drawn otherwise by each implementation.
WHOLE = {"scale": (1.0, 1.0), "ratio": (4 / 3, 4 / 3), "hflip": 0.0, "interpolation": "bilinear"}


@functools.cache
def registered() -> None:
    """A user's own net among mindcv's models."""
    from mindcv.models.registry import register_model
    from mindspore import nn

    @register_model
    def small_of_a_user(pretrained=False, num_classes=1000, in_channels=3, **kwargs):
        return nn.SequentialCell(
            nn.Conv2d(in_channels, 6, 3, 2),
            nn.BatchNorm2d(6),
            nn.ReLU(),
            nn.Conv2d(6, 8, 3, 2),
            nn.BatchNorm2d(8),
            nn.ReLU(),
            nn.AdaptiveAvgPool2d(2),
            nn.Flatten(),
            nn.Dense(32, num_classes),
        )


@functools.cache
def pictures() -> str:
    """Folders of pictures of five classes, eight of each to train with and two to evaluate."""
    from PIL import Image

    folder, rng = pathlib.Path(tempfile.mkdtemp()), np.random.RandomState(3)
    for split, count in (("train", 8), ("val", 2)):
        for kind in range(5):
            (folder / split / f"kind{kind}").mkdir(parents=True)
            for k in range(count):
                small = rng.randint(0, 160, (6, 8, 3)) + 20 * np.asarray([kind, 4 - kind, kind % 2])
                picture = Image.fromarray(small.astype(np.uint8)).resize((80, 60), Image.BICUBIC)
                picture.save(folder / split / f"kind{kind}" / f"{k}.png")
    return str(folder)


def loader(split: str):
    """mindcv's loader of a folder of pictures."""
    from mindcv.data import create_dataset, create_loader, create_transforms

    training = split == "train"
    data = create_dataset("", pictures(), split, shuffle=False, num_parallel_workers=1)
    transform = create_transforms("", SIZE, training, **WHOLE if training else {})
    return create_loader(data, BATCH, drop_remainder=training, is_training=training, num_classes=5, transform=transform)


def monitored(model, optimizer, folder: str, settings: dict, epochs: int, first: int = 0) -> list:
    """The losses and rates of a training under mindcv's StateMonitor."""
    from mindcv.utils import StateMonitor
    from mindspore.train import Callback

    sink, told = settings.get("sink", False), []
    monitor = StateMonitor(
        model,
        MODEL,
        last_epoch=first,
        dataset_sink_mode=sink,
        dataset_val=loader("val"),
        metric_name=["Top_1_Accuracy", "Top_5_Accuracy"],
        ckpt_save_dir=folder,
        ckpt_save_policy="latest_k",
        ckpt_keep_max=1,
        summary_dir=f"{folder}/summary",
        log_interval=1,
    )

    class Tell(Callback):
        def on_train_step_end(self, run_context):
            given = run_context.original_args()
            told.append(monitor._get_loss_from_cbp(given).asnumpy())
            told.append(np.ravel(monitor._get_lr_from_cbp(given).asnumpy())[0])

    model.train(epochs, loader("train"), callbacks=[monitor, Tell()], dataset_sink_mode=sink)
    return told


def trained(settings: dict, folder: str, checkpoint: str = "", first: int = 0):
    """A model after some epochs, and its losses and rates."""
    import mindspore as ms
    from mindcv.loss import create_loss
    from mindcv.models import create_model
    from mindcv.optim import create_optimizer
    from mindcv.scheduler import create_scheduler
    from mindcv.utils import create_trainer, get_metrics

    net = create_model(MODEL, 5, checkpoint_path=checkpoint)
    if not checkpoint:
        cells.fixed(net)
    rates = create_scheduler(10, "cosine_decay", RATE, 1e-4, warmup_epochs=1, decay_epochs=3, num_epochs=4)
    own = {name: value for name, value in settings.items() if name not in ("sink", "by")}
    scale = own.pop("loss_scale", 1.0)
    optimizer = create_optimizer(
        net.trainable_params(), settings.get("by", "momentum"), rates, 1e-4, 0.9, loss_scale=scale
    )
    if first:
        ms.load_param_into_net(optimizer, ms.load_checkpoint(f"{folder}/optim_{MODEL}.ckpt"))
    metrics, loss = get_metrics(5), create_loss(name="CE", label_smoothing=0.1)
    model = create_trainer(net, loss, optimizer, metrics, "O0", None, "fixed", scale, **own)
    return net, monitored(model, optimizer, folder, settings, EPOCHS, first)


def validated(checkpoint: str) -> list:
    """What a checkpoint is worth, of which mindcv makes a net again."""
    from mindcv.loss import create_loss
    from mindcv.models import create_model
    from mindspore import Model, nn

    net = create_model(MODEL, 5, checkpoint_path=checkpoint).set_train(False)
    metrics = {"first": nn.Top1CategoricalAccuracy(), "fifth": nn.Top5CategoricalAccuracy(), "loss": nn.Loss()}
    found = Model(net, create_loss(name="CE"), metrics=metrics).eval(loader("val"), dataset_sink_mode=False)
    return [np.asarray(found[name]).item() for name in sorted(found)]


def log_of(folder: str) -> list:
    """The numbers of mindcv's log but for times."""
    lines = (pathlib.Path(folder) / "result.log").read_text().splitlines()[1:]
    return [float(word.rstrip("%")) for line in lines for word in line.split()[:4]]


def flow(name: str, mode: str) -> dict:
    """Two epochs, two more from the checkpoints, and what the net then is worth."""
    import mindspore as ms

    ms.set_context(mode=getattr(ms, mode))
    settings = FLOWS[name]
    registered()
    with tempfile.TemporaryDirectory() as folder:
        _, told = trained(settings, folder)
        while ms.async_ckpt_thread_status():
            time.sleep(0.1)
        log = log_of(folder)
        files = [sorted(path.name for path in pathlib.Path(folder).glob("*.ckpt"))]
        last = f"{folder}/{MODEL}-{EPOCHS}_10.ckpt"
        worth = validated(last)
        net, again = trained(settings, folder, last, EPOCHS)
        while ms.async_ckpt_thread_status():
            time.sleep(0.1)
        files.append(sorted(path.name for path in pathlib.Path(folder).glob("*.ckpt")))
        summaries = any((pathlib.Path(folder) / "summary").glob("*events*"))
    values = [p.asnumpy().astype(np.float64) for p in net.get_parameters()]
    return {
        "losses": told[::2],
        "rates": told[1::2],
        "log": log,
        "files": [len(name) for names in files for name in names] + [summaries],
        "validated": worth,
        "again": again,
        "weights": [np.linalg.norm(value) for value in values],
    }


CASES = {f"flow {name} {mode}": functools.partial(flow, name, mode) for name in FLOWS for mode in cells.MODES}

if __name__ == "__main__":
    recorded.main("mindcv_flow", CASES)
