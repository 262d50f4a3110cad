"""The 100 operations that scripts use most, called eagerly, against a raw `jax.jit` of the same computation.

A row is: the family of operations (`ops.ReduceSum`, `ops.sum`, `mint.sum`, ... are one), the call as a script writes
it, and the same by hand in JAX. The order is that of use; what gives no array (`shape`, `dtype`, `depend`, `partial`)
or only wraps a number stands in the table where its call costs something.
"""

import inspect

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Parameter, Tensor, mint, ops
from tests.benchmarks.measure import check_ratio

pytestmark = pytest.mark.benchmark

BUDGET = 1.8

TABLE = """
concat | concat_((x, y)) | lambda x, y: jnp.concatenate((x, y), 0)
sum | reduce_sum_(x, 1) | lambda x: jnp.sum(x, 1)
cast | cast_(x, ms.float16) | lambda x: x.astype(jnp.float16)
mean | ops.mean(x, 1) | lambda x: jnp.mean(x, 1)
reshape | reshape_(x, (64, 32)) | lambda x: jnp.reshape(x, (64, 32))
expanddims | ops.expand_dims(x, 1) | lambda x: jnp.expand_dims(x, 1)
transpose | transpose_(x, (1, 0)) | lambda x: jnp.transpose(x, (1, 0))
matmul | matmul_(x, w) | lambda x, w: jnp.matmul(x, w)
mul | mul_(x, y) | lambda x, y: x * y
add | ops.add(x, y) | lambda x, y: x + y
tile | ops.tile(x, (2, 1)) | lambda x: jnp.tile(x, (2, 1))
onehot | ops.one_hot(i, 32) | lambda i: jax.nn.one_hot(i, 32)
squeeze | ops.squeeze(x1, 1) | lambda x1: jnp.squeeze(x1, 1)
zeros | ops.zeros((32, 64), ms.float32) | lambda: jnp.zeros((32, 64), jnp.float32)
fill | ops.fill(ms.float32, (32, 64), 2) | lambda: jnp.full((32, 64), 2, jnp.float32)
relu | relu_(x) | lambda x: jax.nn.relu(x)
sigmoid | ops.sigmoid(x) | lambda x: jax.nn.sigmoid(x)
sqrt | ops.sqrt(p) | lambda p: jnp.sqrt(p)
zeroslike | ops.zeros_like(x) | lambda x: jnp.zeros_like(x)
exp | ops.exp(x) | lambda x: jnp.exp(x)
softmax | softmax_(x) | lambda x: jax.nn.softmax(x, -1)
log | ops.log(p) | lambda p: jnp.log(p)
max | ops.max(x, 1) | lambda x: (jnp.max(x, 1), jnp.argmax(x, 1))
ones | ops.ones((32, 64), ms.float32) | lambda: jnp.ones((32, 64), jnp.float32)
split | ops.split(x, 16) | lambda x: jnp.split(x, 2, 0)
stack | ops.stack((x, y)) | lambda x, y: jnp.stack((x, y))
div | ops.div(x, p) | lambda x, p: x / p
oneslike | ops.ones_like(x) | lambda x: jnp.ones_like(x)
select | ops.select(b, x, y) | lambda b, x, y: jnp.where(b, x, y)
minimum | ops.minimum(x, y) | lambda x, y: jnp.minimum(x, y)
equal | ops.equal(x, y) | lambda x, y: x == y
pow | ops.pow(p, 2.5) | lambda p: p ** 2.5
maximum | ops.maximum(x, y) | lambda x, y: jnp.maximum(x, y)
square | ops.square(x) | lambda x: jnp.square(x)
gather | ops.gather(x, i, 0) | lambda x, i: jnp.take(x, i, 0)
reciprocal | ops.reciprocal(p) | lambda p: 1 / p
tupletoarray | ops.tuple_to_array((1, 2, 3)) | lambda: jnp.asarray(np.array((1, 2, 3), np.int32))
arange | ops.arange(0, 32) | lambda: jnp.arange(0, 32)
topk | ops.topk(x, 5) | lambda x: jax.lax.top_k(x, 5)
abs | ops.abs(x) | lambda x: jnp.abs(x)
tanh | ops.tanh(x) | lambda x: jnp.tanh(x)
greater | ops.greater(x, y) | lambda x, y: x > y
broadcastto | ops.broadcast_to(v, (32, 64)) | lambda v: jnp.broadcast_to(v, (32, 64))
sub | ops.sub(x, y) | lambda x, y: x - y
assign | ops.assign(parameter, x) | lambda x: x + 0
resizenearest | resize_(img) | lambda img: jax.image.resize(img, (4, 8, 32, 32), "nearest")
argmax | argmax_(x) | lambda x: jnp.argmax(x, -1).astype(jnp.int32)
bce_logits | bce_(x, y) | bce_by_hand
flatten | flatten_(img) | lambda img: img.reshape(4, -1)
gathernd | ops.gather_nd(x, nd) | lambda x, nd: x[nd[:, 0], nd[:, 1]]
notequal | ops.not_equal(x, y) | lambda x, y: x != y
sin | ops.sin(x) | lambda x: jnp.sin(x)
less | ops.less(x, y) | lambda x, y: x < y
pad | pad_(x) | lambda x: jnp.pad(x, ((1, 1), (2, 2)))
cos | ops.cos(x) | lambda x: jnp.cos(x)
norm | ops.norm(x) | lambda x: jnp.sqrt(jnp.sum(x * x))
biasadd | ops.bias_add(x, v) | lambda x, v: x + v
scalartotensor | ops.scalar_to_tensor(2.0) | lambda: jnp.asarray(2.0, jnp.float32)
logsoftmax | ops.log_softmax(x) | lambda x: jax.nn.log_softmax(x, -1)
floor | ops.floor(x) | lambda x: jnp.floor(x)
where | ops.where(b, x, y) | lambda b, x, y: jnp.where(b, x, y)
eye | ops.eye(8, 8, ms.float32) | lambda: jnp.eye(8, 8, dtype=jnp.float32)
greaterequal | ops.ge(x, y) | lambda x, y: x >= y
sort | ops.sort(x) | lambda x: (jnp.sort(x, -1), jnp.argsort(x, -1))
l2normalize | l2_(x) | l2_by_hand
slice | ops.slice(x, (1, 0), (4, 64)) | lambda x: jax.lax.slice(x, (1, 0), (5, 64))
lessequal | ops.le(x, y) | lambda x, y: x <= y
logicaland | ops.logical_and(b, b) | lambda b: b & b
assignadd | ops.assign_add(parameter, x) | lambda x: x + x
min | mint.amin(x, 1) | lambda x: jnp.min(x, 1)
stridedslice | slices_(x, (0, 0), (8, 64), (2, 1)) | lambda x: jax.lax.slice(x, (0, 0), (8, 64), (2, 1))
uniformreal | uniform_((32, 64)) | lambda k: jax.random.uniform(jax.random.key(k), (32, 64), jnp.float32)
conv2d | conv_(img, kernel) | lambda img, kernel: jax.lax.conv(img, kernel, (1, 1), "VALID")
gatherd | ops.gather_d(x, 1, cols) | lambda x, cols: jnp.take_along_axis(x, cols, 1)
linspace | ops.linspace(0.0, 1.0, 11) | lambda: jnp.linspace(0.0, 1.0, 11, dtype=jnp.float32)
logicalnot | ops.logical_not(b) | lambda b: ~b
cumsum | ops.cumsum(x, 1) | lambda x: jnp.cumsum(x, 1)
neg | ops.neg(x) | lambda x: -x
interpolate | ops.interpolate(img, size=(32, 32), mode="bilinear") | bilinear_by_hand
full | ops.full((32, 64), 2.0) | lambda: jnp.full((32, 64), 2.0, jnp.float32)
softmax_ce | ce_(x, y) | lambda x, y: (-(y * jax.nn.log_softmax(x)).sum(-1), jax.nn.softmax(x) - y)
logicalor | ops.logical_or(b, b) | lambda b: jnp.logical_or(b, b)
reversev2 | reverse_(x) | lambda x: jnp.flip(x, 1)
round | ops.round(x) | lambda x: jnp.round(x)
addn | ops.addn((x, y, x)) | lambda x, y: x + y + x
clip | ops.clamp(x, -1.0, 1.0) | lambda x: jnp.clip(x, -1.0, 1.0)
meshgrid | ops.meshgrid(v, v) | lambda v: jnp.meshgrid(v, v)
rsqrt | ops.rsqrt(p) | lambda p: jax.lax.rsqrt(p)
smoothl1loss | ops.smooth_l1_loss(x, y) | smooth_by_hand
scatternd | ops.scatter_nd(rows, u, (32, 64)) | lambda rows, u: jnp.zeros((32, 64), jnp.float32).at[rows[:, 0]].add(u)
gelu | ops.gelu(x) | lambda x: jax.nn.gelu(x)
sign | ops.sign(x) | lambda x: jnp.sign(x)
standardnormal | ops.standard_normal((32, 64)) | lambda k: jax.random.normal(jax.random.key(k), (32, 64), jnp.float32)
adaptivepool | ops.adaptive_avg_pool2d(img, 1) | lambda img: img.mean((2, 3), keepdims=True)
range | ops.range(0, 32, 1) | lambda: jnp.arange(0, 32, 1)
bce | ops.binary_cross_entropy(q, q) | lambda q: -(q * jnp.log(q) + (1 - q) * jnp.log(1 - q)).mean()
flip | ops.flip(x, (1,)) | lambda x: jnp.flip(x, (1,))
iou | ops.iou(boxes, boxes) | iou_by_hand
maxpool | ops.max_pool2d(img, 2, 2) | max_pool_by_hand
softplus | ops.softplus(x) | lambda x: jax.nn.softplus(x)
dropout | ops.dropout(x, 0.5) | dropout_by_hand
"""

