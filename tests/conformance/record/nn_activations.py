"""Records nn_activations.json: every activation layer of nn, its values and gradients, and `get_activation`."""
# ruff: noqa: E501 - tables of expressions, one case a line

from tests.conformance.record.nn_recorder import Recorder

rec = Recorder(
    __file__, "nn_activations.json", "Activations of nn: outputs and gradients, names known to get_activation."
)

X = "Tensor(np.array([[-6.5, -3.5, -3.0, -2.0, -1.0, -0.5, -0.25], [0.0, 0.3, 0.5, 1.0, 2.5, 3.0, 6.5]], np.float32))"
CELLS = """
ReLU() ReLU6() LeakyReLU() LeakyReLU(0.01) LeakyReLU(alpha=2) ELU() ELU(1.0) ELU(0.5) CELU() CELU(2.0) SeLU() GELU() GELU(False)
GELU(approximate=True) FastGelu() Sigmoid() LogSigmoid() Tanh() Softmax() Softmax(0) Softmax(axis=(0,)) Softmin() LogSoftmax() LogSoftmax(0) HSigmoid()
HSwish() SiLU() Mish() Softsign() SoftShrink() SoftShrink(1.5) HShrink() HShrink(1.5) Hardtanh() Hardtanh(-2.0,2.0) Tanhshrink() Threshold(0.4,20.0)
PReLU() PReLU(7,0.3) PReLU(1,0.1) GLU() GLU(0) Softplus()
""".split()
for cell in CELLS:
    # XLA's tanh is exact to one part in a hundred thousand at 6.5
    more = {"rtol": 1e-5} if cell in ("GELU()", "GELU(approximate=True)") else {}
    rec.case(f"nn.{cell}", f"grads(nn.{cell}, {X})", **more)
rec.case("PReLU/channels", "grads(fill(nn.PReLU(3)), rand(2, 3, 2, 2))")
rec.case("PReLU/params", "[(p.name, p.shape, p.asnumpy()) for p in nn.PReLU(2).get_parameters()]")
rec.case("Softmax2d", "nn.Softmax2d()(rand(1, 3, 2, 2))")
rec.case("GLU/even", "grads(nn.GLU(), rand(2, 4))")
for kind in ("train", "eval"):
    rec.case(
        f"RReLU/{kind}",
        "(bool((ratio >= 0.1).all() and (ratio <= 0.3).all()), len(set(ratio.ravel().tolist())) > 1)",
        f"ratio = nn.RReLU(0.1, 0.3).set_train({kind == 'train'})(Tensor(-np.ones((5, 5), np.float32))).asnumpy() * -1",
    )
NAMES = """
softmax softmax2d softmin logsoftmax relu relu6 rrelu silu tanh gelu fast_gelu elu sigmoid softsign prelu leakyrelu hswish hsigmoid logsigmoid selu celu
hardtanh mish softplus swish glu tanhshrink softshrink hshrink threshold ReLU leaky_relu
""".split()
for name in NAMES:
    rec.case(f"get_activation/{name}", f"repr(nn.get_activation({name!r}))", modes=("pynative",))
rec.case("get_activation/None", "repr(nn.get_activation(None))", modes=("pynative",))
rec.case("get_activation/empty", "repr(nn.get_activation(''))", modes=("pynative",))
rec.case("get_activation/int", "repr(nn.get_activation(3))", modes=("pynative",))
for name in ("ReLU()", "Sigmoid()", "Tanh()", "ReLU6()", "GELU()", "Softmax()", "HSwish()", "ELU()"):
    for dtype in ("float16", "float64", "int32", "int8", "bool_"):
        rec.case(f"nn.{name}/{dtype}", f"nn.{name}(Tensor(np.array([-1, 0, 2])).astype(ms.{dtype}))")
for args in (
    "LeakyReLU('a')",
    "ELU(1)",
    "GELU(3)",
    "Softmax('a')",
    "PReLU(0)",
    "PReLU(2, 'x')",
    "Hardtanh(2.0, 1.0)",
    "SoftShrink('a')",
    "Threshold()",
):
    rec.case(f"nn.{args}/built", f"repr(nn.{args})", modes=("pynative",))

rec.write()
