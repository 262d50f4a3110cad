"""Records nn_cells.json: repr of cells, names and orders of parameters, containers, what constructors reject."""
# ruff: noqa: E501 - tables of expressions, one case a line

from tests.conformance.record.nn_recorder import Recorder

PRELUDE = r'''import re
from collections import OrderedDict


def text(cell):
    """repr without addresses and module paths."""
    return re.sub(r"<[\w.]*?(\w+) object at 0x\w+>", r"<\1 object>", repr(cell))


def names(net):
    return [param.name for param in net.get_parameters()]


def trainable(net):
    return [param.name for param in net.trainable_params()]


class Block(nn.Cell):
    def __init__(self, size=3):
        super().__init__()
        self.dense = nn.Dense(size, size)
        self.bn = nn.BatchNorm1d(size)
        self.scale = Parameter(Tensor(np.ones(size, np.float32)))

    def construct(self, x):
        return self.bn(self.dense(x)) * self.scale


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.weight = Parameter(Tensor(np.ones(2, np.float32)), name="own_name")
        self.first = Block()
        self.blocks = nn.CellList([Block(), Block()])
        self.body = nn.SequentialCell([nn.Dense(3, 4), nn.ReLU(), nn.Dense(4, 2, has_bias=False)])
        self.frozen = Parameter(Tensor(np.zeros(2, np.float32)), requires_grad=False)

    def construct(self, x):
        return x


class Shared(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a = nn.Dense(3, 3)
        self.b = self.a
        self.c = nn.SequentialCell(self.a, nn.ReLU())

    def construct(self, x):
        return self.c(self.b(self.a(x)))


def conv_bn(size, out):
    return nn.SequentialCell(OrderedDict([("conv", nn.Conv2d(size, out, 3)), ("bn", nn.BatchNorm2d(out)), ("relu", nn.ReLU())]))
'''
rec = Recorder(
    __file__, "nn_cells.json", "Cells as trees: repr, parameter names and orders, containers, errors.", PRELUDE
)


def case(name, expr, setup="", **extra):
    rec.case(name, expr, setup, modes=("pynative",), **extra)


# repr of layers
LAYERS = """
Dense(3,4) Dense(3,4,has_bias=False) Dense(3,4,activation="relu") Dense(3,4,weight_init="zeros",bias_init="ones") Conv2d(3,4,5) Conv2d(3,4,(3,5),stride=2,pad_mode="pad",padding=1,has_bias=True)
Conv2d(3,4,3,weight_init="normal",bias_init="zeros",has_bias=True) Conv1d(3,4,5) Conv3d(3,4,5) Conv2dTranspose(3,4,5) Conv1dTranspose(3,4,5) Conv3dTranspose(3,4,5)
BatchNorm1d(3) BatchNorm2d(3) BatchNorm3d(3) LayerNorm((4,)) LayerNorm([3,4],1,1) GroupNorm(2,4) InstanceNorm1d(3) InstanceNorm2d(3) Embedding(5,3) Embedding(5,3,True,padding_idx=1)
EmbeddingLookup(5,3) MaxPool1d(2,2) MaxPool2d(3,2,pad_mode="same") MaxPool3d(2,2) AvgPool1d(2) AvgPool2d(3,2) AvgPool3d(2) AdaptiveAvgPool1d(3) AdaptiveAvgPool2d((3,2)) AdaptiveMaxPool2d(3)
Flatten() Dropout(p=0.3) Dropout(keep_prob=0.9) Dropout() Dropout1d(0.3) Dropout2d(0.3) Dropout3d(0.3) ReLU() LeakyReLU() ELU() GELU() Sigmoid() Tanh() Softmax() Softmax(axis=1) LogSoftmax() PReLU() HSigmoid() HSwish()
Mish() SiLU() CELU() SeLU() Hardtanh() Threshold(0.1,2.0) GLU() SoftShrink() HShrink() Softsign() LogSigmoid() Identity() Upsample(scale_factor=2.0) PixelShuffle(2) ZeroPad2d(1) Pad(((0,0),(1,1))) ConstantPad2d(1,0.5)
ReflectionPad2d(1) OneHot(depth=3) BiDense(2,3,4) LSTM(3,4) GRU(3,4,2) RNN(3,4) LSTMCell(3,4) MultiheadAttention(4,2) Unflatten(1,(2,2)) Tril() ClipByNorm() L1Regularizer(0.1) TimeDistributed(nn.Dense(3,4),1)
SoftmaxCrossEntropyWithLogits(sparse=True) MSELoss() CrossEntropyLoss() BCELoss() L1Loss() NLLLoss() CosineEmbeddingLoss() SmoothL1Loss() WithLossCell(nn.Dense(2,2),nn.MSELoss())
TransformerEncoderLayer(4,2,8)
""".split()
for text in LAYERS:
    case(f"repr/{text}", f"text(nn.{text})")
