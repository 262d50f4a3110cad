"""What `Model` costs and leaves: traces, fetches, files, overflows; in both modes where there are both."""

import itertools

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn
from ms_compat.train import (
    Callback,
    DynamicLossScaleManager,
    EarlyStopping,
    FixedLossScaleManager,
    LossMonitor,
    Model,
)
from tests.train import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def rows(size=8, batch=2):
    random = np.random.RandomState(0)
    columns = {"x": random.randn(size, 3).astype(np.float32), "y": random.randn(size, 2).astype(np.float32)}
    return ms.dataset.NumpySlicesDataset(columns, shuffle=False).batch(batch)


def dense():
    return nn.Dense(3, 2, weight_init="ones", bias_init="zeros")


def model(**options):
    net = dense()
    return Model(net, nn.MSELoss(), nn.Momentum(net.trainable_params(), 0.1, 0.9), metrics={"mse"}, **options)


class Fetches:
    """Counts the reads of Tensors."""

    def __init__(self, monkeypatch):
        self.count = 0
        asnumpy = Tensor.asnumpy

        def counted(tensor):
            self.count += 1
            return asnumpy(tensor)

        monkeypatch.setattr(Tensor, "asnumpy", counted)


def test_a_training_fetches_nothing_unless_a_callback_reads(mode, monkeypatch):
    trained = model()
    fetches = Fetches(monkeypatch)
    trained.train(2, rows(), callbacks=LossMonitor(100))
    assert fetches.count == 0
    trained.train(2, rows(), callbacks=LossMonitor(4))
    assert fetches.count == 2


def test_an_epoch_is_traced_once():
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        traces = itertools.count()  # lists are as before a trace

        class Counting(nn.Cell):
            def __init__(self):
                super().__init__()
                self.net = dense()

            def construct(self, x):
                next(traces)
                return self.net(x)

        net = Counting()
        trained = Model(net, nn.MSELoss(), nn.Momentum(net.trainable_params(), [0.1, 0.05, 0.02, 0.01] * 3, 0.9))
        trained.train(3, rows())
        assert next(traces) == 1
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def test_the_next_batch_is_fetched_before_the_callbacks_of_a_step(mode):
    made = []

    class Source:
        def __len__(self):
            return 3

        def __getitem__(self, index):
            made.append(index)
            return np.ones(3, np.float32), np.zeros(2, np.float32)

    seen = []

    class Watch(Callback):
        def on_train_step_end(self, run_context):
            seen.append(len(made))

    data = ms.dataset.GeneratorDataset(Source(), ["x", "y"], shuffle=False, num_parallel_workers=1).batch(1)
    model().train(1, data, callbacks=Watch())
    assert seen[0] >= 2 and seen[-1] == 3


def test_an_error_of_the_dataset_comes_after_the_steps_before_it(mode):
    class Source:
        def __len__(self):
            return 4

        def __getitem__(self, index):
            if index == 2:
                raise OSError("unreadable")
            return np.ones(3, np.float32), np.zeros(2, np.float32)

    ended = []

    class Watch(Callback):
        def on_train_step_end(self, run_context):
            ended.append(run_context.original_args().cur_step_num)

    data = ms.dataset.GeneratorDataset(Source(), ["x", "y"], shuffle=False).batch(1)
    with pytest.raises(Exception, match="unreadable"):
        model().train(1, data, callbacks=Watch())
    assert ended == [1, 2]


def test_both_modes_train_alike():
    found = []
    for chosen in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
        ms.set_context(mode=chosen)
        trained = model()
        trained.train(3, rows())
        found.append(trained.predict_network.weight.asnumpy())
    ms.set_context(mode=ms.PYNATIVE_MODE)
    np.testing.assert_allclose(*found, rtol=1e-6)


@pytest.mark.parametrize("manager", [FixedLossScaleManager(64.0), DynamicLossScaleManager(64, 2, 2)])
def test_loss_scaling_does_not_change_the_training(mode, manager):
    plain, scaled = model(), model(loss_scale_manager=manager)
    plain.train(2, rows())
    scaled.train(2, rows())
    np.testing.assert_allclose(
        plain.predict_network.weight.asnumpy(), scaled.predict_network.weight.asnumpy(), rtol=1e-5
    )


