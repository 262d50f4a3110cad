"""mindone's trainers, optimizers, averages and checkpoints, and what its diffusers train with, at a tiny size."""

import functools
import pathlib
import tempfile

import numpy as np

try:
    from tests.ecosystem import cells, recorded
except ImportError:  # under MindSpore the file runs alone
    import cells
    import recorded

OPTIMIZERS = ("adam", "adamw", "adamw_re", "momentum", "came")
STEPS = {
    "plain": {},
    "clipped": {"clip_grad": True, "clip_norm": 0.5},
    "averaged": {"ema": True},
    "accumulated": {"gradient_accumulation_steps": 2},
    "scaled": {"scale_sense": 1024.0},
    "all of them": {"clip_grad": True, "clip_norm": 0.5, "ema": True, "scale_sense": 64.0},
}
TRAINED = {
    "sgd": {"optim": "sgd", "learning_rate": 0.1},
    "momentum": {"optim": "momentum", "learning_rate": 0.05, "max_grad_norm": 0.5},
    "adamw": {"optim": "adamw_mindspore", "weight_decay": 0.01, "lr_scheduler_type": "cosine", "adamw_enable_fuse": 0},
}
RATES = {
    "constant": {"warmup_steps": 2},
    "cosine_decay": {"warmup_steps": 2, "decay_steps": 4},
    "polynomial_decay": {"decay_steps": 6},
    "multi_step_decay": {"milestones": [3, 6]},
}


def net():
    """A small classifier whose weights are fixed."""
    import mindspore as ms
    from mindspore import nn

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.first, self.layernorm, self.last = nn.Dense(6, 8), nn.LayerNorm((8,)), nn.Dense(8, 3)

        def construct(self, x):
            return self.last(self.layernorm(self.first(x)).tanh())

    made = Net()
    rng = np.random.RandomState(0)
    for parameter in made.trainable_params():
        parameter.set_data(ms.Tensor((0.5 * rng.randn(*parameter.shape)).astype(np.float32)))
    return made


def batches(steps: int = 5):
    """Vectors and labels."""
    rng = np.random.RandomState(1)
    return rng.randn(steps, 4, 6).astype(np.float32), rng.randint(0, 3, (steps, 4)).astype(np.int32)


def with_loss():
    """The classifier and a Cell of its loss and logits, as `Trainer` takes it."""
    from mindspore import nn, ops

    class Model(nn.Cell):
        def __init__(self):
            super().__init__(auto_prefix=False)
            self.net = net()

        def construct(self, x=None, labels=None):
            logits = self.net(x)
            return ops.cross_entropy(logits, labels), logits

    class Loss(nn.Cell):
        def __init__(self):
            super().__init__(auto_prefix=False)
            self.model = Model()

        def construct(self, x, labels):
            return self.model(x, labels)[0]

    return Loss()


def collated(rows, batch_info=None):
    """A batch of rows; mindone's own default asks for two arguments and is given one."""
    return {
        "x": np.stack([row["x"] for row in rows]),
        "labels": np.array([row["labels"] for row in rows], np.int32),
    }


def ends(parameters) -> dict:
    """Norms of Parameters and some of their numbers."""
    return cells.shown([p.float() for p in parameters])


def optimizer(name: str, mode: str) -> dict:
    """Five steps of `create_optimizer`'s optimizer with a learning rate a step."""
    import mindspore as ms
    from mindone.trainers import TrainOneStepWrapper, create_optimizer, create_scheduler

    ms.set_context(mode=getattr(ms, mode))
    loss = with_loss()
    rates = create_scheduler(5, "cosine_decay", 0.05, 0.001, warmup_steps=1, decay_steps=4, num_epochs=1)
    # CAME takes three decays and two epsilons
    settings = {"betas": [0.9, 0.999, 0.9999], "eps": [1e-30, 1e-16]} if name == "came" else {}
    made = create_optimizer(loss.trainable_params(), name, rates, weight_decay=0.01, **settings)
    step = TrainOneStepWrapper(loss, made, ms.Tensor(1.0, ms.float32))
    step.set_train()
    losses = [float(step(ms.Tensor(x), ms.Tensor(y))[0].asnumpy()) for x, y in zip(*batches(), strict=True)]
    return {"losses": losses, **ends(loss.trainable_params())}