for name, text in {
    "Net": "Net()",
    "Block": "Block()",
    "Shared": "Shared()",
    "plain": "nn.Cell()",
    "SequentialCell": "nn.SequentialCell(nn.Dense(2, 3), nn.ReLU())",
    "SequentialCell/list": "nn.SequentialCell([nn.Dense(2, 3), nn.ReLU()])",
    "SequentialCell/OrderedDict": "conv_bn(2, 3)",
    "SequentialCell/empty": "nn.SequentialCell()",
    "CellList": "nn.CellList([nn.ReLU(), nn.Tanh()])",
    "CellList/nested": "nn.CellList([nn.CellList([nn.ReLU()]), nn.SequentialCell(nn.Tanh(), nn.Dense(1, 1))])",
    "CellList/empty": "nn.CellList()",
    "CellDict": "nn.CellDict({'a': nn.ReLU(), 'b': nn.Dense(2, 2)})",
    "CellDict/nested": "nn.CellDict({'x': conv_bn(1, 2)})",
    "Momentum": "nn.Momentum(nn.Dense(2, 2).trainable_params(), 0.1, 0.9)",
    "Adam": "nn.Adam(nn.Dense(2, 2).trainable_params(), 0.1)",
    "SGD": "nn.SGD(nn.Dense(2, 2).trainable_params(), [0.1, 0.2])",
    "TrainOneStepCell": "nn.TrainOneStepCell(nn.WithLossCell(nn.Dense(2, 2), nn.MSELoss()), nn.SGD(nn.Dense(2, 2).trainable_params()))",
}.items():
    case(f"repr/{name}", f"text({text})")
case("str/Net", "str(net) == repr(net)", "net = Net()")
case(
    "repr/own_extend_repr",
    "repr(Own())",
    "class Own(nn.Cell):\n    def __init__(self):\n        super().__init__()\n        self.d = nn.ReLU()\n\n    def extend_repr(self):\n        return 'own=1'\n",
)
case(
    "repr/own_extend_repr_leaf",
    "repr(Own())",
    "class Own(nn.Cell):\n    def extend_repr(self):\n        return 'own=1'\n",
)

# Names
for name, text in {
    "Net": "Net()",
    "Block": "Block()",
    "Shared": "Shared()",
    "SequentialCell": "nn.SequentialCell(Block(), nn.ReLU(), nn.Dense(2, 2))",
    "OrderedDict": "conv_bn(2, 3)",
    "CellList": "nn.CellList([nn.Dense(2, 2), nn.Dense(2, 2)])",
    "CellList/nested": "nn.CellList([nn.CellList([nn.Dense(1, 1)]), nn.SequentialCell(nn.Tanh(), nn.Dense(1, 1))])",
    "CellDict": "nn.CellDict({'a': nn.Dense(1, 1), 'b': nn.BatchNorm2d(2)})",
    "WithLossCell": "nn.WithLossCell(Block(), nn.MSELoss())",
    "LSTM": "nn.LSTM(2, 2, 2, bidirectional=True)",
    "MultiheadAttention": "nn.MultiheadAttention(4, 2)",
    "TransformerEncoderLayer": "nn.TransformerEncoderLayer(4, 2, 8)",
    "TransformerEncoder": "nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8), 2)",
    "BatchNorm2d": "nn.BatchNorm2d(2)",
    "Sequential(BatchNorm2d)": "nn.SequentialCell(nn.BatchNorm2d(2))",
    "GroupNorm": "nn.SequentialCell(nn.GroupNorm(2, 4))",
    "PReLU": "nn.SequentialCell(nn.PReLU(2))",
    "TrainOneStepCell": "nn.TrainOneStepCell(nn.WithLossCell(nn.Dense(2, 2), nn.MSELoss()), nn.SGD(nn.Dense(2, 2).trainable_params()))",
}.items():
    case(f"names/{name}", f"names({text})")
    case(f"trainable/{name}", f"trainable({text})")
