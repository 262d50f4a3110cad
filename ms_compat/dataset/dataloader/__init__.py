"""`mindspore.dataset.dataloader`: batches of a Python dataset, without a pipeline."""

from ms_compat._names.absent import unsupported_getattr as _unsupported_getattr
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

__getattr__ = _unsupported_getattr(__name__)
