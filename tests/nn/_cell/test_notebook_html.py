"""What is shown of Cells: sizes, and what `jax.tree.map` put into them."""

import jax
import jax.numpy as jnp
import pytest

from ms_compat import Parameter, Tensor, nn


class Held(nn.Cell):
    """A Cell with a Parameter, one that is None, a buffer and a Tensor."""

    def __init__(self):
        super().__init__()
        self.weight = Parameter(Tensor([[1.0, 2.0]]), name="weight")
        self.nothing = None
        self.register_buffer("seen", Tensor([1.0]))
        self.inner = nn.BatchNorm1d(3)

    def construct(self, x):
        return x


@pytest.mark.parametrize(
    ("function", "shown"), [(jnp.shape, "(1, 2)"), (lambda leaf: leaf.dtype, "float32"), (lambda leaf: None, "None")]
)
def test_what_a_tree_map_gives_is_shown(function, shown):
    mapped = jax.tree.map(function, Held())
    lines = repr(mapped).splitlines()
    assert any(line.startswith("  (weight): ") and shown in line for line in lines)
    assert "<i>weight</i> " in mapped._repr_html_() and shown in mapped._repr_html_()
    assert "gamma" in mapped._repr_html_()


def test_a_tree_map_of_arrays_looks_as_before():
    net = nn.Dense(2, 3)
    assert repr(jax.tree.map(lambda leaf: leaf * 2, net)) == repr(net)


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (nn.LSTM(3, 4), "LSTM(input_size=3, hidden_size=4)"),
        (
            nn.LSTM(3, 4, 2, False, True, 0.5, True),
            "LSTM(input_size=3, hidden_size=4, num_layers=2, has_bias=False, batch_first=True, dropout=0.5, "
            "bidirectional=True)",
        ),
        (nn.GRU(3, 4, num_layers=2), "GRU(input_size=3, hidden_size=4, num_layers=2)"),
        (nn.RNN(3, 4, nonlinearity="relu"), "RNN(input_size=3, hidden_size=4, nonlinearity=relu)"),
    ],
)
def test_recurrent_layers_show_their_sizes(cell, text):
    assert repr(cell) == text
    assert "input_size=3, hidden_size=4" in cell._repr_html_()
