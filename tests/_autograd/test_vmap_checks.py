"""What `vmap` refuses, by the classes that MindSpore raises."""

import pytest

from ms_compat import Tensor, nn, ops, vmap

X = Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
Y = X + 1


def two(a, b, c):
    return a + b, c


class Net(nn.Cell):
    def construct(self, a, b, c):
        return a + b + c


REFUSED = {
    "a primitive": (RuntimeError, lambda: vmap(ops.Add(), (1, 1))(X, Y)),
    "out_axes None": (RuntimeError, lambda: vmap(lambda a: a + 1, 0, None)(X)),
    "None for a mapped output": (RuntimeError, lambda: vmap(two, (1, 1, None), (None, 0))(X, Y, 1)),
    "an axis of a number": (RuntimeError, lambda: vmap(two, (1, 1, None), (0, 1))(X, Y, 1)),
    "a negative axis of a number": (RuntimeError, lambda: vmap(two, (1, 1, None), (0, -2))(X, Y, 1)),
    "fewer inputs": (TypeError, lambda: vmap(two, (1, 1, None))(X, Y)),
    "fewer inputs of a Cell": (TypeError, lambda: vmap(Net(), (1, 1, None))(X, Y)),
    "fewer axes": (RuntimeError, lambda: vmap(two, (1, 1))(X, Y, 1)),
    "one Cell": (RuntimeError, lambda: vmap(nn.CellList([nn.ReLU()]))(X)),
    "Cells of other shapes": (RuntimeError, lambda: vmap(nn.CellList([nn.Dense(3, 2), nn.Dense(3, 4)]))(X)),
    "Cells of other kinds": (ValueError, lambda: vmap(nn.CellList([nn.Dense(3, 2), nn.ReLU()]))(X)),
}


@pytest.mark.parametrize("name", REFUSED)
def test_classes_of_errors(name, mode):
    error, call = REFUSED[name]
    with pytest.raises(error) as caught:
        call()
    assert caught.type is error


def test_their_neighbours_are_taken(mode):
    summed, number = vmap(two, (1, 1, None), (0, None))(X, Y, 1)
    assert summed.shape == (3, 2) and number == 1
    assert vmap(two, (1, 1, None), (0, -1))(X, Y, 1)[1].shape == (3,)
    assert vmap(nn.CellList([nn.Dense(3, 2), nn.Dense(3, 2)]))(X).shape == (2, 2)
