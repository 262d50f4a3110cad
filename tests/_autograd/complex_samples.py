"""Functions of complex Tensors whose gradients are recorded: `x`, `y` are vectors, `m`, `n` square matrices."""

VECTORS = """
x + 2 * y; x - y; x / y; -x; ops.exp(x); ops.expm1(x); ops.log(x); ops.log1p(x); ops.sqrt(x); ops.rsqrt(x); ops.sin(x);
ops.cos(x); ops.tanh(x); ops.sinh(x); ops.asin(x); ops.acos(x); ops.atan(x); ops.asinh(x); ops.sigmoid(x); ops.abs(x);
ops.real(x); ops.imag(x); ops.angle(x); ops.conj(x); ops.reciprocal(x); ops.sum(x / y); ops.cumsum(x, 0);
ops.xdivy(x, y); ops.SquaredDifference()(x, y); ops.cumprod(x, 0); ops.real(ops.exp(x) / y)
"""
MATRICES = """
ops.matmul(m, n); ops.dense(m, n); ops.mm(m, n); ops.mv(m, n[0]); ops.bmm(m[None], n[None]); ops.addmm(m, m, n);
ops.MatMul(transpose_b=True)(m, n); ops.tensor_dot(m, n, 1); ops.MatrixTriangularSolve()(m, n); ops.inverse(m);
ops.BatchMatMul(transpose_a=True)(m, n)
"""


def cases() -> list[tuple[str, str]]:
    """Pairs of the names of the inputs and the expression of the output."""
    split = lambda text: [" ".join(part.split()) for part in text.split(";") if part.strip()]  # noqa: E731
    return [("xy", e) for e in split(VECTORS)] + [("mn", e) for e in split(MATRICES)]


def inputs(np):
    """The arrays behind the names."""
    draw = np.random.RandomState(0)

    def array(*shape):
        return np.round(draw.rand(*shape) + 1j * draw.rand(*shape), 3).astype(np.complex64)

    return {"x": array(2), "y": array(2), "m": array(2, 2), "n": array(2, 2)}
