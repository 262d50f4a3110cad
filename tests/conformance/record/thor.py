"""Records thor.json: conversion to THOR layers, the optimizer's Parameters and errors, converted Models.

MindSpore has no CPU kernels for its steps, so that only what needs no device is recorded.
"""

from tests.conformance.record.nn_recorder import Recorder

PRELUDE = '''\
RATE = Tensor([0.1, 0.2], ms.float32)


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(7, 3)
        self.conv = nn.Conv2d(2, 3, 3, pad_mode="valid", has_bias=True)
        self.bn = nn.BatchNorm2d(3)
        self.seq = nn.SequentialCell(nn.Dense(12, 140, activation="relu"), nn.Dense(140, 4))
        self.ln = nn.LayerNorm((4,))
        self.fc = nn.Dense(4, 2)


class More(Net):
    """With layers that are not converted, for which MindSpore's optimizer finds no place."""

    def __init__(self):
        super().__init__()
        self.wide = nn.Dense(4, 2)
        self.frozen = nn.Dense(4, 2)
        self.frozen.weight.requires_grad = False


def make(net=None, learning_rate=RATE, damping=RATE, momentum=0.9, **options):
    return nn.thor(Net() if net is None else net, learning_rate, damping, momentum, **options)


def described(cell):
    return {p.name: (p.shape, str(p.dtype), p.requires_grad) for p in cell.get_parameters()}


def kinds(net):
    return {path: type(cell).__name__ for path, cell in net.cells_and_names() if path}


def is_new(optimizer):
    net = Net()
    model = ms.Model(net, nn.MSELoss(), nn.Momentum(net.trainable_params(), 0.1, 0.9))
    return ms.ConvertModelUtils.convert_to_thor_model(model, net, nn.MSELoss(), optimizer) is not model
'''
rec = Recorder(__file__, "thor.json", "The optimizer THOR: conversion, Parameters, errors.", PRELUDE)


def case(name, expr, setup=""):
    rec.case(name, expr, setup, modes=("pynative",))


case("net/parameters", "described(net)", "net = More()\nms.ConvertNetUtils().convert_to_thor_net(net)\n")
case("net/cell_type", "net.cell_type", "net = More()\nms.ConvertNetUtils().convert_to_thor_net(net)\n")
case("net/kinds", "kinds(net)", "net = More()\nms.ConvertNetUtils().convert_to_thor_net(net)\n")
case("net/not_a_cell", "ms.train.ConvertNetUtils().convert_to_thor_net(3)")
# MindSpore's optimizer holds the network, whose moving averages are therefore among its Parameters
case("optimizer/parameters", "{k: v for k, v in described(make()).items() if 'moving' not in k}")
case("optimizer/type", "type(make()).__name__")
case("optimizer/frequency", "make(frequency=7).get_frequency()")
case("optimizer/rates", "[make(learning_rate=Tensor(0.5)).get_lr(), make().get_lr()]")
case("model/other_optimizer", "is_new(nn.Momentum(Net().trainable_params(), 0.1, 0.9))")
case("model/thor", "is_new(make())")
case("model/none", "ms.train.ConvertModelUtils.convert_to_thor_model(3, Net())")
case("model/no_network", "ms.train.ConvertModelUtils.convert_to_thor_model(3, 3, nn.MSELoss(), make())")
case("layers/thor", "[nn.DenseThor(2, 2).thor, nn.Conv2dThor(1, 1, 1).thor, nn.EmbeddingThor(2, 2).thor]")
for options in (
    "learning_rate=0.1",
    "learning_rate=[0.1, 0.2]",
    "learning_rate=Tensor([[0.1]])",
    "learning_rate=Tensor([0.1])",
    "momentum=1",
    "momentum=-0.5",
    "frequency=1",
    "frequency=2.0",
    "frequency=True",
    "weight_decay=-1.0",
    "weight_decay='a'",
    "weight_decay=1",
    "loss_scale=0.0",
    "loss_scale='a'",
    "loss_scale=2",
    "use_nesterov=1",
    "batch_size='a'",
    "decay_filter=3",
    "enable_clip_grad=3",
    "split_indices=[1]",
    "net=nn.Dense(2, 2)",
    "net=nn.SequentialCell(nn.ReLU())",
    "net=nn.SequentialCell(nn.Dense(3, 2, activation=nn.LeakyReLU(0.3)))",
):
    case(f"make/{options}", f"type(make({options})).__name__")

rec.write()
