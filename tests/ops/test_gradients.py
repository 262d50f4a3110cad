"""Gradients of operations are slopes: those of the tape, of compiled code and of JAX agree with differences."""

import jax
import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, mint, ops
from ms_compat._core.tensor import wrap
from tests.ops import recorded, samples

X = np.array([[1.5, -2, 3], [4, 5, -6.5]], np.float32)
UP = np.array([[1.5, 2, 3], [4, 5, 6.5]], np.float32)
M = np.array([[4, 1, 2], [1, 3, 0.5], [0, -1, 2]], np.float32)


def differences(function, at):
    """The slopes of a function to a number, in Float64."""
    at, slopes, step = at.astype(np.float64), np.zeros(at.shape), 1e-6
    for place in np.ndindex(at.shape):
        move = np.zeros_like(at)
        move[place] = step
        up, down = (float(function(Tensor(at + sign * move))) for sign in (1, -1))
        slopes[place] = (up - down) / (2 * step)
    return slopes


def weighted(out):
    """A number from all elements, in which a wrong axis or a transposed index shows."""
    return (out * Tensor(np.cos(np.arange(out.size)).reshape(out.shape), out.dtype)).sum()


def in_place(function):
    def call(x):
        y = x * 1
        out = function(y)
        return out * y

    return call


# Functions of one tensor, and where they are taken.
SMOOTH = {
    "ops.NuclearNorm": (lambda x: ops.NuclearNorm()(x), X),
    "ops.TridiagonalMatMul": (lambda x: ops.TridiagonalMatMul()(x[:1], x[1:2], x[2:], x) ** 2, M),
    "ops.MatrixSolveLs": (lambda x: ops.MatrixSolveLs()(x, x + 1, Tensor(0.5, ms.float64)), X),
    "ops.MatrixLogarithm": (
        lambda x: ops.MatrixLogarithm()(ops.cast(x, ms.complex128) + ops.cast(Tensor(1j * M.T), ms.complex128)),
        M + 4 * np.eye(3, dtype=np.float32),
    ),
    "ops.NthElement": (lambda x: ops.NthElement()(x, 1) ** 2, X),
    "ops.Median": (lambda x: ops.Median(False, 1)(x)[0] ** 2, X),
    "ops.Quantile": (lambda x: ops.Quantile(1)(x, 0.3) ** 2, X),
    "ops.IdentityN": (lambda x: ops.IdentityN()((x, x * x))[1], X),
    "ops.Reusing": (lambda x: ops.Reusing()(x) ** 2, X),
    "ops.SelectView": (lambda x: ops.SelectView()(x, 1, 0) ** 2, X),
    "ops.TransposeView": (lambda x: ops.TransposeView()(x, (1, 0)) ** 2, X),
    "ops.Expand": (lambda x: ops.Expand()(x, Tensor([2, 2, 3])) ** 2, X),
    "ops.LerpScalar": (lambda x: ops.LerpScalar()(x, x * x, 0.25), X),
    "ops.clamp_": (in_place(lambda y: ops.clamp_(y, -1.0, 4.5)), X),
    "ops.tanh_": (in_place(ops.tanh_), X / 4),
    "ops.inplace_sigmoid": (in_place(ops.inplace_sigmoid), X / 4),
    "ops.erfinv_": (in_place(ops.erfinv_), X / 10),
    "ops.zero_": (lambda x: ops.zero_(x * 1) + x, X),
    "ops.put_": (lambda x: ops.put_(x * 1, Tensor([0, -1]), x[0, 1:] * x[0, 1:]), X),
    "Tensor.put_": (lambda x: (x * x).put_(Tensor([0, 0]), x[0, 1:], True), X),
    "Tensor.index_copy_": (lambda x: (x * x).index_copy_(1, Tensor([2, 0]), x[:, :2]), X),
    "mint.addr_": (lambda x: mint.addr_(x * 1, x[:, 0], x[0], alpha=2), X),
    "ops.MaskedScatter": (lambda x: ops.MaskedScatter()(x, x > 2.5, x * 3) ** 2, X),
    "ops.mixed_precision_cast": (lambda x: ops.mixed_precision_cast(ms.float64, (x, 1))[0] ** 2, X),
    "ops.DropoutDoMask": (
        lambda x: ops.DropoutDoMask()(x, Tensor(np.full(16, 37, np.uint8)), Tensor(0.5, ms.float32)) ** 2, X
    ),
    "ops.irfft": (lambda x: ops.irfft(ops.rfft(x) * 2), UP),
    "ops.stft": (lambda x: ops.stft(x, 4, 1, center=False) ** 2, UP.repeat(2, 1)),
    "ops.cov": (ops.cov, UP),
    "ops.cond": (ops.cond, M),
    "ops.lu_solve": (lambda x: ops.lu_solve(x, x, Tensor([1, 2, 3], ms.int32)), M),
    "ops.matrix_diag": (lambda x: ops.matrix_diag(x, 1) ** 2, UP),
    "ops.matrix_set_diag": (lambda x: ops.matrix_set_diag(x, x[0]) ** 2, M),
    "ops.pdist": (ops.pdist, M),
    "ops.reverse_sequence": (lambda x: ops.reverse_sequence(x, Tensor([2, 3]), 1) ** 2, UP),
    "ops.bessel_j0": (ops.bessel_j0, UP),
    "ops.bessel_y1": (ops.bessel_y1, UP),
    "ops.bessel_k0": (ops.bessel_k0, UP),
    "Tensor.masked_scatter": (lambda x: x.masked_scatter(x > 2.5, x * 3), UP),
}  # fmt: skip


