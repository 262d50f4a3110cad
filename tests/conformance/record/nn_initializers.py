"""Records nn_initializers.json: exact values, measured distributions, and the defaults of layers."""
# ruff: noqa: E501 - tables of expressions, one case a line

from tests.conformance.record.nn_recorder import Recorder

PRELUDE = '''\
from mindspore.common import initializer as init
from mindspore.common.initializer import initializer


def facts(array):
    """What identifies a distribution: mean, std, smallest and largest value, excess kurtosis, rounded to what 1e5 samples settle."""
    array = np.asarray(array.asnumpy() if hasattr(array, "asnumpy") else array, np.float64).ravel()
    std = array.std()
    kurtosis = ((array - array.mean()) ** 4).mean() / std**4 - 3 if std else 0.0
    found = {"mean": array.mean(), "std": std, "min": array.min(), "max": array.max(), "kurtosis": kurtosis}
    return {name: round(float(value), 5) for name, value in found.items()}


def param_facts(net):
    return {param.name: facts(param) for param in net.get_parameters()}
'''.replace(
    "from mindspore.common import initializer as init\nfrom mindspore.common.initializer import initializer",
    "init = ms.common.initializer\ninitializer = init.initializer",
)
rec = Recorder(
    __file__,
    "nn_initializers.json",
    "Initializers: exact values of deterministic ones; for random ones mean, std, min, max, kurtosis. Compare the 'facts' cases with a wide "
    "tolerance (id starts with 'facts/'): std within 2 %, extremes of bounded distributions within 1 %.",
    PRELUDE,
)


def case(name, expr, setup="", **extra):
    rec.case(name, expr, setup, modes=("pynative",), **extra)


# Deterministic
for text in (
    "'zeros'",
    "'ones'",
    "init.Zero()",
    "init.One()",
    "init.Constant(3)",
    "init.Constant(2.5)",
    "0",
    "7",
    "1.5",
    "True",
):
    case(f"values/{text}", f"initializer({text}, [2, 3], ms.float32)")
    case(f"values/{text}/int32", f"initializer({text}, (2,), ms.int32).init_data()")
for shape in ("[3, 3]", "[2, 4]", "[4, 2]", "[3]", "[2, 2, 2]"):
    case(f"values/Identity{shape}", f"initializer(init.Identity(), {shape}, ms.float32).init_data()")
    case(f"values/'identity'{shape}", f"initializer('identity', {shape}, ms.float32).init_data()")
for args in ("", "2"):
    for shape in ("[4, 2, 3]", "[4, 2, 2, 2]", "[4, 2, 3, 3]", "[2, 2, 1, 1, 1]", "[3, 3]", "[3, 3, 3]"):
        case(f"values/Dirac({args}){shape}", f"initializer(init.Dirac({args}), {shape}, ms.float32).init_data()")
case("tensor", "initializer(Tensor(np.array([1, 2], np.float32)), [2], ms.float32).init_data()")
case("tensor/shape_differs", "initializer(Tensor(np.array([1, 2], np.float32)), [3], ms.float32).init_data()")
case("tensor/no_shape", "initializer(Tensor(np.array([1, 2], np.float32)))")
case("ndarray", "initializer(np.array([1, 2], np.float32), [2], ms.float32)")

# What a call returns
case(
    "type/before_init",
    "(type(initializer('ones', [2, 2])).__name__, initializer('ones', [2, 2]).shape, initializer('ones', [2, 2]).dtype)",
)
case("type/has_init", "(initializer('ones', [2]).has_init, initializer('ones', [2]).init_data().has_init)")
case("type/init_flag", "type(initializer('ones', [2]).init).__name__")
case("shape/int", "initializer('ones', 3).init_data().shape")
case("shape/none", "initializer('ones').init_data()")
case("shape/tuple", "initializer('ones', (2, 1)).init_data().shape")
case("shape/zero", "initializer('ones', (2, 0)).init_data().shape")
case("shape/scalar", "initializer('ones', ()).init_data()")
case("shape/negative", "initializer('ones', (2, -1))")
case("dtype/default", "initializer('normal', [2]).init_data().dtype")
for dtype in ("float16", "float64", "int32", "bool_", "int64", "bfloat16"):
    case(f"dtype/{dtype}", f"initializer('ones', [2], ms.{dtype}).init_data()")
    case(f"dtype/normal/{dtype}", f"initializer('normal', [2], ms.{dtype}).init_data().dtype")
