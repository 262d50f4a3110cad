"""Parameters that are added to and subtracted from in place."""

import numpy as np
import pytest

import ms_compat
import ms_compat as ms
from ms_compat import Parameter, Tensor, nn, ops
from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


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


DTYPES = ("int8", "int16", "int32", "int64", "float16", "float32", "float64")


# By the Parameter's dtype: what is written into it without an error, as MindSpore's Assign and Scatter operations do.
TAKEN = {
    "int8": "int8",
    "int16": "int8 int16",
    "int32": "int8 int16 int32",
    "int64": "int8 int16 int32 int64",
    "float16": "int8 int16 int32 int64 float16",
    "float32": "int8 int16 int32 int64 float16 float32",
    "float64": "int8 int16 int32 int64 float16 float32 float64",
}


@pytest.mark.parametrize("held", DTYPES)
def test_a_parameter_is_never_converted(held):
    ms, ops = ms_compat, ms_compat.ops
    rows, places = ms.Tensor([0, 1], ms.int32), ms.Tensor([[0], [1]], ms.int32)
    calls = {
        "Assign": lambda p, v: ops.Assign()(p, v),
        "AssignAdd": lambda p, v: ops.AssignAdd()(p, v),
        "ScatterAdd": lambda p, v: ops.ScatterAdd()(p, rows, v),
        "ScatterNdUpdate": lambda p, v: ops.ScatterNdUpdate()(p, places, v),
    }
    for name, call in calls.items():
        for kind in DTYPES:
            parameter = ms.Parameter(ms.Tensor([1, 2], getattr(ms, held)), name="p")
            value = ms.Tensor([1, 2], getattr(ms, kind))
            if kind in TAKEN[held].split():
                assert call(parameter, value).dtype == getattr(ms, held), (name, kind)
            else:
                with pytest.raises(TypeError):
                    call(parameter, value)
    if held.startswith("int"):
        with pytest.raises(TypeError):
            ms.Parameter(ms.Tensor([1], getattr(ms, held)), name="p").set_data(1.5)
    for wrong in ([1, 2], (1, 2), np.ones(2, np.int8)):
        with pytest.raises(TypeError):
            ops.assign(ms.Parameter(ms.Tensor([1, 2], getattr(ms, held)), name="p"), wrong)


@pytest.mark.parametrize("dtype", [ms.int8, ms.uint8, ms.int32, ms.int64, ms.float16, ms.float32])
def test_an_int_gives_way(mode, dtype):
    p = Parameter(Tensor(np.array(1), dtype), name="p")
    ops.assign(p, 2)
    ops.assign_add(p, 3)
    ops.assign_sub(p, 1)
    assert p.dtype == dtype
    assert p.asnumpy() == 4


def test_a_float_gives_way_to_floats_alone(mode):
    p = Parameter(Tensor(np.array(1), ms.float16), name="p")
    ops.assign(p, 2.5)
    assert p.dtype == ms.float16
    assert p.asnumpy() == 2.5
    for dtype in (ms.int32, ms.bool_):
        with pytest.raises(TypeError, match="cannot be converted"):
            ops.assign(Parameter(Tensor(np.array(1), dtype), name="p"), 2.5)
