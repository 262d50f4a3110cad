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

from ms_compat._core import faces as _faces
from ms_compat._names.resolve import unsupported_getattr as _unsupported_getattr
from ms_compat.experimental.optim import lr_scheduler as lr_scheduler

__getattr__, __dir__ = _faces.lazy_names(globals(), _unsupported_getattr(__name__))
