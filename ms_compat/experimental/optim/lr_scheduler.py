"""`mindspore.experimental.optim.lr_scheduler`: schedulers of an optimizer's learning rates.

>>> import ms_compat as ms
>>> from ms_compat.experimental import optim
>>> optimizer = optim.SGD([ms.Parameter(ms.Tensor([1.0]), name="w")], lr=0.8)
>>> scheduler = optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.5)
>>> scheduler.step()
>>> print(scheduler.get_last_lr()[0])
0.4
"""

from ms_compat._core import faces as _faces
from ms_compat._names.resolve import unsupported_getattr as _unsupported_getattr

__getattr__, __dir__ = _faces.lazy_names(globals(), _unsupported_getattr(__name__))
