"""Every rule of the tier before the compiler gives what XLA gives: shape and dtype always, values as close as the
operation allows, bit by bit where elements are only moved, compared or counted."""

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from jax import lax

import ms_compat  # noqa: F401  (64-bit types)
from ms_compat._core.compiled.interpreter import elementwise
from ms_compat._core.compiled.interpreter.numpy_program import prepare, run

F16, BF16, F32, F64 = "float16", "bfloat16", "float32", "float64"
FLOATS = (F16, BF16, F32, F64)
INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
COMPLEX = ("complex64", "complex128")
REAL = (*FLOATS, *INTEGERS)
ALL = (*REAL, "bool", *COMPLEX)
RTOL = {F16: 5e-3, BF16: 2e-2, F32: 5e-6, F64: 1e-12, "complex64": 5e-6, "complex128": 1e-12}
EDGES = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3e37, -3e37, np.inf, -np.inf, np.nan, 200.0, -1e-3]


def values(dtype, shape, seed=0, edges=False):
    """Numbers of a dtype: small ones, and with `edges` those where operations differ."""
    rng = np.random.RandomState(seed)
    dtype = np.dtype(getattr(ml_dtypes, dtype, dtype))
    if dtype.kind == "b":
        return np.asarray(rng.rand(*shape)) > 0.5
    if dtype.kind in "iu":
        out = np.asarray(rng.randint(0 if dtype.kind == "u" else -5, 6, shape)).astype(dtype)
        info = np.iinfo(dtype)
        special = [0, 1, info.max, info.min, info.max - 1, info.min + 1]
    else:
        out = np.asarray(rng.randn(*shape))
        if dtype.kind == "c":
            out = out + 1j * rng.randn(*shape)
        with np.errstate(over="ignore"):
            out = out.astype(dtype)
        special = EDGES
    special_dtype = dtype if dtype.kind in "iu" else None
    if edges and out.size:
        flat = out.reshape(-1)
        chosen = rng.choice(len(special), flat.size // 2 + 1)
        with np.errstate(all="ignore"):
            flat[: len(chosen)] = np.array([special[i] for i in chosen], special_dtype).astype(dtype)[: flat.size]
        rng.shuffle(flat)
    return out


def check(fn, *inputs, exact=False, rtol=None):
    """A walk of the function's jaxpr against its compiled program."""
    check_all([(fn, inputs, exact, rtol)])


def check_all(cases):
    """Likewise for several functions, which are compiled as one program, since that is quicker."""
    together = jax.jit(lambda all_inputs: [case[0](*inputs) for case, inputs in zip(cases, all_inputs, strict=True)])
    for (fn, inputs, exact, rtol), expected in zip(cases, together([case[1] for case in cases]), strict=True):
        closed = jax.make_jaxpr(fn)(*inputs)
        prepared = prepare(closed)
        assert prepared is not None, f"left to XLA: {closed}"
        found = run(prepared, [np.asarray(x) for x in inputs])
        assert found is not None
        for ours, theirs in zip(found, jax.tree.leaves(expected), strict=True):
            _compare(np.asarray(ours), np.asarray(theirs), exact, rtol)


def _compare(ours, theirs, exact, rtol):
    assert ours.dtype == theirs.dtype
    assert ours.shape == theirs.shape
    tolerance = rtol or RTOL.get(theirs.dtype.name)
    if theirs.dtype == ml_dtypes.bfloat16:
        ours, theirs = ours.astype(np.float32), theirs.astype(np.float32)
    if exact or theirs.dtype.kind in "biu":
        np.testing.assert_array_equal(ours, theirs)
    else:
        np.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=tolerance)


