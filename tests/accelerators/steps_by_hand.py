"""The training steps of `programs` written in JAX: parameters as dictionaries, a loss, its gradient, an update."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ms_compat._targets.compiled import not_cached

F32, I32 = jnp.float32, jnp.int32
SIZES = {  # layers, width, heads, words, length, batch, causal
    "bert": (12, 768, 12, 30522, 128, 16, False),
    "gpt": (24, 2048, 16, 50304, 1024, 1, True),
}


def shape(*sizes, dtype=F32):
    return jax.ShapeDtypeStruct(sizes, dtype)


def conv(x, weight, stride=1, padding="SAME", dtype=F32):
    """Images [N, C, H, W] and weights [O, I, H, W], as the scripts have them."""
    return lax.conv_general_dilated(
        x.astype(dtype), weight.astype(dtype), (stride, stride), padding, dimension_numbers=("NCHW", "OIHW", "NCHW")
    )


def dense(x, p, dtype=None):
    dtype = dtype or p["weight"].dtype
    y = x.astype(dtype) @ p["weight"].astype(dtype).T
    return y + p["bias"].astype(dtype) if "bias" in p else y


def dense_shapes(inputs, outputs, bias=True, dtype=F32):
    found = {"weight": shape(outputs, inputs, dtype=dtype)}
    return {**found, "bias": shape(outputs, dtype=dtype)} if bias else found


def pool(x, size=2, stride=2, padding="VALID"):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 1, size, size), (1, 1, stride, stride), padding)


def classified(logits, labels):
    """The mean cross entropy."""
    return -jnp.take_along_axis(jax.nn.log_softmax(logits.astype(F32)), labels[:, None], 1).mean()


# -- updates: of one parameter, its state and its gradient ---------------------------------------------------------
def momentum(rate, decay=0.0):
    def update(p, g, s, state):
        m = 0.9 * s["m"] + (g + decay * p if p.ndim > 1 else g)
        return p - rate * m, {"m": m}

    return ("m",), update


def adam(rate):
    def update(p, g, s, state):
        m, v = 0.9 * s["m"] + 0.1 * g, 0.999 * s["v"] + 0.001 * g * g
        t = state + 1
        rate_now = rate * jnp.sqrt(1 - 0.999**t) / (1 - 0.9**t)
        return p - rate_now * m / (jnp.sqrt(v) + 1e-8), {"m": m, "v": v}

    return ("m", "v"), update


def adam_of_weights(rate):
    def update(p, g, s, state):
        wide = [x.astype(F32) for x in (p, g, s["m"], s["v"])]
        p32, g32, m, v = wide
        m, v = 0.9 * m + 0.1 * g32, 0.999 * v + 0.001 * g32 * g32
        new = p32 - rate * (m / (jnp.sqrt(v) + 1e-6))
        return new.astype(p.dtype), {"m": m.astype(p.dtype), "v": v.astype(p.dtype)}

    return ("m", "v"), update


# -- the nets: shapes of parameters, of what else is kept, of a batch, and the loss ------------------------------------
def lenet(dtype):
    params = {"conv1": shape(6, 1, 5, 5), "conv2": shape(16, 6, 5, 5)}
    sizes = {"fc1": (400, 120), "fc2": (120, 84), "fc3": (84, 10)}
    params |= {name: dense_shapes(*size) for name, size in sizes.items()}

    def loss(p, kept, x, labels):
        for name in ("conv1", "conv2"):
            x = pool(jax.nn.relu(conv(x, p[name], padding="VALID", dtype=dtype)))
        x = x.reshape(x.shape[0], -1)
        x = jax.nn.relu(dense(x, p["fc1"], dtype))
        x = jax.nn.relu(dense(x, p["fc2"], dtype))
        return classified(dense(x, p["fc3"], dtype), labels), kept

    return params, {}, (shape(32, 1, 32, 32), shape(32, dtype=I32)), loss, momentum(0.01)


def lstm(dtype):
    params = {"words": shape(1000, 128), "fc": dense_shapes(256, 10)}
    for layer, size in enumerate((128, 256)):
        gates = {"own": shape(1024, size), "back": shape(1024, 256), "bias": shape(1024), "bias2": shape(1024)}
        params[f"layer{layer}"] = gates

    def run(p, x):
        given = x @ p["own"].T + p["bias"] + p["bias2"]

        def one(carry, gates):
            h, c = carry
            i, f, g, o = jnp.split(gates + h @ p["back"].T, 4, -1)
            c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
            h = jax.nn.sigmoid(o) * jnp.tanh(c)
            return (h, c), h

        zero = jnp.zeros((x.shape[1], 256), x.dtype)
        return lax.scan(one, (zero, zero), given)[1]

    def loss(p, kept, ids, labels):
        x = p["words"][ids].swapaxes(0, 1)
        x = run(p["layer1"], run(p["layer0"], x))
        return classified(dense(x[-1], p["fc"], dtype), labels), kept

    return params, {}, (shape(64, 64, dtype=I32), shape(64, dtype=I32)), loss, adam(1e-3)


def normalized(x, p, s):
    """Batch normalization in Float32, and the new running statistics."""
    x = x.astype(F32)
    mean, variance = x.mean((0, 2, 3)), x.var((0, 2, 3))  # of the deviations: that of the squares would cancel
    count = x.size // x.shape[1]
    y = (x - mean[:, None, None]) * (lax.rsqrt(variance + 1e-5) * p["gamma"])[:, None, None] + p["beta"][:, None, None]
    new = {"mean": 0.9 * s["mean"] + 0.1 * mean, "var": 0.9 * s["var"] + 0.1 * variance * (count / (count - 1))}
    return y, new


def norm_shapes(width):
    return {"gamma": shape(width), "beta": shape(width)}, {"mean": shape(width), "var": shape(width)}


def detector(dtype):
    params = {"first": shape(32, 3, 3, 3), "second": shape(64, 32, 3, 3), "scores": shape(20, 64, 3, 3),
              "boxes": shape(4, 64, 3, 3)}  # fmt: skip
    params["norm"], kept = norm_shapes(32)
    side = np.arange(64, dtype=np.float32) * 8
    x, y = np.meshgrid(side, side)
    anchors = np.stack([x, y, x + 16, y + 16], -1).reshape(-1, 4)

    def overlaps(truth):
        low, high = jnp.maximum(anchors[:, :2], truth[:, None, :2]), jnp.minimum(anchors[:, 2:], truth[:, None, 2:])
        both = jnp.prod(jnp.maximum(high - low + 1, 0), -1)
        areas = [jnp.prod(boxes[..., 2:] - boxes[..., :2] + 1, -1) for boxes in (anchors, truth[:, None])]
        return both / (areas[0] + areas[1] - both + 1e-6)

    def loss(p, kept, images, truth, labels):
        x = conv(images, p["first"], 4, dtype=dtype)
        x, kept = normalized(x, p["norm"], kept)
        x = jax.nn.relu(conv(jax.nn.relu(x.astype(dtype)), p["second"], 2, dtype=dtype))
        heads = [conv(x, p[name], dtype=dtype).transpose(0, 2, 3, 1) for name in ("scores", "boxes")]
        scores, boxes = (h.reshape(h.shape[0], -1, h.shape[-1]).astype(F32) for h in heads)
        total = 0.0
        for i in range(2):
            overlap = overlaps(truth[i])
            best, place = overlap.max(0), overlap.argmax(0)
            positive = (best > 0.5).astype(F32)
            target = jax.nn.one_hot(labels[i][place], 20) * positive[:, None]
            crossed = jnp.maximum(scores[i], 0) - scores[i] * target + jnp.log1p(jnp.exp(-jnp.abs(scores[i])))
            focal = crossed * (target - jax.nn.sigmoid(scores[i])) ** 2
            off = jnp.abs(boxes[i] - truth[i][place] + anchors)
            boxed = jnp.where(off < 1, 0.5 * off * off, off - 0.5).sum(1) * positive
            chosen = lax.top_k(best, 100)[1]
            total += (focal.sum() + boxed.sum()) / (positive.sum() + 1) + 0 * chosen.sum()
        return total, kept

    batch = (shape(2, 3, 512, 512), shape(2, 8, 4), shape(2, 8, dtype=I32))
    return params, kept, batch, loss, momentum(0.01)


def resnet50(dtype, most=6):
    params, kept, plan = {"fc": dense_shapes(2048, 1000)}, {}, []

    def layer(name, inputs, outputs, size):
        norm, kept[name] = norm_shapes(outputs)
        params[name] = {"conv": shape(outputs, inputs, size, size), **norm}

    layer("stem", 3, 64, 7)
    inputs = 64
    for width, count, stride in ((64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2)):
        for i in range(min(count, most)):
            name = f"{width}.{i}"
            layer(name + ".1", inputs, width, 1)
            layer(name + ".2", width, width, 3)
            layer(name + ".3", width, 4 * width, 1)
            if i == 0:
                layer(name + ".down", inputs, 4 * width, 1)
            plan.append((name, stride if i == 0 else 1))
            inputs = 4 * width

    def loss(p, kept, x, labels):
        new = {}

        def run(name, x, stride=1):
            half = p[name]["conv"].shape[-1] // 2
            x = conv(x, p[name]["conv"], stride, [(half, half)] * 2, dtype)
            x, new[name] = normalized(x, p[name], kept[name])
            return x

        def positive(x):
            return jax.nn.relu(x.astype(dtype))  # amp: normalization in Float32, and what adds to it

        x = pool(positive(run("stem", x, 2)), 3, 2, "SAME")
        for name, stride in plan:
            y = positive(run(name + ".1", x))
            y = run(name + ".3", positive(run(name + ".2", y, stride)))
            x = run(name + ".down", x, stride) if name + ".down" in p else x
            x = positive(x + y)
        return classified(dense(x.mean((2, 3)), p["fc"], dtype), labels), new

    return params, kept, (shape(64, 3, 224, 224), shape(64, dtype=I32)), loss, momentum(0.1, 1e-4)


def transformer(dtype, size, layers=None, recompute=False):
    depth, width, heads, words, length, batch, causal = SIZES[size]
    of = functools.partial(dense_shapes, dtype=dtype)
    norm = {"gamma": shape(width, dtype=dtype), "beta": shape(width, dtype=dtype)}
    block = {"norm1": norm, "norm2": norm, "qkv": of(width, 3 * width), "out": of(width, width),
             "up": of(width, 4 * width), "down": of(4 * width, width)}  # fmt: skip
    params = {"words": shape(words, width, dtype=dtype), "places": shape(length, width, dtype=dtype), "norm": norm}
    params |= {"head": of(width, words, bias=False), "blocks": [block] * (layers or depth)}

    def normal(p, x):
        wide = x.astype(F32)
        mean = wide.mean(-1, keepdims=True)
        y = (wide - mean) * lax.rsqrt(jnp.square(wide - mean).mean(-1, keepdims=True) + 1e-7)
        return (y * p["gamma"] + p["beta"]).astype(dtype)

    def attend(p, x):
        q, k, v = jnp.split(dense(x, p["qkv"]), 3, -1)
        q, k, v = (t.reshape(batch, length, heads, -1).transpose(0, 2, 1, 3) for t in (q, k, v))
        scores = jnp.einsum("bnsd,bntd->bnst", q, k, preferred_element_type=F32) * q.shape[-1] ** -0.5
        if causal:
            scores = jnp.where(jnp.tri(length, dtype=bool), scores, -jnp.inf)
        y = jnp.einsum("bnst,bntd->bnsd", jax.nn.softmax(scores).astype(dtype), v)
        return dense(y.transpose(0, 2, 1, 3).reshape(x.shape), p["out"])

    def run(b, x):
        x = x + attend(b, normal(b["norm1"], x))
        return x + dense(jax.nn.gelu(dense(normal(b["norm2"], x), b["up"])), b["down"])

    def loss(p, kept, ids, labels):
        x = p["words"][ids] + p["places"]
        for b in p["blocks"]:
            x = (jax.checkpoint(run) if recompute else run)(b, x)
        logits = dense(normal(p["norm"], x), p["head"])
        return classified(logits.reshape(-1, words), labels.reshape(-1)), kept

    ids = shape(batch, length, dtype=I32)
    return params, {}, (ids, ids), loss, adam_of_weights(1e-4)


NETS = {"lenet": lenet, "lstm": lstm, "detector": detector, "resnet50": resnet50, "transformer": transformer}


def compiled(device, name, precision):
    """The step of a program, compiled for one chip.

    Args:
        device: the chip.
        name: of the program, and its arguments but the precision.
        precision: "float32" or "bfloat16".
    """
    first, *words = name.split()
    settings = {"recompute": True} if "recompute" in words else {}
    given = [int(word) if word.isdigit() else word for word in words if word != "recompute"]
    params, kept, batch, loss, (names, update) = NETS[first](getattr(jnp, precision), *given, **settings)

    def step(params, moments, kept, count, *batch):
        (value, kept), grads = jax.value_and_grad(loss, has_aux=True)(params, kept, *batch)
        leaves, tree = jax.tree.flatten(params)
        done = [update(p, g, m, count) for p, g, m in
                zip(leaves, jax.tree.leaves(grads), tree.flatten_up_to(moments), strict=True)]  # fmt: skip
        new, states = zip(*done, strict=True)
        return tree.unflatten(new), tree.unflatten(states), kept, count + 1, value

    moments = jax.tree.map(lambda p: dict.fromkeys(names, p), params)
    here = jax.sharding.SingleDeviceSharding(device)
    given = jax.tree.map(
        lambda s: jax.ShapeDtypeStruct(s.shape, s.dtype, sharding=here), (params, moments, kept, shape(), *batch)
    )
    with not_cached():
        return jax.jit(step, donate_argnums=(0, 1, 2, 3), out_shardings=here).lower(*given).compile()
