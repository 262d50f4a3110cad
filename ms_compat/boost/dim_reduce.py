"""`DimReduce`: quasi-Newton steps in the space of a few principal components of the weights."""

from __future__ import annotations

import math
from typing import Any

import jax.numpy as jnp
import numpy as np

from ms_compat._core import dtype as mstype
from ms_compat._core.tensor import Tensor, wrap
from ms_compat._core.tensor.parameter import Parameter, ParameterTuple
from ms_compat._core.trace import write_barrier
from ms_compat.nn.cell import Cell
from ms_compat.nn.wrap.conditional import update_where
from ms_compat.ops import AllGather, AllReduce

_SEARCHES = 2
_LEAST_CURVATURE = 1e-20


def _parameter(value: Any, name: str) -> Parameter:
    return Parameter(Tensor(value), name=name)


class DimReduce(Cell):
    """A step that is chosen in a space of few dimensions, and a small step of gradient descent in all others.

    With the rows of `pca_mat_local` as P, gradients g and the inverse Hessian B of the few dimensions (by BFGS):
    `d = -B P g`, and the weights go along `r P^T d`, where r is the first of 1 and `rho` for which the loss falls by at
    least `-sigma r (P g)^T d`, or 0. The rest is `alpha m`, where `m = gamma m + g - P^T P g`.

    Args:
        network (Cell): the network that computes the loss.
        optimizer (Optimizer): subtracts its input from the weights: `nn.SGD` with the learning rate 1.
        weight (tuple[Parameter]): the weights.
        pca_mat_local (numpy.ndarray): this process's rows of P, with a column for each element of the weights.
        n_components (int): the number of rows in P.
        rho (float): the second length of a step that is tried.
        gamma (float): the momentum's decay.
        alpha (float): the learning rate of the rest.
        sigma (float): which part of the expected decrease is enough.
        rank (int): the number of this process.
        rank_size (int): the number of processes.

    Inputs:
        loss (Tensor): the loss of shape ().
        old_grad (tuple[Tensor]): the gradients.
        loss_scale (Tensor): what the gradients are divided by.
        weight (tuple[Parameter]): the weights, which are changed.
        weight_clone (tuple[Parameter]): their values; they are changed as well.
        *inputs (tuple[Tensor]): the network's inputs.

    Returns:
        The loss.

    >>> import numpy as np, ms_compat as ms
    >>> from ms_compat import boost, nn, ops
    >>> net = nn.Dense(1, 1, weight_init="ones", has_bias=False)
    >>> loss, weights = nn.WithLossCell(net, nn.MSELoss()), tuple(net.trainable_params())
    >>> optimizer = nn.SGD(list(weights), 1.0)
    >>> step = boost.DimReduce(loss, optimizer, weights, np.ones((1, 1)), 1, 0.5, 0.9, 0.001, 0.4, 0, 1)
    >>> clones = ms.ParameterTuple(weights).clone(prefix="clone")
    >>> x, y = ms.Tensor([[1.0]]), ms.Tensor([[1.5]])
    >>> _ = step(loss(x, y), (ms.Tensor([[-1.0]]),), ms.Tensor(1.0), weights, clones, x, y)
    >>> print(net.weight.asnumpy())  # the full step leads to 2, where the loss is the same; the half one is taken
    [[1.5]]
    """

    def __init__(
        self,
        network: Cell,
        optimizer: Any,
        weight: Any,
        pca_mat_local: np.ndarray,
        n_components: int,
        rho: float,
        gamma: float,
        alpha: float,
        sigma: float,
        rank: int,
        rank_size: int,
    ) -> None:
        super().__init__()
        self.network, self.optimizer = network, optimizer
        self.n_components, self.rank, self.rank_size = n_components, rank, rank_size
        self.gamma, self.alpha, self.sigma = gamma, alpha, sigma
        self.rho_list = [rho**power for power in range(_SEARCHES)]
        ends = np.cumsum([parameter.size for parameter in weight])
        parts = np.split(np.asarray(pca_mat_local, np.float32), ends[:-1], axis=1)
        self.pca_list_local = tuple(Tensor(part[:, : p.size]) for part, p in zip(parts, weight, strict=True))
        local = math.ceil(n_components // rank_size)
        self.start_index, self.end_index = rank * local, (rank + 1) * local
        column, eye = np.zeros((n_components, 1), np.float32), np.eye(n_components, dtype=np.float32)
        self.gk_last, self.gk_last_back = _parameter(column, "gk_last"), _parameter(column, "gk_last_back")
        self.bk, self.bk_back = _parameter(eye, "bk"), _parameter(eye, "bk_back")
        self.sk = _parameter(column, "sk")
        self.gk_last_init = Parameter(Tensor(False), name="gk_last_init")
        self.grad_res_momentum = ParameterTuple(weight).clone(prefix="grad_res_momentum", init="zeros")
        if rank_size > 1:
            self.allreduce, self.allgather = AllReduce(), AllGather()

    def construct(self, loss, old_grad, loss_scale, weight, weight_clone, *inputs):
        old_grad = [g.astype(mstype.float32) / loss_scale for g in old_grad]
        local = wrap(sum(p._v @ g._v.reshape(-1, 1) for p, g in zip(self.pca_list_local, old_grad, strict=True)))
        gk = self.allgather(local).reshape((-1, 1))[: self.n_components] if self.rank_size > 1 else local
        for parameter, value in ((self.gk_last_back, self.gk_last), (self.bk_back, self.bk)):
            write_barrier.assign(parameter, value.value()._v)
        dk = self._direction(gk)
        dn = self._back(dk[self.start_index : self.end_index], old_grad)
        projected = self._back(local, old_grad)

        slope = (gk._v.T @ dk._v).reshape(())
        old_loss = self._mean(loss)._v.reshape(())
        state = (*self.get_parameters(), *weight, *weight_clone)
        length, found = jnp.zeros((), jnp.float32), Tensor(False)
        for rho in self.rho_list:
            lengths: list[Any] = []

            def search(rho=rho, lengths=lengths):
                self.optimizer(tuple([d * -rho for d in dn]))
                new_loss = self._mean(self.network(*inputs))._v.reshape(())
                for parameter, value in zip(weight, weight_clone, strict=True):
                    write_barrier.assign(parameter, value.value()._v)
                falls = old_loss + self.sigma * rho * slope > new_loss
                write_barrier.assign(self.sk, jnp.where(falls, rho * dk._v, self.sk._v))
                lengths.append(jnp.where(falls, jnp.float32(rho), 0.0))

            update_where(wrap(~found._v), search, state)
            if lengths:  # the last search took place, or this is a compiled program
                length = jnp.where(found._v, length, lengths[0])
                found = wrap(length > 0)
        for parameter, back in ((self.gk_last, self.gk_last_back), (self.bk, self.bk_back)):
            write_barrier.assign(parameter, jnp.where(found._v, parameter.value()._v, back.value()._v))
        self._step(old_grad, projected, dn, wrap(length))
        for clone, parameter in zip(weight_clone, weight, strict=True):
            write_barrier.assign(clone, parameter.value()._v)
        return loss

    def _mean(self, loss: Any) -> Any:
        return self.allreduce(loss) / self.rank_size if self.rank_size > 1 else loss

    def _direction(self, gk: Tensor) -> Tensor:
        """Update the inverse Hessian from the last step, and return the new direction."""
        gradient, inverse, step = gk._v, self.bk.value()._v, self.sk.value()._v
        change = gradient - self.gk_last.value()._v
        curvature = (change.T @ step).reshape(())
        known = self.gk_last_init.value()._v & (curvature > _LEAST_CURVATURE)
        scale = 1.0 / jnp.where(known, curvature, 1.0)
        left = jnp.eye(self.n_components, dtype=jnp.float32) - scale * change @ step.T
        inverse = jnp.where(known, left.T @ inverse @ left + scale * step @ step.T, inverse)
        write_barrier.assign(self.bk, inverse)
        write_barrier.assign(self.gk_last, gradient)
        write_barrier.assign(self.gk_last_init, jnp.ones((), bool))
        return wrap(-inverse @ gradient)

    def _back(self, few: Tensor, like: list[Tensor]) -> list[Tensor]:
        """The direction of all weights for one of the few dimensions, added up over the processes."""
        found = [
            wrap((p._v.T @ few._v).reshape(g.shape)) for p, g in zip(self.pca_list_local, like, strict=True)
        ]  # fmt: skip
        return [self.allreduce(each) for each in found] if self.rank_size > 1 else found

    def _step(self, gradients: list[Tensor], projected: list[Tensor], dn: list[Tensor], length: Tensor) -> None:
        steps = []
        for momentum, g, along, d in zip(self.grad_res_momentum, gradients, projected, dn, strict=True):
            new = momentum * self.gamma + g - along
            write_barrier.assign(momentum, new._v)
            steps.append(new * self.alpha - d * length)
        self.optimizer(tuple(steps))