# primitive -> (function of its operands, number of operands, dtypes, edges among the values, exact)
ELEMENTWISE = {
    "neg": (lax.neg, 1, (*REAL, *COMPLEX), True, True),
    "floor": (lax.floor, 1, FLOATS, True, True),
    "ceil": (lax.ceil, 1, FLOATS, True, True),
    "round away": (lambda x: lax.round(x, lax.RoundingMethod.AWAY_FROM_ZERO), 1, FLOATS, True, True),
    "round even": (lambda x: lax.round(x, lax.RoundingMethod.TO_NEAREST_EVEN), 1, FLOATS, True, True),
    "is_finite": (lax.is_finite, 1, FLOATS, True, True),
    "abs": (lax.abs, 1, (*FLOATS, *INTEGERS[:4]), True, True),
    "abs of complex": (lax.abs, 1, COMPLEX, False, False),
    "sign": (lax.sign, 1, REAL, True, True),
    "sqrt": (lax.sqrt, 1, FLOATS, True, False),
    "rsqrt": (lax.rsqrt, 1, FLOATS, True, False),
    "cbrt": (lax.cbrt, 1, (F32, F64), False, False),
    "square": (lax.square, 1, REAL, True, False),
    "exp": (lax.exp, 1, FLOATS, True, False),
    "exp2": (lax.exp2, 1, FLOATS, True, False),
    "log": (lax.log, 1, FLOATS, True, False),
    "log1p": (lax.log1p, 1, FLOATS, True, False),
    "expm1": (lax.expm1, 1, FLOATS, True, False),
    "tanh": (lax.tanh, 1, FLOATS, True, False),
    "logistic": (lax.logistic, 1, FLOATS, True, False),
    "sin": (lax.sin, 1, FLOATS, False, False),
    "cos": (lax.cos, 1, FLOATS, False, False),
    "tan": (lax.tan, 1, (F32, F64), False, False),
    "asin": (lax.asin, 1, FLOATS, False, False),
    "acos": (lax.acos, 1, FLOATS, False, False),
    "atan": (lax.atan, 1, FLOATS, True, False),
    "sinh": (lax.sinh, 1, FLOATS, False, False),
    "cosh": (lax.cosh, 1, FLOATS, False, False),
    "asinh": (lax.asinh, 1, FLOATS, False, False),
    "acosh": (lax.acosh, 1, FLOATS, False, False),
    "atanh": (lax.atanh, 1, FLOATS, False, False),
    "erf": (lax.erf, 1, FLOATS, True, False),
    "erfc": (lax.erfc, 1, FLOATS, False, False),
    "erf_inv": (lax.erf_inv, 1, (F32, F64), False, False),
    "lgamma": (lax.lgamma, 1, (F32, F64), False, False),
    "digamma": (lambda x: lax.digamma(lax.abs(x) + x.dtype.type(0.5)), 1, (F32, F64), False, False),
    "real": (lax.real, 1, COMPLEX, False, True),
    "imag": (lax.imag, 1, COMPLEX, False, True),
    "conj": (lax.conj, 1, COMPLEX, False, True),
    "complex": (lax.complex, 2, (F32, F64), False, True),
    "integer_pow 2": (lambda x: lax.integer_pow(x, 2), 1, REAL, False, False),
    "integer_pow 5": (lambda x: lax.integer_pow(x, 5), 1, REAL, False, False),
    "integer_pow -3": (lambda x: lax.integer_pow(x, -3), 1, FLOATS, False, False),
    "pow": (lax.pow, 2, FLOATS, True, False),
    "atan2": (lax.atan2, 2, FLOATS, False, False),
    "nextafter": (lax.nextafter, 2, (F32, F64), False, True),
    "add": (lax.add, 2, (*REAL, *COMPLEX), True, True),
    "sub": (lax.sub, 2, (*REAL, *COMPLEX), True, True),
    "mul": (lax.mul, 2, REAL, True, True),
    "mul of complex": (lax.mul, 2, COMPLEX, False, False),
    "div": (lax.div, 2, REAL, True, True),
    "rem": (lax.rem, 2, (F32, F64, *INTEGERS), True, True),
    "max": (lax.max, 2, (*REAL, "bool"), True, True),
    "min": (lax.min, 2, (*REAL, "bool"), True, True),
    "not": (lax.bitwise_not, 1, (*INTEGERS, "bool"), True, True),
    "and": (lax.bitwise_and, 2, (*INTEGERS, "bool"), True, True),
    "or": (lax.bitwise_or, 2, (*INTEGERS, "bool"), True, True),
    "xor": (lax.bitwise_xor, 2, (*INTEGERS, "bool"), True, True),
    "shift_left": (lax.shift_left, 2, INTEGERS, True, True),
    "shift_right_logical": (lax.shift_right_logical, 2, INTEGERS, True, True),
    "shift_right_arithmetic": (lax.shift_right_arithmetic, 2, INTEGERS, True, True),
    "population_count": (lax.population_count, 1, INTEGERS, True, True),
    **{name: (getattr(lax, name), 2, (*REAL, "bool"), True, True) for name in ("eq", "ne", "lt", "le", "gt", "ge")},
    "eq of complex": (lax.eq, 2, COMPLEX, False, True),
    "clamp": (lambda a, b, c: lax.clamp(lax.min(a, b), c, lax.max(a, b)), 3, (F32, "int32", BF16), True, True),
    "select_n": (lambda a, b, c: lax.select(a < c, b, c), 3, REAL, True, True),
}
SLOPPY = {"erf_inv": 1e-5, "lgamma": 2e-5, "digamma": 2e-5, "pow": 2e-5, "erfc": 2e-5, "tan": 1e-5}