case("parameter", "Parameter(initializer('ones', [2, 2], ms.float32), name='w')")
case("parameter/has_init", "Parameter(initializer('ones', [2, 2], ms.float32), name='w').has_init")
case("errors/unknown", "initializer('nothing', [2])")
case("errors/class", "initializer(init.Normal, [2])")
case("errors/None", "initializer(None, [2])")
case("errors/string_shape", "initializer('ones', 'ab')")
case("errors/list", "initializer([1, 2], [2])")
case("errors/dtype", "initializer('ones', [2], 'float32')")
NAMES = (
    "zeros zero ones one normal Normal uniform xavier_uniform xavierUniform xavier_normal he_uniform heUniform he_normal heNormal truncatedNormal "
    "truncated_normal varianceScaling variance_scaling orthogonal dirac identity sparse constant Zeros ONES XavierUniform"
).split()
for name in NAMES:
    shape = "[2, 2, 3]" if name == "dirac" else "[3, 3]"
    case(f"names/{name}", f"initializer({name!r}, {shape}, ms.float32).init_data().shape")

# Random: [fan_out, fan_in] = [200, 500] and a convolution [64, 32, 7, 7]
DENSE, CONV = "[200, 500]", "[64, 32, 7, 7]"
RANDOM = (
    "Normal() Normal(0.5) Normal(sigma=2.0,mean=3.0) Uniform() Uniform(0.5) TruncatedNormal() TruncatedNormal(0.5) TruncatedNormal(1.0,1.0,-1.0,0.5) "
    "TruncatedNormal(sigma=2.0) XavierUniform() XavierUniform(2) XavierNormal() XavierNormal(2) HeUniform() HeUniform(0.3) HeUniform(mode='fan_out') "
    "HeUniform(nonlinearity='relu') HeUniform(nonlinearity='tanh') HeUniform(nonlinearity='sigmoid') HeUniform(nonlinearity='linear') "
    "HeUniform(negative_slope=2.23606797749979) HeNormal() HeNormal(0.3) HeNormal(mode='fan_out') HeNormal(nonlinearity='relu') "
    "VarianceScaling() VarianceScaling(2.0) VarianceScaling(3.0,'fan_out') VarianceScaling(3.0,'fan_avg') VarianceScaling(1.0,'fan_in','untruncated_normal') "
    "VarianceScaling(1.0,'fan_in','uniform') Orthogonal() Orthogonal(2.0)"
).split()
for text in RANDOM:
    case(f"facts/{text}/dense", f"facts(initializer(init.{text}, {DENSE}, ms.float32).init_data())")
    if "(" in text and not text.startswith(("Normal", "Uniform", "Truncated")):
        case(f"facts/{text}/conv", f"facts(initializer(init.{text}, {CONV}, ms.float32).init_data())")
case("facts/'normal'", f"facts(initializer('normal', {DENSE}).init_data())")
case("facts/'uniform'", f"facts(initializer('uniform', {DENSE}).init_data())")
for shape in ("[6, 4]", "[4, 6]", "[4, 2, 3]"):
    case(
        f"Orthogonal/product{shape}",
        "np.round(np.abs(m @ m.T if m.shape[0] <= m.shape[1] else m.T @ m), 4)",
        f"m = initializer(init.Orthogonal(2.0), {shape}, ms.float32).init_data().asnumpy()\nm = m.reshape(m.shape[0], -1)\n",
    )