def test_an_overflow_changes_nothing_but_the_scale(mode):
    net = dense()
    step = nn.TrainOneStepWithLossScaleCell(
        nn.WithLossCell(net, nn.MSELoss()),
        nn.Momentum(net.trainable_params(), 0.1, 0.9),
        nn.DynamicLossScaleUpdateCell(16, 2, 1000),
    )
    before = {p.name: p.asnumpy().copy() for p in step.optimizer.get_parameters()}
    _, overflow, scale = step(Tensor(np.full((2, 3), 1e38, np.float32)), Tensor(np.zeros((2, 2), np.float32)))
    assert bool(overflow.asnumpy()) and float(scale.asnumpy()) == 16.0
    assert float(step.scale_sense.asnumpy()) == 8.0
    for parameter in step.optimizer.get_parameters():
        np.testing.assert_array_equal(parameter.asnumpy(), before[parameter.name])


@pytest.mark.parametrize("level", ["O1", "O2", "O3"])
def test_mixed_precision_trains_close_to_float32(mode, level):
    # O2's own scale starts at 2**24, which drops the first steps of float16
    options = {"loss_scale_manager": FixedLossScaleManager(128.0)} if level == "O2" else {}
    plain, mixed = model(), model(amp_level=level, **options)
    plain.train(1, rows())
    mixed.train(1, rows())
    one, two = (m.predict_network.trainable_params()[0] for m in (plain, mixed))
    assert two.dtype == ms.float32
    np.testing.assert_allclose(two.asnumpy(), one.asnumpy(), atol=2e-2)


def test_early_stopping_puts_the_best_weights_back(mode):
    trained = model()
    best = []

    class Worsen(Callback):
        def on_train_epoch_end(self, run_context):
            best.append(trained.predict_network.weight.asnumpy().copy())
            run_context.original_args().eval_results = {"eval_loss": float(len(best))}

    trained.train(5, rows(), callbacks=[Worsen(), EarlyStopping(patience=2, restore_best_weights=True)])
    assert len(best) == 3
    np.testing.assert_array_equal(trained.predict_network.weight.asnumpy(), best[0])


def test_a_dataset_of_another_model_is_refused():
    data = rows()
    model().train(1, data)
    owner = model()
    owner.train(1, rows())
    with pytest.raises(RuntimeError, match="another model"):
        owner.train(1, data)


class OwnBatches:
    """A data set of one's own that gives its batches once, until it is reset."""

    def __init__(self, size):
        self.size, self.given, self.resets = size, 0, 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.given == self.size:
            raise StopIteration
        self.given += 1
        return ms.Tensor(np.ones((2, 3), np.float32)), ms.Tensor(np.ones((2, 2), np.float32))

    def reset(self):
        self.given, self.resets = 0, self.resets + 1

    def get_dataset_size(self):
        return self.size

    def create_tuple_iterator(self, num_epochs=-1, do_copy=True):
        return self

    def create_dict_iterator(self, num_epochs=-1, output_numpy=False):
        return self


def test_a_data_set_of_ones_own_is_reset_after_each_epoch_and_evaluation():
    net, batches = ms.nn.Dense(3, 2), OwnBatches(2)
    optimizer = ms.nn.SGD(net.trainable_params(), 0.1)
    model = ms.train.Model(net, ms.nn.MSELoss(), optimizer, metrics={"mse"})
    model.train(3, batches, dataset_sink_mode=False)
    assert batches.resets == 3 and optimizer.global_step.asnumpy().tolist() == [6]
    assert "mse" in model.eval(batches, dataset_sink_mode=False)
    assert batches.resets == 4


# What happens after each of three epochs; losses and means were recorded from MindSpore, and are the same for each.
BETWEEN = {
    "eval": lambda model, data: model.eval(data),
    "predict": lambda model, data: model.predict(Tensor(np.ones((4, 3), np.float32))),
}


