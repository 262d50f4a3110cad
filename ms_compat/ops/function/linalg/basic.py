"""Products of vectors and matrices, and linear algebra. Half-precision products accumulate in Float32."""

from __future__ import annotations

import functools
import string

import jax
import jax.numpy as jnp
import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.checks import check_rank_at_least, check_same_dtype, check_tensors
from ms_compat._core.dispatch.op import op
from ms_compat._core.dispatch.operands import cast, is_complex, is_integral, promote_args, to_float
from ms_compat._core.errors import check_type
from ms_compat._core.faces import faces
from ms_compat._core.promotion import promote
from ms_compat._core.tensor import Tensor
from ms_compat.ops.function.axes import axis_of, tensor
from ms_compat.ops.function.linalg.svd import svd as svd
from ms_compat.ops.function.nn.checks import HALVES, wide
from ms_compat.ops.function.shape.diagonals import take_diagonal


def _same_dtype(api: str, a, b) -> tuple[jax.Array, jax.Array]:
    a, b = tensor(api, a), tensor(api, b, "other")
    check_same_dtype(api, **{"first input": a, "second input": b})
    return a, b


def _product(a, b):
    if a.dtype == bool:
        raise TypeError("For 'MatMul', Tensors of Bool are not supported; cast them first.")
    return jnp.matmul(a, b)


@faces("ops mint")
@op
def matmul(input, other):
    """The matrix product; leading dimensions broadcast, a 1-d operand is a row (left) or a column (right).

    Args:
        input: a Tensor.
        other: a Tensor of the same dtype.

    Raises:
        TypeError: an operand is not a Tensor, or the dtypes differ.
        RuntimeError: the inner sizes differ (ValueError for two 1-d operands).

    >>> from ms_compat import Tensor, ops
    >>> print(ops.matmul(Tensor([[1.0, 2.0]]), Tensor([[3.0], [4.0]])))
    [[11.]]
    """
    a, b = _same_dtype("MatMul", input, other)
    if not a.ndim or not b.ndim:
        raise ValueError("For 'MatMul', the inputs must have at least 1 dimension.")
    inner = b.shape[-2] if b.ndim > 1 else b.shape[0]
    if a.shape[-1] != inner:
        error = ValueError if a.ndim == 1 and b.ndim == 1 else RuntimeError
        raise error(f"For 'MatMul', the inner sizes must be equal, but got the shapes {a.shape} and {b.shape}.")
    return _product(a, b)


def _check_inner(api: str, a, b) -> None:
    if a.shape[-1] != b.shape[-2]:
        raise ValueError(f"For '{api}', the inner sizes must be equal, but got the shapes {a.shape} and {b.shape}.")


@faces(primitive="MatMul(transpose_a=False, transpose_b=False)(input, mat2)")
@op(static=("transpose_a", "transpose_b"), name="MatMul")
def matmul_2d(input, mat2, transpose_a=False, transpose_b=False):
    """The product of two matrices, each transposed on demand (the primitive `MatMul`)."""
    a, b = _same_dtype("MatMul", input, mat2)
    if a.ndim != 2 or b.ndim != 2:
        raise ValueError(f"For 'MatMul', both inputs must be matrices, but got the shapes {a.shape} and {b.shape}.")
    a, b = (a.T if transpose_a else a), (b.T if transpose_b else b)
    _check_inner("MatMul", a, b)
    return _product(a, b)


@faces(primitive="BatchMatMul(transpose_a=False, transpose_b=False)(input, mat2)")
@op(static=("transpose_a", "transpose_b"), name="BatchMatMul")
def matmul_batch(input, mat2, transpose_a=False, transpose_b=False):
    """Batched matrix products, each factor transposed on demand (the primitive `BatchMatMul`)."""
    a, b = _same_dtype("BatchMatMul", input, mat2)
    if a.ndim < 2 or b.ndim < 2:
        raise ValueError(f"For 'BatchMatMul', the inputs need 2 or more dimensions, but got {a.shape} and {b.shape}.")
    a, b = (jnp.swapaxes(a, -1, -2) if transpose_a else a), (jnp.swapaxes(b, -1, -2) if transpose_b else b)
    _check_inner("BatchMatMul", a, b)
    return _product(a, b)


