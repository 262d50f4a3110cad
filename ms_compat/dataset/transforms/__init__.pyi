# Made by `python -m tests.stubs.generate`; not written by hand.
# mypy: disable-error-code="override,assignment,misc,no-redef,overload-overlap,overload-cannot-match"
# pyright: reportIncompatibleMethodOverride=false, reportInconsistentOverload=false, reportOverlappingOverload=false
# ruff: noqa
from typing import Any

from . import base as base
from . import c_transforms as c_transforms
from . import combine as combine
from . import data as data
from . import py_transforms as py_transforms
from ms_compat.dataset import vision as vision
from ms_compat.dataset.transforms.combine import Compose as Compose
from ms_compat.dataset.transforms.combine import RandomApply as RandomApply
from ms_compat.dataset.transforms.combine import RandomChoice as RandomChoice
from ms_compat.dataset.transforms.combine import RandomOrder as RandomOrder
from ms_compat.dataset.transforms.combine import not_random as not_random
from ms_compat.dataset.transforms.data import Concatenate as Concatenate
from ms_compat.dataset.transforms.data import Duplicate as Duplicate
from ms_compat.dataset.transforms.data import Fill as Fill
from ms_compat.dataset.transforms.data import Mask as Mask
from ms_compat.dataset.transforms.data import OneHot as OneHot
from ms_compat.dataset.transforms.data import PadEnd as PadEnd
from ms_compat.dataset.transforms.data import Relational as Relational
from ms_compat.dataset.transforms.data import Slice as Slice
from ms_compat.dataset.transforms.data import TypeCast as TypeCast
from ms_compat.dataset.transforms.data import Unique as Unique
