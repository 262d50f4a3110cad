"""`Parameter.param_info`, as libraries copy the facts of Parameters to the states of their optimizers."""

import copy
import pickle

import pytest

from ms_compat import Parameter, ParameterTuple, Tensor, nn
from ms_compat._names.resolve import resolve


def parameter(name, **flags):
    return Parameter(Tensor([1.0, 2.0]), name=name, **flags)


def test_it_reads_and_writes_the_parameter():
    p = parameter("a")
    info = p.param_info
    assert info is p.param_info and info.obj is p
    assert (info.name, info.requires_grad, info.comm_fusion, info.parameter_shape) == ("a", True, 1, [2])
    p.requires_grad = False
    assert info.requires_grad is False
    info.requires_grad, info.name, info.comm_fusion = True, "b", 3
    assert (p.requires_grad, p.name, p.comm_fusion) == (True, "b", 3)
    info.cloned_obj = [p]
    assert p.param_info.cloned_obj == [p]


def test_a_clone_is_of_no_parameter_until_one_takes_it():
    p, q = parameter("a", requires_grad=False, layerwise_parallel=True), Parameter(Tensor([3.0, 4.0, 5.0]), name="b")
    before, clone = q.param_info, p.param_info.clone()
    assert clone.name == "a" and not hasattr(clone, "obj")
    q.param_info = clone
    assert q.param_info is clone and clone.obj is q
    assert (q.name, q.requires_grad, q.layerwise_parallel, q.shape) == ("a", False, True, (3,))
    q.name = "state.a"
    assert (clone.name, p.name, p.param_info.name) == ("state.a", "a", "a")
    assert before.name == "b" and not hasattr(before, "obj")


def test_two_parameters_do_not_share_one():
    p, q = parameter("a", requires_grad=False), parameter("b")
    q.param_info = p.param_info
    assert (q.name, q.requires_grad) == ("a", False)
    q.name = "c"
    assert (p.name, p.param_info.obj is p, q.param_info.obj is q) == ("a", True, True)


def test_trainable_params_follow_it():
    net = nn.Dense(2, 2)
    assert len(net.trainable_params()) == 2
    net.bias.param_info.requires_grad = False
    assert [p.name for p in net.trainable_params()] == ["weight"]


@pytest.mark.parametrize("value", [None, 3, parameter("a")], ids=["None", "int", "Parameter"])
def test_other_things_are_refused(value):
    with pytest.raises(AttributeError, match="ParamInfo"):
        parameter("a").param_info = value


def test_copies_have_one_of_their_own():
    p = parameter("a")
    p.param_info.cloned_obj = []
    copies = [
        p.clone(),
        copy.copy(p),
        copy.deepcopy(p),
        pickle.loads(pickle.dumps(p)),
        ParameterTuple([p]).clone("m")[0],
    ]
    assert [c.param_info.obj is c and c.param_info is not p.param_info for c in copies] == [True] * 5


def inner(dotted):
    return resolve(f"mindspore.{dotted}")


def test_facts_of_a_parameter_are_copied():
    info = inner("_c_expression.ParamInfo")()
    assert (info.name, info.requires_grad, info.comm_fusion, info.parameter_shape) == ("Parameter", True, 1, [])
    info.name, info.requires_grad = "w", False
    other = info.clone()
    info.name = "v"
    assert (other.name, other.requires_grad) == ("w", False)
