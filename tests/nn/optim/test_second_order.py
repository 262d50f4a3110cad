"""nn.thor: MindSpore's recorded conversion, Parameters and errors, and steps against the formulas in NumPy."""

import copy

import numpy as np
import pytest
from sklearn.datasets import load_digits

import ms_compat as ms
from ms_compat import Tensor, nn
from ms_compat._names import resolve
from ms_compat.dataset import NumpySlicesDataset
from ms_compat.train import Callback, ConvertModelUtils, ConvertNetUtils, Model
from ms_compat.train.train_thor.dataset_helper import DatasetHelper
from tests.conformance import programs
from tests.nn import thor_reference as reference

RATES = [0.05, 0.02] + [0.04] * 98  # a list must be as long as the training
RATE = Tensor(RATES, ms.float32)
DAMPING = Tensor([0.3, 0.1], ms.float32)
CROSS_ENTROPY = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")


@pytest.mark.parametrize("case", programs.load("thor.json"), ids=programs.case_id)
def test_agrees_with_mindspore(case):
    programs.check(case, ms)


def rand(*shape, seed=0):
    return np.random.RandomState(seed).randn(*shape)


def filled(net):
    """The network with weights of one generator, and these by name."""
    weights = {}
    for seed, p in enumerate(net.trainable_params()):
        weights[p.name] = rand(*p.shape, seed=seed) * 0.5
        p.set_data(Tensor(weights[p.name].astype(np.float32)))
    return net, weights


def values(cell):
    return {p.name: p.asnumpy() for p in cell.get_parameters()}


def close(got, wanted, tolerance=2e-4):
    """Float32 and inverses against Float64: relative to the largest element."""
    assert got.shape == wanted.shape
    assert np.abs(got - wanted).max() <= tolerance * max(1e-3, np.abs(wanted).max())


# -- layers ----------------------------------------------------------------------------------------------------------
def pull(net, x, dout):
    """Run a layer so that its output's gradient is `dout`; its Parameters afterwards."""
    weights = net.trainable_params()
    ms.grad(lambda x: (net(x) * Tensor(dout.astype(np.float32))).sum(), None, weights)(x)
    return {name: value.astype(np.float64) for name, value in values(net).items()}


def test_dense_measures_its_moments(mode):
    x, dout = rand(4, 3), rand(4, 2, seed=1)
    found = pull(nn.DenseThor(3, 2), Tensor(x.astype(np.float32)), dout)
    a, g, *_ = reference.dense_moments(x, dout)
    close(found["matrix_a"], a, 1e-5)
    close(found["matrix_g"], g, 1e-5)


def test_convolution_measures_its_moments(mode):
    x, dout = rand(3, 2, 5, 6), rand(3, 4, 2, 2, seed=1)
    net = nn.Conv2dThor(2, 4, 3, stride=2, pad_mode="valid", has_bias=True)
    found = pull(net, Tensor(x.astype(np.float32)), dout)
    a, g, places_a, places_g = reference.conv_moments(x, dout, 3, 2)
    close(found["matrix_a"], a, 1e-5)
    close(found["matrix_g"], g, 1e-5)
    assert (found["a_normalizer"], found["g_normalizer"]) == (places_a, places_g) == (9, 4)


@pytest.mark.parametrize(("make", "rows"), [(nn.EmbeddingThor, 6), (nn.EmbeddingLookupThor, 3)])
def test_table_measures_its_moments(make, rows, mode):
    ids, dout = np.array([[1, 4], [1, 0], [4, 4]], np.int32), rand(3, 2, 3, seed=1)
    found = pull(make(5, 3), Tensor(ids), dout)
    assert found["matrix_a"].tolist() == [1, 2, 0, 0, 3]
    flat = dout.reshape(6, 3)
    close(found["matrix_g"], flat.T @ flat / rows, 1e-5 if rows == 6 else 2e-3)  # the second is in Float16


def test_mixed_precision_measures_in_float32(graph):
    x, dout = rand(4, 3), rand(4, 2, seed=1)
    net = nn.DenseThor(3, 2).to_float(ms.float16)
    found = pull(net, Tensor(x.astype(np.float32)), dout)
    assert str(net.matrix_a.dtype) == str(net.matrix_g.dtype) == "Float32"
    close(found["matrix_a"], reference.dense_moments(x, dout)[0], 2e-3)


def test_nothing_is_measured_without_the_flag(mode):
    net = nn.DenseThor(3, 2)
    net.thor = False
    found = pull(net, Tensor(rand(4, 3).astype(np.float32)), rand(4, 2))
    assert (found["matrix_a"] == np.eye(3)).all() and (found["matrix_g"] == np.eye(2)).all()