@faces("ops Tensor mint")
@op
def mm(input, mat2):
    """The product of two matrices.

    Args:
        input: a Tensor of two dimensions.
        mat2: a Tensor of the same dtype.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([[1.0, 2.0]])
    >>> print(ops.mm(x, Tensor([[3.0], [4.0]])), x.mm(Tensor([[1.0], [1.0]])))
    [[11.]] [[3.]]
    """
    return matmul_2d.fn(input, mat2)


@faces("ops Tensor mint")
@op
def bmm(input_x, mat2):
    """The products of two matrix batches.

    Args:
        input_x: a Tensor of three or more dimensions.
        mat2: likewise.

    >>> from ms_compat import ops
    >>> x = ops.ones((2, 1, 3))
    >>> y = ops.ones((2, 3, 1))
    >>> print(ops.bmm(x, y).tolist(), x.bmm(y).shape)
    [[[3.0]], [[3.0]]] (2, 1, 1)
    """
    return matmul_batch.fn(input_x, mat2)


@faces("ops mint")
@op
def mv(mat, vec):
    """A matrix times a vector.

    Args:
        mat: a Tensor of two dimensions.
        vec: a Tensor of one.
    """
    a, b = _same_dtype("mv", mat, vec)
    if a.ndim != 2 or b.ndim != 1 or a.shape[1] != b.shape[0]:
        raise ValueError(f"For 'mv', a matrix and a vector that fit are needed, but got {a.shape} and {b.shape}.")
    return _product(a, b)


@faces("ops Tensor")
@op
def dot(input, other):
    """The product over the last dimension of the first and the last but one of the second, each of 2 or more.

    Args:
        input: a Tensor of at least two dimensions.
        other: likewise, of the same dtype.

    Raises:
        ValueError: fewer dimensions, or sizes that do not fit.

    >>> from ms_compat import Tensor, ops
    >>> x, y = Tensor([[1.0, 2.0]]), Tensor([[3.0], [4.0]])
    >>> print(ops.dot(x, y), x.dot(y))
    [[11.]] [[11.]]
    """
    a, b = _same_dtype("dot", input, other)
    if a.ndim < 2 or b.ndim < 2:
        raise ValueError(f"For 'dot', the inputs need 2 or more dimensions, but got {a.ndim} and {b.ndim}.")
    _check_inner("dot", a, b)
    return jnp.dot(a, b)


@faces("mint.dot")
@op(name="dot")
def dot_1d(input, other):
    """The inner product of two vectors (`mint.dot`)."""
    a, b = _same_dtype("dot", input, other)
    return jnp.dot(a, b)


@faces("ops")
@op(static=("axis",), tensors="x y")
def vecdot(x, y, axis=-1):
    """The sums of products along an axis.

    Args:
        x: a Tensor.
        y: a Tensor; shapes broadcast.
        axis: an int.
    """
    a, b = promote_args("vecdot", x, y)
    return jnp.sum(jnp.conj(a) * b, axis=axis)


@faces("ops ops.ger Tensor.ger Tensor mint")
@op(tensors="input vec2")
def outer(input, vec2):
    """The outer product of two vectors.

    Args:
        input: a 1-d Tensor.
        vec2: a 1-d Tensor.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([1.0, 2.0])
    >>> print(ops.outer(x, x), x.outer(Tensor([3.0])))
    [[1. 2.]
     [2. 4.]] [[3.]
     [6.]]
    """
    a, b = promote_args("outer", input, vec2)
    return a.reshape(-1, 1) * b.reshape(1, -1)


ger = outer


@faces("ops Tensor")
@op
def inner(input, other):
    """The sums of products over the last dimensions of both.

    Args:
        input: a Tensor.
        other: a Tensor with an equal last dimension.
    """
    return jnp.inner(*promote_args("inner", input, other))