case("names/parameters_and_names", "[(name, p.name) for name, p in Net().parameters_and_names()]")
case("names/cells_and_names", "[(name, type(cell).__name__) for name, cell in Net().cells_and_names()]")
case("names/name_cells", "[name for name in Net().name_cells()]")
case("names/cells", "[type(c).__name__ for c in Net().cells()]")
case("names/parameters_dict", "list(Net().parameters_dict().keys())")
case("names/untrainable", "[p.name for p in Net().untrainable_params()]")
case("names/get_parameters_no_expand", "[p.name for p in Net().get_parameters(expand=False)]")
case(
    "names/untrainable_after_freeze",
    "(trainable(net), [p.name for p in net.untrainable_params()])",
    "net = nn.SequentialCell(nn.Dense(1, 1), nn.Dense(1, 1))\nnet[0].weight.requires_grad = False\n",
)
case("names/shared_parameters", "len(list(Shared().get_parameters()))")
case("names/shared/cells_and_names", "[(name, type(c).__name__) for name, c in Shared().cells_and_names()]")
case(
    "names/list_of_parameters",
    "names(net)",
    "class L(nn.Cell):\n    def __init__(self):\n        super().__init__()\n        self.ws = ms.ParameterTuple([Parameter(Tensor([1.0]), name='p1'), Parameter(Tensor([2.0]), name='p2')])\n\n\nnet = L()\n",
)
case(
    "names/two_equal_names",
    "names(net)",
    "class L(nn.Cell):\n    def __init__(self):\n        super().__init__()\n        self.a = Parameter(Tensor([1.0]), name='p')\n        self.b = Parameter(Tensor([2.0]), name='p')\n\n\nnet = L()\n",
)
case(
    "names/unnamed",
    "names(net)",
    "class L(nn.Cell):\n    def __init__(self):\n        super().__init__()\n        self.a = Parameter(Tensor([1.0]))\n        self.inner = nn.Cell()\n        self.inner.z = Parameter(Tensor([2.0]))\n\n\nnet = L()\n",
)
case("names/prefix", "names(net)", "net = Block()\nnet.update_parameters_name('pre.')\n")
case("names/param_prefix", "[(c.param_prefix) for _, c in Net().cells_and_names()]")
case(
    "names/append",
    "names(net)",
    "net = nn.CellList([nn.Dense(1, 1)])\nnet.append(nn.Dense(1, 1))\nnet.insert(0, nn.Dense(1, 1))\n",
)
case("names/sequential_append", "names(net)", "net = nn.SequentialCell(nn.Dense(1, 1))\nnet.append(nn.Dense(1, 1))\n")
case("names/auto_prefix", "names(net)", "net = nn.CellList([nn.Dense(1, 1)], auto_prefix=False)\n")
case("names/after_replacing_a_child", "names(net)", "net = Net()\nnet.first = nn.Dense(2, 2)\n")
case("names/inner_after_outer", "names(inner)", "inner = nn.Dense(1, 1)\nouter = nn.SequentialCell(inner)\n")
case(
    "names/two_outers",
    "(names(inner), names(a), names(b))",
    "inner = nn.Dense(1, 1)\na = nn.SequentialCell(inner)\nb = nn.SequentialCell(nn.ReLU(), inner)\n",
)
OPTIM = "net = Net()\nopt = nn.{0}(net.trainable_params(){1})\n"
for cell, args in (
    ("Momentum", ", 0.1, 0.9"),
    ("SGD", ""),
    ("SGD", ", 0.1, momentum=0.9"),
    ("Adam", ""),
    ("Adam", ", use_amsgrad=True"),
    ("AdamWeightDecay", ""),
    ("RMSProp", ""),
    ("RMSProp", ", centered=True"),
    ("Adagrad", ""),
    ("Lamb", ""),
    ("Adadelta", ""),
    ("AdaMax", ""),
    ("FTRL", ""),
    ("ASGD", ""),
    ("Rprop", ""),
    ("LazyAdam", ""),
    ("ProximalAdagrad", ""),
    ("AdaFactor", ""),
):
    case(
        f"names/after/{cell}({args[2:]})",
        "([p.name for p in opt.parameters], names(opt), names(net))",
        OPTIM.format(cell, args),
    )