def wrapper(name: str, mode: str) -> dict:
    """Steps of `TrainOneStepWrapper`, and the averages before and after they are exchanged."""
    import mindspore as ms
    from mindone.trainers import EMA, TrainOneStepWrapper, create_optimizer

    ms.set_context(mode=getattr(ms, mode))
    loss, settings = with_loss(), dict(STEPS[name])
    averages = EMA(loss, ema_decay=0.9) if settings.pop("ema", False) else None
    made = create_optimizer(loss.trainable_params(), "momentum", 0.1, weight_decay=0.01)
    settings["scale_sense"] = ms.Tensor(settings.get("scale_sense", 1.0), ms.float32)
    step = TrainOneStepWrapper(loss, made, ema=averages, **settings)
    step.set_train()
    losses = [float(step(ms.Tensor(x), ms.Tensor(y))[0].asnumpy()) for x, y in zip(*batches(), strict=True)]
    found = {"losses": losses, **ends(loss.trainable_params())}
    if averages is not None:
        found["averages"] = ends(averages.ema_weight)["sizes"]
        averages.swap_before_eval()
        found["exchanged"] = ends(loss.trainable_params())["sizes"]
        averages.swap_after_eval()
        found["back"] = ends(loss.trainable_params())["sizes"]
    return found


def diffusion(scaler: str, mode: str) -> dict:
    """Steps of `TrainStep` with gradients that are accumulated, clipped and scaled, and an `EMAModel`."""
    import mindspore as ms
    from mindone.diffusers.training_utils import EMAModel, TrainStep
    from mindspore import nn, ops

    ms.set_context(mode=getattr(ms, mode))

    class Step(TrainStep):
        def forward(self, x, labels):
            logits = self.model(x)
            loss = self.scale_loss(ops.cross_entropy(logits, labels))
            return loss, logits

    made = net()
    scalers = {"none": lambda: None, "dynamic": lambda: ms.amp.DynamicLossScaler(64, 2, 2)}
    step = Step(
        made,
        nn.Momentum(made.trainable_params(), 0.1, 0.9),
        loss_scaler=scalers[scaler](),
        max_grad_norm=0.5,
        gradient_accumulation_steps=2,
        gradient_accumulation_kwargs={"length_of_dataloader": 5},
    ).set_train()
    averages = EMAModel(made.get_parameters(), decay=0.9)
    losses = []
    for x, y in zip(*batches(), strict=True):
        losses.append(float(step(ms.Tensor(x), ms.Tensor(y))[0].asnumpy()))
        averages.step(made.get_parameters())
    return {
        "losses": losses,
        "averages": [np.linalg.norm(p.asnumpy()) for p in averages.shadow_params],
        **ends(made.get_parameters()),
    }


def trainer(name: str, mode: str) -> dict:
    """Five epochs of `Trainer`, the losses that it logs, and the model that it saves.

    Its checkpoints write a sum of numbers as JSON that NumPy 1 makes float64, and NumPy 2 float32, which JSON refuses.
    """
    import mindspore as ms
    from mindone.transformers.trainer import Trainer
    from mindone.transformers.training_args import TrainingArguments

    ms.set_context(mode=getattr(ms, mode))
    model = with_loss().model
    x, y = batches(1)
    rows = [{"x": a, "labels": int(b)} for a, b in zip(x[0], y[0], strict=True)]
    extra = {key: TRAINED[name][key] for key in TRAINED[name] if key.startswith("adamw_")}
    settings = {key: value for key, value in TRAINED[name].items() if key not in extra}
    with tempfile.TemporaryDirectory() as folder:
        args = TrainingArguments(
            folder,
            num_train_epochs=5,
            per_device_train_batch_size=4,  # one batch, whose rows' order means nothing
            logging_steps=1,
            save_strategy="no",
            report_to=[],
            disable_tqdm=True,
            **settings,
        )
        for key, value in extra.items():
            setattr(args, key, value)
        made = Trainer(model, args, collated, train_dataset=rows)
        made.train()
        history = made.state.log_history
        made.save_model(folder)
        saved = [path for path in pathlib.Path(folder).iterdir() if path.suffix in (".ckpt", ".safetensors")]
        kept = ms.load_checkpoint(str(saved[0]), format=saved[0].suffix[1:])
    return {
        "losses": [entry["loss"] for entry in history if "loss" in entry],
        "steps": [made.state.global_step, len(saved)],
        "saved": [np.linalg.norm(kept[name].asnumpy()) for name in sorted(kept)],
        **ends(model.trainable_params()),
    }