@pytest.mark.parametrize("name", SMOOTH)
def test_a_function_and_its_gradient_compile(name):
    fn, x = SMOOTH[name]

    def total(x):
        return ops.sum(fn(x).abs().astype(ms.float64))

    np.testing.assert_allclose(ms.jit(lambda x: fn(x))(Tensor(x)).asnumpy(), fn(Tensor(x)).asnumpy(), 1e-5, 1e-5)
    found = ms.grad(total)(Tensor(x)).asnumpy()
    np.testing.assert_allclose(ms.jit(ms.grad(total))(Tensor(x)).asnumpy(), found, 1e-4, 1e-6)
    slopes = differences(total, x)
    assert (np.abs(found - slopes) <= 2e-3 * np.maximum(1, np.abs(slopes))).all(), (found, slopes)


PRIMITIVES = {
    "CTCLoss": lambda x: ops.CTCLoss()(
        x.reshape(3, 1, 2), Tensor([[0, 0]]), Tensor([0], ms.int32), Tensor([3], ms.int32)
    )[0],
    "CumulativeLogsumexp": lambda x: ops.CumulativeLogsumexp()(x, 1),
    "UpsampleTrilinear3D": lambda x: ops.UpsampleTrilinear3D()(x.reshape(1, 1, 1, 2, 3), (2, 3, 4)),
    "DepthToSpace": lambda x: ops.DepthToSpace(2)(ops.concat((x, x[:, :1]), 1).reshape(1, 4, 1, 2)) ** 2,
    "STFT": lambda x: ops.STFT(4, 1, 4, False, True, False)(x.reshape(6), ops.ones(4, ms.float64)),
}


@pytest.mark.parametrize("name", PRIMITIVES)
def test_the_gradient_of_a_primitive_is_its_slope(name):
    def loss(x):
        return weighted(PRIMITIVES[name](x))

    found = ms.grad(loss)(Tensor(X.astype(np.float64))).asnumpy()
    np.testing.assert_allclose(found, differences(loss, X), rtol=2e-5, atol=2e-6)


