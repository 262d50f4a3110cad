"""Storages, buffers, DLPack and pinned memory; values and refusals of MindSpore 2.10.0 on CPU."""

import multiprocessing
import pickle

import numpy as np
import pytest

import ms_compat as ms
from ms_compat import Tensor, nn, utils

# MindSpore shares memory with the buffer and cannot give bools to other libraries; it allocates a storage anew.
DIFFERENT = {
    "ms.frombuffer": "copies the buffer",
    "utils.to_dlpack(bool)": "works",
    "UntypedStorage.resize_": "other sizes are refused",
    "UntypedStorage.is_shared, Tensor.is_shared": "False",
    "Tensor.pin_memory": "works on CPU",
}


def test_a_storage_has_the_bytes_of_its_tensor():
    x = Tensor(np.arange(4, dtype=np.float32))
    storage = x.untyped_storage()
    assert isinstance(storage, ms.UntypedStorage)
    assert (storage.nbytes(), storage.size(), storage.element_size(), storage.device) == (16, 16, 1, "CPU")
    assert storage.dtype == ms.float32 and not storage.is_shared()
    assert storage.data_ptr() == x.storage().data_ptr()
    view = x.view(2, 2)
    assert view.untyped_storage().data_ptr() == storage.data_ptr()
    y = Tensor(np.arange(2, dtype=np.float32))
    y.untyped_storage().copy_(Tensor(np.array([9, 8], np.float32)).untyped_storage())
    assert y.asnumpy().tolist() == [9, 8]
    storage.copy_(Tensor([1, 2, 3, 4], ms.int32).storage())
    assert view.asnumpy().view(np.int32).tolist() == [[1, 2], [3, 4]]
    assert storage.resize_(16) is storage


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: ms.UntypedStorage(4), TypeError),
        (lambda: Tensor([1.0]).storage().copy_(3), TypeError),
        (lambda: Tensor([1.0]).storage().copy_(Tensor([1.0, 2.0]).storage()), RuntimeError),
        (lambda: Tensor([1.0]).storage().resize_(8), ms.UnsupportedError),
        (lambda: Tensor([1.0]).storage().resize_("a"), TypeError),
        (lambda: Tensor([1.0]).data_sync("a"), TypeError),
        (lambda: ms.frombuffer(bytearray(8)), TypeError),
        (lambda: ms.frombuffer(bytearray(7), ms.int32), RuntimeError),
        (lambda: ms.frombuffer(bytearray(0), ms.int32), RuntimeError),
        (lambda: ms.frombuffer(3, ms.int32), RuntimeError),
        (lambda: ms.frombuffer(bytearray(8), dtype=ms.int32, count=9), RuntimeError),
        (lambda: ms.frombuffer(bytearray(8), dtype=ms.int32, count=0), RuntimeError),
        (lambda: ms.frombuffer(bytearray(8), dtype=ms.int32, offset=9), RuntimeError),
        (lambda: ms.frombuffer(bytearray(8), dtype=ms.int32, offset=1), RuntimeError),
        (lambda: ms.frombuffer(bytearray(8), dtype="int32"), RuntimeError),
        (lambda: utils.from_dlpack(3), RuntimeError),
        (lambda: utils.to_dlpack(3), TypeError),
        (lambda: Tensor.from_dlpack(3), RuntimeError),
    ],
)
def test_refusals(call, error):
    with pytest.raises(error):
        call()


def test_frombuffer():
    out = ms.frombuffer(b"\x01\x02\x03\x04", dtype=ms.uint8)
    assert out.dtype == ms.uint8 and out.asnumpy().tolist() == [1, 2, 3, 4]
    assert ms.frombuffer(bytearray(8), dtype=ms.int32, count=1, offset=4).asnumpy().tolist() == [0]
    assert ms.frombuffer(np.float32([1, 2]), ms.float32).asnumpy().tolist() == [1, 2]


@pytest.mark.parametrize("dtype", [ms.float32, ms.int8, ms.bfloat16, ms.bool_, ms.complex64])
def test_dlpack_there_and_back(dtype):
    x = Tensor([1, 0, 1], dtype)
    capsule = utils.to_dlpack(x)
    out = utils.from_dlpack(capsule)
    assert out.dtype == dtype and bool((out == x).all())
    with pytest.raises(RuntimeError, match="only once"):
        utils.from_dlpack(capsule)
    assert bool((Tensor.from_dlpack(x.to_dlpack()) == x).all())


def test_dlpack_of_numpy():
    assert utils.dlpack.to_dlpack is utils.to_dlpack and utils.dlpack.from_dlpack is utils.from_dlpack
    array = np.arange(6, dtype=np.float64).reshape(2, 3)
    np.testing.assert_array_equal(utils.from_dlpack(array).asnumpy(), array)
    np.testing.assert_array_equal(np.from_dlpack(Tensor(array)), array)


def test_pinned_memory_is_a_mark():
    x = Tensor([1.0, 2.0])
    pinned = x.pin_memory()
    assert pinned.is_pinned() and not x.is_pinned() and not x.is_shared() and not x.is_meta
    assert (pinned + x).asnumpy().tolist() == [2, 4]
    gradient = ms.grad(lambda a: (a.pin_memory() * 3).sum())(x)
    assert gradient.asnumpy().tolist() == [3, 3]
    assert x.data_sync() is None and x.data_sync(False) is None


def test_networks_without_initialisation():
    with nn.utils.no_init_parameters():
        net = nn.Dense(3, 2)
    assert not net.weight.asnumpy().any() and net.weight.shape == (2, 3)
    assert nn.Dense(3, 2).weight.asnumpy().any()


PROCESSES = """
    Array AuthenticationError Barrier BoundedSemaphore BufferTooShort Condition Event JoinableQueue Lock Manager Pipe
    Pool Process ProcessError Queue RLock RawArray RawValue Semaphore SimpleQueue TimeoutError Value active_children
    allow_connection_pickling cpu_count current_process freeze_support get_all_start_methods get_context get_logger
    get_start_method log_to_stderr parent_process reducer set_executable set_forkserver_preload set_start_method
"""


def test_multiprocessing_is_python_s():
    for name in PROCESSES.split():
        assert getattr(ms.multiprocessing, name) == getattr(multiprocessing, name)


def test_tensors_go_to_other_processes():
    assert ms.multiprocessing.get_context("spawn").get_start_method() == "spawn"
    assert ms.multiprocessing.Process is multiprocessing.Process
    assert pickle.loads(pickle.dumps(Tensor([1, 2]))).asnumpy().tolist() == [1, 2]
    parent, child = ms.multiprocessing.Pipe()
    child.send(Tensor([1.5], ms.bfloat16))
    received = parent.recv()
    assert received.dtype == ms.bfloat16 and float(received) == 1.5