RNG = np.random.default_rng(0)


def tensor(*shape, dtype=np.float32):
    return Tensor(RNG.standard_normal(shape).astype(dtype))


def iou_by_hand(boxes):
    corners = jnp.maximum(boxes[:, None, :2], boxes[None, :, :2]), jnp.minimum(boxes[:, None, 2:], boxes[None, :, 2:])
    inside = jnp.prod(jnp.maximum(corners[1] - corners[0] + 1, 0), -1)
    area = (boxes[:, 2] - boxes[:, 0] + 1) * (boxes[:, 3] - boxes[:, 1] + 1)
    return inside / (area[:, None] + area[None] - inside)


def bce_by_hand(x, y):
    return jnp.maximum(x, 0) - x * y + jnp.log1p(jnp.exp(-jnp.abs(x)))


def l2_by_hand(x):
    return x / jnp.sqrt(jnp.maximum(jnp.sum(x * x, 1, keepdims=True), 1e-4))


def bilinear_by_hand(img):
    return jax.image.resize(img, (4, 8, 32, 32), "bilinear")


def smooth_by_hand(x, y):
    return jnp.where(abs(x - y) < 1, 0.5 * (x - y) ** 2, abs(x - y) - 0.5)


def max_pool_by_hand(img):
    return jax.lax.reduce_window(img, -jnp.inf, jax.lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID")


def dropout_by_hand(x, k):
    return jnp.where(jax.random.bernoulli(jax.random.key(k), 0.5, x.shape), x / 0.5, 0)


BY_HAND = {f.__name__: f for f in (bilinear_by_hand, bce_by_hand, l2_by_hand, smooth_by_hand, max_pool_by_hand)}
BY_HAND |= {f.__name__: f for f in (dropout_by_hand, iou_by_hand)}
TENSORS = {
    "x": tensor(32, 64),
    "y": tensor(32, 64),
    "w": tensor(64, 64),
    "v": tensor(64),
    "u": tensor(16, 64),
    "x1": tensor(32, 1, 64),
    "p": Tensor(RNG.uniform(0.5, 2, (32, 64)).astype(np.float32)),
    "q": Tensor(RNG.uniform(0.1, 0.9, (32, 64)).astype(np.float32)),
    "b": Tensor(RNG.uniform(size=(32, 64)) < 0.5),
    "i": Tensor(RNG.integers(0, 32, 16).astype(np.int32)),
    "nd": Tensor(RNG.integers(0, 32, (16, 2)).astype(np.int32)),
    "rows": Tensor(np.arange(16, dtype=np.int32)[:, None]),
    "cols": Tensor(RNG.integers(0, 64, (32, 8)).astype(np.int64)),
    "img": tensor(4, 8, 16, 16),
    "kernel": tensor(8, 8, 3, 3),
    "boxes": Tensor(np.sort(RNG.uniform(0, 30, (16, 4)).astype(np.float32), 1)),
}
PRIMITIVES = {
    "parameter": Parameter(tensor(32, 64), name="parameter"),
    "concat_": ops.Concat(0),
    "reduce_sum_": ops.ReduceSum(),
    "cast_": ops.Cast(),
    "reshape_": ops.Reshape(),
    "transpose_": ops.Transpose(),
    "matmul_": ops.MatMul(),
    "mul_": ops.Mul(),
    "relu_": ops.ReLU(),
    "softmax_": ops.Softmax(),
    "resize_": ops.ResizeNearestNeighbor((32, 32)),
    "argmax_": ops.Argmax(),
    "bce_": ops.SigmoidCrossEntropyWithLogits(),
    "flatten_": ops.Flatten(),
    "pad_": ops.Pad(((1, 1), (2, 2))),
    "l2_": ops.L2Normalize(1, 1e-4),
    "slices_": ops.StridedSlice(),
    "uniform_": ops.UniformReal(),
    "conv_": ops.Conv2D(8, 3),
    "ce_": ops.SoftmaxCrossEntropyWithLogits(),
    "reverse_": ops.ReverseV2((1,)),
}
RANDOM = {"uniformreal", "standardnormal", "dropout"}
WRITES = {"assign", "assignadd"}
TRANSFERS = {"tupletoarray", "scalartotensor"}  # host values become arrays: there is nothing to compile
ROWS = [tuple(part.strip() for part in line.split("|")) for line in TABLE.strip().splitlines()]


def arrays(out):
    parts = out if isinstance(out, (tuple, list)) else (out,)
    return [np.asarray(part._v if isinstance(part, Tensor) else part) for part in parts]


@pytest.mark.parametrize(("family", "ours", "raw"), ROWS, ids=[row[0] for row in ROWS])
def test_eager_call(family, ours, raw):
    names = {"ops": ops, "mint": mint, "ms": ms, "jnp": jnp, "jax": jax, "np": np, **BY_HAND}
    call = eval(f"lambda: {ours}", {**names, **TENSORS, **PRIMITIVES})
    by_hand = eval(raw, names)
    given = [TENSORS[n]._v if n in TENSORS else jnp.uint32(1) for n in inspect.signature(by_hand).parameters]
    compiled = by_hand if family in TRANSFERS else jax.jit(by_hand)
    if family not in WRITES | RANDOM:
        for mine, other in zip(arrays(call()), arrays(compiled(*given)), strict=True):
            assert mine.shape == other.shape
            np.testing.assert_allclose(mine.astype(np.float64), other.astype(np.float64), rtol=2e-3, atol=2e-3)
    check_ratio(f"eager {family}", call, lambda: compiled(*given), BUDGET)


def test_the_table_has_a_hundred_rows():
    assert len({row[0] for row in ROWS}) >= 100
