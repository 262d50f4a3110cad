"""Groups of Parameters are MindSpore's; values recorded with MindSpore 2.10."""

import pytest

from ms_compat import Parameter, Tensor
from ms_compat.boost import ParameterProcess


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


def test_groups_keep_some_parameters():
    p = parameters(4)
    generate = ParameterProcess.generate_group_params
    assert generate(p[::-1], p) == [{"params": p[::-1]}]
    assert generate(p[:1], [{"params": p[1:], "lr": 1}, {"params": p[:1]}]) == [
        *({"params": [], "lr": 1}, {"params": p[:1]})
    ]
    groups = generate(p[::-1], [{"params": p[:2]}, {"params": p[2:]}, {"order_params": p}])
    assert groups == [{"params": p[:2]}, {"params": p[2:]}, {"order_params": p[::-1]}]
    with pytest.raises(ValueError, match="empty"):
        generate(p, [])
    with pytest.raises(TypeError):
        generate(p, 3)
    with pytest.raises(TypeError):
        ParameterProcess().assign_parameter_group(3)
