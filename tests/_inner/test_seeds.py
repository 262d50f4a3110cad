"""The seeds of primitives."""

import pytest

import ms_compat as ms
from ms_compat import ops
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
