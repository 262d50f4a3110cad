"""The path under which pickles of version 0.1.0 name the operations of other modules."""

from ms_compat._core.dispatch.op import _of_module as _of_module
