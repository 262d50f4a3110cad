"""What is shown of a Model."""

from ms_compat import nn, train
from ms_compat.train.loss_scale_manager import FixedLossScaleManager


def test_print_says_what_a_model_is():
    net = nn.SequentialCell(nn.Dense(4, 2))
    optimizer = nn.Adam(net.trainable_params())
    model = train.Model(net, nn.MSELoss(), optimizer, {"mae", "mse"}, amp_level="O2",
                        loss_scale_manager=FixedLossScaleManager(8.0))  # fmt: skip
    assert repr(model) == str(model)
    lines = str(model).splitlines()
    assert lines[:4] == [
        "Model(",
        "  network: SequentialCell(",
        "    (0): Dense(input_channels=4, output_channels=2, has_bias=True)",
        "  )",
    ]
    assert lines[4:6] == ["  loss: MSELoss", "  optimizer: Adam of 10 parameters, 40 B"]
    assert lines[6] in ("  metrics: mae, mse", "  metrics: mse, mae")
    assert lines[7:] == ["  precision: O2", "  loss scale: FixedLossScaleManager", ")"]


def test_a_model_of_a_network_alone():
    lines = str(train.Model(nn.ReLU())).splitlines()
    assert lines[1:] == ["  network: ReLU()", "  loss: none: the network returns it",
                         "  optimizer: none: the network is the whole step", ")"]  # fmt: skip
