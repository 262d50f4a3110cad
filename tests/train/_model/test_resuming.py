"""A training that is broken off and resumed gives the numbers of one that was not, bit by bit.

Trainings that save no resumable checkpoints and are compared with some that do are compiled from their first call,
as those are: NumPy, which serves the first calls of others, may round otherwise than XLA.
"""

import json
import os
import random

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, nn, ops
from ms_compat import dataset as ds
from ms_compat._core.compiled.interpreter import tier
from ms_compat.train import Callback, CheckpointConfig, EarlyStopping, Model, ModelCheckpoint, ReduceLROnPlateau
from ms_compat.train._model import resuming
from ms_compat.train.loss_scale_manager import DynamicLossScaleManager

EPOCHS, SIZE, BATCH = 3, 20, 4
STEPS = SIZE // BATCH


class Net(nn.Cell):
    """Has what a training changes: weights, moving averages, and random numbers."""

    def __init__(self):
        super().__init__()
        self.hidden = nn.Dense(6, 8)
        self.norm = nn.BatchNorm1d(8)
        self.dropout = nn.Dropout(p=0.4)
        self.out = nn.Dense(8, 3)

    def construct(self, x):
        return self.out(self.dropout(ops.relu(self.norm(self.hidden(x)))))


class Noise(Callback):
    """Draws from NumPy and Python between the steps, as programs do."""

    def __init__(self):
        super().__init__()
        self.drawn = []

    def on_train_step_end(self, run_context):
        self.drawn.append((np.random.rand(), random.random()))


class StopAfter(Callback):
    """A run that breaks off, as one that is killed: nothing is done after this step."""

    def __init__(self, steps):
        super().__init__()
        self.steps = steps

    def on_train_step_end(self, run_context):
        if run_context.original_args().cur_step_num == self.steps:
            raise ConnectionError


def jitter(x):
    return x + np.float32(0.01) * np.random.RandomState(int(abs(x[0]) * 1e6)).rand(6).astype(np.float32)


def data():
    values = np.random.RandomState(3)
    source = (values.rand(SIZE, 6).astype(np.float32), values.randint(0, 3, SIZE).astype(np.int32))
    made = ds.NumpySlicesDataset(source, ["x", "y"], shuffle=True)
    made = made.map(ds.transforms.RandomApply([jitter], prob=0.5), ["x"])
    return made.batch(BATCH)


OPTIMIZERS = {
    "adam": lambda p: nn.Adam(p, 0.05),
    "momentum": lambda p: nn.Momentum(p, [0.1 / (1 + i) for i in range(EPOCHS * STEPS)], 0.9),
    "decay": lambda p: nn.AdamWeightDecay(p, nn.ExponentialDecayLR(0.05, 0.9, 4)),
    "rprop": lambda p: nn.Rprop(p, 0.01),
    "ftrl": lambda p: nn.FTRL(p, learning_rate=0.05),
}


def model(optimizer="adam", manager=None, **more):
    np.random.seed(7)
    net = Net()
    made = OPTIMIZERS[optimizer](net.trainable_params())
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    if manager is not None:
        more["loss_scale_manager"] = manager
    return Model(net, loss, made, metrics={"loss"}, **more)


def weights(made):
    return {p.name: p.asnumpy().tobytes() for p in made.train_network.get_parameters()}


def saver(folder, **config):
    return ModelCheckpoint("net", str(folder), CheckpointConfig(save_checkpoint_steps=1, resumable=True, **config))


def broken(folder, steps, seed=5, made=None, callbacks=(), **config):
    """A training that breaks off after some steps."""
    ms.set_seed(seed)
    made = model() if made is None else made
    with pytest.raises(ConnectionError):
        made.train(EPOCHS, data(), [Noise(), *callbacks, saver(folder, **config), StopAfter(steps)])


def elsewhere():
    """What another process would have done before."""
    ms.set_seed(99)
    np.random.rand(13)
    ops.rand(3)


@pytest.mark.parametrize("format", ["ckpt", "safetensors"])
def test_equals_an_unbroken_training(format, mode, tmp_path):
    """Every file of one training: within an epoch, at its end, and after its last step."""
    ms.set_seed(5)
    whole, seen = model(), Noise()
    whole.train(EPOCHS, data(), [seen, saver(tmp_path, format=format, keep_checkpoint_max=100)])
    resumed = model()
    for steps in (1, STEPS, STEPS + 2, EPOCHS * STEPS):
        elsewhere()
        rest = Noise()
        path = tmp_path / f"net-{(steps - 1) // STEPS + 1}_{(steps - 1) % STEPS + 1}.{format}"
        resumed.train(EPOCHS, data(), [rest], resume=path)
        assert weights(resumed) == weights(whole)
        assert rest.drawn == seen.drawn[steps:]


