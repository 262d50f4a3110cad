"""Training with `Model(boost_level=...)` is MindSpore's; values recorded with MindSpore 2.10 in both modes."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import nn
from ms_compat.boost import AutoBoost, BoostTrainOneStepCell, FreezeOpt, LessBN
from tests.boost.networks import Net, X, Y, sums


def manual(**ways):
    return {"boost": {"mode": "manual", "less_bn": False, "grad_freeze": False, **ways}}


FREEZE = {"param_groups": 2, "freeze_type": 0, "freeze_p": 0.5, "total_steps": 20}
# name: (level, configuration, losses or None, the Parameters after five steps)
RECORDED = {
    "auto": (
        *("O1", {"boost": {"mode": "auto"}, "grad_freeze": FREEZE}),
        [1.2903923, 1.079324, 0.91442263, 0.6825539, 0.5669471],
        [2.72022, 0.77143, 3.00635, 0.03058, 2.43862, 0.7011, 1.60445, 1.01538],
    ),
    "normalized": (
        *("O1", manual(less_bn=True), None),
        [2.72634, 0.77143, 3.01327, 0.06629, 2.44943, 0.76766, 1.76061, 1.03167],
    ),
    "neither exchanged nor centralized": (
        *("O1", {**manual(less_bn=True), "less_bn": {"fn_flag": False, "gc_flag": False}}, None),
        [2.71564, 0.77143, 3.04059, 0.04147, 2.51344, 0.85196, 1.72125, 0.16337],
    ),
    "centralized groups": (
        *("O1", manual(less_bn=True), None),
        [2.72993, 0.77143, 3.01962, 0.06187, 2.44625, 0.75206, 1.92624, 1.05809],
    ),
    "frozen": (
        *("O1", {**manual(grad_freeze=True), "grad_freeze": FREEZE}),
        [1.8779421, 1.7897117, 1.7072392, 1.5547636, 1.4180931],
        [2.71515, 0.77143, 3.01647, 0.01722, 2.47143, 0.82157, 1.55061, 0.30335],
    ),
    "accumulated": (
        *("O1", {**manual(grad_accumulation=True), "common": {"grad_accumulation_step": 2}}, None),
        [2.71465, 0.77143, 3.00752, 0.00831, 2.42174, 0.7858, 1.34061, 0.53014],
    ),
    "off": (
        *("O2", {"boost": {"mode": "disable_all"}}, None),
        [2.71564, 0.77143, 3.04059, 0.04147, 2.51344, 0.85196, 1.72125, 0.16337],
    ),
}


@pytest.mark.parametrize("name", RECORDED)
def test_a_model_trains_as_configured(name, mode):
    level, configuration, losses, weights = RECORDED[name]
    net = Net()
    parameters = net.trainable_params()
    if name == "centralized groups":
        parameters = [{"params": parameters[:3], "lr": 0.03}, {"params": parameters[3:]}]
    optimizer = nn.Momentum(parameters, 0.02, 0.9)
    model = ms.Model(
        *(net, nn.MSELoss(), optimizer), metrics={"mae"}, boost_level=level, boost_config_dict=configuration
    )
    assert type(model.train_network) is BoostTrainOneStepCell
    found = [float(model.train_network(X, Y)) for _ in range(5)]
    np.testing.assert_allclose(sums(net.trainable_params()), weights, atol=2e-5)
    if losses is not None:  # MindSpore's step returns None otherwise
        np.testing.assert_allclose(found, losses, rtol=1e-5)


def test_ways_need_something_to_evaluate():
    net = Net()
    model = ms.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params()), boost_level="O1")
    assert type(model.train_network) is BoostTrainOneStepCell
    assert type(model.train_network.optimizer) is nn.SGD


def test_the_earlier_name_of_the_level_counts():
    net = Net()
    model = ms.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params()), acc_level="O1")
    assert type(model.train_network) is BoostTrainOneStepCell


def test_the_first_configuration_decides():
    first = AutoBoost("O1", manual(less_bn=True))
    assert AutoBoost("O2") is first
    assert (first.level, first.boost_config["less_bn"], first.boost_config["adasum"]) == ("O1", True, False)


@pytest.mark.parametrize(
    ("level", "mode", "ways"),
    [
        ("O0", "auto", []),
        ("O1", "auto", ["less_bn", "grad_freeze"]),
        ("O2", "auto", ["less_bn", "grad_freeze", "adasum"]),
        ("O5", "auto", []),
        ("O2", "disable_all", []),
    ],
)
def test_levels_have_ways(level, mode, ways):
    found = AutoBoost(level, {"boost": {"mode": mode}})
    assert [way for way, chosen in found.boost_config.items() if chosen] == ways


def test_entries_of_ways_that_are_chosen_are_read():
    boost = AutoBoost("O0", {"boost": {"mode": "enable_all"}, "dim_reduce": {"rho": 0.1}, "common": {"timeout": 3}})
    assert all(boost.boost_config.values())
    assert (boost.rho, boost.timeout, boost.sigma) == (0.1, 3, 0.4)


def test_entries_of_other_ways_are_not_read():
    assert AutoBoost("O0", {"dim_reduce": {"rho": 0.1}}).rho == 0.55


@pytest.mark.parametrize("given", [{"boost": {"mode": "x"}}, {"common": {"gradient_split_groups": 3}}])
def test_wrong_configurations_are_refused(given):
    with pytest.raises(ValueError, match="AutoBoost"):
        AutoBoost("O1", given)
    assert AutoBoost("O1").level == "O1"  # the refused one has decided nothing


def test_networks_for_training_and_evaluation():
    boost, net = AutoBoost("O1", {"grad_freeze": FREEZE}), Net()
    network, optimizer = boost.network_auto_process_train(net, nn.SGD(net.trainable_params()))
    assert type(network) is LessBN
    assert type(optimizer) is FreezeOpt
    assert type(boost.network_auto_process_eval(net)) is LessBN


def test_components_of_saved_weights_are_used(tmp_path, mode):
    net = Net()
    for number in range(3):
        for parameter in net.trainable_params():
            shift = np.random.default_rng(number).normal(size=parameter.shape).astype(np.float32)
            parameter.set_data(ms.Tensor(parameter.asnumpy() + 0.1 * shift))
        ms.save_checkpoint(net, str(tmp_path / f"{number}.ckpt"))
    ways = {"n_components": 2, "weight_load_dir": str(tmp_path)}
    given = {**manual(dim_reduce=True), "dim_reduce": ways}
    model = ms.Model(
        *(net, nn.MSELoss(), nn.SGD(net.trainable_params())), metrics={"mae"}, boost_level="O1", boost_config_dict=given
    )
    losses = [float(model.train_network(X, Y)) for _ in range(3)]
    assert losses[2] < losses[0]
    components = np.load(tmp_path / "pca_mat_temp_rank_0.npy")
    np.testing.assert_allclose(components @ components.T, np.eye(2), atol=1e-6)


def test_components_need_checkpoints(tmp_path):
    boost, net = AutoBoost("O1", {**manual(dim_reduce=True), "dim_reduce": {"weight_load_dir": str(tmp_path)}}), Net()
    with pytest.raises(ValueError, match="32 components need as many checkpoints"):
        boost.network_auto_process_train(net, None)
