"""The optimizer THOR in NumPy: moments of layers, inverses in blocks, the update, and two networks with gradients."""

import numpy as np

BLOCK = 128


def dense_moments(x, dout):
    """A, G and their normalizers of a Dense layer with inputs `x` [N, in] and output gradients `dout` [N, out]."""
    return x.T @ x / x.shape[1], dout.T @ dout / len(dout), 1.0, 1.0


def same_patches(image, kernel, stride):
    """All patches of [C, H, W] as columns [C * kernel * kernel, places], with zeros around."""
    channels, *sizes = image.shape
    places = [-(-n // stride) for n in sizes]
    around = [max((p - 1) * stride + kernel - n, 0) for p, n in zip(places, sizes, strict=True)]
    padded = np.pad(image, [(0, 0), *[(a // 2, a - a // 2) for a in around]])
    columns = []
    for i in range(places[0]):
        for j in range(places[1]):
            top, left = i * stride, j * stride
            columns.append(padded[:, top : top + kernel, left : left + kernel].reshape(channels * kernel * kernel))
    return np.array(columns).T


def conv_moments(x, dout, kernel, stride=1):
    """A, G and their normalizers of a Conv2d layer with inputs [N, C, H, W] and output gradients [N, O, h, w]."""
    patches = np.mean([same_patches(image, kernel, stride) for image in x], 0)
    mean = dout.mean(0).reshape(dout.shape[1], -1)
    (_, a), (_, g) = patches.shape, mean.shape
    return patches @ patches.T / a, mean @ mean.T / g, a, g


def block_inverse(matrix):
    """The inverse of the blocks along the diagonal, with zeros elsewhere."""
    out = np.zeros_like(matrix)
    for at in range(0, len(matrix), BLOCK):
        part = slice(at, at + BLOCK)
        out[part, part] = np.linalg.inv(matrix[part, part])
    return out


class Thor:
    """State and update; `weights` are arrays by name, which are changed in place."""

    def __init__(self, weights, rate, damping, momentum, decay=0.0, scale=1.0, batch=32, nesterov=False, clip=False):
        self.weights, self.rate, self.damping, self.momentum, self.decay = weights, rate, damping, momentum, decay
        self.scale, self.batch, self.nesterov, self.clip = scale, batch, nesterov, clip
        self.moments = {name: np.zeros_like(w) for name, w in weights.items()}
        self.inverses = {}
        self.step = 0

    def at_step(self, values):
        return values[min(self.step, len(values) - 1)]

    def renew(self, moments):
        """Invert; `moments` are (A, G, a, g) by name of the weight, and (counts, G) for a table."""
        d = self.at_step(self.damping)
        for name, (a, g, *places) in moments.items():
            g = g * self.batch**2 / self.scale**2
            if a.ndim == 1:
                self.inverses[name] = 1 / (a / self.batch + d**0.5), np.linalg.inv(g + d**0.5 * np.eye(len(g)))
                continue
            root_a, root_g = (np.sqrt(d / n) for n in places)
            self.inverses[name] = tuple(
                block_inverse(m + root * np.eye(len(m))) / np.sqrt(places[0]) for m, root in ((a, root_a), (g, root_g))
            )

    def update(self, gradients, normalised=(), decayed=lambda name: True):
        for name, w in self.weights.items():
            g = gradients[name] / self.scale
            if name in self.inverses:
                a, left = self.inverses[name]
                g = a[:, None] * g @ left if a.ndim == 1 else (left @ g.reshape(len(g), -1) @ a).reshape(g.shape)
            elif name in normalised:
                g = g / (g**2 / self.batch + self.at_step(self.damping) ** 0.5)
            if decayed(name):
                g = g + self.decay * w
            if self.clip:
                g = g / max(np.linalg.norm(g), 1.0)
            self.moments[name] = v = self.momentum * self.moments[name] + g
            w -= self.at_step(self.rate) * (g + self.momentum * v if self.nesterov else v)
        self.step += 1


def softmax_gradient(logits, labels):
    """The mean cross entropy and its gradient by the logits."""
    shifted = np.exp(logits - logits.max(1, keepdims=True))
    p = shifted / shifted.sum(1, keepdims=True)
    rows = np.arange(len(labels))
    loss = -np.log(p[rows, labels]).mean()
    p[rows, labels] -= 1
    return loss, p / len(labels)


def dense_net(w, x, labels):
    """Dense, ReLU, Dense, cross entropy: the loss, gradients and moments by name."""
    h = x @ w["0.weight"].T + w["0.bias"]
    r = np.maximum(h, 0)
    loss, d_out = softmax_gradient(r @ w["1.weight"].T + w["1.bias"], labels)
    d_hidden = d_out @ w["1.weight"] * (h > 0)
    gradients = {
        "0.weight": d_hidden.T @ x, "0.bias": d_hidden.sum(0), "1.weight": d_out.T @ r, "1.bias": d_out.sum(0),
    }  # fmt: skip
    return loss, gradients, {"0.weight": dense_moments(x, d_hidden), "1.weight": dense_moments(r, d_out)}


def conv_net(w, x, labels):
    """Conv2d of 3 x 3 without padding, ReLU, Flatten, Dense, cross entropy: loss, gradients and moments by name."""
    kernel = w["0.weight"]
    count, high, wide = len(x), x.shape[2] - 2, x.shape[3] - 2
    windows = np.lib.stride_tricks.sliding_window_view(x, (3, 3), axis=(2, 3))
    h = np.einsum("ncijkl,ockl->noij", windows, kernel) + w["0.bias"][:, None, None]
    r = np.maximum(h, 0).reshape(count, -1)
    loss, d_out = softmax_gradient(r @ w["3.weight"].T + w["3.bias"], labels)
    d_conv = (d_out @ w["3.weight"]).reshape(count, len(kernel), high, wide) * (h > 0)
    gradients = {
        "0.weight": np.einsum("noij,ncijkl->ockl", d_conv, windows), "0.bias": d_conv.sum((0, 2, 3)),
        "3.weight": d_out.T @ r, "3.bias": d_out.sum(0),
    }  # fmt: skip
    return loss, gradients, {"0.weight": conv_moments(x, d_conv, 3), "3.weight": dense_moments(r, d_out)}