@faces("ops")
@op(tensors="input other")
def kron(input, other):
    """The Kronecker product.

    Args:
        input: a Tensor.
        other: a Tensor.
    """
    return jnp.kron(*promote_args("kron", input, other))


@faces("ops Tensor mint")
@op(static=("dim",), tensors="input other")
def cross(input, other, dim=None):
    """The vector product along a dimension of size 3 (the first such one for None).

    Args:
        input: a Tensor, whose dtype the result has.
        other: a Tensor of the same shape.
        dim: None or an int.
    """
    a, b = promote_args("cross", input, other)
    sizes = jnp.broadcast_shapes(a.shape, b.shape)
    if dim is None and 3 not in sizes:
        raise ValueError(f"For 'cross', a dimension of size 3 is needed, but got the shape {sizes}.")
    if dim is not None and sizes[axis_of("Cross", dim, len(sizes), "dim")] != 3:
        raise ValueError(f"For 'Cross', dimension {dim} must have size 3, but got the shape {sizes}.")
    return jnp.cross(a, b, axis=sizes.index(3) if dim is None else dim).astype(input.dtype)


@faces("ops")
@op(static=("axes",))
def tensor_dot(x1, x2, axes):
    """The sums of products over several dimensions of both tensors.

    Args:
        x1: a Tensor.
        x2: a Tensor of the same dtype.
        axes: how many last dimensions of the first and first of the second, or the dimensions of both.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.tensor_dot(Tensor([[1.0, 2.0]]), Tensor([[3.0, 4.0]]), ((1,), (1,))))
    [[11.]]
    """
    a, b = _same_dtype("tensor_dot", x1, x2)
    if isinstance(axes, int) and axes > min(a.ndim, b.ndim):
        raise ValueError(f"For 'tensor_dot', the 'axes' must be at most {min(a.ndim, b.ndim)}, but got {axes}.")
    return jnp.tensordot(a, b, axes=axes)


@op(static=("equation",), name="einsum")
def _einsum(equation, operands):
    return jnp.einsum(equation, *operands)


_LETTERS = string.ascii_uppercase + string.ascii_lowercase


def _equation_of(given: tuple) -> tuple[str, tuple]:
    """The equation and the operands of Tensors that each come with a list of their dimensions."""
    paired = len(given) - len(given) % 2
    lists = (*given[1:paired:2], *given[paired:])
    for number in (n for part in lists for n in part if n is not ...):
        if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < len(_LETTERS):
            raise ValueError(f"For 'einsum', a dimension must be an int from 0 to 51 or '...', but got {number!r}.")
    texts = ["".join(["..." if n is ... else _LETTERS[n] for n in part]) for part in lists]
    result = f"->{texts.pop()}" if paired < len(given) else ""
    return ",".join(texts) + result, given[:paired:2]


@faces("ops ops.einsum_ext mint")
def einsum(equation, *operands):
    """Sums of products by Einstein's convention.

    Args:
        equation: such as "ij,jk->ik". Or the first Tensor: a list then follows each one with the numbers of its
            dimensions, 0 to 51, and of `...`; a last list describes the result.
        operands: Tensors (or one tuple or list of them).

    Raises:
        TypeError: the equation is neither.
        ValueError: a list of dimensions holds something else.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.einsum("ij,j->i", Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([1.0, 1.0])))
    [3. 7.]
    """
    if isinstance(equation, Tensor) and operands and isinstance(operands[0], (tuple, list)):
        equation, operands = _equation_of((equation, *operands))
    check_type("einsum", "equation", equation, str)
    if len(operands) == 1 and isinstance(operands[0], (tuple, list)):
        operands = tuple(operands[0])
    kinds = {operand._v.dtype for operand in operands if isinstance(operand, Tensor)}
    if len(kinds) > 1:  # cast before, so that the gradient of an integer goes through the cast
        kind = mstype.np_dtype_to_ms(functools.reduce(promote, kinds))
        operands = tuple([operand.astype(kind) for operand in operands])
    return _einsum(equation, operands)


