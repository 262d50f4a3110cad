"""`mindspore.context`: the process's modes and settings under their older path."""

import sys as _sys

from ms_compat._compile.analysis.refusals import forbid as _forbid
from ms_compat._core.settings.context import COMPATIBLE as COMPATIBLE
from ms_compat._core.settings.context import DEBUG as DEBUG
from ms_compat._core.settings.context import GRAPH_MODE as GRAPH_MODE
from ms_compat._core.settings.context import LAX as LAX
from ms_compat._core.settings.context import PYNATIVE_MODE as PYNATIVE_MODE
from ms_compat._core.settings.context import RELEASE as RELEASE
from ms_compat._core.settings.context import STRICT as STRICT
from ms_compat._core.settings.context import get_context as get_context
from ms_compat._core.settings.context import get_jit_config as get_jit_config
from ms_compat._core.settings.context import set_context as set_context
from ms_compat._core.settings.parallel_context import ParallelMode as ParallelMode
from ms_compat._core.settings.parallel_context import get_auto_parallel_context as get_auto_parallel_context
from ms_compat._core.settings.parallel_context import get_ps_context as get_ps_context
from ms_compat._core.settings.parallel_context import reset_auto_parallel_context as reset_auto_parallel_context
from ms_compat._core.settings.parallel_context import reset_ps_context as reset_ps_context
from ms_compat._core.settings.parallel_context import set_auto_parallel_context as set_auto_parallel_context
from ms_compat._core.settings.parallel_context import set_ps_context as set_ps_context

__all__ = [
    "COMPATIBLE",
    "GRAPH_MODE",
    "LAX",
    "PYNATIVE_MODE",
    "STRICT",
    "ParallelMode",
    "get_auto_parallel_context",
    "get_context",
    "get_ps_context",
    "reset_auto_parallel_context",
    "set_auto_parallel_context",
    "set_context",
    "set_ps_context",
]

_forbid(_sys.modules[__name__], "context")
