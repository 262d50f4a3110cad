"""Records gradients.json: gradient functions, mutable and jit in small programs, both modes."""
# ruff: noqa: E501 - tables of expressions, one case a line

from tests.conformance.record.nn_recorder import Recorder

rec = Recorder(
    __file__,
    "gradients.json",
    "Return structures, values and errors of gradient functions; keys of compiled functions.",
    """
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.z = Parameter(Tensor([2.0]), name="z")
        self.b = Parameter(Tensor([0.5]), name="b")

    def construct(self, x, y):
        return x * self.z * y + self.b


class GradOf(nn.Cell):
    def __init__(self, net, op, weights=None):
        super().__init__()
        self.net = net
        self.op = op
        self.weights = weights

    def construct(self, *inputs):
        if self.weights is None:
            return self.op(self.net)(*inputs)
        return self.op(self.net, self.weights)(*inputs)


class Pair(nn.Cell):
    def construct(self, x, y):
        return x * x * y, x + y


net = Net()
X, Y, V = Tensor([3.0]), Tensor([5.0]), Tensor([1.0, 2.0])


def aux2(x, y):
    return net(x, y), x * 2, y


def aux1(x, y):
    return net(x, y), x * 2


def two(x, y):
    return x * 2, y * 3


def nested(x, y):
    return x * 2, (y * 3, x * y)


def square(x):
    return x * x


def cube(x):
    return x * x * x


def mixed(a, b):
    return a * b * a


def scaled(x, k):
    return x * k


def product(x, t):
    return x * t[0] * t[1]


def of_dict(d):
    return d["a"] * d["b"]


def unused(a, b):
    return a * 2


def through_int(x, k):
    return x * k.astype(ms.float32)


def stopped(x):
    return ops.stop_gradient(x) * x


def broadcast(x, y):
    return (x * y).sum()


def matrix(x, w):
    return ops.matmul(x, w)


def result(pair):
    return pair[0], pair[1](Tensor([1.0]))
""",
)

WEIGHTS = ("None", "net.z", "[net.z]", "[net.z, net.b]", "ParameterTuple([net.b, net.z])")
POSITIONS = ("0", "1", "(0,)", "(1, 0)", "None")

for position in POSITIONS:
    for weights in WEIGHTS:
        if (position, weights) == ("None", "None"):
            continue
        rec.case(f"grad({position}, {weights})", f"ms.grad(net, {position}, {weights})(X, Y)")
        rec.case(f"value_and_grad({position}, {weights})", f"ms.value_and_grad(net, {position}, {weights})(X, Y)")
for position in ("0", "(0, 1)"):
    for fn in ("aux1", "aux2"):
        rec.case(f"grad({fn}, {position}, has_aux)", f"ms.grad({fn}, {position}, None, has_aux=True)(X, Y)")
        rec.case(
            f"value_and_grad({fn}, {position}, has_aux)",
            f"ms.value_and_grad({fn}, {position}, None, has_aux=True)(X, Y)",
        )
    rec.case(
        f"value_and_grad({position}, weights, has_aux)",
        f"ms.value_and_grad(aux2, {position}, net.trainable_params(), has_aux=True)(X, Y)",
    )
    rec.case(f"grad return_ids {position}", f"ms.grad(net, {position}, None, return_ids=True)(X, Y)")
    rec.case(f"grad return_ids {position} weights", f"ms.grad(net, {position}, [net.z, net.b], return_ids=True)(X, Y)")
rec.case("grad return_ids one weight", "ms.grad(net, None, net.z, return_ids=True)(X, Y)")
rec.case("value_and_grad return_ids", "ms.value_and_grad(net, (0, 1), [net.z], return_ids=True)(X, Y)")
rec.case("get_grad position", "ms.get_grad(ms.grad(net, (0, 1), [net.z], return_ids=True)(X, Y), 1)")
rec.case("get_grad weight", "ms.get_grad(ms.grad(net, (0, 1), [net.z], return_ids=True)(X, Y), net.z)")
rec.case("get_grad missing", "ms.get_grad(ms.grad(net, (0, 1), [net.z], return_ids=True)(X, Y), 5)")
for get_all in (False, True):
    for by_list in (False, True):
        for sens in (False, True):
            flags = f"get_all={get_all}, get_by_list={by_list}, sens_param={sens}"
            inputs = "X, Y, Tensor([10.0])" if sens else "X, Y"
            weights = ", ParameterTuple(net.trainable_params())" if by_list else ""
            rec.case(f"GradOperation({flags})", f"ops.GradOperation({flags})(net{weights})({inputs})")
            rec.case(
                f"GradOperation({flags}) function",
                f"ops.GradOperation({flags})(mixed{', ParameterTuple(net.trainable_params())' if by_list else ''})({inputs})",
            )
            cell_weights = ", ParameterTuple(net.trainable_params())" if by_list else ""
            rec.case(
                f"GradOperation({flags}) in a Cell", f"GradOf(net, ops.GradOperation({flags}){cell_weights})({inputs})"
            )
            if sens:
                rec.case(
                    f"GradOperation({flags}) sens keyword",
                    f"ops.GradOperation({flags})(net{weights})(X, Y, sens=Tensor([10.0]))",
                )
            else:
                rec.case(
                    f"GradOperation({flags}) jit",
                    f"ops.GradOperation({flags})(ms.jit(mixed){', ParameterTuple(net.trainable_params())' if by_list else ''})(X, Y)",
                )
