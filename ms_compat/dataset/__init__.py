"""`mindspore.dataset`: pipelines over arrays, Python objects and image files, on numpy.

No jax runs where rows are made: an iterator makes Tensors only at its end. A pipeline is a tree of nodes (see `core`);
the order of elements under `shuffle` and random transforms is our own (see `randomness`).
"""

from ms_compat.dataset import absent as _absent
from ms_compat.dataset import audio as audio
from ms_compat.dataset import callback as callback
from ms_compat.dataset import config as config
from ms_compat.dataset import debug as debug
from ms_compat.dataset import pipeline as _pipeline
from ms_compat.dataset import text as text
from ms_compat.dataset import transforms as transforms
from ms_compat.dataset import vision as vision
from ms_compat.dataset.batching import BatchDataset as BatchDataset
from ms_compat.dataset.batching import BatchInfo as BatchInfo
from ms_compat.dataset.cache import DatasetCache as DatasetCache
from ms_compat.dataset.callback import DSCallback as DSCallback
from ms_compat.dataset.config import ErrorSamplesMode as ErrorSamplesMode
from ms_compat.dataset.config import get_seed as get_seed
from ms_compat.dataset.config import set_seed as set_seed
from ms_compat.dataset.core import Dataset as Dataset
from ms_compat.dataset.iterators import DictIterator as DictIterator
from ms_compat.dataset.iterators import TupleIterator as TupleIterator
from ms_compat.dataset.joining import ConcatDataset as ConcatDataset
from ms_compat.dataset.joining import ProjectDataset as ProjectDataset
from ms_compat.dataset.joining import RenameDataset as RenameDataset
from ms_compat.dataset.joining import ZipDataset as ZipDataset
from ms_compat.dataset.joining import zip_datasets as zip  # noqa: F401
from ms_compat.dataset.mapping import FilterDataset as FilterDataset
from ms_compat.dataset.mapping import MapDataset as MapDataset
from ms_compat.dataset.ordering import RepeatDataset as RepeatDataset
from ms_compat.dataset.ordering import ShuffleDataset as ShuffleDataset
from ms_compat.dataset.ordering import SkipDataset as SkipDataset
from ms_compat.dataset.ordering import TakeDataset as TakeDataset
from ms_compat.dataset.padding import BucketBatchByLengthDataset as BucketBatchByLengthDataset
from ms_compat.dataset.padding import PaddedBatchDataset as PaddedBatchDataset
from ms_compat.dataset.samplers import BuiltinSampler as BuiltinSampler
from ms_compat.dataset.samplers import DistributedSampler as DistributedSampler
from ms_compat.dataset.samplers import IterSampler as IterSampler
from ms_compat.dataset.samplers import PKSampler as PKSampler
from ms_compat.dataset.samplers import RandomSampler as RandomSampler
from ms_compat.dataset.samplers import Sampler as Sampler
from ms_compat.dataset.samplers import SequentialSampler as SequentialSampler
from ms_compat.dataset.samplers import Shuffle as Shuffle
from ms_compat.dataset.samplers import SubsetRandomSampler as SubsetRandomSampler
from ms_compat.dataset.samplers import SubsetSampler as SubsetSampler
from ms_compat.dataset.samplers import WeightedRandomSampler as WeightedRandomSampler
from ms_compat.dataset.schema import Schema as Schema
from ms_compat.dataset.serialization import compare as compare
from ms_compat.dataset.serialization import deserialize as deserialize
from ms_compat.dataset.serialization import serialize as serialize
from ms_compat.dataset.serialization import show as show
from ms_compat.dataset.sources.arrays import NumpySlicesDataset as NumpySlicesDataset
from ms_compat.dataset.sources.arrays import PaddedDataset as PaddedDataset
from ms_compat.dataset.sources.cifar import Cifar10Dataset as Cifar10Dataset
from ms_compat.dataset.sources.cifar import Cifar100Dataset as Cifar100Dataset
from ms_compat.dataset.sources.coco import CocoDataset as CocoDataset
from ms_compat.dataset.sources.csv_files import CSVDataset as CSVDataset
from ms_compat.dataset.sources.digits import SemeionDataset as SemeionDataset
from ms_compat.dataset.sources.digits import STL10Dataset as STL10Dataset
from ms_compat.dataset.sources.digits import SVHNDataset as SVHNDataset
from ms_compat.dataset.sources.digits import USPSDataset as USPSDataset
from ms_compat.dataset.sources.folders import Caltech256Dataset as Caltech256Dataset
from ms_compat.dataset.sources.folders import CelebADataset as CelebADataset
from ms_compat.dataset.sources.folders import CityscapesDataset as CityscapesDataset
from ms_compat.dataset.sources.generator import GeneratorDataset as GeneratorDataset
from ms_compat.dataset.sources.image_folder import FakeImageDataset as FakeImageDataset
from ms_compat.dataset.sources.image_folder import ImageFolderDataset as ImageFolderDataset
from ms_compat.dataset.sources.manifest import ManifestDataset as ManifestDataset
from ms_compat.dataset.sources.mappable import MappableDataset as MappableDataset
from ms_compat.dataset.sources.mindrecord import MindDataset as MindDataset
from ms_compat.dataset.sources.mnist import EMnistDataset as EMnistDataset
from ms_compat.dataset.sources.mnist import FashionMnistDataset as FashionMnistDataset
from ms_compat.dataset.sources.mnist import KMnistDataset as KMnistDataset
from ms_compat.dataset.sources.mnist import MnistDataset as MnistDataset
from ms_compat.dataset.sources.mnist import QMnistDataset as QMnistDataset
from ms_compat.dataset.sources.random_rows import RandomDataset as RandomDataset
from ms_compat.dataset.sources.speech import LJSpeechDataset as LJSpeechDataset
from ms_compat.dataset.sources.speech import SpeechCommandsDataset as SpeechCommandsDataset
from ms_compat.dataset.sources.speech import YesNoDataset as YesNoDataset
from ms_compat.dataset.sources.streams import TextFileDataset as TextFileDataset
from ms_compat.dataset.sources.texts import AGNewsDataset as AGNewsDataset
from ms_compat.dataset.sources.texts import AmazonReviewDataset as AmazonReviewDataset
from ms_compat.dataset.sources.texts import CLUEDataset as CLUEDataset
from ms_compat.dataset.sources.texts import DBpediaDataset as DBpediaDataset
from ms_compat.dataset.sources.texts import EnWik9Dataset as EnWik9Dataset
from ms_compat.dataset.sources.texts import IMDBDataset as IMDBDataset
from ms_compat.dataset.sources.texts import PennTreebankDataset as PennTreebankDataset
from ms_compat.dataset.sources.texts import SogouNewsDataset as SogouNewsDataset
from ms_compat.dataset.sources.texts import SST2Dataset as SST2Dataset
from ms_compat.dataset.sources.texts import WikiTextDataset as WikiTextDataset
from ms_compat.dataset.sources.texts import YahooAnswersDataset as YahooAnswersDataset
from ms_compat.dataset.sources.texts import YelpReviewDataset as YelpReviewDataset
from ms_compat.dataset.sources.tfrecord import TFRecordDataset as TFRecordDataset
from ms_compat.dataset.sources.voc import VOCDataset as VOCDataset
from ms_compat.dataset.sync import SyncWaitDataset as SyncWaitDataset
from ms_compat.dataset.utils import LineReader as LineReader

_pipeline.attach()
__getattr__ = _absent.getattr_of(__name__)