def keeping(mode: str) -> dict:
    """The checkpoints that a `CheckpointManager` keeps, and training that goes on from one."""
    import mindspore as ms
    from mindone.trainers.checkpoint import CheckpointManager, resume_train_network
    from mindspore import nn

    ms.set_context(mode=getattr(ms, mode))
    made = net()
    step = nn.TrainOneStepCell(
        nn.WithLossCell(made, nn.SoftmaxCrossEntropyWithLogits(True, "mean")),
        nn.Momentum(made.trainable_params(), 0.1, 0.9),
    )
    with tempfile.TemporaryDirectory() as folder:
        manager = CheckpointManager(folder, "latest_k", k=2)
        for i, (x, y) in enumerate(zip(*batches(), strict=True)):
            step(ms.Tensor(x), ms.Tensor(y))
            manager.save(step, ckpt_name=f"{i}.ckpt", append_dict={"epoch_num": i, "loss_scale": 2.0})
        left = sorted(int(path.stem) for path in pathlib.Path(folder).glob("*.ckpt"))
        found = resume_train_network(made, step.optimizer, str(pathlib.Path(folder, "3.ckpt")))
    return {
        "left": left,
        "resumed": found[:2],
        **ends(made.get_parameters()),
        "moments": ends(step.optimizer.moments)["sizes"],
    }


def rates(name: str) -> dict:
    """Learning rates of the trainers, and of diffusers' schedule of a kindred name."""
    from mindone.diffusers.optimization import get_scheduler
    from mindone.trainers import create_scheduler

    kindred = {"cosine_decay": "cosine", "polynomial_decay": "polynomial", "multi_step_decay": "linear"}
    found = create_scheduler(3, name, 0.1, 0.001, num_epochs=3, **RATES[name])
    other = get_scheduler(kindred.get(name, "constant_with_warmup"), 0.1, num_warmup_steps=2, num_training_steps=9)
    return {"rates": found, "kindred": [float(rate) for rate in other]}


def weights_of_times() -> dict:
    """Signal to noise, and how losses at times are weighed."""
    import mindspore as ms
    from mindone.diffusers import DDPMScheduler
    from mindone.diffusers.training_utils import compute_loss_weighting_for_sd3, compute_snr

    sigmas = ms.Tensor(np.linspace(0.1, 0.9, 7).astype(np.float32))
    return {
        "snr": compute_snr(DDPMScheduler(), ms.Tensor([3, 500, 998])).asnumpy(),
        **{kind: compute_loss_weighting_for_sd3(kind, sigmas).asnumpy() for kind in ("sigma_sqrt", "cosmap")},
    }


CASES = {
    f"{' '.join(case)} {mode}": functools.partial(what, *case[1:], mode)
    for what, cases in {
        optimizer: [("optimizer", name) for name in OPTIMIZERS],
        wrapper: [("step", name) for name in STEPS],
        diffusion: [("diffusion", scaler) for scaler in ("none", "dynamic")],
        trainer: [("trainer", name) for name in TRAINED],
        keeping: [("checkpoints",)],
    }.items()
    for case in cases
    for mode in cells.MODES
}
CASES |= {f"rates {name}": functools.partial(rates, name) for name in RATES}
CASES["weights of times"] = weights_of_times

if __name__ == "__main__":
    recorded.main("mindone_training", CASES)
