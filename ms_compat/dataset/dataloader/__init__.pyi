# Made by `python -m tests.stubs.generate`; not written by hand.
# mypy: disable-error-code="override,assignment,misc,no-redef,overload-overlap,overload-cannot-match"
# pyright: reportIncompatibleMethodOverride=false, reportInconsistentOverload=false, reportOverlappingOverload=false
# ruff: noqa
from typing import Any

from . import collate as collate
from . import loader as loader
from . import sampler as sampler
from . import sets as sets
from ms_compat.dataset.dataloader.collate import default_collate as default_collate
from ms_compat.dataset.dataloader.collate import default_convert as default_convert
from ms_compat.dataset.dataloader.loader import DataLoader as DataLoader
from ms_compat.dataset.dataloader.loader import get_worker_info as get_worker_info
from ms_compat.dataset.dataloader.sampler import BatchSampler as BatchSampler
from ms_compat.dataset.dataloader.sampler import DistributedSampler as DistributedSampler
from ms_compat.dataset.dataloader.sampler import RandomSampler as RandomSampler
from ms_compat.dataset.dataloader.sampler import Sampler as Sampler
from ms_compat.dataset.dataloader.sampler import SequentialSampler as SequentialSampler
from ms_compat.dataset.dataloader.sets import Dataset as Dataset
from ms_compat.dataset.dataloader.sets import IterableDataset as IterableDataset
from ms_compat.dataset.dataloader.sets import TensorDataset as TensorDataset
