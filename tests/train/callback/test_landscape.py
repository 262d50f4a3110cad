"""Loss landscapes; the one along a trajectory was recorded with MindSpore 2.10 from the same weights."""

import json

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn, ops
from ms_compat.train import Loss, SummaryCollector, SummaryLandscape
from ms_compat.train.callback import _landscape
from tests.train.summary.reading import events

# MindSpore's message: coordinates of the columns and rows, losses there, and coordinates and losses of the trajectory.
X = [-0.15002895891666412, 0.3750723898410797, 0.9001737236976624]
Y = [-0.09734783321619034, 0.028414012864232063, 0.15417586266994476]
Z = [[32.61699295043945, 31.60797691345215, 30.935035705566406],
     [31.834339141845703, 30.834129333496094, 30.115772247314453],
     [30.90044593811035, 29.97059440612793, 29.321380615234375]]  # fmt: skip
PATH = [[0.7501447796821594, 0.5110109448432922, 0.2094864845275879, 0.0],
        [-0.06141587719321251, 0.010830605402588844, 0.11824390292167664, 0.0],
        [30.861825942993164, 30.74073600769043, 30.4827880859375, 31.716903686523438]]  # fmt: skip

INPUTS = np.random.default_rng(0).normal(size=(8, 3)).astype(np.float32)
LABELS = INPUTS.sum(1, keepdims=True) ** 2


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Dense(3, 4), nn.Dense(4, 1)

    def construct(self, x):
        return self.b(ops.tanh(self.a(x)))


def data():
    return ms.dataset.NumpySlicesDataset({"x": INPUTS, "y": LABELS}, shuffle=False).batch(4)


def called():
    network, metrics = Net(), {"Loss": Loss()}
    return ms.Model(network, nn.MSELoss(), metrics=metrics), network, data(), metrics


def weights(number):
    base, noise = np.random.default_rng(100), np.random.default_rng(number)
    return {
        name: (base.normal(size=shape) + (4 - number) * 0.3 * base.normal(size=shape) + 0.1 * noise.normal(size=shape))
        for name, shape in (("a.weight", (4, 3)), ("a.bias", (4,)), ("b.weight", (1, 4)), ("b.bias", (1,)))
    }


@pytest.fixture
def kept(tmp_path):
    (tmp_path / "ckpt_dir").mkdir()
    files = {}
    for number in range(1, 5):
        files[str(number)] = str(tmp_path / f"ckpt_dir/Net_{number}.ckpt")
        rows = [{"name": name, "data": Tensor(value.astype(np.float32))} for name, value in weights(number).items()]
        ms.save_checkpoint(rows, files[str(number)])
    settings = {"epoch_group": {"0": [1, 2, 3, 4]}, "model_params_file_map": files, "step_per_epoch": 2,
                "unit": "step", "num_samples": 8, "landscape_size": 3,
                "create_landscape": {"train": True, "result": False}}  # fmt: skip
    (tmp_path / "ckpt_dir/train_metadata.json").write_text(json.dumps(settings))
    return tmp_path


def recorded(monkeypatch):
    found = {}
    plain = ms.SummaryRecord.add_value

    def add_value(self, plugin, name, value):
        found[plugin, name] = value.asnumpy()
        plain(self, plugin, name, value)

    monkeypatch.setattr(ms.SummaryRecord, "add_value", add_value)
    return found


def test_a_trajectory_equals_mindspores(kept, monkeypatch):
    found = recorded(monkeypatch)
    SummaryLandscape(str(kept)).gen_landscapes_with_multi_process(called, device_ids=[0])
    name = "landscape_[1, 4]"
    for part, wanted in (("x", X), ("y", Y), ("z", Z), ("path", PATH), ("center", [0, 0, PATH[2][-1]])):
        np.testing.assert_allclose(found["tensor", f"{name}/{part}"], wanted, rtol=2e-6, atol=1e-7)
    picture = found["image", name]
    assert picture.shape == (1, 3, 24, 24) and picture.dtype == np.float32
    assert 0 <= picture.min() < picture.max() <= 1
    assert (picture[0, :, 18:22, 18:22] == np.array([1, 0, 0])[:, None, None]).all()  # where the training began
    assert picture[0, :, 0, 23].tolist() == pytest.approx([0, 0, 0.6])  # the lowest loss
    ((step, values),) = events(kept)
    assert step == 0 and set(values) == {name, *(f"{name}/{part}" for part in ("x", "y", "z", "path", "center"))}