# Containers
SEQ = "net = nn.SequentialCell(nn.Dense(1, 1), nn.ReLU(), nn.Tanh())\n"
case("SequentialCell/len_index", "(len(net), type(net[1]).__name__, type(net[-1]).__name__, repr(net[1:]))", SEQ)
case("SequentialCell/out_of_range", "net[3]", SEQ)
case("SequentialCell/set_del", "repr(net)", SEQ + "net[1] = nn.Sigmoid()\ndel net[0]\n")
case("SequentialCell/del_slice", "repr(net)", SEQ + "del net[0:2]\n")
case("SequentialCell/iterate", "[type(c).__name__ for c in net]", SEQ)
case("SequentialCell/bad_item", "nn.SequentialCell(nn.ReLU(), 3)")
case("SequentialCell/bad_list", "nn.SequentialCell([nn.ReLU(), 'a'])")
case("SequentialCell/append_bad", "net.append(3)", SEQ)
case("SequentialCell/no_input", "net()", SEQ)
case("SequentialCell/set_grad", "type(net.set_grad()).__name__", SEQ)
LIST = "net = nn.CellList([nn.Dense(1, 1), nn.ReLU()])\n"
case("CellList/len_index", "(len(net), type(net[-1]).__name__, type(net[0:1]).__name__)", LIST)
case("CellList/out_of_range", "net[5]", LIST)
case("CellList/str_index", "net['a']", LIST)
case("CellList/call", "net(Tensor([1.0]))", LIST)
case("CellList/extend", "repr(net)", LIST + "net.extend([nn.Tanh(), nn.Sigmoid()])\n")
case("CellList/extend_bad", "net.extend(3)", LIST)
case("CellList/insert", "repr(net)", LIST + "net.insert(1, nn.Tanh())\n")
case("CellList/bad_item", "nn.CellList([3])")
case("CellList/add", "repr(net + net)", LIST)
case("CellList/iadd", "repr(net)", LIST + "net += [nn.Tanh()]\n")
DICT = "net = nn.CellDict({'a': nn.Dense(1, 1), 'b': nn.ReLU()})\n"
case(
    "CellDict/access",
    "(len(net), list(net.keys()), [type(v).__name__ for v in net.values()], [k for k, _ in net.items()], 'a' in net, list(net))",
    DICT,
)
case("CellDict/missing", "net['z']", DICT)
case("CellDict/pop", "(type(net.pop('a')).__name__, list(net.keys()))", DICT)
case("CellDict/update", "list(net.keys())", DICT + "net.update({'c': nn.Tanh()})\n")
case("CellDict/clear", "len(net)", DICT + "net.clear()\n")
case("CellDict/bad_key", "net.__setitem__(1, nn.ReLU())", DICT)
case("CellDict/dotted_key", "net.__setitem__('a.b', nn.ReLU())", DICT)
case("CellDict/taken_key", "net.__setitem__('keys', nn.ReLU())", DICT)
case("CellDict/empty_key", "net.__setitem__('', nn.ReLU())", DICT)
case("CellDict/bad_value", "net.__setitem__('q', 3)", DICT)