rec.case("GradOperation one weight", "ops.GradOperation(get_by_list=True)(net, net.z)(X, Y)")
rec.case("GradOperation tuple outputs", "ops.GradOperation(get_all=True)(Pair())(X, Y)")
rec.case(
    "GradOperation tuple sens",
    "ops.GradOperation(get_all=True, sens_param=True)(Pair())(X, Y, (Tensor([2.0]), Tensor([3.0])))",
)
rec.case("GradOperation nested outputs", "ops.GradOperation(get_all=True)(nested)(X, Y)")
rec.case("GradOperation flag type", "ops.GradOperation(get_all=1)")
rec.case("GradOperation flag type 2", "ops.GradOperation(sens_param='a')")
rec.case("GradOperation skips numbers", "ops.GradOperation(get_all=True)(scaled)(X, 3)")
rec.case("GradOperation skips tuples", "ops.GradOperation(get_all=True)(product)(X, (Tensor([2.0]), Y))")
rec.case("second order", "ops.GradOperation()(ops.GradOperation()(cube))(X)")
rec.case("third order", "ms.grad(ms.grad(ms.grad(cube)))(X)")
rec.case("mixed second order", "ms.grad(ms.grad(mixed), 1)(X, Y)")
rec.case("second order of a Cell", "ms.grad(ms.grad(Pair()))(X, Y)")
rec.case("number at the position", "ms.grad(scaled, 1)(X, 3)")
rec.case("number among positions", "ms.grad(scaled, (0, 1))(X, 3)")
rec.case("tuple at the position", "ms.grad(product, 1)(X, (Tensor([2.0]), Y))")
rec.case("same object twice", "ms.grad(mixed, (0, 1))(X, X)")
rec.case("unused input", "ms.grad(unused, (0, 1))(X, Y)")
rec.case("stop_gradient", "ms.grad(stopped)(X)")
rec.case("broadcast", "ms.grad(broadcast, (0, 1))(Tensor([[1.0], [2.0]]), V)")
rec.case("matmul", "ms.grad(matrix, (0, 1))(Tensor([[1.0, 2.0]]), Tensor([[3.0], [4.0]]))")
rec.case("several outputs", "ms.grad(two, (0, 1))(X, Y)")
for bad in ("5", "-1", "(0, 0)", "1.5", "'a'", "[0]"):
    rec.case(f"grad position {bad}", f"ms.grad(net, {bad})(X, Y)")
