"""`mindspore.common`: the basic types and functions under their second public path."""

from ms_compat._compile.jit import jit as jit
from ms_compat._compile.jit import jit_class as jit_class
from ms_compat._compile.jit import ms_function as ms_function
from ms_compat._core import dtype as _dtype
from ms_compat._core.dispatch.random import get_seed as get_seed
from ms_compat._core.dispatch.random import set_seed as set_seed
from ms_compat._core.dtype import dtype_to_nptype as dtype_to_nptype
from ms_compat._core.dtype import dtype_to_pytype as dtype_to_pytype
from ms_compat._core.dtype import get_py_obj_dtype as get_py_obj_dtype
from ms_compat._core.dtype import pytype_to_dtype as pytype_to_dtype
from ms_compat._core.settings.context import set_recursion_limit as set_recursion_limit
from ms_compat._core.tensor import Tensor as Tensor
from ms_compat._core.tensor import tensor as tensor
from ms_compat._core.tensor.mutable import mutable as mutable
from ms_compat._core.tensor.parameter import Parameter as Parameter
from ms_compat._core.tensor.parameter import ParameterTuple as ParameterTuple
from ms_compat._core.tensor.sparse import COOTensor as COOTensor
from ms_compat._core.tensor.sparse import CSRTensor as CSRTensor
from ms_compat._core.tensor.sparse import RowTensor as RowTensor
from ms_compat._core.tensor.sparse import RowTensorInner as RowTensorInner
from ms_compat._core.tensor.sparse import SparseTensor as SparseTensor
from ms_compat._names.resolve import unsupported_getattr
from ms_compat.common import dtype as dtype
from ms_compat.common.generator import Generator as Generator
from ms_compat.common.generator import default_generator as default_generator
from ms_compat.common.generator import get_rng_state as get_rng_state
from ms_compat.common.generator import initial_seed as initial_seed
from ms_compat.common.generator import manual_seed as manual_seed
from ms_compat.common.generator import seed as seed
from ms_compat.common.generator import set_rng_state as set_rng_state
from ms_compat.common.jit_config import JitConfig as JitConfig

globals().update(
    {name: value for name, value in vars(_dtype).items() if isinstance(value, _dtype.Type) and not name.startswith("_")}
)
from_numpy = Tensor.from_numpy

__getattr__ = unsupported_getattr(__name__)