case(
    "Sparse/zeros_per_column",
    "(a == 0).sum(0).tolist()",
    "a = initializer(init.Sparse(0.3), [10, 4], ms.float32).init_data().asnumpy()\n",
)
for text in ("Orthogonal()", "XavierUniform()", "HeNormal()", "Sparse(0.1)", "VarianceScaling()"):
    case(f"errors/{text}/1d", f"initializer(init.{text}, [3], ms.float32).init_data().shape")
for text in (
    "Normal('a')",
    "HeUniform(mode='fan')",
    "HeUniform(nonlinearity='x')",
    "VarianceScaling(0.0)",
    "VarianceScaling(-1.0)",
    "VarianceScaling(1.0, 'x')",
    "VarianceScaling(1.0, 'fan_in', 'x')",
    "Constant('a')",
    "Dirac(0)",
    "Dirac('a')",
    "Orthogonal('a')",
    "XavierUniform('a')",
    "Uniform('a')",
    "Constant()",
):
    case(f"errors/{text}", f"initializer(init.{text}, [4, 2, 3], ms.float32).init_data().shape")
case(
    "seed/same_seed_same_values",
    "bool((a == b).all())",
    "def make():\n    ms.set_seed(5)\n    return initializer('normal', [8]).init_data().asnumpy()\n\n\na, b = make(), make()\n",
)
case(
    "seed/two_calls_differ",
    "bool((a != b).any())",
    "ms.set_seed(5)\na, b = (initializer('normal', [8]).init_data().asnumpy() for _ in range(2))\n",
)
case("seed/no_seed_two_nets_differ", "bool((nn.Dense(3, 3).weight.asnumpy() != nn.Dense(3, 3).weight.asnumpy()).any())")
case("seed/values/normal", "initializer('normal', [4]).init_data()", "ms.set_seed(1)\n", unstable=True)
case("init_data/twice", "t.init_data()", "t = initializer('normal', [8])\nt.init_data()\n")
case(
    "own_initializer",
    "initializer(Ramp(), [2, 3], ms.float32).init_data()",
    "class Ramp(init.Initializer):\n    def _initialize(self, arr):\n        arr[...] = np.arange(arr.size).reshape(arr.shape)\n",
)
case("repr/Normal", "repr(init.Normal(0.5, 1.0)).split(' at ')[0]")

# Defaults of layers: distribution and bounds
for build in (
    "nn.Dense(500, 200)",
    "nn.Dense(500, 200, dtype=ms.float16)",
    "nn.Conv2d(32, 64, 7, has_bias=True)",
    "nn.Conv2d(32, 64, 7, group=2, has_bias=True)",
    "nn.Conv1d(100, 200, 5, has_bias=True)",
    "nn.Conv3d(16, 32, 5, has_bias=True)",
    "nn.Conv2dTranspose(32, 64, 7, has_bias=True)",
    "nn.Conv1dTranspose(100, 200, 5, has_bias=True)",
    "nn.Embedding(1000, 100)",
    "nn.Embedding(1000, 100, padding_idx=0)",
    "nn.EmbeddingLookup(1000, 100)",
    "nn.LayerNorm((4,))",
    "nn.BatchNorm2d(4)",
    "nn.GroupNorm(2, 4)",
    "nn.PReLU(3)",
    "nn.BiDense(50, 40, 50)",
    "nn.LSTM(100, 200)",
    "nn.GRU(100, 200)",
    "nn.RNN(100, 200)",
    "nn.LSTMCell(100, 200)",
    "nn.MultiheadAttention(128, 4)",
):
    case(f"facts/default/{build}", f"param_facts({build})")
    case(
        f"default_shapes/{build}",
        f"[(p.name, p.shape, str(p.dtype), p.requires_grad) for p in {build}.get_parameters()]",
    )

rec.write()
