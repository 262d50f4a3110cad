"""Samples of `mindspore.mint`, written so that PyTorch evaluates the same text; it has the same names and defaults.

`mint` is the module under test: PyTorch itself when recording, `ms_compat.mint` when replaying. `layer(...)` sets the
parameters of a layer to fixed values. Most of these names run on Ascend alone in MindSpore, so that PyTorch is the only
oracle there is. A sample that begins with `~` has no gradient (integers, indices, values of no tensor).
"""

import numpy as np

RNG = np.random.default_rng(7)


def _rounded(values):
    return np.round(values, 2).astype(np.float32)


ARRAYS = {
    "x": np.array([[1.5, -2.25, 3.125], [4.0, 0.5, -6.75]], np.float32),
    "y": np.array([[0.5, 1.25, -3.0], [2.0, -0.75, 1.5]], np.float32),
    "p": np.array([[0.5, 1.25, 3.0], [2.0, 0.75, 1.5]], np.float32),
    "q": np.array([[0.2, 0.7, 0.4], [0.9, 0.1, 0.55]], np.float32),
    "d": np.array([[1.5, -2.25], [0.75, 2.0]], np.float64),
    "i": np.array([[1, 2, 3], [4, 5, -6]], np.int64),
    "j": np.array([[7, 3, 2], [2, 9, 4]], np.int64),
    "k": np.array([[2, 0, 1], [0, 1, 1]], np.int64),
    "n": np.array([3, -1, 2], np.int32),
    "b": np.array([[True, False, True], [False, True, True]]),
    "c": np.array([[True, True, False], [False, True, False]]),
    "v": np.array([3.0, 1.0, 2.5, -4.0], np.float32),
    "w": np.array([0.5, -1.0, 2.0, 1.5], np.float32),
    "nan": np.array([1.0, np.nan, np.inf, -np.inf], np.float32),
    "m": np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]], np.float32),
    "u": np.array([[4.0, 1.0, 0.5], [0.0, 3.0, 0.25], [0.0, 0.0, 2.0]], np.float32),
    "B": _rounded(RNG.standard_normal((2, 3, 4))),
    "D": _rounded(RNG.standard_normal((2, 4, 3))),
    "S": _rounded(RNG.standard_normal((2, 4, 9))),
    "I": _rounded(RNG.standard_normal((2, 4, 6, 6))),
    "V": _rounded(RNG.standard_normal((1, 2, 4, 6, 4))),
    "K1": _rounded(RNG.standard_normal((6, 2, 3))),
    "K2": _rounded(RNG.standard_normal((6, 4, 3, 2))),
    "K3": _rounded(RNG.standard_normal((3, 2, 2, 2, 2))),
    "KT": _rounded(RNG.standard_normal((4, 2, 3, 3))),
    "G": _rounded(RNG.uniform(-1.1, 1.1, (2, 3, 5, 2))),
    "t": np.array([1, 0], np.int64),
    "z": np.array([0.0, 2.0, -1.5, 0.5, 1.0], np.float32),
    "sorted": np.array([1.0, 2.0, 4.0, 8.0], np.float32),
}
# The gradients of an output are taken with respect to these, where it depends on them.
DIFFERENTIATED = "x y q B D S I V K1 K2 K3 KT m".split()