class Normalised:
    """A Model whose net normalises batches by their own numbers in training only."""

    def __init__(self):
        self.random = np.random.RandomState(0)
        self.net = nn.SequentialCell(nn.Dense(3, 4), nn.BatchNorm1d(4), nn.Dense(4, 2))
        for p in self.net.trainable_params():
            p.set_data(Tensor(self.random.randn(*p.shape).astype(np.float32)))
        loss = nn.SoftmaxCrossEntropyWithLogits(True, "mean")
        optimizer = nn.Momentum(self.net.trainable_params(), 0.1, 0.9)
        self.model = Model(self.net, loss, optimizer, metrics={"loss"})

    def rows(self):
        columns = self.random.randn(8, 3).astype(np.float32), np.arange(8).astype(np.int32) % 2
        return ms.dataset.NumpySlicesDataset(columns, ["x", "y"], shuffle=False).batch(4)


@pytest.mark.parametrize("asked", [*BETWEEN, "fit"])
def test_training_goes_on_after_an_evaluation_in_a_callback(mode, asked):
    case = Normalised()
    valid, losses, modes = case.rows(), [], []

    class Asks(Callback):
        def on_train_step_end(self, run_context):
            losses.append(float(run_context.original_args().net_outputs.asnumpy()))
            modes.append({cell.training for _, cell in case.net.cells_and_names()})

        def on_train_epoch_end(self, run_context):
            if asked in BETWEEN:
                BETWEEN[asked](case.model, valid)
            modes.append({cell.training for _, cell in case.net.cells_and_names()})

    if asked == "fit":
        case.model.fit(3, case.rows(), valid, callbacks=[Asks()])
    else:
        case.model.train(3, case.rows(), callbacks=[Asks()])
    np.testing.assert_allclose(losses, [1.503, 0.8355, 0.7383, 0.90806, 0.98832, 0.86769], atol=1e-5)
    means = [-0.06423425, -0.4118142, 0.16039556, -0.14515527]
    np.testing.assert_allclose(case.net[1].moving_mean.asnumpy(), means, rtol=1e-5)
    assert modes == 3 * [{True}, {True}, {False}]


def test_training_puts_every_cell_into_training():
    case = Normalised()
    case.model._train_network.set_train(True)
    case.net[1].set_train(False)
    case.model.train(1, case.rows())
    assert {cell.training for _, cell in case.net.cells_and_names()} == {True}


X = Tensor(np.array([[1.5, -2, 3], [4, 5, -6.5]], np.float32))


def net():
    return nn.SequentialCell([nn.Dense(3, 2)])


def test_layouts_are_asked_of_parallel_models_alone():
    model = ms.train.Model(net(), nn.MSELoss(), nn.SGD(net().trainable_params(), 0.1))
    with pytest.raises(RuntimeError):
        model.infer_predict_layout(X)
    with pytest.raises(RuntimeError):
        model.infer_train_layout(None)


def test_a_model_predicts_and_has_its_networks():
    net = nn.Dense(2, 3, weight_init="ones")
    model = ms.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params()), metrics={"mse"})
    x = Tensor([[0.0, 1.0]])
    assert model.predict(x).asnumpy().tolist() == net(x).asnumpy().tolist()
    assert (type(model.train_network), type(model.eval_network)) == (nn.TrainOneStepCell, nn.WithEvalCell)
    with pytest.raises(RuntimeError):  # as MindSpore where there is no Ascend
        model.build()


def test_fit_enters_callbacks_for_the_run_and_for_each_evaluation(mode):
    """The order was recorded."""
    order = []

    class Order(Callback):
        def __enter__(self):
            order.append("enter")
            return self

        def __exit__(self, *error):
            order.append("exit")

        def on_train_epoch_begin(self, run_context):
            order.append("epoch")

        def on_eval_begin(self, run_context):
            order.append("eval")

        def on_eval_end(self, run_context):
            order.append("eval end")

        def on_train_epoch_end(self, run_context):
            order.append("epoch end")

    network = nn.Dense(3, 2)
    model = Model(network, nn.MSELoss(), nn.SGD(network.trainable_params(), 0.1), metrics={"mse"})
    model.fit(2, rows(), rows(), callbacks=Order(), dataset_sink_mode=False)
    epoch = ["epoch", "enter", "eval", "eval end", "exit", "epoch end"]
    assert order == ["enter", *epoch, *epoch, "exit"]