@pytest.mark.parametrize("optimizer", list(OPTIMIZERS)[1:])
def test_optimizers(optimizer, tmp_path):
    ms.set_seed(5)
    whole = model(optimizer)
    with tier.compiled_only():
        whole.train(EPOCHS, data())
    broken(tmp_path, 7, made=model(optimizer))
    elsewhere()
    resumed = model(optimizer)
    resumed.train(EPOCHS, data(), resume=str(tmp_path))
    assert weights(resumed) == weights(whole)


def test_without_a_seed_the_order_of_the_data_is_kept(tmp_path, monkeypatch):
    """Every iterator then has a seed of its own, which the checkpoint tells."""
    from ms_compat._core.dispatch.random import default_generator
    from ms_compat.dataset._support import randomness

    class Order(Callback):
        def __init__(self):
            super().__init__()
            self.seen = []

        def on_train_step_begin(self, run_context):
            self.seen.append(run_context.original_args().train_dataset_element[0].asnumpy().tobytes())

    monkeypatch.setattr(default_generator, "user_seed", None)
    randomness.set_seed(None)
    first = Order()
    with pytest.raises(ConnectionError):
        model().train(2, data(), [first, saver(tmp_path), StopAfter(3)])
    second, again = Order(), Order()
    model().train(2, data(), [second], resume=str(tmp_path))
    model().train(2, data(), [again], resume=str(tmp_path))
    assert second.seen == again.seen and len(second.seen) == 2 * STEPS - 3
    assert not set(second.seen[: STEPS - 3]) & set(first.seen[:3])


def test_the_loss_scale_goes_on(tmp_path):
    def manager():
        return DynamicLossScaleManager(2.0**10, 2, 3)

    def made():
        return model("momentum", manager(), amp_level="O0")

    ms.set_seed(5)
    whole = made()
    with tier.compiled_only():
        whole.train(EPOCHS, data())
    broken(tmp_path, 8, made=made())
    elsewhere()
    resumed = made()
    resumed.train(EPOCHS, data(), resume=str(tmp_path))
    assert weights(resumed) == weights(whole)
    told = [vars(m._loss_scale_manager) for m in (whole, resumed)]
    assert told[0] == told[1] and told[0]["loss_scale"] != 2.0**10


def test_callbacks_go_on(tmp_path):
    """After `fit` both have seen as many epochs without an improvement."""

    def callbacks():
        return [EarlyStopping(patience=10, restore_best_weights=True), ReduceLROnPlateau(patience=1, factor=0.5)]

    def state(found):
        values = found[0].best_weights_param_dict
        return [[getattr(c, name) for name in c.kept_state if name != "best_weights_param_dict"] for c in found], {
            name: value.asnumpy().tobytes() for name, value in values.items()
        }

    def fit(made, found, **how):
        made.fit(EPOCHS, data(), data(), callbacks=found, **how)

    ms.set_seed(5)
    whole, of_whole = model(), callbacks()
    with tier.compiled_only():
        fit(whole, of_whole)
    ms.set_seed(5)
    with pytest.raises(ConnectionError):
        fit(model(), [*callbacks(), saver(tmp_path), StopAfter(2 * STEPS)])
    elsewhere()
    resumed, of_resumed = model(), callbacks()
    fit(resumed, of_resumed, resume=tmp_path)
    assert weights(resumed) == weights(whole)
    assert state(of_resumed) == state(of_whole)


