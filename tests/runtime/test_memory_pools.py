"""Allocators are loaded, and pools of them change nothing; the exceptions are MindSpore's."""

import ctypes
import sys

import pytest

from ms_compat import ops, runtime


@pytest.mark.skipif(sys.platform != "linux", reason="the name of the C library is Linux's")
def test_an_allocator_has_the_addresses_of_its_functions():
    allocator = runtime.PluggableAllocator("libc.so.6", "malloc", "free")
    library = ctypes.CDLL("libc.so.6")
    assert allocator.alloc_fn_ptr == ctypes.cast(library.malloc, ctypes.c_void_p).value
    assert allocator.free_fn_ptr == ctypes.cast(library.free, ctypes.c_void_p).value
    pool = runtime.MemPool(allocator)
    assert pool.allocator is allocator
    with runtime.use_mem_pool(pool):
        assert ops.ones((2,)).asnumpy().tolist() == [1.0, 1.0]
    with pytest.raises(AttributeError):
        runtime.PluggableAllocator("libc.so.6", "no_such_function", "free")


def test_what_is_not_there_is_refused(tmp_path):
    with pytest.raises(OSError):
        runtime.PluggableAllocator("/no/library.so", "a", "b")
    with pytest.raises(TypeError):
        runtime.PluggableAllocator(1, "a", "b")
    with pytest.raises(AttributeError), runtime.use_mem_pool(3):
        pass
    with pytest.raises(FileNotFoundError):
        runtime.memory_replay(str(tmp_path / "memory_block.csv"))
    with pytest.raises(TypeError):
        runtime.memory_replay(3)