_EXPRESSIONS = """
ops.exp(x); ops.sin(x); ops.cos(x); ops.erf(x); ops.square(x); ops.sqrt(x * x + 1); ops.log(x * x + 1);
ops.reciprocal(x); ops.atan(x); ops.sinh(x / 3); ops.asinh(x); ops.expm1(x / 3); ops.log1p(x * x); ops.add(x, x * 2);
ops.mul(x, x); ops.div(x, x * x + 1); ops.sub(2, x); ops.pow(x, 2); ops.pow(x, 3); ops.pow(x * x + 1, 0.7);
ops.maximum(x, 0.3); ops.minimum(x, x * 2 + 1); ops.clamp(x, -3, 4.2); ops.abs(x); ops.lerp(x, x * 2, 0.3);
ops.addcmul(x, x, x, 2); ops.hypot(x, x + 9); ops.logaddexp(x, x * 2); ops.floor_mod(x, 7.0); ops.neg(x);
ops.sum(x, 1); ops.mean(x, 0); ops.prod(x, 1); ops.amax(x, 1); ops.max(x, 1)[0]; ops.min(x, 0)[0]; ops.std(x, 1);
ops.var(x, 0, 1); ops.logsumexp(x, 1); ops.norm(x); ops.cumsum(x, 1); ops.cumprod(x, 1); ops.median(x, 1)[0];
ops.ReduceSum(True)(x, 0); ops.cummax(x, 1)[0]; ops.logcumsumexp(x, 1); ops.diff(x);
ops.matmul(x, x.T); ops.MatMul(False, True)(x, x); ops.einsum("ij,kj->ik", x, x); ops.outer(x[0], x[1]);
ops.tensor_dot(x, x, ((1,), (1,))); ops.addmm(x @ x.T, x, x.T); ops.inverse(x @ x.T / 40); ops.det(x @ x.T / 40);
ops.cdist(x, x * 2 + 1); ops.kron(x, x[0]);
ops.reshape(x, (3, 2)); ops.transpose(x, (1, 0)); ops.squeeze(x[None]); ops.broadcast_to(x, (2, 2, 3)); ops.tile(x,
(2, 1)); ops.concat((x, x * 2), 1); ops.stack((x, x * 2)); ops.split(x, 1, 1)[1]; ops.unbind(x)[1]; ops.flip(x, (1,));
ops.roll(x, 1, 1); ops.pad(x, (1, 1), mode="reflect"); ops.pad(x, (1, 2)); ops.tril(x); ops.diag(x[0]); ops.diagonal(x);
ops.gather(x, Tensor([1, 0, 1]), 0); ops.gather_d(x, 1, Tensor([[2, 0], [1, 1]])); ops.gather_nd(x, Tensor([[0, 1],
[1, 2]])); ops.where(b, x, x * 2); ops.masked_fill(x, b, 3.0); ops.sort(x)[0]; ops.topk(x, 2)[0]; ops.strided_slice(x,
(0, 0), (2, 3), (1, 2)); ops.scatter(x, 1, Tensor([[0], [1]]), x[:, 2:] * 2); ops.tensor_scatter_add(x, Tensor([[0],
[0]]), x * 3); ops.tensor_scatter_update(x, Tensor([[0, 0]]), x[1, :1]); 
ops.index_fill(x, 1, Tensor([0], ms.int32), 5.0);
ops.repeat_interleave(x, 2, 1); ops.unsorted_segment_sum(x, Tensor([0, 0]), 2); ops.unsorted_segment_max(x, Tensor([0,
1]), 2); x.view(-1) * x.reshape(6); ops.masked_select(x, b); ops.unique(x)[0]; ops.cast(x, ms.float32) * 2; x.T @ x;
x.sum(0) + x.mean(1, True); x ** 2 / (x * x + 1)
"""
EXPRESSIONS = [e.strip() for e in _EXPRESSIONS.replace("\n", " ").split(";") if e.strip()]
ON_HOST = ("ops.masked_select", "ops.unique")  # sizes that depend on the values


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_the_gradient_of_an_expression_is_its_slope(expression):
    space = recorded.namespace(samples)
    expression = expression.replace("ms.float32", "ms.float64")

    def loss(x):
        return weighted(eval(expression, {**space, "x": x}))

    x = Tensor(X.astype(np.float64))
    tape = ms.grad(loss)(x).asnumpy()
    np.testing.assert_allclose(tape, differences(loss, X), rtol=2e-5, atol=2e-6)
    if not expression.startswith(ON_HOST):
        direct = jax.jit(jax.grad(lambda v: loss(wrap(v))._v))(x._v)
        np.testing.assert_allclose(tape, np.asarray(direct), rtol=1e-9, atol=1e-9)