# Cell basics
case(
    "Cell/training_default",
    "(nn.Dense(1, 1).training, nn.Dense(1, 1).set_train().training, nn.Dense(1, 1).set_train(False).training)",
)
case("Cell/set_train_recursive", "[c.training for _, c in Net().set_train().cells_and_names()]")
case("Cell/forgot_super", "L()", "class L(nn.Cell):\n    def __init__(self):\n        self.d = nn.Dense(1, 1)\n")
case("Cell/no_construct", "nn.Cell()(Tensor([1.0]))")
case("Cell/missing_attribute", "Net().nothing")
case(
    "Cell/parameter_over_none",
    "names(net)",
    "class L(nn.Cell):\n    def __init__(self):\n        super().__init__()\n        self.w = None\n        self.w = Parameter(Tensor([1.0]))\n\n\nnet = L()\n",
)
case(
    "Cell/parameter_set_tensor",
    "type(net.scale).__name__",
    "net = Block()\nnet.scale = Tensor(np.zeros(3, np.float32))\n",
)
case("Cell/parameter_set_number", "net.scale", "net = Block()\nnet.scale = 3\n")
case("Cell/child_set_number", "net.dense", "net = Block()\nnet.dense = 3\n")
case("Cell/child_set_none", "net.dense", "net = Block()\nnet.dense = None\n")
case("Cell/delete_child", "names(net)", "net = Block()\ndel net.dense\n")
case("Cell/delete_parameter", "names(net)", "net = Block()\ndel net.scale\n")
case("Cell/insert_child_to_cell", "names(net)", "net = Block()\nnet.insert_child_to_cell('more', nn.Dense(1, 1))\n")
case("Cell/insert_child_bad", "net.insert_child_to_cell('more', 3)", "net = Block()\n")
case(
    "Cell/insert_param_to_cell",
    "names(net)",
    "net = Block()\nnet.insert_param_to_cell('w', Parameter(Tensor([1.0]), name='w'))\n",
)
case("Cell/too_many_inputs", "nn.ReLU()(Tensor([1.0]), Tensor([1.0]))")
case("Cell/cls_name", "(Net().cls_name, nn.Dense(1, 1).cls_name)")
case(
    "Cell/to_float",
    "nn.Dense(2, 2, weight_init='ones', bias_init='zeros').to_float(ms.float16)(Tensor(np.ones((1, 2), np.float32)))",
)
case("Cell/to_float_bad", "nn.Dense(2, 2).to_float(ms.int32)")
case("Cell/apply", "seen", "seen = []\nNet().apply(lambda cell: seen.append(type(cell).__name__))\n")
case("Cell/param_repr", "repr(nn.Dense(1, 1, weight_init='ones').weight)")
case(
    "Cell/state_names",
    "(nn.BatchNorm2d(2).moving_mean.name, nn.BatchNorm2d(2).moving_variance.name, nn.SequentialCell(nn.BatchNorm2d(2))[0].moving_mean.name)",
)

