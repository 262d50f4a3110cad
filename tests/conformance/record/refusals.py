"""Records refusals.json: the classes of errors that gradient functions, maps, hooks and `jit` raise, in both modes."""

from tests.conformance.record.nn_recorder import Recorder

rec = Recorder(
    __file__,
    "refusals.json",
    "Classes of errors for wrong arguments of function transformations.",
    """
X = Tensor([[1.0, 2.0], [3.0, 4.0]])
Y = Tensor([[5.0, 6.0], [7.0, 8.0]])
V = Tensor([[1.0, 1.0], [1.0, 1.0]])
W = Tensor([1.0, 1.0, 1.0])
p = Parameter(Tensor([1.0, 2.0]), name="p")


class Net(nn.Cell):
    def construct(self, x):
        return x**3


class Net2(nn.Cell):
    def construct(self, x, y):
        return 2 * x + 3 * y


class Hooked(nn.Cell):
    def __init__(self, kind, hook):
        super().__init__()
        self.relu = nn.ReLU()
        getattr(self.relu, kind)(hook)

    def construct(self, x):
        return self.relu(x)


def one(x):
    return x * x


def two(x, y):
    return x * y


def nothing(cell, *given):
    return 1


def doubled(cell, *given):
    return given[-1][0], given[-1][0]


net, net2 = Net(), Net2()
""",
)
CALLS = [
    "ops.jvp(one, X, (V, V))",
    "ops.jvp(one, X, (V, ))",
    "ops.jvp(two, (X, Y), V)",
    "ops.jvp(two, (X, Y), (V, ))",
    "ops.jvp(one, (X, X), V)",
    "ops.jvp(one, X, W)",
    "ops.jvp(one, 1, V)",
    "ops.jvp(one, X, 1)",
    "ops.jvp(1, X, V)",
    "ops.jvp(two, X, V)",
    "nn.Jvp(net)(X, (V, V))",
    "nn.Jvp(net)(X, (V, ))",
    "nn.Jvp(net)(X, X, V)",
    "nn.Jvp(net2)((X, Y), (V, V))",
    "nn.Jvp(net2)(X, Y, V)",
    "nn.Jvp(net2)(X, Y, (V, V))",
    "nn.Jvp(net)(X, W)",
    "nn.Vjp(net)(X, (V, V))",
    "nn.Vjp(net)(X, (V, ))",
    "nn.Vjp(net)(X, X, V)",
    "nn.Vjp(net2)((X, Y), (V, V))",
    "nn.Vjp(net2)(X, Y, V)",
    "nn.Vjp(net)(X, W)",
    "ms.vjp(one, X)[1](V, V)",
    "ms.vjp(one, X)[1]((V, ))",
    "ms.vjp(one, X)[1](W)",
    "ms.vjp(one, X)[1]()",
    "ms.vjp(two, X)",
    "ms.vjp(1, X)",
    "ms.vjp(one, X, has_aux=1)",
    "ms.vjp(one, X, weights=1)",
    "ms.vjp(one, X, has_aux=True)",
    'ms.grad(one, "a")(X)',
    "ms.grad(one, -1)(X)",
    "ms.grad(one, 1.5)(X)",
    "ms.grad(one, (0, 0))(X)",
    "ms.grad(one, 1)(X)",
    "ms.grad(one, [0])(X)",
    "ms.grad(one, None)(X)",
    "ms.grad(one, None, 1)(X)",
    "ms.grad(one, 0, [1])(X)",
    "ms.grad(one, 0, [X])(X)",
    "ms.grad(1)(X)",
    "ms.grad(one, has_aux=1)(X)",
    "ms.grad(one)()",
    "ms.grad(two)(X)",
    "ms.grad(one, has_aux=True)(X)",
    "ms.grad(one, 0, p, return_ids=1)(X)",
    'ms.value_and_grad(one, "a")(X)',
    "ms.value_and_grad(one, None)(X)",
    "ms.value_and_grad(1)(X)",
    "ms.value_and_grad(one, 1)(X)",
    "ms.value_and_grad(one, 0, 1)(X)",
    "ms.value_and_grad(one, has_aux=True)(X)",
    "ops.GradOperation(get_all=1)",
    "ops.GradOperation(sens_param=2)",
    "ops.GradOperation()(1)(X)",
    "ops.GradOperation()(None)(X)",
    "ops.GradOperation()()",
    "ops.GradOperation(get_by_list=True)(net)(X)",
    "ops.GradOperation(get_by_list=True)(net, 1)(X)",
    "ops.GradOperation(get_by_list=True)(net, [1])(X)",
    "ops.GradOperation(sens_param=True)(net)(X)",
    "ops.GradOperation(sens_param=True)(net)(X, W)",
    "ops.GradOperation(sens_param=True)(net)(X, V, V)",
    "ops.GradOperation(sens_param=True)(net)(X, 1)",
    "ops.GradOperation()(net)()",
    "nn.ForwardValueAndGrad(net, 1)(X)",
    "nn.ForwardValueAndGrad(1)(X)",
    "nn.ForwardValueAndGrad(net, get_all=1)(X)",
    "nn.ForwardValueAndGrad(net, get_by_list=True)(X)",
    "nn.ForwardValueAndGrad(net, sens_param=True)(X)",
    'ms.grad(hk(lambda c, i:1, "register_backward_hook"))(X)',
    'ms.grad(hk(lambda c, i, o:1, "register_backward_hook"))(X)',
    'ms.grad(hk(lambda c, i, o:(i[0], i[0]), "register_backward_hook"))(X)',
    'ms.grad(hk(lambda c, o:(o[0], o[0]), "register_backward_pre_hook"))(X)',
    'ms.grad(hk(lambda c, o:1, "register_backward_pre_hook"))(X)',
    'mutable("a")',
    "mutable(X, 1)",
    "mutable(X, True)",
    'mutable([1, "a"])',
    "mutable(None)",
    'mutable({"a":X}, True)',
    'ms.jit(one, capture_mode="a")',
    'ms.jit(one, jit_level="O9")',
    "ms.jit(one, dynamic=5)",
    "ms.jit(one, fullgraph=1)",
    "ms.jit(one)(X, X)",
    "ms.jit(one)()",
    "ms.jit(one)(Y=X)",
    "ms.jit(one, input_signature=1)(X)",
    "ops.vmap(one, 3)(X)",
    'ops.vmap(one, "a")(X)',
    "ops.vmap(one, (0, 0))(X)",
    "ops.vmap(one, None)(X)",
    "ops.vmap(one, 0, 5)(X)",
    "ops.vmap(1)(X)",
    "ops.vmap(two, (0, 0))(X, W)",
    "ops.vmap(one)(Tensor(1.))",
    "ops.vmap(one, -3)(X)",
    'ops.vmap(one, 0, "a")(X)',
    "ops.vmap([net, 1])(X)",
    "ms.jacfwd(one, 1)(X)",
    'ms.jacrev(one, "a")(X)',
    "ms.jacfwd(1)(X)",
    "ms.jacrev(one, has_aux=1)(X)",
    "ms.jacrev(one, (0, 0))(X)",
    'Hooked("register_forward_hook", 1)',
    'Hooked("register_backward_hook", 1)',
    'Hooked("register_backward_pre_hook", 1)',
    'Hooked("register_forward_pre_hook", 1)',
    'ms.grad(Hooked("register_backward_hook", nothing))(X)',
    'ms.grad(Hooked("register_backward_hook", doubled))(X)',
    'ms.grad(Hooked("register_backward_pre_hook", nothing))(X)',
    'ms.grad(Hooked("register_backward_pre_hook", doubled))(X)',
    "Tensor([1.0]).register_hook(1)",
    "Parameter(Tensor([1.0]), requires_grad=False).register_hook(one)",
]
for call in CALLS:
    rec.case(call, call)

rec.write()