@pytest.mark.parametrize("name", ELEMENTWISE)
def test_elementwise(name):
    fn, count, dtypes, edges, exact = ELEMENTWISE[name]
    cases = []
    for dtype in dtypes:
        for shape in ((), (4, 9), (0, 3)) if dtype in (F32, "int32", "complex64") else ((4, 9),):
            inputs = [values(dtype, shape, seed, edges) for seed in range(count)]
            exactly = exact and dtype not in (F16, BF16)
            rtol = max(RTOL.get(dtype, 0), SLOPPY.get(name, 0)) if dtype == F32 else None
            cases.append((fn, inputs, exactly, rtol))
    check_all(cases)


@pytest.mark.parametrize("source", ALL)
def test_conversions(source):
    targets = ALL if source not in COMPLEX else COMPLEX
    x = values(source, (6, 11), 3, edges=True)
    if source in (F64, "int64", "uint64"):  # rounded twice by NumPy
        targets = [target for target in targets if target != BF16]
    check_all([(lambda x, t=target: lax.convert_element_type(x, t), (x,), True, None) for target in targets])


def test_bits():
    check(lambda x: lax.bitcast_convert_type(x, jnp.int32), values(F32, (3, 4), edges=True), exact=True)
    check(lambda x: lax.bitcast_convert_type(x, jnp.float64), values("int64", (3, 4)), exact=True)


MOVES = {
    "broadcast": lambda x: lax.broadcast_in_dim(x, (2, 4, 3, 5), (1, 2, 3)),
    "broadcast of ones": lambda x: jnp.broadcast_to(x[:, :1], (2, 4, 3, 5)),
    "reshape": lambda x: lax.reshape(x, (6, 10)),
    "squeeze": lambda x: lax.squeeze(x[:1], (0,)),
    "expand_dims": lambda x: lax.expand_dims(x, (0, 2)),
    "transpose": lambda x: lax.transpose(x, (2, 0, 1)),
    "rev": lambda x: lax.rev(x, (0, 2)),
    "iota": lambda x: (lax.broadcasted_iota(x.dtype, (3, 4), 1), x) if x.dtype != bool else x,
    "concatenate": lambda x: lax.concatenate([x, x[:, :2]], 1),
    "slice": lambda x: lax.slice(x, (1, 0, 1), (4, 3, 5), (2, 1, 3)),
    "split": lambda x: lax.split(x, (2, 1, 2), 2),
    "tile": lambda x: jnp.tile(x, (2, 1, 3)),
    "stack": lambda x: jnp.stack([x, x], 1),
    "dynamic_slice": lambda x: lax.dynamic_slice(x, (np.int32(3), np.int32(-9), np.int32(1)), (2, 2, 2)),
    "dynamic_update_slice": lambda x: lax.dynamic_update_slice(
        x, x[:2, :2, :2], (np.int32(3), np.int32(0), np.int32(9))
    ),
    "pad": lambda x: lax.pad(x, x[0, 0, 0], ((1, 2, 0), (0, 0, 2), (0, 1, 1))),
    "pad by less than nothing": lambda x: lax.pad(x, x[0, 0, 0], ((-1, 2, 0), (-1, -1, 2), (3, -4, 1))),
    "indexing": lambda x: x[:, np.array([2, 0, -1]), 1:3],
    "roll": lambda x: jnp.roll(x, 2, 1),
}


@pytest.mark.parametrize("name", MOVES)
def test_moves(name):
    check_all([(MOVES[name], (values(dtype, (4, 3, 5), edges=True),), True, None) for dtype in ALL])


