"""A Transformer with a hand-written step.

Usage: transformer.py bert|gpt|tiny [layers] [recompute] [float32|bfloat16]
"""

import sys

import numpy as np

import mindspore as ms
from mindspore import nn, ops

SIZES = {  # layers, width, heads, words, length, batch, causal
    "bert": (12, 768, 12, 30522, 128, 16, False),
    "gpt": (24, 2048, 16, 50304, 1024, 1, True),  # 1.3 billion Parameters
    "tiny": (2, 64, 4, 100, 32, 4, True),
}


LATER = ms.Tensor(np.triu(np.ones((2048, 2048), np.uint8), 1))  # sparse_mode=2 wants this size for all lengths


class Block(nn.Cell):
    def __init__(self, width, heads, causal, dtype):
        super().__init__()
        self.heads, self.causal, self.size = heads, causal, width // heads
        self.norm1 = nn.LayerNorm((width,), dtype=dtype)
        self.norm2 = nn.LayerNorm((width,), dtype=dtype)
        self.qkv = nn.Dense(width, 3 * width, dtype=dtype)
        self.out = nn.Dense(width, width, dtype=dtype)
        self.up = nn.Dense(width, 4 * width, dtype=dtype)
        self.down = nn.Dense(4 * width, width, dtype=dtype)
        self.gelu = nn.GELU()

    def attend(self, x):
        batch, length, width = x.shape
        q, k, v = ops.split(self.qkv(x), width, axis=2)
        q, k, v = [t.reshape(batch, length, self.heads, self.size).transpose(0, 2, 1, 3) for t in (q, k, v)]
        if self.causal:
            y = ops.flash_attention_score(
                q, k, v, self.heads, attn_mask=LATER, scalar_value=self.size**-0.5, input_layout="BNSD",
                sparse_mode=2,
            )  # fmt: skip
        else:
            y = ops.matmul(ops.softmax(ops.matmul(q, k.swapaxes(2, 3)) * self.size**-0.5), v)
        return self.out(y.transpose(0, 2, 1, 3).reshape(batch, length, width))

    def construct(self, x):
        x = x + self.attend(self.norm1(x))
        return x + self.down(self.gelu(self.up(self.norm2(x))))


class Transformer(nn.Cell):
    def __init__(self, layers, width, heads, words, length, causal, dtype=ms.float32):
        super().__init__()
        self.words = nn.Embedding(words, width, dtype=dtype)
        self.places = nn.Embedding(length, width, dtype=dtype)
        self.blocks = nn.CellList([Block(width, heads, causal, dtype) for _ in range(layers)])
        self.norm = nn.LayerNorm((width,), dtype=dtype)
        self.head = nn.Dense(width, words, has_bias=False, dtype=dtype)
        self.at = ms.Tensor(np.arange(length, dtype=np.int32))

    def construct(self, ids):
        x = self.words(ids) + self.places(self.at)
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


if __name__ == "__main__":
    layers, width, heads, words, length, batch, causal = SIZES[sys.argv[1]]
    layers = next((int(word) for word in sys.argv[2:] if word.isdigit()), layers)
    dtype = ms.bfloat16 if "bfloat16" in sys.argv else ms.float32
    net = Transformer(layers, width, heads, words, length, causal, dtype)
    if "recompute" in sys.argv:
        for block in net.blocks:
            block.recompute()
    optimizer = nn.AdamWeightDecay(net.trainable_params(), 1e-4)

    def forward(ids, labels):
        logits = net(ids).astype(ms.float32)
        return ops.cross_entropy(logits.reshape(-1, words), labels.reshape(-1))

    grad_fn = ms.value_and_grad(forward, None, optimizer.parameters)

    def train_step(ids, labels):
        loss, grads = grad_fn(ids, labels)
        optimizer(grads)
        return loss

    net.set_train()
    ids = ms.Tensor(np.zeros((batch, length), np.int32))
    print(train_step(ids, ids))
