"""The primitive `Generator` steps, sets and returns seeds as MindSpore 2.10 did (recorded answers)."""

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor
from ms_compat._names.resolve import resolve

Generator = resolve("mindspore.ops.operations._inner_ops.Generator")


def settled(out):
    return out if out is None else [x if x is None else (str(x.dtype), x.shape, x.asnumpy().tolist()) for x in out]


@pytest.mark.parametrize("own", [True, False], ids=["its own", "of the inputs, as in 2.7"])
def test_commands(own):
    seed, offset = Tensor(0), Tensor(0)
    generator = Generator(seed, offset) if own else Generator()
    ask = lambda command, *more: settled(generator(command, (seed, offset, *more)))  # noqa: E731
    assert ask(4, Tensor(5)) is None and ask(5) == [("Int64", (), 5)]
    assert ask(0, Tensor(4)) == [("Int64", (), 5), ("Int64", (), 0), None]
    assert ask(0, Tensor(3)) == [("Int64", (), 5), ("Int64", (), 4), None]
    (*nothing, (dtype, shape, state)) = ask(2)
    assert nothing == [None, None] and (dtype, shape) == ("UInt8", (16,))
    assert state == np.array([5, 7], np.int64).view(np.uint8).tolist()
    assert ask(1) == [("Int64", (), int(seed.asnumpy()))] and int(offset.asnumpy()) == 0
    assert ask(3, Tensor(np.array(state, np.uint8))) is None and (int(seed), int(offset)) == (5, 7)


@pytest.mark.parametrize(
    ("command", "more"),
    [
        (7, ()),
        (0, ()),
        (5, (Tensor(1),)),
        (4, (5,)),
        (4, (Tensor(5.0),)),
        (3, (Tensor([1, 2]),)),
        (3, (Tensor(np.ones(1, np.uint8)),)),
    ],
)
def test_refused_commands_change_nothing(command, more):
    seed, offset = Tensor(3), Tensor(4)
    with pytest.raises(RuntimeError, match="Generator"):
        Generator(seed, offset)(command, (seed, offset, *more))
    assert (int(seed), int(offset)) == (3, 4)


def test_it_is_a_primitive():
    generator = Generator(Tensor(0), Tensor(0)).set_device("CPU")
    generator.add_prim_attr("manual_seed", False)
    assert isinstance(generator, ms.ops.Primitive) and generator.name == "Generator"
