"""Small facts on Cells and primitives: segment, precision type, attributes and user data."""

import pytest

import ms_compat as ms
from ms_compat import Tensor, nn, ops
from ms_compat._names.resolve import resolve
from ms_compat.nn._cell.metadata import MixedPrecisionType


def test_pipeline_segment():
    net = nn.ReLU()
    assert net.pipeline_segment is None
    net.pipeline_segment = 2
    assert net.pipeline_segment == 2
    for wrong, error in ((-1, ValueError), ("a", TypeError), (True, TypeError)):
        with pytest.raises(error):
            net.pipeline_segment = wrong


def test_mixed_precision_type():
    assert resolve("mindspore._c_expression.MixedPrecisionType") is MixedPrecisionType
    net = nn.SequentialCell(nn.Dense(2, 2))
    assert net.get_mixed_precision_type() is MixedPrecisionType.NOTSET
    net.to_float(ms.bfloat16)
    assert net[0].get_mixed_precision_type() is MixedPrecisionType.BF16
    net[0].set_mixed_precision_type(MixedPrecisionType.FP16)
    assert net[0].get_mixed_precision_type() is MixedPrecisionType.FP16
    assert net[0](Tensor([[1.0, 2.0]])).dtype is ms.float16
    net[0].set_mixed_precision_type(MixedPrecisionType.NOTSET)
    assert net[0](Tensor([[1.0, 2.0]])).dtype is ms.float32
    with pytest.raises(TypeError):
        net.set_mixed_precision_type(1)


def test_class_attributes():
    assert len(nn.Cell.global_cells) == 0 and nn.Cell.T_destination.__name__ == "T_destination"


def test_what_a_primitive_keeps():
    primitive = ops.MatMul(transpose_a=True)
    assert primitive.get_attr_dict() == {}
    primitive.add_attr("a", 3)
    assert primitive.get_attr_dict() == {"a": 3} and primitive.attrs == {"transpose_a": True, "transpose_b": False}
    primitive.del_attr("a")
    primitive.del_attr("a")
    assert primitive.get_attr_dict() == {}
    primitive.set_user_data("k", [1])
    assert primitive.get_user_data("k") == [1]
    with pytest.raises(RuntimeError):
        primitive.get_user_data("z")
    primitive.set_instance_name("mine")
    for mark, value in (("set_const_prim", True), ("set_const_input_indexes", [1]), ("set_inplace_prim", False)):
        assert getattr(primitive, mark)(value) is None
    out = primitive(Tensor([[1.0], [2.0]]), Tensor([[3.0], [4.0]]))
    assert out.asnumpy().tolist() == [[11.0]]