def test_the_last_call_that_the_backward_pass_meets_counts(mode):
    net = nn.DenseThor(2, 2, weight_init=Tensor(np.eye(2, dtype=np.float32) * 2))
    ms.grad(lambda x: net(net(x)).sum(), None, net.trainable_params())(Tensor([[1.0, 1.0]]))
    assert net.matrix_g.asnumpy().tolist() == [[4, 4], [4, 4]]


def test_moments_inside_recomputed_and_hooked_cells(graph):
    x, dout = Tensor(rand(4, 3).astype(np.float32)), rand(4, 2, seed=1)
    plain = pull(nn.DenseThor(3, 2), x, dout)["matrix_g"]
    for prepare in (nn.Cell.recompute, lambda cell: cell.register_backward_hook(lambda *_: None)):
        net = nn.DenseThor(3, 2)
        outer = nn.SequentialCell(net)
        prepare(outer)
        assert np.allclose(pull(outer, x, dout)["0.matrix_g"], plain, rtol=1e-6)


def test_a_function_compiled_alone_measures_where_it_is_differentiated():
    found = []
    for wrapped in (lambda fn: fn, ms.jit):
        net = nn.DenseThor(2, 2, weight_init=Tensor(np.array([[1, 2], [0, 1]], np.float32)))
        call = wrapped(lambda x, net=net: net(x))
        for _ in range(2):
            gradient = ms.grad(lambda x, call=call: call(call(x)).sum(), None, net.trainable_params())
            gradient(Tensor([[1.0, 1.0], [0.0, 1.0]]))
        found.append([net.matrix_a.asnumpy(), net.matrix_g.asnumpy()])
    assert np.allclose(found[0], found[1]) and not np.allclose(found[0][1], np.eye(2))


# -- conversion ------------------------------------------------------------------------------------------------------
def test_converting_keeps_layers_and_what_they_compute():
    kept = nn.Dense(4, 4, activation=nn.LeakyReLU(0.3))
    net = nn.SequentialCell(nn.Conv2d(2, 4, 3, dilation=2, has_bias=True, bias_init="ones"), nn.Flatten())
    head = nn.SequentialCell(nn.Dense(36, 4), kept, kept)
    x = Tensor(rand(1, 2, 3, 3).astype(np.float32))
    before, weight = head(net(x)).asnumpy(), kept.weight
    for cell in (net, head):
        ConvertNetUtils().convert_to_thor_net(cell)
        cell.add_flags_recursive(thor=False)
    assert [type(cell).__name__ for cell in head] == ["DenseThor"] * 3
    assert head[1] is head[2] is kept and kept.weight is weight
    assert (head(net(x)).asnumpy() == before).all()


@pytest.mark.parametrize(
    "layer",
    [nn.Conv2d(4, 4, 3, group=2), nn.Conv2dTranspose(2, 2, 3), nn.Linear(2, 2)],
    ids=lambda layer: type(layer).__name__,
)
def test_other_layers_stay(layer):
    net = nn.SequentialCell(layer)
    ConvertNetUtils().convert_to_thor_net(net)
    assert type(net[0]) is type(layer) and "Thor" not in type(layer).__name__


def test_lookup_tables_are_converted():
    net = nn.SequentialCell(nn.EmbeddingLookup(5, 3), nn.Dense(3, 2))
    optimizer = nn.thor(net, RATE, DAMPING, 0.9)
    assert type(net[0]) is nn.EmbeddingLookupThor and len(optimizer.matrix_a) == 2


def test_a_whole_step_makes_a_converted_model():
    net = nn.SequentialCell(nn.Dense(2, 2))
    optimizer = nn.thor(net, RATE, DAMPING, 0.9, frequency=7)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, CROSS_ENTROPY), optimizer)
    model = ConvertModelUtils.convert_to_thor_model(Model(step), step, optimizer=optimizer)
    assert type(model).__name__ == "ModelThor" and model.train_network is step
    assert ConvertModelUtils.convert_to_thor_model("model", step) == "model"


def test_scripts_find_it_where_mindspore_has_it(caplog):
    assert resolve.inner_module("mindspore.nn.optim.thor").ThorGpu is type(make_small())
    assert resolve.inner_module("mindspore.nn.optim.thor").thor is ms.nn.optim.thor is nn.thor
    assert ms.train.train_thor.convert_utils.ConvertNetUtils is ms.ConvertNetUtils is ConvertNetUtils
    assert ms.train.train_thor.ConvertModelUtils is ms.ConvertModelUtils is ConvertModelUtils
    assert ms.nn.layer.thor_layer.DenseThor is nn.DenseThor
    with caplog.at_level("DEBUG", "ms_compat"):
        helper = DatasetHelper(NumpySlicesDataset([1, 2], "x"), iter_first_order=3)
        make_small(split_indices=[1])
    assert len(list(helper)) == 2
    assert "iter_first_order=3" in caplog.text and "split_indices=[1]" in caplog.text


