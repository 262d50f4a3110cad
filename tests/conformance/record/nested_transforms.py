"""Records nested_transforms.json: gradients through vmap, jvp and Jacobians, and one Tensor at two positions."""

from tests.conformance.record.nn_recorder import Recorder

PRELUDE = """
X = Tensor(np.array([1.0, 2.0], np.float32))
Y = Tensor(np.array([3.0, 4.0, 5.0], np.float32))
V = Tensor(np.array([1.0, 0.5], np.float32))
M = Tensor(np.arange(6).reshape(3, 2).astype(np.float32))
p = Parameter(Tensor([2.0, 3.0]), name="p")


def mul(a, b):
    return a * b


def cube(x):
    return x**3


def bent(a, b):
    return a * a * b


def with_p(x):
    return x * x * p


def pairs(a, b):
    return ops.vmap(mul, (0, None), 0)(a, b)


def mapped(x):
    return ops.vmap(mul, (0, None), 0)(x, Y).sum()


def mapped_twice(x):
    return ops.vmap(pairs, (None, 0), 0)(x, Y).sum()


def mapped_in_place(x):
    return ops.vmap(ops.vmap(mul, (0, None), 0), (None, 0), 1)(x, Y).sum()


def tangent(x):
    return ms.jvp(cube, x, V)[1].sum()


def forward_jacobian(x):
    return ms.jacfwd(cube)(x).sum()


def reverse_jacobian(x):
    return ms.jacrev(cube)(x).sum()


def pulled(x):
    return ms.vjp(cube, x)[1](V)[0].sum()


def between(x):
    z = ops.vmap(cube)(x * 2) * 3
    return (z * z).sum()


def slope(x):
    return ms.grad(between)(x).sum()


def of_parameter(m):
    return ops.vmap(with_p)(m).sum()
"""
rec = Recorder(__file__, "nested_transforms.json", "Gradients through transformations of functions.", PRELUDE)
for name in (
    "mapped", "mapped_twice", "mapped_in_place", "tangent", "forward_jacobian", "reverse_jacobian", "pulled", "between",
):  # fmt: skip
    rec.case(name, f"{name}(X), ms.grad({name})(X)")
    rec.case(f"{name}-jit", f"ms.grad({name})(X), ms.grad(ms.jit({name}))(X)", modes=("pynative",))
rec.case("slope", "ms.grad(slope)(X)")
rec.case("of a Parameter", "ms.grad(of_parameter, 0, [p])(M)")
rec.case("of a Parameter alone", "ms.grad(of_parameter, None, [p])(M)")
ZERO = "Tensor(np.zeros(2, np.float32))"
for call in (
    f"ms.jvp(bent, (X, X), (V, {ZERO}))",
    f"ms.jvp(bent, (X, X), ({ZERO}, V))",
    f"ops.linearize(bent, (X, X))[1](({ZERO}, V))",
    "ms.jacfwd(bent, (0, 1))(X, X)",
    "ms.jacrev(bent, (0, 1))(X, X)",
    "ms.jacfwd(bent, 1)(X, X)",
    "ms.jacrev(bent, 0)(X, X)",
    "ms.vmap(pairs, (None, 0), 0)(X, X)",
    "ms.vmap(mul, (None, 0), 0)(X, X)",
):
    rec.case(call, call)
rec.write()
