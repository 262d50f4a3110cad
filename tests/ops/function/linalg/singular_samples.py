"""Matrices that are singular, nearly so, not symmetric or not positive definite, and what factors or inverts them.

In the form of tests/ops/samples.py: `python -m tests.conformance.record singular` asks MindSpore.
"""

SETUP = """
import importlib
linalg = importlib.import_module(ms.__name__ + '.scipy.linalg')
TABLE = {
    'regular': [[4, 1], [1, 3]], 'singular': [[1, 2], [2, 4]], 'zero': [[0, 0], [0, 0]], 'rank1': [[2, 2], [0, 0]],
    'counting': [[1, 2, 3], [4, 5, 6], [7, 8, 9]], 'corners': [[0, 0, 2], [0, 0, 0], [3, 0, 0]],
    'sum': [[1, 2, 2], [2, 1, 2], [3, 3, 4]], 'twice': [[2, 2, 1], [2, 2, 1], [1, 1, 3]],
    'thin': [[1, 0], [0, 1e-5]], 'thinner': [[1, 0], [0, 1e-8]], 'thinnest': [[1, 0], [0, 1e-17]],
    'small': [[1e-20, 0], [0, 1e-20]], 'indefinite': [[1, 2], [2, 1]], 'bent': [[4, 1.00001], [1, 3]],
    'skew': [[4, 2], [1, 3]], 'stack': [[[2, 0], [0, 2]], [[1, 2], [2, 4]]], 'pairs': [[[4, 1], [1, 3]], [[1, 2], [2, 1]]],
}
def m(name, dtype=ms.float32): return Tensor(np.array(TABLE[name], np.float64), dtype)
def right(x): return x[..., :1] * 0 + 1
c, c2 = Tensor([[1 + 1j, 2], [3, 4 - 1j]], ms.complex64), Tensor([[1 + 1j, 2], [3, 4 - 1j]], ms.complex128)
def slope(fn, name):
    x = m(name)
    return ms.grad(lambda x: (fn(x) * Tensor([[1.0, 2.0], [3.0, 4.0]])).sum())(x)
"""  # noqa: E501 - one matrix after another
_NAMES = (
    "regular singular zero rank1 counting corners sum twice thin thinner thinnest small indefinite bent skew stack "
    "pairs".split()
)
_CALLS = (
    "ops.inverse({x})",
    "ops.matrix_power({x},-1)",
    "ops.cholesky({x})",
    "ops.matrix_solve({x},right({x}))",
)
_FORMS = (
    "{x}.inverse()",
    "ops.MatrixInverse(True)({x})",
    "ops.MatrixPower(-2)({x})",
    "{x}.cholesky(True)",
    "ops.Cholesky(True)({x})",
    "ops.MatrixSolve(True)({x},right({x}))",
    "linalg.inv({x})",
    "linalg.inv({x}.astype(ms.int32))",
    "linalg.cholesky({x})",
    "linalg.cholesky({x},lower=True)",
    "linalg.cho_factor({x})[0]",
    "linalg.cho_factor({x}.astype(ms.int64))[0]",
)
_COMPLEX = "ops.logdet({x}); ops.slogdet({x}); {x}.logdet(); ops.log_matrix_determinant({x}); ops.svd({x},compute_uv=False); ops.svd({x})[0]; ops.Svd(compute_uv=False)({x}); ops.inverse({x}); ops.det({x})"  # noqa: E501
_SLOPES = "ops.inverse ops.MatrixInverse() ops.cholesky ops.MatrixPower(-1) linalg.inv".split()
TOPICS = ("singular",)


def samples(topic: str) -> list[str]:
    """The expressions of the one topic."""
    found = []
    for dtype in ("", ",ms.float64"):
        found += [call.format(x=f"m('{name}'{dtype})") for call in _CALLS for name in _NAMES]
    found += [form.format(x=f"m('{name}')") for form in _FORMS for name in ("regular", "singular", "skew", "zero")]
    found += [call.strip().format(x=x) for x in ("c", "c2") for call in _COMPLEX.split(";")]
    return found + [f"slope({fn},'{name}')" for fn in _SLOPES for name in ("regular", "singular", "zero")]