@faces("ops Tensor Tensor.addmm_ mint")
@op
def addmm(input, mat1, mat2, beta=1, alpha=1):
    """beta * input + alpha * (mat1 @ mat2).

    Args:
        input: a Tensor that broadcasts to the product.
        mat1: a matrix.
        mat2: a matrix.
        beta: a number.
        alpha: a number.

    >>> from ms_compat import Tensor, ops
    >>> x = Tensor([[1.0]])
    >>> print(ops.addmm(x, x, x, beta=2, alpha=3), x.addmm(x, x))
    [[5.]] [[2.]]
    """
    return _scaled(input, matmul_2d.fn(mat1, mat2), beta, alpha)


def _scaled(base, product, beta, alpha):
    kind = product.dtype
    return cast(beta, kind) * base + cast(alpha, kind) * product


@faces("ops ops.baddbmm_ext Tensor mint")
@op(tensors="input")
def baddbmm(input, batch1, batch2, beta=1, alpha=1):
    """beta * input + alpha * (batch1 @ batch2), matrix by matrix; arguments as for `addmm`.

    Args:
        input (Tensor): broadcasts to the product's shape.
        batch1 (Tensor): [B, N, M].
        batch2 (Tensor): [B, M, P].
        beta, alpha: numbers.

    >>> from ms_compat import ops
    >>> x = ops.ones((1, 1, 1))
    >>> print(ops.baddbmm(x, x, x, beta=2, alpha=3), x.baddbmm(x, x))
    [[[5.]]] [[[2.]]]
    """
    return _scaled(input, matmul_batch.fn(batch1, batch2), beta, alpha)


@faces("ops Tensor mint")
@op
def addbmm(input, batch1, batch2, beta=1, alpha=1):
    """beta * input + alpha * the sum of batched matrix products; arguments as for `addmm`."""
    return _scaled(input, jnp.sum(matmul_batch.fn(batch1, batch2), axis=0), beta, alpha)


@faces("ops Tensor mint")
@op(tensors="input")
def addmv(input, mat, vec, beta=1, alpha=1):
    """beta * input + alpha * (mat @ vec); arguments as for `addmm`."""
    return _scaled(input, mv.fn(mat, vec), beta, alpha)


@faces("ops Tensor")
@op(tensors="x vec1 vec2")
def addr(x, vec1, vec2, beta=1, alpha=1):
    """beta * x + alpha * outer(vec1, vec2); arguments as for `addmm`."""
    if vec1.ndim != 1 or vec2.ndim != 1 or jnp.broadcast_shapes(x.shape[-1:], vec2.shape) != vec2.shape:
        raise ValueError(
            f"For 'addr', two vectors that fit the input {x.shape} are needed, but got {vec1.shape} and {vec2.shape}."
        )
    if x.ndim == 2 and x.shape[0] not in (1, vec1.shape[0]):
        raise ValueError(f"For 'addr', 'vec1' must fit the input {x.shape}, but got {vec1.shape}.")
    return _scaled(x, outer.fn(vec1, vec2), beta, alpha)


@faces("ops")
@op(takes={"input": "number"})
def trace(input):
    """The sum of a matrix's main diagonal, in its own dtype.

    Args:
        input: a Tensor of two dimensions.

    Raises:
        RuntimeError: another number of dimensions.
    """
    x = tensor("Trace", input)
    if x.ndim != 2:
        raise RuntimeError(f"For 'Trace', the input must have 2 dimensions, but got {x.ndim}.")
    return take_diagonal(x, 0, 0, 1).sum(dtype=np.int64 if x.dtype == bool else x.dtype)


@faces("mint.trace")
@op(name="trace")
def trace_ext(input):
    """As `trace`, of integers in Int64 (`mint.trace` and `Tensor.trace`)."""
    x = tensor("trace", input)
    return trace.fn(cast(x, np.dtype(np.int64)) if is_integral(x.dtype) else x)


@op
def _conjugate_exchanged(x):
    return jnp.conj(jnp.swapaxes(tensor("adjoint", x), -1, -2))