REDUCTIONS = {
    "reduce_sum": (lambda x: lax.reduce_sum_p.bind(x, axes=(0, 2), out_sharding=None), (*REAL, *COMPLEX)),
    "reduce_prod": (lambda x: lax.reduce_prod_p.bind(x, axes=(1,), out_sharding=None), (F32, F64, *INTEGERS)),
    "reduce_max": (lambda x: lax.reduce_max_p.bind(x, axes=(0, 1), out_sharding=None), (*REAL, "bool")),
    "reduce_min": (lambda x: lax.reduce_min_p.bind(x, axes=(0, 1, 2), out_sharding=None), (*REAL, "bool")),
    "any": (lambda x: jnp.any(x, 1), ("bool",)),
    "all": (lambda x: jnp.all(x, (0, 1)), ("bool",)),
    "sum": (lambda x: jnp.sum(x, 1), REAL),
    "mean": (lambda x: jnp.mean(x, 1), FLOATS),
    "cumsum": (lambda x: lax.cumsum(x, 1), (F32, F64, *INTEGERS)),
    "cumprod": (lambda x: lax.cumprod(x, 1, reverse=True), (F32, F64, *INTEGERS)),
    "cummax": (lambda x: lax.cummax(x, 2), (F32, F64, *INTEGERS)),
    "cummin": (lambda x: lax.cummin(x, 2, reverse=True), (F32, F64, *INTEGERS)),
    "sort": (lambda x: lax.sort(x, 1), (F32, F64, *INTEGERS)),
    "sort of pairs": (lambda x: lax.sort((x, lax.broadcasted_iota(jnp.int32, x.shape, 1)), dimension=1, num_keys=1),
                      (F32, F64, *INTEGERS)),
    "top_k": (lambda x: lax.top_k(x, 2), (*FLOATS, *INTEGERS)),
    "logsumexp": (lambda x: jax.nn.logsumexp(x, 1), FLOATS),
}  # fmt: skip


@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions(name):
    fn, dtypes = REDUCTIONS[name]
    shapes = ((4, 3, 5), (2, 0, 3)) if name not in ("mean", "top_k", "logsumexp") else ((4, 3, 5),)
    check_all([(fn, (values(dtype, shape),), False, None) for dtype in dtypes for shape in shapes])


@pytest.mark.parametrize("dtype", [F16, BF16, F32, F64, *INTEGERS])
def test_positions_of_extrema(dtype):
    for edges in (False, True):
        x = values(dtype, (5, 7), 2, edges)
        check(lambda x: (lax.argmax(x, 1, jnp.int32), lax.argmin(x, 0, jnp.int64)), x)
    if dtype in (F32, F64):
        check(lambda x: (lax.reduce_max_p.bind(x, axes=(0,), out_sharding=None), lax.cummax(x, 0)), x, exact=True)


@pytest.mark.parametrize("dtype", FLOATS)
def test_the_order_of_equal_numbers_and_of_zeros(dtype):
    x = np.random.RandomState(0).choice([0.0, -0.0, 1, -1, np.inf, -np.inf, 2], (6, 20)).astype(dtype)
    check(lambda x: lax.top_k(x, 9), x, exact=True)
    assert run(prepare(jax.make_jaxpr(lambda x: lax.top_k(x, 2))(x)), [np.full_like(x, np.nan)]) is None


NUMBERS = {
    "matrices": (((), ()), ((1,), (0,)), (3, 4), (4, 5)),
    "vectors": (((), ()), ((0,), (0,)), (4,), (4,)),
    "batches": (((0, 2), (1, 0)), ((3,), (3,)), (2, 3, 5, 4), (5, 2, 6, 4)),
    "two axes": (((), ()), ((0, 2), (2, 0)), (3, 4, 5), (5, 2, 3)),
    "nothing": (((), ()), ((1,), (0,)), (3, 0), (0, 2)),
}


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("dtype", [*FLOATS, "int32", "int8", *COMPLEX])
def test_products(name, dtype):
    batch, contracted, left, right = NUMBERS[name]
    fn = lambda x, y: lax.dot_general(x, y, (contracted, batch))  # noqa: E731
    check(fn, values(dtype, left), values(dtype, right, 1), rtol=4e-2 if dtype == BF16 else None)


def test_product_into_a_wider_type():
    for dtype in (F16, BF16):
        fn = lambda x, y: lax.dot(x, y, preferred_element_type=jnp.float32)  # noqa: E731
        check(fn, values(dtype, (3, 4)), values(dtype, (4, 5), 1), rtol=1e-5)