# What constructors reject
BAD = """
Dense(0,3) Dense(3.0,3) Dense("a",3) Dense(3,-1) Dense(3,3,has_bias=1) Dense(3,3,activation="nothing") Dense(3,3,activation=3) Dense(3,3,weight_init="nothing") Dense() Dense(3,3,dtype="float32")
Conv2d(3,4,0) Conv2d(3,4,(3,)) Conv2d(3,4,(3,3,3)) Conv2d(0,4,3) Conv2d(3,4,3,stride=0) Conv2d(3,4,3,pad_mode="x") Conv2d(3,4,3,pad_mode="same",padding=1) Conv2d(3,4,3,padding=1) Conv2d(3,4,3,pad_mode="pad",padding=-1)
Conv2d(3,4,3,pad_mode="pad",padding=(1,2)) Conv2d(3,4,3,group=2) Conv2d(4,3,3,group=2) Conv2d(3,4,3,dilation=0) Conv2d(3,4,3.0) Conv2d(3,4,3,data_format="X") Conv2d(3,4,3,data_format="NHWC") Conv1d(3,4,(3,)) Conv1d(3,4,3,pad_mode="pad",padding=-1)
BatchNorm2d(0) BatchNorm2d(3,momentum=1.1) BatchNorm2d(3,momentum=-0.1) BatchNorm2d(3,eps=0) BatchNorm2d(3,eps=-1.0) BatchNorm2d("a") BatchNorm2d(3,use_batch_statistics=1) BatchNorm2d(3,data_format="X") LayerNorm(3) LayerNorm("a") LayerNorm(())
GroupNorm(3,4) GroupNorm(0,4) GroupNorm(2,4,affine=1) Embedding(0,3) Embedding(3,0) Embedding(3,3,padding_idx=3) Embedding(3,3,padding_idx=-1) Embedding(3,3,use_one_hot=1) Embedding("a",3) MaxPool2d(0) MaxPool2d(2,0) MaxPool2d(2,2,"x")
MaxPool2d(2.0) MaxPool2d((2,2,2)) MaxPool2d(2,2,padding=1) AvgPool2d(2,2,padding=1) AvgPool2d(0) AvgPool2d(2,2,"pad",2) AdaptiveAvgPool2d("a") AdaptiveAvgPool2d(0) Flatten(start_dim="a") LSTM(0,3) LSTM(3,3,dropout=1.5) PixelShuffle(0) OneHot(depth="a")
""".split()
for text in BAD:
    case(f"built/{text}", f"type(nn.{text}).__name__")
for name, expr in {
    "Dense/wrong_width": "nn.Dense(3, 4)(Tensor(np.ones((2, 5), np.float32)))",
    "Dense/int_input": "nn.Dense(3, 4)(Tensor(np.ones((2, 3), np.int32)))",
    "Dense/no_input": "nn.Dense(3, 4)()",
    "Dense/numpy_input": "nn.Dense(3, 4)(np.ones((2, 3), np.float32)).shape",
    "Dense/number": "nn.Dense(3, 4)(3.0)",
    "Dense/weight_shape": "nn.Dense(3, 4, weight_init=Tensor(np.ones((3, 4), np.float32)))",
    "Dense/bias_shape": "nn.Dense(3, 4, bias_init=Tensor(np.ones((3,), np.float32)))",
    "Conv2d/wrong_channels": "nn.Conv2d(3, 4, 3)(Tensor(np.ones((1, 2, 5, 5), np.float32)))",
    "Conv2d/too_small": "nn.Conv2d(1, 1, 5, pad_mode='valid')(Tensor(np.ones((1, 1, 3, 3), np.float32)))",
    "Conv2d/float64": "nn.Conv2d(1, 1, 3)(Tensor(np.ones((1, 1, 3, 3)))).dtype",
    "BatchNorm2d/2d": "nn.BatchNorm2d(3)(Tensor(np.ones((2, 3), np.float32)))",
    "BatchNorm2d/wrong_channels": "nn.BatchNorm2d(3)(Tensor(np.ones((2, 4, 2, 2), np.float32)))",
    "LayerNorm/wrong_shape": "nn.LayerNorm((3,))(Tensor(np.ones((2, 4), np.float32)))",
    "GroupNorm/3d": "nn.GroupNorm(2, 4)(Tensor(np.ones((2, 4, 3), np.float32)))",
    "MaxPool2d/5d": "nn.MaxPool2d(2)(Tensor(np.ones((1, 1, 2, 2, 2), np.float32)))",
    "Dropout/int": "nn.Dropout(p=0.5).set_train()(Tensor([1, 2]))",
    "AdaptiveAvgPool2d/2d": "nn.AdaptiveAvgPool2d(2)(Tensor(np.ones((4, 4), np.float32)))",
}.items():
    case(f"called/{name}", expr)

rec.write()