def test_the_plane_around_a_result_is_random_and_scaled(kept, monkeypatch):
    found = recorded(monkeypatch)
    np.random.seed(3)
    output = kept / "other"
    only = {"create_landscape": {"train": False, "result": True}, "landscape_size": 5}
    SummaryLandscape(str(kept)).gen_landscapes_with_multi_process(called, only, [0, 1], str(output))
    axis = [-1.0, -0.5, 0.0, 0.5, 1.0]
    assert found["tensor", "landscape_[4]/x"].tolist() == found["tensor", "landscape_[4]/y"].tolist() == axis
    z = found["tensor", "landscape_[4]/z"]
    assert z.shape == (5, 5) and np.isfinite(z).all() and len(events(output)) == 1
    np.testing.assert_allclose(z[2, 2], PATH[2][-1], rtol=1e-6)
    assert ("tensor", "landscape_[4]/path") not in found
    plane = _landscape._random_plane({"a.weight": np.float32([3, 4]), "moment.a.weight": np.float32([1, 2])})
    np.testing.assert_allclose([np.linalg.norm(plane.v["a.weight"]), np.linalg.norm(plane.w["a.weight"])], 5, rtol=1e-6)
    assert "moment.a.weight" not in plane.v and plane.at(1, 1)["moment.a.weight"].tolist() == [1, 2]


@pytest.mark.parametrize(("unit", "epochs", "numbers"), [("step", 2, [1, 2, 4]), ("epoch", 3, [1, 2, 3])])
def test_the_collector_keeps_weights(tmp_path, unit, epochs, numbers):
    settings = {"intervals": [numbers], "unit": unit, "landscape_size": 3, "num_samples": 8}
    network = Net()
    model = ms.Model(network, nn.MSELoss(), nn.Momentum(network.trainable_params(), 0.01, 0.9))
    collector = SummaryCollector(str(tmp_path), collect_specified_data={"collect_landscape": settings})
    model.train(epochs, data(), callbacks=[collector], dataset_sink_mode=False)
    text = (tmp_path / "ckpt_dir/train_metadata.json").read_text()
    found = json.loads(text)
    assert found["epoch_group"] == {"0": numbers} and found["step_per_epoch"] == 2 and found["unit"] == unit
    assert list(found["model_params_file_map"]) == [str(number) for number in numbers]
    last = ms.load_checkpoint(found["model_params_file_map"][str(numbers[-1])])
    assert set(last) == {"a.weight", "a.bias", "b.weight", "b.bias"}
    np.testing.assert_array_equal(last["a.weight"].asnumpy(), network.a.weight.asnumpy())
    landscape = SummaryLandscape(str(tmp_path))
    landscape.gen_landscapes_with_multi_process(called)
    landscape.clean_ckpt()
    assert not (tmp_path / "ckpt_dir").exists()


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"landscape_size": 2}, ValueError), ({"landscape_size": 257}, ValueError), ({"landscape_size": ""}, TypeError),
        ({"unit": "day"}, ValueError), ({"unit": 3}, TypeError), ({"num_samples": 2.5}, TypeError),
        ({"create_landscape": {"train": True}}, ValueError), ({"create_landscape": [True]}, TypeError),
        ({"create_landscape": {"train": 1, "result": True}}, TypeError), ({"intervals": [[1, 2]]}, ValueError),
        ({"intervals": [[1, 2, "3"]]}, TypeError), ({"intervals": [1, 2, 3]}, TypeError), ({"size": 3}, ValueError),
        ({"intervals": [[1, 2, 5]]}, ValueError),
    ],
)  # fmt: skip
def test_wrong_settings_are_refused(kept, settings, error):
    with pytest.raises(error):
        SummaryLandscape(str(kept)).gen_landscapes_with_multi_process(called, settings, [0])
    if settings != {"intervals": [[1, 2, 5]]}:
        with pytest.raises(error):
            chosen = {"collect_landscape": {"intervals": [[1, 2, 3]], **settings}}
            SummaryCollector(str(kept), collect_specified_data=chosen)


def test_wrong_arguments_are_refused(kept, tmp_path_factory):
    for wrong, error in ((3, TypeError), ([8], ValueError), (["0"], TypeError)):
        with pytest.raises(error, match="device_ids"):
            SummaryLandscape(str(kept)).gen_landscapes_with_multi_process(called, device_ids=wrong)
    with pytest.raises(FileNotFoundError, match="SummaryCollector"):
        SummaryLandscape(str(tmp_path_factory.mktemp("empty"))).gen_landscapes_with_multi_process(called)
    with pytest.raises(ValueError, match="intervals"):
        SummaryCollector(str(kept), collect_specified_data={"collect_landscape": {"unit": "step"}})

    def without_loss():
        model, network, rows, _ = called()
        return model, network, rows, {"accuracy"}

    with pytest.raises(ValueError, match="Loss"):
        SummaryLandscape(str(kept)).gen_landscapes_with_multi_process(without_loss)
