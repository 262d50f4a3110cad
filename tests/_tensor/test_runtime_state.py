"""What a tensor says about its storage is MindSpore's; values recorded with MindSpore 2.10."""

import weakref

import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, float32

READS = [
    (lambda x: x[0], 0),
    (lambda x: x[0:1], slice(0, 1, None)),
    (lambda x: x[:, 0], (slice(None, None, None), 0)),
    (lambda x: x[[0]], [0]),
    (lambda x: x[None], None),
    (lambda x: x[True], True),
    (lambda x: x[0, 1], (0, 1)),
]


@pytest.mark.parametrize(("read", "index"), READS)
def test_what_is_read_by_index_knows_its_source(read, index):
    x = Tensor([[1.0, 2.0], [3.0, 4.0]])
    part = read(x)
    assert part.parent_tensor_ is x
    assert part.index_of_parent_ == index


@pytest.mark.parametrize("other", [lambda x: x.view(4), lambda x: x.T, lambda x: x[...], lambda x: x + 1, Tensor])
def test_other_tensors_have_no_source(other):
    made = other(Tensor([[1.0, 2.0], [3.0, 4.0]]))
    assert made.parent_tensor_ is None
    assert made.index_of_parent_ is None


def test_the_source_of_a_part_of_a_part_is_the_part():
    x = Tensor([[1.0, 2.0], [3.0, 4.0]])
    part = x[0][1]
    assert part.parent_tensor_.asnumpy().tolist() == [1.0, 2.0]
    assert part.index_of_parent_ == 1


def test_what_was_set_is_read():
    x, other = Tensor([1.0]), Tensor([3])
    x.parent_tensor_, x.index_of_parent_, x.init = other, 3, "ones"
    assert (x.parent_tensor_, x.index_of_parent_, x.init) == (other, 3, "ones")
    x.init = None
    assert x.symbolic_shape is None
    with pytest.raises(AttributeError):
        x.symbolic_shape = [1]
    assert Tensor(shape=(2,), dtype=float32, init="zeros").init == "zeros"


@pytest.mark.parametrize("make", [Tensor, lambda data: Parameter(Tensor(data), name="w")])
def test_offloaded_values_are_in_the_file(make, tmp_path):
    x, path = make([1.0, 2.0]), tmp_path / "values"
    assert x.offload_file_path() == ""
    assert x.offload(str(path)) is True
    assert path.read_bytes() == x.asnumpy().tobytes()
    assert x.offload_file_path() == str(path)
    for wrong in (True, path):
        with pytest.raises(TypeError):
            x.offload(wrong)
    with pytest.raises(RuntimeError, match="cannot be written"):
        x.offload(str(tmp_path / "none" / "values"))


def test_values_that_are_not_there_yet_are_not_offloaded(tmp_path):
    with pytest.raises(RuntimeError, match="init_data"):
        Tensor(shape=(2,), dtype=float32, init="zeros").offload(str(tmp_path / "values"))
    assert not list(tmp_path.iterdir())


def test_a_tensor_takes_the_facts_of_a_parameter():
    x, weight = Tensor([1.0]), Parameter(Tensor([2.0]), name="w")
    Tensor.set_param_info(x, weight.param_info)
    assert x.param_info is weight.param_info
    Tensor.set_param_info(x, None)
    assert x.param_info is None
    facts = weight.param_info
    Parameter.set_param_info(weight, None)  # a Parameter keeps its own
    assert weight.param_info is facts
    with pytest.raises(TypeError):
        x.set_param_info(weight.param_info)


def test_deleted_values_are_given_up_until_others_are_set():
    x = Tensor([1.0, 2.0]) + 1
    array = weakref.ref(x._v)
    assert x.delete_() is x and x.delete_(non_blocking=True) is x
    assert array() is None and x.has_init and x.shape == (2,) and x.dtype == ms.float32
    assert repr(x) == "Tensor(shape=[2], dtype=Float32, value= [ 0.00000000e+00,  0.00000000e+00])"
    with pytest.raises(RuntimeError, match="no data"):
        x + 1
    x.data = Tensor([3.0, 4.0])
    assert not x.has_init and (x + 1).asnumpy().tolist() == [4.0, 5.0] and repr(x).endswith("4.00000000e+00])")
    x.delete_().assign_value(Tensor([5.0, 6.0]))
    assert x.asnumpy().tolist() == [5.0, 6.0]
    assert x.delete_().init_data().asnumpy().tolist() == [0.0, 0.0]


def test_values_that_others_need_are_not_deleted():
    x = Tensor([1.0, 2.0])
    with pytest.raises(ValueError, match="non_blocking"):
        x.delete_(3)
    view = x[0:1]
    for shared in (x, view, Parameter(Tensor([1.0]), name="p")):
        with pytest.raises(RuntimeError, match="delete_"):
            shared.delete_()
    with pytest.raises(RuntimeError, match="compiled"):
        ms.jit(lambda x: x.delete_())(Tensor([1.0]))
    y = Tensor([3.0])

    def f(x):
        out = x * x
        square = out * out
        out.delete_()
        return square

    assert ms.grad(f)(y).asnumpy().tolist() == [108.0]
