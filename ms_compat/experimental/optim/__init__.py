"""`mindspore.experimental.optim`: PyTorch-like optimizers, called with the gradients, and schedulers.

>>> import ms_compat as ms
>>> from ms_compat.experimental import optim
>>> w = ms.Parameter(ms.Tensor([1.0]), name="w")
>>> optimizer = optim.SGD([w], lr=0.5)
>>> scheduler = optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.5)
>>> for _ in range(2):
...     _ = optimizer((ms.Tensor([1.0]),))
...     scheduler.step()
>>> print(w.asnumpy())
[0.25]
"""

from __future__ import annotations

from ms_compat._names.absent import unsupported_getattr
from ms_compat.experimental.optim import lr_scheduler as lr_scheduler
from ms_compat.experimental.optim.optimizers import ASGD as ASGD
from ms_compat.experimental.optim.optimizers import SGD as SGD
from ms_compat.experimental.optim.optimizers import Adadelta as Adadelta
from ms_compat.experimental.optim.optimizers import Adagrad as Adagrad
from ms_compat.experimental.optim.optimizers import Adam as Adam
from ms_compat.experimental.optim.optimizers import Adamax as Adamax
from ms_compat.experimental.optim.optimizers import AdamW as AdamW
from ms_compat.experimental.optim.optimizers import NAdam as NAdam
from ms_compat.experimental.optim.optimizers import Optimizer as Optimizer
from ms_compat.experimental.optim.optimizers import RAdam as RAdam
from ms_compat.experimental.optim.optimizers import RMSprop as RMSprop
from ms_compat.experimental.optim.optimizers import Rprop as Rprop

__getattr__ = unsupported_getattr(__name__)
