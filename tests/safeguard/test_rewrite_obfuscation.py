"""Obfuscated checkpoints are MindSpore's; values recorded with MindSpore 2.10."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Dense(2, 3, weight_init="ones", bias_init="ones")
        self.fc2 = nn.Dense(3, 2, weight_init=Tensor([[1.0, 2, 3], [4, 5, 6]]), bias_init=Tensor([1.0, 2.0]))


class Attention(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(1, 1, weight_init="ones")


class Block(nn.Cell):
    def __init__(self):
        super().__init__()
        self.attention = Attention()


class Blocks(nn.Cell):
    def __init__(self):
        super().__init__()
        self.blocks = nn.CellList([Block(), Block()])


CONFIG = {
    "obf_metadata_config": [
        {"name": "obf_metadata_a", "shape": [2], "type": "rearrange", "save_metadata": True},
        {"name": "obf_metadata_b", "shape": [3, 3], "type": "rearrange", "save_metadata": True},
        {
            "name": "obf_metadata_c",
            "shape": [1],
            "type": "random",
            "save_metadata": True,
            "metadata_op": "invert",
        },
    ],
    "weight_obf_config": [
        {
            "target": "fc1/weight",
            "weight_obf_ops": [{"name": "mul", "input_x": "weight", "input_y": "obf_metadata_c"}],
        },
        {
            "target": "fc2/bias",
            "weight_obf_ops": [{"name": "permuate", "input_x": "obf_metadata_a", "input_y": "weight"}],
        },
        {
            "target": "fc2/weight",
            "weight_obf_ops": [{"name": "matmul", "input_x": "weight", "input_y": "obf_metadata_b"}],
        },
    ],
}


@pytest.fixture
def folders(tmp_path):
    source, target = tmp_path / "source", tmp_path / "target"
    (source / "sub").mkdir(parents=True)
    target.mkdir()
    ms.save_checkpoint(Net(), str(source / "net.ckpt"))
    ms.save_checkpoint(Net(), str(source / "sub" / "other.ckpt"))
    return str(source), str(target)


def values(path):
    return {name: parameter.asnumpy().tolist() for name, parameter in ms.load_checkpoint(path).items()}


def test_a_configuration_is_followed(folders):
    source, target = folders
    np.random.seed(0)
    found = ms.obfuscate_ckpt(Net(), source, obf_config=CONFIG, saved_path=target, obfuscate_scale=10)
    assert found["obf_metadata_a"].tolist() == [1, 0]
    assert found["obf_metadata_b"].tolist() == [[0, 1, 0], [0, 0, 1], [1, 0, 0]]
    assert found["obf_metadata_c"].tolist() == [0.25]
    assert [str(value.dtype) for value in found.values()] == ["int32", "int32", "float16"]
    expected = {
        "fc1.weight": [[4.0, 4.0]] * 3,
        "fc1.bias": [1.0] * 3,
        "fc2.weight": [[3.0, 1.0, 2.0], [6.0, 4.0, 5.0]],
        "fc2.bias": [2.0, 1.0],
    }
    assert values(f"{target}/net_obf.ckpt") == values(f"{target}/sub/other_obf.ckpt") == expected


def test_cells_by_name_are_multiplied_by_one_number(folders):
    source, target = folders
    np.random.seed(0)
    found = ms.safeguard.obfuscate_ckpt(Net(), source, ["", "fc1|fc2"], saved_path=target)
    assert {name: value.tolist() for name, value in found.items()} == {"obf_metadata": [float(np.float16(1 / 45))]}
    assert values(f"{target}/net_obf.ckpt")["fc1.weight"] == [[45.0, 45.0]] * 3


def test_layers_have_numbers_of_their_own(tmp_path):
    net = Blocks()
    (tmp_path / "in").mkdir()
    ms.save_checkpoint(net, str(tmp_path / "in" / "net.ckpt"))
    targets = ["blocks/attention", "dense", "obfuscate_layers:all"]
    found = ms.obfuscate_ckpt(net, str(tmp_path / "in"), targets, saved_path=str(tmp_path))
    made = values(str(tmp_path / "net_obf.ckpt"))
    for layer in range(2):
        inverse = found[f"obf_metadata_{layer}"].astype(np.float32)
        np.testing.assert_allclose(made[f"blocks.{layer}.attention.dense.weight"] * inverse, [[1.0]], rtol=1e-3)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"network": 3}, TypeError),
        ({"ckpt_files": 3}, TypeError),
        ({"ckpt_files": "/none"}, ValueError),
        ({"ckpt_files": __file__}, TypeError),
        ({"target_modules": None}, TypeError),
        ({"target_modules": "x"}, TypeError),
        ({"target_modules": [""]}, ValueError),
        ({"target_modules": ["", 3]}, TypeError),
        ({"target_modules": ["", ""]}, ValueError),
        ({"target_modules": ["-", "fc1"]}, ValueError),
        ({"target_modules": ["", "fc9"]}, ValueError),
        ({"target_modules": ["none", "fc1"]}, ValueError),
        ({"network": Blocks(), "target_modules": ["blocks", "attention"]}, ValueError),  # a list has numbers alone
        ({"target_modules": ["", "fc1", "x"]}, ValueError),
        ({"obf_config": 3}, TypeError),
        ({"obf_config": {}}, ValueError),
        ({"obf_config": {"x": []}}, TypeError),
        ({"obf_config": {"weight_obf_config": []}}, TypeError),
        ({"obfuscate_scale": 1}, ValueError),
        ({"obfuscate_scale": "a"}, ValueError),
    ],
)
def test_wrong_arguments_are_refused(folders, arguments, error):
    source, target = folders
    given = {"network": Net(), "ckpt_files": source, "target_modules": ["", "fc1"], "saved_path": target}
    with pytest.raises(error):
        ms.obfuscate_ckpt(**{**given, **arguments})


def test_a_path_to_a_primitive_is_refused_in_mindspores_words(folders):
    source, target = folders
    net = Net()
    net.activation = ms.ops.ReLU()
    for call in (
        lambda: ms.obfuscate_ckpt(net, source, ["activation", "fc1"], saved_path=target),
        lambda: ms.load_obf_params_into_net(net, ["activation", "fc1"], obf_ratios=ms.Tensor([1.0])),
    ):
        with pytest.raises(TypeError) as caught:
            call()
        assert "Target_modules[0] should be a subgraph and it's type should be nn.Cell(nn.CellList)" in str(caught)


def test_what_is_not_known_is_refused(folders):
    source, target = folders
    wrong = {**CONFIG["weight_obf_config"][0], "weight_obf_ops": [{"name": "add", "input_x": "a", "input_y": "b"}]}
    for entry in (wrong, {"target": "fc1/bias", "weight_obf_ops": [{**wrong["weight_obf_ops"][0], "name": "mul"}]}):
        config = {**CONFIG, "weight_obf_config": [entry]}
        with pytest.raises(RuntimeError, match="obfuscate_ckpt"):
            ms.obfuscate_ckpt(Net(), source, obf_config=config, saved_path=target)


def test_a_network_is_checked_and_returned():
    net = Net()
    entry = {"module": "/", "target": "fc1", "insert_new_input": [{"name": "a"}], "insert_ops": []}
    assert ms.load_obf_params_into_net(net, ["", "fc1|fc2"]) is net
    assert ms.safeguard.load_obf_params_into_net(net, obf_config={"network_obf_config": [entry]}) is net


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"network": 3}, TypeError),
        ({"target_modules": None}, TypeError),
        ({"data_parallel_num": 0}, ValueError),
        ({"obf_config": {}}, ValueError),
        ({"obf_config": {"obf_metadata_config": []}}, TypeError),
        ({"obf_config": {"network_obf_config": [{"module": "", "target": "fc1"}]}}, TypeError),
    ],
)
def test_a_network_that_does_not_fit_is_refused(arguments, error):
    with pytest.raises(error):
        ms.load_obf_params_into_net(**{"network": Net(), "target_modules": ["", "fc1"], **arguments})
