"""`mindspore.parallel`: how work is distributed. Re-exports only."""

from ms_compat._core.absent import unsupported_getattr
from ms_compat.parallel.algorithm import get_algo_parameters as get_algo_parameters
from ms_compat.parallel.algorithm import reset_algo_parameters as reset_algo_parameters
from ms_compat.parallel.algorithm import set_algo_parameters as set_algo_parameters
from ms_compat.parallel.shard import Layout as Layout
from ms_compat.parallel.shard import parameter_broadcast as parameter_broadcast
from ms_compat.parallel.shard import shard as shard
from ms_compat.parallel.shard import sync_pipeline_shared_parameters as sync_pipeline_shared_parameters

__getattr__ = unsupported_getattr(__name__)
