"""A variational autoencoder: reparameterisation with given noise, reconstruction and KL terms."""

import mindspore as ms
import mindspore.nn as nn
import mindspore.ops as ops
import numpy as np
from mindspore import Tensor


class VAE(nn.Cell):
    def __init__(self, size, hidden, latent):
        super(VAE, self).__init__()
        self.fc1 = nn.Dense(size, hidden)
        self.fc21 = nn.Dense(hidden, latent)
        self.fc22 = nn.Dense(hidden, latent)
        self.fc3 = nn.Dense(latent, hidden)
        self.fc4 = nn.Dense(hidden, size)
        self.relu = nn.ReLU()
        self.sigmoid = nn.Sigmoid()
        self.exp = ops.Exp()

    def encode(self, x):
        h1 = self.relu(self.fc1(x))
        return self.fc21(h1), self.fc22(h1)

    def reparameterize(self, mu, logvar, eps):
        std = self.exp(0.5 * logvar)
        return mu + eps * std

    def decode(self, z):
        return self.sigmoid(self.fc4(self.relu(self.fc3(z))))

    def construct(self, x, eps):
        mu, logvar = self.encode(x.view((-1, 12)))
        return self.decode(self.reparameterize(mu, logvar, eps)), mu, logvar


class ELBO(nn.Cell):
    def __init__(self, net):
        super().__init__()
        self.net = net
        self.reconstruct = nn.MSELoss("sum")

    def construct(self, x, eps):
        recon, mu, logvar = self.net(x, eps)
        kld = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum()
        bce = ops.binary_cross_entropy(recon, x.view(-1, 12), ops.ones_like(recon), reduction="sum")
        return self.reconstruct(recon, x.reshape((x.shape[0], -1))) + bce + kld


def program(fill):
    rng = np.random.default_rng(0)
    net = fill(VAE(12, 8, 2))
    elbo = ELBO(net)
    optimizer = nn.RMSProp(net.trainable_params(), learning_rate=0.01, decay=0.9, momentum=0.1)
    step = nn.TrainOneStepCell(elbo, optimizer)
    step.set_train()
    losses = []
    for epoch in range(3):
        for i in range(2):
            x = Tensor(rng.random((3, 1, 3, 4)), ms.float32)
            eps = Tensor(rng.standard_normal((3, 2)), ms.float32)
            loss = step(x, eps)
            losses.append(loss)
            print("Epoch: %d [%d] Loss: %.4f" % (epoch, i, loss.asnumpy() / len(x)))
    sample = net.decode(Tensor(rng.standard_normal((2, 2)), ms.float32))
    return losses, sample, {p.name: p for p in net.get_parameters()}
