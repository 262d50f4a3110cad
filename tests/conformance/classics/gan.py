"""A generator and a discriminator, each with an optimizer and a step Cell of its own."""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops


class Generator(nn.Cell):
    def __init__(self, latent):
        super().__init__()
        self.body = nn.SequentialCell(
            [nn.Dense(latent, 8, has_bias=False), nn.BatchNorm1d(8), nn.LeakyReLU(0.2), nn.Dense(8, 4), nn.Tanh()]
        )

    def construct(self, z):
        return self.body(z)


class Discriminator(nn.Cell):
    def __init__(self):
        super().__init__()
        layers = []
        layers.append(nn.Dense(4, 8))
        layers.append(nn.LeakyReLU())
        layers.append(nn.Dense(8, 1))
        self.model = nn.SequentialCell(*layers)
        self.sigmoid = nn.Sigmoid()

    def construct(self, x):
        return self.sigmoid(self.model(x))


class GenWithLoss(nn.Cell):
    def __init__(self, net_g, net_d, loss_fn):
        super().__init__(auto_prefix=True)
        self.net_g, self.net_d, self.loss_fn = net_g, net_d, loss_fn

    def construct(self, z):
        fake = self.net_g(z)
        out = self.net_d(fake)
        return self.loss_fn(out, ops.ones_like(out))


class DisWithLoss(nn.Cell):
    def __init__(self, net_g, net_d, loss_fn):
        super().__init__(auto_prefix=True)
        self.net_g, self.net_d, self.loss_fn = net_g, net_d, loss_fn

    def construct(self, real, z):
        fake = ops.stop_gradient(self.net_g(z))
        real_out = self.net_d(real)
        fake_out = self.net_d(fake)
        return self.loss_fn(real_out, ops.ones_like(real_out)) + self.loss_fn(fake_out, ops.zeros_like(fake_out))


class GAN(nn.Cell):
    """One call trains the discriminator, then the generator."""

    def __init__(self, step_d, step_g):
        super().__init__(auto_prefix=True)
        self.step_d, self.step_g = step_d, step_g

    def construct(self, real, z):
        loss_d = self.step_d(real, z).view(-1)
        loss_g = self.step_g(z).view(-1)
        return loss_d.mean(), loss_g.mean()


def functional(fill):
    """The same by `value_and_grad` over the parameters of one of the two networks."""
    generator, discriminator = fill(Generator(3), 1), fill(Discriminator(), 2)
    generator.update_parameters_name("g.")
    discriminator.update_parameters_name("d.")
    opt_g = nn.Adam(generator.trainable_params(), learning_rate=0.01, beta1=0.5, beta2=0.999)
    opt_d = nn.Adam(discriminator.trainable_params(), learning_rate=0.01, beta1=0.5, beta2=0.999)
    opt_d.update_parameters_name("optim_d.")
    opt_g.update_parameters_name("optim_g.")
    criterion = nn.BCELoss(reduction="mean")

    def generator_forward(real, valid):
        z = real[:, :3] * 2 + ops.ones((real.shape[0], 3), ms.float32)
        made = generator(z)
        return criterion(discriminator(made), valid), made

    def discriminator_forward(real, made, valid, fake):
        return (criterion(discriminator(real), valid) + criterion(discriminator(made), fake)) / 2

    grad_g = ops.value_and_grad(generator_forward, None, opt_g.parameters, has_aux=True)
    grad_d = ops.value_and_grad(discriminator_forward, None, opt_d.parameters)

    @ms.jit
    def train_step(images):
        valid = ops.ones((images.shape[0], 1), ms.float32)
        fake = ops.zeros((images.shape[0], 1), ms.float32)
        (g_loss, made), g_grads = grad_g(images, valid)
        opt_g(g_grads)
        d_loss, d_grads = grad_d(images, made, valid, fake)
        opt_d(d_grads)
        return g_loss, d_loss, made

    generator.set_train()
    discriminator.set_train()
    rng = np.random.default_rng(5)
    out = [train_step(Tensor(rng.standard_normal((6, 4)).astype(np.float32))) for _ in range(3)]
    return out, [p.name for p in opt_g.parameters + opt_d.parameters], list(generator.get_parameters())


def program(fill):
    net_g, net_d = fill(Generator(3), 1), fill(Discriminator(), 2)
    loss_fn = nn.BCELoss(reduction="mean")
    opt_d = nn.Adam(net_d.trainable_params(), learning_rate=2e-2, beta1=0.5, beta2=0.999, loss_scale=1)
    opt_g = nn.Adam(net_g.trainable_params(), learning_rate=1e-2, beta1=0.5, beta2=0.999, loss_scale=1)
    opt_d.update_parameters_name("netD.")
    opt_g.update_parameters_name("netG.")
    step_g = nn.TrainOneStepCell(GenWithLoss(net_g, net_d, loss_fn), opt_g)
    step_d = nn.TrainOneStepCell(DisWithLoss(net_g, net_d, loss_fn), opt_d)
    gan = GAN(step_d, step_g)
    gan.set_train()
    rng = np.random.default_rng(3)
    losses = []
    for i in range(4):
        real = Tensor(rng.standard_normal((6, 4)), ms.float32)
        z = Tensor(rng.standard_normal((6, 3)), ms.float32)
        loss_d, loss_g = gan(real, z)
        losses.append((loss_d, loss_g))
        print(f"[{i + 1}] Loss_D: {float(loss_d):7.4f} Loss_G: {float(loss_g):7.4f}")
    return losses, {p.name: p for p in gan.get_parameters()}, functional(fill)