@faces("ops Tensor")
def adjoint(x):
    """The last two dimensions exchanged, and complex conjugates; a view in PYNATIVE_MODE of a real tensor."""
    from ms_compat.ops.function.shape.views import exchanged  # `import ms_compat` does without it

    check_tensors("adjoint", x=x)
    return _conjugate_exchanged(x) if is_complex(x.dtype.np_dtype) else exchanged(x, -1, -2)


def _square(api: str, x) -> jax.Array:
    x = to_float(tensor(api, x))
    if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
        raise ValueError(f"For '{api}', the input must hold square matrices, but got shape {x.shape}.")
    return x


@faces("ops ops.matrix_determinant Tensor Tensor.matrix_determinant", primitive="MatrixDeterminant()(input)")
@op
def det(input):
    """The determinants of square matrices."""
    return jnp.linalg.det(_square("det", input))


@faces("ops ops.log_matrix_determinant Tensor.log_matrix_determinant Tensor", primitive="LogMatrixDeterminant()(input)")
@op
def slogdet(input):
    """Signs and logarithms of the absolute determinants, both in the matrices' dtype."""
    x = _square("slogdet", input)
    sign, size = jnp.linalg.slogdet(x)
    return sign, size.astype(x.dtype)


@faces("ops Tensor")
@op
def logdet(input):
    """The determinants' logarithms; NaN where a real one is negative."""
    x = _square("logdet", input)
    sign, size = jnp.linalg.slogdet(x)
    if is_complex(x.dtype):
        return size + jnp.log(jnp.where(sign == 0, 1, sign))
    return jnp.where(sign < 0, jnp.nan, size).astype(size.dtype)


@faces("ops Tensor mint mint.linalg.inv")
def inverse(input):
    """The inverses of square matrices.

    Args:
        input: a Tensor [..., N, N].

    Returns:
        Tensor of the same shape and dtype. Of a singular matrix, whose values are known, it is the inverse of the
        largest regular part that elimination with row and column exchanges finds, and 0 elsewhere, as in MindSpore. In
        a compiled function it holds infinities or NaN.

    Raises:
        TypeError: a Tensor of half precision.
        ValueError: matrices that are not square.

    >>> from ms_compat import Tensor, ops
    >>> print(ops.inverse(Tensor([[1.0, 2.0], [2.0, 4.0]])))
    [[0.   0.  ]
     [0.   0.25]]
    """
    from ms_compat.ops.function.linalg.singular import inverse_of_regular_part  # `import ms_compat` does without it

    return inverse_of_regular_part(input, _inverse(input))


@op(name="inverse")
def _inverse(input):
    x = _square("inverse", input)
    if x.dtype in HALVES:
        raise TypeError(f"For 'inverse', the 'input' must not be of half precision, but got {x.dtype.name}.")
    return jnp.linalg.inv(x)


@faces("ops Tensor", primitive="MatrixPower(n)(x)")
def matrix_power(input, n):
    """Square matrices to an integer power; integers stay integers.

    Args:
        input: a Tensor [..., N, N].
        n: the power, an int.

    Raises:
        ValueError: matrices that are not square; a negative power of integers, or of a matrix that is singular in
            Float32 and whose values are known (in a compiled function the result holds infinities or NaN).
    """
    out = _matrix_power(input, n)
    if n < 0:
        from ms_compat.ops.function.linalg.singular import check_invertible  # `import ms_compat` does without it

        check_invertible("MatrixPower", input)
    return out


@op(static=("n",), name="matrix_power")
def _matrix_power(input, n):
    whole = is_integral(input.dtype)
    if whole and n < 0:
        raise ValueError(f"For 'MatrixPower', a Tensor of integers must not have a negative power, but got {n}.")
    x = _square("matrix_power", input)
    return jnp.linalg.matrix_power(x.astype(input.dtype) if whole else x, n)


@faces("ops", primitive="MatrixExp()(input)")
@op
def matrix_exp(input):
    """The exponentials of square matrices."""
    return jax.scipy.linalg.expm(_square("matrix_exp", input))


@op(static=("rtol", "hermitian"), tensors="x")
def _pinv(x, rtol, hermitian):
    return jnp.linalg.pinv(to_float(x), rtol=rtol, hermitian=hermitian)


