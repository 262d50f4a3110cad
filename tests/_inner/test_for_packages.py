"""Names from inside MindSpore that its packages import, compared with what MindSpore 2.10 answers."""

import inspect
import pickle

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn, ops
from ms_compat._names.placeholder import Placeholder
from ms_compat._names.resolve import resolve


def inner(dotted):
    return resolve(f"mindspore.{dotted}")


@pytest.fixture
def seed_7():
    """Repeats MindSpore's recorded draws."""
    ms.set_seed(7)


def test_seeds_of_primitives_move_on_as_in_mindspore(seed_7):
    get_seed = inner("ops.function.random_func._get_seed")
    assert [get_seed(5, "dropout") for _ in range(6)] == [
        (7, 5), (7, 533697033), (7, 1067394061), (7, 1601091089), (7, 2134788117), (7, 521001498)
    ]  # fmt: skip
    assert [inner("common.seed._get_graph_seed")(None, "dropout") for _ in range(2)] == [(7, 0), (7, 533697028)]
    assert get_seed(2**40, "dropout") == (7, 512)
    ms.set_seed(8)
    assert get_seed(5, "dropout") == (8, 5)


@pytest.mark.parametrize(("seed", "error"), [("a", TypeError), (True, TypeError), (-1, ValueError)])
def test_seeds_are_checked(seed, error):
    with pytest.raises(error):
        inner("ops.primitive._get_seed")(seed, "q")


def test_a_primitive_keeps_what_is_noted_on_it():
    dropout = ops.Dropout(0.5)
    assert inner("ops.primitive._set_prim_op_user_data")(dropout, "random_cache", False) is dropout
    assert dropout.attrs["random_cache"] is False


QUERY = np.arange(12, dtype=np.float32).reshape(1, 3, 4) / 10
ADDED = np.array([[0, -1, -2], [0, 0, -1], [1, 0, 0]], np.float32)
TRIANGLE = [[0.5539, 0.2164, 0.2297], [0.3550, 0.4423, 0.2028], [0.2174, 0.3178, 0.4648]]
WEIGHTS = {
    "none": (None, False, [[0.3135, 0.3329, 0.3535], [0.2632, 0.3280, 0.4087], [0.2174, 0.3178, 0.4648]]),
    "added": (ADDED, False, [[0.6480, 0.2531, 0.0989], [0.3550, 0.4423, 0.2028], [0.4302, 0.2314, 0.3384]]),
    "bool": (np.tri(3, dtype=bool), False, TRIANGLE),
    "causal": (None, True, TRIANGLE),
}


@pytest.mark.parametrize("mask", WEIGHTS)
@pytest.mark.parametrize("compiled", [False, True])
def test_attention_with_its_weights(mask, compiled):
    given, causal, expected = WEIGHTS[mask]
    attend = inner("ops.function.nn_func._scaled_dot_product_attention")
    query = Tensor(QUERY)
    value = query - 0.3
    mask = None if given is None else Tensor(given)

    def call(query):
        return attend(query, query * 0.5 + 0.1, value, mask, 0.0, causal, False, ms.float32)

    out, weights = (ms.jit(call) if compiled else call)(query)
    np.testing.assert_allclose(weights.asnumpy()[0], expected, atol=6e-5)
    np.testing.assert_allclose(out.asnumpy(), weights.asnumpy() @ value.asnumpy(), rtol=1e-5, atol=1e-6)


def test_attention_takes_one_mask():
    with pytest.raises(ValueError, match="is_causal"):
        inner("ops.function.nn_func._scaled_dot_product_attention")(
            Tensor(QUERY), Tensor(QUERY), Tensor(QUERY), Tensor(ADDED), 0.0, True, False, ms.float32
        )


def test_facts_of_a_parameter_are_copied():
    info = inner("_c_expression.ParamInfo")()
    assert (info.name, info.requires_grad, info.comm_fusion, info.parameter_shape) == ("Parameter", True, 1, [])
    info.name, info.requires_grad = "w", False
    other = info.clone()
    info.name = "v"
    assert (other.name, other.requires_grad) == ("w", False)


def test_types_of_arguments_by_keyword_are_checked():
    """As MindSpore's: of a function with `**kwargs`, these alone."""

    @inner("_checkparam.args_type_check")(first=int, size=(int, float), name=str)
    def run(*args, **kwargs):
        return args, kwargs

    assert run(1, size=2.5, name=None, other=[]) == ((1,), {"size": 2.5, "name": None, "other": []})
    with pytest.raises(TypeError, match="name"):
        run(name=3)

    @inner("_checkparam.args_type_check")(first=int)
    def plain(first, second=None):
        return first, second

    assert plain(1, "x") == (1, "x")
    with pytest.raises(TypeError, match="first"):
        plain("x")


def test_an_empty_tensor_has_shape_and_dtype():
    made = inner("_c_expression._empty_instance")((2, 3), dtype=ms.float16, device="CPU")
    assert made.shape == (2, 3) and made.dtype is ms.float16


def test_every_member_that_dir_lists_is_there_on_the_class():
    """Tools that dump or wrap calls go through `dir(Tensor)`."""
    members = {name: getattr(Tensor, name) for name in dir(Tensor)}
    assert isinstance(members["delete_"], Placeholder) and not hasattr(Tensor([1.0]), "delete_")


def test_the_class_of_compiled_functions():
    executor = inner("common.api._JitExecutor")
    assert inspect.isclass(executor) and executor is inner("common.api._MindsporeFunctionExecutor")
    assert executor(nn.ReLU().construct)(Tensor([-1.0, 2.0])).asnumpy().tolist() == [0.0, 2.0]


def test_texts_of_dtypes_that_a_package_replaces_change_nothing_else(mode, monkeypatch):
    for kind in ("Float", "Int"):
        named = inner(f"common.dtype.{kind}")
        monkeypatch.setattr(named, "__str__", named.__repr__)
    x = Tensor(np.array([[1.0, 2.0], [3.0, 4.0]], np.float32))
    assert str(x.dtype) == "mindspore.float32"
    for tensor in (x, ms.Parameter(x, name="p"), Tensor([1, 2])):
        again = pickle.loads(pickle.dumps(tensor))
        assert again.asnumpy().tolist() == tensor.asnumpy().tolist() and again.dtype is tensor.dtype
    pooled = ops.fractional_max_pool2d(x.reshape(1, 1, 2, 2), 2, output_size=(1, 1), _random_samples=ones(1, 1, 2))
    assert pooled.asnumpy().tolist() == [[[[4.0]]]]
    assert ops.FloatStatus()(x).asnumpy().tolist() == [0.0]


def ones(*shape):
    return Tensor(np.full(shape, 0.5, np.float32))