def test_steps_and_epochs_are_counted_on(tmp_path):
    class Counts(Callback):
        def __init__(self):
            super().__init__()
            self.seen = []

        def on_train_step_end(self, run_context):
            told = run_context.original_args()
            self.seen.append((told.cur_epoch_num, told.cur_step_num))

    broken(tmp_path, 7)
    counts = Counts()
    model().train(EPOCHS, data(), [counts, saver(tmp_path)], resume=str(tmp_path))
    assert counts.seen == [(step // STEPS + 1, step + 1) for step in range(7, EPOCHS * STEPS)]
    assert f"net_1-{EPOCHS}_{STEPS}.ckpt" in os.listdir(tmp_path)
    assert not os.path.exists(tmp_path / "net_1-2_2.ckpt")  # the step that was resumed after is not saved again


def harmed(path, how, chance):
    data = bytearray(path.read_bytes())
    if how == "flipped":
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    elif how == "halved":
        del data[len(data) // 2 :]
    elif how == "unmarked":  # the checksum itself is gone
        at = data.find(b"crc_num")
        data = data[:at] if path.suffix == ".ckpt" else data.replace(b"crc_num", b"crc_nul")
    elif how == "empty":
        data = bytearray()
    path.unlink()
    path.write_bytes(data)


@pytest.mark.parametrize("format", ["ckpt", "safetensors"])
@pytest.mark.parametrize("how", ["flipped", "halved", "unmarked", "empty"])
def test_a_damaged_file_is_refused_and_the_newest_whole_one_is_taken(format, how, tmp_path, caplog):
    broken(tmp_path, 3, format=format)
    newest, second = tmp_path / f"net-1_3.{format}", tmp_path / f"net-1_2.{format}"
    whole, chance = newest.read_bytes(), random.Random(how)
    for _ in range(40 if how == "flipped" else 1):
        harmed(newest, how, chance)
        with pytest.raises(ValueError, match="net-1_3"):
            resuming.find(newest)
        caplog.clear()
        assert resuming.find(tmp_path).path == str(second)
        (record,) = caplog.records
        assert record.levelname == "WARNING" and f"continues from {second}" in record.getMessage()
        assert str(newest) in record.getMessage()
        newest.unlink()
        newest.write_bytes(whole)
    assert resuming.find(tmp_path).path == str(newest)


def test_a_damaged_file_is_counted_with_the_others(tmp_path):
    broken(tmp_path, 3, keep_checkpoint_max=3)
    harmed(tmp_path / "net-1_3.ckpt", "halved", None)
    with pytest.raises(ConnectionError):
        callbacks = [saver(tmp_path, keep_checkpoint_max=3), StopAfter(3)]
        model().train(EPOCHS, data(), callbacks, resume=str(tmp_path))
    left = {path.name for path in tmp_path.glob("*.ckpt")}
    assert left == {"net-1_1.ckpt", "net-1_2.ckpt", "net_1-1_3.ckpt"}


def test_a_directory_of_damaged_files_begins_no_training_anew(tmp_path):
    broken(tmp_path, 2)
    for path in tmp_path.glob("*.ckpt"):
        harmed(path, "halved", None)
    with pytest.raises(ValueError, match="must hold a checkpoint that can be read"):
        model().train(EPOCHS, data(), resume=str(tmp_path))


def test_files_of_before_the_checksum_are_read(tmp_path, caplog):
    broken(tmp_path, 2)
    values = ms.load_checkpoint(str(tmp_path / "net-1_2.ckpt"))
    told = json.loads(values["training_state"].asnumpy().tobytes())
    del told["checksum"]
    values["training_state"] = Parameter(Tensor(np.frombuffer(json.dumps(told).encode(), np.uint8).copy()))
    ms.save_checkpoint(values, str(tmp_path / "old.ckpt"))
    assert resuming.find(tmp_path / "old.ckpt").steps == 2
    assert not caplog.records


@pytest.mark.parametrize("encrypted", [False, True])
def test_resumable_files_have_a_checksum(tmp_path, encrypted):
    keys = {"enc_key": b"0123456789abcdef"} if encrypted else {}
    broken(tmp_path, 1, **keys)
    data_ = (tmp_path / "net-1_1.ckpt").read_bytes()
    assert (b"crc_num" in data_[-17:]) is not encrypted
    values = ms.load_checkpoint(str(tmp_path / "net-1_1.ckpt"), dec_key=keys.get("enc_key"))
    assert resuming.find(values).steps == 1


@pytest.mark.parametrize("how", ["file", "directory"])
def test_files_are_counted_across_resumed_trainings(tmp_path, how):
    def files():
        return {name for name in os.listdir(tmp_path) if name.endswith(".ckpt")}

    others = {"net_7-1_1.ckpt", "other-1_1.ckpt"}  # of other trainings
    broken(tmp_path, 7, keep_checkpoint_max=3)
    for name in others:
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (1, 1))
    kept = ["net-1_5.ckpt", "net-2_1.ckpt", "net-2_2.ckpt"]
    assert files() == {*kept, *others}
    for run, steps in ((8, 9), (9, 11), (10, 12)):
        os.utime(tmp_path / kept[-1])
        resume = tmp_path / kept[-1] if how == "file" else tmp_path
        with pytest.raises(ConnectionError):
            callbacks = [saver(tmp_path, keep_checkpoint_max=3), StopAfter(steps)]
            model().train(EPOCHS, data(), callbacks, resume=str(resume))
        first = {9: 7, 11: 9, 12: 11}[steps]
        kept += [f"net_{run}-{s // STEPS + 1}_{s % STEPS + 1}.ckpt" for s in range(first, steps)]
        kept = kept[-3:]
        assert files() == {*kept, *others}


@pytest.mark.parametrize(
    "names", [["../net-1_1.ckpt", "other-1_1.ckpt", "net-1_1.txt", 3, "/net-1_1.ckpt"], None, "net-1_1"]
)
def test_a_checkpoint_cannot_have_other_files_deleted(tmp_path, names):
    folder = tmp_path / "run"
    folder.mkdir()
    for path in (tmp_path / "net-1_1.ckpt", folder / "other-1_1.ckpt", folder / "net-1_1.txt"):
        path.touch()
    made = saver(folder, keep_checkpoint_max=1)

    class Claims(Callback):
        def on_train_step_begin(self, run_context):
            made._file_names = names

    model().train(1, data(), [Claims(), made])
    assert sorted(os.listdir(folder)) == ["net-1_1.txt", "net-1_5.ckpt", "other-1_1.ckpt"]
    assert (tmp_path / "net-1_1.ckpt").exists()


class Interrupts(Callback):
    """Ctrl-C after a step."""

    def __init__(self, steps):
        super().__init__()
        self.steps = steps

    def on_train_step_begin(self, run_context):
        if run_context.original_args().cur_step_num > self.steps:
            raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("argv", "command"),
    [
        (["/usr/bin/python3", "-m", "ms_compat", "run", "my train.py", "--lr", "1"],
         "python3 -m ms_compat run 'my train.py' --lr 1"),
        (["/usr/bin/python3", "/env/bin/ms-compat", "run", "train.py"], "ms-compat run train.py"),
        (["/usr/bin/python3", "train.py"], "python3 train.py"),
    ],
)  # fmt: skip
@pytest.mark.skipif(os.name == "nt", reason="quotes of POSIX shells")
def test_ctrl_c_says_how_to_continue(tmp_path, monkeypatch, capsys, argv, command):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.orig_argv", argv)
    with pytest.raises(KeyboardInterrupt):
        model().train(EPOCHS, data(), [saver("run"), Interrupts(3)])
    told = "Interrupted; the newest checkpoint is {}. To continue, {}run:\n  {}\n"
    first = told.format("run/net-1_3.ckpt", 'pass resume="run" to Model.train, and ', command)
    assert capsys.readouterr() == ("", first)
    for steps, newest in ((3, "run/net-1_3.ckpt"), (4, "run/net_1-1_4.ckpt")):
        with pytest.raises(KeyboardInterrupt):
            model().train(EPOCHS, data(), [saver("run"), Interrupts(steps)], resume="run")
        assert capsys.readouterr() == ("", told.format(newest, "", command))


@pytest.mark.parametrize(
    "argv", [["python", "-m", "ipykernel_launcher", "-f", "x"], ["python", "bin/ipython"], ["python"]]
)
def test_ctrl_c_in_a_notebook_names_the_argument(tmp_path, monkeypatch, capsys, argv):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.orig_argv", argv)
    with pytest.raises(KeyboardInterrupt):
        model().train(EPOCHS, data(), [saver("run"), Interrupts(1)])
    assert (
        capsys.readouterr().err == 'Interrupted. Model.train(..., resume="run/net-1_1.ckpt") continues the training.\n'
    )


def test_ctrl_c_says_nothing_of_a_training_that_cannot_be_continued(tmp_path, capsys):
    plain = ModelCheckpoint("net", str(tmp_path), CheckpointConfig(save_checkpoint_steps=1))
    for callbacks in ([plain, Interrupts(2)], [Interrupts(2)], [saver(tmp_path), Interrupts(0)]):
        with pytest.raises(KeyboardInterrupt):
            model().train(EPOCHS, data(), callbacks)
    assert capsys.readouterr().err == ""


def test_a_dataset_of_the_users_own(tmp_path):
    class Own:
        def get_dataset_size(self):
            return 4

        def create_tuple_iterator(self, num_epochs=-1, **_):
            return self

        def __iter__(self):
            values = np.random.RandomState(0)
            for _ in range(4):
                x = values.rand(3, 6).astype(np.float32)
                yield [Tensor(x), Tensor(values.randint(0, 3, 3), ms.int32)]

    ms.set_seed(5)
    whole = model()
    whole.train(2, Own(), [saver(tmp_path / "whole")])
    ms.set_seed(5)
    with pytest.raises(ConnectionError):
        model().train(2, Own(), [saver(tmp_path / "part"), StopAfter(3)])
    resumed = model()
    resumed.train(2, Own(), resume=str(tmp_path / "part"))
    assert weights(resumed) == weights(whole)


def test_the_checkpoint_of_an_exception_is_resumable(tmp_path):
    """The step that failed is not counted."""
    ms.set_seed(5)
    whole = model()
    with tier.compiled_only():
        whole.train(EPOCHS, data())

    class Fails(Callback):
        def on_train_step_begin(self, run_context):
            if run_context.original_args().cur_step_num == 8:
                raise ConnectionError

    ms.set_seed(5)
    config = CheckpointConfig(save_checkpoint_steps=1000, exception_save=True, resumable=True)
    with pytest.raises(ConnectionError):
        model().train(EPOCHS, data(), [ModelCheckpoint("net", str(tmp_path), config), Fails()])
    (path,) = [tmp_path / name for name in os.listdir(tmp_path) if name.endswith("breakpoint.ckpt")]
    elsewhere()
    resumed = model()
    resumed.train(EPOCHS, data(), resume=path)
    assert weights(resumed) == weights(whole)


def test_a_directory_without_one_begins_anew(tmp_path):
    ms.set_seed(5)
    whole = model()
    with tier.compiled_only():
        whole.train(1, data())
    ms.save_checkpoint(Net(), str(tmp_path / "other.ckpt"))
    ms.set_seed(5)
    begun = model()
    with tier.compiled_only():
        begun.train(1, data(), resume=str(tmp_path))
    assert weights(begun) == weights(whole)


def test_what_is_refused(tmp_path):
    broken(tmp_path, 7)
    path = str(tmp_path / "net-2_2.ckpt")
    with pytest.raises(TypeError, match="'resume' must be str or PathLike"):
        model().train(EPOCHS, data(), resume=3)
    with pytest.raises(ValueError, match="written in epoch 2, but 'epoch' is 1"):
        model().train(1, data(), resume=path)
    with pytest.raises(ValueError, match="5 batches in an epoch, but 'train_dataset' has 10"):
        model().train(EPOCHS, smaller(), resume=path)
    with pytest.raises(ValueError, match="lacks Parameters of the training network: .*moments"):
        model("momentum").train(EPOCHS, data(), resume=path)
    values = ms.load_checkpoint(path)
    values["hidden.weight"] = Parameter(Tensor(np.zeros((2, 2), np.float32)))
    with pytest.raises(RuntimeError, match="'hidden.weight' has shape"):
        model().train(EPOCHS, data(), resume=values)
    plain = str(tmp_path / "plain.ckpt")
    ms.save_checkpoint(Net(), plain)
    with pytest.raises(ValueError, match="does not say where its training was"):
        model().train(EPOCHS, data(), resume=plain)
    with pytest.raises(ValueError, match="leave 'saved_network' out"):
        CheckpointConfig(resumable=True, saved_network=Net())
    with pytest.raises(TypeError, match="'resumable' must be bool"):
        CheckpointConfig(resumable=1)


def smaller():
    values = np.zeros((SIZE, 6), np.float32), np.zeros(SIZE, np.int32)
    return ds.NumpySlicesDataset(values, ["x", "y"]).batch(2)


DAMAGE = [
    lambda told: told.pop("epoch"),
    lambda told: told.update(steps=-1),
    lambda told: told.update(total=True),
    lambda told: told.update(version=2),
    lambda told: told.update(data_seed="x"),
    lambda told: told.update(draws=[1]),
    lambda told: told["numpy"].update(key="AAAA"),
    lambda told: told.update(python=None),
    lambda told: told.update(callbacks=[["EarlyStopping", 3]]),
    lambda told: told.update(loss_scale=[1]),
]


def test_a_damaged_state_changes_nothing(tmp_path):
    broken(tmp_path, 2)
    values = ms.load_checkpoint(str(tmp_path / "net-1_2.ckpt"))
    fresh = model()
    before = weights(fresh)
    for change in DAMAGE:
        told = json.loads(values["training_state"].asnumpy().tobytes())
        change(told)
        raw = np.frombuffer(json.dumps(told).encode(), np.uint8).copy()
        with pytest.raises(ValueError, match="cannot be read"):
            fresh.train(EPOCHS, data(), resume={**values, "training_state": Parameter(Tensor(raw))})
    assert weights(fresh) == before
