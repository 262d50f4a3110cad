"""A softmax classifier of the scikit-learn digits as a hand-written loop, spelled with `import ms_compat as ms`.

It shows what `digits_lenet.py` cannot: that no import hook is needed, because the package itself is the namespace.
The last line printed is `accuracy: <float>`.
"""

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

import ms_compat as ms


def main():
    ms.set_seed(1)
    digits = load_digits()
    split = train_test_split(digits.images, digits.target, test_size=0.2, random_state=0, stratify=digits.target)
    images, held_images, labels, held_labels = (ms.Tensor(part) for part in split)
    images, held_images = (part.reshape(-1, 64).astype(ms.float32) / 16 for part in (images, held_images))

    net = ms.nn.SequentialCell(ms.nn.Dense(64, 64), ms.nn.ReLU(), ms.nn.Dense(64, 10))
    loss_fn = ms.nn.CrossEntropyLoss()
    optimizer = ms.nn.Adam(net.trainable_params(), learning_rate=0.01)
    grad_fn = ms.value_and_grad(lambda x, y: loss_fn(net(x), y), None, optimizer.parameters)
    labels = labels.astype(ms.int32)
    for _ in range(100):
        loss, grads = grad_fn(images, labels)
        optimizer(grads)
    right = (net(held_images).argmax(axis=1).asnumpy() == held_labels.asnumpy()).mean()
    print(f"loss: {float(loss):.4f}")
    print(f"accuracy: {float(np.round(right, 4))}")


if __name__ == "__main__":
    main()