@pytest.mark.parametrize("dtype", [*REAL, "bool", "complex64", "complex128"])
@pytest.mark.parametrize("zeros", [None, "no", "yes"])
def test_choices_among_many_elements_are_exact(dtype, zeros):
    """They are made by bits, as `np.where` jumps for each element: also of NaN and -0."""
    shape = (8, elementwise._LEAST_MASKED // 4)
    which, no, yes = values("bool", shape), values(dtype, shape, 1, edges=True), values(dtype, shape, 2, edges=True)
    nothing = np.zeros((), no.dtype)
    no, yes = (nothing if zeros == "no" else no), (nothing if zeros == "yes" else yes)

    def choose(which, no, yes):
        return lax.select(which, jnp.broadcast_to(yes, shape), jnp.broadcast_to(no, shape))

    prepared = prepare(jax.make_jaxpr(choose)(which, no, yes))
    (found,) = run(prepared, [which, no, yes])
    expected = np.where(which, yes, no)
    assert found.dtype == expected.dtype
    assert found.tobytes() == expected.tobytes()


CONVOLUTIONS = {
    "same": ({"window_strides": (1, 1), "padding": "SAME"}, (2, 4, 7, 6), (5, 4, 3, 3)),
    "strides": ({"window_strides": (2, 3), "padding": ((1, 2), (0, 1))}, (2, 4, 7, 9), (5, 4, 3, 2)),
    "dilated": ({"window_strides": (1, 1), "padding": "VALID", "rhs_dilation": (2, 1)}, (1, 2, 9, 6), (3, 2, 3, 3)),
    "transposed": (
        {"window_strides": (1, 1), "padding": ((2, 1), (2, 2)), "lhs_dilation": (2, 3)}, (2, 3, 4, 5), (2, 3, 3, 3)
    ),
    "groups": ({"window_strides": (1, 1), "padding": "SAME", "feature_group_count": 2}, (2, 4, 5, 5), (6, 2, 3, 3)),
    "depthwise": (
        {"window_strides": (2, 1), "padding": ((1, 2), (0, 1)), "rhs_dilation": (1, 2), "feature_group_count": 3},
        (4, 3, 7, 9), (3, 1, 3, 2),
    ),
    "two for each channel": (
        {"window_strides": (1, 1), "padding": "SAME", "feature_group_count": 3}, (2, 3, 4, 5), (6, 1, 3, 3)
    ),
    "a group for each picture": (
        {"window_strides": (2, 1), "padding": "VALID", "batch_group_count": 3}, (3, 4, 7, 8), (3, 4, 5, 6)
    ),
    "points": ({"window_strides": (1, 1), "padding": "VALID"}, (2, 3, 4, 5), (6, 3, 1, 1)),
    "points, batch last": (
        {"window_strides": (1, 1), "padding": "VALID", "dimension_numbers": ("CNHW", "IOHW", "CNHW")},
        (3, 2, 5, 6), (3, 4, 1, 1),
    ),
    "a depthwise kernel of three axes": (
        {
            "window_strides": (1, 2, 1), "padding": ((1, 1), (0, 1), (2, 0)), "lhs_dilation": (1, 2, 1),
            "rhs_dilation": (2, 1, 1), "feature_group_count": 4,
        },
        (2, 4, 6, 5, 7), (4, 1, 2, 3, 2),
    ),
    "a large window": (
        {"window_strides": (2, 1), "padding": ((1, 2), (0, 1)), "rhs_dilation": (1, 2)}, (2, 3, 19, 36), (4, 3, 16, 16)
    ),
    "a window as large as the input": ({"window_strides": (1, 2), "padding": "VALID"}, (2, 3, 4, 5), (6, 3, 4, 5)),
    "a window as large, batch last": (
        {"window_strides": (1, 1), "padding": "VALID", "dimension_numbers": ("CNHW", "IOHW", "NCHW")},
        (3, 2, 5, 6), (3, 4, 5, 6),
    ),
    "padded points": ({"window_strides": (1, 1), "padding": ((1, 0), (0, 0))}, (2, 3, 4, 5), (6, 3, 1, 1)),
    "points apart": ({"window_strides": (2, 1), "padding": "VALID"}, (2, 3, 4, 5), (6, 3, 1, 1)),
    "one axis": ({"window_strides": (2,), "padding": "SAME"}, (2, 3, 11), (4, 3, 5)),
    "channels last": (
        {"window_strides": (1, 2), "padding": "SAME", "dimension_numbers": ("NHWC", "HWIO", "NHWC")},
        (2, 5, 6, 3), (3, 3, 3, 4),
    ),
    "batch last": (
        {"window_strides": (1, 1), "padding": "VALID", "dimension_numbers": ("CNHW", "IOHW", "CNHW")},
        (3, 2, 5, 6), (3, 4, 2, 2),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CONVOLUTIONS)
def test_convolutions(name):
    options, left, right = CONVOLUTIONS[name]
    for dtype in (F32, F64):
        x, w = values(dtype, left), values(dtype, right, 1)
        fn = lambda x, w: lax.conv_general_dilated(x, w, **options)  # noqa: E731
        back = lambda x, w, fn=fn: jax.vjp(fn, x, w)[1](fn(x, w))  # noqa: E731
        forward_rtol, back_rtol = (2e-5, 1e-4) if dtype == F32 else (None, None)
        check_all([(fn, (x, w), False, forward_rtol), (back, (x, w), False, back_rtol)])


POOLS = {
    "max": lambda x: lax.reduce_window(x, x.dtype.type(-np.inf), lax.max, (1, 1, 3, 2), (1, 1, 2, 1), "SAME"),
    "min": lambda x: lax.reduce_window(x, x.dtype.type(np.inf), lax.min, (1, 1, 2, 2), (1, 1, 2, 2), "VALID"),
    "sum": lambda x: lax.reduce_window(x, x.dtype.type(0), lax.add, (1, 1, 3, 3), (1, 1, 1, 2), "SAME"),
    "dilated": lambda x: lax.reduce_window(
        x, x.dtype.type(-np.inf), lax.max, (1, 1, 2, 2), (1, 1, 1, 1), "VALID", window_dilation=(1, 1, 2, 2)
    ),
}


@pytest.mark.parametrize("name", POOLS)
def test_pools(name):
    for dtype in (F32, F64):
        x = values(dtype, (2, 3, 7, 6))
        check(POOLS[name], x, exact=name != "sum")
    if name in ("max", "min"):
        ties = np.round(values(F32, (2, 3, 7, 6)))
        check(lambda x: jax.vjp(POOLS[name], x)[1](POOLS[name](x)), ties)


INDEXED = {
    "rows": lambda x, i: x[i],
    "rows, cut": lambda x, i: x.at[i].get(mode="clip"),
    "rows, filled": lambda x, i: x.at[i].get(mode="fill"),
    "a column each": lambda x, i: x[jnp.arange(4), i[:4] % 5],
    "pairs around": lambda x, i: x[i, :, i],
    "take_along_axis": lambda x, i: jnp.take_along_axis(x, jnp.broadcast_to(i[:, None, None] % 3, (4, 2, 6)), 1),
    "set": lambda x, i: x.at[i[:3]].set(x[0] * 0 + 7),
    "add": lambda x, i: x.at[i].add(x[0]),
    "add, dropped": lambda x, i: x.at[i].add(x[1], mode="drop"),
    "multiply": lambda x, i: x.at[:, i].multiply(3),
    "minimum": lambda x, i: x.at[i].min(x[1]),
    "maximum": lambda x, i: x.at[i, :, 2].max(x[2, :, 1]),
    "windows": lambda x, i: x.at[1:3, i].set(x[1:2, :1]),
}  # fmt: skip


@pytest.mark.parametrize("name", INDEXED)
def test_indexed(name):
    index = np.array([1, 3, -1, 0, 7, 2], np.int32)
    for dtype in (F32, F64, "int32", "uint8"):
        if name == "set":
            index = np.array([1, 3, 0, 2, 2, 2], np.int32)
        if name == "take_along_axis":
            index = np.array([1, 3, -1, 0], np.int32)
        check(INDEXED[name], values(dtype, (4, 3, 6)), index, rtol=1e-5)


def test_rows_of_tables_cost_little():
    """An embedding of one batch, and its gradient, which several rows add to one row of."""
    table, index = values(F32, (2000, 16)), np.random.RandomState(0).randint(-2001, 2002, (500, 39)).astype(np.int32)
    rows = jax.make_jaxpr(lambda x, i: x[i])(table, index)
    added = jax.make_jaxpr(lambda x, i: x.at[i].add(x[i]))(table, index)
    assert prepare(rows).cost < 1e6
    assert prepare(added).cost < 5e6
    table, index = table[:30], index[:3] % 40  # some are outside
    cases = [lambda x, i, axis=axis: jnp.take(x, i, axis, mode="fill") for axis in (0, 1)]
    check_all([(case, (table, index), True, None) for case in cases])
    check(lambda x, i: x.at[i].add(x[i]), table, index, rtol=1e-5)


def test_batched_indices():
    x, i = values(F32, (3, 5, 4)), np.array([[0, 4], [7, 1], [-1, 2]])
    check(jax.vmap(lambda x, i: x[i]), x, i, exact=True)
    check(jax.vmap(lambda x, i: x.at[i].add(1)), x, i)


def test_control_flow():
    check(lambda x: lax.cond(x[0] > 0, lambda x: x + 1, lambda x: x * 2, x), values(F32, (3,)))
    check(lambda x: lax.switch(x[0], [lambda x: x + 1, lambda x: x * 2, lambda x: -x], x), np.array([7, 2], np.int32))
    check(lambda x: lax.scan(lambda c, x: (c + x, c * x), x[0] * 0, x, reverse=True), values(F32, (5, 3)))


def test_nested_programs():
    @jax.custom_vjp
    def doubled(x):
        return x * 2

    doubled.defvjp(lambda x: (x * 2, None), lambda _, g: (g * 5,))
    check(lambda x: jax.vjp(lambda x: jax.nn.relu(doubled(x)) * jax.jit(jnp.sin)(x), x)[1](x), values(F32, (3,)))
    check(lambda x: jax.checkpoint(jnp.sin)(x), values(F32, (3,)))
    check(lambda x: lax.optimization_barrier(x), values(F32, (3,)))
    check(lambda x: lax.optimization_barrier((x, x + 1)), values(F32, (3,)))


def test_what_no_result_needs_is_left_out():
    """A pullback has the forward pass's results as those of a nested program, and reads none of them."""

    def both(x):
        return jax.jit(lambda x: (x * 3, lax.while_loop(lambda x: x[0] < 9, lambda x: x + 1, x)))(x)[0]

    check(both, values(F32, (3,)))
    check(lambda x: jax.jit(both)(x) + 1, values(F32, (3,)))


def test_a_dense_layer_of_a_large_batch_is_interpreted():
    shapes = [jax.ShapeDtypeStruct(shape, np.float32) for shape in ((1000, 624), (256, 624))]
    assert prepare(jax.make_jaxpr(lambda x, w: x @ w.T)(*shapes)) is not None


def test_what_costs_little_beside_its_compilation_is_interpreted():
    """Depthwise convolutions and kernels of moderate size; and longer programs may cost more."""
    shapes = [jax.ShapeDtypeStruct(shape, np.float32) for shape in ((4, 144, 34, 34), (144, 1, 3, 3))]
    depthwise = lambda x, w: lax.conv_general_dilated(x, w, (1, 1), "VALID", feature_group_count=144)  # noqa: E731
    assert prepare(jax.make_jaxpr(depthwise)(*shapes)) is not None

    def exponentials(x, times):
        for _ in range(times):
            x = jnp.exp(x)
        return x

    large = jax.ShapeDtypeStruct((1_000_000,), np.float32)
    assert prepare(jax.make_jaxpr(lambda x: exponentials(x, 7))(large)) is None
    assert prepare(jax.make_jaxpr(lambda x: exponentials(x, 7) + exponentials(x[:9], 60).sum())(large)) is not None


def test_what_is_left_to_the_compiler():
    large = jax.ShapeDtypeStruct((4000, 4000), np.float32)
    assert prepare(jax.make_jaxpr(jnp.matmul)(large, large)) is None
    assert prepare(jax.make_jaxpr(jnp.linalg.cholesky)(np.eye(2))) is None
    assert prepare(jax.make_jaxpr(lambda x: lax.while_loop(lambda x: x < 9, lambda x: x + 1, x))(1)) is None


def test_a_window_with_nan_is_left_to_the_compiler():
    pool = POOLS["max"]
    prepared = prepare(jax.make_jaxpr(lambda x: jax.vjp(pool, x)[1](pool(x)))(values(F32, (2, 3, 7, 6))))
    assert run(prepared, [np.full((2, 3, 7, 6), np.nan, np.float32)]) is None


@pytest.mark.parametrize("dtype", [F32, F64])
@pytest.mark.parametrize("name", ["erf", "erfc", "lgamma", "digamma"])
def test_poles_and_infinities_of_special_functions(name, dtype):
    check(getattr(lax, name), np.array([0.0, -0.0, -1.0, -2.0, 0.5, -0.5, np.inf, -np.inf, np.nan], dtype), rtol=2e-5)
