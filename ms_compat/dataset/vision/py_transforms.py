"""`mindspore.dataset.vision.py_transforms`, the path of MindSpore 1; see `ms_compat.dataset.transforms._legacy`."""

from ms_compat.dataset.transforms._legacy import getattr_of

__getattr__ = getattr_of(__name__)