def make_small(**options):
    return nn.thor(nn.SequentialCell(nn.Dense(2, 2)), RATE, DAMPING, 0.9, **options)


# -- the update ------------------------------------------------------------------------------------------------------
class Every(nn.Cell):
    """A layer of each kind; it is never called."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(2, 3, 3)
        self.fc = nn.Dense(140, 18)
        self.table = nn.Embedding(6, 3)
        self.norm = nn.LayerNorm((4,))
        self.batch = nn.BatchNorm2d(3)


def test_update_is_that_of_the_formulas():
    net, weights = filled(Every())
    optimizer = nn.thor(
        net, RATE, DAMPING, 0.9, weight_decay=0.1, loss_scale=4.0, batch_size=8, use_nesterov=True,
        decay_filter=lambda p: "bias" not in p.name, enable_clip_grad=True,
    )  # fmt: skip
    wanted = reference.Thor(weights, RATES, [0.3, 0.1], 0.9, 0.1, 4.0, 8, nesterov=True, clip=True)
    layers = {"conv.weight": net.conv, "fc.weight": net.fc, "table.embedding_table": net.table}
    for step in range(3):
        moments = {}
        for name, layer in layers.items():
            a, g = [p for p in layer.get_parameters() if "matrix" in p.name]
            root_a, root_g = rand(*a.shape[::-1], seed=step + 7), rand(*g.shape, seed=step + 8) / 8
            found = [np.abs(root_a) if a.ndim == 1 else root_a @ root_a.T / len(root_a), root_g @ root_g.T]
            for p, value in zip((a, g), found, strict=True):
                p.set_data(Tensor(value.astype(np.float32)))
            moments[name] = (*found, 1.0, 1.0)
        net.conv.a_normalizer.set_data(Tensor([25.0]))
        net.conv.g_normalizer.set_data(Tensor([16.0]))
        moments["conv.weight"] = (*moments["conv.weight"][:2], 25.0, 16.0)
        wanted.renew(moments)
        gradients = {name: rand(*w.shape, seed=40 + step) for name, w in weights.items()}
        optimizer(tuple(Tensor(gradients[p.name].astype(np.float32)) for p in optimizer.parameters))
        wanted.update(gradients, ("norm.gamma", "norm.beta"), lambda name: "bias" not in name)
    for p in optimizer.parameters:
        close(p.asnumpy(), weights[p.name])
    assert optimizer.cov_step.asnumpy().tolist() == optimizer.global_step.asnumpy().tolist() == [3]
    assert optimizer._update.traces == 1


# -- training --------------------------------------------------------------------------------------------------------
def batches(shape, steps, size=6):
    return rand(steps * size, *shape, seed=3), np.random.RandomState(4).randint(0, 3, steps * size)


class Losses(Callback):
    def __init__(self):
        self.seen = []

    def on_train_step_end(self, run_context):
        self.seen.append(float(run_context.original_args().net_outputs))


def expected(run, weights, x, labels, frequency, scale=1.0, size=6):
    """The losses of training with NumPy, which changes the weights."""
    wanted = reference.Thor(weights, RATES, [0.3, 0.1], 0.9, 0.01, scale, size)
    losses = []
    for step in range(len(x) // size):
        part = slice(step * size, (step + 1) * size)
        loss, gradients, moments = run(weights, x[part], labels[part])
        losses.append(loss)
        if step % frequency == 0:
            wanted.renew({name: (a, g * scale**2, *places) for name, (a, g, *places) in moments.items()})
        wanted.update({name: g * scale for name, g in gradients.items()})
    return losses


def test_a_converted_model_trains_as_numpy_does(graph):
    net, weights = filled(nn.SequentialCell(nn.Dense(5, 130, activation="relu"), nn.Dense(130, 3)))
    optimizer = nn.thor(net, RATE, DAMPING, 0.9, 0.01, loss_scale=16, batch_size=6, frequency=4)
    manager = ms.amp.FixedLossScaleManager(16, drop_overflow_update=False)
    model = Model(net, CROSS_ENTROPY, optimizer, loss_scale_manager=manager)
    model = ConvertModelUtils.convert_to_thor_model(model, net, CROSS_ENTROPY, optimizer, loss_scale_manager=manager)
    x, labels = batches((5,), 24)
    losses = Losses()
    for part, sink in ((slice(0, 66), False), (slice(66, None), True)):  # the count of steps goes on
        data = {"x": x[part].astype(np.float32), "y": labels[part].astype(np.int32)}
        model.train(1, NumpySlicesDataset(data, shuffle=False).batch(6), losses, dataset_sink_mode=sink)
    wanted = expected(reference.dense_net, weights, x, labels, 4, 16.0)
    assert np.allclose(losses.seen, wanted, rtol=1e-3)
    for p in optimizer.parameters:
        close(p.asnumpy(), weights[p.name], 2e-3)
    assert model.train_network._compiled_function().traces == 2


def test_a_loop_by_hand_trains_as_numpy_does():
    net, weights = filled(
        nn.SequentialCell(nn.Conv2d(2, 2, 3, pad_mode="valid", has_bias=True), nn.ReLU(), nn.Flatten(), nn.Dense(18, 3))
    )
    optimizer = nn.thor(net, RATE, DAMPING, 0.9, 0.01, batch_size=6)
    gradient = ms.value_and_grad(lambda x, y: CROSS_ENTROPY(net(x), y), None, optimizer.parameters)
    x, labels = batches((2, 5, 5), 7)
    losses = []
    for step in range(7):
        net.add_flags_recursive(thor=step % 3 == 0)
        optimizer.add_flags(thor=step % 3 == 0)
        part = slice(step * 6, step * 6 + 6)
        loss, gradients = gradient(Tensor(x[part].astype(np.float32)), Tensor(labels[part].astype(np.int32)))
        optimizer(gradients)
        losses.append(float(loss))
    assert np.allclose(losses, expected(reference.conv_net, weights, x, labels, 3), rtol=1e-3)
    assert optimizer._update.traces == 2
    for p in optimizer.parameters:
        close(p.asnumpy(), weights[p.name], 2e-3)


def test_training_goes_on_from_a_checkpoint(tmp_path, graph):
    x, labels = batches((4,), 5)
    x, labels = x.astype(np.float32), labels.astype(np.int32)
    steps = [(Tensor(x[i : i + 6]), Tensor(labels[i : i + 6])) for i in range(0, 30, 6)]
    path = str(tmp_path / "thor.ckpt")
    net, _ = filled(nn.SequentialCell(nn.Dense(4, 4), nn.Dense(4, 4)))
    step = nn.TrainOneStepCell(nn.WithLossCell(net, CROSS_ENTROPY), nn.thor(net, RATE, DAMPING, 0.9, batch_size=6))
    for batch in steps[:3]:
        step(*batch)
    ms.save_checkpoint(step, path)
    step.add_flags_recursive(thor=False)
    finished = [float(step(*batch)) for batch in steps[3:]]
    net = nn.SequentialCell(nn.Dense(4, 4), nn.Dense(4, 4))
    again = nn.TrainOneStepCell(nn.WithLossCell(net, CROSS_ENTROPY), nn.thor(net, RATE, DAMPING, 0.9, batch_size=6))
    assert ms.load_param_into_net(again, ms.load_checkpoint(path)) == ([], [])
    again.add_flags_recursive(thor=False)
    assert [float(again(*batch)) for batch in steps[3:]] == finished
    for name, value in values(step).items():
        assert (values(again)[name] == value).all()


def test_a_copied_network_measures_on_its_own(graph):
    net = nn.SequentialCell(nn.DenseThor(3, 2))
    copied = copy.deepcopy(net)
    found = pull(copied, Tensor(rand(4, 3).astype(np.float32)), rand(4, 2, seed=1))
    assert not (found["0.matrix_g"] == np.eye(2)).any() and (net[0].matrix_g.asnumpy() == np.eye(2)).all()


def test_digits_take_fewer_steps_than_with_momentum(graph):
    digits = load_digits()
    x, y = (digits.data / 16).astype(np.float32), digits.target.astype(np.int32)

    def steps_to(limit, make):
        net, _ = filled(nn.SequentialCell(nn.Dense(64, 64, activation="relu"), nn.Dense(64, 10)))
        for p in net.trainable_params():
            p.set_data(p * 0.2)
        step = nn.TrainOneStepCell(nn.WithLossCell(net, CROSS_ENTROPY), make(net)).set_train()
        random = np.random.RandomState(1)
        for count in range(60):
            at = random.randint(0, len(x), 128)
            if float(step(Tensor(x[at]), Tensor(y[at]))) < limit:
                return count
        return 60

    plain = steps_to(0.3, lambda net: nn.Momentum(net.trainable_params(), 0.3, 0.9))  # 0.1 and 1.0 are no faster
    rate, damping = Tensor(0.3, ms.float32), Tensor([0.03], ms.float32)
    assert steps_to(0.3, lambda net: nn.thor(net, rate, damping, 0.9, batch_size=128)) < plain / 2


# -- errors that MindSpore reports on a device only -------------------------------------------------------------------
@pytest.mark.parametrize(
    ("damping", "error"),
    [(0.1, TypeError), (Tensor(0.1), ValueError), (Tensor(np.zeros((0,), np.float32)), ValueError)],
)
def test_refuses_damping(damping, error):
    with pytest.raises(error, match="damping"):
        nn.thor(nn.SequentialCell(nn.Dense(2, 2)), RATE, damping, 0.9)
