"""Groups of Parameters are MindSpore's; values recorded with MindSpore 2.10."""

import pytest

from ms_compat import Parameter, Tensor, nn
from ms_compat.boost import OptimizerProcess, ParameterProcess


def parameters(count):
    return [Parameter(Tensor([1.0]), name=f"p{index}") for index in range(count)]


@pytest.mark.parametrize(
    ("count", "points", "expected"),
    [
        (1, None, [2]),
        (1, [1], [1]),
        (2, None, [1, 2]),
        (3, None, [1, 2, 2]),
        (7, None, [1, 1, 1, 2, 2, 2, 2]),
        (7, [1], [1, 2, 2, 2, 2, 2, 2]),
        (7, [2, 4], [1, 1, 2, 2, 3, 3, 3]),
        (10, [50, 100], [1] * 10),
        (0, None, []),
    ],
)
def test_groups_are_numbered(count, points, expected):
    made = parameters(count)
    assert ParameterProcess().assign_parameter_group(made, points) is made
    assert [p.comm_fusion for p in made] == expected


def test_numbers_go_on():
    process, made = ParameterProcess(), parameters(4)
    process.assign_parameter_group(made)
    process.assign_parameter_group(made)
    assert [p.comm_fusion for p in made] == [2, 2, 3, 3]


def test_groups_are_made_again_by_name():
    p = parameters(4)
    generate = ParameterProcess.generate_group_params
    assert generate(p[::-1], p) == [{"params": p[::-1]}]
    assert generate(p[:1], [{"params": p[1:], "lr": 1}, {"params": p[:1]}]) == [
        *({"params": [], "lr": 1}, {"params": p[:1]})
    ]
    groups = generate(p[::-1], [{"params": p[:2]}, {"params": p[2:]}, {"order_params": p}])
    assert groups == [{"params": p[:2]}, {"params": p[2:]}, {"order_params": p[::-1]}]
    (other,) = [Parameter(Tensor([2.0]), name="p1")]
    assert generate([other], [{"params": p[:1]}, {"params": p[1:2], "lr": 3}])[1] == {"params": [other], "lr": 3}
    with pytest.raises(ValueError, match="empty"):
        generate(p, [])
    with pytest.raises(TypeError):
        generate(p, 3)
    with pytest.raises(TypeError):
        ParameterProcess().assign_parameter_group(3)


def test_parameters_without_a_group_are_one_more():
    p = parameters(4)
    generate = ParameterProcess.generate_group_params
    options = {"lr": 2, "weight_decay": 0.1}
    groups = generate(p, [{"params": p[:1], "lr": 1}, {"params": p[1:2], **options}])
    assert groups == [{"params": p[:1], "lr": 1}, {"params": p[1:2], **options}, {"params": p[2:], **options}]
    assert generate(p[:2], [{"order_params": p[:2]}]) == [{"order_params": p[:2]}, {"params": p[:2]}]


def test_gradients_of_weights_are_centralized():
    net = nn.SequentialCell(nn.Conv2d(2, 2, 3, group=2), nn.BatchNorm2d(2), nn.Dense(2, 2))
    process = OptimizerProcess(nn.Momentum([{"params": net.trainable_params(), "lr": 0.3}], 0.1, 0.9))
    process.add_grad_centralization(net)
    names = [[parameter.name for parameter in group["params"]] for group in process.origin_params]
    assert names == [["2.weight"], ["0.weight", "1.gamma", "1.beta", "2.bias"]]
    assert [group.get("grad_centralization", False) for group in process.origin_params] == [True, False]
    made = process.generate_new_optimizer()
    assert type(made) is nn.Momentum
    assert made.init_args == {"momentum": 0.9, "weight_decay": 0.0, "loss_scale": 1.0, "use_nesterov": False}
    cells = OptimizerProcess.build_params_dict(net)
    assert cells[id(net[2].weight)] is net[2]
    assert OptimizerProcess.build_gc_params_group(cells, [{"order_params": [1]}]) == [{"order_params": [1]}]


def test_parameters_without_groups_are_not_centralized(caplog):
    net = nn.Dense(2, 2)
    process = OptimizerProcess(nn.LARS(nn.SGD(net.trainable_params(), [0.1, 0.2])))
    with caplog.at_level("WARNING", "ms_compat"):
        process.add_grad_centralization(net)
    assert "groups" in caplog.text
    made = process.generate_new_optimizer()
    assert (type(made), type(made.opt), made.opt.init_learning_rate) == (nn.LARS, nn.SGD, [0.1, 0.2])
    process.origin_params = []
    with pytest.raises(ValueError, match="must have Parameters"):
        process.add_grad_centralization(net)
    process.origin_params = [3]
    with pytest.raises(TypeError):
        process.add_grad_centralization(net)
    with pytest.raises(AttributeError):
        OptimizerProcess(3)
