"""What all primitives share: attributes, names, placement."""

import numpy as np
import pytest

from ms_compat import Tensor, ops
from ms_compat.ops.primitive import prim_type
from tests.ops import recorded


@pytest.mark.parametrize("case", recorded.cases(__name__))
def test_answers_as_recorded(case):
    recorded.check(case)


def test_attributes_that_place_and_recompute_are_kept():
    primitive = ops.ReLU()
    assert primitive.recompute() is primitive.shard(((1, 1),)) is primitive
    assert primitive.place("MS_WORKER", 0) is None
    assert repr(primitive) == "Prim[ReLU]<recompute=True, in_strategy=((1, 1),), ms_role=MS_WORKER, rank_id=0>"


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: ops.ReLU().place("worker", 0), ValueError),
        (lambda: ops.ReLU().place(3, 0), ValueError),
        (lambda: ops.ReLU().place("MS_WORKER", "a"), TypeError),
        (lambda: ops.ReLU().place("MS_WORKER", -1), ValueError),
        (lambda: ops.ReLU().recompute(3), TypeError),
        (lambda: ops.ReLU().shard(3), TypeError),
    ],
)
def test_wrong_attributes_are_refused(call, error):
    with pytest.raises(error):
        call()


X = Tensor(np.array([[1.5, -2, 3], [4, 5, -6.5]], np.float32))


def test_attributes_of_primitives_for_mindspores_compiler_change_no_result():
    plain, marked = ops.Abs(), ops.Abs()
    marked.set_const_prim(True), marked.set_const_input_indexes([0]), marked.set_inplace_prim(False)
    np.testing.assert_array_equal(plain(X).asnumpy(), marked(X).asnumpy())


def test_descriptions_of_inputs_are_kept():
    primitive, signature = ops.Add(), ops.signature.make_sig("x")
    primitive.set_signatures([signature])
    assert primitive.signatures == [signature]
    assert primitive(Tensor([1.0]), Tensor([2])).asnumpy().tolist() == [3.0]
    for wrong in (3, [3], (signature,)):
        with pytest.raises(TypeError, match="signatures"):
            primitive.set_signatures(wrong)
    names = "unknown builtin py_infer_shape user_custom py_infer_check"
    assert " ".join(kind.name for kind in prim_type) == names
    assert primitive.set_prim_type(prim_type.user_custom) is None and primitive.prim_type is prim_type.user_custom
    with pytest.raises(TypeError, match="kind"):
        primitive.set_prim_type(3)