rec.case("grad nothing", "ms.grad(net, None)(X, Y)")
rec.case("grad of a number", "ms.grad(3)(X)")
rec.case("has_aux with one output", "ms.grad(net, has_aux=True)(X, Y)")
rec.case("vjp", "result(ms.vjp(net, X, Y))")
rec.case("vjp one weight", "result(ms.vjp(net, X, Y, weights=net.z))")
rec.case("vjp weights", "result(ms.vjp(net, X, Y, weights=[net.z, net.b]))")
rec.case("vjp one input", "result(ms.vjp(square, X))")
rec.case("vjp twice", "(lambda pair: (pair[1](Tensor([1.0])), pair[1](Tensor([2.0]))))(ms.vjp(net, X, Y))")
rec.case("vjp several outputs", "(lambda pair: pair[1](Tensor([1.0]), Tensor([2.0])))(ms.vjp(two, X, Y))")
rec.case("vjp tuple of cotangents", "(lambda pair: pair[1]((Tensor([1.0]), Tensor([2.0]))))(ms.vjp(two, X, Y))")
rec.case("vjp has_aux", "(lambda t: (t[0], t[1](Tensor([1.0])), t[2]))(ms.vjp(aux2, X, Y, has_aux=True))")
rec.case("vjp has_aux one", "(lambda t: (t[0], t[1](Tensor([1.0])), t[2]))(ms.vjp(aux1, X, Y, has_aux=True))")
rec.case("jvp", "ms.jvp(net, (X, Y), (Tensor([1.0]), Tensor([2.0])))")
rec.case("jvp one input", "ms.jvp(square, X, Tensor([1.0]))")
rec.case("jvp several outputs", "ms.jvp(two, (X, Y), (Tensor([1.0]), Tensor([2.0])))")
rec.case("jvp has_aux", "ms.jvp(aux2, (X, Y), (Tensor([1.0]), Tensor([2.0])), has_aux=True)")
rec.case("jvp wrong tangent", "ms.jvp(square, X, 3)")
for name in ("jacfwd", "jacrev"):
    rec.case(f"{name}", f"ms.{name}(square)(V)")
    rec.case(f"{name} (0,)", f"ms.{name}(two, (0,))(X, Y)")
    rec.case(f"{name} (0, 1)", f"ms.{name}(two, (0, 1))(X, Y)")
    rec.case(f"{name} one output", f"ms.{name}(mixed, (0, 1))(X, Y)")
    rec.case(f"{name} has_aux", f"ms.{name}(aux1, 0, has_aux=True)(X, Y)")
    rec.case(f"{name} has_aux two", f"ms.{name}(aux2, (0, 1), has_aux=True)(X, Y)")
rec.case("linearize", "(lambda t: (t[0], t[1](Tensor([2.0]))))(ops.linearize(cube, X))")
rec.case("vmap", "ms.vmap(scaled, (0, 0))(V, V)")
rec.case("vmap None", "ms.vmap(scaled, (0, None))(V, Tensor(3.0))")
rec.case("vmap of grad", "ms.vmap(ms.grad(cube))(V)")
for flags, inputs in (
    ("", "X, Y"), ("get_all=True", "X, Y"), ("weights=ParameterTuple(net.trainable_params()), get_by_list=True", "X, Y"),
    ("weights=ParameterTuple([net.z]), get_all=True, get_by_list=True", "X, Y"),
    ("get_all=True, sens_param=True", "X, Y, Tensor([10.0])"), ("sens_param=True", "X, Y, Tensor([10.0])"),
):  # fmt: skip
    rec.case(f"ForwardValueAndGrad({flags})", f"nn.ForwardValueAndGrad(net, {flags})({inputs})")
rec.case("ForwardValueAndGrad flag type", "nn.ForwardValueAndGrad(net, get_all=1)")
rec.case("ForwardValueAndGrad weights type", "nn.ForwardValueAndGrad(net, get_by_list=True)")
rec.case(
    "mutable type",
    "type(ms.mutable((X, Y))).__mro__[1] is tuple, isinstance(ms.mutable([X]), list), isinstance(ms.mutable({'a': X}), dict), isinstance(ms.mutable(3), int), isinstance(ms.mutable(2.5), float)",
)
rec.case("mutable value", "ms.mutable(3) + 1, ms.mutable((1, 2)), ms.mutable([1, 2])")
for bad in ("'a'", "None", "(X, 'a')", "True", "[None]", "{'k': 'v'}", "np.ones(2)"):
    rec.case(f"mutable {bad}", f"ms.mutable({bad})")
rec.case("mutable dynamic_len type", "ms.mutable((X, Y), 3)")
rec.case("mutable dynamic_len of a number", "ms.mutable(3, True)")
rec.case("mutable tuple is differentiated", "ms.jit(lambda t: t[0] * t[1])(ms.mutable((X, Y)))")
rec.case("mutable dict gradient", "ms.grad(of_dict)(ms.mutable({'a': X, 'b': Y}))")
rec.case("jit of a function", "ms.jit(mixed)(X, Y)")
rec.case("jit of a Cell", "ms.jit(net)(X, Y)")
rec.case("jit returns structures", "ms.jit(nested)(X, Y)")
rec.case("jit with a number", "ms.jit(scaled)(X, 3), ms.jit(scaled)(X, 2.5)")
rec.case("jit with a keyword", "ms.jit(scaled)(x=X, k=3)")
rec.case("jit unknown option", "ms.jit(no_such=1)(square)(X)")
rec.case("jit wrong capture_mode", "ms.jit(square, capture_mode='magic')(X)")
rec.case("grad of jit", "ms.grad(ms.jit(mixed), (0, 1))(X, Y)")
rec.case("jit of grad", "ms.jit(ms.grad(mixed))(X, Y)")
rec.case("value_and_grad of jit", "ms.value_and_grad(ms.jit(square))(X)")

rec.write()