FUNCTIONS = r"""
mint.abs(x); mint.acos(q); mint.acosh(p + 1); mint.add(x, y); mint.add(x, y, alpha=2); mint.add(x, 2);
~mint.add(i, 2); ~mint.add(i, j, alpha=3); mint.addbmm(mint.zeros((3, 3)), B, D, beta=0.5, alpha=2);
mint.addcdiv(x, y, p, value=0.5); mint.addmm(m, x.t(), y, alpha=2); mint.addmv(x[:, 0], x, y[0], beta=0.5);
~mint.all(b); ~mint.all(b, 1); ~mint.all(b, dim=0, keepdim=True); ~mint.allclose(x, x + 1e-9); mint.amax(x, 1);
mint.amax(x, (0, 1), True); mint.amin(x, 0); ~mint.any(b); ~mint.any(b, 1); ~mint.any(b, dim=0, keepdim=True);
~mint.arange(5); ~mint.arange(1, 8, 3); ~mint.arange(0.0, 1.0, 0.25); mint.arccos(q); mint.arccosh(p + 1);
mint.arcsin(q); mint.arcsinh(x); mint.arctan(x); mint.arctan2(x, y); mint.arctanh(q); ~mint.argmax(x);
~mint.argmax(x, 1); ~mint.argmax(x, 0, True); ~mint.argmin(x); ~mint.argmin(x, 1, keepdim=True); ~mint.argsort(x);
~mint.argsort(x, 0, True); mint.asin(q); mint.asinh(x); mint.atan(x); mint.atan2(x, y); mint.atanh(q);
mint.baddbmm(mint.ones((2, 3, 3)), B, D); mint.baddbmm(mint.ones((2, 3, 3)), B, D, beta=2, alpha=0.5);
~mint.bincount(mint.abs(n)); ~mint.bincount(t, minlength=4); ~mint.bincount(t, q[0, :2]); ~mint.bitwise_and(i, j);
~mint.bitwise_and(i, 3); ~mint.bitwise_not(i); ~mint.bitwise_not(b); ~mint.bitwise_or(i, j); ~mint.bitwise_xor(i, 5);
mint.bmm(B, D); mint.broadcast_to(v, (2, 4)); mint.cat((x, y)); mint.cat((x, y), 1); ~mint.cat((i, j), -1);
mint.cdist(x, y); mint.cdist(x, y, 1.0); ~mint.ceil(x); mint.chunk(x, 2, 1); mint.clamp(x, -1, 2);
mint.clamp(x, min=0.3); mint.clamp(x, max=y); mint.clamp(x, y, p + 3); ~mint.clamp(i, 0, 3); mint.clone(x);
mint.concat((x, y), 1); mint.conv2d(I, K2); mint.conv2d(I, K2, stride=2, padding=1);
mint.conv2d(I, K2, padding="same"); mint.conv2d(I[0], K2, dilation=(2, 1)); mint.conv2d(I, K2[:, :2], groups=2);
mint.cos(x); mint.cosh(x); ~mint.count_nonzero(i); ~mint.count_nonzero(x, 1); mint.cross(x, y);
mint.cross(x, y, dim=1); mint.cummax(x, 1); mint.cummin(x, 0); mint.cumprod(x, 1); mint.cumsum(x, 0);
~mint.cumsum(i, 1); mint.cumsum(x, 1, dtype=FLOAT64); mint.diag(v); mint.diag(m); mint.diag(m, 1); mint.diff(x);
mint.diff(x, dim=0); mint.diff(v, 2); mint.diff(v, prepend=w); mint.div(x, y); mint.div(x, y, rounding_mode="floor");
mint.div(x, y, rounding_mode="trunc"); ~mint.div(i, j); ~mint.div(i, j, rounding_mode="floor"); mint.divide(x, 4);
mint.dot(v, w); mint.dstack((x, y)); mint.einsum("bij,bjk->bik", B, D); mint.einsum("ij,ij", x, y);
mint.einsum("bij->bi", B); mint.einsum(B, [0, 1, 2], D, [0, 2, 3], [0, 1, 3]); mint.einsum(x, [..., 1], y, [..., 1]);
~tuple(mint.empty(2, 3).shape) == (2, 3); ~tuple(mint.empty_like(x).shape) == (2, 3); ~mint.eq(x, y); ~mint.eq(i, 2);
~mint.equal(x, x); mint.erf(x); mint.erfc(x); mint.erfinv(q); mint.exp(y); mint.exp2(y); mint.expm1(y); ~mint.eye(3);
~mint.eye(2, 3, dtype=INT64); ~mint.fix(x); mint.flatten(B); mint.flatten(B, 1); mint.flatten(B, 0, 1);
mint.flip(x, (1,)); mint.flip(B, (0, -1)); mint.float_power(p, 2.5); ~mint.float_power(i, 2); ~mint.floor(x);
~mint.floor_divide(x, y); ~mint.floor_divide(i, j); mint.fmod(x, 2.5); mint.fmod(x, y); ~mint.fmod(i, j);
mint.frac(x); ~mint.full((2, 3), 1.5); ~mint.full((2,), 3); ~mint.full((2,), True); ~mint.full_like(x, 2);
~mint.full_like(i, 2.0, dtype=FLOAT32); mint.gather(x, 1, k); ~mint.gcd(i, j); ~mint.greater(x, y);
~mint.greater_equal(x, y); ~mint.gt(x, 1); ~mint.histc(x, 4); ~mint.histc(x, 3, -2, 4); mint.hstack((v, w));
mint.hstack((x, y)); mint.index_add(x, 1, t, y[:, :2]); mint.index_add(x, 0, t, y, alpha=2);
mint.index_select(x, 1, t); mint.inverse(m); ~mint.isclose(x, x + 1e-9); ~mint.isfinite(nan); ~mint.isinf(nan);
~mint.isnan(nan); ~mint.isneginf(nan); mint.kthvalue(x, 2); mint.kthvalue(x, 1, 0, True); ~mint.le(x, y);
mint.lerp(x, y, 0.3); mint.lerp(x, y, q); ~mint.less(x, y); ~mint.less_equal(x, 0.5); ~mint.linspace(0, 1, 5);
~mint.linspace(-2.0, 3.0, 4, dtype=FLOAT64); mint.log(p); mint.log10(p); mint.log1p(p); mint.log2(p);
mint.logaddexp(x, y); mint.logaddexp2(x, y); ~mint.logical_and(b, c); ~mint.logical_not(b); ~mint.logical_not(i);
~mint.logical_or(b, c); ~mint.logical_xor(b, c); mint.logsumexp(x, 1); mint.logsumexp(x, (0, 1), True);
~mint.lt(x, y); mint.masked_select(x, b); mint.matmul(x, y.t()); mint.matmul(v, w); mint.matmul(B, D[0]);
mint.matmul(x, x[0]); mint.max(x); mint.max(x, 1); mint.max(x, 0, True); mint.max(x, y); ~mint.max(i);
mint.maximum(x, y); mint.mean(x); mint.mean(x, 1); mint.mean(x, (0, 1), True); mint.mean(x, dtype=FLOAT64);
mint.median(x); mint.median(x, 1); mint.meshgrid(v, w, indexing="ij"); mint.meshgrid(v, w, indexing="xy");
mint.min(x); mint.min(x, 1); mint.min(x, dim=0, keepdim=True); mint.minimum(x, y); mint.mm(x, y.t()); mint.mul(x, y);
mint.mul(x, 2); ~mint.mul(i, 2.5); mint.mv(x, y[0]); mint.nan_to_num(x); ~mint.nan_to_num(nan);
~mint.nan_to_num(nan, 0.5, 9.0, -9.0); ~mint.nansum(nan[:2]); mint.nansum(x, 1); mint.narrow(x, 1, 1, 2);
~mint.ne(x, y); mint.neg(x); mint.negative(x); ~mint.nonzero(i); ~mint.nonzero(b, as_tuple=True); mint.norm(x);
mint.norm(x, 2, 1); mint.norm(x, 1, 0, True); mint.norm(x, float("inf")); mint.norm(x, 3, dim=1);
~mint.not_equal(x, 0.5); ~mint.ones((2, 3)); ~mint.ones((2,), dtype=INT64); ~mint.ones_like(i); mint.outer(v, w);
mint.permute(B, (2, 0, 1)); ~mint.polar(p, x); mint.pow(p, 2.5); mint.pow(x, 2); mint.pow(2, x); mint.pow(p, y);
~mint.pow(i, 2); mint.prod(x); mint.prod(x, 1); mint.prod(x, 0, True); ~mint.prod(i); mint.ravel(B);
~mint.real(mint.polar(p, x)); ~mint.imag(mint.polar(p, x)); mint.reciprocal(x); mint.remainder(x, 2.5);
mint.remainder(x, y); ~mint.remainder(i, j); mint.repeat_interleave(x, 2); mint.repeat_interleave(x, 2, 1);
~mint.repeat_interleave(i, 2, dim=0); mint.reshape(x, (3, 2)); mint.reshape(x, (-1,)); mint.roll(x, 1);
mint.roll(x, (1, 2), (0, 1)); ~mint.round(x); ~mint.round(y, decimals=1); mint.rsqrt(p);
mint.scatter(x, 1, k[:, :2], y[:, :2]); mint.scatter(x, 1, k[:, :1], 2.5); mint.scatter_add(x, 1, k, y);
~mint.searchsorted(sorted, p); ~mint.searchsorted(sorted, p, right=True);
~mint.searchsorted(sorted, p, out_int32=True); ~mint.searchsorted(sorted, p, side="right"); mint.select(x, 1, 2);
mint.sigmoid(x); ~mint.sign(x); mint.sin(x); mint.sinc(y); mint.sinh(y); mint.softmax(x, 1);
mint.softmax(x, dim=0, dtype=FLOAT64); mint.sort(x);
mint.sort(x, dim=1, descending=True, stable=True); mint.split(x, 1); mint.split(x, (1, 2), 1);
mint.split(x, 2, dim=1); mint.sqrt(p); mint.square(x); mint.squeeze(x[None], 0);
mint.squeeze(x[:, None], (1,)); mint.stack((x, y)); mint.stack((x, y), 2); mint.std(x); mint.std(x, 1);
mint.std(x, dim=1, correction=0); mint.std(x, dim=0, keepdim=True); mint.std_mean(x, 1); mint.std_mean(x);
mint.sub(x, y); mint.sub(x, y, alpha=2); mint.sub(x, 1.5); mint.sum(x); mint.sum(x, 1); mint.sum(x, (0, 1), True);
~mint.sum(i); ~mint.sum(b); mint.sum(x, dtype=FLOAT64); mint.swapaxes(B, 0, 2); mint.t(x); mint.take(x, t);
mint.tan(y); mint.tanh(x); mint.tile(x, (2, 2)); mint.topk(x, 2); mint.topk(x, 1, 0);
mint.topk(x, 2, dim=1, largest=False); mint.trace(m); mint.transpose(B, 1, 2); mint.triangular_solve(m, u)[0];
mint.triangular_solve(m, u, upper=True, transpose=True)[0]; mint.tril(m); mint.tril(m, -1); mint.triu(m);
mint.triu(m, 1); ~mint.trunc(x); mint.unbind(x); mint.unbind(x, 1); ~mint.unique(j);
~mint.unique(j, return_inverse=True); ~mint.unique(j, return_inverse=True, return_counts=True);
~mint.unique(i, dim=0); ~mint.unique_consecutive(t);
~mint.unique_consecutive(j[0], return_inverse=True, return_counts=True); mint.unsqueeze(x, 1); mint.unsqueeze(x, -1);
mint.var(x); mint.var(x, 1); mint.var(x, dim=1, correction=0, keepdim=True); mint.var_mean(x, 1); mint.vdot(v, w);
mint.where(b, x, y); mint.where(b, x, 0.0); ~mint.where(b); mint.xlogy(x, p); mint.xlogy(2.0, p); ~mint.zeros((2, 3));
~mint.zeros((2,), dtype=INT64); ~mint.zeros_like(x); ~mint.zeros_like(x, dtype=INT64); mint.linalg.inv(m);
mint.linalg.matrix_norm(x); mint.linalg.matrix_norm(m, "nuc"); mint.linalg.matrix_norm(m, 2);
mint.linalg.matrix_norm(m, 1, keepdim=True); mint.linalg.matrix_norm(B, dim=(0, 2));
mint.linalg.matrix_norm(m, float("-inf")); mint.linalg.norm(x); mint.linalg.norm(v); mint.linalg.norm(m, 2);
mint.linalg.norm(x, 3, 1); mint.linalg.norm(x, "fro"); mint.linalg.qr(m)[1].abs(); mint.linalg.vector_norm(x);
mint.linalg.vector_norm(x, 1, 1); mint.linalg.vector_norm(x, 3, keepdim=True);
mint.linalg.vector_norm(x, float("inf"), 0); mint.special.erfc(x); mint.special.exp2(y); mint.special.expm1(y);
mint.special.log1p(p); mint.special.log_softmax(x, 1); ~mint.special.round(x); ~mint.special.round(y, decimals=1);
mint.special.sinc(y)
"""