@faces("ops")
def pinv(x, *, atol=None, rtol=None, hermitian=False):
    """Moore-Penrose inverses of matrices.

    Args:
        x: a floating Tensor.
        atol: must be None; JAX has a relative bound only.
        rtol: singular values below `rtol` times the largest count as 0.
        hermitian: whether the matrices are Hermitian.
    """
    if atol is not None:
        from ms_compat._core.errors import unsupported_argument

        unsupported_argument("pinv", "atol", atol, "Use 'rtol'.")
    return _pinv(x, rtol, hermitian)


@faces("ops Tensor", primitive="Cholesky(upper=False)(x)")
def cholesky(input_x, upper=False):
    """The Cholesky factors of positive definite matrices.

    Args:
        input_x: a Tensor [..., N, N].
        upper: whether the upper factor U (U^H U) is given in place of the lower one.

    Raises:
        ValueError: matrices that are not square.
        RuntimeError: a matrix is not symmetric, or not positive definite. In a compiled function, where values are not
            known, the factor is NaN.
    """
    from ms_compat.ops.function.linalg.singular import check_factor  # `import ms_compat` does without it

    return check_factor("cholesky", input_x, _cholesky(input_x, upper))


@op(static=("upper",), name="cholesky")
def _cholesky(input_x, upper):
    x = _square("cholesky", input_x)
    return jnp.linalg.cholesky(wide(x), upper=upper).astype(x.dtype)


@faces("ops Tensor", primitive="CholeskySolve(upper=False)(x1, x2)")
@op(static=("upper",), tensors="input input2")
def cholesky_solve(input, input2, upper=False):
    """Solutions of A x = input, where `input2` is the Cholesky factor of A."""
    return jax.scipy.linalg.cho_solve((input2, not upper), input)


@faces("ops Tensor", primitive="CholeskyInverse(upper=False)(x)")
@op(static=("upper",))
def cholesky_inverse(input_x, upper=False):
    """The inverse of the matrix with Cholesky factor `input_x`, of which MindSpore reads both triangles."""
    x = _square("cholesky_inverse", input_x)
    return jnp.linalg.inv(x.mT @ x if upper else x @ x.mT)


@faces("ops mint.linalg")
@op(static=("mode",))
def qr(input, mode="reduced"):
    """QR decomposition: (Q, R).

    Args:
        input: a Tensor of matrices.
        mode: "reduced" or "complete".
    """
    check_rank_at_least("Qr", "input", tensor("qr", input), 2)
    x = to_float(input)
    return tuple(v.astype(x.dtype) for v in jnp.linalg.qr(wide(x), mode=mode))


@faces("ops")
def matrix_solve(matrix, rhs, adjoint=False):
    """Solutions of linear equations: matrix @ x = rhs, or conjugate(matrix).T @ x = rhs with `adjoint`.

    Args:
        matrix: a Tensor [..., N, N].
        rhs: a Tensor [..., N, K].
        adjoint: whether the conjugate transpose of `matrix` counts.

    Raises:
        ValueError: a matrix is singular. In a compiled function, where values are not known, the solution holds
            infinities or NaN.
    """
    from ms_compat.ops.function.linalg.singular import check_solution  # `import ms_compat` does without it

    return check_solution("MatrixSolve", matrix, _matrix_solve(matrix, rhs, adjoint))


@op(static=("adjoint",), tensors="matrix", name="matrix_solve")
def _matrix_solve(matrix, rhs, adjoint):
    matrix, rhs = promote_args("matrix_solve", to_float(matrix), tensor("matrix_solve", rhs, "rhs"))
    return jnp.linalg.solve(matrix.conj().mT if adjoint else matrix, rhs)


@faces("Tensor mint")
@op(static=("upper", "transpose", "unitriangular"), tensors="A b")
def triangular_solve(b, A, upper=True, transpose=False, unitriangular=False):
    """Solutions of A x = b for triangular A, and A itself."""
    solved = jax.scipy.linalg.solve_triangular(A, b, trans=int(transpose), lower=not upper, unit_diagonal=unitriangular)
    return solved, A
