"""`mindspore.nn.probability.distribution`.

>>> import ms_compat as ms
>>> import ms_compat.nn.probability.distribution as msd
>>> normal = msd.Normal(0.0, 1.0)
>>> print(normal.cdf(ms.Tensor([0.0])))
[0.5]
"""

from ms_compat._core import faces as _faces
from ms_compat._names.resolve import unsupported_getattr as _unsupported_getattr

__getattr__, __dir__ = _faces.lazy_names(globals(), _unsupported_getattr(__name__))