FUNCTIONAL = r"""
mint.nn.functional.adaptive_avg_pool1d(S, 4); mint.nn.functional.adaptive_avg_pool2d(I, (2, 3));
mint.nn.functional.adaptive_avg_pool2d(I, 4); mint.nn.functional.adaptive_avg_pool3d(V, (2, 3, 2));
mint.nn.functional.adaptive_max_pool1d(S, 4); mint.nn.functional.adaptive_max_pool1d(S, 4, True);
mint.nn.functional.adaptive_max_pool2d(I, (2, 3)); mint.nn.functional.adaptive_max_pool2d(I, 4, True);
mint.nn.functional.avg_pool1d(S, 3); mint.nn.functional.avg_pool1d(S, 3, 2, 1, True);
mint.nn.functional.avg_pool1d(S, 3, 2, 1, False, False); mint.nn.functional.avg_pool2d(I, 2);
mint.nn.functional.avg_pool2d(I, 3, 2, 1, True, False, 5);
mint.nn.functional.avg_pool2d(I, (2, 3), padding=(1, 1), count_include_pad=False);
mint.nn.functional.interpolate(I, scale_factor=1.3); mint.nn.functional.interpolate(S[:, :3], scale_factor=1.3);
mint.nn.functional.interpolate(I, scale_factor=(0.6, 2.0), mode="bilinear");
mint.nn.functional.interpolate(I, scale_factor=1.3, mode="bilinear", align_corners=True);
mint.nn.functional.interpolate(I, scale_factor=1.3, mode="bilinear", recompute_scale_factor=True);
mint.nn.functional.interpolate(I, scale_factor=1.3, mode="bicubic");
mint.nn.functional.interpolate(S, scale_factor=1.6, mode="linear");
mint.nn.functional.interpolate(V, scale_factor=1.3); mint.nn.functional.interpolate(V, (5, 7, 3), mode="trilinear");
mint.nn.functional.interpolate(V, scale_factor=(2.5, 1.4, 0.7), mode="trilinear");
mint.nn.functional.avg_pool3d(V, 2); mint.nn.functional.avg_pool3d(V, 3, 2, 1, True);
mint.nn.functional.batch_norm(I, v, p.ravel()[:4], w, v);
mint.nn.functional.batch_norm(I, v * 1, p.ravel()[:4] * 1, w, v, training=True);
mint.nn.functional.batch_norm(I, v, p.ravel()[:4], eps=0.1); mint.nn.functional.binary_cross_entropy(q, b.float());
mint.nn.functional.binary_cross_entropy(q, b.float(), p, reduction="sum");
mint.nn.functional.binary_cross_entropy(q, b.float(), reduction="none");
mint.nn.functional.binary_cross_entropy_with_logits(x, b.float());
mint.nn.functional.binary_cross_entropy_with_logits(x, b.float(), weight=p, reduction="none", pos_weight=p);
mint.nn.functional.conv1d(S, K1, groups=2); mint.nn.functional.conv1d(S, K1, v[:3].repeat(2), 2, 1, 1, 2);
mint.nn.functional.conv1d(S, K1, padding="same", groups=2); mint.nn.functional.conv2d(I, K2);
mint.nn.functional.conv2d(I, K2, stride=(2, 1), padding=(1, 0)); mint.nn.functional.conv2d(I, K2, padding="valid");
mint.nn.functional.conv3d(V, K3); mint.nn.functional.conv3d(V, K3, v[:3], 2, 1);
mint.nn.functional.conv3d(V, K3, padding="same", dilation=2); mint.nn.functional.conv_transpose2d(I, KT);
mint.nn.functional.conv_transpose2d(I, KT, w[:2], 2, 1, 1);
mint.nn.functional.conv_transpose2d(I, KT[:, :1], groups=2, stride=2, dilation=2);
mint.nn.functional.cosine_embedding_loss(x, y, mint.ones(2));
mint.nn.functional.cosine_embedding_loss(x, y, -mint.ones(2), 0.1, reduction="none");
mint.nn.functional.cross_entropy(x, t); mint.nn.functional.cross_entropy(x, q);
mint.nn.functional.cross_entropy(x, t, label_smoothing=0.1);
mint.nn.functional.cross_entropy(x, t, w[1:].abs(), reduction="sum");
mint.nn.functional.cross_entropy(x, t, reduction="none", ignore_index=1);
mint.nn.functional.cross_entropy(B, k[:, [0, 1, 1, 0]]); mint.nn.functional.dropout(x, 0.5, False);
mint.nn.functional.dropout(x, 0.0); mint.nn.functional.dropout2d(I, 0.5, False); mint.nn.functional.elu(x);
mint.nn.functional.elu(x, 0.5); mint.nn.functional.elu_(x * 1, 0.5); mint.nn.functional.embedding(k, m);
mint.nn.functional.fold(S[:, :, :9], (4, 4), (2, 2)); mint.nn.functional.gelu(x);
mint.nn.functional.gelu(x, approximate="tanh"); mint.nn.functional.glu(B); mint.nn.functional.glu(I, 1);
mint.nn.functional.grid_sample(I[:, :, :4], G, align_corners=False);
mint.nn.functional.grid_sample(I, G, mode="nearest", align_corners=False);
mint.nn.functional.grid_sample(I, G, "bilinear", "border", True);
mint.nn.functional.grid_sample(I, G, "bilinear", "reflection", False); mint.nn.functional.group_norm(I, 2);
mint.nn.functional.group_norm(I, 2, v, w, 0.1); mint.nn.functional.hardshrink(x);
mint.nn.functional.hardshrink(x, 2.0); mint.nn.functional.hardsigmoid(x); mint.nn.functional.hardswish(x);
mint.nn.functional.hardtanh(x); mint.nn.functional.hardtanh(x, -2, 3); mint.nn.functional.hardtanh_(x * 1);
mint.nn.functional.interpolate(I, size=(9, 4)); mint.nn.functional.interpolate(I, scale_factor=2.0, mode="bilinear");
mint.nn.functional.interpolate(I, size=(9, 4), mode="bilinear", align_corners=True);
mint.nn.functional.interpolate(I, size=(9, 4), mode="bicubic", align_corners=False);
mint.nn.functional.interpolate(S, size=5, mode="linear");
mint.nn.functional.interpolate(V, scale_factor=(2.0, 1.5, 2.0), mode="trilinear");
mint.nn.functional.interpolate(S, scale_factor=2.0); mint.nn.functional.kl_div(x, q);
mint.nn.functional.kl_div(x, y, reduction="batchmean", log_target=True);
mint.nn.functional.kl_div(x, q, reduction="none"); mint.nn.functional.l1_loss(x, y);
mint.nn.functional.l1_loss(x, y, reduction="sum"); mint.nn.functional.l1_loss(x, y, reduction="none");
mint.nn.functional.layer_norm(x, (3,)); mint.nn.functional.layer_norm(B, (3, 4), eps=0.1);
mint.nn.functional.layer_norm(S[:, 0, :4], (4,), v, w); mint.nn.functional.leaky_relu(x);
mint.nn.functional.leaky_relu(x, 0.3); mint.nn.functional.linear(x, y); mint.nn.functional.linear(x, m, v[:3]);
mint.nn.functional.log_softmax(x, 1); mint.nn.functional.log_softmax(x, dim=0, dtype=FLOAT64);
mint.nn.functional.logsigmoid(x); mint.nn.functional.max_pool2d(I, 2); mint.nn.functional.max_pool2d(I, 3, 2, 1);
mint.nn.functional.max_pool2d(I, 3, 2, 1, 1, True, True); mint.nn.functional.max_pool2d(I, (2, 3), dilation=(2, 1));
mint.nn.functional.max_unpool2d(*mint.nn.functional.max_pool2d(I, 2, return_indices=True), 2);
mint.nn.functional.mish(x); mint.nn.functional.mse_loss(x, y); mint.nn.functional.mse_loss(x, y, reduction="sum");
mint.nn.functional.nll_loss(x, t); mint.nn.functional.nll_loss(x, t, w[1:].abs(), reduction="none");
mint.nn.functional.nll_loss(x, t, ignore_index=0, reduction="sum"); mint.nn.functional.normalize(x);
mint.nn.functional.normalize(x, 1.0, 0); ~mint.nn.functional.one_hot(k); ~mint.nn.functional.one_hot(k, 5);
mint.nn.functional.pad(x, (1, 2)); mint.nn.functional.pad(x, (1, 2, 0, 1), value=2.5);
mint.nn.functional.pad(I, (1, 2, 2, 0), "reflect"); mint.nn.functional.pad(S, (3, 1), "replicate");
mint.nn.functional.pad(I, (2, 1, 1, 3), mode="circular"); mint.nn.functional.pad(x, (-1, 1));
mint.nn.functional.pixel_shuffle(I, 2); mint.nn.functional.prelu(I, w); mint.nn.functional.prelu(x, w[:1]);
mint.nn.functional.relu(x); mint.nn.functional.relu6(x); mint.nn.functional.relu_(x * 1); mint.nn.functional.selu(x);
mint.nn.functional.sigmoid(x); mint.nn.functional.silu(x); mint.nn.functional.smooth_l1_loss(x, y);
mint.nn.functional.smooth_l1_loss(x, y, reduction="none", beta=0.5);
mint.nn.functional.soft_margin_loss(x, 2 * b.float() - 1);
mint.nn.functional.soft_margin_loss(x, 2 * b.float() - 1, reduction="none"); mint.nn.functional.softmax(x, 1);
mint.nn.functional.softmax(x, dim=0, dtype=FLOAT64); mint.nn.functional.softplus(x);
mint.nn.functional.softplus(x, 2, 3); mint.nn.functional.softshrink(x); mint.nn.functional.softshrink(x, 1.0);
mint.nn.functional.tanh(x); mint.nn.functional.threshold(x, 0.6, 9.0); mint.nn.functional.threshold_(x * 1, 0.6, 9.0);
mint.nn.functional.unfold(I, 3); mint.nn.functional.unfold(I, (2, 3), 2, 1, (2, 1));
mint.nn.functional.upsample(I, scale_factor=2.0); mint.nn.functional.upsample(I, (8, 9), None, "bilinear", True)
"""

