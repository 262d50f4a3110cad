"""Parameters that are added to and subtracted from in place."""

import numpy as np
import pytest

from ms_compat import Parameter, Tensor, nn, ops


class Update(nn.Cell):
    def __init__(self, change, value):
        super().__init__()
        self.change, self.p = change, Parameter(Tensor(value), name="p")

    def construct(self, value):
        return self.change(self.p, value)


@pytest.mark.parametrize("change", [ops.assign_add, ops.assign_sub, ops.AssignAdd(), ops.AssignSub()])
@pytest.mark.parametrize(("of", "by"), [((), (1,)), ((1,), ()), ((1,), (1,)), ((), ())])
def test_one_element_fits_another(mode, change, of, by):
    net = Update(change, np.full(of, 1, np.float32))
    found = net(Tensor(np.full(by, 10, np.float32)))
    assert found.shape == net.p.shape == of
    assert found.asnumpy().item() == net.p.asnumpy().item() in (11, -9)


def test_other_shapes_are_refused(mode):
    for of, by in (((), (2,)), ((2,), (1,)), ((1,), (1, 1)), ((2, 2), ())):
        net = Update(ops.AssignAdd(), np.ones(of, np.float32))
        with pytest.raises(ValueError, match="one shape"):
            net(Tensor(np.ones(by, np.float32)))
        assert net.p.asnumpy().tolist() == np.ones(of).tolist()
