"""`ops.Push` and `ops.Pull` can be made, and a call raises RuntimeError, as in MindSpore 2.10 without a server."""

import pytest

import ms_compat as ms
from ms_compat import Tensor, nn, ops


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.weight = ms.Parameter(Tensor([1.0, 2.0]), name="weight")
        self.push, self.pull = ops.Push("ApplyMomentum", []), ops.Pull()

    def construct(self, x):
        return self.pull(self.push((x,), (ops.shape(x),)), self.weight)


def test_attributes_are_kept():
    push = ops.Push("Adam", [0])
    assert (push.optim_type, push.only_shape_indices) == ("Adam", [0])
    assert (push.attrs["primitive_target"], push.attrs["side_effect_hidden"]) == ("CPU", True)
    assert (push.input_names, push.output_names) == (["optim_inputs", "optim_input_shapes"], ["key"])
    assert ops.Pull().input_names == ["key", "weight"]


def test_a_call_raises(mode):
    with pytest.raises(RuntimeError, match="For 'Push', no parameter server is running.*ops.AllReduce"):
        Net()(Tensor([1.0, 2.0]))
    with pytest.raises(RuntimeError, match="For 'Pull', no parameter server is running.*set_param_ps"):
        ops.Pull()(Tensor([1], ms.uint64), Tensor([1.0]))