LAYERS = r"""
mint.nn.AdaptiveAvgPool1d(4)(S); mint.nn.AdaptiveAvgPool2d((2, None))(I); mint.nn.AdaptiveAvgPool3d(2)(V);
mint.nn.AdaptiveMaxPool1d(4)(S); mint.nn.AdaptiveMaxPool2d(3)(I); mint.nn.AdaptiveMaxPool2d((3, 2), True)(I);
mint.nn.AvgPool1d(3, 2)(S); mint.nn.AvgPool2d(3, 2, 1, True)(I); mint.nn.AvgPool3d(2)(V);
mint.nn.BCELoss()(q, b.float()); mint.nn.BCELoss(p, reduction="sum")(q, b.float());
mint.nn.BCEWithLogitsLoss()(x, b.float()); mint.nn.BCEWithLogitsLoss(reduction="none", pos_weight=p)(x, b.float());
layer(mint.nn.BatchNorm1d(4))(S); layer(mint.nn.BatchNorm2d(4, 0.1, 0.2))(I); layer(mint.nn.BatchNorm3d(2))(V);
mint.nn.ConstantPad1d(1, 2.5)(S); mint.nn.ConstantPad2d((1, 0, 2, 1), -1.0)(I);
mint.nn.ConstantPad3d((1, 0, 2, 1, 0, 1), 0.5)(V); layer(mint.nn.Conv1d(4, 6, 3, 2, 1))(S);
layer(mint.nn.Conv2d(4, 2, 3, padding=1, groups=2))(I); layer(mint.nn.Conv3d(2, 3, 2, bias=False))(V);
layer(mint.nn.ConvTranspose2d(4, 3, 3, 2, 1, 1))(I); mint.nn.CosineEmbeddingLoss(0.2)(x, y, mint.sign(y[:, 0]));
mint.nn.CrossEntropyLoss()(x, t); mint.nn.CrossEntropyLoss(label_smoothing=0.2, reduction="sum")(x, t);
mint.nn.Dropout(0.0)(x); mint.nn.Dropout2d(0.0)(I); mint.nn.ELU(0.7)(x); layer(mint.nn.Embedding(4, 3))(k);
mint.nn.Flatten()(B); mint.nn.Flatten(0, 1)(B); mint.nn.Fold((4, 4), 2)(S); mint.nn.GELU()(x); mint.nn.GLU()(B);
layer(mint.nn.GroupNorm(2, 4))(I); mint.nn.Hardshrink(1.0)(x); mint.nn.Hardsigmoid()(x); mint.nn.Hardswish()(x);
mint.nn.Hardtanh(-2, 2.5)(x); mint.nn.Identity()(x); mint.nn.KLDivLoss(reduction="batchmean")(x, q);
mint.nn.L1Loss()(x, y); mint.nn.L1Loss(reduction="none")(x, y); layer(mint.nn.LayerNorm(4))(B);
layer(mint.nn.LayerNorm((3, 4), 0.1))(B); layer(mint.nn.Linear(3, 5))(x); layer(mint.nn.Linear(4, 2, bias=False))(B);
mint.nn.LogSigmoid()(x); mint.nn.LogSoftmax(1)(x); mint.nn.MSELoss()(x, y); mint.nn.MSELoss(reduction="sum")(x, y);
mint.nn.MaxUnpool2d(2)(*mint.nn.functional.max_pool2d(I, 2, return_indices=True)); mint.nn.Mish()(x);
mint.nn.NLLLoss()(x, t); mint.nn.NLLLoss(w[1:].abs(), reduction="none")(x, t); layer(mint.nn.PReLU())(x);
layer(mint.nn.PReLU(4, 0.1))(I); mint.nn.PixelShuffle(2)(I); mint.nn.ReLU()(x); mint.nn.ReLU6()(x * 3);
mint.nn.ReflectionPad1d(2)(S); mint.nn.ReflectionPad2d((1, 2, 0, 3))(I); mint.nn.ReflectionPad3d(1)(V);
mint.nn.ReplicationPad1d((2, 0))(S); mint.nn.ReplicationPad2d(2)(I); mint.nn.ReplicationPad3d((1, 0, 2, 1, 0, 1))(V);
mint.nn.SELU()(x); mint.nn.SiLU()(x); mint.nn.Sigmoid()(x); mint.nn.SmoothL1Loss(beta=0.5)(x, y);
mint.nn.SoftMarginLoss()(x, 2 * b.float() - 1); mint.nn.Softmax(1)(x); mint.nn.Softshrink(0.7)(x); mint.nn.Tanh()(x);
mint.nn.Threshold(0.6, 9.0)(x); mint.nn.Unfold(2, 2, 1)(I); mint.nn.Upsample((9, 4))(I);
mint.nn.Upsample(scale_factor=2.0, mode="bilinear", align_corners=True)(I);
mint.nn.UpsamplingBilinear2d(scale_factor=2.0)(I); mint.nn.UpsamplingNearest2d((9, 4))(I); mint.nn.ZeroPad1d(2)(S);
mint.nn.ZeroPad2d((1, 0, 2, 1))(I); mint.nn.ZeroPad3d(1)(V)
"""

