"""Calls whose result tells in which type an operation computed at level "auto", for the test and its recorder."""

import ast

import numpy as np

CALLS = """
ops.matmul(x, x.T); x @ x.T; ops.MatMul()(x, x.T); ops.BatchMatMul()(x[None], x.T[None]); mint.matmul(x, x.T);
ops.addmm(x @ x.T, x, x.T); ops.addmv(x[:, 0], x, v); ops.mv(x, v); ops.dense(x, x); ops.prelu(x, v[:1]);
ops.conv2d(image, w); ops.Conv2D(2, 3)(image, w); nn.Dense(3, 2)(x); nn.Dense(3, 2, has_bias=False)(x);
nn.Conv2d(2, 3, 3)(image); nn.Conv2dTranspose(2, 3, 3)(image); nn.BatchNorm2d(2)(image); nn.LayerNorm((3,))(h);
nn.GroupNorm(1, 2)(image); ops.exp(h); h.exp(); ops.log(h); ops.pow(h, 2); h ** 2; ops.softmax(h); ops.log_softmax(h);
ops.sum(h); h.sum(); ops.reduce_sum(h); mint.sum(h); ops.mean(h); ops.prod(h); ops.cumsum(h, 0); ops.cumprod(h, 0);
ops.norm(h); ops.rsqrt(h); ops.sqrt(h); ops.reciprocal(h); ops.tan(h); ops.sinh(h); ops.cosh(h); ops.acos(h);
ops.erfinv(h); ops.expm1(h); ops.log1p(h); ops.log2(h); ops.log10(h); ops.softplus(h); ops.relu(x); ops.gelu(h);
ops.sigmoid(h); ops.tanh(h); h + x; ops.add(h, h); ops.concat([h, h]); ops.concat([h, x]); nn.MSELoss()(x, h);
ops.smooth_l1_loss(h, h); ops.cross_entropy(h, i); ops.nll_loss(h, i);
ops.binary_cross_entropy_with_logits(h, h, h, h); ops.kl_div(h, h); ops.cdist(x[None], x[None]); nn.Embedding(3, 2)(i);
ops.gather(x, i, 0); nn.LSTM(3, 2)(x[None])[0]; ops.matmul(i[None], i[:, None]); ops.matmul(h, h.T); ops.exp(x);
ops.matmul(x.astype(ms.float64), x.T.astype(ms.float64)); ops.exp(x.astype(ms.float64))
"""
CALLS = [call.strip() for call in CALLS.replace("\n", " ").split(";")]


def tensors(ms):
    x = ms.Tensor(np.linspace(-1, 2, 6).reshape(2, 3).astype(np.float32))
    return {
        "x": x,
        "h": x.astype(ms.float16),
        "i": ms.Tensor(np.array([1, 0], np.int32)),
        "v": ms.Tensor(np.ones(3, np.float32)),
        "w": ms.Tensor(np.ones((2, 2, 3, 3), np.float32)),
        "image": ms.Tensor(np.ones((1, 2, 4, 4), np.float32)),
    }


def network(ms, calls):
    """A Cell that makes these calls and gives their results; layers are made once."""
    names = {"ms": ms, "nn": ms.nn, "ops": ms.ops, "mint": ms.mint, **tensors(ms)}

    class Computed(ms.nn.Cell):
        def __init__(self):
            super().__init__()
            self.layers, self.calls = ms.nn.CellList(), []
            for call in calls:
                tree = ast.parse(call, mode="eval").body
                made = tree.value if isinstance(tree, ast.Subscript) else tree
                if isinstance(made, ast.Call) and isinstance(made.func, ast.Call) and call.startswith("nn."):
                    self.layers.append(eval(ast.unparse(made.func), names))
                    made.func = ast.parse(f"layers[{len(self.layers) - 1}]", mode="eval").body
                self.calls.append(ast.unparse(tree))

        def construct(self):
            return [eval(call, {**names, "layers": self.layers}) for call in self.calls]

    return ms.amp.auto_mixed_precision(Computed(), "auto")


def dtypes(ms):
    """The dtype that each call has inside a Cell of level "auto", in PYNATIVE_MODE."""
    ms.set_context(mode=ms.PYNATIVE_MODE)
    return {call: str(network(ms, [call])()[0].dtype) for call in CALLS}