REFUSED = r"""
mint.add(x, "a"); mint.cat(()); mint.cat((x, v)); mint.matmul(x, y); mint.argmax(x, 5); mint.bmm(x, y);
mint.chunk(x, 0); mint.clamp(x); mint.gather(x, 2, k); mint.index_select(x, 0, x);
mint.nn.functional.pad(x, (1, 2, 3)); mint.nn.functional.one_hot(x); mint.nn.functional.cross_entropy(x, i);
mint.norm(x, dim=7); mint.permute(B, (0, 1)); mint.reshape(x, (4, 2)); mint.split(x, 0); mint.stack((x, v));
mint.topk(x, 9); mint.where(x, x, y); mint.nn.Conv2d(4, 6, 3, groups=3); mint.nn.GroupNorm(3, 4);
mint.nn.Linear(3, 5)(I)
"""


def samples() -> list[dict]:
    """The samples as cases, those with a gradient marked."""
    out = []
    for text in (FUNCTIONS, FUNCTIONAL, LAYERS):
        for part in text.replace("\n", " ").split(";"):
            if part.strip():
                out.append({"expr": part.strip().lstrip("~"), "smooth": not part.strip().startswith("~")})
    return out


def parts(output) -> list:
    """The tensors and other values in an output."""
    if isinstance(output, (tuple, list)) and not hasattr(output, "numel"):
        return [leaf for item in output for leaf in parts(item)]
    return [output]


def weight_of(shape) -> np.ndarray:
    """What an output is multiplied by before its sum is differentiated, so that no element is like another."""
    return np.cos(np.arange(int(np.prod(shape, dtype=np.int64)))).reshape(shape)
